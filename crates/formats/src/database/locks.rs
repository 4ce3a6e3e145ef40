//! The locks by which programs that share a database keep out of each other's way, as SQLite lays them out.
//!
//! A reader holds writers off before it reads the first page, and until its work is done. The process that opened the
//! file takes the lock on the descriptor of its one opener, also for work in another process.

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use readstone_base::{Blob, Budget, Stamp};

/// The byte a writer locks when it waits for readers to leave; new readers stay out.
const PENDING: Range<u64> = 0x4000_0000..0x4000_0001;
/// The byte a writer locks from the first change it makes.
const RESERVED: Range<u64> = 0x4000_0001..0x4000_0002;
/// The bytes of which every reader holds some.
const SHARED: Range<u64> = 0x4000_0002..0x4000_0200;

/// The longest wait before another attempt, in milliseconds.
const LONGEST: u64 = 10;

/// A database on which writers are held off until this is dropped.
#[derive(Debug)]
pub(super) struct Quiet {
    blob: Arc<dyn Blob>,
}

impl Quiet {
    /// Holds writers off, as soon as none is at work; `None` when that takes too long.
    pub(super) fn of(blob: Arc<dyn Blob>, patience: u64, budget: &Budget) -> io::Result<Option<Self>> {
        let (mut waited, mut pause) = (0, 1);
        while !try_shared(blob.as_ref())? {
            let time = pause.min(patience - waited);
            if time == 0 || budget.sleep(Duration::from_millis(time)).is_err() {
                return Ok(None);
            }
            waited += time;
            pause = (pause * 2).min(LONGEST);
        }
        Ok(Some(Self { blob }))
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        // A hold that cannot be ended ends with the blob.
        drop(self.blob.release(SHARED));
    }
}

impl Blob for Quiet {
    fn len(&self) -> Option<u64> {
        self.blob.len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.blob.read_at(offset, buffer)
    }

    fn stamp(&self) -> io::Result<Option<Stamp>> {
        self.blob.stamp()
    }

    fn stamp_when_opened(&self) -> io::Result<Option<Stamp>> {
        self.blob.stamp_when_opened()
    }

    fn is_serial(&self) -> bool {
        self.blob.is_serial()
    }

    fn is_held(&self, range: Range<u64>) -> io::Result<bool> {
        self.blob.is_held(range)
    }
}

/// Whether a writer is at work. Otherwise its journal was left over.
pub(super) fn is_reserved(blob: &dyn Blob) -> io::Result<bool> {
    blob.is_held(RESERVED)
}

fn try_shared(blob: &dyn Blob) -> io::Result<bool> {
    if !blob.hold(PENDING)? {
        return Ok(false);
    }
    let held = blob.hold(SHARED);
    blob.release(PENDING)?;
    held
}
