//! The bytes of a blob in pieces, fetched ahead and kept for one opening: each question may be one to another process.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use readstone_base::{Blob, Stamp};

/// The size of a piece.
const PIECE: u64 = 16 * 1024;
/// The number of bytes that are fetched at first.
pub(super) const FIRST: u64 = PIECE;
/// The most bytes that are fetched at once, where reading goes on in order.
const MOST_AT_ONCE: u64 = 32 * PIECE;
/// The number of pieces that are kept. When there are more, all are dropped, because SQLite keeps pages of its own.
const MOST_KEPT: usize = 256;

/// A blob that is read a piece at a time.
#[derive(Debug)]
pub(super) struct Ahead {
    blob: Arc<dyn Blob>,
    /// The stamp of the blob when it was opened.
    stamp: Option<Stamp>,
    /// The size of the blob when it was opened. Bytes that are appended later belong to another opening.
    size: u64,
    pieces: HashMap<u64, Box<[u8]>>,
    /// The end of the last fetched bytes.
    end: u64,
    /// The number of bytes to fetch next, where reading goes on in order.
    stride: u64,
}

impl Ahead {
    /// A blob that was just opened.
    pub(super) fn of(blob: Arc<dyn Blob>) -> io::Result<Self> {
        let stamp = blob.stamp()?;
        // A database may have grown since its descriptor was opened.
        let size = stamp.map_or_else(|| blob.len().unwrap_or(0), |stamp| stamp.size);
        Ok(Self { blob, stamp, size, pieces: HashMap::new(), end: 0, stride: FIRST })
    }

    /// The blob itself.
    pub(super) fn blob(&self) -> &Arc<dyn Blob> {
        &self.blob
    }

    /// The stamp of the blob when it was opened.
    pub(super) fn stamp(&self) -> Option<Stamp> {
        self.stamp
    }

    /// How many bytes it has.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Fills as much of the buffer as there is from an offset on.
    pub(super) fn read(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut done = 0;
        while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
            let at = offset.saturating_add(done as u64);
            let start = at - at % PIECE;
            if !self.pieces.contains_key(&start) {
                self.fetch(start)?;
            }
            let within = usize::try_from(at - start).unwrap_or(usize::MAX);
            let there = self.pieces.get(&start).and_then(|piece| piece.get(within..)).unwrap_or_default();
            let count = there.len().min(rest.len());
            if count == 0 {
                break;
            }
            if let (Some(to), Some(from)) = (rest.get_mut(..count), there.get(..count)) {
                to.copy_from_slice(from);
            }
            done += count;
        }
        Ok(done)
    }

    /// Fetches the piece that begins here, and more where reading goes on where it stopped.
    fn fetch(&mut self, start: u64) -> io::Result<()> {
        if self.pieces.len() >= MOST_KEPT {
            self.pieces.clear();
        }
        let goes_on = start == self.end;
        let wanted = if goes_on { self.stride } else { PIECE };
        self.stride = if goes_on { (self.stride * 2).min(MOST_AT_ONCE) } else { FIRST };
        let bytes = self.blob.read_range(start, start.saturating_add(wanted))?;
        self.end = start.saturating_add(wanted);
        if bytes.is_empty() {
            self.pieces.insert(start, Box::default());
        }
        let size = usize::try_from(PIECE).unwrap_or(usize::MAX);
        for (index, piece) in bytes.chunks(size).enumerate() {
            self.pieces.insert(start + index as u64 * PIECE, piece.into());
        }
        Ok(())
    }
}
