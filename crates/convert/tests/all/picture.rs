//! Pictures: what they are, and the copies made of them.

#![cfg(feature = "pictures")]
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

mod copies;
mod facts;
pub(crate) mod kit;
mod turns;
