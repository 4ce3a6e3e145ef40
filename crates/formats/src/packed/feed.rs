//! The compressed bytes of a stream, from any bit on.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use readstone_base::{Blob, Budget};

use super::lead::lead;

/// The bytes a stream is read from.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// The source.
    pub(crate) source: Arc<dyn Blob>,
    /// Where in it the stream stands.
    pub(crate) range: Range<u64>,
    /// The time of the call.
    pub(crate) budget: Budget,
}

impl Input {
    /// Asks whether the call may go on.
    pub(super) fn go_on(&self) -> io::Result<()> {
        super::go_on(&self.budget)
    }
}

/// Reads a stream in order, beginning at a bit of the source.
#[derive(Debug)]
pub(super) struct Feed {
    input: Input,
    /// The next byte of the source to be loaded.
    next: u64,
    /// Bytes at hand that are none of the source's.
    lead: usize,
    bytes: Vec<u8>,
    at: usize,
    /// The bit within the first byte at which to begin, until that byte was loaded.
    skip: u8,
    step: usize,
}

impl Feed {
    pub(super) const SMALL: usize = 1024;
    pub(super) const LARGE: usize = 64 * 1024;

    /// Begins at a bit of the source.
    pub(super) fn new(input: Input, bit: u64, step: usize) -> Self {
        let skip = u8::try_from(bit % 8).unwrap_or(0);
        Self { input, next: bit / 8, lead: 0, bytes: Vec::new(), at: 0, skip, step }
    }

    /// Bytes that were not used yet, loaded if need be; none at the end.
    pub(super) fn load(&mut self) -> io::Result<&[u8]> {
        if self.at >= self.bytes.len() {
            self.refill()?;
        }
        Ok(self.bytes.get(self.at..).unwrap_or_default())
    }

    /// Asks whether the call may go on.
    pub(super) fn go_on(&self) -> io::Result<()> {
        self.input.go_on()
    }

    fn refill(&mut self) -> io::Result<()> {
        self.go_on()?;
        let count = (self.input.range.end.saturating_sub(self.next)).min(self.step as u64);
        self.lead = 0;
        self.at = 0;
        self.bytes.resize(super::size(count), 0);
        let got = self.input.source.read_at(self.next, &mut self.bytes)?;
        self.bytes.truncate(got);
        self.next += got as u64;
        let skip = std::mem::take(&mut self.skip);
        if skip > 0 {
            let (before, low) = lead(skip);
            if let Some(first) = self.bytes.first_mut() {
                *first = *first >> skip << skip | low;
            }
            self.lead = before.len();
            self.bytes.splice(..0, before);
        }
        Ok(())
    }

    /// Says that so many of the bytes were used.
    pub(super) fn take(&mut self, count: usize) {
        self.at += count;
    }

    /// The byte of the source behind the last one that was used.
    pub(super) fn position(&self) -> u64 {
        let left = self.bytes.len().saturating_sub(self.at.max(self.lead));
        self.next - left as u64
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
        let first = self.first();
        if (first..=self.next).contains(&to) {
            self.at = self.lead + super::size(to - first);
        } else {
            self.bytes.clear();
            self.lead = 0;
            self.at = 0;
            self.next = to;
        }
    }

    /// Up to `count` bytes of the source from a byte on.
    pub(super) fn peek(&self, from: u64, count: u64) -> io::Result<Vec<u8>> {
        let end = from.saturating_add(count).min(self.input.range.end).max(from);
        let first = self.first();
        // The first byte at hand may have lost bits to the lead.
        if first < from && end <= self.next {
            let at = self.lead + super::size(from - first);
            return Ok(self.bytes.get(at..at + super::size(end - from)).unwrap_or_default().to_vec());
        }
        self.input.source.read_range(from, end)
    }

    /// The first byte of the source that is at hand.
    fn first(&self) -> u64 {
        self.next - self.bytes.len().saturating_sub(self.lead) as u64
    }
}
