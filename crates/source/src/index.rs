//! The line index: where lines start, known every few hundred kilobytes, found by reading the file once.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use readstone_base::{Blob, Budget, Stamp, Stopped};

use crate::content::Newline;

/// Sparse knowledge of where lines start in one blob.
#[derive(Clone, Debug)]
pub struct LineIndex {
    newline: Newline,
    size: u64,
    /// At `marks[i].offset`, `marks[i].feeds` line feeds lie before.
    marks: Vec<Mark>,
    /// Bytes between two marks.
    spacing: u64,
    /// Everything before this offset is counted.
    counted: u64,
    feeds: u64,
    /// Whether the last byte of the blob ends a line; known when all is counted.
    ends_with_feed: bool,
    proof: Option<Proof>,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    offset: u64,
    feeds: u64,
}

/// Pieces of the file by which a grown file is known to be the same one.
#[derive(Clone, Debug)]
struct Proof {
    stamp: Stamp,
    counted: u64,
    pieces: Vec<(u64, Vec<u8>)>,
}

/// Where a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// It starts at this offset.
    At(u64),
    /// The blob has only this many lines.
    Only(u64),
}

/// Counting up to here is a matter of a moment.
const NEAR: u64 = CHUNK as u64;
/// A chunk that one thread counts; fits the second-level cache, so that counting runs at the speed of copying.
const CHUNK: usize = 256 * 1024;
/// Chunks counted between two looks at the budget.
const BATCH: u64 = 256;
/// Fewer bytes than this are counted without a second thread.
const ALONE: u64 = 4 * 1024 * 1024;
/// Marks kept; beyond, every second one is dropped.
const MOST_MARKS: usize = 64 * 1024;
/// Pieces that prove a grown file to be the same, and their length.
const PROOFS: u64 = 16;
const PROOF_BYTES: usize = 256;

impl LineIndex {
    /// An index of a blob of `size` bytes that knows nothing yet.
    pub fn new(newline: Newline, size: u64) -> Self {
        Self {
            newline,
            size,
            marks: vec![Mark { offset: 0, feeds: 0 }],
            spacing: CHUNK as u64,
            counted: 0,
            feeds: 0,
            ends_with_feed: false,
            proof: None,
        }
    }

    /// The number of lines, when all are counted.
    pub fn total(&self) -> Option<u64> {
        let open = u64::from(!self.ends_with_feed && self.size > 0);
        (self.counted >= self.size).then_some(self.feeds + open)
    }

    /// How far the blob is counted: bytes, and the lines that end within them.
    pub fn reach(&self) -> (u64, u64) {
        (self.counted, self.feeds)
    }

    /// Counts everything.
    pub fn count_all(&mut self, blob: &dyn Blob, budget: &Budget) -> io::Result<Result<u64, Stopped>> {
        match self.count_to(blob, u64::MAX, u64::MAX, budget)? {
            Ok(()) => Ok(Ok(self.total().unwrap_or(0))),
            Err(stopped) => Ok(Err(stopped)),
        }
    }

    /// Where line `line` starts.
    pub fn find(&mut self, blob: &dyn Blob, line: u64, budget: &Budget) -> io::Result<Result<Found, Stopped>> {
        let before = line.saturating_sub(1);
        if let Err(stopped) = self.count_to(blob, before, u64::MAX, budget)? {
            return Ok(Err(stopped));
        }
        if let Some(total) = self.total()
            && line > total
        {
            return Ok(Ok(Found::Only(total)));
        }
        if before == 0 {
            return Ok(Ok(Found::At(0)));
        }
        Ok(Ok(Found::At(self.start_before(blob, before)?)))
    }

    /// The number of the line that holds `offset`, and where it starts, when at most `reach` bytes need counting.
    pub fn line_at(
        &mut self,
        blob: &dyn Blob,
        offset: u64,
        reach: u64,
        budget: &Budget,
    ) -> io::Result<Option<(u64, u64)>> {
        if offset > self.counted && offset > reach {
            return Ok(None);
        }
        if self.count_to(blob, u64::MAX, offset, budget)?.is_err() {
            return Ok(None);
        }
        let after = self.marks.partition_point(|mark| mark.offset <= offset);
        let mark = self.marks.get(after.saturating_sub(1)).copied().unwrap_or(Mark { offset: 0, feeds: 0 });
        let (seen, behind_last) = self.feeds_between(blob, mark.offset, offset)?;
        let feeds = mark.feeds + seen;
        let start = match behind_last {
            Some(start) => start,
            None if feeds == 0 => 0,
            None => self.start_before(blob, feeds)?,
        };
        Ok(Some((feeds + 1, start)))
    }

