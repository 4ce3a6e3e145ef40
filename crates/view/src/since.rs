//! What changed since a version the caller has seen.

use imara_diff::{Algorithm, Diff, InternedInput};
use readstone_address::Select;
use readstone_base::{Block, Label, Note, Row, Tag, Visible};

use crate::room::{Ask, Left};
use crate::text::{Sheet, Text};

/// Shows the lines of `now` that differ from `then`, with the numbers they have now, and the lines that went, with
/// the numbers they had.
pub fn changes(text: &Text<'_>, then: &[u8], now: &[u8], tag: Tag, ask: &Ask<'_>) -> Sheet {
    let (old, new) = (text.coding.decode(then).text, text.coding.decode(now).text);
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
    if let Some((line, limit)) = page.full {
        sheet.coverage.cut_by = Some(limit);
        sheet.coverage.next = Some(ask.next(Select::From(line)));
    }
    sheet.blocks.push(Block::Rows(page.rows));
    sheet
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

/// The lines of a text by the rule of this project: LF and CRLF end a line, a lone CR does not.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n')
        .map(|line| line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line)))
        .collect()
}
