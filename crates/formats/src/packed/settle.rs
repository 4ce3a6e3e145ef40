//! Unpacks a small stream whole, so that its checksum is known before a byte of it is shown.

use std::io;

use readstone_base::Blob;

use super::trouble::{Trouble, trouble_in};

const STEP: usize = 256 * 1024;

/// What came of unpacking a stream.
#[derive(Debug)]
pub(crate) enum Settled {
    /// All of it, and it adds up.
    Whole(Vec<u8>),
    /// What stands before a place from which on it cannot be read.
    Broken(Vec<u8>, Trouble),
    /// There is more of it than was asked for.
    Long,
}

/// Unpacks up to `most` bytes.
pub(crate) fn settle(blob: &dyn Blob, most: u64) -> io::Result<Settled> {
    let mut bytes = Vec::new();
    // One byte more than there should be, so that the end is seen.
    let mut step = blob.len().map_or(STEP, |size| super::size(size.saturating_add(1)).min(STEP));
    loop {
        let before = bytes.len();
        if before as u64 > most {
            return Ok(Settled::Long);
        }
        bytes.resize(before + step, 0);
        match blob.read_at(before as u64, bytes.get_mut(before..).unwrap_or_default()) {
            Ok(count) => {
                bytes.truncate(before + count);
                if count < step {
                    return Ok(if bytes.len() as u64 > most { Settled::Long } else { Settled::Whole(bytes) });
                }
            }
            Err(error) => {
                bytes.truncate(before);
                match trouble_in(&error) {
                    Some(Trouble::Stopped(_) | Trouble::TooBig { .. }) | None => return Err(error),
                    Some(trouble) if step == 1 => return Ok(Settled::Broken(bytes, trouble.clone())),
                    // Smaller steps come closer to the place.
                    Some(_) => step /= 2,
                }
            }
        }
    }
}
