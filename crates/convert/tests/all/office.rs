//! The documents of Microsoft Office: every one is made by a recipe of a few lines.
#![cfg(feature = "office")]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::format_collect,
    clippy::format_push_string,
    clippy::cast_possible_truncation,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

mod flow;
mod formats;
mod hostile;
mod old;
pub(crate) mod recipes;
mod sheets;
mod slides;
