//! What can go wrong on the way to a value.

use std::fmt;

use readstone_base::{Class, Failure, Fault, Next, Quoted, Stopped, Visible, size_text};

use super::find::{JsonPlace, Lack};
use super::text::Spot;

/// A value that cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Error {
    /// There is no such value.
    NoValue {
        /// The address of what is there.
        there: String,
        /// The step that leads nowhere.
        step: String,
        /// Why.
        lack: Lack,
        /// What can be read instead.
        next: Vec<String>,
    },
    /// The file is no sound JSON.
    BadDocument { path: String, why: &'static str, spot: Spot },
    /// The file is nested too deep.
    TooDeep { path: String, line: u64, most: usize },
    /// The value is too large.
    TooLarge { address: String, place: JsonPlace, bytes: Option<u64>, most: u64, next: Vec<String> },
    /// The bytes are no text.
    NotText { path: String, what: &'static str },
    /// The time of the call is used up.
    Timeout { path: String },
    /// The caller cancelled.
    Cancelled,
}

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
            Self::NoValue { there, step, lack, .. } => no_value(f, there, step, lack),
            Self::BadDocument { path, why, spot: Spot { line, column, .. } } => {
                write!(f, "{} is no sound JSON: line {line}, column {column}: {why}", Quoted(path))
            }
            Self::TooDeep { path, line, most } => {
                write!(f, "{} is nested more than {most} levels deep in line {line}", Quoted(path))
            }
            Self::TooLarge { address, place, bytes, most, .. } => {
                let JsonPlace { what, first_line, last_line, .. } = place;
                write!(f, "the {what} at {}, lines {first_line} to {last_line}", Quoted(address))?;
                if let Some(bytes) = bytes {
                    write!(f, ", {}", size_text(*bytes))?;
                }
                write!(f, ", is larger than a value can be shown (limit value_bytes = {most})")
            }
            Self::NotText { path, what } => write!(f, "{} is no text and holds no JSON: {what}", Quoted(path)),
            Self::Timeout { path } => write!(f, "the time of the call ended while {} was read", Quoted(path)),
            Self::Cancelled => f.write_str("the call was cancelled"),
        }
    }
}

fn no_value(f: &mut fmt::Formatter<'_>, there: &str, step: &str, lack: &Lack) -> fmt::Result {
    let there = Quoted(there);
    let step = Quoted(step);
    match lack {
        Lack::Name(near) if near.count == 0 => {
            write!(f, "{there} is an object without keys, so there is no key {step}")
        }
        Lack::Name(near) => {
            write!(f, "{there} has no key {step}")?;
            let named = near.names().map(short).collect::<Vec<_>>();
            if !named.is_empty() {
                return write!(f, "; near it are {}", Visible::of(&named.join(", ")).text);
            }
            let first = near.first.iter().map(|name| short(name)).collect::<Vec<_>>();
            write!(f, "; it has {}", Visible::of(&first.join(", ")).text)?;
            match near.count - first.len() as u64 {
                0 => Ok(()),
                more => write!(f, " and {more} more"),
            }
        }
        Lack::Element(0) => write!(f, "{there} is an array without elements, so there is no element {step}"),
        Lack::Element(count) => {
            let elements = if *count == 1 { "element" } else { "elements" };
            write!(f, "{there} is an array of {count} {elements}, numbered from 0; there is no element {step}")
        }
        Lack::Line(count) => {
            let lines = if *count == 1 { "line" } else { "lines" };
            write!(f, "{there} has {count} {lines}, numbered from 0; there is no line {step}")
        }
        Lack::Blank => write!(f, "line {step} of {there}, numbered from 0, is blank"),
        Lack::Inside(what) => write!(f, "{there} is a {what} and holds nothing, so there is no {step} in it"),
    }
}

fn short(name: &str) -> String {
    if name.chars().nth(NAME_CHARS).is_none() {
        return name.to_owned();
    }
    name.chars().take(NAME_CHARS - 1).chain(['…']).collect()
}

impl std::error::Error for Error {}

impl Failure for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::NoValue { .. } => "json.no_value",
            Self::BadDocument { .. } => "json.bad_document",
            Self::TooDeep { .. } | Self::TooLarge { .. } => "json.limit",
            Self::NotText { .. } => "json.not_text",
            Self::Timeout { .. } => "json.timeout",
            Self::Cancelled => "json.cancelled",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::NoValue { .. } => Class::Missing,
            Self::BadDocument { .. } | Self::NotText { .. } => Class::Broken,
            Self::TooDeep { .. } | Self::TooLarge { .. } => Class::TooBig,
            Self::Timeout { .. } | Self::Cancelled => Class::Stopped,
        }
    }

    fn next(&self) -> Vec<Next> {
        match self {
            Self::NoValue { next, .. } | Self::TooLarge { next, .. } => next.iter().map(Next::read).collect(),
            Self::BadDocument { path, spot, .. } => {
                vec![Next::read(format!("{path}:{}:{}", spot.line, spot.column)), Next::read(path.clone())]
            }
            Self::TooDeep { path, .. } | Self::NotText { path, .. } | Self::Timeout { path } => {
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
