//! Faults of the libraries that we repair: each test calls a library itself and holds that its fault is still there.
//!
//! A test that fails after an upgrade is good news: the fault is gone, and the repair that names the test may go too.
//! `scripts/upgrade` reports such repairs.
#![cfg(all(feature = "office", feature = "pdf", feature = "html"))]
#![expect(
    clippy::unwrap_used,
    clippy::format_collect,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

mod article;
mod html;
mod office;
mod pdf;
