//! What was said of a page, in a form that can be kept.

use readstone_base::WebNote;
use serde::{Deserialize, Serialize};

use crate::sort::whats;
use crate::status::reason;

/// A note; see [`WebNote`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Said {
    Status { code: u16 },
    Redirected { hops: u64 },
    Downgraded,
    Cut { limit: String, kept: u64 },
    Short { why: String },
    Late { kept: u64, limit: String },
    Charset { name: String, replaced: u64 },
    UnknownCharset { name: String, replaced: u64 },
    OtherType { what: String },
    MainText { percent: u64, address: String },
    TakenFrom { address: String },
    Fragment { address: String },
    LeadsOn { address: String },
    NoPart,
    LeftOut { what: String },
    Other(String),
}

impl Said {
    /// The form of a note that is kept.
    pub(super) fn of(note: &WebNote) -> Self {
        match note.clone() {
            WebNote::Status { code, .. } => Self::Status { code },
            WebNote::Redirected { hops } => Self::Redirected { hops },
            WebNote::Downgraded => Self::Downgraded,
            WebNote::Cut { limit, kept } => Self::Cut { limit: limit.to_owned(), kept },
            WebNote::Short { why } => Self::Short { why },
            WebNote::Late { kept, limit } => Self::Late { kept, limit: limit.to_owned() },
            WebNote::Charset { name, replaced } => Self::Charset { name, replaced },
            WebNote::UnknownCharset { name, replaced } => Self::UnknownCharset { name, replaced },
            WebNote::OtherType { what } => Self::OtherType { what: what.to_owned() },
            WebNote::MainText { percent, address } => Self::MainText { percent, address },
            WebNote::TakenFrom { address } => Self::TakenFrom { address },
            WebNote::Fragment { address } => Self::Fragment { address },
            WebNote::LeadsOn { address } => Self::LeadsOn { address },
            WebNote::NoPart => Self::NoPart,
            WebNote::LeftOut { what } => Self::LeftOut { what },
            WebNote::Said(what) => Self::Other(what),
        }
    }

    /// The note, when its words are still known.
    pub(super) fn note(self) -> Option<WebNote> {
        Some(match self {
            Self::Status { code } => WebNote::Status { code, reason: reason(code) },
            Self::Redirected { hops } => WebNote::Redirected { hops },
            Self::Downgraded => WebNote::Downgraded,
            Self::Cut { limit, kept } => WebNote::Cut { limit: limit_called(&limit)?, kept },
            Self::Short { why } => WebNote::Short { why },
            Self::Late { kept, limit } => WebNote::Late { kept, limit: limit_called(&limit)? },
            Self::Charset { name, replaced } => WebNote::Charset { name, replaced },
            Self::UnknownCharset { name, replaced } => WebNote::UnknownCharset { name, replaced },
            Self::OtherType { what } => WebNote::OtherType { what: whats().find(|known| *known == what)? },
            Self::MainText { percent, address } => WebNote::MainText { percent, address },
            Self::TakenFrom { address } => WebNote::TakenFrom { address },
            Self::Fragment { address } => WebNote::Fragment { address },
            Self::LeadsOn { address } => WebNote::LeadsOn { address },
            Self::NoPart => WebNote::NoPart,
            Self::LeftOut { what } => WebNote::LeftOut { what },
            Self::Other(what) => WebNote::Said(what),
        })
    }
}

fn limit_called(name: &str) -> Option<&'static str> {
    readstone_base::LIMITS.iter().find(|known| known.name == name).map(|known| known.name)
}
