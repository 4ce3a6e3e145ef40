//! Text of any size and encoding as pieces of UTF-8, one after the other.

use std::io;
use std::sync::Arc;

use readstone_base::Blob;
use readstone_source::{Coding, Head, load};

/// So much of a blob is read at a time.
const STRIDE: usize = 256 * 1024;
/// A character has at most this many bytes in any encoding.
const CHARACTER: usize = 8;
/// So much of a blob that does not tell its length is looked at.
const LOOK: u64 = 16 * 1024;
/// The length of such a blob for whoever only asks whether it ends inside a unit.
const SOME_LENGTH: u64 = 1 << 62;

/// The encoding of a blob, found as the view of its text finds it: blobs up to `whole` bytes are looked through. What
/// is no text gives what it seems to be.
pub(crate) fn coding(blob: &Arc<dyn Blob>, whole: u64) -> io::Result<Result<Arc<dyn Coding>, &'static str>> {
    let seen = |head: &Head<'_>| crate::open(head, blob).map(|lines| lines.coding).map_err(|opaque| opaque.what);
    match blob.len() {
        Some(size) if size <= whole => {
            let bytes = blob.read_range(0, size)?;
            Ok(seen(&Head { bytes: &bytes, samples: &[], size: bytes.len() as u64 }))
        }
        Some(_) => {
            let loaded = load(Arc::clone(blob), 0)?;
            Ok(seen(&Head { bytes: &loaded.head, samples: &loaded.samples, size: loaded.size }))
        }
        None => {
            let bytes = blob.read_range(0, LOOK)?;
            let read = bytes.len() as u64;
            Ok(seen(&Head { bytes: &bytes, samples: &[], size: if read < LOOK { read } else { SOME_LENGTH } }))
        }
    }
}

/// Whether bytes in this encoding are passed on as they are: damage in UTF-8 is left to whoever shows it.
pub(crate) fn is_plain(coding: &dyn Coding) -> bool {
    coding.name() == "utf-8"
}

/// The pieces of a text.
#[derive(Debug)]
pub(crate) struct Stream {
    blob: Arc<dyn Blob>,
    coding: Arc<dyn Coding>,
    bytes: Vec<u8>,
    piece: Vec<u8>,
    start: u64,
    next: u64,
    ended: bool,
    replaced: u64,
}

impl Stream {
    /// The text from an offset on, at which a character begins.
    pub(crate) fn new(blob: Arc<dyn Blob>, coding: Arc<dyn Coding>, offset: u64) -> Self {
        let (bytes, piece) = (Vec::new(), Vec::new());
        Self { blob, coding, bytes, piece, start: offset, next: offset, ended: false, replaced: 0 }
    }

    /// Goes on to the next piece; false when there is none.
    pub(crate) fn advance(&mut self) -> io::Result<bool> {
        self.piece.clear();
        self.start = self.next;
        if self.ended {
            return Ok(false);
        }
        let plain = is_plain(&*self.coding);
        let buffer = if plain { &mut self.piece } else { &mut self.bytes };
        let wanted = if plain { STRIDE } else { STRIDE + CHARACTER };
        buffer.resize(wanted, 0);
        let count = self.blob.read_at(self.start, buffer)?;
        buffer.truncate(count);
        self.ended = count < wanted;
        if plain {
            self.next += count as u64;
            return Ok(count > 0);
        }
        // The few bytes behind the piece tell where its last character ends.
        let cut = if self.ended { count } else { self.coding.boundary(&self.bytes, STRIDE) };
        let cut = if cut == 0 { count } else { cut };
        let decoded = self.coding.decode(self.bytes.get(..cut).unwrap_or_default());
        self.replaced += decoded.replaced.len() as u64;
        self.piece.extend_from_slice(decoded.text.as_bytes());
        self.next += cut as u64;
        Ok(cut > 0)
    }

    /// The piece.
    pub(crate) fn piece(&self) -> &[u8] {
        &self.piece
    }

    /// How many characters of the pieces up to this one were replaced; none of bytes that are passed on as they are.
    pub(crate) fn replaced(&self) -> u64 {
        self.replaced
    }

    /// The offset in the blob at which the piece begins.
    pub(crate) fn start(&self) -> u64 {
        self.start
    }

    /// The offset in the blob at which the next piece begins.
    pub(crate) fn next(&self) -> u64 {
        self.next
    }
}
