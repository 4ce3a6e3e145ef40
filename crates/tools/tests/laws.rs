//! The laws of every reply: bounded, continuable, honest, deterministic.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "the modules of this test are tests throughout, and a broken twin must stop them"
)]

#[path = "laws/make.rs"]
mod make;
#[path = "laws/stand.rs"]
mod stand;
#[path = "laws/trail.rs"]
mod trail;
#[path = "laws/twin.rs"]
mod twin;

#[path = "laws/bounded.rs"]
mod bounded;
#[path = "laws/continuable.rs"]
mod continuable;
#[path = "laws/deterministic.rs"]
mod deterministic;
#[path = "laws/honest.rs"]
mod honest;
#[path = "laws/ranges.rs"]
mod ranges;
#[path = "laws/since.rs"]
mod since;
#[path = "laws/structure.rs"]
mod structure;
