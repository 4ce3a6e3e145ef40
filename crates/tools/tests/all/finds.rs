//! `find` from its input to its reply.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "the modules of this test are tests throughout; they make fixtures, and run other programs where these are installed"
)]

mod stand;

mod archives;
mod calls;
mod differential;
mod ends;
mod hostile;
mod order;
