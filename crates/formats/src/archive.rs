//! Archives: zip, tar and 7z, entered by the names of their entries.

mod beside;
mod children;
mod enter;
mod error;
mod index;
mod listing;
mod members;
mod names;
mod seven;
mod tar;
mod zip;

use std::io;
use std::sync::Arc;

use readstone_address::Selector;
use readstone_base::{Blob, Fault};
use readstone_source::{Container, Opening, Piece};

use crate::packed::{self, Trouble};
use enter::Archive;

pub use error::Error;
pub(crate) use tar::is_tar;

/// Bytes looked at to tell what something is.
const HEAD: u64 = 512;

/// The beginning of a piece's bytes.
pub(crate) fn head(piece: &Piece) -> io::Result<Vec<u8>> {
    piece.blob.read_range(0, HEAD)
}

/// How long a blob is, found out by reading it where it does not tell.
pub(crate) fn length(blob: &Arc<dyn Blob>, opening: &Opening<'_>) -> io::Result<u64> {
    let most = opening.limits.unpack_bytes;
    match packed::measure(&**blob, most)? {
        (size, true) => Ok(size),
        (..) => Err(Trouble::TooBig { what: "what is inside", asks: None, limit: "unpack_bytes" }.into()),
    }
}

/// Opens an archive or a compressed file, by its content. `tail` is what the address says behind it: bytes that are
/// something else at first sight are searched for an archive at their end only when something inside is asked for.
pub fn archives(piece: &Piece, tail: Option<&str>, opening: &Opening<'_>) -> Result<Option<Arc<dyn Container>>, Fault> {
    let head = head(piece).map_err(|error| Error::from_io(&piece.path, error).boxed())?;
    if let Some(stream) = packed::open(&head, piece) {
        return Ok(Some(stream));
    }
    open(&head, piece, tail, opening)
}

/// Opens an archive, by the beginning of its bytes.
fn open(
    head: &[u8],
    piece: &Piece,
    tail: Option<&str>,
    opening: &Opening<'_>,
) -> Result<Option<Arc<dyn Container>>, Fault> {
    if zip::begins(head) {
        return Ok(Some(Archive::shared(zip::Zip::new(piece))));
    }
    if seven::begins(head) {
        return Ok(Some(Archive::shared(seven::Seven::new(piece))));
    }
    if is_tar(head) {
        return Ok(Some(Archive::shared(tar::Tar::new(piece, opening))));
    }
    if inner_wanted(tail) && zip::ends(piece, opening)? {
        return Ok(Some(Archive::shared(zip::Zip::new(piece))));
    }
    Ok(None)
}

/// Whether a tail asks for something inside, rather than for a part of the bytes themselves.
fn inner_wanted(tail: Option<&str>) -> bool {
    tail.is_some_and(|tail| !tail.is_empty() && !tail.starts_with('?') && Selector::parse(tail).is_err())
}
