//! What can be wrong with a find or a search.

use std::fmt;

use readstone_base::{Class, Failure};

/// A call of `find` or `search` that cannot be answered.
#[derive(Debug)]
pub enum Error {
    /// There is nothing to search for.
    EmptyPattern,
    /// The pattern is no regular expression, and cannot be taken as one.
    BadPattern {
        /// What is wrong with it, and where.
        why: String,
    },
    /// The pattern takes too much memory.
    PatternTooLarge {
        /// How many bytes it may take.
        most: u64,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyPattern => f.write_str("Pattern must not be empty"),
            Self::BadPattern { why } => write!(f, "Invalid regex: {why}"),
            Self::PatternTooLarge { most } => {
                write!(f, "the pattern would take more than {most} bytes of memory; limit search_pattern_bytes")
            }
        }
    }
}

impl std::error::Error for Error {}

impl Failure for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::EmptyPattern => "search.empty_pattern",
            Self::BadPattern { .. } => "search.bad_pattern",
            Self::PatternTooLarge { .. } => "search.pattern_too_large",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::EmptyPattern | Self::BadPattern { .. } => Class::Request,
            Self::PatternTooLarge { .. } => Class::TooBig,
        }
    }
}
