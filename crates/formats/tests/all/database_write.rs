//! Rows written to databases: values exact, keys as reading takes them, one transaction or nothing, refusals by name.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

mod keys;
mod locks;
mod model;
mod refusals;
mod rows;
mod stand;
mod triggers;
