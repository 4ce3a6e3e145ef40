//! What can be wrong with a call as such.

use std::fmt;

use readstone_base::{Class, Failure, Fault, Next, Quoted};

/// A call that no target is to blame for.
#[derive(Debug)]
pub enum Error {
    /// There is no such tool.
    UnknownTool {
        /// The name that was called.
        name: String,
        /// The names there are.
        names: Vec<String>,
    },
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
    /// A path that must be absolute and is not.
    RelativePath {
        /// The path.
        path: String,
    },
    /// A directory where a file is needed.
    NotAFile {
        /// The path.
        path: String,
    },
    /// Bytes where text is needed.
    NotText {
        /// The path.
        path: String,
        /// What the bytes seem to be.
        what: &'static str,
    },
    /// A file that is too large to be read without a range.
    TooLarge {
        /// Its size.
        size: u64,
        /// The largest size that is.
        most: u64,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownTool { name, names } => {
                let are = if names.len() == 1 { "only tool is" } else { "tools are" };
                write!(f, "there is no tool called {}; the {are} {}", Quoted(name), names.join(", "))
            }
            Self::RelativePath { path } => write!(f, "the path {} is not absolute; it must begin with /", Quoted(path)),
            Self::NotAFile { path } => write!(f, "{} is a directory, not a file", Quoted(path)),
            Self::NotText { path, what } => {
                write!(f, "{} is not text: {what}; only lines of text are read here", Quoted(path))
            }
            Self::TooLarge { size, most } => write!(
                f,
                "the file has {size} bytes, more than the {most} that are read at once; use offset and limit to read a part"
            ),
            Self::BadInput(what) => f.write_str(what),
            Self::SelectedTwice { address } => {
                write!(f, "{} already names a part; leave out the fields for lines and bytes", Quoted(address))
            }
            Self::BadSelection { path, why } => write!(f, "{} {why}", Quoted(path)),
        }
    }
}

impl std::error::Error for Error {}

impl Failure for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::UnknownTool { .. } => "tool.unknown",
            Self::BadInput(_) => "tool.bad_input",
            Self::SelectedTwice { .. } => "tool.selected_twice",
            Self::BadSelection { .. } => "tool.bad_selection",
            Self::RelativePath { .. } => "tool.relative_path",
            Self::NotAFile { .. } => "tool.not_a_file",
            Self::NotText { .. } => "tool.not_text",
            Self::TooLarge { .. } => "tool.too_large",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::UnknownTool { .. } => Class::Missing,
            Self::NotText { .. } => Class::Broken,
            Self::TooLarge { .. } => Class::TooBig,
            Self::BadInput(_)
            | Self::SelectedTwice { .. }
            | Self::BadSelection { .. }
            | Self::RelativePath { .. }
            | Self::NotAFile { .. } => Class::Request,
        }
    }

    fn next(&self) -> Vec<Next> {
        match self {
            Self::SelectedTwice { address: next } | Self::BadSelection { path: next, .. } => {
                vec![Next::read(next.clone())]
            }
            Self::UnknownTool { .. }
            | Self::BadInput(_)
            | Self::RelativePath { .. }
            | Self::NotAFile { .. }
            | Self::NotText { .. }
            | Self::TooLarge { .. } => Vec::new(),
        }
    }
}

/// Any failure, boxed.
pub(crate) fn fault(error: impl Failure + 'static) -> Fault {
    Box::new(error)
}
