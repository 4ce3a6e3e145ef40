//! What can be wrong with an internal address.

use std::fmt;

use readstone_base::{Class, Failure, Next, Quoted};

/// An internal address that leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// Nobody knows the scheme.
    UnknownScheme {
        /// The address.
        address: String,
        /// The schemes there are.
        known: Vec<&'static str>,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownScheme { address, known } => {
                write!(f, "the scheme of {} is not known; there are {}", Quoted(address), known.join(", "))
            }
        }
    }
}

impl std::error::Error for Error {}

impl Failure for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::UnknownScheme { .. } => "resource.unknown_scheme",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::UnknownScheme { .. } => Class::Request,
        }
    }

    fn next(&self) -> Vec<Next> {
        match self {
            Self::UnknownScheme { .. } => vec![Next::read("readstone://")],
        }
    }
}
