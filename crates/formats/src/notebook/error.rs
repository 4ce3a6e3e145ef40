//! What can go wrong with notebooks.

use std::fmt;
use std::io;

use readstone_base::{Class, Failure, Next, Quoted, Stopped, plain_words};

/// A notebook that cannot be read as asked, or text that cannot become one.
#[derive(Debug)]
pub enum Error {
    /// There is no cell with this number.
    NoCell {
        /// The notebook.
        path: String,
        /// The number asked for.
        asked: String,
        /// How many cells there are.
        count: usize,
    },
    /// A tail that names nothing in a notebook.
    BadSelector {
        /// The notebook.
        path: String,
        /// The tail.
        tail: String,
    },
    /// The bytes are no sound notebook.
    NotNotebook {
        /// What is wrong with them.
        why: String,
    },
    /// A cell of something that is no sound notebook was asked for.
    NoCells {
        /// The file.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// The text does not begin with a marker.
    NoMarker {
        /// Its first line that should be one.
        line: usize,
    },
    /// A line begins like a marker and is none.
    BadMarker {
        /// Its number.
        line: usize,
        /// The line.
        text: String,
    },
    /// The outputs in the text are not those of the notebook.
    OutputsChanged {
        /// The line of their marker.
        line: usize,
        /// The number of their cell.
        cell: usize,
    },
    /// The call ended.
    Stopped {
        /// The notebook.
        path: String,
        /// Why.
        why: Stopped,
    },
    /// The bytes could not be read.
    Io {
        /// The notebook.
        path: String,
        /// What the system said.
        cause: io::Error,
    },
}

impl Error {
    pub(super) fn unsound(why: impl Into<String>) -> Self {
        Self::NotNotebook { why: why.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCell { path, asked, count: 0 } => {
                write!(f, "{} has no cells, so there is no cell {}", Quoted(path), Quoted(asked))
            }
            Self::NoCell { path, asked, count } => {
                let cells = if *count == 1 { "cell" } else { "cells" };
                write!(f, "{} has {count} {cells}, numbered from 0; there is no cell {}", Quoted(path), Quoted(asked))
            }
            Self::BadSelector { path, tail } => {
                let parts = "cells :cellN, lines such as :5-10, and :raw";
                write!(f, "{} names no part of the notebook {}, which has {parts}", Quoted(tail), Quoted(path))
            }
            Self::NotNotebook { why } => write!(f, "this is not a sound notebook: {why}"),
            Self::NoCells { path, why } => {
                write!(f, "{} has no cells, for it is not a sound notebook: {why}", Quoted(path))
            }
            Self::NoMarker { line } => {
                write!(
                    f,
                    "line {line} stands before the first marker; cells begin with a line like '# %% [code] cell:0'"
                )
            }
            Self::BadMarker { line, text } => write!(
                f,
                "line {line} begins like a marker and is none: {}; write '# %% [code]', or '#\\ %%' for text",
                Quoted(text)
            ),
            Self::OutputsChanged { line, cell } => write!(
                f,
                "line {line}: these are not the outputs of cell {cell}; outputs cannot be edited, only left as shown"
            ),
            Self::Stopped { path, why: Stopped::Deadline } => {
                write!(f, "the time of the call ended while {} was read", Quoted(path))
            }
            Self::Stopped { path, why: Stopped::Cancelled } => write!(f, "reading {} was cancelled", Quoted(path)),
            Self::Io { path, cause } => write!(f, "{} could not be read: {}", Quoted(path), plain_words(cause)),
        }
    }
}

impl std::error::Error for Error {}

impl Failure for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::NoCell { .. } => "notebook.no_cell",
            Self::BadSelector { .. } => "notebook.bad_selector",
            Self::NotNotebook { .. } | Self::NoCells { .. } => "notebook.broken",
            Self::NoMarker { .. } => "notebook.no_marker",
            Self::BadMarker { .. } => "notebook.bad_marker",
            Self::OutputsChanged { .. } => "notebook.outputs_changed",
            Self::Stopped { why: Stopped::Deadline, .. } => "notebook.timeout",
            Self::Stopped { why: Stopped::Cancelled, .. } => "notebook.cancelled",
            Self::Io { .. } => "notebook.io",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::NoCell { .. } => Class::Missing,
            Self::BadSelector { .. } | Self::NoMarker { .. } | Self::BadMarker { .. } | Self::OutputsChanged { .. } => {
                Class::Request
            }
            Self::NotNotebook { .. } | Self::NoCells { .. } | Self::Io { .. } => Class::Broken,
            Self::Stopped { .. } => Class::Stopped,
        }
    }

    fn next(&self) -> Vec<Next> {
        match self {
            Self::NoCell { path, count, .. } if *count > 0 => {
                vec![Next::read(format!("{path}:cell{}", count - 1)), Next::read(path.clone())]
            }
            Self::NoCell { path, .. }
            | Self::BadSelector { path, .. }
            | Self::NoCells { path, .. }
            | Self::Stopped { path, .. } => vec![Next::read(path.clone())],
            Self::NotNotebook { .. }
            | Self::NoMarker { .. }
            | Self::BadMarker { .. }
            | Self::OutputsChanged { .. }
            | Self::Io { .. } => Vec::new(),
        }
    }
}
