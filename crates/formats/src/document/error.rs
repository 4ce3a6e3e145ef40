//! What can go wrong with a document.

use std::{fmt, io};

use readstone_base::{Class, Failure, Instead, Next, Quoted, Spoiled, Stopped, Unit, Words, plain_words};
use readstone_convert::Refusal;

/// A document that cannot be read, or a part of it that is not there.
#[derive(Debug)]
pub(crate) enum Error {
    /// It could not be converted.
    Refused {
        /// The address.
        path: String,
        /// The extension that files of its form have.
        extension: &'static str,
        /// Why.
        refusal: Refusal,
    },
    /// The work on it came to nothing.
    Spoiled {
        /// The address.
        path: String,
        /// The extension that files of its form have.
        extension: &'static str,
        /// Why.
        spoiled: Spoiled,
    },
    /// The file is larger than what is converted.
    TooBig {
        /// The address.
        path: String,
        /// The extension that files of its form have.
        extension: &'static str,
        /// The limit.
        limit: &'static str,
        /// Its value.
        value: u64,
    },
    /// There is no such page, slide or chapter.
    NoSection {
        /// The address of the document.
        path: String,
        /// The number asked for.
        asked: u64,
        /// What they are.
        unit: Unit,
        /// How many there are.
        count: u64,
    },
    /// The document has no pages that could be named.
    NoPages {
        /// The address of the document.
        path: String,
        /// The extension that files of its form have.
        extension: &'static str,
    },
    /// There is no sheet of this name.
    NoSheet {
        /// The address of the workbook.
        path: String,
        /// The name asked for.
        asked: String,
        /// The names there are.
        names: Vec<String>,
        /// Addresses of sheets whose names are like it.
        near: Vec<String>,
        /// The only sheet that can be meant.
        instead: Option<Box<Instead>>,
    },
    /// The tail is none that a document has.
    BadSelector {
        /// The address of the document.
        path: String,
        /// The tail.
        tail: String,
        /// What it could be.
        takes: &'static str,
    },
    /// The system does not give the bytes.
    Io {
        /// The address.
        path: String,
        /// What the system said.
        cause: io::Error,
    },
}

/// Names that an error lists.
const MOST_NAMES: usize = 8;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { extension, refusal, .. } => {
                write!(f, "[Cannot read .{extension} file: {}]", refused(refusal))
            }
            Self::Spoiled { extension, spoiled, .. } => {
                write!(f, "[Cannot read .{extension} file: {spoiled}]")
            }
            Self::TooBig { extension, limit, value, .. } => {
                write!(f, "[Cannot read .{extension} file: it is larger than {limit}, {value} bytes]")
            }
            Self::NoSection { path, asked, unit, count } => {
                let noun = unit.name().trim_end_matches('s');
                write!(f, "{} has no {noun} {asked}: it has {count}", Quoted(path))
            }
            Self::NoPages { path, extension } => {
                write!(f, "{} has no pages: a .{extension} file flows; take lines of its text", Quoted(path))
            }
            Self::NoSheet { path, asked, names, .. } => {
                write!(f, "{} has no sheet {}; it has ", Quoted(path), Quoted(asked))?;
                for (index, name) in names.iter().take(MOST_NAMES).enumerate() {
                    write!(f, "{}{}", if index == 0 { "" } else { ", " }, Quoted(name))?;
                }
                if names.len() > MOST_NAMES { write!(f, " and {} more", names.len() - MOST_NAMES) } else { Ok(()) }
            }
            Self::BadSelector { path, tail, takes } => {
                write!(f, "{} means nothing behind {}, which takes {takes}", Quoted(tail), Quoted(path))
            }
            Self::Io { path, cause } => write!(f, "{} cannot be read: {}", Quoted(path), plain_words(cause)),
        }
    }
}

