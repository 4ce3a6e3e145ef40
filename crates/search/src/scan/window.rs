//! The window through which a text passes: whole lines where they fit, pieces of lines that do not.

use std::io;
use std::ops::Range;

use memchr::{memchr, memrchr};
use readstone_base::{Blob, Budget, Limits, Stopped};

use super::Extent;
use super::feed::{Feed, Rest};
use super::finder::{Finder, bare};
use super::kind::{self, Kind, Sight, Tail};

/// Takes what passes through a window.
pub(super) trait Sink {
    /// Whether matches may span lines, so that parts are wanted and not lines.
    fn spans_lines(&self) -> bool;

    /// Takes whole lines.
    fn lines(&mut self, lines: &[u8]) -> Flow;

    /// Takes a piece of a line that is too long.
    fn piece(&mut self, piece: &Piece<'_>) -> Flow;

    /// Takes a part of a text and says how much of it is done with: at least up to where matches may begin.
    fn part(&mut self, part: &Part<'_>) -> (usize, Flow);
}

/// Whether more is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    More,
    Enough,
}

/// Why nothing more passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// All did.
    Done,
    /// No more was wanted.
    Enough,
    /// The call is over.
    Stopped(Stopped),
}

/// A piece of a long line.
#[derive(Debug)]
pub(super) struct Piece<'t> {
    /// The piece, with some of what stands before it and behind it.
    pub(super) text: &'t [u8],
    /// Where matches may begin.
    pub(super) begins: Range<usize>,
    /// Up to where they may reach; what stands behind it is only looked at.
    pub(super) end: usize,
    /// Whether the line ends with it.
    pub(super) last: bool,
}

impl Piece<'_> {
    /// The first match that begins in it.
    pub(super) fn find(&self, finder: &Finder) -> Option<Range<usize>> {
        let found = finder.find_within(self.text, self.begins.start..self.end)?;
        (self.last || found.start < self.begins.end).then_some(found)
    }
}

/// A part of a text whose matches may span lines.
#[derive(Debug)]
pub(super) struct Part<'t> {
    /// The part, perhaps with a character that stands before it.
    pub(super) text: &'t [u8],
    /// Where matches may begin.
    pub(super) from: usize,
    /// Up to where; behind it are lines that come again.
    pub(super) upto: usize,
    /// Whether the text ends with it.
    pub(super) last: bool,
}

impl Part<'_> {
    /// Whether the text is looked at in pieces.
    pub(super) fn extent(&self, before: Extent) -> Extent {
        if self.last { before } else { Extent::InPieces }
    }

    /// The matches that begin in it.
    pub(super) fn matches<'a>(&'a self, finder: &'a Finder) -> impl Iterator<Item = Range<usize>> + 'a {
        let found = finder.matches(self.text, self.from..self.text.len());
        // Behind the end of the last line nothing stands.
        let is_there = |at: usize| at < self.text.len() || self.text.last().is_some_and(|byte| *byte != b'\n');
        found.take_while(move |found| if self.last { is_there(found.start) } else { found.start < self.upto })
    }
}

/// What was read and not yet looked at.
#[derive(Debug)]
pub(super) struct Window {
    bytes: Vec<u8>,
    end: usize,
    /// What follows in the file.
    rest: Rest,
    sizes: Sizes,
}

/// How much passes at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// So much is read at a time, and a file up to this size at once.
    pub(super) chunk: usize,
    /// So much of what stands before and behind a piece is kept.
    pub(super) margin: usize,
    /// How many bytes are looked at as one.
    pub(super) span: usize,
}

impl Sizes {
    /// The sizes that limits allow.
    pub(super) fn within(limits: &Limits) -> Self {
        let number = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX / 16);
        let (chunk, margin) = (256 * 1024, 4 * 1024);
        // What is shown of a line must fit, and what is kept of a piece must be little of it.
        let least = (16 * margin).max(number(limits.search_chars).saturating_mul(8));
        Self { chunk, margin, span: number(limits.search_span_bytes).max(least) }
    }

    /// How much of a piece comes again with the next one, so that a match across the two is found.
    fn overlap(self) -> usize {
        self.span / 8
    }
}

/// Larger files are not taken whole to tell what they are, whatever can be edited.
const MOST_WHOLE: u64 = 16 * 1024 * 1024;

impl Window {
    /// An empty window.
    pub(super) fn new(sizes: Sizes) -> Self {
        Self { bytes: vec![0; sizes.chunk], end: 0, rest: Rest::Unknown, sizes }
    }

