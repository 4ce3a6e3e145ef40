//! The looker: ends at the first match.

use super::Extent;
use super::finder::Finder;
use super::window::{Flow, Part, Piece, Sink};

/// Looks whether there is a match.
#[derive(Debug)]
pub(super) struct Looker<'f> {
    finder: &'f Finder,
    /// Whether there is.
    pub(super) found: bool,
    /// Whether something was looked at in pieces.
    pub(super) extent: Extent,
}

impl<'f> Looker<'f> {
    /// Nothing is found yet.
    pub(super) fn new(finder: &'f Finder) -> Self {
        Self { finder, found: false, extent: Extent::Whole }
    }

    fn flow(&self) -> Flow {
        if self.found { Flow::Enough } else { Flow::More }
    }
}

impl Sink for Looker<'_> {
    fn spans_lines(&self) -> bool {
        self.finder.spans_lines()
    }

    fn lines(&mut self, lines: &[u8]) -> Flow {
        self.found = self.finder.next_line(lines, 0).is_some();
        self.flow()
    }

    fn piece(&mut self, piece: &Piece<'_>) -> Flow {
        self.extent = Extent::InPieces;
        self.found = piece.find(self.finder).is_some();
        self.flow()
    }

    fn part(&mut self, part: &Part<'_>) -> (usize, Flow) {
        self.extent = part.extent(self.extent);
        self.found = part.matches(self.finder).next().is_some();
        (part.upto, self.flow())
    }
}