fn refused(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Encrypted => "it is encrypted, and needs a password".to_owned(),
        Refusal::Damaged(what) => format!("it is damaged: {}", Words(what)),
        Refusal::Empty => "it is empty: there is no text in it".to_owned(),
        Refusal::TooLarge { limit, value } if limit == "ratio" => {
            format!("it would unpack to more than {value} times its size, as only bombs do")
        }
        Refusal::TooLarge { limit, value } => format!("it goes beyond {} {value}", limit_name(limit)),
        // Only pictures are cropped.
        Refusal::Outside { .. } => "it is not so large".to_owned(),
        Refusal::Unsupported { what } => format!("it is not supported: {}", Words(what)),
    }
}

/// The limit that a bound comes from.
pub(super) fn limit_name(bound: &str) -> &'static str {
    match bound {
        "parts_bytes" => "document_parts",
        "depth" => "document_depth",
        _ => "document_text",
    }
}

impl std::error::Error for Error {}

impl Failure for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::Refused { refusal: Refusal::Encrypted, .. } => "document.encrypted",
            Self::Refused { refusal: Refusal::Damaged(_) | Refusal::Outside { .. }, .. } => "document.corrupt",
            Self::Refused { refusal: Refusal::Empty, .. } => "document.empty",
            Self::Refused { refusal: Refusal::TooLarge { .. }, .. }
            | Self::Spoiled { spoiled: Spoiled::Limit { .. }, .. }
            | Self::TooBig { .. } => "document.limit",
            Self::Refused { refusal: Refusal::Unsupported { .. }, .. } => "document.unsupported",
            Self::Spoiled { spoiled: Spoiled::Stopped(Stopped::Deadline), .. } => "document.timeout",
            Self::Spoiled { spoiled: Spoiled::Stopped(Stopped::Cancelled), .. } => "document.cancelled",
            Self::Spoiled { spoiled: Spoiled::Crashed(_), .. } => "document.crashed",
            Self::Spoiled { spoiled: Spoiled::NotStarted(_), .. } => "document.no_worker",
            Self::NoSection { .. } => "document.no_page",
            Self::NoPages { .. } => "document.no_pages",
            Self::NoSheet { .. } => "document.no_sheet",
            Self::BadSelector { .. } => "document.bad_selector",
            Self::Io { .. } => "document.unreadable",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::Refused { refusal: Refusal::TooLarge { .. }, .. } | Self::TooBig { .. } => Class::TooBig,
            Self::Refused { .. } | Self::Io { .. } => Class::Broken,
            Self::Spoiled { spoiled, .. } => spoiled.class(),
            Self::NoSection { .. } | Self::NoSheet { .. } => Class::Missing,
            Self::NoPages { .. } | Self::BadSelector { .. } => Class::Request,
        }
    }

    fn instead(&self) -> Option<Instead> {
        if let Self::NoSheet { instead, .. } = self { instead.as_deref().cloned() } else { None }
    }

    fn next(&self) -> Vec<Next> {
        match self {
            Self::Refused { path, .. }
            | Self::TooBig { path, .. }
            | Self::Spoiled { path, spoiled: Spoiled::Limit { .. } | Spoiled::Crashed(_), .. } => {
                vec![Next::read(format!("{path}:hex"))]
            }
            Self::NoSection { path, asked: 0, .. } => vec![Next::read(format!("{path}:p1"))],
            Self::NoSection { path, count, .. } if *count > 0 => vec![Next::read(format!("{path}:p{count}"))],
            Self::NoSheet { near, .. } if !near.is_empty() => near.iter().map(Next::read).collect(),
            Self::NoSheet { path, names, .. } => {
                // By their numbers, which no name can be mistaken for.
                (1..=names.len().min(3)).map(|number| Next::read(format!("{path}:p{number}"))).collect()
            }
            Self::NoSection { path, .. } | Self::NoPages { path, .. } | Self::BadSelector { path, .. } => {
                vec![Next::read(path.clone())]
            }
            Self::Spoiled { spoiled: Spoiled::Stopped(_) | Spoiled::NotStarted(_), .. } | Self::Io { .. } => Vec::new(),
        }
    }
}
