//! One record of a zip archive's directory.

use super::super::index::{Entry, Kind, odd};

/// The bytes of a record before its name.
pub(super) const FIXED: usize = 46;
/// No record is longer.
pub(super) const LONGEST: u64 = FIXED as u64 + 3 * 0xFFFF;
pub(super) const SIGNATURE: &[u8] = b"PK\x01\x02";

const ENCRYPTED: u16 = 1;
/// Sizes and checksum stand behind the data.
pub(super) const BEHIND: u16 = 8;

/// What is said of an entry.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    pub(super) name: Vec<u8>,
    /// The name in UTF-8, where it is given beside one in an encoding of its time.
    pub(super) unicode: Option<Vec<u8>>,
    pub(super) flags: u16,
    pub(super) method: Method,
    pub(super) crc: u32,
    pub(super) packed: u64,
    pub(super) size: u64,
    /// Where its data are announced, from the beginning of the archive.
    pub(super) local: u64,
    pub(super) time: Option<i64>,
    /// The kind of file by Unix's mode, where that is given.
    pub(super) mode: Option<u32>,
}

/// How an entry is packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Method(pub(super) u16);

impl Method {
    pub(super) const STORED: Self = Self(0);
    pub(super) const DEFLATE: Self = Self(8);
    pub(super) const BZIP2: Self = Self(12);
    pub(super) const ZSTD: Self = Self(93);
    pub(super) const XZ: Self = Self(95);
    const AES: Self = Self(99);

    pub(super) fn is_known(self) -> bool {
        [Self::STORED, Self::DEFLATE, Self::BZIP2, Self::ZSTD, Self::XZ].contains(&self)
    }

    /// What it is called.
    pub(super) fn name(self) -> String {
        let name = match self.0 {
            1 => "shrunk",
            2..=5 => "reduced",
            6 => "imploded",
            9 => "deflate64",
            14 => "LZMA",
            96 => "JPEG",
            97 => "WavPack",
            98 => "PPMd",
            99 => "AES",
            other => return format!("method {other}"),
        };
        format!("method {} ({name})", self.0)
    }
}

/// The length of the record at the beginning of `bytes`, when one is there.
pub(super) fn length(bytes: &[u8]) -> Option<usize> {
    if bytes.len() < FIXED || !bytes.starts_with(SIGNATURE) {
        return None;
    }
    let parts = [28, 30, 32].iter().map(|at| usize::from(short(bytes, *at))).sum::<usize>();
    Some(FIXED + parts)
}

impl Record {
    /// Reads the record at the beginning of `bytes`.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.get(..length(bytes)?)?;
        let (name, extra) = (usize::from(short(bytes, 28)), usize::from(short(bytes, 30)));
        let extra = bytes.get(FIXED + name..FIXED + name + extra)?;
        let mut record = Self {
            name: bytes.get(FIXED..FIXED + name)?.to_vec(),
            unicode: None,
            flags: short(bytes, 8),
            method: Method(short(bytes, 10)),
            crc: word(bytes, 16),
            packed: u64::from(word(bytes, 20)),
            size: u64::from(word(bytes, 24)),
            local: u64::from(word(bytes, 42)),
            time: dos_time(short(bytes, 14), short(bytes, 12)),
            mode: unix_mode(short(bytes, 4), word(bytes, 38)),
        };
        record.read_extra(extra);
        Some(record)
    }

    /// Fields that did not fit, and a better time.
    pub(super) fn read_extra(&mut self, mut extra: &[u8]) {
        const LARGE: u16 = 1;
        const TIME: u16 = 0x5455;
        const NAME: u16 = 0x7075;
        while extra.len() >= 4 {
            let (kind, size) = (short(extra, 0), usize::from(short(extra, 2)));
            let Some(field) = extra.get(4..4 + size) else { return };
            match kind {
                LARGE => self.read_large(field),
                NAME => self.read_name(field),
                TIME if field.len() >= 5 && field.first().is_some_and(|flags| flags & 1 != 0) => {
                    self.time = Some(i64::from(word(field, 1).cast_signed()));
                }
                _ => {}
            }
            extra = extra.get(4 + size..).unwrap_or_default();
        }
    }

    /// The name in UTF-8, which holds only for the name whose checksum stands before it.
    fn read_name(&mut self, field: &[u8]) {
        const VERSION: u8 = 1;
        let name = field.get(5..).filter(|name| !name.is_empty() && std::str::from_utf8(name).is_ok());
        if field.first() == Some(&VERSION) && word(field, 1) == crc32fast::hash(&self.name) {
            self.unicode = name.map(<[u8]>::to_vec);
        }
    }

    /// The name by which the entry is known.
    pub(super) fn shown(&self) -> &[u8] {
        self.unicode.as_deref().unwrap_or(&self.name)
    }

    fn read_large(&mut self, mut field: &[u8]) {
        const FULL: u64 = 0xFFFF_FFFF;
        for number in [&mut self.size, &mut self.packed, &mut self.local] {
            if *number == FULL && field.len() >= 8 {
                *number = long(field, 0);
                field = field.get(8..).unwrap_or_default();
            }
        }
    }

    /// The entry that the record at `at` stands for.
    pub(super) fn entry(&self, at: u64) -> Entry {
        let mut odds = 0;
        if self.flags & ENCRYPTED != 0 || self.method == Method::AES {
            odds |= odd::ENCRYPTED;
        } else if !self.method.is_known() {
            odds |= odd::UNSUPPORTED;
        }
        Entry { kind: self.kind(), odd: odds, size: self.size, offset: at, time: self.time }
    }

    fn kind(&self) -> Kind {
        if self.shown().ends_with(b"/") {
            return Kind::Directory;
        }
        match self.mode.map(|mode| mode >> 12) {
            Some(0o01) => Kind::Fifo,
            Some(0o02) => Kind::CharacterDevice,
            Some(0o04) => Kind::Directory,
            Some(0o06) => Kind::BlockDevice,
            Some(0o12) => Kind::Symlink,
            Some(0o14) => Kind::Socket,
            Some(_) | None => Kind::File,
        }
    }
}

fn unix_mode(made_by: u16, attributes: u32) -> Option<u32> {
    const UNIX: u16 = 3;
    const DARWIN: u16 = 19;
    let mode = attributes >> 16;
    (matches!(made_by >> 8, UNIX | DARWIN) && mode > 0).then_some(mode)
}

/// Seconds since the epoch of a date and time as DOS wrote them, taken as they stand.
pub(super) fn dos_time(date: u16, time: u16) -> Option<i64> {
    let (year, month, day) = (1980 + i64::from(date >> 9), i64::from(date >> 5 & 15), i64::from(date & 31));
    if !(1..=12).contains(&month) || day == 0 {
        return None;
    }
    let seconds = i64::from(time >> 11) * 3_600 + i64::from(time >> 5 & 63) * 60 + i64::from(time & 31) * 2;
    Some(days(year, month, day) * 86_400 + seconds)
}

/// Days since the epoch of a date in the Gregorian calendar.
pub(in super::super) fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years are counted from March, so that the day that is only sometimes there is the last of a year.
    let year = if month <= 2 { year - 1 } else { year };
    let months = (month + 9) % 12;
    365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (months * 153 + 2) / 5 + day
        - 719_469
}

/// Two bytes, the low one first; nothing is there where the bytes end.
pub(super) fn short(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |chunk| u16::from_le_bytes(*chunk))
}

/// Four bytes, the low one first.
pub(super) fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |chunk| u32::from_le_bytes(*chunk))
}

/// Eight bytes, the low one first.
pub(super) fn long(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |chunk| u64::from_le_bytes(*chunk))
}