    /// The line feeds between two offsets, and the offset behind the last of them.
    fn feeds_between(&self, blob: &dyn Blob, start: u64, end: u64) -> io::Result<(u64, Option<u64>)> {
        let (mut feeds, mut behind_last, mut offset) = (0, None, start);
        while let Some(data) = blob.next_data(offset)?.filter(|data| *data < end) {
            offset = offset.max(data / 4 * 4);
            let bytes = blob.read_range(offset, end.min(offset + CHUNK as u64))?;
            feeds += self.newline.count(&bytes);
            if let Some(at) = self.newline.rfind(&bytes) {
                behind_last = Some(offset + (at + self.newline.width()) as u64);
            }
            if bytes.is_empty() {
                break;
            }
            offset += bytes.len() as u64;
        }
        Ok((feeds, behind_last))
    }

    /// Where the line starts before which `feeds` line feeds lie, somewhere among the marks.
    fn start_before(&self, blob: &dyn Blob, feeds: u64) -> io::Result<u64> {
        let first = self.marks.partition_point(|mark| mark.feeds < feeds);
        let mark = self.marks.get(first.saturating_sub(1)).copied().unwrap_or(Mark { offset: 0, feeds: 0 });
        self.after_feed(blob, mark, feeds)
    }

    /// The offset behind the line feed number `feed` (from 1), which lies behind `mark`.
    fn after_feed(&self, blob: &dyn Blob, mark: Mark, feed: u64) -> io::Result<u64> {
        let (mut offset, mut left) = (mark.offset, feed - mark.feeds);
        let mut chunk = vec![0; chunk_size(self.size.saturating_sub(offset))];
        loop {
            let count = blob.read_at(offset, &mut chunk)?;
            let bytes = chunk.get(..count).unwrap_or_default();
            let feeds = self.newline.count(bytes);
            if feeds >= left {
                let behind = self.newline.after_nth(bytes, left - 1).unwrap_or(count);
                return Ok(offset + behind as u64);
            }
            if count < chunk.len() || count == 0 {
                return Ok(offset + count as u64);
            }
            left -= feeds;
            offset += count as u64;
        }
    }

    /// Counts until `feeds` line feeds, `offset` or the end is reached.
    fn count_to(
        &mut self,
        blob: &dyn Blob,
        feeds: u64,
        offset: u64,
        budget: &Budget,
    ) -> io::Result<Result<(), Stopped>> {
        while self.counted < self.size && self.feeds < feeds && self.counted < offset {
            // Most reads want the beginning; whoever goes on from there goes far.
            let go_on = if self.counted >= NEAR { budget.check_heavy() } else { budget.check() };
            if let Err(stopped) = go_on {
                return Ok(Err(stopped));
            }
            budget.progress().report(self.counted, self.size);
            let start = match blob.next_data(self.counted)? {
                Some(data) => data.min(self.size) / 4 * 4,
                None => self.size,
            };
            self.counted = self.counted.max(start);
            // A hole may end behind what was asked for.
            if self.counted < self.size.min(offset) {
                self.count_batch(blob, offset)?;
            }
        }
        if self.counted >= self.size && self.size > 0 && !self.ends_with_feed {
            let width = self.newline.width() as u64;
            let last = blob.read_range(self.size.saturating_sub(width), self.size)?;
            self.ends_with_feed = self.size.is_multiple_of(width) && last == self.newline.feed();
        }
        Ok(Ok(()))
    }

    /// Counts the next run of chunks, on several threads when it is long.
    fn count_batch(&mut self, blob: &dyn Blob, offset: u64) -> io::Result<()> {
        let start = self.counted;
        let left = self.size.min(offset.saturating_add(CHUNK as u64)) - start;
        // The first batches are short: most reads want the beginning.
        let grown = (start / CHUNK as u64 + 1).min(BATCH);
        let chunks = left.div_ceil(CHUNK as u64).min(grown);
        let counts = count_chunks(blob, self.newline, start, usize::try_from(chunks).unwrap_or(1))?;
        for (number, (feeds, bytes)) in counts.into_iter().enumerate() {
            let at = start + number as u64 * CHUNK as u64;
            self.mark(at);
            self.feeds += feeds;
            self.counted = at + bytes;
            if bytes < CHUNK as u64 {
                // The file became shorter, or this is its end.
                self.counted = self.counted.max(self.size.min(at + CHUNK as u64));
            }
        }
        Ok(())
    }

    fn mark(&mut self, offset: u64) {
        let far = self.marks.last().is_none_or(|last| offset >= last.offset + self.spacing);
        if !far {
            return;
        }
        self.marks.push(Mark { offset, feeds: self.feeds });
        if self.marks.len() > MOST_MARKS {
            self.spacing *= 2;
            let mut number = 0_usize;
            self.marks.retain(|_| {
                number += 1;
                number % 2 == 1
            });
        }
    }

