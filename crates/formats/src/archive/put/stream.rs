//! Bytes on their way into a new archive.

use std::io;
use std::ops::Range;

use crc32fast::Hasher;
use readstone_base::{Blob, Budget};
use zlib_rs::{Deflate, DeflateFlush, Status};

use crate::packed::{self, Trouble, fill, go_on};

const STEP: u64 = 256 * 1024;
/// The level of compression that most programs use.
const USUAL: i32 = 6;

/// Copies a range of bytes, all of which must be there.
pub(in super::super) fn copy(
    blob: &dyn Blob,
    range: Range<u64>,
    sink: &mut dyn io::Write,
    budget: &Budget,
) -> io::Result<()> {
    let mut at = range.start;
    let mut buffer = vec![0; packed::size(range.end.saturating_sub(at).min(STEP))];
    while at < range.end {
        go_on(budget)?;
        let room = buffer.get_mut(..packed::size((range.end - at).min(STEP))).unwrap_or_default();
        let wanted = room.len();
        if fill(blob, at, room)? < wanted {
            return Err(Trouble::Cut { at }.into());
        }
        sink.write_all(room)?;
        at += wanted as u64;
    }
    Ok(())
}

/// Puts a value over what stands at a place; `None` when it does not fit there.
pub(in super::super) fn set(bytes: &mut [u8], at: usize, value: &[u8]) -> Option<()> {
    bytes.get_mut(at..at.checked_add(value.len())?)?.copy_from_slice(value);
    Some(())
}

/// Bytes compressed as an entry of a zip archive is; `None` when that makes them no smaller.
pub(in super::super) fn deflated(content: &[u8], budget: &Budget) -> io::Result<Option<Vec<u8>>> {
    let mut made = Vec::new();
    let mut squeeze = Squeeze::new(USUAL);
    for piece in content.chunks(packed::size(STEP)) {
        go_on(budget)?;
        squeeze.feed(piece, DeflateFlush::NoFlush, &mut made)?;
        if made.len() >= content.len() {
            return Ok(None);
        }
    }
    squeeze.feed(&[], DeflateFlush::Finish, &mut made)?;
    Ok((made.len() < content.len()).then_some(made))
}

/// A deflate stream that is written.
struct Squeeze {
    deflate: Deflate,
    buffer: Vec<u8>,
}

impl Squeeze {
    fn new(level: i32) -> Self {
        Self { deflate: Deflate::new(level, false, 15), buffer: vec![0; packed::size(STEP / 4)] }
    }

    fn feed(&mut self, mut input: &[u8], flush: DeflateFlush, sink: &mut dyn io::Write) -> io::Result<()> {
        loop {
            let (before_in, before_out) = (self.deflate.total_in(), self.deflate.total_out());
            let status = self.deflate.compress(input, &mut self.buffer, flush);
            let status = status.map_err(|error| io::Error::other(error.as_str()))?;
            let used = packed::size(self.deflate.total_in() - before_in);
            let made = packed::size(self.deflate.total_out() - before_out);
            sink.write_all(self.buffer.get(..made).unwrap_or_default())?;
            input = input.get(used..).unwrap_or_default();
            let idle = input.is_empty() && made < self.buffer.len() && flush == DeflateFlush::NoFlush;
            if idle || status == Status::StreamEnd {
                return Ok(());
            }
        }
    }
}

/// The header of a gzip member that is written.
#[derive(Clone, Debug)]
pub(in super::super) struct Gzip {
    header: Vec<u8>,
    level: i32,
}

impl Gzip {
    const NAME: u8 = 8;
    const COMMENT: u8 = 16;

    /// One without a name.
    pub(super) fn fresh() -> Self {
        Self { header: vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3], level: USUAL }
    }

    /// One that says what that of a file says: its name, its comment, its system. Other fields tell of the bytes that go.
    pub(super) fn like(blob: &dyn Blob, modified: i64) -> io::Result<Self> {
        const TEXT: u8 = 1;
        const EXTRA: u8 = 4;
        let Some(old) = packed::gzip_header(blob)? else { return Ok(Self::fresh()) };
        let flags = old.get(3).copied().unwrap_or(0);
        let mut rest = old.get(10..).unwrap_or_default();
        if flags & EXTRA != 0 {
            let length = rest.first_chunk().map_or(0, |length| usize::from(u16::from_le_bytes(*length)));
            rest = rest.get(2 + length..).unwrap_or_default();
        }
        let texts: usize = [Self::NAME, Self::COMMENT].iter().map(|text| usize::from(flags & text != 0)).sum();
        let end = memchr::memchr_iter(0, rest).take(texts).last().map_or(0, |at| at + 1);
        let mut header: Vec<u8> = old.iter().take(10).copied().collect();
        if let Some(place) = header.get_mut(3) {
            *place = flags & (TEXT | Self::NAME | Self::COMMENT);
        }
        // Whoever left the time out wants the same bytes each time.
        if let Some(time) = header.get_mut(4..8).filter(|time| time.iter().any(|byte| *byte != 0)) {
            time.copy_from_slice(&u32::try_from(modified).unwrap_or(0).to_le_bytes());
        }
        let level = match header.get(8) {
            Some(2) => 9,
            Some(4) => 1,
            Some(_) | None => USUAL,
        };
        header.extend_from_slice(rest.get(..end).unwrap_or_default());
        Ok(Self { header, level })
    }

    /// Writes the header, and takes what comes behind it.
    pub(super) fn begin<'a>(&self, sink: &'a mut dyn io::Write) -> io::Result<Packer<'a>> {
        sink.write_all(&self.header)?;
        Ok(Packer { sink, squeeze: Squeeze::new(self.level), crc: Hasher::new(), size: 0 })
    }
}

/// Compresses what is written to it.
pub(super) struct Packer<'a> {
    sink: &'a mut dyn io::Write,
    squeeze: Squeeze,
    crc: Hasher,
    size: u64,
}

impl Packer<'_> {
    /// Writes the end.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.squeeze.feed(&[], DeflateFlush::Finish, self.sink)?;
        self.sink.write_all(&self.crc.finalize().to_le_bytes())?;
        let size = u32::try_from(self.size & 0xFFFF_FFFF).unwrap_or(0);
        self.sink.write_all(&size.to_le_bytes())
    }
}

impl io::Write for Packer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.squeeze.feed(bytes, DeflateFlush::NoFlush, self.sink)?;
        self.crc.update(bytes);
        self.size += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}
