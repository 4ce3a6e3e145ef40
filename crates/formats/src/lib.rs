//! What bytes are: text in some encoding, or bytes that only hex can show.
//!
//! A format never sees a policy or a window. It looks at the beginning of a blob, says whether the blob is its own,
//! and opens it as one of the shapes of [`readstone_source::Content`].

mod binary;
mod coding;
mod detect;
mod names;
mod text;
mod utf32;

use std::sync::Arc;

use readstone_base::Blob;
use readstone_source::{Coding, Content, Format, Head, Opaque};

/// Every format, the more particular first; the last takes whatever is left.
pub fn standard() -> [&'static dyn Format; 2] {
    [&text::Text, &binary::Binary]
}

/// Opens a blob in the first format that takes it.
pub fn open(head: &Head<'_>, blob: &Arc<dyn Blob>) -> Content {
    let opened = standard().into_iter().find_map(|format| format.open(head, blob));
    opened.unwrap_or_else(|| Content::Opaque(Opaque { blob: Arc::clone(blob), what: "unknown data" }))
}

/// The encoding of a text, by its bytes alone; `None` when they are not text.
pub fn coding_of(head: &Head<'_>) -> Option<Arc<dyn Coding>> {
    detect::coding(head)
}
