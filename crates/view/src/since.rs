//! What changed since a version the caller has seen.

use std::borrow::Cow;

use imara_diff::{Algorithm, Diff, InternedInput};
use readstone_address::Select;
use readstone_base::{Block, Label, Note, Row, Tag, Visible};
use readstone_source::Coding;

use crate::room::{Ask, Left};
use crate::text::{Sheet, Text};

/// Shows the lines of `now` that differ from `then`, with the numbers they have now, and the lines that went, with
/// the numbers they had.
pub fn changes(text: &Text<'_>, then: Then<'_>, now: &[u8], ask: &Ask<'_>) -> Sheet {
    let tag = then.tag;
    let (old, new) = (decode(then.coding, then.bytes), decode(&*text.coding, now));
    let (then_ends, now_ends) = (ends(&old), ends(&new));
    let (old, new): (Vec<&str>, Vec<&str>) = (lines(&old), lines(&new));
    let input = InternedInput {
        before: Vec::new(),
        after: Vec::new(),
        interner: imara_diff::Interner::new(old.len() + new.len()),
    };
    let mut input = input;
    input.update_before(old.iter());
    input.update_after(new.iter());
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_no_heuristic(&input);
    let limits = ask.limits;
    let mut page = Changes {
        rows: Vec::new(),
        left: Left::new((limits.page_lines, "page_lines"), (limits.page_bytes, "page_bytes"), ask.room),
        full: None,
    };
    let (mut hunks, mut removed, mut added) = (0, 0, 0);
    for hunk in diff.hunks() {
        hunks += 1;
        removed += u64::from(hunk.before.end - hunk.before.start);
        added += u64::from(hunk.after.end - hunk.after.start);
        for line in hunk.before {
            page.push(Label::Gone(u64::from(line) + 1), old.get(line as usize), hunk.after.start);
        }
        for line in hunk.after.clone() {
            page.push(Label::Line(u64::from(line) + 1), new.get(line as usize), line);
        }
    }
    let mut sheet = Sheet::default();
    sheet.coverage.total.lines = Some(new.len() as u64);
    sheet.coverage.total.bytes = Some(text.size);
    for row in &page.rows {
        if let Label::Line(number) = row.label {
            readstone_base::Span::extend(&mut sheet.coverage.shown, number);
        }
    }
    sheet.notes.push(Note::Changes { tag, hunks, removed, added });
    // New LF lines change the counts too; only a change of what was there before is worth a word.
    if (then_ends.0 == 0) != (now_ends.0 == 0) || (then_ends.1 == 0) != (now_ends.1 == 0) {
        sheet.notes.push(Note::EndsChanged { then: then_ends, now: now_ends });
    }
    if let Some((line, limit)) = page.full {
        sheet.coverage.cut_by = Some(limit);
        sheet.coverage.next = Some(ask.next(Select::From(line)));
    }
    sheet.blocks.push(Block::Rows(page.rows));
    sheet
}

/// A text that the caller saw.
#[derive(Clone, Copy, Debug)]
pub struct Then<'a> {
    /// Its tag.
    pub tag: Tag,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// How they stand for characters.
    pub coding: &'a dyn Coding,
}

/// The characters behind the byte order mark.
fn decode<'a>(coding: &dyn Coding, bytes: &'a [u8]) -> Cow<'a, str> {
    let mark = usize::try_from(coding.mark()).unwrap_or(0);
    coding.decode(bytes.get(mark..).unwrap_or_default()).text
}

struct Changes {
    rows: Vec<Row>,
    left: Left,
    full: Option<(u64, &'static str)>,
}

impl Changes {
    fn push(&mut self, label: Label, text: Option<&&str>, line: u32) {
        let Some(text) = text.filter(|_| self.full.is_none()) else {
            return;
        };
        let shown = Visible::of(text).text.into_owned();
        if let Err(limit) = self.left.line().and_then(|()| self.left.fits(8, &shown)) {
            self.full = Some((u64::from(line) + 1, limit));
            return;
        }
        self.left.take(8, &shown);
        self.left.take_line();
        self.rows.push(Row { label, text: shown, cut: None });
    }
}

/// How many line ends are CRLF, and how many LF alone.
fn ends(text: &str) -> (u64, u64) {
    let (feeds, pairs) = (text.matches('\n').count(), text.matches("\r\n").count());
    (pairs as u64, (feeds - pairs) as u64)
}

/// The lines of a text by the rule of this project: LF and CRLF end a line, a lone CR does not.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n')
        .map(|line| line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line)))
        .collect()
}
