//! A file as SQLite sees it: the bytes of a blob under whatever was written over them in memory.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use readstone_base::{Blob, Stamp};

use crate::database::ahead::Ahead;
use crate::database::held::Held;

/// What is written is kept in pieces of this size.
const PIECE: usize = 4096;

/// Bytes that can be changed without changing the blob they come from.
#[derive(Debug, Default)]
pub(super) struct Bytes {
    base: Option<Ahead>,
    /// The bytes of the blob that still count; what was cut off never comes back.
    kept: Option<u64>,
    /// The size, once it differs from the blob's.
    size: Option<u64>,
    written: BTreeMap<u64, Box<[u8; PIECE]>>,
    held: Held,
}

impl Bytes {
    /// The bytes of a blob.
    pub(super) fn of(base: Arc<dyn Blob>) -> io::Result<Self> {
        Ok(Self { base: Some(Ahead::of(base)?), ..Self::default() })
    }

    /// The blob below.
    pub(super) fn base(&self) -> Option<&Arc<dyn Blob>> {
        self.base.as_ref().map(Ahead::blob)
    }

    /// The stamp of the blob when it was opened.
    pub(super) fn stamp(&self) -> Option<Stamp> {
        self.base.as_ref().and_then(Ahead::stamp)
    }

    /// Whether anything was changed.
    pub(super) fn is_changed(&self) -> bool {
        self.size.is_some() || !self.written.is_empty()
    }

    /// How many bytes there are now.
    pub(super) fn size(&self) -> u64 {
        match (self.size, &self.base) {
            (Some(size), _) => size,
            (None, Some(base)) => base.size(),
            (None, None) => 0,
        }
    }

    /// Fills the buffer; what lies behind the end is zero, and then the count is less than asked.
    pub(super) fn read(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut count = self.read_base(offset, buffer)?;
        if let Some(rest) = buffer.get_mut(count..) {
            rest.fill(0);
        }
        if self.is_changed() {
            self.read_written(offset, buffer);
            let there = self.size().saturating_sub(offset);
            count = usize::try_from(there).unwrap_or(usize::MAX).min(buffer.len());
        }
        Ok(count)
    }

    fn read_base(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(base) = &mut self.base else { return Ok(0) };
        let there = self.kept.map_or(u64::MAX, |kept| kept.saturating_sub(offset));
        let most = usize::try_from(there).unwrap_or(usize::MAX).min(buffer.len());
        match buffer.get_mut(..most) {
            Some(part) if most > 0 => base.read(offset, part),
            Some(_) | None => Ok(0),
        }
    }

    fn read_written(&self, offset: u64, buffer: &mut [u8]) {
        let end = offset.saturating_add(buffer.len() as u64);
        for (start, piece) in self.written.range(floor(offset)..end) {
            copy_overlap(*start, piece.as_slice(), offset, buffer);
        }
    }

    /// Writes over the bytes, in memory, as long as all files together take no more than `most` bytes of it.
    pub(super) fn write(&mut self, offset: u64, bytes: &[u8], most: u64) -> io::Result<()> {
        let end = offset.saturating_add(bytes.len() as u64);
        let size = self.size().max(end);
        let mut start = floor(offset);
        while start < end {
            if !self.written.contains_key(&start) {
                self.held.take(PIECE as u64, most)?;
                let mut piece = Box::new([0; PIECE]);
                self.read_base(start, piece.as_mut_slice())?;
                self.written.insert(start, piece);
            }
            if let Some(piece) = self.written.get_mut(&start) {
                copy_overlap(offset, bytes, start, piece.as_mut_slice());
            }
            start = start.saturating_add(PIECE as u64);
        }
        self.size = Some(size);
        Ok(())
    }

    /// Cuts or lengthens the bytes, in memory.
    pub(super) fn resize(&mut self, size: u64) {
        self.kept = Some(self.kept.map_or(size, |kept| kept.min(size)));
        self.written.split_off(&floor(size.saturating_add(PIECE as u64 - 1)));
        if let Some(last) = self.written.get_mut(&floor(size))
            && let Some(tail) = last.get_mut(usize::try_from(size - floor(size)).unwrap_or(PIECE)..)
        {
            tail.fill(0);
        }
        self.held.shrink_to(self.taken());
        self.size = Some(size);
    }

    /// How much memory the changes take.
    pub(super) fn taken(&self) -> u64 {
        (self.written.len() * PIECE) as u64
    }
}

fn floor(offset: u64) -> u64 {
    offset - offset % PIECE as u64
}

/// Copies what two runs of bytes have in common.
fn copy_overlap(from: u64, source: &[u8], to: u64, target: &mut [u8]) {
    let first = from.max(to);
    let last = from.saturating_add(source.len() as u64).min(to.saturating_add(target.len() as u64));
    let place = |at: u64, base: u64| usize::try_from(at.saturating_sub(base)).unwrap_or(usize::MAX);
    if first >= last {
        return;
    }
    if let (Some(source), Some(target)) =
        (source.get(place(first, from)..place(last, from)), target.get_mut(place(first, to)..place(last, to)))
    {
        target.copy_from_slice(source);
    }
}