    /// How many bytes it holds.
    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        self.bytes.capacity()
    }

    /// Forgets what was read.
    pub(super) fn forget(&mut self) {
        self.end = 0;
        self.rest = Rest::Unknown;
    }

    /// Reads the beginning of a file and tells what it is.
    pub(super) fn sight(&mut self, blob: &dyn Blob, limits: &Limits) -> io::Result<Sight> {
        self.forget();
        self.end = blob.read_at(0, self.bytes.get_mut(..self.sizes.chunk).unwrap_or_default())?;
        let size = blob.len();
        if self.end < self.sizes.chunk || size == Some(self.end as u64) {
            self.rest = Rest::Nothing;
            return Ok(Sight::Sure(kind::of_whole(self.read())));
        }
        if size.is_none_or(|size| size > limits.edit_bytes.min(MOST_WHOLE)) {
            return kind::of_large(blob, self.read()).map(Sight::Sure);
        }
        match kind::clean_mark(self.read(), Tail::Open) {
            Some(mark) => Ok(Sight::Likely { mark }),
            None if kind::is_binary(self.read(), size.unwrap_or(0)) => Ok(Sight::Sure(Kind::Binary)),
            None => self.whole(blob).map(Sight::Sure),
        }
    }

    /// Reads a file to its end and tells what it is.
    pub(super) fn whole(&mut self, blob: &dyn Blob) -> io::Result<Kind> {
        let size = usize::try_from(blob.len().unwrap_or(0)).unwrap_or(usize::MAX);
        if self.bytes.len() < size {
            self.bytes.resize(size, 0);
        }
        let rest = self.bytes.get_mut(self.end..size).unwrap_or_default();
        self.end += blob.read_at(self.end as u64, rest)?;
        self.rest = Rest::Nothing;
        Ok(kind::of_whole(self.read()))
    }

    fn read(&self) -> &[u8] {
        self.bytes.get(..self.end).unwrap_or_default()
    }

    /// Passes a text on.
    pub(super) fn run(&mut self, feed: &mut Feed<'_>, sink: &mut dyn Sink, budget: &Budget) -> io::Result<End> {
        let start = if self.end > 0 { feed.go_on(self.end, self.rest) } else { 0 };
        let pass = Pass { window: self, feed, start, fresh: start, long: None, budget };
        let end = if sink.spans_lines() { pass.parts(sink) } else { pass.lines(sink) };
        self.forget();
        end
    }

    /// Moves what is left to the front and makes room behind it.
    fn shift(&mut self, start: usize) {
        self.bytes.copy_within(start..self.end, 0);
        self.end -= start;
        let Sizes { chunk, span, .. } = self.sizes;
        if self.end + chunk / 2 > self.bytes.len() {
            let more = (self.bytes.len() * 2).min(span.saturating_add(chunk));
            self.bytes.resize(more.max(self.end + chunk), 0);
        }
    }
}

/// The largest offset up to `most` at which no character of UTF-8 is parted.
fn boundary(text: &[u8], most: usize) -> usize {
    let continues = |at: usize| text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
    (most.saturating_sub(3)..=most).rev().find(|at| !continues(*at)).unwrap_or(most)
}

/// A text on its way.
struct Pass<'w, 'b> {
    window: &'w mut Window,
    feed: &'w mut Feed<'b>,
    /// What stands before it in the window was passed on.
    start: usize,
    /// From here on, line ends were not yet looked for.
    fresh: usize,
    /// Where matches may begin in the next piece, counted from `start`, while a long line passes.
    long: Option<usize>,
    budget: &'w Budget,
}

impl Pass<'_, '_> {
    fn fill(&mut self) -> io::Result<()> {
        self.window.shift(self.start);
        self.start = 0;
        self.fresh = self.window.end;
        let room = self.window.end..self.window.bytes.len().min(self.window.end + self.window.sizes.chunk);
        self.window.end += self.feed.fill(self.window.bytes.get_mut(room).unwrap_or_default())?;
        Ok(())
    }

    fn text(&self, range: Range<usize>) -> &[u8] {
        self.window.bytes.get(range).unwrap_or_default()
    }

    /// Notes when a text is not what it seemed to be.
    fn check(&mut self, range: Range<usize>) {
        let tail = if self.feed.is_ended() && range.end == self.window.end { Tail::End } else { Tail::Open };
        if self.feed.is_watched() && !kind::is_utf8(self.text(range), tail) {
            self.feed.distrust();
        }
    }

