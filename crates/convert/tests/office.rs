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

#[path = "office/flow.rs"]
mod flow;
#[path = "office/formats.rs"]
mod formats;
#[path = "office/hostile.rs"]
mod hostile;
#[path = "office/old.rs"]
mod old;
#[path = "office/recipes.rs"]
mod recipes;
#[path = "office/sheets.rs"]
mod sheets;
#[path = "office/slides.rs"]
mod slides;
