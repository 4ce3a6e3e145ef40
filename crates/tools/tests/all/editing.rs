//! `edit`, `write` and `undo` on real files, against models that know nothing of how they are made.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "the modules of this test are tests throughout, and make and look at files"
)]

mod model;
mod stand;

mod careful;
mod chains;
mod foreign;
mod knowledge;
mod large;
mod notebooks;
mod records;
mod scripts;
mod stores;
mod unseen;
mod written;
