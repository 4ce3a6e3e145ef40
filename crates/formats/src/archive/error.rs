//! What can go wrong inside an archive.

use std::{fmt, io};

use readstone_base::{Class, Failure, Fault, Instead, Next, Quoted, Stopped, plain_words};

use crate::packed::{Trouble, trouble_in};

/// An entry, or a whole archive, that cannot be read.
#[derive(Debug)]
pub(crate) enum Error {
    /// No entry has the name; these come near.
    NotFound {
        /// The address of the archive.
        archive: String,
        /// The name.
        name: String,
        /// Addresses of entries whose names are like it.
        near: Vec<String>,
        /// The only entry that can be meant.
        instead: Option<Box<Instead>>,
        /// Whether the archive is damaged, so that it may have held it.
        damaged: bool,
        /// Whether there was no time to compare all names.
        hurried: bool,
    },
    /// The name would lead out of the archive.
    BadName {
        /// The address of the archive.
        archive: String,
        /// The name.
        name: String,
    },
    /// A rule withholds the entry.
    Denied {
        /// The address.
        address: String,
        /// The rule.
        rule: String,
    },
    /// The entry or the archive is encrypted.
    Encrypted {
        /// The address.
        address: String,
    },
    /// The entry is packed in a way that cannot be read.
    Unsupported {
        /// The address.
        address: String,
        /// The way.
        what: String,
    },
    /// The entry is no file.
    NotRegular {
        /// The address.
        address: String,
        /// What it is.
        what: &'static str,
    },
    /// It can be read, but not written.
    Unwritable {
        /// The address of the archive.
        archive: String,
        /// The address.
        address: String,
        /// Why not.
        what: String,
    },
    /// Several entries have the name.
    Ambiguous {
        /// The address of the archive.
        archive: String,
        /// The name.
        name: String,
        /// The numbers of the entries, from 1.
        numbers: Vec<u64>,
    },
    /// A limit forbids it.
    Limit {
        /// The address.
        address: String,
        /// What is above which limit.
        what: String,
    },
    /// It is damaged.
    Corrupt {
        /// The address.
        address: String,
        /// What is wrong with it.
        what: String,
    },
    /// The call ended before it was done.
    Stopped {
        /// The address.
        address: String,
        /// Why.
        why: Stopped,
    },
    /// The system does not give the bytes.
    Unreadable {
        /// The address.
        address: String,
        /// What the system said.
        cause: io::Error,
    },
}

impl Error {
    /// What an error of reading means for whoever asked for `address`.
    pub(crate) fn from_io(address: &str, error: io::Error) -> Self {
        let address = address.to_owned();
        match trouble_in(&error) {
            Some(Trouble::Stopped(why)) => Self::Stopped { address, why: *why },
            Some(trouble @ Trouble::TooBig { .. }) => Self::Limit { address, what: trouble.to_string() },
            Some(trouble) => Self::Corrupt { address, what: trouble.to_string() },
            None => Self::Unreadable { address, cause: error },
        }
    }

    /// What cannot be written is an entry, or the archive itself.
    pub(crate) fn unwritable(archive: &str, entry: Option<&str>, what: impl Into<String>) -> Self {
        let address = entry.map_or_else(|| archive.to_owned(), |entry| format!("{archive}:{entry}"));
        Self::Unwritable { archive: archive.to_owned(), address, what: what.into() }
    }

    pub(crate) fn corrupt(address: &str, what: impl Into<String>) -> Self {
        Self::Corrupt { address: address.to_owned(), what: what.into() }
    }

