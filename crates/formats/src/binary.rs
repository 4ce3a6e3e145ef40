//! Bytes that are not text: named by their first bytes, shown in hex.

use std::sync::Arc;

use readstone_base::Blob;
use readstone_source::{Content, Format, Head, Opaque};

/// Whatever no other format wants.
pub(crate) struct Binary;

impl Format for Binary {
    fn open(&self, head: &Head<'_>, blob: &Arc<dyn Blob>) -> Option<Content> {
        Some(Content::Opaque(Opaque { blob: Arc::clone(blob), what: kind_of(head.bytes) }))
    }
}

/// What the bytes seem to be.
fn kind_of(bytes: &[u8]) -> &'static str {
    if bytes.iter().all(|byte| *byte == 0) {
        return "only zeros";
    }
    infer::get(bytes).map_or("unknown data", |kind| kind.mime_type())
}

/// Whether bytes that look like text are the beginning of something else.
pub(crate) fn is_disguised(bytes: &[u8]) -> bool {
    bytes.starts_with(b"%PDF-")
}
