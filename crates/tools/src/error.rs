//! What can be wrong with a call as such.

use std::fmt;

use readstone_base::{Class, Failure, Fault, Next, Quoted, TargetError};

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
    /// The system refused while a directory was listed.
    Io {
        /// The path.
        path: String,
        /// What it said.
        cause: std::io::Error,
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
            Self::Io { path, cause } => write!(f, "{} cannot be read: {cause}", Quoted(path)),
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
            Self::Io { .. } => "host.io",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::UnknownTool(_) | Self::BadInput(_) | Self::SelectedTwice { .. } | Self::BadSelection { .. } => {
                Class::Request
            }
            Self::Io { cause, .. } if cause.kind() == std::io::ErrorKind::PermissionDenied => Class::Denied,
            Self::Io { cause, .. } if cause.kind() == std::io::ErrorKind::TimedOut => Class::Stopped,
            Self::Io { .. } => Class::Broken,
        }
    }

    fn next(&self) -> Vec<Next> {
        match self {
            Self::SelectedTwice { address: next } | Self::BadSelection { path: next, .. } => {
                vec![Next::read(next.clone())]
            }
            Self::UnknownTool(_) | Self::BadInput(_) | Self::Io { .. } => Vec::new(),
        }
    }
}

/// A failure as data.
pub(crate) fn as_data(fault: &dyn Failure) -> TargetError {
    TargetError { code: fault.code(), class: fault.class(), message: fault.to_string(), next: fault.next() }
}

/// Any failure, boxed.
pub(crate) fn fault(error: impl Failure + 'static) -> Fault {
    Box::new(error)
}
