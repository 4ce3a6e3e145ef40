//! Scanning: whether a file holds a match, and which lines of a text match.
//!
//! Text comes through a [`Feed`](feed::Feed) as UTF-8, whatever it is written in, and passes through one window that is used
//! again and again. What looks for matches is a [`Sink`](window::Sink): one that ends at the first, one that collects rows.

mod collect;
mod excerpt;
mod feed;
mod finder;
mod kind;
mod looker;
#[cfg(test)]
mod tests;
mod window;

use std::io;
use std::sync::Arc;

use readstone_base::{Blob, Budget, Hits, Limits, Span, Stopped};
use readstone_source::{Coding, Lines};

use crate::pattern::Pattern;
use collect::{Ask, Collector};
use feed::Feed;
use finder::Finder;
use kind::{Kind, Sight};
use looker::Looker;
use window::{End, Sizes, Window};

pub use excerpt::{Excerpt, excerpt};

/// Looks for the matches of a pattern; each thread has its own, which uses its memory again.
#[derive(Debug)]
pub struct Scanner<'p> {
    limits: &'p Limits,
    finder: Finder,
    window: Window,
}

/// What a look into a file came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// It holds a match.
    Match,
    /// It holds none.
    NoMatch(Extent),
    /// It is no text, and was not searched.
    Binary,
    /// The call ended before all was looked at.
    Stopped(Stopped),
}

/// Whether matches can have been missed because something was too long to be looked at as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// They cannot.
    #[default]
    Whole,
    /// A line, or a text whose matches may span lines, was looked at in pieces of `search_span_bytes`.
    InPieces,
}

/// The matches of a text, as far as it was looked at.
#[derive(Clone, Debug, Default)]
pub struct Scanned {
    /// The matches; how many there are is exact when all was looked at as a whole.
    pub hits: Hits,
    /// Whether something was looked at in pieces.
    pub extent: Extent,
    /// Why not all of the text was looked at.
    pub stopped: Option<Stopped>,
}

impl<'p> Scanner<'p> {
    /// A scanner for this pattern.
    pub fn new(pattern: &'p Pattern, limits: &'p Limits) -> Self {
        Self::with_sizes(pattern, limits, Sizes::within(limits))
    }

    fn with_sizes(pattern: &'p Pattern, limits: &'p Limits, sizes: Sizes) -> Self {
        Self { limits, finder: Finder::new(pattern), window: Window::new(sizes) }
    }

    /// Whether a file holds a match; ends at the first.
    pub fn look(&mut self, blob: &dyn Blob, budget: &Budget) -> io::Result<Look> {
        let sight = self.window.sight(blob, self.limits)?;
        let found = match &sight {
            Sight::Sure(Kind::Binary) => return Ok(Look::Binary),
            Sight::Sure(Kind::Utf8 { mark }) => self.seek(Feed::bytes(blob, *mark), budget)?,
            Sight::Sure(Kind::Other(coding)) => {
                self.window.forget();
                self.seek(Feed::decoded(blob, coding), budget)?
            }
            Sight::Likely { mark } => self.seek(Feed::watched(blob, *mark), budget)?,
        };
        match found {
            Found::Doubtful => self.look_again(blob, budget),
            Found::Sure(look) => Ok(look),
        }
    }

    /// Looks at a file that began as UTF-8 and did not go on so.
    fn look_again(&mut self, blob: &dyn Blob, budget: &Budget) -> io::Result<Look> {
        self.window.forget();
        let feed = match self.window.whole(blob)? {
            Kind::Binary => return Ok(Look::Binary),
            Kind::Utf8 { mark } => Feed::bytes(blob, mark),
            Kind::Other(coding) => {
                self.window.forget();
                Feed::decoded(blob, &coding)
            }
        };
        match self.seek(feed, budget)? {
            Found::Sure(look) => Ok(look),
            Found::Doubtful => Ok(Look::NoMatch(Extent::Whole)),
        }
    }

    fn seek(&mut self, mut feed: Feed<'_>, budget: &Budget) -> io::Result<Found> {
        let mut looker = Looker::new(&self.finder);
        let end = self.window.run(&mut feed, &mut looker, budget)?;
        Ok(match end {
            _ if looker.found => Found::Sure(Look::Match),
            End::Stopped(stopped) => Found::Sure(Look::Stopped(stopped)),
            End::Done | End::Enough if feed.is_doubtful() => Found::Doubtful,
            End::Done | End::Enough => Found::Sure(Look::NoMatch(looker.extent)),
        })
    }

    /// The matches of a text with the lines around them: rows for the first `most` of those that lie within the lines
    /// asked for, and the number of all of these.
    pub fn hits(&mut self, lines: &Lines, within: Option<&[Span]>, most: u64, budget: &Budget) -> io::Result<Scanned> {
        let coding: &Arc<dyn Coding> = &lines.coding;
        let mut feed = if coding.name() == "utf-8" {
            Feed::bytes(&*lines.blob, coding.mark())
        } else {
            Feed::decoded(&*lines.blob, coding)
        };
        self.window.forget();
        let mut collector = Collector::new(&self.finder, Ask { within, most, limits: self.limits });
        let end = self.window.run(&mut feed, &mut collector, budget)?;
        let stopped = match end {
            End::Stopped(stopped) => Some(stopped),
            End::Done | End::Enough => None,
        };
        Ok(collector.scanned(stopped))
    }
}

/// What a search came to, and whether it can be trusted.
enum Found {
    Sure(Look),
    /// The bytes turned out not to be what they seemed.
    Doubtful,
}
