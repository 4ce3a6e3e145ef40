//! `find` from its input to its reply.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "the modules of this test are tests throughout; they make fixtures, and run other programs where these are installed"
)]

#[path = "finds/stand.rs"]
mod stand;

#[path = "finds/archives.rs"]
mod archives;
#[path = "finds/calls.rs"]
mod calls;
#[path = "finds/differential.rs"]
mod differential;
#[path = "finds/ends.rs"]
mod ends;
#[path = "finds/hostile.rs"]
mod hostile;
#[path = "finds/order.rs"]
mod order;
