//! Composing: lines become rows, as long as there is room.

use std::sync::Arc;

use readstone_address::{Select, Selector, Slice, join};
use readstone_base::{Cut, Inside, Label, Marks, Note, Rows, Span, Visible};
use readstone_source::Coding;
use unicode_normalization::char::is_combining_mark;

use crate::reader::{Ending, Line};
use crate::room::{Ask, Left};

/// Makes rows of lines and keeps count of what it met.
#[derive(Debug)]
pub(crate) struct Composer<'a> {
    ask: &'a Ask<'a>,
    coding: Arc<dyn Coding>,
    pub(crate) left: Left,
    /// Characters of a line that are shown.
    most_chars: usize,
    pub(crate) rows: Rows,
    pub(crate) tally: Tally,
    /// What is left of the lines that were cut.
    pub(crate) rests: Vec<Slice>,
    /// Set when no further line can follow.
    pub(crate) closed: Option<&'static str>,
    /// The limit for which the first row had to be cut.
    pub(crate) lack: Option<&'static str>,
}

/// What was met on a page.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) shown: Vec<Span>,
    pub(crate) context: Vec<Span>,
    marks: Marks,
    replaced: u64,
    first_replaced: Vec<u64>,
    carriage_feeds: u64,
    feeds: u64,
    pub(crate) open_end: bool,
    unnumbered: bool,
}

/// Where a line stands and what it is there for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) label: Label,
    pub(crate) role: Role,
    pub(crate) before: Edge,
    pub(crate) after: Edge,
}

/// Why a line is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It was asked for.
    Shown,
    /// It stands beside what was asked for.
    Context,
}

