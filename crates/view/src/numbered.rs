//! Bounded line reads: `NUMBER<tab>TEXT` rows that either fit their bounds or are refused.

use readstone_source::{Coding, Found};

use crate::error::Error;
use crate::reader::LineReader;
use crate::room::Ask;
use crate::text::Text;

/// What a bounded line read may show.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Bytes of a line before it is truncated.
    pub line_bytes: u64,
    /// Lines of the answer.
    pub reply_lines: u64,
    /// Bytes of the answer.
    pub reply_bytes: u64,
}

/// Lines with their numbers.
#[derive(Clone, Debug, Default)]
pub struct Numbered {
    /// The rows, joined by line feeds.
    pub content: String,
    /// How many there are.
    pub lines: u64,
}

impl Numbered {
    /// Keeps the first lines.
    pub fn shorten(&mut self, lines: u64) {
        if lines < self.lines {
            let count = usize::try_from(lines).unwrap_or(usize::MAX);
            let kept: usize = self.content.split_inclusive('\n').take(count).map(str::len).sum();
            self.content.truncate(kept);
            self.content.truncate(self.content.trim_end_matches('\n').len());
            self.lines = lines;
        }
    }
}

/// Stands behind a line that is not shown whole.
const TRUNCATED: &str = "... [truncated]";

/// Up to `limit` lines from line `offset` on.
pub fn numbered(
    text: &mut Text<'_>,
    ask: &Ask<'_>,
    (offset, limit): (u64, u64),
    bounds: Bounds,
) -> Result<Numbered, Error> {
    let mut rows = Numbered::default();
    let start = match text.find(ask, offset)? {
        Found::At(start) => start,
        Found::Only(0) => return Ok(rows),
        Found::Only(total) => return Err(Error::PastEnd { asked: offset, total }),
    };
    let coding = text.coding.clone();
    let most = usize::try_from(bounds.line_bytes).unwrap_or(usize::MAX);
    // A character takes at most four bytes, in the file as in the answer.
    let held = most.saturating_mul(4).saturating_add(4);
    let mut reader = LineReader::new(text, ask, start, text.size);
    while rows.lines < limit {
        let Some(line) = reader.next(held).map_err(|cause| ask.io(cause))? else {
            break;
        };
        if rows.lines >= bounds.reply_lines {
            return Err(Error::TooManyLines { most: bounds.reply_lines });
        }
        if rows.lines > 0 {
            rows.content.push('\n');
        }
        let whole = line.end == Some(line.start + line.bytes.len() as u64);
        rows.content.push_str(&(offset + rows.lines).to_string());
        rows.content.push('\t');
        push_line(&mut rows.content, &*coding, line.bytes, (most, whole));
        rows.lines += 1;
        if rows.content.len() as u64 > bounds.reply_bytes {
            return Err(Error::TooManyBytes { most: bounds.reply_bytes });
        }
    }
    Ok(rows)
}

/// Adds a line of which at most `most` bytes are shown; it is cut before a character, never inside one.
fn push_line(content: &mut String, coding: &dyn Coding, bytes: &[u8], (most, whole): (usize, bool)) {
    let sound = if whole { bytes.len() } else { coding.boundary(bytes, bytes.len()) };
    let decoded = coding.decode(bytes.get(..sound).unwrap_or_default());
    if whole && decoded.text.len() <= most {
        content.push_str(&decoded.text);
        return;
    }
    let end = decoded.text.floor_char_boundary(most);
    content.push_str(decoded.text.get(..end).unwrap_or_default());
    content.push_str(TRUNCATED);
}
