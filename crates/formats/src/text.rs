//! Plain text in any encoding.

use std::sync::Arc;

use readstone_base::Blob;
use readstone_source::{Content, Format, Head, Lines};

use crate::{binary, detect};

/// Text.
pub(crate) struct Text;

impl Format for Text {
    fn open(&self, head: &Head<'_>, blob: &Arc<dyn Blob>) -> Option<Content> {
        if binary::is_signed(head.bytes) {
            return None;
        }
        let coding = detect::coding(head)?;
        Some(Content::Lines(Lines { blob: Arc::clone(blob), coding }))
    }
}
