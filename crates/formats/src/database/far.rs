//! A value that is too large to be handed over whole, read in parts.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use readstone_base::{Blob, Budget};
use readstone_host::SystemClock;

use crate::database::cell::Far;
use crate::database::job::Seen;
use crate::database::remote::Remote;
use crate::database::watch::lock;

/// The number of bytes that are read at first.
const PART: u64 = 1024 * 1024;
/// The most bytes that are read at once, where reading goes on in order. SQLite goes past all earlier parts to reach a
/// part, so there must not be many.
const MOST: u64 = 16 * PART;

/// A value that is read in parts, each by a worker.
#[derive(Debug)]
pub(super) struct Pieces {
    remote: Arc<Remote>,
    far: Far,
    seen: Seen,
    state: Mutex<State>,
}

/// The part in memory.
#[derive(Debug)]
struct State {
    start: u64,
    bytes: Vec<u8>,
    next: u64,
}

impl Pieces {
    /// The bytes of a value.
    pub(super) fn new(remote: Arc<Remote>, far: Far, seen: Seen) -> Self {
        let state = Mutex::new(State { start: 0, bytes: Vec::new(), next: PART });
        Self { remote, far, seen, state }
    }

    fn load(&self, state: &mut State, offset: u64) -> io::Result<()> {
        let goes_on = offset > 0 && offset == state.start + state.bytes.len() as u64;
        state.next = if goes_on { (state.next * 2).min(MOST) } else { PART };
        let most = self.far.length.saturating_sub(offset).min(state.next);
        // A blob does not know the call that reads it.
        let time = Duration::from_millis(self.remote.source.limits().call_ms);
        let budget = Budget::new(Arc::new(SystemClock::new(None)), Some(time));
        let part = self.remote.part((&self.far, &self.seen), offset, most, &budget);
        let part = part.map_err(|fault| io::Error::other(fault.to_string()))?;
        let changed = || io::Error::other("the database was changed while the value was read");
        (state.start, state.bytes) = (offset, part.ok_or_else(changed)?);
        Ok(())
    }
}

impl State {
    /// Copies bytes of the part in memory, from an offset on.
    fn copy(&self, offset: u64, buffer: &mut [u8]) -> usize {
        let start = offset.checked_sub(self.start).and_then(|start| usize::try_from(start).ok());
        let there = start.and_then(|start| self.bytes.get(start..)).unwrap_or_default();
        let count = there.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), there.get(..count)) {
            to.copy_from_slice(from);
        }
        count
    }
}

impl Blob for Pieces {
    fn len(&self) -> Option<u64> {
        Some(self.far.length)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut state = lock(&self.state);
        let mut done = 0;
        while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
            let at = offset.saturating_add(done as u64);
            if at >= self.far.length {
                break;
            }
            let mut count = state.copy(at, rest);
            if count == 0 {
                self.load(&mut state, at)?;
                count = state.copy(at, rest);
            }
            if count == 0 {
                break;
            }
            done += count;
        }
        Ok(done)
    }
}
