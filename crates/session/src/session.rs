//! A session: a name under which things are remembered.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use readstone_base::{Blob, Stamp, Tag, Version};
use readstone_source::{Coding, LineIndex, Newline};

use crate::store::{Snapshot, Store};

/// What one caller saw and what was found out for it.
#[derive(Debug)]
pub struct Session {
    name: String,
    store: Arc<dyn Store>,
    indexes: Mutex<VecDeque<Indexed>>,
    snapshot_bytes: u64,
    /// The texts that were handed to the store last, so that it is not asked about them again.
    kept: Mutex<VecDeque<(u64, Version)>>,
}

#[derive(Debug)]
struct Indexed {
    stamp: Stamp,
    coding: Arc<dyn Coding>,
    index: Arc<Mutex<LineIndex>>,
}

/// Files whose lines a session knows at a time.
const MOST_INDEXES: usize = 64;
/// Texts that a session knows to be in its store.
const MOST_KEPT: usize = 64;

impl Session {
    /// A session that keeps its texts in `store`, up to `snapshot_bytes`.
    pub fn new(name: String, store: Arc<dyn Store>, snapshot_bytes: u64) -> Self {
        Self { name, store, indexes: Mutex::default(), snapshot_bytes, kept: Mutex::default() }
    }

    /// Keeps a text that was shown.
    pub fn keep(&self, path: &Path, version: Version, bytes: &[u8]) {
        let known = (hash_of(path), version);
        {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.contains(&known) {
                return;
            }
            kept.push_back(known);
            if kept.len() > MOST_KEPT {
                kept.pop_front();
            }
        }
        let snapshot = Snapshot { version, bytes: bytes.to_vec() };
        self.store.keep(&self.name, path, &snapshot, self.snapshot_bytes);
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text of a file under a tag, where it is still held.
    pub fn recall(&self, path: &Path, tag: Tag) -> Option<Snapshot> {
        self.store.recall(&self.name, path, tag)
    }

    /// The encoding of a file that has not changed since it was last looked at.
    pub fn coding(&self, stamp: Stamp) -> Option<Arc<dyn Coding>> {
        let indexes = self.indexes.lock().unwrap_or_else(PoisonError::into_inner);
        indexes.iter().find(|known| known.stamp == stamp).map(|known| Arc::clone(&known.coding))
    }

    /// What is known of the lines of a file: an index of this very version, or a new one. An index that another call
    /// is working with is not waited for.
    pub fn index(&self, blob: &dyn Blob, stamp: Stamp, newline: Newline) -> Arc<Mutex<LineIndex>> {
        let same = |known: &&Indexed| known.stamp.identity == stamp.identity && known.coding.newline() == newline;
        let known = {
            let indexes = self.indexes.lock().unwrap_or_else(PoisonError::into_inner);
            indexes.iter().find(same).map(|known| Arc::clone(&known.index))
        };
        let alive = |index: &Arc<Mutex<LineIndex>>| {
            index.try_lock().is_ok_and(|mut index| index.revive(blob, stamp).unwrap_or(false))
        };
        known.filter(alive).unwrap_or_else(|| Arc::new(Mutex::new(LineIndex::new(newline, stamp.size))))
    }

    /// Remembers what was found out about a file: its encoding and its lines.
    pub fn remember(&self, blob: &dyn Blob, stamp: Stamp, coding: Arc<dyn Coding>, index: Arc<Mutex<LineIndex>>) {
        let sealed = index.try_lock().is_ok_and(|mut index| index.seal(blob, stamp).is_ok());
        if !sealed {
            return;
        }
        let mut indexes = self.indexes.lock().unwrap_or_else(PoisonError::into_inner);
        indexes.retain(|known| known.stamp.identity != stamp.identity);
        indexes.push_back(Indexed { stamp, coding, index });
        if indexes.len() > MOST_INDEXES {
            indexes.pop_front();
        }
    }
}

fn hash_of(path: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    hasher.finish()
}
