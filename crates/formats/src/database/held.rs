//! What SQLite writes, kept in memory and counted for the whole process.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of all files that are kept in memory.
static HELD: AtomicU64 = AtomicU64::new(0);

/// Memory that was counted, until it is dropped.
#[derive(Debug, Default)]
pub(super) struct Held(u64);

impl Held {
    /// Takes so many bytes more, unless all files together would have more than `most` then.
    pub(super) fn take(&mut self, bytes: u64, most: u64) -> io::Result<()> {
        let add = |held: u64| held.checked_add(bytes).filter(|held| *held <= most);
        match HELD.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add) {
            Ok(_) => self.0 += bytes,
            // Told apart from other failures: SQLite says then that the disk is full.
            Err(_) => return Err(io::ErrorKind::WriteZero.into()),
        }
        Ok(())
    }

    /// Gives back all but so many bytes.
    pub(super) fn shrink_to(&mut self, bytes: u64) {
        let back = self.0.saturating_sub(bytes);
        self.0 -= back;
        HELD.fetch_sub(back, Ordering::Relaxed);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.shrink_to(0);
    }
}

/// A file that only SQLite itself reads again, such as the runs of a sort. Its pieces are large, so that the system
/// gets them back at once: what small pieces leave behind stays with the thread that made them.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pieces: Vec<Box<[u8]>>,
    size: u64,
    held: Held,
}

/// The size of a piece.
const PIECE: usize = 256 * 1024;

impl Scratch {
    /// How many bytes there are.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Fills the buffer; what lies behind the end is zero, and then the count is less than asked.
    pub(super) fn read(&self, offset: u64, buffer: &mut [u8]) -> usize {
        let there = usize::try_from(self.size.saturating_sub(offset)).unwrap_or(usize::MAX).min(buffer.len());
        buffer.fill(0);
        let mut done = 0;
        while let Some(rest) = buffer.get_mut(done..there).filter(|rest| !rest.is_empty()) {
            let (index, within) = place(offset + done as u64);
            let count = rest.len().min(PIECE - within);
            let from = self.pieces.get(index).and_then(|piece| piece.get(within..within + count));
            if let (Some(to), Some(from)) = (rest.get_mut(..count), from) {
                to.copy_from_slice(from);
            }
            done += count;
        }
        there
    }

    /// Writes, as long as all such files together have no more than `most` bytes.
    pub(super) fn write(&mut self, offset: u64, bytes: &[u8], most: u64) -> io::Result<()> {
        let mut done = 0;
        while let Some(rest) = bytes.get(done..).filter(|rest| !rest.is_empty()) {
            let (index, within) = place(offset.saturating_add(done as u64));
            while self.pieces.len() <= index {
                self.held.take(PIECE as u64, most)?;
                self.pieces.push(vec![0; PIECE].into_boxed_slice());
            }
            let count = rest.len().min(PIECE - within);
            let to = self.pieces.get_mut(index).and_then(|piece| piece.get_mut(within..within + count));
            if let (Some(to), Some(from)) = (to, rest.get(..count)) {
                to.copy_from_slice(from);
            }
            done += count;
        }
        self.size = self.size.max(offset.saturating_add(bytes.len() as u64));
        Ok(())
    }

    /// Cuts or lengthens the file.
    pub(super) fn resize(&mut self, size: u64) {
        let (index, within) = place(size);
        self.pieces.truncate(index + usize::from(within > 0));
        if let Some(tail) = self.pieces.get_mut(index).and_then(|piece| piece.get_mut(within..)) {
            tail.fill(0);
        }
        self.held.shrink_to((self.pieces.len() * PIECE) as u64);
        self.size = size;
    }
}

/// The number of a piece, and the place in it.
fn place(offset: u64) -> (usize, usize) {
    let within = usize::try_from(offset % PIECE as u64).unwrap_or(0);
    (usize::try_from(offset / PIECE as u64).unwrap_or(usize::MAX), within)
}
