//! `search` from its input to its reply.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "the modules of this test are tests throughout; they make fixtures, and run other programs where these are installed"
)]

mod stand;
mod trail;

mod addresses;
mod differential;
mod ends;
mod large;
mod pages;
mod plain;
mod tags;
mod threads;
