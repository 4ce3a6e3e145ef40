//! The walk: its order, its rules, its ends.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

#[path = "walk/kit.rs"]
mod kit;

#[path = "walk/git.rs"]
mod git;
#[path = "walk/hostile.rs"]
mod hostile;
#[path = "walk/order.rs"]
mod order;
#[path = "walk/rules.rs"]
mod rules;
