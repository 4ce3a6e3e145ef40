//! Databases: every form of address, exact values, hostile files and queries, logs and journals.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::wildcard_enum_match_arm,
    clippy::format_collect,
    clippy::disallowed_methods,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

mod addresses;
mod cells;
mod hostile;
mod logs;
mod queries;
mod samples;
pub(crate) mod stand;
mod values;
mod words;
