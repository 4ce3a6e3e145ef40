//! From content, a selection and limits to a bounded page.
//!
//! A view pulls lines through a budget and stops where a limit says so. What it could not show it names in the
//! page's coverage, as the selection that shows it.

mod binary;
mod compose;
mod conflicts;
mod document;
mod error;
mod lines;
mod listing;
mod numbered;
mod raw;
mod reader;
mod rest;
mod room;
mod since;
mod structure;
mod table;
mod tail;
mod text;
mod value;
mod window;

pub use binary::{dump, notice};
pub use document::{document, document_text, limits_for};
pub use error::Error;
pub use listing::{contents, listing, window as listing_window};
pub use numbered::{Bounds, Numbered, numbered};
pub use room::{Ask, Room};
pub use since::{Then, changes};
pub use structure::{Sketch, Structure, files, files_on_page, structured, summary, within};
pub use table::table;
pub use text::{Sheet, Text, show};
pub use value::push_number;
