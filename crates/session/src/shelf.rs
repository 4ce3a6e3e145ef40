//! What was found out about files that hold others: indexes, checkpoints, unpacked entries.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use readstone_base::{Identity, Stamp};
use readstone_source::Shelf;

/// Keeps things in memory, the least recently used being forgotten first.
#[derive(Debug)]
pub struct MemoryShelf {
    most: u64,
    held: Mutex<Held>,
}

/// Everything on a shelf. A search goes through archives of a million entries, so nothing here takes longer the more
/// there is.
#[derive(Debug, Default)]
struct Held {
    things: BTreeMap<Key, Kept>,
    /// By when they were last used.
    uses: BTreeMap<u64, Key>,
    /// How often something was used.
    clock: u64,
    /// What all of them take.
    bytes: u64,
}

/// Of which file, and what.
type Key = (Identity, &'static str);

#[derive(Debug)]
struct Kept {
    of: Stamp,
    thing: Arc<dyn Any + Send + Sync>,
    bytes: u64,
    used: u64,
}

/// What a thing takes beside its own bytes.
const OVERHEAD: u64 = 128;

impl MemoryShelf {
    /// A shelf for things of so many bytes in all.
    pub fn new(most: u64) -> Self {
        Self { most, held: Mutex::default() }
    }
}

impl Held {
    fn forget(&mut self, key: Key) -> Option<Kept> {
        let kept = self.things.remove(&key)?;
        self.uses.remove(&kept.used);
        self.bytes = self.bytes.saturating_sub(kept.bytes);
        Some(kept)
    }

    fn keep(&mut self, key: Key, kept: Kept) {
        self.clock += 1;
        self.bytes = self.bytes.saturating_add(kept.bytes);
        self.uses.insert(self.clock, key);
        self.things.insert(key, Kept { used: self.clock, ..kept });
    }
}

impl Shelf for MemoryShelf {
    fn take(&self, of: Stamp, what: &'static str) -> Option<Arc<dyn Any + Send + Sync>> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (of.identity, what);
        held.things.get(&key).filter(|kept| kept.of == of)?;
        let kept = held.forget(key)?;
        let thing = Arc::clone(&kept.thing);
        held.keep(key, kept);
        Some(thing)
    }

    fn put(&self, of: Stamp, what: &'static str, thing: Arc<dyn Any + Send + Sync>, bytes: u64) {
        let bytes = bytes.saturating_add(OVERHEAD);
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        // Whatever was known of an older version of the same bytes is of no use any more.
        let same = held.things.range((of.identity, "")..).take_while(|((identity, _), _)| *identity == of.identity);
        let stale = same.filter(|((_, other), kept)| kept.of != of || *other == what).map(|(key, _)| *key);
        for key in stale.collect::<Vec<_>>() {
            held.forget(key);
        }
        if bytes > self.most {
            return;
        }
        held.keep((of.identity, what), Kept { of, thing, bytes, used: 0 });
        while held.bytes > self.most {
            let Some((_, oldest)) = held.uses.first_key_value() else { break };
            let oldest = *oldest;
            held.forget(oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp(inode: u64, size: u64) -> Stamp {
        Stamp { identity: Identity { device: 1, inode }, size, modified: 0, changed: 0 }
    }

    fn put(shelf: &MemoryShelf, of: Stamp, what: &'static str, number: u32) {
        shelf.put(of, what, Arc::new(number), 100);
    }

    fn take(shelf: &MemoryShelf, of: Stamp, what: &'static str) -> Option<u32> {
        shelf.take(of, what)?.downcast_ref::<u32>().copied()
    }

    #[test]
    fn the_least_recently_used_is_forgotten_first() {
        let shelf = MemoryShelf::new(3 * (100 + OVERHEAD));
        for number in 1..=3 {
            put(&shelf, stamp(u64::from(number), 5), "index", number);
        }
        assert_eq!(take(&shelf, stamp(1, 5), "index"), Some(1));
        put(&shelf, stamp(4, 5), "index", 4);
        let held = (1..=4).map(|inode| take(&shelf, stamp(inode, 5), "index"));
        assert_eq!(held.collect::<Vec<_>>(), [Some(1), None, Some(3), Some(4)]);
    }

    #[test]
    fn a_new_version_of_a_file_ends_what_was_known_of_the_old_one() {
        let shelf = MemoryShelf::new(10_000);
        put(&shelf, stamp(1, 5), "index", 1);
        put(&shelf, stamp(1, 5), "lines", 2);
        put(&shelf, stamp(2, 5), "index", 3);
        assert_eq!(take(&shelf, stamp(1, 6), "index"), None);
        put(&shelf, stamp(1, 6), "index", 4);
        assert_eq!((take(&shelf, stamp(1, 6), "index"), take(&shelf, stamp(1, 5), "lines")), (Some(4), None));
        assert_eq!(take(&shelf, stamp(2, 5), "index"), Some(3));
        put(&shelf, stamp(1, 6), "index", 5);
        assert_eq!(take(&shelf, stamp(1, 6), "index"), Some(5));
        shelf.put(stamp(1, 7), "index", Arc::new(6_u32), 20_000);
        assert_eq!(take(&shelf, stamp(1, 6), "index"), None, "what does not fit is not kept, nor what it replaces");
        let held = shelf.held.lock().unwrap();
        assert_eq!((held.things.len(), held.uses.len(), held.bytes), (1, 1, 100 + OVERHEAD));
    }
}
