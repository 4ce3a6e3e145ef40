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

#[path = "database/addresses.rs"]
mod addresses;
#[path = "database/cells.rs"]
mod cells;
#[path = "database/hostile.rs"]
mod hostile;
#[path = "database/logs.rs"]
mod logs;
#[path = "database/queries.rs"]
mod queries;
#[path = "database/samples.rs"]
mod samples;
#[path = "database/stand.rs"]
mod stand;
#[path = "database/values.rs"]
mod values;
#[path = "database/words.rs"]
mod words;
