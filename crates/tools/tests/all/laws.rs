//! The laws of every reply: bounded, continuable, honest, deterministic.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "the modules of this test are tests throughout, and a broken twin must stop them"
)]

mod make;
mod stand;
mod trail;
mod twin;

mod bounded;
mod continuable;
mod deterministic;
mod honest;
mod ranges;
mod since;
mod structure;
