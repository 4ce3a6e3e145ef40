//! What can stop a view.

use std::fmt;
use std::io;

use readstone_base::{Class, Failure, Next, NoOutline, Quoted, Span, Stopped, plain_words};

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
    /// Nothing is called so.
    NoSymbol {
        /// The path.
        path: String,
        /// The name.
        name: String,
        /// Addresses of what has a name like it.
        near: Vec<String>,
        /// The line from which on names are not known.
        cut: Option<u64>,
    },
    /// Several things are called so.
    ManySymbols {
        /// The path.
        path: String,
        /// The name.
        name: String,
        /// The lines of the first of them, and what they are.
        matches: Vec<(Span, String)>,
        /// How many there are.
        count: usize,
    },
    /// A block is asked for around a line behind the end.
    NoLine {
        /// The path.
        path: String,
        /// The line.
        line: u64,
        /// How many there are.
        total: u64,
    },
    /// There are not so many blocks around a line.
    NoBlock {
        /// The path.
        path: String,
        /// The line.
        line: u64,
        /// Which one is asked for, from the innermost on.
        level: u64,
        /// How many there are.
        found: u64,
        /// The lines of the largest.
        largest: Option<Span>,
    },
    /// The text has no structure to find anything by.
    NoStructure {
        /// The path.
        path: String,
        /// Why not.
        why: NoOutline,
        /// What can be read instead.
        instead: String,
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
            Self::NoSymbol { path, name, cut, .. } => {
                write!(f, "nothing in {} is called {}", Quoted(path), Quoted(name))?;
                match cut {
                    Some(line) => write!(f, "; what stands from line {line} on is not in its outline"),
                    None => Ok(()),
                }
            }
            Self::ManySymbols { path, name, matches, count } => {
                write!(f, "{count} things in {} are called {}: ", Quoted(path), Quoted(name))?;
                f.write_str(&told(matches))?;
                if *count > matches.len() { write!(f, ", … {} more", count - matches.len()) } else { Ok(()) }
            }
            Self::NoLine { path, line, total } => {
                write!(f, "{} has no line {line}; it has {total}", Quoted(path))
            }
            Self::NoBlock { path, line, found: 0, .. } => {
                write!(f, "no block lies around line {line} of {}", Quoted(path))
            }
            Self::NoBlock { path, line, found: 1, .. } => {
                write!(f, "only one block lies around line {line} of {}", Quoted(path))
            }
            Self::NoBlock { path, line, found, .. } => {
                write!(f, "only {found} blocks lie around line {line} of {}", Quoted(path))
            }
            Self::NoStructure { path, why, .. } => write!(f, "{} has no structure to go by: {why}", Quoted(path)),
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
            Self::NoSymbol { .. } => "outline.no_symbol",
            Self::ManySymbols { .. } => "outline.many_symbols",
            Self::NoLine { .. } => "outline.no_line",
            Self::NoBlock { .. } => "outline.no_block",
            Self::NoStructure { .. } => "outline.no_structure",
            Self::Io { .. } => "view.io",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::Stopped { .. } => Class::Stopped,
            Self::TooManyLines { .. } | Self::TooManyBytes { .. } => Class::TooBig,
            Self::PastEnd { .. } | Self::ManySymbols { .. } | Self::NoStructure { .. } => Class::Request,
            Self::NoSymbol { .. } | Self::NoLine { .. } | Self::NoBlock { .. } => Class::Missing,
            Self::Io { .. } => Class::Broken,
        }
    }

    fn next(&self) -> Vec<Next> {
        match self {
            Self::Stopped { path, scanned, .. } if *scanned > 0 => vec![Next::read(format!("{path}:b{scanned}"))],
            Self::Stopped { path, .. } | Self::NoLine { path, total: 0, .. } => vec![Next::read(path.clone())],
            Self::NoSymbol { path, near, .. } => {
                near.iter().cloned().chain([format!("{path}:outline")]).take(3).map(Next::read).collect()
            }
            Self::ManySymbols { path, matches, .. } => choices(path, matches),
            Self::NoLine { path, total, .. } => vec![Next::read(format!("{path}:{total}-"))],
            Self::NoBlock { path, line, largest: None, .. } => vec![Next::read(format!("{path}:{line}-"))],
            Self::NoBlock { path, largest: Some(lines), .. } => {
                vec![Next::read(format!("{path}:{}-{}", lines.first, lines.last))]
            }
            Self::NoStructure { instead, .. } => vec![Next::read(instead.clone())],
            Self::TooManyLines { .. } | Self::TooManyBytes { .. } | Self::PastEnd { .. } | Self::Io { .. } => {
                Vec::new()
            }
        }
    }
}

fn told(matches: &[(Span, String)]) -> String {
    let one = |(lines, what): &(Span, String)| match (lines.first, lines.last) {
        (first, last) if first == last => format!("line {first} {what}"),
        (first, last) => format!("lines {first}-{last} {what}"),
    };
    matches.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The calls that show each of several matches, or all of them where there are more than an error offers.
fn choices(path: &str, matches: &[(Span, String)]) -> Vec<Next> {
    let lines = |lines: &Span| format!("{}-{}", lines.first, lines.last);
    let each = matches.iter().map(|(span, _)| Next::read(format!("{path}:{}", lines(span))));
    let nested = matches.windows(2).any(|pair| matches!(pair, [one, other] if other.0.first <= one.0.last));
    if matches.len() <= 3 || nested {
        return each.take(3).collect();
    }
    let all: Vec<String> = matches.iter().map(|(span, _)| lines(span)).collect();
    std::iter::once(Next::read(format!("{path}:{}", all.join(",")))).chain(each).take(3).collect()
}
