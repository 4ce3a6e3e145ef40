//! What can go wrong with rows of delimited text.

use std::fmt;

use readstone_base::{Class, Failure, Fault, Next, Quoted, Stopped, Visible};

/// Rows, or a place in them, that cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Error {
    /// The parameters are wrong.
    BadQuery { words: String, next: String },
    /// There is no row of this number.
    NoRow { path: String, row: u64, total: u64, next: String },
    /// There is no column of this name.
    NoColumn { path: String, column: String, columns: Vec<String>, next: String },
    /// The bytes are no text.
    NotText { path: String, what: &'static str },
    /// A record has too many fields.
    TooWide { path: String, record: u64, most: usize },
    /// The time of the call is used up.
    Timeout { path: String },
    /// The caller cancelled.
    Cancelled,
}

/// At most this many columns are named in a message.
const MOST_NAMES: usize = 12;
/// A name in a message has at most this many characters.
const NAME_CHARS: usize = 40;

impl Error {
    /// A call that was stopped.
    pub(super) fn stopped(why: Stopped, path: &str) -> Self {
        match why {
            Stopped::Cancelled => Self::Cancelled,
            Stopped::Deadline => Self::Timeout { path: path.to_owned() },
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadQuery { words, .. } => f.write_str(&Visible::of(words).text),
            Self::NoRow { path, row, total: 0, .. } => {
                write!(f, "{} has no rows, so there is no row {row}", Quoted(path))
            }
            Self::NoRow { path, row, total, .. } => {
                let rows = if *total == 1 { "row" } else { "rows" };
                write!(f, "{} has {total} {rows}, numbered from 1; there is no row {row}", Quoted(path))
            }
            Self::NoColumn { path, column, columns, .. } => {
                write!(f, "{} has no column {}; it has ", Quoted(path), Quoted(column))?;
                let short = |name: &String| name.chars().take(NAME_CHARS).collect::<String>();
                let shown = columns.iter().take(MOST_NAMES).map(short).collect::<Vec<_>>();
                f.write_str(&Visible::of(&shown.join(", ")).text)?;
                if columns.len() > shown.len() {
                    write!(f, " and {} more", columns.len() - shown.len())?;
                }
                f.write_str("; #2 is the second")
            }
            Self::NotText { path, what } => write!(f, "{} is no text and has no rows: {what}", Quoted(path)),
            Self::TooWide { path, record: 0, most } => {
                write!(f, "the first line of {} has more than {most} fields, which is no table", Quoted(path))
            }
            Self::TooWide { path, record, most } => {
                write!(f, "row {record} of {} has more than {most} fields", Quoted(path))
            }
            Self::Timeout { path } => write!(f, "the time of the call ended while {} was read", Quoted(path)),
            Self::Cancelled => f.write_str("the call was cancelled"),
        }
    }
}

impl std::error::Error for Error {}

impl Failure for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::BadQuery { .. } => "delimited.bad_query",
            Self::NoRow { .. } => "delimited.no_row",
            Self::NoColumn { .. } => "delimited.no_column",
            Self::NotText { .. } => "delimited.not_text",
            Self::TooWide { .. } => "delimited.limit",
            Self::Timeout { .. } => "delimited.timeout",
            Self::Cancelled => "delimited.cancelled",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::BadQuery { .. } => Class::Request,
            Self::NoRow { .. } | Self::NoColumn { .. } => Class::Missing,
            Self::NotText { .. } => Class::Broken,
            Self::TooWide { .. } => Class::TooBig,
            Self::Timeout { .. } | Self::Cancelled => Class::Stopped,
        }
    }

    fn next(&self) -> Vec<Next> {
        match self {
            Self::BadQuery { next, .. } | Self::NoRow { next, .. } | Self::NoColumn { next, .. } => {
                vec![Next::read(next.clone())]
            }
            Self::NotText { path, .. } | Self::TooWide { path, .. } | Self::Timeout { path } => {
                vec![Next::read(path.clone())]
            }
            Self::Cancelled => Vec::new(),
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Box::new(error)
    }
}
