//! Operations as bytes: what goes, and what comes in its place.

use std::io;
use std::ops::Range;

use readstone_base::{Span, Splice, plain_words};

use crate::arrange::{Place, Placed};
use crate::error::{Error, Problem};

/// The lines of a text as bytes, in any encoding and of any size.
pub trait Lines {
    /// How many there are.
    fn count(&self) -> u64;

    /// Where a line stands; the first is 1.
    fn line(&self, number: u64) -> io::Result<LineAt>;

    /// The bytes of a range. No more are asked for than lines have ends and patches have rows.
    fn bytes(&self, range: Range<u64>) -> io::Result<Vec<u8>>;

    /// How they are written.
    fn script(&self) -> &dyn Script;
}

/// How text is written in bytes.
pub trait Script {
    /// How many bytes the byte order mark has, before which nothing may stand.
    fn mark(&self) -> u64;

    /// The bytes of LF.
    fn feed(&self) -> Vec<u8>;

    /// The bytes of a text, without a byte order mark; the first character that has none is the error.
    fn encode(&self, text: &str) -> Result<Vec<u8>, char>;

    /// The name of the encoding, for messages.
    fn encoding(&self) -> &str;
}

/// Where a line stands in the bytes of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineAt {
    /// Its first byte.
    pub start: u64,
    /// The byte behind its text, where its end begins: LF, CRLF, or nothing.
    pub text_end: u64,
    /// The byte behind its end.
    pub end: u64,
}

/// Says which bytes go and which come when arranged operations are applied.
///
/// - A row that repeats the line it takes the place of leaves it alone, from both ends of the range.
/// - A new line takes the line end of the line in whose place it comes, or else of the line beside it: of the last
///   line that goes, of the line it is inserted behind or before. Where that one has no end, the line before it
///   lends its own; in a text without line ends it is LF.
/// - A last line without an end stays without one, also when it is replaced or lines are inserted behind it. A blank
///   line cannot be without one.
/// - The splices are sorted, do not touch, and are none when nothing changes. Operations apart from each other whose
///   effects cancel out are not noticed.
pub fn splices(placed: &[Placed], lines: &dyn Lines) -> Result<Vec<Splice>, Error> {
    let mut runs: Vec<Run> = Vec::new();
    for each in placed {
        let rows = encoded(each, lines)?;
        let run = run(each, rows, lines).map_err(|cause| failed(each.line, &cause))?;
        match runs.last_mut() {
            Some(last) if last.to == run.from => last.join(run),
            Some(_) | None => runs.push(run),
        }
    }
    let mut splices = Vec::with_capacity(runs.len());
    for run in runs {
        let line = run.line;
        splices.extend(run.splice(lines).map_err(|cause| failed(line, &cause))?);
    }
    Ok(splices)
}

/// The splices that undo others; `bytes` reads what they take the place of.
pub fn inverse(splices: &[Splice], bytes: &dyn Fn(Range<u64>) -> io::Result<Vec<u8>>) -> io::Result<Vec<Splice>> {
    let mut moved = 0_u64;
    let mut undo = Vec::with_capacity(splices.len());
    for splice in splices {
        let old = bytes(splice.range.clone())?;
        let start = splice.range.start.wrapping_add(moved);
        undo.push(Splice { range: start..start.wrapping_add(size(&splice.bytes)), bytes: old });
        // A text that becomes shorter moves what follows back; the sum is what counts.
        moved = moved.wrapping_add(size(&splice.bytes)).wrapping_sub(splice.range.end - splice.range.start);
    }
    Ok(undo)
}

/// The bytes with the splices put in.
pub fn apply(bytes: &[u8], splices: &[Splice]) -> Vec<u8> {
    let index = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
    let mut done = 0;
    let mut whole = Vec::with_capacity(bytes.len() + splices.iter().map(|splice| splice.bytes.len()).sum::<usize>());
    for splice in splices {
        whole.extend_from_slice(bytes.get(done..index(splice.range.start)).unwrap_or_default());
        whole.extend_from_slice(&splice.bytes);
        done = index(splice.range.end);
    }
    whole.extend_from_slice(bytes.get(done..).unwrap_or_default());
    whole
}

