//! The tests of this crate: a module a group, and one program, so that the library is linked once.

#[path = "../../../../testkit/src/alone.rs"]
pub mod alone;

mod article;
mod facts;
mod faults;
mod html;
mod office;
mod open;
mod pdf;
mod pdf_hostile;
mod picture;
mod picture_hostile;
mod rtf;
