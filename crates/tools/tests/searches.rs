//! `search` from its input to its reply.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "the modules of this test are tests throughout; they make fixtures, and run other programs where these are installed"
)]

#[path = "searches/stand.rs"]
mod stand;
#[path = "searches/trail.rs"]
mod trail;

#[path = "searches/addresses.rs"]
mod addresses;
#[path = "searches/differential.rs"]
mod differential;
#[path = "searches/large.rs"]
mod large;
#[path = "searches/pages.rs"]
mod pages;
#[path = "searches/plain.rs"]
mod plain;
#[path = "searches/tags.rs"]
mod tags;
#[path = "searches/threads.rs"]
mod threads;
