//! The patch language, and what it does to lines and bytes.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "what a test cannot set up must stop it")]

#[path = "edit/bytes.rs"]
mod bytes;
#[path = "edit/carries.rs"]
mod carries;
#[path = "edit/language.rs"]
mod language;
#[path = "edit/merges.rs"]
mod merges;
#[path = "edit/model.rs"]
mod model;
#[path = "edit/places.rs"]
mod places;
#[path = "edit/previews.rs"]
mod previews;
#[path = "edit/refusals.rs"]
mod refusals;
#[path = "edit/text.rs"]
mod text;
#[path = "edit/written.rs"]
mod written;
