//! What a find or a search came to, beside the pages of what it shows.

use crate::page::Hidden;
use crate::span::Span;

/// What a call that looked through many things came to.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// What was looked through, as the caller named it.
    pub scope: Vec<String>,
    /// Paths that were found and are shown; a search shows pages instead.
    pub paths: Vec<String>,
    /// Which of the results are shown, from 1: paths, or things that hold matches.
    pub shown: Option<Span>,
    /// How many results there are.
    pub total: Count,
    /// Matches on the pages that are shown.
    pub matches: u64,
    /// What the caller named and does not exist.
    pub missing: Vec<String>,
    /// What rules or the policy left out, by reason.
    pub hidden: Vec<Hidden>,
    /// What could not be searched, by reason.
    pub unsearched: Vec<Hidden>,
    /// The limit that ended the work or the reply.
    pub cut_by: Option<&'static str>,
    /// How many results the call skips that shows what follows.
    pub next_skip: Option<u64>,
    /// What must be said beside it.
    pub notes: Vec<FoundNote>,
    /// The same in words, each with its code; `render` fills it in.
    pub told: Vec<(&'static str, String)>,
    /// Whether one thing was looked through, and not several.
    pub alone: bool,
}

/// Something that must be said beside what was found; `render` words it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoundNote {
    /// Time ran out; what was found until then is shown.
    TimedOut {
        /// How many milliseconds there were.
        after: u64,
        /// How many paths were found until then.
        count: u64,
    },
    /// Time ran out; this many files were searched until then.
    NotAllSearched {
        /// How many.
        files: u64,
    },
    /// The pattern is no regular expression as it stands and was taken so.
    Repaired {
        /// The expression.
        pattern: String,
    },
    /// Not all was walked: a directory lies too deep, or has too many entries.
    NotWalked {
        /// Below which of the directories that were named; none where all that was named is meant.
        address: Option<String>,
    },
    /// Lines of files with ignore rules that are no rules, or too many of them.
    BadRules {
        /// How many lines were left out.
        count: u64,
        /// One of the files.
        file: String,
    },
    /// A line, or a file whose matches may span lines, was looked through in pieces.
    InPieces {
        /// Where.
        address: String,
        /// The limit.
        limit: &'static str,
    },
    /// Something that was named could not be searched.
    Failed {
        /// Its address.
        address: String,
        /// Why, in the words of its error.
        why: String,
    },
}

/// How many there are, as far as is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// So many.
    Exactly(u64),
    /// So many, and perhaps more.
    AtLeast(u64),
}

impl Default for Count {
    fn default() -> Self {
        Self::Exactly(0)
    }
}

impl Count {
    /// The number.
    pub const fn number(self) -> u64 {
        match self {
            Self::Exactly(number) | Self::AtLeast(number) => number,
        }
    }
}

/// The matches in one thing.
#[derive(Clone, Debug, Default)]
pub struct Hits {
    /// Lines with matches and lines around them, in their order.
    pub rows: Vec<HitRow>,
    /// How many matching lines or values there are; those that are not shown count too.
    pub matches: Count,
}

/// A line or a value that a search shows.
#[derive(Clone, Debug)]
pub struct HitRow {
    /// Where it stands.
    pub spot: Spot,
    /// Whether it matches or stands beside a match.
    pub role: Role,
    /// The text, made visible; of a long line the part around its first match, with `…` where something is left out.
    pub text: String,
    /// Whether something of the line is left out.
    pub cut: bool,
}

/// Where a line or a value stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spot {
    /// A line, by its number.
    Line(u64),
    /// A value of a table, by what leads to it behind the table's address and a colon.
    Cell(String),
}

/// Why a row is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It matches.
    Match,
    /// It stands beside a match.
    Context,
}
