//! The end of a zip archive that is written.

use std::io;

use super::super::super::put::set;
use super::super::end::{LARGE, LARGE_SIGNATURE, LOCATOR, LOCATOR_SIGNATURE, SIZE};
use super::super::record::{long, short, word};
use super::{FULL, Rewrite};
use crate::packed::Trouble;

/// More entries are counted elsewhere.
const MOST: u64 = 0xFFFF;

/// What stands between a directory of this size and the comment of the archive.
pub(super) fn tail(rewrite: &Rewrite<'_>, size: u64) -> io::Result<Vec<u8>> {
    let end = &rewrite.end;
    let old = rewrite.blob.read_range(end.stop, end.record + SIZE)?;
    let added = u64::from(rewrite.old.is_none());
    let offset = rewrite.moved(end.start) - end.base;
    let count = rewrite.counted + added;
    let is_large = end.stop < end.record;
    if (old.len() as u64) < SIZE + if is_large { LARGE + LOCATOR } else { 0 } {
        return Err(Trouble::Cut { at: end.stop }.into());
    }
    let now = Now { size, offset, count, added };
    if is_large {
        let shift = (rewrite.moved(end.start) + size, end.stop);
        return Ok(large(old, &now, shift));
    }
    let far = added > 0 && count >= MOST || size >= FULL || offset >= FULL;
    let mut bytes = if far { fresh(&now) } else { Vec::new() };
    let mut record = old;
    plain(&mut record, &now);
    bytes.extend(record);
    Ok(bytes)
}

/// What the end says.
struct Now {
    size: u64,
    offset: u64,
    count: u64,
    added: u64,
}

/// Changes the usual end, whose numbers may say that the right ones stand elsewhere.
fn plain(record: &mut [u8], now: &Now) {
    for at in [8, 10] {
        let count = u64::from(short(record, at));
        if now.added > 0 && count < MOST {
            let count = u16::try_from(now.count.min(MOST)).unwrap_or(u16::MAX);
            set(record, at, &count.to_le_bytes());
        }
    }
    for (at, number) in [(12, now.size), (16, now.offset)] {
        if u64::from(word(record, at)) < FULL {
            let number = u32::try_from(number.min(FULL)).unwrap_or(u32::MAX);
            set(record, at, &number.to_le_bytes());
        }
    }
}

/// Changes the end of a large archive, which moves from one place to another.
fn large(mut old: Vec<u8>, now: &Now, (to, from): (u64, u64)) -> Vec<u8> {
    let usual = old.len() - crate::packed::size(SIZE);
    let locator = usual - crate::packed::size(LOCATOR);
    for at in [24, 32] {
        let count = long(&old, at) + now.added;
        set(&mut old, at, &count.to_le_bytes());
    }
    set(&mut old, 40, &now.size.to_le_bytes());
    set(&mut old, 48, &now.offset.to_le_bytes());
    // It may be counted from elsewhere than the beginning of the file.
    let place = long(&old, locator + 8).wrapping_sub(from).wrapping_add(to);
    set(&mut old, locator + 8, &place.to_le_bytes());
    plain(old.get_mut(usual..).unwrap_or_default(), now);
    old
}

/// The end of an archive that has become large.
fn fresh(now: &Now) -> Vec<u8> {
    let mut bytes = LARGE_SIGNATURE.to_vec();
    bytes.extend((LARGE - 12).to_le_bytes());
    bytes.extend([45, 3, 45, 0]);
    bytes.extend([0; 8]);
    for number in [now.count, now.count, now.size, now.offset] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend_from_slice(LOCATOR_SIGNATURE);
    bytes.extend([0; 4]);
    bytes.extend((now.offset + now.size).to_le_bytes());
    bytes.extend(1_u32.to_le_bytes());
    bytes
}
