//! The locks by which programs that share a database keep out of each other's way, as SQLite lays them out.

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use readstone_base::Blob;
use sqlite_vfs::LockKind;

use crate::database::files::Files;
use crate::database::watch::lock;

/// The byte a writer locks when it waits for readers to leave; new readers stay out.
const PENDING: Range<u64> = 0x4000_0000..0x4000_0001;
/// The byte a writer locks from the first change it makes.
const RESERVED: Range<u64> = 0x4000_0001..0x4000_0002;
/// The bytes of which every reader holds some.
const SHARED: Range<u64> = 0x4000_0002..0x4000_0200;

/// The longest wait before another attempt, in milliseconds.
const LONGEST: u64 = 10;
/// The budget is asked once in so many reads.
const READS: u32 = 64;

/// What one open file holds.
#[derive(Debug)]
pub(super) struct Locks {
    kind: LockKind,
    reads: u32,
}

impl Default for Locks {
    fn default() -> Self {
        Self { kind: LockKind::None, reads: 0 }
    }
}

impl Locks {
    /// What is held.
    pub(super) fn kind(&self) -> LockKind {
        self.kind
    }

    /// True for one read in so many.
    pub(super) fn is_time_to_ask(&mut self) -> bool {
        self.reads = self.reads.wrapping_add(1);
        self.reads.is_multiple_of(READS)
    }

    /// Moves to another lock; false when a writer is in the way. More than a reader's lock is never taken for real:
    /// what is written stays in memory.
    pub(super) fn set(&mut self, kind: LockKind, files: &Files) -> io::Result<bool> {
        match (self.kind, kind) {
            (LockKind::None, LockKind::Shared) if !wait_for_writer(files)? => return Ok(false),
            (_, LockKind::None) => self.release(files),
            _ => {}
        }
        self.kind = kind;
        Ok(true)
    }

    /// Lets go of everything.
    pub(super) fn release(&mut self, files: &Files) {
        if self.kind != LockKind::None {
            self.kind = LockKind::None;
            if let Some(blob) = main(files) {
                // A hold that cannot be ended ends with the blob.
                drop(blob.release(SHARED));
            }
        }
    }

    /// Whether a writer is at work, so that its journal is no leftover.
    pub(super) fn is_reserved(files: &Files) -> io::Result<bool> {
        main(files).map_or(Ok(false), |blob| blob.is_held(RESERVED))
    }
}

fn main(files: &Files) -> Option<Arc<dyn Blob>> {
    lock(&files.main).base().cloned()
}

/// Holds writers off, as soon as none is at work; false when that takes too long.
fn wait_for_writer(files: &Files) -> io::Result<bool> {
    let Some(blob) = main(files) else { return Ok(true) };
    let (mut waited, mut pause) = (0, 1);
    loop {
        if try_shared(blob.as_ref())? {
            return Ok(true);
        }
        if waited >= files.patience || files.watch.must_stop() {
            return Ok(false);
        }
        let time = pause.min(files.patience - waited);
        std::thread::sleep(Duration::from_millis(time));
        waited += time;
        pause = (pause * 2).min(LONGEST);
    }
}

fn try_shared(blob: &dyn Blob) -> io::Result<bool> {
    if !blob.hold(PENDING)? {
        return Ok(false);
    }
    let held = blob.hold(SHARED);
    blob.release(PENDING)?;
    held
}
