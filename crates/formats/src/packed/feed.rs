//! The compressed bytes of a stream, from any bit on.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use readstone_base::Blob;

/// The bytes a stream is read from.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// The source.
    pub(crate) source: Arc<dyn Blob>,
    /// Where in it the stream stands.
    pub(crate) range: Range<u64>,
}

/// Reads a stream in order, beginning at a bit of the source.
#[derive(Debug)]
pub(super) struct Feed {
    input: Input,
    /// The bit at which the first byte handed out begins.
    origin: u64,
    /// Bytes used since.
    used: u64,
    /// The next byte of the source to be loaded.
    next: u64,
    /// The last byte of the source that was loaded, when a part of it is still to be handed out.
    carry: Option<u8>,
    bytes: Vec<u8>,
    at: usize,
    step: usize,
}

impl Feed {
    pub(super) const SMALL: usize = 1024;
    pub(super) const LARGE: usize = 64 * 1024;

    /// Begins at a bit of the source.
    pub(super) fn new(input: Input, bit: u64, step: usize) -> Self {
        Self { input, origin: bit, used: 0, next: bit / 8, carry: None, bytes: Vec::new(), at: 0, step }
    }

    /// Bytes that were not used yet, loaded if need be; none at the end.
    pub(super) fn load(&mut self) -> io::Result<&[u8]> {
        if self.at >= self.bytes.len() {
            self.refill()?;
        }
        Ok(self.bytes.get(self.at..).unwrap_or_default())
    }

    fn refill(&mut self) -> io::Result<()> {
        let skip = self.origin % 8;
        let first = skip > 0 && self.carry.is_none() && self.used == 0;
        let count = (self.input.range.end.saturating_sub(self.next)).min(self.step as u64);
        self.bytes.resize(super::size(count), 0);
        let got = self.input.source.read_at(self.next, &mut self.bytes)?;
        self.bytes.truncate(got);
        self.next += got as u64;
        self.at = 0;
        if skip == 0 {
            return Ok(());
        }
        if first && !self.bytes.is_empty() {
            self.carry = Some(self.bytes.remove(0));
        }
        self.shift(skip);
        Ok(())
    }

    fn shift(&mut self, skip: u64) {
        let Some(mut before) = self.carry else { return };
        if self.bytes.is_empty() {
            self.carry = None;
            self.bytes.push(before >> skip);
            return;
        }
        for byte in &mut self.bytes {
            let now = *byte;
            *byte = (before >> skip) | (now << (8 - skip));
            before = now;
        }
        self.carry = Some(before);
    }

    /// Says that so many of the bytes were used.
    pub(super) fn take(&mut self, count: usize) {
        self.at += count;
        self.used += count as u64;
    }

    /// The bit behind the last byte that was used.
    pub(super) fn bit(&self) -> u64 {
        self.origin + 8 * self.used
    }

    /// The byte of the source behind the last one that was used, or the byte behind that when it is not sure.
    pub(super) fn ends(&self) -> (u64, Option<u64>) {
        let end = self.origin / 8 + self.used;
        (end, (!self.origin.is_multiple_of(8)).then_some(end + 1))
    }

    /// How far the source was loaded.
    pub(super) fn loaded(&self) -> u64 {
        self.next
    }

    /// Where the source ends.
    pub(super) fn end(&self) -> u64 {
        self.input.range.end
    }

    /// Goes on at a byte of the source.
    pub(super) fn jump(&mut self, to: u64) {
        let first = self.next.saturating_sub(self.bytes.len() as u64);
        if self.origin.is_multiple_of(8) && (first..=self.next).contains(&to) {
            self.at = super::size(to - first);
        } else {
            self.bytes.clear();
            self.at = 0;
            self.next = to;
        }
        self.carry = None;
        self.origin = to * 8;
        self.used = 0;
    }

    /// Up to `count` bytes of the source from a byte on.
    pub(super) fn peek(&self, from: u64, count: u64) -> io::Result<Vec<u8>> {
        let end = from.saturating_add(count).min(self.input.range.end);
        self.input.source.read_range(from, end.max(from))
    }
}
