//! What the targets share: a file of any bytes, entered as the reader enters it.

mod deep;
mod world;

pub use deep::deep;
pub use world::{Got, Seen, Ticking, World, all};

/// An input in two: what stands before its first NUL, as text, and what stands behind it.
pub fn text_and_bytes(input: &[u8]) -> Option<(&str, &[u8])> {
    let end = input.iter().position(|byte| *byte == 0)?;
    let (text, rest) = input.split_at_checked(end)?;
    Some((std::str::from_utf8(text).ok()?, rest.get(1..)?))
}