    /// Takes proof of what was counted, so that the index can be used again for the same file.
    pub fn seal(&mut self, blob: &dyn Blob, stamp: Stamp) -> io::Result<()> {
        if self.proof.as_ref().is_some_and(|proof| proof.stamp == stamp && proof.counted == self.counted) {
            return Ok(());
        }
        // Where jumping is dear, the stamp alone must do.
        let proofs = if blob.is_serial() { 0 } else { PROOFS };
        let step = (self.counted / PROOFS).max(1);
        let offsets = (0..proofs).map(|number| number * step).filter(|offset| *offset < self.counted);
        let last = self.counted.saturating_sub(PROOF_BYTES as u64);
        let mut pieces = Vec::new();
        for offset in offsets.chain((proofs > 0).then_some(last)) {
            let end = (offset + PROOF_BYTES as u64).min(self.counted);
            pieces.push((offset, blob.read_range(offset, end)?));
        }
        self.proof = Some(Proof { stamp, counted: self.counted, pieces });
        Ok(())
    }

    /// Whether the index holds for a blob with this stamp; a file that only grew keeps what was counted.
    pub fn revive(&mut self, blob: &dyn Blob, stamp: Stamp) -> io::Result<bool> {
        let Some(proof) = &self.proof else {
            return Ok(false);
        };
        if proof.stamp == stamp {
            return Ok(true);
        }
        if proof.stamp.identity != stamp.identity || stamp.size <= proof.stamp.size || blob.is_serial() {
            return Ok(false);
        }
        for (offset, piece) in &proof.pieces {
            if blob.read_range(*offset, offset + piece.len() as u64)? != *piece {
                return Ok(false);
            }
        }
        if stamp.size > self.size {
            self.size = stamp.size;
            // The last chunk may have been a short one: count it again.
            if let Some(last) = self.marks.last() {
                (self.counted, self.feeds, self.ends_with_feed) = (last.offset, last.feeds, false);
            }
        }
        Ok(true)
    }
}

/// The line feeds and the bytes of each of `chunks` chunks from `start` on.
fn count_chunks(blob: &dyn Blob, newline: Newline, start: u64, chunks: usize) -> io::Result<Vec<(u64, u64)>> {
    let count = |number: usize, buffer: &mut [u8]| -> io::Result<(u64, u64)> {
        let bytes = blob.read_at(start + (number * CHUNK) as u64, buffer)?;
        Ok((newline.count(buffer.get(..bytes).unwrap_or_default()), bytes as u64))
    };
    let short = ((chunks * CHUNK) as u64) < ALONE || blob.is_serial();
    if let Some(bytes) = blob.in_memory().filter(|_| short) {
        let rest = bytes.get(usize::try_from(start).unwrap_or(usize::MAX)..).unwrap_or_default();
        let pieces = rest.chunks(CHUNK).chain(std::iter::repeat(&[][..])).take(chunks);
        return Ok(pieces.map(|piece| (newline.count(piece), piece.len() as u64)).collect());
    }
    let cores = if short { 1 } else { readstone_host::cores() };
    if cores == 1 {
        let left = blob.len().map_or(u64::MAX, |size| size.saturating_sub(start));
        let mut buffer = vec![0; chunk_size(left)];
        return (0..chunks).map(|number| count(number, &mut buffer)).collect();
    }
    let results: Vec<(AtomicU64, AtomicU64)> = (0..chunks).map(|_| Default::default()).collect();
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let failure = Mutex::new(None);
    let work = || {
        let mut buffer = vec![0; CHUNK];
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(slot) = results.get(number).filter(|_| !failed.load(Ordering::Relaxed)) else {
                break;
            };
            match count(number, &mut buffer) {
                Ok((feeds, bytes)) => {
                    slot.0.store(feeds, Ordering::Relaxed);
                    slot.1.store(bytes, Ordering::Relaxed);
                }
                Err(error) => {
                    failed.store(true, Ordering::Relaxed);
                    if let Ok(mut first) = failure.lock() {
                        first.get_or_insert(error);
                    }
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..cores {
            scope.spawn(work);
        }
        work();
    });
    if let Some(error) = failure.into_inner().ok().flatten() {
        return Err(error);
    }
    Ok(results.into_iter().map(|(feeds, bytes)| (feeds.into_inner(), bytes.into_inner())).collect())
}

/// The size of a buffer for a blob of which `left` bytes are left.
fn chunk_size(left: u64) -> usize {
    usize::try_from(left).unwrap_or(usize::MAX).min(CHUNK)
}
