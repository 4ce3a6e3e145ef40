//! The end of a zip archive, from which it is read.

use std::io;

use readstone_base::Blob;

use super::record::{long, short, word};

pub(super) const SIZE: u64 = 22;
pub(super) const SIGNATURE: &[u8] = b"PK\x05\x06";
pub(super) const LOCATOR: u64 = 20;
pub(super) const LOCATOR_SIGNATURE: &[u8] = b"PK\x06\x07";
pub(super) const LARGE: u64 = 56;
pub(super) const LARGE_SIGNATURE: &[u8] = b"PK\x06\x06";
/// A comment may stand behind the end.
const LONGEST_COMMENT: u64 = 0xFFFF;

/// Where things are.
#[derive(Clone, Debug)]
pub(super) struct End {
    /// Where the directory begins.
    pub(super) start: u64,
    /// The byte behind it.
    pub(super) stop: u64,
    /// Where its end is said; that of a large archive is said between the two.
    pub(super) record: u64,
    /// How many bytes stand before the archive.
    pub(super) base: u64,
    /// How many stand behind it.
    pub(super) behind: u64,
    /// How many entries it says it has.
    pub(super) count: u64,
    /// Which bits of that number are to be trusted.
    pub(super) counted: u64,
}

/// What stands at the end.
pub(super) enum Found {
    /// A directory.
    End(End),
    /// No sign of one.
    Nothing,
    /// Something that cannot be.
    Wrong(&'static str),
}

/// Looks for the end as other programs do: directly at the end, else the last place that looks like one.
pub(super) fn find(blob: &dyn Blob, length: u64) -> io::Result<Found> {
    let near = length.saturating_sub(SIZE);
    let tail = blob.read_range(near, length)?;
    if tail.starts_with(SIGNATURE) && tail.ends_with(&[0, 0]) && tail.len() as u64 == SIZE {
        return read(blob, near, &tail, 0);
    }
    let from = near.saturating_sub(LONGEST_COMMENT);
    let tail = blob.read_range(from, length)?;
    let Some(at) = memchr::memmem::rfind(&tail, SIGNATURE) else { return Ok(Found::Nothing) };
    let record = tail.get(at..).unwrap_or_default();
    if (record.len() as u64) < SIZE {
        return Ok(Found::Nothing);
    }
    let comment = u64::from(short(record, 20));
    let behind = (record.len() as u64 - SIZE).saturating_sub(comment);
    read(blob, from + at as u64, record, behind)
}

fn read(blob: &dyn Blob, at: u64, record: &[u8], behind: u64) -> io::Result<Found> {
    let plain = Sizes {
        count: u64::from(short(record, 10)),
        counted: 0xFFFF,
        size: u64::from(word(record, 12)),
        offset: u64::from(word(record, 16)),
        end: at,
    };
    let sizes = large(blob, at)?.unwrap_or(plain);
    // As Python has it: the directory ends where its end begins, and what that moves it by stands before the archive.
    let Some(start) = sizes.end.checked_sub(sizes.size) else {
        return Ok(Found::Wrong("its directory is larger than all that stands before it"));
    };
    let Some(base) = start.checked_sub(sizes.offset) else {
        return Ok(Found::Wrong("its directory does not begin where it says"));
    };
    Ok(Found::End(End { start, stop: sizes.end, record: at, base, behind, count: sizes.count, counted: sizes.counted }))
}

struct Sizes {
    count: u64,
    counted: u64,
    size: u64,
    offset: u64,
    end: u64,
}

/// The end of a large archive, which stands before the usual one.
fn large(blob: &dyn Blob, at: u64) -> io::Result<Option<Sizes>> {
    let Some(locator) = at.checked_sub(LOCATOR) else { return Ok(None) };
    let bytes = blob.read_range(locator, at)?;
    if !bytes.starts_with(LOCATOR_SIGNATURE) {
        return Ok(None);
    }
    // The place it names is wrong when something stands before the archive.
    for place in [Some(long(&bytes, 8)), locator.checked_sub(LARGE)].into_iter().flatten() {
        let Some(end) = place.checked_add(LARGE).filter(|end| *end <= locator) else { continue };
        let record = blob.read_range(place, end)?;
        if record.starts_with(LARGE_SIGNATURE) && record.len() as u64 == LARGE {
            return Ok(Some(Sizes {
                count: long(&record, 32),
                counted: u64::MAX,
                size: long(&record, 40),
                offset: long(&record, 48),
                end: place,
            }));
        }
    }
    Ok(None)
}
