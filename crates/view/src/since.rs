//! What changed since a version the caller has seen.

use std::borrow::Cow;

use gix_imara_diff::{Algorithm, Diff, InternedInput, Interner};
use readstone_address::{Select, Selector, join};
use readstone_base::{Block, Cut, Label, Marks, Next, Note, Rows, Span, Tag, Visible};
use readstone_source::Coding;

use crate::room::{Ask, Left};
use crate::text::{Sheet, Text};

/// Shows the lines of `now` that differ from `then`, with the numbers they have now, and the lines that went, with
/// the numbers they had. The rows are a list of their own: `path#TAG:K-` shows it from row K on.
pub fn changes(text: &Text<'_>, then: Then<'_>, now: &[u8], ask: &Ask<'_>) -> Sheet {
    let (old, new) = (decode(then.coding, then.bytes), decode(&*text.coding, now));
    let mut page = Changes::new(ask);
    let (hunks, total) = page.compare(&lines(&old), &lines(&new));
    let mut sheet = Sheet::default();
    sheet.coverage.total.lines = Some(total);
    sheet.coverage.total.bytes = Some(text.size);
    for row in page.rows.iter() {
        if let Label::Line(number) = row.label {
            Span::extend(&mut sheet.coverage.shown, number);
        }
    }
    sheet.notes.push(Note::Changes { tag: then.tag, hunks, removed: page.removed, added: page.added });
    let (then_ends, now_ends) = (ends(&old), ends(&new));
    // New LF lines change the counts too; only a change of what was there before is worth a word.
    if (then_ends.0 == 0) != (now_ends.0 == 0) || (then_ends.1 == 0) != (now_ends.1 == 0) {
        sheet.notes.push(Note::EndsChanged { then: then_ends, now: now_ends });
    }
    if page.marks != Marks::default() {
        sheet.notes.push(Note::Marks(page.marks));
    }
    if text.coding.name() != "utf-8" {
        sheet.notes.push(Note::Encoding(text.coding.name()));
    }
    if page.met < page.wanted.first && page.met > 0 {
        sheet.notes.push(Note::PastChanges { asked: page.wanted.first, rows: page.met });
        sheet.coverage.next = Some(page.list(Select::All, then.tag));
    }
    if let Some((row, limit)) = page.full {
        sheet.coverage.cut_by = Some(limit);
        sheet.coverage.next = Some(page.list(Select::From(row), then.tag));
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

/// The rows of a list of changes.
struct Changes<'a> {
    ask: &'a Ask<'a>,
    rows: Rows,
    left: Left,
    /// The rows that are asked for.
    wanted: Span,
    /// Rows met so far, shown or not.
    met: u64,
    /// The first row for which there was no room, and the limit that says so.
    full: Option<(u64, &'static str)>,
    removed: u64,
    added: u64,
    marks: Marks,
}

impl<'a> Changes<'a> {
    fn new(ask: &'a Ask<'a>) -> Self {
        let limits = ask.limits;
        let wanted = ask.selector.select.span().unwrap_or(Span::new(1, u64::MAX));
        let left = Left::new((limits.page_lines, "page_lines"), (limits.page_bytes, "page_bytes"), ask.room);
        Self {
            ask,
            rows: Rows::default(),
            left,
            wanted,
            met: 0,
            full: None,
            removed: 0,
            added: 0,
            marks: Marks::default(),
        }
    }

    /// Adds the rows of every difference; gives the number of places and the number of lines there are now.
    fn compare(&mut self, old: &[&str], new: &[&str]) -> (u64, u64) {
        let interner = Interner::new(old.len() + new.len());
        let mut input = InternedInput { before: Vec::new(), after: Vec::new(), interner };
        input.update_before(old.iter());
        input.update_after(new.iter());
        let mut diff = Diff::compute(Algorithm::Histogram, &input);
        diff.postprocess_no_heuristic(&input);
        let mut hunks = 0;
        for hunk in diff.hunks() {
            hunks += 1;
            for line in hunk.before {
                self.removed += 1;
                self.push(Label::Gone(u64::from(line) + 1), old.get(line as usize).copied().unwrap_or_default());
            }
            for line in hunk.after {
                self.added += 1;
                self.push(Label::Line(u64::from(line) + 1), new.get(line as usize).copied().unwrap_or_default());
            }
        }
        (hunks, new.len() as u64)
    }

    /// The call that shows other rows of the list.
    fn list(&self, select: Select, tag: Tag) -> Next {
        let rows = Selector { select, mode: self.ask.selector.mode };
        Next::read(join(&format!("{}#{tag}", self.ask.path), &rows))
    }

    fn push(&mut self, label: Label, text: &str) {
        self.met += 1;
        if self.full.is_some() || !self.wanted.contains(self.met) {
            return;
        }
        let most = usize::try_from(self.ask.limits.line_chars).unwrap_or(usize::MAX);
        let mut shown = Shown::of(text, most);
        if let Err(limit) = self.left.line().and_then(|()| self.left.fits(LABEL, &shown.visible.text)) {
            if !self.rows.is_empty() {
                self.full = Some((self.met, limit));
                return;
            }
            // The first row is always shown, if only in part: a page must move on.
            shown = Shown::of(text, self.left.characters().min(most));
        }
        self.left.take(LABEL, &shown.visible.text);
        self.left.take_line();
        self.marks.add(shown.visible.marks);
        let cut = self.cut(label, &shown);
        self.rows.push(label, &shown.visible.text, cut);
    }

    /// What is missing of a row, and where it can be read if the line is still there.
    fn cut(&self, label: Label, shown: &Shown<'_>) -> Option<Cut> {
        let next = match label {
            // Around a column half a page further on, the line is shown from here.
            Label::Line(line) => {
                let column = shown.kept + 1 + self.ask.limits.line_chars / 2;
                Some(self.ask.next(Select::Around { line, column }).argument)
            }
            Label::Gone(_) | Label::Byte(_) | Label::Lines(_) => None,
        };
        let cut = Cut { start: None, shown: shown.kept, before: Some(0), after: Some(shown.after), next };
        (shown.after > 0).then_some(cut)
    }
}

/// As much of a line as is shown.
struct Shown<'a> {
    visible: Visible<'a>,
    kept: u64,
    after: u64,
}

impl<'a> Shown<'a> {
    fn of(text: &'a str, most: usize) -> Self {
        let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
        let visible = Visible::of(text.get(..end).unwrap_or(text));
        Self { visible, kept: end as u64, after: (text.len() - end) as u64 }
    }
}

/// Bytes of a row's label, about.
const LABEL: usize = 8;

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