fn size(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

fn failed(line: u64, cause: &io::Error) -> Error {
    Error::new(line, Problem::Io { cause: plain_words(cause) })
}

/// The rows of an operation in the encoding of the text.
fn encoded(placed: &Placed, lines: &dyn Lines) -> Result<Vec<Vec<u8>>, Error> {
    let rows = placed.body.iter().zip(placed.line.saturating_add(1)..);
    rows.map(|(row, line)| {
        let script = lines.script();
        script.encode(row).map_err(|character| {
            Error::new(line, Problem::Unencodable { character, encoding: script.encoding().to_owned() })
        })
    })
    .collect()
}

/// A run of lines that goes, and what comes in its place.
struct Run {
    /// The line of the patch it comes from.
    line: u64,
    /// What stands behind this line goes …
    from: u64,
    /// … up to this one; equal where none go.
    to: u64,
    rows: Vec<NewLine>,
}

struct NewLine {
    text: Vec<u8>,
    end: Vec<u8>,
}

/// What an operation does, with every new line ended.
fn run(placed: &Placed, texts: Vec<Vec<u8>>, lines: &dyn Lines) -> io::Result<Run> {
    let neighbour = match placed.place {
        Place::Lines(span) => return Ok(Run { line: placed.line, ..replaced(span, texts, lines)? }),
        Place::Head => 1,
        Place::Before(line) | Place::Behind(line) => line,
        Place::Tail => lines.count(),
    };
    let (from, to) = placed.place.gap(lines.count());
    let end = end_near(neighbour, lines)?;
    let rows = texts.into_iter().map(|text| NewLine { text, end: end.clone() }).collect();
    Ok(Run { line: placed.line, from, to, rows })
}

/// What replaces a range, without the rows at its edges that repeat what is there.
fn replaced(span: Span, mut texts: Vec<Vec<u8>>, lines: &dyn Lines) -> io::Result<Run> {
    let (mut from, mut to) = (span.first.saturating_sub(1), span.last);
    let mut repeated = 0;
    for text in &texts {
        if from == to || !is_text(from + 1, text, lines)? {
            break;
        }
        from += 1;
        repeated += 1;
    }
    texts.drain(..repeated);
    while let Some(text) = texts.last() {
        if from == to || !is_text(to, text, lines)? {
            break;
        }
        to -= 1;
        texts.pop();
    }
    // The line that lends its end to further rows: the last that goes, else the one before them or the one behind.
    let lender = if to >= span.first { to } else { span.first };
    let further = if texts.is_empty() { Vec::new() } else { end_near(lender, lines)? };
    let mut rows = Vec::with_capacity(texts.len());
    for (text, line) in texts.into_iter().zip(from + 1..) {
        let end = if line < to { end_of(line, lines)? } else { further.clone() };
        rows.push(NewLine { text, end });
    }
    Ok(Run { line: 0, from, to, rows })
}

/// Whether a line has exactly this text.
fn is_text(number: u64, text: &[u8], lines: &dyn Lines) -> io::Result<bool> {
    let at = lines.line(number)?;
    // Only what has the length of the row is read.
    Ok(at.text_end - at.start == size(text) && lines.bytes(at.start..at.text_end)? == text)
}

/// The end of a line, which may be none.
fn end_of(number: u64, lines: &dyn Lines) -> io::Result<Vec<u8>> {
    let at = lines.line(number)?;
    if at.text_end == at.end { Ok(Vec::new()) } else { lines.bytes(at.text_end..at.end) }
}

/// The end that a line beside this one takes.
fn end_near(number: u64, lines: &dyn Lines) -> io::Result<Vec<u8>> {
    for number in [number, number.saturating_sub(1)] {
        if (1..=lines.count()).contains(&number) {
            let end = end_of(number, lines)?;
            if !end.is_empty() {
                return Ok(end);
            }
        }
    }
    Ok(lines.script().feed())
}

impl Run {
    /// Takes in what follows without a line between.
    fn join(&mut self, next: Self) {
        self.to = next.to;
        self.rows.extend(next.rows);
    }

    /// The bytes of it; nothing when they are what is there.
    fn splice(mut self, lines: &dyn Lines) -> io::Result<Option<Splice>> {
        let count = lines.count();
        let start = match self.from {
            0 if count == 0 => lines.script().mark(),
            0 => lines.line(1)?.start,
            line => lines.line(line)?.end,
        };
        let end = if self.to == self.from { start } else { lines.line(self.to)?.end };
        let mut bytes = Vec::new();
        if self.to == count && count > 0 && end_of(count, lines)?.is_empty() {
            if self.from == count && !self.rows.is_empty() {
                bytes = end_near(count, lines)?;
            }
            if let Some(last) = self.rows.last_mut().filter(|last| !last.text.is_empty()) {
                last.end.clear();
            }
        }
        for row in self.rows {
            bytes.extend(row.text);
            bytes.extend(row.end);
        }
        // What goes and comes again within one run leaves the bytes alone.
        let same = end - start == size(&bytes) && lines.bytes(start..end)? == bytes;
        Ok((!same).then_some(Splice { range: start..end, bytes }))
    }
}