    /// Passes on lines.
    fn lines(mut self, sink: &mut dyn Sink) -> io::Result<End> {
        if self.window.end == 0 && !self.feed.is_ended() {
            self.fill()?;
        }
        loop {
            if self.pass_lines(sink) == Flow::Enough {
                return Ok(End::Enough);
            }
            if self.feed.is_ended() {
                return Ok(End::Done);
            }
            if let Err(stopped) = self.budget.check() {
                return Ok(End::Stopped(stopped));
            }
            self.fill()?;
        }
    }

    /// Passes on what can be of what was read: all of it at the end.
    fn pass_lines(&mut self, sink: &mut dyn Sink) -> Flow {
        while self.start < self.window.end {
            let flow = match self.long {
                Some(begin) => self.pass_long(begin, sink),
                None => self.pass_whole(sink),
            };
            match flow {
                Some(Flow::More) => {}
                Some(Flow::Enough) => return Flow::Enough,
                None => return Flow::More,
            }
        }
        Flow::More
    }

    /// Passes on whole lines; none when more must be read first.
    fn pass_whole(&mut self, sink: &mut dyn Sink) -> Option<Flow> {
        let end = self.window.end;
        let cut = match memrchr(b'\n', self.text(self.fresh..end)) {
            _ if self.feed.is_ended() => end,
            Some(at) => self.fresh + at + 1,
            None if end - self.start >= self.window.sizes.span => return Some(self.pass_piece(0, sink)),
            None => return None,
        };
        self.check(self.start..cut);
        let flow = sink.lines(self.text(self.start..cut));
        (self.start, self.fresh) = (cut, end);
        (flow == Flow::Enough || self.feed.is_ended()).then_some(flow)
    }

    /// Passes on more of a long line; none when more must be read first.
    fn pass_long(&mut self, begin: usize, sink: &mut dyn Sink) -> Option<Flow> {
        let end = self.window.end;
        let (text, next) = match memchr(b'\n', self.text(self.fresh..end)) {
            Some(at) => (bare(self.text(self.start..self.fresh + at + 1)), self.fresh + at + 1),
            None if self.feed.is_ended() => (self.text(self.start..end), end),
            None if end - self.start >= self.window.sizes.span => return Some(self.pass_piece(begin, sink)),
            None => return None,
        };
        let end = text.len();
        let piece = Piece { text, begins: begin.min(end)..end, end, last: true };
        let flow = sink.piece(&piece);
        self.check(self.start..next);
        (self.start, self.fresh, self.long) = (next, next, None);
        Some(flow)
    }

    /// Passes on a piece of a long line that goes on behind it.
    fn pass_piece(&mut self, begin: usize, sink: &mut dyn Sink) -> Flow {
        let text = self.text(self.start..self.window.end);
        let upto = boundary(text, text.len() - self.window.sizes.overlap());
        let end = boundary(text, text.len() - self.window.sizes.margin);
        let flow = sink.piece(&Piece { text, begins: begin..upto, end, last: false });
        let before = boundary(text, upto.saturating_sub(self.window.sizes.margin));
        self.check(self.start..self.window.end);
        self.start += before;
        self.fresh = self.window.end;
        self.long = Some(upto - before);
        flow
    }

    /// Passes on parts of a text whose matches may span lines.
    fn parts(mut self, sink: &mut dyn Sink) -> io::Result<End> {
        let mut from = 0;
        loop {
            while !self.feed.is_ended() && self.window.end - self.start < self.window.sizes.span {
                if let Err(stopped) = self.budget.check() {
                    return Ok(End::Stopped(stopped));
                }
                self.fill()?;
            }
            self.check(self.start..self.window.end);
            let (text, last) = (self.text(self.start..self.window.end), self.feed.is_ended());
            let upto = if last { text.len() } else { self.part_end(text, from) };
            let (done, flow) = sink.part(&Part { text, from, upto, last });
            if flow == Flow::Enough || last {
                return Ok(if last { End::Done } else { End::Enough });
            }
            // A character before it is kept, because expressions look back.
            let keep = boundary(text, done.saturating_sub(1));
            from = done - keep;
            self.start += keep;
        }
    }

    /// Where the part of a text ends that is not looked at again: before a line, if there is one.
    fn part_end(&self, text: &[u8], from: usize) -> usize {
        let most = boundary(text, text.len() - self.window.sizes.overlap());
        text.get(from..most).and_then(|part| memrchr(b'\n', part)).map_or(most, |at| from + at + 1)
    }
}
