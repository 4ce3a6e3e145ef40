//! The laws of every reply: bounded, continuable, honest, deterministic.

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
