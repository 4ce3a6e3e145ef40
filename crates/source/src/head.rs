//! What is looked at to tell what bytes are.

/// What is known of a blob before it is opened.
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
