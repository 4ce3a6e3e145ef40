//! Jupyter notebooks as text that can be edited and turned back.
//!
//! [`to_text`] shows every cell behind a marker with the beginnings of its outputs; [`to_notebook`] applies such a text
//! to the notebook it was made from, and leaves every byte alone that the text does not change. Outputs are never
//! parsed into a tree: a notebook costs about its size, whatever is in it.

mod back;
mod book;
mod enter;
mod error;
mod form;
mod json;
mod lines;
mod output;
mod picture;
mod rewrite;
mod show;
mod style;

use std::sync::Arc;

use readstone_source::{Container, Piece};

pub use back::{new_notebook, to_notebook, to_notebook_within};
pub use error::Error as NotebookError;
pub use form::{NotebookCell, notebook_cells};
pub use show::{NotebookText, to_text};

/// A piece with the name of a notebook; whether it is a sound one is seen when it is entered.
pub(crate) fn container(piece: &Piece) -> Option<Arc<dyn Container>> {
    let extension = piece.name.rsplit_once('.').map(|(_, extension)| extension);
    let is_notebook = extension.is_some_and(|extension| extension.eq_ignore_ascii_case("ipynb"));
    is_notebook.then(|| Arc::new(enter::Notebook { piece: piece.clone() }) as Arc<dyn Container>)
}
