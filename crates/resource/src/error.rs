//! What can be wrong with an internal address.

use std::fmt;

use readstone_base::{Class, Failure, Next, Quoted, Visible, Words};

/// An internal address that leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// Nobody knows the scheme.
    UnknownScheme {
        /// The address.
        address: String,
        /// The forms of the addresses there are.
        known: Vec<&'static str>,
    },
    /// Nothing has this address.
    NotFound {
        /// The address.
        address: String,
        /// Some of the names there are.
        known: Vec<String>,
        /// How many there are in all.
        total: usize,
        /// Addresses that come near, then the one that lists all.
        next: Vec<String>,
    },
    /// The address is not of the form that its scheme has.
    BadAddress {
        /// The address.
        address: String,
        /// Why.
        why: &'static str,
        /// The form.
        form: &'static str,
    },
    /// The scheme needs a folder, and there is none.
    NoFolder {
        /// The address.
        address: String,
        /// Which folder, and how there would be one.
        why: &'static str,
    },
    /// A link leads out of the folder of the scheme.
    LeadsOut {
        /// The address.
        address: String,
    },
    /// Something is kept from being read by an address.
    Hidden {
        /// The address.
        address: String,
        /// What it is.
        why: &'static str,
    },
    /// A value cannot be taken out of a text.
    Extraction {
        /// The address.
        address: String,
        /// Why.
        why: String,
        /// The address of the whole.
        whole: String,
    },
    /// A value is taken out of a text, and a part of it is asked for by lines.
    Combined {
        /// The address without the lines.
        address: String,
    },
    /// A value is to be taken out of a text that is not JSON.
    NotJson {
        /// The address of the whole.
        address: String,
        /// What the parser said.
        why: String,
    },
    /// The text is too large to be worked on.
    TooBig {
        /// The address of the whole.
        address: String,
        /// The largest that is worked on, in bytes.
        most: u64,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownScheme { address, known } => {
                write!(f, "the scheme of {} is not known; there are {}", Quoted(address), known.join(", "))
            }
            Self::NotFound { address, known, total, .. } => {
                write!(f, "{} does not exist", Quoted(address))?;
                names(f, known, *total)
            }
            Self::BadAddress { address, why, form } => {
                write!(f, "{} cannot be an address: {why}; its form is {form}", Quoted(address))
            }
            Self::NoFolder { address, why } => write!(f, "{} leads nowhere: {why}", Quoted(address)),
            Self::LeadsOut { address } => {
                write!(f, "{} is not followed: a link on its way leads out of its folder", Quoted(address))
            }
            Self::Hidden { address, why } => write!(f, "{} is hidden: {why}", Quoted(address)),
            Self::Extraction { address, why, .. } => {
                write!(f, "{} names nothing: {}", Quoted(address), Words(why))
            }
            Self::Combined { .. } => f.write_str("Cannot combine query extraction with offset/limit"),
            Self::NotJson { address, why } => {
                write!(f, "{} is not JSON, so no value can be taken out of it: {}", Quoted(address), Words(why))
            }
            Self::TooBig { address, most } => {
                write!(f, "{} is larger than {most} bytes, so no value is taken out of it", Quoted(address))
            }
        }
    }
}

/// The names there are, on one line.
fn names(f: &mut fmt::Formatter<'_>, known: &[String], total: usize) -> fmt::Result {
    if known.is_empty() {
        return Ok(());
    }
    let shown: Vec<_> = known.iter().map(|name| Visible::of(name).text).collect();
    write!(f, "; there {} {}", if total == 1 { "is" } else { "are" }, shown.join(", "))?;
    match total.saturating_sub(known.len()) {
        0 => Ok(()),
        more => write!(f, " and {more} more"),
    }
}

impl std::error::Error for Error {}

impl Failure for Error {
    fn may_be_longer(&self) -> bool {
        matches!(self, Self::BadAddress { .. })
    }

    fn code(&self) -> &'static str {
        match self {
            Self::UnknownScheme { .. } => "resource.unknown_scheme",
            Self::NotFound { .. } => "resource.not_found",
            Self::BadAddress { .. } => "resource.bad_address",
            Self::NoFolder { .. } => "resource.no_folder",
            // The rule is the same as for paths, and so is what to do about it.
            Self::LeadsOut { .. } => "host.outside_root",
            Self::Hidden { .. } => "resource.hidden",
            Self::Extraction { .. } | Self::Combined { .. } => "resource.extraction",
            Self::NotJson { .. } => "resource.not_json",
            Self::TooBig { .. } => "resource.too_big",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::UnknownScheme { .. }
            | Self::BadAddress { .. }
            | Self::NoFolder { .. }
            | Self::Extraction { .. }
            | Self::Combined { .. } => Class::Request,
            Self::NotFound { .. } => Class::Missing,
            Self::LeadsOut { .. } | Self::Hidden { .. } => Class::Denied,
            Self::NotJson { .. } => Class::Broken,
            Self::TooBig { .. } => Class::TooBig,
        }
    }

    fn next(&self) -> Vec<Next> {
        match self {
            Self::UnknownScheme { .. } => vec![Next::read("readstone://")],
            Self::NotFound { next, .. } => next.iter().take(3).map(Next::read).collect(),
            Self::BadAddress { address, .. } | Self::LeadsOut { address } | Self::Hidden { address, .. } => {
                address.split_once("://").map(|(scheme, _)| Next::read(format!("{scheme}://"))).into_iter().collect()
            }
            Self::NoFolder { .. } => Vec::new(),
            Self::Extraction { whole, .. } => vec![Next::read(whole)],
            Self::Combined { address } | Self::NotJson { address, .. } | Self::TooBig { address, .. } => {
                vec![Next::read(address)]
            }
        }
    }
}
