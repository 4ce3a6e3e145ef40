//! What was found out about files that hold others: indexes, checkpoints, unpacked entries.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use readstone_base::Stamp;
use readstone_source::Shelf;

/// Keeps things in memory, the least recently used being forgotten first.
#[derive(Debug)]
pub struct MemoryShelf {
    most: u64,
    held: Mutex<VecDeque<Kept>>,
}

#[derive(Debug)]
struct Kept {
    of: Stamp,
    what: &'static str,
    thing: Arc<dyn Any + Send + Sync>,
    bytes: u64,
}

/// What a thing takes beside its own bytes.
const OVERHEAD: u64 = 128;

impl MemoryShelf {
    /// A shelf for things of so many bytes in all.
    pub fn new(most: u64) -> Self {
        Self { most, held: Mutex::default() }
    }
}

impl Shelf for MemoryShelf {
    fn take(&self, of: Stamp, what: &'static str) -> Option<Arc<dyn Any + Send + Sync>> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        // The newest stand at the end, where they are found at once.
        let at = held.iter().rposition(|kept| kept.of == of && kept.what == what)?;
        let kept = held.remove(at)?;
        let thing = Arc::clone(&kept.thing);
        held.push_back(kept);
        Some(thing)
    }

    fn put(&self, of: Stamp, what: &'static str, thing: Arc<dyn Any + Send + Sync>, bytes: u64) {
        let bytes = bytes.saturating_add(OVERHEAD);
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        // Whatever was known of an older version of the same bytes is of no use any more.
        held.retain(|kept| kept.of.identity != of.identity || (kept.of == of && kept.what != what));
        if bytes > self.most {
            return;
        }
        held.push_back(Kept { of, what, thing, bytes });
        let mut sum: u64 = held.iter().map(|kept| kept.bytes).sum();
        while sum > self.most {
            sum = sum.saturating_sub(held.pop_front().map_or(sum, |oldest| oldest.bytes));
        }
    }
}
