//! What is made to be measured: logs, trees, archives, databases and documents, the same bytes in every run.

pub mod inside;
pub mod log;
mod package;
pub mod pdf;
mod prose;
pub mod sheet;
pub mod source;
pub mod tree;
pub mod word;

/// A document as bytes, with one byte that means nothing.
#[derive(Debug)]
pub struct Document {
    /// All of it.
    pub bytes: Vec<u8>,
    /// Where the byte is that tells copies apart.
    pub spare: usize,
    /// Bytes of text in it, or none for a picture.
    pub text: usize,
}
