//! What a session holds, by address: scratch files, skills, rules, notes, outputs, this program's own manual.
//!
//! One router leads to all of it, and every scheme is one file. [`Places`] says which folders there are; each is opened
//! through a host of its own, so that no link leads out of it, and reading makes nothing.

mod asked;
mod error;
mod extract;
mod folder;
mod front;
mod list;
mod near;
mod places;
mod router;
mod schemes;
mod transcript;

pub use error::Error;
pub use places::Places;
pub use router::Router;
pub use schemes::{ArtifactRecord, ConflictRecord, Provenance, Sides, standard};
