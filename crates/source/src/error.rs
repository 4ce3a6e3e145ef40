//! What can go wrong between an address and what it names.

use std::fmt;

use readstone_base::{Class, Failure, Next, Quoted};

/// An address that names nothing that can be opened.
#[derive(Debug)]
pub enum Error {
    /// The address itself is wrong.
    Address(readstone_address::Error),
    /// The world refused.
    Host(readstone_host::Error),
    /// Nothing has this path; these come near.
    NotFound {
        /// The path.
        path: String,
        /// What the path is like, best first.
        near: Vec<String>,
        /// The nearest directory that exists.
        above: String,
        /// The part that was asked for, for the calls that are offered.
        tail: Option<String>,
        /// True when the search for it ran out of time.
        hurried: bool,
    },
    /// Several paths fit equally well.
    Ambiguous {
        /// The path.
        path: String,
        /// What fits.
        fits: Vec<String>,
        /// The part that was asked for, for the calls that are offered.
        tail: Option<String>,
    },
    /// Too many containers one inside the other.
    TooDeep {
        /// The address of the last one that was reached.
        path: String,
        /// How many may be entered.
        limit: u64,
    },
    /// An address of a kind that is not read.
    Unsupported {
        /// The address.
        address: String,
    },
}

/// At most this many calls are offered.
const MOST_OFFERS: usize = 3;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(error) => error.fmt(f),
            Self::Host(error) => error.fmt(f),
            Self::NotFound { path, near, hurried, .. } => {
                write!(f, "{} does not exist", Quoted(path))?;
                if near.is_empty() {
                    f.write_str(", nor anything like it")?;
                }
                if *hurried { f.write_str(" as far as was searched") } else { Ok(()) }
            }
            Self::Ambiguous { path, fits, .. } => {
                write!(f, "{} does not exist, and {} paths fit equally well: ", Quoted(path), fits.len())?;
                let shown = fits.iter().take(2 * MOST_OFFERS).map(String::as_str).collect::<Vec<_>>();
                f.write_str(&shown.join(", "))?;
                if fits.len() > shown.len() { f.write_str(", …") } else { Ok(()) }
            }
            Self::TooDeep { path, limit } => {
                write!(f, "{} lies inside {limit} others already, and no more are entered (nesting)", Quoted(path))
            }
            Self::Unsupported { address } => {
                write!(f, "{} is neither a file nor in one; nothing else can be read", Quoted(address))
            }
        }
    }
}

impl std::error::Error for Error {}

impl Failure for Error {
    fn is_not_found(&self) -> bool {
        matches!(self, Self::Host(error) if error.is_not_found())
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Address(error) => error.code(),
            Self::Host(error) => error.code(),
            Self::NotFound { .. } => "source.not_found",
            Self::Ambiguous { .. } => "source.ambiguous",
            Self::TooDeep { .. } => "source.too_deep",
            Self::Unsupported { .. } => "source.unsupported",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::Address(error) => error.class(),
            Self::Host(error) => error.class(),
            Self::NotFound { .. } | Self::Ambiguous { .. } => Class::Missing,
            Self::TooDeep { .. } => Class::TooBig,
            Self::Unsupported { .. } => Class::Request,
        }
    }

    fn next(&self) -> Vec<Next> {
        match self {
            Self::Address(error) => error.next(),
            Self::Host(error) => error.next(),
            Self::NotFound { near, above, .. } if near.is_empty() => vec![Next::read(above.clone())],
            Self::NotFound { near: paths, tail, .. } | Self::Ambiguous { fits: paths, tail, .. } => {
                paths.iter().take(MOST_OFFERS).map(|path| offer(path, tail.as_deref())).collect()
            }
            Self::TooDeep { path, .. } => vec![Next::read(format!("{path}:hex"))],
            Self::Unsupported { .. } => Vec::new(),
        }
    }
}

/// Another path with the part that was asked of the missing one.
fn offer(path: &str, tail: Option<&str>) -> Next {
    match tail.filter(|tail| !tail.is_empty()) {
        Some(tail) if tail.starts_with('?') => Next::read(format!("{path}{tail}")),
        Some(tail) => Next::read(format!("{path}:{tail}")),
        None => Next::read(path),
    }
}

impl From<readstone_address::Error> for Error {
    fn from(error: readstone_address::Error) -> Self {
        Self::Address(error)
    }
}

impl From<readstone_host::Error> for Error {
    fn from(error: readstone_host::Error) -> Self {
        Self::Host(error)
    }
}
