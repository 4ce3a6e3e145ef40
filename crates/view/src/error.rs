//! What can stop a view.

use std::fmt;
use std::io;

use readstone_base::{Class, Failure, Next, Quoted, Stopped, plain_words};

/// A page that could not be made.
#[derive(Debug)]
pub enum Error {
    /// The call ended before the place was found.
    Stopped {
        /// The path.
        path: String,
        /// Why.
        why: Stopped,
        /// How many bytes were looked through.
        scanned: u64,
        /// How many lines lie within them.
        lines: u64,
    },
    /// A bounded read would have more lines than it may.
    TooManyLines {
        /// The most it may have.
        most: u64,
    },
    /// A bounded read would have more bytes than it may.
    TooManyBytes {
        /// The most it may have.
        most: u64,
    },
    /// A bounded read begins behind the last line.
    PastEnd {
        /// The line it begins with.
        asked: u64,
        /// How many there are.
        total: u64,
    },
    /// The system refused to read on.
    Io {
        /// The path.
        path: String,
        /// What it said.
        cause: io::Error,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped { path, why: Stopped::Deadline, scanned: 0, .. } => {
                write!(f, "the time of the call ended while {} was read", Quoted(path))
            }
            Self::Stopped { path, why: Stopped::Deadline, scanned, lines } => write!(
                f,
                "the time of the call ended after {scanned} bytes of {}, which hold {lines} line ends",
                Quoted(path)
            ),
            Self::Stopped { path, why: Stopped::Cancelled, .. } => write!(f, "reading {} was cancelled", Quoted(path)),
            Self::TooManyLines { most } => {
                write!(f, "the answer would exceed {most} lines; use offset and limit to read less at a time")
            }
            Self::TooManyBytes { most } => {
                write!(f, "the answer would exceed {most} bytes; use offset and limit to read less at a time")
            }
            Self::PastEnd { asked, total } => {
                write!(
                    f,
                    "offset {asked} is beyond the end; the lines of the file end with {total}: use an offset up to {total}"
                )
            }
            Self::Io { path, cause } => write!(f, "{} could not be read: {}", Quoted(path), plain_words(cause)),
        }
    }
}

impl std::error::Error for Error {}

impl Failure for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::Stopped { why: Stopped::Deadline, .. } => "view.timeout",
            Self::Stopped { why: Stopped::Cancelled, .. } => "view.cancelled",
            Self::TooManyLines { .. } => "view.too_many_lines",
            Self::TooManyBytes { .. } => "view.too_many_bytes",
            Self::PastEnd { .. } => "view.past_end",
            Self::Io { .. } => "view.io",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::Stopped { .. } => Class::Stopped,
            Self::TooManyLines { .. } | Self::TooManyBytes { .. } => Class::TooBig,
            Self::PastEnd { .. } => Class::Request,
            Self::Io { .. } => Class::Broken,
        }
    }

    fn next(&self) -> Vec<Next> {
        match self {
            Self::Stopped { path, scanned, .. } if *scanned > 0 => vec![Next::read(format!("{path}:b{scanned}"))],
            Self::Stopped { path, .. } => vec![Next::read(path.clone())],
            Self::TooManyLines { .. } | Self::TooManyBytes { .. } | Self::PastEnd { .. } | Self::Io { .. } => {
                Vec::new()
            }
        }
    }
}
