//! The frame of a gzip member.

use std::io;

use readstone_base::Blob;

use super::feed::Feed;

/// A header may hold a name and a comment, but not a book.
const MOST_HEADER: u64 = 1024 * 1024;
const TRAILER: u64 = 8;

/// Whether a gzip member begins here.
pub(crate) fn begins(head: &[u8]) -> bool {
    head.starts_with(&[0x1F, 0x8B, 8])
}

/// The byte behind the header that begins at `start`; `None` when there is no header.
pub(super) fn behind_header(feed: &Feed, start: u64) -> io::Result<Option<u64>> {
    let head = feed.peek(start, 512)?;
    if !begins(&head) || head.len() < 10 {
        return Ok(None);
    }
    if let Some(length) = length_in(&head) {
        return Ok(Some(start + length as u64));
    }
    let whole = feed.peek(start, MOST_HEADER)?;
    Ok(length_in(&whole).map(|length| start + length as u64))
}

/// The bytes of the header that a blob begins with; `None` when there is none.
pub(crate) fn header(blob: &dyn Blob) -> io::Result<Option<Vec<u8>>> {
    let mut head = blob.read_range(0, MOST_HEADER)?;
    let length = length_in(&head).filter(|_| begins(&head));
    Ok(length.map(|length| {
        head.truncate(length);
        head
    }))
}

fn length_in(head: &[u8]) -> Option<usize> {
    const CHECKSUM: u8 = 2;
    const EXTRA: u8 = 4;
    const NAME: u8 = 8;
    const COMMENT: u8 = 16;
    let flags = *head.get(3)?;
    let mut at = 10;
    if flags & EXTRA != 0 {
        let (low, high) = (*head.get(at)?, *head.get(at + 1)?);
        at += 2 + usize::from(u16::from_le_bytes([low, high]));
    }
    for text in [NAME, COMMENT] {
        if flags & text != 0 {
            at += memchr::memchr(0, head.get(at..)?)? + 1;
        }
    }
    if flags & CHECKSUM != 0 {
        at += 2;
    }
    (at <= head.len()).then_some(at)
}

/// What a trailer says of its member.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) crc: u32,
    pub(super) size: u64,
}

/// How a trailer fits its member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trailer {
    /// It fits; this is the byte behind it.
    Fits(u64),
    /// It says something else.
    Wrong,
    /// It is not all there.
    Cut,
}

/// Reads the trailer that begins at `start`.
pub(super) fn trailer(feed: &Feed, start: u64, member: Member) -> io::Result<Trailer> {
    let bytes = feed.peek(start, TRAILER)?;
    let Some((crc, size)) =
        bytes.split_first_chunk::<4>().and_then(|(crc, rest)| Some((crc, rest.first_chunk::<4>()?)))
    else {
        return Ok(Trailer::Cut);
    };
    let fits =
        u32::from_le_bytes(*crc) == member.crc && u64::from(u32::from_le_bytes(*size)) == member.size & 0xFFFF_FFFF;
    Ok(if fits { Trailer::Fits(start + TRAILER) } else { Trailer::Wrong })
}
