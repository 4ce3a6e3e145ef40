//! What was said of a page, in a form that can be kept.

use readstone_base::WebNote;
use serde::{Deserialize, Serialize};

use crate::sort::whats;

/// A note; see [`WebNote`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Said {
    Status { code: u16, reason: String },
    Redirected { hops: u64 },
    Downgraded,
    Cut { limit: String, kept: u64 },
    Short { why: String },
    Late { kept: u64 },
    Charset { name: String, replaced: u64 },
    UnknownCharset { name: String },
    OtherType { what: String },
    Titled(String),
    MainText { percent: u64, address: String },
    TakenFrom { address: String },
    Fragment { address: String },
    LeftOut { what: String },
    Other(String),
}

impl Said {
    /// The form of a note that is kept.
    pub(super) fn of(note: &WebNote) -> Self {
        match note.clone() {
            WebNote::Status { code, reason } => Self::Status { code, reason },
            WebNote::Redirected { hops } => Self::Redirected { hops },
            WebNote::Downgraded => Self::Downgraded,
            WebNote::Cut { limit, kept } => Self::Cut { limit: limit.to_owned(), kept },
            WebNote::Short { why } => Self::Short { why },
            WebNote::Late { kept } => Self::Late { kept },
            WebNote::Charset { name, replaced } => Self::Charset { name, replaced },
            WebNote::UnknownCharset { name } => Self::UnknownCharset { name },
            WebNote::OtherType { what } => Self::OtherType { what: what.to_owned() },
            WebNote::Titled(title) => Self::Titled(title),
            WebNote::MainText { percent, address } => Self::MainText { percent, address },
            WebNote::TakenFrom { address } => Self::TakenFrom { address },
            WebNote::Fragment { address } => Self::Fragment { address },
            WebNote::LeftOut { what } => Self::LeftOut { what },
            WebNote::Said(what) => Self::Other(what),
        }
    }

    /// The note, when its words are still known.
    pub(super) fn note(self) -> Option<WebNote> {
        Some(match self {
            Self::Status { code, reason } => WebNote::Status { code, reason },
            Self::Redirected { hops } => WebNote::Redirected { hops },
            Self::Downgraded => WebNote::Downgraded,
            Self::Cut { limit, kept } => {
                let limit = readstone_base::LIMITS.iter().find(|known| known.name == limit)?.name;
                WebNote::Cut { limit, kept }
            }
            Self::Short { why } => WebNote::Short { why },
            Self::Late { kept } => WebNote::Late { kept },
            Self::Charset { name, replaced } => WebNote::Charset { name, replaced },
            Self::UnknownCharset { name } => WebNote::UnknownCharset { name },
            Self::OtherType { what } => WebNote::OtherType { what: whats().find(|known| *known == what)? },
            Self::Titled(title) => WebNote::Titled(title),
            Self::MainText { percent, address } => WebNote::MainText { percent, address },
            Self::TakenFrom { address } => WebNote::TakenFrom { address },
            Self::Fragment { address } => WebNote::Fragment { address },
            Self::LeftOut { what } => WebNote::LeftOut { what },
            Self::Other(what) => WebNote::Said(what),
        })
    }
}
