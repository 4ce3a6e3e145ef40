//! What can go wrong with a picture.

use std::{fmt, io};

use readstone_base::{Class, Failure, Next, Quoted, Spoiled, Stopped, Words, plain_words};
use readstone_convert::Refusal;

/// A picture that cannot be shown.
#[derive(Debug)]
pub(super) enum Error {
    /// It could not be decoded or brought down to size.
    Refused {
        /// The address.
        path: String,
        /// Its media type.
        mime: &'static str,
        /// Why.
        refusal: Refusal,
    },
    /// The work on it came to nothing.
    Spoiled {
        /// The address.
        path: String,
        /// Why.
        spoiled: Spoiled,
    },
    /// The file is larger than what is read.
    TooBig {
        /// The address.
        path: String,
        /// The limit.
        limit: &'static str,
        /// Its value.
        value: u64,
    },
    /// The tail is none that a picture has.
    BadSelector {
        /// The address of the picture.
        path: String,
        /// The tail.
        tail: String,
    },
    /// The system does not give the bytes.
    Io {
        /// The address.
        path: String,
        /// What the system said.
        cause: io::Error,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { path, mime, refusal } => match refusal {
                Refusal::Damaged(what) => write!(f, "{} is a damaged {mime} picture: {}", Quoted(path), Words(what)),
                Refusal::Outside { width, height } => {
                    write!(f, "the crop lies outside of {}, which has {width}x{height} pixels", Quoted(path))
                }
                Refusal::TooLarge { limit, value } => {
                    write!(f, "{} is too large to be shown: more than {} {value}", Quoted(path), limit_name(limit))
                }
                Refusal::Unsupported { what } => write!(f, "{} cannot be shown: {}", Quoted(path), Words(what)),
                Refusal::Encrypted | Refusal::Empty => write!(f, "{} is an empty {mime} picture", Quoted(path)),
            },
            Self::Spoiled { path, spoiled } => {
                write!(f, "{} cannot be shown: {spoiled}", Quoted(path))
            }
            Self::TooBig { path, limit, value } => {
                write!(f, "{} is a picture larger than {limit}, {value} bytes", Quoted(path))
            }
            Self::BadSelector { path, tail } => write!(
                f,
                "{} means nothing behind {}, a picture, which takes :info, :crop=X,Y,WIDTH,HEIGHT and :hex",
                Quoted(tail),
                Quoted(path)
            ),
            Self::Io { path, cause } => write!(f, "{} cannot be read: {}", Quoted(path), plain_words(cause)),
        }
    }
}

/// The limit that a bound comes from.
fn limit_name(bound: &str) -> &'static str {
    match bound {
        "pixels" => "image_pixels",
        "memory" => "worker_memory",
        _ => "image_bytes",
    }
}

impl std::error::Error for Error {}

impl Failure for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::Refused { refusal: Refusal::Outside { .. }, .. } => "image.outside",
            Self::Refused { refusal: Refusal::TooLarge { .. }, .. }
            | Self::Spoiled { spoiled: Spoiled::Limit { .. }, .. }
            | Self::TooBig { .. } => "image.limit",
            Self::Refused { refusal: Refusal::Unsupported { .. }, .. } => "image.unsupported",
            Self::Refused { refusal: Refusal::Damaged(_) | Refusal::Encrypted | Refusal::Empty, .. } => "image.corrupt",
            Self::Spoiled { spoiled: Spoiled::Stopped(Stopped::Deadline), .. } => "image.timeout",
            Self::Spoiled { spoiled: Spoiled::Stopped(Stopped::Cancelled), .. } => "image.cancelled",
            Self::Spoiled { spoiled: Spoiled::Crashed(_), .. } => "image.crashed",
            Self::Spoiled { spoiled: Spoiled::NotStarted(_), .. } => "image.no_worker",
            Self::BadSelector { .. } => "image.bad_selector",
            Self::Io { .. } => "image.unreadable",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::Refused { refusal: Refusal::Outside { .. }, .. } | Self::BadSelector { .. } => Class::Request,
            Self::Refused { refusal: Refusal::TooLarge { .. }, .. } | Self::TooBig { .. } => Class::TooBig,
            Self::Refused { .. } | Self::Io { .. } => Class::Broken,
            Self::Spoiled { spoiled, .. } => spoiled.class(),
        }
    }

    fn next(&self) -> Vec<Next> {
        match self {
            Self::Refused { path, refusal: Refusal::TooLarge { .. } | Refusal::Unsupported { .. }, .. } => {
                vec![Next::read(format!("{path}:info"))]
            }
            Self::Refused { path, refusal: Refusal::Outside { .. }, .. } | Self::BadSelector { path, .. } => {
                vec![Next::read(path.clone())]
            }
            Self::Refused { path, .. } | Self::TooBig { path, .. } | Self::Spoiled { path, .. } => {
                vec![Next::read(format!("{path}:hex"))]
            }
            Self::Io { .. } => Vec::new(),
        }
    }
}
