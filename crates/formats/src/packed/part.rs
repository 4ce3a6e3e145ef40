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

    pub(crate) fn now(&self) -> io::Result<Option<Stamp>> {
        Ok(self.source.stamp()?.map(|stamp| stamp.part(&self.part)))
    }

    pub(crate) fn when_opened(&self) -> io::Result<Option<Stamp>> {
        Ok(self.source.stamp_when_opened()?.map(|stamp| stamp.part(&self.part)))
    }
}

/// A stamp of bytes whose number is known.
pub(crate) fn sized(stamp: Option<Stamp>, size: u64) -> Option<Stamp> {
    stamp.map(|stamp| Stamp { size, ..stamp })
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
        Ok(sized(self.origin.now()?, self.length))
    }

    fn stamp_when_opened(&self) -> io::Result<Option<Stamp>> {
        Ok(sized(self.origin.when_opened()?, self.length))
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
        Ok(sized(self.origin.now()?, self.bytes.len() as u64))
    }

    fn stamp_when_opened(&self) -> io::Result<Option<Stamp>> {
        Ok(sized(self.origin.when_opened()?, self.bytes.len() as u64))
    }
}
