//! The client against a real server in this process, and against one that says what the test tells it to.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "the modules of this test are tests throughout, and a broken stand must stop them"
)]

mod script;
mod stand;

mod answers;
mod calls;
mod changes;
mod endpoints;
mod pages;
mod refusals;
mod retries;
mod seeking;
mod transport;
