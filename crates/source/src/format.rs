//! A format says what bytes are.

use std::sync::Arc;

use readstone_base::Blob;

use crate::content::Content;

/// What is known of a blob before a format opens it.
#[derive(Debug)]
pub struct Head<'a> {
    /// The beginning of the blob, or all of it.
    pub bytes: &'a [u8],
    /// Pieces from further on, where the beginning is not all.
    pub samples: &'a [Vec<u8>],
    /// The size of the blob.
    pub size: u64,
}

impl Head<'_> {
    /// Whether the beginning is all there is.
    pub fn is_whole(&self) -> bool {
        self.bytes.len() as u64 == self.size
    }
}

/// A way to read bytes.
pub trait Format: Send + Sync {
    /// Opens the bytes, when they are of this format.
    fn open(&self, head: &Head<'_>, blob: &Arc<dyn Blob>) -> Option<Content>;
}
