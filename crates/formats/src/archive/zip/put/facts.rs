//! What is said of an entry, at its data and in the directory.

use super::super::super::put::set;
use super::super::record::{self, FIXED, Method, days, short, word};
use super::{FULL, LOCAL_SIGNATURE};

const UTF8: u16 = 1 << 11;
/// Fields of their own behind the name.
const LARGE: u16 = 1;
const NTFS: u16 = 0x000A;
const TIME: u16 = 0x5455;
const OLD_UNIX: u16 = 0x5855;
/// A regular file that its owner may write and all may read, as Unix says it.
const MODE: u32 = 0o10_0644 << 16;
/// Made on Unix, by a program that knows version 2.0 of the format.
const UNIX: u16 = 0x0314;
const DAY: i64 = 86_400;

/// Everything that is said of an entry.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    made_by: u16,
    flags: u16,
    pub(super) method: Method,
    /// Time and date as DOS wrote them.
    dos: (u16, u16),
    pub(super) crc: u32,
    /// Packed and unpacked.
    pub(super) sizes: (u64, u64),
    name: Vec<u8>,
    local_extra: Vec<u8>,
    central_extra: Vec<u8>,
    comment: Vec<u8>,
    internal: u16,
    external: u32,
}

impl Facts {
    /// What is said of a new entry.
    pub(super) fn fresh(name: &[u8], modified: i64) -> Self {
        let stamp: Vec<u8> = i32::try_from(modified).map_or_else(
            |_| Vec::new(),
            |seconds| [&TIME.to_le_bytes()[..], &[5, 0, 1], &seconds.to_le_bytes()].concat(),
        );
        let utf8 = !name.is_ascii() && std::str::from_utf8(name).is_ok();
        Self {
            made_by: UNIX,
            flags: if utf8 { UTF8 } else { 0 },
            method: Method::DEFLATE,
            dos: dos(modified),
            crc: 0,
            sizes: (0, 0),
            name: name.to_vec(),
            local_extra: stamp.clone(),
            central_extra: stamp,
            comment: Vec::new(),
            internal: 0,
            external: MODE,
        }
    }

    /// What is said of an entry by its record and by the fields at its data, but for its time.
    pub(super) fn of(raw: &[u8], local_extra: &[u8], modified: i64) -> Self {
        let (name, extra) = (usize::from(short(raw, 28)), usize::from(short(raw, 30)));
        let part = |from: usize, to: usize| raw.get(from..to).unwrap_or_default();
        let names = FIXED + name;
        Self {
            made_by: short(raw, 4),
            flags: short(raw, 8) & UTF8,
            method: Method(short(raw, 10)),
            dos: dos(modified),
            crc: 0,
            sizes: (0, 0),
            name: part(FIXED, names).to_vec(),
            local_extra: timed(local_extra, modified),
            central_extra: timed(part(names, names + extra), modified),
            comment: part(names + extra, raw.len()).to_vec(),
            internal: short(raw, 36),
            external: word(raw, 38),
        }
    }

    /// What stands before its data; `None` when there is no room for it.
    pub(super) fn local(&self) -> Option<Vec<u8>> {
        let mut bytes = LOCAL_SIGNATURE.to_vec();
        self.common(&mut bytes, self.needed(0))?;
        bytes.extend(u16::try_from(self.local_extra.len()).ok()?.to_le_bytes());
        bytes.extend_from_slice(&self.name);
        bytes.extend_from_slice(&self.local_extra);
        Some(bytes)
    }

    /// Its record in the directory, when its data are announced at this place.
    pub(super) fn central(&self, place: u64) -> Option<Vec<u8>> {
        let mut extra = self.central_extra.clone();
        if place >= FULL {
            let field = [&LARGE.to_le_bytes()[..], &8_u16.to_le_bytes(), &place.to_le_bytes()].concat();
            extra.splice(..0, field);
        }
        let mut bytes = record::SIGNATURE.to_vec();
        bytes.extend(self.made_by.to_le_bytes());
        self.common(&mut bytes, self.needed(place))?;
        bytes.extend(u16::try_from(extra.len()).ok()?.to_le_bytes());
        bytes.extend(u16::try_from(self.comment.len()).ok()?.to_le_bytes());
        // The disk it is on.
        bytes.extend([0, 0]);
        bytes.extend(self.internal.to_le_bytes());
        bytes.extend(self.external.to_le_bytes());
        bytes.extend(u32::try_from(place.min(FULL)).ok()?.to_le_bytes());
        bytes.extend_from_slice(&self.name);
        bytes.extend(extra);
        bytes.extend_from_slice(&self.comment);
        Some(bytes)
    }

