//! What can be wrong with a call as such.

use std::fmt;

use readstone_base::{Class, Failure, Fault, Next, Quoted};

/// A call that no target is to blame for.
#[derive(Debug)]
pub enum Error {
    /// There is no such tool.
    UnknownTool(String),
    /// The input has the wrong shape.
    BadInput(String),
    /// The address has a selector, and the call has one too.
    SelectedTwice {
        /// The address with its own selector.
        address: String,
    },
    /// A selection that makes no sense for this target.
    BadSelection {
        /// The path.
        path: String,
        /// What the target is and takes.
        why: &'static str,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownTool(name) => write!(f, "there is no tool called {}", Quoted(name)),
            Self::BadInput(what) => f.write_str(what),
            Self::SelectedTwice { address } => {
                write!(f, "the part of {} to show is given twice, in the address and beside it", Quoted(address))
            }
            Self::BadSelection { path, why } => write!(f, "{} {why}", Quoted(path)),
        }
    }
}

impl std::error::Error for Error {}

impl Failure for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::UnknownTool(_) => "tool.unknown",
            Self::BadInput(_) => "tool.bad_input",
            Self::SelectedTwice { .. } => "tool.selected_twice",
            Self::BadSelection { .. } => "tool.bad_selection",
        }
    }

    fn class(&self) -> Class {
        Class::Request
    }

    fn next(&self) -> Vec<Next> {
        match self {
            Self::SelectedTwice { address: next } | Self::BadSelection { path: next, .. } => {
                vec![Next::read(next.clone())]
            }
            Self::UnknownTool(_) | Self::BadInput(_) => Vec::new(),
        }
    }
}

/// Any failure, boxed.
pub(crate) fn fault(error: impl Failure + 'static) -> Fault {
    Box::new(error)
}
