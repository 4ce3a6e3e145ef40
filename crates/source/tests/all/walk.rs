//! The walk: its order, its rules, its ends.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

mod kit;

mod git;
mod hostile;
mod order;
mod rules;