/// The edge of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    /// The line's own beginning or end.
    Line,
    /// A place inside the line, with so many bytes of the line beyond it.
    Inside(Option<u64>),
}

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Took {
    /// It has its row.
    Row,
    /// There was no room, by this limit.
    Refused(&'static str),
}

/// Offsets of replaced bytes that are told.
const TOLD_OFFSETS: usize = 5;
/// A cut moves back over at most this many combining marks.
const MOST_MARKS: usize = 32;

impl Piece {
    /// A whole line that was asked for.
    pub(crate) fn line(number: u64, role: Role) -> Self {
        Self { label: Label::Line(number), role, before: Edge::Line, after: Edge::Line }
    }
}

impl<'a> Composer<'a> {
    /// A composer that cuts lines at `most_chars` characters.
    pub(crate) fn new(ask: &'a Ask<'a>, coding: Arc<dyn Coding>, left: Left, most_chars: usize) -> Self {
        Self {
            ask,
            coding,
            left,
            most_chars,
            rows: Rows::default(),
            tally: Tally::default(),
            rests: Vec::new(),
            closed: None,
            lack: None,
        }
    }

    /// How many bytes of a line must be held to show it.
    pub(crate) fn held_bytes(&self) -> usize {
        self.most_chars.saturating_mul(4).saturating_add(16)
    }

    /// Makes a row of a line, cut where it is too long.
    pub(crate) fn take(&mut self, line: &Line<'_>, piece: Piece) -> Took {
        let whole = line.end == Some(line.start + line.bytes.len() as u64);
        if whole && line.bytes.len() <= self.most_chars.saturating_mul(4) {
            let coding = Arc::clone(&self.coding);
            let decoded = coding.decode(line.bytes);
            if decoded.text.len() <= self.most_chars || decoded.text.chars().count() <= self.most_chars {
                return self.take_whole(line, piece, &decoded);
            }
        }
        self.take_cut(line, piece, self.most_chars)
    }

    fn take_whole(&mut self, line: &Line<'_>, piece: Piece, decoded: &readstone_source::Decoded<'_>) -> Took {
        let visible = Visible::of(&decoded.text);
        if let Err(limit) = self.left.fits(width(piece.label), &visible.text) {
            // The first row of a page is always shown, if only in part: a page must move on.
            if !self.rows.is_empty() || piece.role == Role::Context {
                return Took::Refused(limit);
            }
            self.lack = Some(limit);
            return self.take_cut(line, piece, self.left.characters());
        }
        self.tally.count(line, &decoded.replaced, visible.marks);
        let cut = (piece.before != Edge::Line || piece.after != Edge::Line)
            .then(|| self.cut(line, piece, line.bytes.len() as u64));
        self.push(piece, &visible.text, cut);
        self.tally.end(line.ending);
        Took::Row
    }

    fn take_cut(&mut self, line: &Line<'_>, piece: Piece, most_chars: usize) -> Took {
        let coding = Arc::clone(&self.coding);
        let shown = prefix(&*coding, line.bytes, most_chars);
        let head = line.bytes.get(..shown).unwrap_or_default();
        let decoded = coding.decode(head);
        let visible = Visible::of(&decoded.text);
        if let Err(limit) = self.left.fits(width(piece.label), &visible.text) {
            if !self.rows.is_empty() || piece.role == Role::Context {
                return Took::Refused(limit);
            }
            self.lack = Some(limit);
            if most_chars > 1 {
                // Spelled out, a character may take ten times its room.
                return self.take_cut(line, piece, self.left.characters().min(most_chars / 2));
            }
        }
        self.tally.count(line, &decoded.replaced, visible.marks);
        if line.end == Some(line.start + shown as u64) {
            // Small as the room is, the line is whole.
            let inside = piece.before != Edge::Line || piece.after != Edge::Line;
            let cut = inside.then(|| self.cut(line, piece, shown as u64));
            self.push(piece, &visible.text, cut);
            self.tally.end(line.ending);
            return Took::Row;
        }
        let cut_at = line.start + shown as u64;
        let unshown = line.end.map(|end| end.saturating_sub(cut_at));
        // A piece that ends inside its line leaves more than itself.
        let count = match piece.after {
            Edge::Line => unshown,
            Edge::Inside(beyond) => unshown.zip(beyond).map(|(unshown, beyond)| unshown + beyond),
        };
        let rest = Slice { start: cut_at, count };
        let mut cut = self.cut(line, Piece { after: Edge::Inside(rest.count), ..piece }, shown as u64);
        // Without a known end the page itself goes on there.
        cut.next = rest.count.map(|_| self.address(rest));
        self.push(piece, &visible.text, Some(cut));
        if piece.role == Role::Shown {
            self.rests.push(rest);
            if line.end.is_none() {
                self.closed = Some("line_scan_bytes");
            } else if self.rests.len() as u64 >= self.ask.limits.cut_lines {
                self.closed = Some("cut_lines");
            }
        }
        Took::Row
    }

    /// Makes a row that stands for several lines.
    pub(crate) fn fold(&mut self, lines: Span, text: &str, inside: Option<Inside>) -> Took {
        let visible = Visible::of(text);
        let mark = inside.as_ref().map_or(0, |inside| {
            let told: usize = inside.told.iter().map(|name| name.len() + 2).sum();
            16 + told.max(inside.next.len() + 24)
        });
        let width = width(Label::Lines(lines)) + mark;
        let fits = self.left.line().and_then(|()| self.left.fits(width, &visible.text));
        if let (Err(limit), false) = (fits, self.rows.is_empty()) {
            return Took::Refused(limit);
        }
        self.left.take(width, &visible.text);
        self.left.take_line();
        if inside.is_some() {
            self.left.take_line();
        }
        self.rows.push_fold(lines, &visible.text, inside);
        Took::Row
    }

    fn cut(&self, line: &Line<'_>, piece: Piece, shown: u64) -> Cut {
        let beyond = |edge: Edge| match edge {
            Edge::Line => Some(0),
            Edge::Inside(bytes) => bytes,
        };
        let after = beyond(piece.after);
        let rest = Slice { start: line.start + shown, count: after };
        // A page that ends inside a line goes on there as a whole; no mark need repeat that.
        let next = after.filter(|bytes| *bytes > 0).map(|_| self.address(rest));
        Cut { start: Some(line.start), shown, before: beyond(piece.before), after, next }
    }

    fn address(&self, rest: Slice) -> String {
        let select = Select::Rest { slices: vec![rest], lines: Vec::new() };
        join(self.ask.path, &Selector { select, mode: self.ask.selector.mode })
    }

    fn push(&mut self, piece: Piece, text: &str, cut: Option<Cut>) {
        self.left.take(width(piece.label), text);
        match (piece.role, piece.label) {
            (Role::Shown, Label::Line(number)) => Span::extend(&mut self.tally.shown, number),
            (Role::Context, Label::Line(number)) => Span::extend(&mut self.tally.context, number),
            (_, Label::Byte(_)) => self.tally.unnumbered = true,
            (_, Label::Gone(_) | Label::Lines(_)) => {}
        }
        if piece.role == Role::Shown {
            self.left.take_line();
        }
        self.rows.push(piece.label, text, cut);
    }
}

impl Tally {
    fn count(&mut self, line: &Line<'_>, replaced: &[u64], marks: Marks) {
        self.marks.add(marks);
        self.replaced += replaced.len() as u64;
        let room = TOLD_OFFSETS.saturating_sub(self.first_replaced.len());
        self.first_replaced.extend(replaced.iter().take(room).map(|offset| line.start + offset));
    }

    fn end(&mut self, ending: Ending) {
        match ending {
            Ending::Open => self.open_end = true,
            Ending::Feed => self.feeds += 1,
            Ending::CarriageFeed => self.carriage_feeds += 1,
            Ending::Inside => {}
        }
    }

    /// What must be said of what was met.
    pub(crate) fn notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        match (self.carriage_feeds, self.feeds) {
            (0, _) => {}
            (_, 0) => notes.push(Note::Crlf),
            (crlf, lf) => notes.push(Note::MixedEnds { crlf, lf }),
        }
        if self.replaced > 0 {
            notes.push(Note::Replaced { count: self.replaced, offsets: self.first_replaced.clone() });
        }
        if self.marks != Marks::default() {
            notes.push(Note::Marks(self.marks));
        }
        if self.unnumbered {
            notes.push(Note::NotNumbered);
        }
        notes
    }
}

