//! A preview is a diff made short: what went, what came, a line on each side, and how the other lines moved.

use std::ops::Range;

use readstone_base::{DiffRow, DiffSign, Shift, Visible};

use crate::changed::Changed;

/// The lines of two versions of a text.
pub trait Sides {
    /// How many lines the version before has.
    fn old_count(&self) -> u64;

    /// How many lines the version after has.
    fn new_count(&self) -> u64;

    /// A line of the version before; at least as much of it as the preview may show.
    fn old_line(&self, line: u64) -> Excerpt;

    /// A line of the version after.
    fn new_line(&self, line: u64) -> Excerpt;
}

/// The beginning of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// Its text.
    pub text: String,
    /// Whether the line goes on.
    pub cut: bool,
}

/// How much a preview shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Rows in all.
    pub rows: usize,
    /// Rows of one run of lines that went or came.
    pub run: usize,
    /// Characters of one line.
    pub chars: usize,
    /// Places from which on the lines have other numbers.
    pub shifts: usize,
}

impl Default for Room {
    fn default() -> Self {
        Self { rows: 60, run: 10, chars: 200, shifts: 20 }
    }
}

/// A diff made short.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// The lines that went and came, and one on each side.
    pub rows: Vec<DiffRow>,
    /// How the lines between and behind the places moved; none when there are more than there is room for.
    pub shifts: Vec<Shift>,
    /// The first line that changed, by its new number, or the last line where only the end went.
    pub first_changed: Option<u64>,
    /// How many lines came.
    pub added: u64,
    /// How many lines went.
    pub removed: u64,
}

/// Shows changed places. What there is no room for is counted, not dropped: the last rows say how many lines more went
/// and came.
pub fn preview(places: &[Changed], sides: &dyn Sides, room: Room) -> Preview {
    let total = |range: fn(&Changed) -> &Range<u64>| places.iter().map(|place| length(range(place))).sum();
    let mut sheet = Sheet { sides, room, rows: Vec::new(), gone: 0, new: 0, seen: 0 };
    for (place, next) in places.iter().zip(places.iter().skip(1).map(Some).chain([None])) {
        sheet.place(place, next);
    }
    sheet.rest();
    Preview {
        rows: sheet.rows,
        shifts: shifts(places, sides.old_count(), room.shifts),
        first_changed: places
            .first()
            .map(|place| (place.after.start + 1).min(sides.new_count()))
            .filter(|line| *line > 0),
        added: total(|place| &place.after),
        removed: total(|place| &place.before),
    }
}

fn length(range: &Range<u64>) -> u64 {
    range.end.saturating_sub(range.start)
}

/// How the lines behind each place moved.
fn shifts(places: &[Changed], lines: u64, most: usize) -> Vec<Shift> {
    let mut shifts: Vec<Shift> = Vec::new();
    let mut last = 0;
    for place in places.iter().filter(|place| place.before.end < lines) {
        let by = place.after.end.cast_signed() - place.before.end.cast_signed();
        if by != last {
            shifts.push(Shift { after: place.before.end, by });
            last = by;
        }
    }
    if shifts.len() > most { Vec::new() } else { shifts }
}

/// The rows of a preview as they are made.
struct Sheet<'a> {
    sides: &'a dyn Sides,
    room: Room,
    rows: Vec<DiffRow>,
    /// Lines that went and came and had no room.
    gone: u64,
    new: u64,
    /// The last line beside a place that is shown, by its new number.
    seen: u64,
}

impl Sheet<'_> {
    fn place(&mut self, place: &Changed, next: Option<&Changed>) {
        // Once something has no room, nothing behind it is shown.
        if self.gone + self.new > 0 {
            self.gone += length(&place.before);
            self.new += length(&place.after);
            return;
        }
        if place.after.start > self.seen {
            self.context(place.after.start);
        }
        self.run(&place.before, Side::Old);
        self.run(&place.after, Side::New);
        self.seen = place.after.end;
        let behind = place.after.end + 1;
        let free = next.is_none_or(|next| behind <= next.after.start);
        if free && behind <= self.sides.new_count() {
            self.context(behind);
        }
    }

    /// A line beside a place.
    fn context(&mut self, line: u64) {
        if self.gone + self.new == 0 && self.rows.len() < self.room.rows {
            let excerpt = self.sides.new_line(line);
            self.push(DiffSign::Same(line), &excerpt);
            self.seen = line;
        }
    }

    /// Lines that went or came: all of them, or the first and the last.
    fn run(&mut self, range: &Range<u64>, side: Side) {
        let lines = length(range);
        let most = u64::try_from(self.room.run.max(1)).unwrap_or(u64::MAX);
        let (head, tail) = if lines <= most { (lines, 0) } else { (most.div_ceil(2), most / 2) };
        for line in range.start + 1..=range.start + head {
            self.line(line, side);
        }
        let left_out = lines - head - tail;
        if left_out > 0 {
            let sign = match side {
                Side::Old => DiffSign::MoreGone(left_out),
                Side::New => DiffSign::MoreNew(left_out),
            };
            if self.gone + self.new == 0 && self.rows.len() < self.room.rows {
                self.rows.push(DiffRow { sign, text: String::new(), cut: false });
            } else {
                self.missed(side, left_out);
            }
        }
        for line in range.end - tail + 1..=range.end {
            self.line(line, side);
        }
    }

    fn line(&mut self, line: u64, side: Side) {
        if self.gone + self.new > 0 || self.rows.len() >= self.room.rows {
            return self.missed(side, 1);
        }
        match side {
            Side::Old => self.push(DiffSign::Gone(line), &self.sides.old_line(line)),
            Side::New => self.push(DiffSign::New(line), &self.sides.new_line(line)),
        }
    }

    fn missed(&mut self, side: Side, lines: u64) {
        match side {
            Side::Old => self.gone += lines,
            Side::New => self.new += lines,
        }
    }

    fn push(&mut self, sign: DiffSign, excerpt: &Excerpt) {
        let end = excerpt.text.char_indices().nth(self.room.chars).map(|(at, _)| at);
        let text = end.and_then(|end| excerpt.text.get(..end)).unwrap_or(&excerpt.text);
        let text = Visible::of(text).text.into_owned();
        self.rows.push(DiffRow { sign, text, cut: excerpt.cut || end.is_some() });
    }

    /// What had no room.
    fn rest(&mut self) {
        for (sign, lines) in [(DiffSign::MoreGone(self.gone), self.gone), (DiffSign::MoreNew(self.new), self.new)] {
            if lines > 0 {
                self.rows.push(DiffRow { sign, text: String::new(), cut: false });
            }
        }
    }
}

/// Which of the two versions a line is of.
#[derive(Clone, Copy)]
enum Side {
    Old,
    New,
}
