//! The client against a real server in this process, and against one that says what the test tells it to.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "the modules of this test are tests throughout, and a broken stand must stop them"
)]

#[path = "client/script.rs"]
mod script;
#[path = "client/stand.rs"]
mod stand;

#[path = "client/answers.rs"]
mod answers;
#[path = "client/calls.rs"]
mod calls;
#[path = "client/changes.rs"]
mod changes;
#[path = "client/endpoints.rs"]
mod endpoints;
#[path = "client/pages.rs"]
mod pages;
#[path = "client/refusals.rs"]
mod refusals;
#[path = "client/retries.rs"]
mod retries;
#[path = "client/seeking.rs"]
mod seeking;
#[path = "client/transport.rs"]
mod transport;
