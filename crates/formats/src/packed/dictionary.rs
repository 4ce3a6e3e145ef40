//! The memory that a stream asks for before it gives a byte.

use std::io;

use readstone_base::Blob;

use super::Method;

/// About how many bytes of memory unpacking the stream at `start` takes, by what it declares of itself.
pub(crate) fn asked(method: Method, blob: &dyn Blob, start: u64) -> io::Result<u64> {
    const HEAD: u64 = 64;
    /// The largest block, unpacked, in numbers of four bytes.
    const BZIP2: u64 = 3_600_000;
    if method == Method::Bzip2 {
        return Ok(BZIP2);
    }
    let head = blob.read_range(start, start.saturating_add(HEAD))?;
    Ok(match method {
        Method::Bzip2 => Some(BZIP2),
        Method::Xz => xz(&head),
        Method::Zstd => zstd(&head),
    }
    .unwrap_or(0))
}

/// The dictionary of the first block.
fn xz(head: &[u8]) -> Option<u64> {
    const STREAM_HEADER: usize = 12;
    const LZMA2: [u8; 2] = [0x21, 1];
    let size = (usize::from(*head.get(STREAM_HEADER)?) + 1) * 4;
    let block = head.get(STREAM_HEADER..)?.get(..size)?;
    let at = block.windows(2).skip(2).position(|pair| pair == LZMA2)? + 2;
    Some(lzma2(*block.get(at + 2)?))
}

/// The size of a dictionary, as one byte tells it.
pub(crate) fn lzma2(bits: u8) -> u64 {
    match bits {
        40.. => u64::from(u32::MAX),
        bits => (2 | u64::from(bits & 1)) << (bits / 2 + 11),
    }
}

/// The window of the first frame, unless all of it is one window.
fn zstd(head: &[u8]) -> Option<u64> {
    const SINGLE: u8 = 0x20;
    let head = head.strip_prefix(&[0x28, 0xB5, 0x2F, 0xFD])?;
    let (flags, window) = (*head.first()?, *head.get(1)?);
    let base = 1_u64 << (10 + (window >> 3));
    (flags & SINGLE == 0).then_some(base + base / 8 * u64::from(window & 7))
}