    fn common(&self, bytes: &mut Vec<u8>, needed: u16) -> Option<()> {
        let (time, date) = self.dos;
        for number in [needed, self.flags, self.method.0, time, date] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.crc.to_le_bytes());
        bytes.extend(u32::try_from(self.sizes.0).ok()?.to_le_bytes());
        bytes.extend(u32::try_from(self.sizes.1).ok()?.to_le_bytes());
        bytes.extend(u16::try_from(self.name.len()).ok()?.to_le_bytes());
        Some(())
    }

    /// The version of the format that it takes.
    fn needed(&self, place: u64) -> u16 {
        if place >= FULL {
            return 45;
        }
        if self.method == Method::STORED { 10 } else { 20 }
    }
}

/// The fields behind a name with another time in them; what did not fit into the record before does now.
fn timed(mut extra: &[u8], modified: i64) -> Vec<u8> {
    let mut fields = Vec::with_capacity(extra.len());
    while let Some(field) = extra.get(4..).and_then(|rest| rest.get(..usize::from(short(extra, 2)))) {
        let (kind, whole) = (short(extra, 0), 4 + field.len());
        let mut own = extra.get(..whole).unwrap_or_default().to_vec();
        extra = extra.get(whole..).unwrap_or_default();
        let time = match kind {
            LARGE => continue,
            TIME if own.get(4).is_some_and(|flags| flags & 1 != 0) => Some((5, seconds(modified).to_vec())),
            OLD_UNIX => Some((8, seconds(modified).to_vec())),
            NTFS if short(&own, 8) == 1 => Some((12, ticks(modified).to_vec())),
            _ => None,
        };
        if let Some((at, value)) = time {
            set(&mut own, at, &value);
        }
        fields.extend(own);
    }
    fields.extend_from_slice(extra);
    fields
}

fn seconds(modified: i64) -> [u8; 4] {
    i32::try_from(modified).unwrap_or(i32::MAX).to_le_bytes()
}

/// Tenths of microseconds since 1601.
fn ticks(modified: i64) -> [u8; 8] {
    modified.saturating_add(11_644_473_600).saturating_mul(10_000_000).to_le_bytes()
}

/// Time and date as DOS wrote them, which knows the years from 1980 to 2107.
fn dos(modified: i64) -> (u16, u16) {
    let (first, last) = (days(1980, 1, 1) * DAY, days(2108, 1, 1) * DAY - 1);
    let modified = modified.clamp(first, last);
    let (day, second) = (modified.div_euclid(DAY), modified.rem_euclid(DAY));
    let mut year = 1970 + day / 366;
    while days(year + 1, 1, 1) <= day {
        year += 1;
    }
    let month = (1..=12).rev().find(|month| days(year, *month, 1) <= day).unwrap_or(1);
    let date = (year - 1980) << 9 | month << 5 | (day - days(year, month, 1) + 1);
    let time = (second / 3_600) << 11 | (second / 60 % 60) << 5 | (second % 60 / 2);
    (u16::try_from(time).unwrap_or(0), u16::try_from(date).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::super::super::record::dos_time;
    use super::{Facts, days, dos};

    #[test]
    fn a_time_is_written_as_it_is_read() {
        for day in (days(1980, 1, 1)..days(2108, 1, 1)).step_by(13) {
            let modified = day * 86_400 + 45_296;
            let (time, date) = dos(modified);
            assert_eq!(dos_time(date, time), Some(modified));
        }
        for year in [1980, 1999, 2000, 2023, 2024, 2100, 2107] {
            for (month, day) in [(1, 1), (2, 28), (3, 1), (12, 31)] {
                let modified = days(year, month, day) * 86_400 + 86_398;
                let (time, date) = dos(modified);
                assert_eq!(dos_time(date, time), Some(modified), "{year}-{month}-{day}");
            }
        }
        assert_eq!(dos_time(dos(0).1, dos(0).0), Some(days(1980, 1, 1) * 86_400));
    }

    #[test]
    fn a_place_beyond_four_gigabytes_has_a_field_of_its_own() {
        let facts = Facts::fresh(b"a", 1_700_000_000);
        let near = super::record::Record::parse(&facts.central(0xFFFF_FFFE).unwrap()).unwrap();
        let far = super::record::Record::parse(&facts.central(0xFFFF_FFFF).unwrap()).unwrap();
        assert_eq!((near.local, far.local), (0xFFFF_FFFE, 0xFFFF_FFFF));
        assert_eq!(far.time, Some(1_700_000_000));
    }
}
