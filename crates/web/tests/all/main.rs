//! From addresses to something to read, against a server on loopback.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::format_collect,
    clippy::wildcard_enum_match_arm,
    clippy::format_push_string,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

mod answers;
mod copies;
mod edges;
mod pages;
mod server;
mod sites;
mod texts;
mod world;
