//! `edit`, `write` and `undo` on real files, against models that know nothing of how they are made.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "the modules of this test are tests throughout, and make and look at files"
)]

#[path = "editing/model.rs"]
mod model;
#[path = "editing/stand.rs"]
mod stand;

#[path = "editing/careful.rs"]
mod careful;
#[path = "editing/chains.rs"]
mod chains;
#[path = "editing/foreign.rs"]
mod foreign;
#[path = "editing/knowledge.rs"]
mod knowledge;
#[path = "editing/large.rs"]
mod large;
#[path = "editing/notebooks.rs"]
mod notebooks;
#[path = "editing/records.rs"]
mod records;
#[path = "editing/scripts.rs"]
mod scripts;
#[path = "editing/stores.rs"]
mod stores;
#[path = "editing/unseen.rs"]
mod unseen;
#[path = "editing/written.rs"]
mod written;
