//! Rows written to databases: values exact, keys as reading takes them, one transaction or nothing, refusals by name.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

#[path = "database_write/keys.rs"]
mod keys;
#[path = "database_write/locks.rs"]
mod locks;
#[path = "database_write/model.rs"]
mod model;
#[path = "database_write/refusals.rs"]
mod refusals;
#[path = "database_write/rows.rs"]
mod rows;
#[path = "database_write/stand.rs"]
mod stand;
#[path = "database_write/triggers.rs"]
mod triggers;
