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

#[path = "web/answers.rs"]
mod answers;
#[path = "web/copies.rs"]
mod copies;
#[path = "web/edges.rs"]
mod edges;
#[path = "web/pages.rs"]
mod pages;
#[path = "web/server.rs"]
mod server;
#[path = "web/sites.rs"]
mod sites;
#[path = "web/texts.rs"]
mod texts;
#[path = "web/world.rs"]
mod world;
