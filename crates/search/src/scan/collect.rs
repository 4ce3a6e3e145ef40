//! The collector: rows for lines that match and lines around them.

use std::collections::VecDeque;
use std::ops::Range;

use memchr::{memchr_iter, memrchr};
use readstone_base::{Count, HitRow, Hits, Limits, Role, Span, Spot, Stopped};

use super::excerpt::{Excerpt, around, excerpt};
use super::finder::{Finder, bare, line_end, line_start};
use super::window::{Flow, Part, Piece, Sink};
use super::{Extent, Scanned};

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ask<'a> {
    /// The lines in which matches count; none means all.
    pub(super) within: Option<&'a [Span]>,
    /// How many matches get a row.
    pub(super) most: u64,
    pub(super) limits: &'a Limits,
}

/// Collects rows while a text passes.
#[derive(Debug)]
pub(super) struct Collector<'a> {
    finder: &'a Finder,
    ask: Ask<'a>,
    rows: Vec<HitRow>,
    matches: u64,
    /// The last line that counted as a match.
    matched: u64,
    /// The last line that got a row.
    shown: u64,
    /// How many lines more are shown behind the last match.
    owed: u64,
    /// The lines before the next one that may still be shown.
    tail: VecDeque<HitRow>,
    cursor: Cursor,
    long: Option<Long>,
    extent: Extent,
}

/// How far lines that passed together were looked at.
#[derive(Clone, Copy, Debug)]
struct Cursor {
    /// The number of the line that begins at `counted`.
    number: u64,
    counted: usize,
    /// The number of the line that begins at `seen`; those before it have their rows if they get any.
    seen_number: u64,
    seen: usize,
}

/// A line that passes in pieces.
#[derive(Debug)]
struct Long {
    /// Its beginning.
    head: Excerpt,
    /// The part around its first match.
    found: Option<Excerpt>,
}

impl<'a> Collector<'a> {
    /// Nothing is collected yet.
    pub(super) fn new(finder: &'a Finder, ask: Ask<'a>) -> Self {
        let cursor = Cursor { number: 1, counted: 0, seen_number: 1, seen: 0 };
        Self {
            finder,
            ask,
            rows: Vec::new(),
            matches: 0,
            matched: 0,
            shown: 0,
            owed: 0,
            tail: VecDeque::new(),
            cursor,
            long: None,
            extent: Extent::Whole,
        }
    }

    /// What was collected.
    pub(super) fn scanned(self, stopped: Option<Stopped>) -> Scanned {
        let all = stopped.is_none() && self.extent == Extent::Whole;
        let matches = if all { Count::Exactly(self.matches) } else { Count::AtLeast(self.matches) };
        Scanned { hits: Hits { rows: self.rows, matches }, extent: self.extent, stopped }
    }

    fn chars(&self) -> usize {
        usize::try_from(self.ask.limits.search_chars).unwrap_or(usize::MAX / 8)
    }

    fn wants(&self, number: u64) -> bool {
        self.ask.within.is_none_or(|spans| spans.iter().any(|span| span.contains(number)))
    }

    /// Whether nothing that comes can count or be shown.
    fn is_past(&self) -> bool {
        let last = self.ask.within.and_then(|spans| spans.iter().map(|span| span.last).max());
        self.owed == 0 && last.is_some_and(|last| self.cursor.number > last)
    }

    /// Whether lines that come next all stand before those asked for.
    fn is_before(&self, lines: &[u8]) -> bool {
        let first = self.ask.within.and_then(|spans| spans.iter().map(|span| span.first).min());
        first.is_some_and(|first| self.cursor.number + memchr_iter(b'\n', lines).count() as u64 + 1 < first)
    }

    fn flow(&self) -> Flow {
        if self.is_past() { Flow::Enough } else { Flow::More }
    }

    /// Whether all rows for matches are there, so that only the rest is counted.
    fn is_full(&self) -> bool {
        self.matches >= self.ask.most
    }

    /// Whether nothing is shown any more, and every match counts.
    fn is_only_counting(&self) -> bool {
        self.matches > self.ask.most && self.ask.within.is_none()
    }

    fn push(&mut self, number: u64, role: Role, shown: Excerpt) {
        if number > self.shown {
            self.shown = number;
            self.rows.push(HitRow { spot: Spot::Line(number), role, text: shown.text, cut: shown.cut });
        }
    }

    /// Counts a match; false when it gets no row.
    fn count(&mut self, number: u64) -> bool {
        if number == self.matched || !self.wants(number) {
            return false;
        }
        self.matched = number;
        self.matches += 1;
        self.matches <= self.ask.most
    }

    /// Takes a line that matches.
    fn take(&mut self, text: &[u8], line: Range<usize>, found: Option<Range<usize>>) {
        let between = text.get(self.cursor.counted..line.start).unwrap_or_default();
        self.cursor.number += memchr_iter(b'\n', between).count() as u64;
        self.cursor.counted = line.start;
        let number = self.cursor.number;
        let counted = self.matches;
        if !self.count(number) {
            if self.matches > counted {
                // A line that matches and gets no row ends what is shown.
                self.show_after(text, line.start);
                self.owed = 0;
            }
            return;
        }
        self.show_after(text, line.start);
        self.show_before(text, line.start);
        let content = bare(text.get(line.clone()).unwrap_or_default());
        let found = if content.len() <= self.chars() { None } else { found.or_else(|| self.finder.find(content)) };
        self.push(number, Role::Match, excerpt(content, found, self.chars()));
        self.owed = self.ask.limits.search_after;
        (self.cursor.seen, self.cursor.seen_number) = (line.end, number + 1);
    }

