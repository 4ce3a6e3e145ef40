//! A record of the directory whose data are announced elsewhere than before.

use std::io;

use super::super::super::put::set;
use super::super::record::{FIXED, Record, short, word};
use super::FULL;
use crate::packed::Trouble;

const LARGE: u16 = 1;
const NEEDED: usize = 6;
const PLACE: usize = 42;

/// The bytes of a record with another place in it, and nothing else that differs.
pub(super) fn to(raw: &[u8], record: &Record, place: u64) -> io::Result<Vec<u8>> {
    let mut bytes = raw.to_vec();
    let apart = u64::from(word(raw, PLACE)) == FULL;
    let done = if apart {
        patch_large(&mut bytes, record, place)
    } else if place < FULL {
        u32::try_from(place).ok().and_then(|place| set(&mut bytes, PLACE, &place.to_le_bytes()))
    } else {
        grow(&mut bytes, place)
    };
    match done {
        Some(()) => Ok(bytes),
        None => {
            Err(Trouble::TooBig { what: "the record of an entry", asks: None, limit: "what the format holds" }.into())
        }
    }
}

/// Where the field for large numbers begins, and how long it is.
fn large(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut at = FIXED + usize::from(short(bytes, 28));
    let end = at + usize::from(short(bytes, 30));
    while at + 4 <= end {
        let (kind, size) = (short(bytes, at), usize::from(short(bytes, at + 2)));
        if kind == LARGE {
            return (at + 4 + size <= end).then_some((at, size));
        }
        at += 4 + size;
    }
    None
}

/// How many of the sizes stand before the place in that field.
fn before(bytes: &[u8]) -> usize {
    [20, 24].iter().filter(|at| u64::from(word(bytes, **at)) == FULL).count() * 8
}

fn patch_large(bytes: &mut [u8], record: &Record, place: u64) -> Option<()> {
    let Some((at, size)) = large(bytes) else {
        // The number itself, not a sign that it stands elsewhere.
        let place = (record.local == FULL).then_some(place)?;
        return set(bytes, PLACE, &u32::try_from(place).ok()?.to_le_bytes());
    };
    let skip = before(bytes);
    (skip + 8 <= size).then_some(())?;
    set(bytes, at + 4 + skip, &place.to_le_bytes())
}

/// Gives the place a field of its own.
fn grow(bytes: &mut Vec<u8>, place: u64) -> Option<()> {
    let extra = usize::from(short(bytes, 30));
    let more = if let Some((at, size)) = large(bytes) {
        let skip = before(bytes).min(size);
        set(bytes, at + 2, &u16::try_from(size + 8).ok()?.to_le_bytes())?;
        let place_at = at + 4 + skip;
        bytes.splice(place_at..place_at, place.to_le_bytes());
        8
    } else {
        let at = FIXED + usize::from(short(bytes, 28));
        let field = [&LARGE.to_le_bytes()[..], &8_u16.to_le_bytes(), &place.to_le_bytes()].concat();
        bytes.splice(at..at, field);
        12
    };
    set(bytes, 30, &u16::try_from(extra + more).ok()?.to_le_bytes())?;
    set(bytes, PLACE, &u32::MAX.to_le_bytes())?;
    let needed = short(bytes, NEEDED).max(45);
    set(bytes, NEEDED, &needed.to_le_bytes())
}

#[cfg(test)]
mod tests {
    use super::super::super::record::Record;
    use super::to;

    fn record(sizes: (u32, u32), place: u32, extra: &[u8]) -> Vec<u8> {
        let mut bytes = b"PK\x01\x02\x14\x03\x14\x00".to_vec();
        bytes.extend([0; 12]);
        bytes.extend(sizes.0.to_le_bytes());
        bytes.extend(sizes.1.to_le_bytes());
        bytes.extend(3_u16.to_le_bytes());
        bytes.extend(u16::try_from(extra.len()).unwrap().to_le_bytes());
        bytes.extend([4, 0]);
        bytes.extend([0; 8]);
        bytes.extend(place.to_le_bytes());
        bytes.extend(b"a/b");
        bytes.extend(extra);
        bytes.extend(b"said");
        bytes
    }

    #[track_caller]
    fn moved(raw: &[u8], place: u64) -> Vec<u8> {
        let before = Record::parse(raw).unwrap();
        let bytes = to(raw, &before, place).unwrap();
        let after = Record::parse(&bytes).unwrap();
        assert_eq!((after.local, after.size, after.packed), (place, before.size, before.packed));
        assert_eq!(after.name, before.name);
        assert!(bytes.ends_with(b"said"));
        bytes
    }

    #[test]
    fn a_place_moves_and_nothing_else_does() {
        let raw = record((3, 4), 100, &[9, 9, 1, 0, 7]);
        let bytes = moved(&raw, 90);
        assert_eq!(bytes.len(), raw.len());
        assert_eq!(bytes.iter().zip(&raw).filter(|(one, other)| one != other).count(), 1);
    }

    #[test]
    fn a_place_beyond_four_gigabytes_gets_a_field_and_keeps_it() {
        let raw = record((3, 4), 0xFFFF_FF00, &[9, 9, 1, 0, 7]);
        let far = moved(&raw, 0x1_0000_0010);
        assert_eq!(far.len(), raw.len() + 12);
        let near = moved(&far, 5);
        assert_eq!(near.len(), far.len());
    }

    #[test]
    fn a_place_comes_behind_the_sizes_that_have_a_field_already() {
        let sizes = [&[1, 0, 16, 0][..], &5_000_000_000_u64.to_le_bytes(), &4_900_000_000_u64.to_le_bytes()].concat();
        let raw = record((u32::MAX, u32::MAX), 7, &[&[9, 9, 0, 0][..], &sizes].concat());
        let far = moved(&raw, 0x2_0000_0000);
        assert_eq!(far.len(), raw.len() + 8);
        moved(&far, 0x3_0000_0000);
    }

    #[test]
    fn a_field_that_is_too_short_is_no_field() {
        let raw = record((3, 4), u32::MAX, &[1, 0, 4, 0, 1, 2, 3, 4]);
        assert!(to(&raw, &Record::parse(&raw).unwrap(), 8).is_err());
    }
}
