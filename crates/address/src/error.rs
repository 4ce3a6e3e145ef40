//! What can be wrong with an address.

use std::fmt;

use readstone_base::{Class, Failure, Next, Quoted};

/// An address that cannot be read in any way, or a selector that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The string cannot be a path.
    BadPath {
        /// The string.
        text: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// What stands behind the path is not a selector.
    BadSelector {
        /// The path before it.
        path: String,
        /// The part that is wrong.
        part: String,
        /// What is wrong with it.
        problem: Problem,
    },
}

/// What is wrong with a selector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// It has none of the known forms.
    Unknown,
    /// Line 0.
    Zero,
    /// A count of 0.
    NoCount,
    /// The end stands before the start.
    Backwards,
    /// A number with too many digits.
    TooLarge,
    /// More ranges than one selector can hold.
    TooMany,
    /// Two parts that exclude each other.
    Twice,
    /// A selection of lines where only bytes make sense.
    NeedsBytes,
    /// A column of 0.
    ZeroColumn,
    /// Something behind a `#` that is no tag.
    NotATag,
    /// A symbol without a name.
    NoName,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadPath { text, why } => write!(f, "{} cannot be a path: {why}", Quoted(text)),
            Self::BadSelector { path, part, problem } => {
                write!(f, "the selector {} on {} is wrong: {}", Quoted(part), Quoted(path), problem.words())
            }
        }
    }
}

impl std::error::Error for Error {}

impl Problem {
    fn words(self) -> &'static str {
        match self {
            Self::Unknown => {
                "it has none of the known forms (N, N-, A-B, A+C, A-B,C-D, -N, N:C, bSTART+BYTES, @NAME, ^N, outline, raw, hex, \
                 conflicts)"
            }
            Self::Zero => "0 is not a line; lines count from 1. Use :1",
            Self::NoCount => "a count must be at least 1",
            Self::Backwards => "the end stands before the start",
            Self::TooLarge => "the number has too many digits",
            Self::TooMany => "it holds more than 1,000 ranges",
            Self::Twice => "it names two parts or two modes; give one of each",
            Self::NeedsBytes => "hex takes a byte window such as hex:b0+4096, not lines",
            Self::ZeroColumn => "0 is not a column; columns count from 1",
            Self::NoName => "a symbol needs a name, as in @parse or @Type.method",
            Self::NotATag => "a tag is four hex digits, as in the header of an earlier reply",
        }
    }
}

impl Failure for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::BadPath { .. } => "address.bad_path",
            Self::BadSelector { .. } => "address.bad_selector",
        }
    }

    fn class(&self) -> Class {
        Class::Request
    }

    fn next(&self) -> Vec<Next> {
        match self {
            Self::BadPath { .. } => Vec::new(),
            Self::BadSelector { path, problem: Problem::Zero, .. } => vec![Next::read(format!("{path}:1"))],
            Self::BadSelector { path, problem: Problem::NeedsBytes, .. } => vec![Next::read(format!("{path}:hex"))],
            Self::BadSelector { path, .. } => vec![Next::read(path.clone())],
        }
    }
}
