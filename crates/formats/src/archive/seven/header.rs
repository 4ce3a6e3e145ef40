//! Looks at the directory of a 7z archive before the library does, which takes whatever memory it declares.

use readstone_base::{Blob, Fault};

use super::super::error::Error;
use super::super::members::failed;
use super::coder_memory;

/// The bytes before everything else.
const FIXED: u64 = 32;
const PACKED_DIRECTORY: u8 = 0x17;
const END: u8 = 0;
const PACKED: u8 = 6;
const UNPACKED: u8 = 7;
const SIZES: u8 = 9;
const CHECKSUMS: u8 = 10;
const FOLDERS: u8 = 11;
const UNPACKED_SIZES: u8 = 12;
/// No chain of coders is longer.
const MOST_CODERS: u64 = 32;

/// How many bytes the directory takes, which must not be more than `memory`.
pub(super) fn check(blob: &dyn Blob, path: &str, memory: u64) -> Result<u64, Fault> {
    let head = blob.read_range(0, FIXED).map_err(failed(path))?;
    let long =
        |at: usize| head.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |chunk| u64::from_le_bytes(*chunk));
    let (offset, size) = (long(12), long(20));
    let corrupt = || Error::corrupt(path, "its directory cannot be read").boxed();
    let start = FIXED.checked_add(offset).ok_or_else(corrupt)?;
    let end = start.checked_add(size).ok_or_else(corrupt)?;
    if blob.len().is_some_and(|length| end > length) {
        return Err(Error::corrupt(path, "it is cut").boxed());
    }
    let mut asks = size;
    if size > 0 && size <= memory {
        let bytes = blob.read_range(start, end).map_err(failed(path))?;
        if bytes.first() == Some(&PACKED_DIRECTORY) {
            asks = Cursor(bytes.get(1..).unwrap_or_default()).memory().ok_or_else(corrupt)?;
        }
    }
    if asks <= memory {
        return Ok(asks);
    }
    let what = format!("a directory of {asks} bytes is above unpack_memory");
    Err(Error::Limit { address: path.to_owned(), what }.boxed())
}

/// Reads the description of a packed directory.
struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn take(&mut self, count: u64) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(usize::try_from(count).ok()?)?;
        self.0 = rest;
        Some(taken)
    }

    /// A number: the leading ones of its first byte tell how many bytes follow.
    fn number(&mut self) -> Option<u64> {
        let first = self.byte()?;
        let more = first.leading_ones();
        let low = self.take(u64::from(more))?;
        let value = low.iter().rev().fold(0_u64, |value, byte| value << 8 | u64::from(*byte));
        let high = if more >= 7 { 0 } else { u64::from(first) & ((1 << (7 - more)) - 1) };
        Some(value | high << (8 * more))
    }

    /// The memory that unpacking takes: that of the coders, and what comes out.
    fn memory(&mut self) -> Option<u64> {
        let mut kind = self.byte()?;
        if kind == PACKED {
            self.skip_packed()?;
            kind = self.byte()?;
        }
        if kind != UNPACKED || self.byte()? != FOLDERS {
            return None;
        }
        let folders = self.number().filter(|count| *count <= MOST_CODERS)?;
        if self.byte()? != 0 {
            return None;
        }
        let (mut memory, mut outputs) = (0_u64, 0_u64);
        for _ in 0..folders {
            let (asks, streams) = self.folder()?;
            memory = memory.saturating_add(asks);
            outputs = outputs.checked_add(streams)?;
        }
        if self.byte()? != UNPACKED_SIZES {
            return None;
        }
        for _ in 0..outputs {
            memory = memory.saturating_add(self.number()?);
        }
        Some(memory)
    }

    fn skip_packed(&mut self) -> Option<()> {
        self.number()?;
        let streams = self.number().filter(|count| *count <= MOST_CODERS)?;
        loop {
            match self.byte()? {
                END => return Some(()),
                SIZES => {
                    for _ in 0..streams {
                        self.number()?;
                    }
                }
                CHECKSUMS => {
                    let defined = if self.byte()? == 0 {
                        self.take(streams.div_ceil(8))?.iter().map(|byte| u64::from(byte.count_ones())).sum()
                    } else {
                        streams
                    };
                    self.take(defined * 4)?;
                }
                _ => return None,
            }
        }
    }

    /// The memory of a chain of coders, and how many streams come out of them.
    fn folder(&mut self) -> Option<(u64, u64)> {
        const ID: u8 = 0x0F;
        const COMPLEX: u8 = 0x10;
        const PROPERTIES: u8 = 0x20;
        let coders = self.number().filter(|count| (1..=MOST_CODERS).contains(count))?;
        let (mut memory, mut inputs, mut outputs) = (0_u64, 0_u64, 0_u64);
        for _ in 0..coders {
            let flags = self.byte()?;
            let id = self.take(u64::from(flags & ID))?;
            let (more, out) = if flags & COMPLEX == 0 { (1, 1) } else { (self.number()?, self.number()?) };
            inputs = inputs.checked_add(more).filter(|count| *count <= MOST_CODERS)?;
            outputs = outputs.checked_add(out).filter(|count| *count <= MOST_CODERS)?;
            if flags & PROPERTIES != 0 {
                let size = self.number()?;
                memory = memory.saturating_add(coder_memory(id, self.take(size)?));
            }
        }
        let pairs = outputs.checked_sub(1)?;
        for _ in 0..pairs * 2 {
            self.number()?;
        }
        let packed = inputs.checked_sub(pairs)?;
        if packed > 1 {
            for _ in 0..packed {
                self.number()?;
            }
        }
        Some((memory, outputs))
    }
}
