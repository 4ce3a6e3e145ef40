//! From a web address to something to read.
//!
//! [`Pages`] asks a [`Fetch`] for the page and for at most three things beside it, and takes the first step that gives
//! something to read; every step stands in a file of its own below `steps` and has its own method name. What was made
//! is kept in the session's drawer, so that parts of it cost no further request. Nothing here opens a socket.

mod asked;
mod errand;
mod feed;
mod json;
mod kept;
mod letters;
mod made;
mod pages;
mod sections;
mod sites;
mod sort;
mod status;
mod steps;
mod text;

pub use errand::Fetch;
pub use pages::Pages;
