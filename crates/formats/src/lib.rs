//! What bytes are.
//!
//! A format never sees a policy or a window. What holds further things is a [`Container`]; everything else is text in
//! some encoding, or bytes that only hex can show.

mod binary;
mod coding;
mod detect;
mod names;
mod notebook;
mod utf32;

use std::sync::Arc;

use readstone_base::{Blob, Fault};
use readstone_source::{Coding, Container, Formats, Head, Lines, Opaque, Opening, Piece};

pub use notebook::{NotebookError, NotebookText, new_notebook, to_notebook, to_notebook_within, to_text};

/// Text, or bytes that only hex can show.
pub fn open(head: &Head<'_>, blob: &Arc<dyn Blob>) -> Result<Lines, Opaque> {
    let coding = if binary::is_signed(head.bytes) { None } else { detect::coding(head) };
    let blob = Arc::clone(blob);
    coding
        .map(|coding| Lines { blob: Arc::clone(&blob), coding })
        .ok_or_else(|| Opaque { what: binary::kind_of(head), blob })
}

/// The encoding of a text, by its bytes alone; `None` when they are not text.
pub fn coding_of(head: &Head<'_>) -> Option<Arc<dyn Coding>> {
    detect::coding(head)
}

/// UTF-8 without a byte order mark.
pub fn utf8() -> Arc<dyn Coding> {
    Arc::new(coding::Utf8 { mark: 0 })
}

/// Every format there is.
#[derive(Clone, Copy, Debug)]
pub struct Standard;

impl Formats for Standard {
    fn container(
        &self,
        piece: &Piece,
        _tail: Option<&str>,
        _opening: &Opening<'_>,
    ) -> Result<Option<Arc<dyn Container>>, Fault> {
        Ok(notebook::container(piece))
    }
}
