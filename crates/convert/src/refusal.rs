//! Why a conversion gives nothing.

use serde::{Deserialize, Serialize};

/// Why a document or a picture could not be converted. The texts are a few words that complete `it is damaged: …`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// It is encrypted, and a password would be needed.
    Encrypted,
    /// It is damaged; where and how.
    Damaged(String),
    /// It is sound, and there is nothing in it: no page, no sheet, no character.
    Empty,
    /// A bound was met; the field of [`crate::Bounds`] and its value.
    TooLarge {
        /// The bound.
        limit: String,
        /// Its value.
        value: u64,
    },
    /// The part asked for lies outside of a picture of this size.
    Outside {
        /// Its width.
        width: u32,
        /// Its height.
        height: u32,
    },
    /// It is of a form or uses a feature that cannot be read.
    Unsupported {
        /// Which.
        what: String,
    },
}