/// How many bytes the label of a row takes.
pub(crate) fn width(label: Label) -> usize {
    match label {
        Label::Line(number) => number.max(1).ilog10() as usize + 2,
        Label::Byte(number) | Label::Gone(number) => number.max(1).ilog10() as usize + 3,
        Label::Lines(span) => width(Label::Line(span.first)) + width(Label::Line(span.last)),
    }
}

/// How many bytes the first `most_chars` characters take, without parting a character from its marks.
fn prefix(coding: &dyn Coding, bytes: &[u8], most_chars: usize) -> usize {
    let count = |length: usize| {
        let head = bytes.get(..length).unwrap_or_default();
        coding.decode(head).text.chars().count()
    };
    let longest = longest(coding, bytes, |text| text.chars().count() <= most_chars);
    let text = coding.decode(bytes).text;
    let kept = count(longest);
    let marks = text.chars().take(kept + 1).collect::<Vec<_>>();
    let back = marks.iter().rev().take(MOST_MARKS).take_while(|character| is_combining_mark(**character)).count();
    if back == 0 || back >= MOST_MARKS || back >= kept {
        return longest.max(first_character(coding, bytes));
    }
    let mut length = longest;
    while length > 0 && count(length) > kept - back {
        length = coding.boundary(bytes, length - 1);
    }
    length.max(first_character(coding, bytes))
}

/// The longest run of whole characters at the beginning of `bytes` whose text is small enough.
pub(crate) fn longest(coding: &dyn Coding, bytes: &[u8], fits: impl Fn(&str) -> bool) -> usize {
    let small = |length: usize| fits(&coding.decode(bytes.get(..length).unwrap_or_default()).text);
    let (mut low, mut high) = (0, bytes.len());
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        let length = coding.boundary(bytes, middle);
        if length <= low {
            // No character ends between here and there: the next one is the last candidate.
            let further = (low + 1..=low + 4).map(|most| coding.boundary(bytes, most)).find(|length| *length > low);
            match further.filter(|length| *length <= high && small(*length)) {
                Some(length) => low = length,
                None => break,
            }
        } else if small(length) {
            low = length;
        } else {
            high = middle - 1;
        }
    }
    low
}

/// How many bytes the first character takes, so that a cut always moves on.
pub(crate) fn first_character(coding: &dyn Coding, bytes: &[u8]) -> usize {
    (1..=bytes.len().min(8))
        .map(|most| coding.boundary(bytes, most))
        .find(|length| *length > 0)
        .unwrap_or(bytes.len().min(8))
}