    /// Shows the lines behind the last match, up to an offset.
    fn show_after(&mut self, text: &[u8], upto: usize) {
        while self.owed > 0 && self.cursor.seen < upto {
            let line = self.cursor.seen..line_end(text, self.cursor.seen);
            let shown = excerpt(bare(text.get(line.clone()).unwrap_or_default()), None, self.chars());
            self.push(self.cursor.seen_number, Role::Context, shown);
            self.owed -= 1;
            (self.cursor.seen, self.cursor.seen_number) = (line.end, self.cursor.seen_number + 1);
        }
    }

    /// Shows the lines before a match, which begins at an offset.
    fn show_before(&mut self, text: &[u8], upto: usize) {
        let rows = self.lines_before(text, upto, self.cursor.number);
        let missing = usize::try_from(self.ask.limits.search_before).unwrap_or(0).saturating_sub(rows.len());
        let tail = std::mem::take(&mut self.tail);
        // What passed before stands right before these lines, unless some of them have their rows.
        let before = if self.cursor.seen == 0 { missing.min(tail.len()) } else { 0 };
        let skip = tail.len() - before;
        for row in tail.into_iter().skip(skip).chain(rows) {
            if let Spot::Line(number) = row.spot
                && number > self.shown
            {
                self.shown = number;
                self.rows.push(row);
            }
        }
    }

    /// The lines before an offset that can be shown before a match, and have no rows yet.
    fn lines_before(&self, text: &[u8], upto: usize, number: u64) -> VecDeque<HitRow> {
        let mut rows = VecDeque::new();
        let (mut end, mut number) = (upto, number);
        while end > self.cursor.seen && (rows.len() as u64) < self.ask.limits.search_before {
            let head = text.get(self.cursor.seen..end - 1).unwrap_or_default();
            let start = memrchr(b'\n', head).map_or(self.cursor.seen, |at| self.cursor.seen + at + 1);
            let shown = excerpt(bare(text.get(start..end).unwrap_or_default()), None, self.chars());
            number -= 1;
            rows.push_front(HitRow { spot: Spot::Line(number), role: Role::Context, text: shown.text, cut: shown.cut });
            end = start;
        }
        rows
    }

    /// Ends with lines that passed together.
    fn close(&mut self, text: &[u8], upto: usize) {
        let rest = text.get(self.cursor.counted..upto).unwrap_or_default();
        self.cursor.number += memchr_iter(b'\n', rest).count() as u64;
        self.show_after(text, upto);
        if !self.is_full() {
            let rows = self.lines_before(text, upto, self.cursor.number);
            if self.cursor.seen > 0 {
                self.tail.clear();
            }
            self.tail.extend(rows);
            while self.tail.len() as u64 > self.ask.limits.search_before {
                self.tail.pop_front();
            }
        }
        self.begin(0);
    }

    /// Begins with lines that pass together.
    fn begin(&mut self, from: usize) {
        self.cursor.counted = from;
        self.cursor.seen = from;
        self.cursor.seen_number = self.cursor.number;
    }

    /// Takes a line that passed in pieces.
    fn take_long(&mut self, long: Long) {
        let number = self.cursor.number;
        let counted = self.matches;
        let chosen = long.found.filter(|_| self.count(number));
        if let Some(found) = chosen {
            self.show_before(b"", 0);
            self.push(number, Role::Match, found);
            self.owed = self.ask.limits.search_after;
        } else if self.matches > counted {
            self.owed = 0;
        } else if self.owed > 0 {
            self.push(number, Role::Context, long.head);
            self.owed -= 1;
        } else if !self.is_full() {
            let Excerpt { text, cut } = long.head;
            self.tail.push_back(HitRow { spot: Spot::Line(number), role: Role::Context, text, cut });
        }
        while self.tail.len() as u64 > self.ask.limits.search_before {
            self.tail.pop_front();
        }
        self.cursor.number += 1;
        self.begin(0);
    }
}

impl Sink for Collector<'_> {
    fn spans_lines(&self) -> bool {
        self.finder.spans_lines()
    }

    fn lines(&mut self, lines: &[u8]) -> Flow {
        self.begin(0);
        let mut from = if self.is_before(lines) { lines.len() } else { 0 };
        while !self.is_only_counting()
            && let Some(line) = self.finder.next_line(lines, from)
        {
            from = line.end;
            self.take(lines, line, None);
        }
        if self.is_only_counting() {
            self.matches += self.finder.count(lines, from);
        }
        self.close(lines, lines.len());
        self.flow()
    }

    fn piece(&mut self, piece: &Piece<'_>) -> Flow {
        self.extent = Extent::InPieces;
        let chars = self.chars();
        let mut long = self.long.take().unwrap_or_else(|| Long { head: excerpt(piece.text, None, chars), found: None });
        if long.found.is_none()
            && let Some(found) = piece.find(self.finder)
        {
            long.found = Some(around(piece.text, found, chars));
        }
        if piece.last {
            self.take_long(long);
        } else {
            self.long = Some(long);
        }
        self.flow()
    }

    fn part(&mut self, part: &Part<'_>) -> (usize, Flow) {
        self.extent = part.extent(self.extent);
        self.begin(part.from);
        let mut done = part.from;
        for found in part.matches(self.finder) {
            if found.end <= done && found.start < done {
                continue;
            }
            let last = line_end(part.text, found.start.max(found.end.saturating_sub(1)));
            let mut start = line_start(part.text, found.start, done.min(found.start)).max(done);
            while start < last {
                let end = line_end(part.text, start);
                let inside = found.start.max(start) - start..found.end.clamp(start, end) - start;
                self.take(part.text, start..end, Some(inside));
                start = end;
            }
            done = done.max(last);
        }
        let done = done.max(part.upto);
        self.close(part.text, done);
        (done, self.flow())
    }
}