    pub(crate) fn boxed(self) -> Fault {
        Box::new(self)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound { archive, name, damaged: true, .. } => {
                write!(f, "{} is damaged, and what is whole of it holds no {}", Quoted(archive), Quoted(name))
            }
            Self::NotFound { archive, name, hurried, .. } => {
                write!(f, "{} holds no {}", Quoted(archive), Quoted(name))?;
                if *hurried { f.write_str("; not all names were compared with it") } else { Ok(()) }
            }
            Self::BadName { archive, name } => {
                write!(f, "{} leads out of {}; names inside an archive have no '..'", Quoted(name), Quoted(archive))
            }
            Self::Denied { address, rule } => {
                write!(f, "{} is withheld from every tool by the rule {}", Quoted(address), Quoted(rule))
            }
            Self::Encrypted { address } => write!(f, "{} is encrypted", Quoted(address)),
            Self::Unsupported { address, what } => write!(f, "{} cannot be unpacked: {what}", Quoted(address)),
            Self::NotRegular { address, what } => write!(f, "{} is a {what}, which holds nothing", Quoted(address)),
            Self::Unwritable { address, what, .. } => write!(f, "{} cannot be written: {what}", Quoted(address)),
            Self::Ambiguous { archive, name, numbers } => {
                let numbers: Vec<String> = numbers.iter().map(|number| format!("#{number}")).collect();
                let numbers = numbers.join(", ");
                write!(f, "{} has several entries called {}: {numbers}", Quoted(archive), Quoted(name))
            }
            Self::Limit { address, what } => write!(f, "{} is too big: {what}", Quoted(address)),
            Self::Corrupt { address, what } => write!(f, "{} is damaged: {what}", Quoted(address)),
            Self::Stopped { address, why: Stopped::Deadline } => {
                write!(f, "the time of the call was used up while {} was unpacked", Quoted(address))
            }
            Self::Stopped { address, why: Stopped::Cancelled } => {
                write!(f, "the call was cancelled while {} was unpacked", Quoted(address))
            }
            Self::Unreadable { address, cause } => {
                write!(f, "{} cannot be read: {}", Quoted(address), plain_words(cause))
            }
        }
    }
}

impl std::error::Error for Error {}

impl Failure for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => "archive.not_found",
            Self::BadName { .. } => "archive.bad_name",
            Self::Denied { .. } => "archive.denied",
            Self::Encrypted { .. } => "archive.encrypted",
            Self::Unsupported { .. } => "archive.unsupported",
            Self::NotRegular { .. } => "archive.not_regular",
            Self::Unwritable { .. } => "archive.unwritable",
            Self::Ambiguous { .. } => "archive.ambiguous",
            Self::Limit { .. } => "archive.limit",
            Self::Corrupt { .. } => "archive.corrupt",
            Self::Stopped { why: Stopped::Deadline, .. } => "archive.timeout",
            Self::Stopped { why: Stopped::Cancelled, .. } => "archive.cancelled",
            Self::Unreadable { .. } => "archive.unreadable",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::NotFound { .. } => Class::Missing,
            Self::BadName { .. } | Self::NotRegular { .. } | Self::Unwritable { .. } | Self::Ambiguous { .. } => {
                Class::Request
            }
            Self::Denied { .. } => Class::Denied,
            Self::Encrypted { .. } | Self::Unsupported { .. } | Self::Corrupt { .. } | Self::Unreadable { .. } => {
                Class::Broken
            }
            Self::Limit { .. } => Class::TooBig,
            Self::Stopped { .. } => Class::Stopped,
        }
    }

    fn instead(&self) -> Option<Instead> {
        if let Self::NotFound { instead, .. } = self { instead.as_deref().cloned() } else { None }
    }

    fn next(&self) -> Vec<Next> {
        match self {
            Self::NotFound { archive, near, .. } if near.is_empty() => vec![Next::read(archive.clone())],
            Self::NotFound { near, .. } => near.iter().take(3).map(Next::read).collect(),
            Self::BadName { archive, .. } | Self::Unwritable { archive, .. } => vec![Next::read(archive.clone())],
            Self::Ambiguous { archive, numbers, .. } => {
                numbers.iter().take(3).map(|number| Next::read(format!("{archive}:#{number}"))).collect()
            }
            Self::Stopped { address, why: Stopped::Deadline } => vec![Next::read(address.clone())],
            // Of an entry that cannot be read, the archive; of an archive, its bytes.
            Self::Encrypted { address }
            | Self::Unsupported { address, .. }
            | Self::NotRegular { address, .. }
            | Self::Limit { address, .. }
            | Self::Corrupt { address, .. } => match address.rsplit_once(':') {
                Some((archive, _)) => vec![Next::read(archive)],
                None => vec![Next::read(format!("{address}:hex"))],
            },
            Self::Denied { .. } | Self::Stopped { why: Stopped::Cancelled, .. } | Self::Unreadable { .. } => Vec::new(),
        }
    }
}
