//! The patch language, and what it does to lines and bytes.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "what a test cannot set up must stop it")]

#[path = "edit/bytes.rs"]
mod bytes;
#[path = "edit/language.rs"]
mod language;
#[path = "edit/places.rs"]
mod places;
#[path = "edit/refusals.rs"]
mod refusals;
#[path = "edit/text.rs"]
mod text;
