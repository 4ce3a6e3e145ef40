//! Pictures: what they are, and the copies made of them.

#![cfg(feature = "pictures")]
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

#[path = "picture/copies.rs"]
mod copies;
#[path = "picture/facts.rs"]
mod facts;
#[path = "picture/kit.rs"]
mod kit;
#[path = "picture/turns.rs"]
mod turns;
