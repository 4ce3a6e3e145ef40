//! Blobs that are a part of another blob, or were made from one.

use std::io;
use std::sync::Arc;

use readstone_base::{Blob, Stamp};

/// Where bytes come from: they are the same as long as their source is.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// The source.
    pub(crate) source: Arc<dyn Blob>,
    /// What they are called in it.
    pub(crate) part: Arc<[u8]>,
}

impl Origin {
    pub(crate) fn new(source: &Arc<dyn Blob>, part: &[u8]) -> Self {
        Self { source: Arc::clone(source), part: part.into() }
    }

    /// Who they are now, being so many.
    pub(crate) fn now(&self, size: Option<u64>) -> io::Result<Option<Stamp>> {
        Ok(self.part_of(self.source.stamp()?, size))
    }

    /// Who they were when their source was opened.
    pub(crate) fn when_opened(&self, size: Option<u64>) -> io::Result<Option<Stamp>> {
        Ok(self.part_of(self.source.stamp_when_opened()?, size))
    }

    fn part_of(&self, source: Option<Stamp>, size: Option<u64>) -> Option<Stamp> {
        let part = source?.part(&self.part);
        Some(Stamp { size: size.unwrap_or(part.size), ..part })
    }
}

/// A run of bytes of another blob.
#[derive(Debug)]
pub(crate) struct Slice {
    origin: Origin,
    start: u64,
    length: u64,
}

impl Slice {
    pub(crate) fn new(origin: Origin, start: u64, length: u64) -> Self {
        Self { origin, start, length }
    }
}

impl Blob for Slice {
    fn len(&self) -> Option<u64> {
        Some(self.length)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = super::size(self.length.saturating_sub(offset));
        let wanted = rest.min(buffer.len());
        let Some(buffer) = buffer.get_mut(..wanted).filter(|buffer| !buffer.is_empty()) else { return Ok(0) };
        self.origin.source.read_at(self.start.saturating_add(offset), buffer)
    }

    fn stamp(&self) -> io::Result<Option<Stamp>> {
        self.origin.now(self.len())
    }

    fn stamp_when_opened(&self) -> io::Result<Option<Stamp>> {
        self.origin.when_opened(self.len())
    }

    fn is_serial(&self) -> bool {
        self.origin.source.is_serial()
    }
}

/// Bytes that were unpacked into memory.
#[derive(Debug)]
pub(crate) struct Held {
    origin: Origin,
    bytes: Arc<Vec<u8>>,
}

impl Held {
    pub(crate) fn new(origin: Origin, bytes: Arc<Vec<u8>>) -> Self {
        Self { origin, bytes }
    }
}

impl Blob for Held {
    fn len(&self) -> Option<u64> {
        Some(self.bytes.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = self.bytes.get(super::size(offset)..).unwrap_or_default();
        Ok(super::copy(rest, buffer))
    }

    fn stamp(&self) -> io::Result<Option<Stamp>> {
        self.origin.now(self.len())
    }

    fn stamp_when_opened(&self) -> io::Result<Option<Stamp>> {
        self.origin.when_opened(self.len())
    }
}
