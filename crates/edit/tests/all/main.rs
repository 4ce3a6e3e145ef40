//! The patch language, and what it does to lines and bytes.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "what a test cannot set up must stop it")]

mod bytes;
mod carries;
mod language;
mod merges;
mod model;
mod places;
mod previews;
mod refusals;
mod text;
mod written;
