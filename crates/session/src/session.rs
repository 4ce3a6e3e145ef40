//! A session: a name under which things are remembered.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use readstone_base::{Blob, Limits, Span, Stamp, Tag, Version};
use readstone_source::{Coding, Drawer, Drawers, LineIndex, Newline};

use crate::shelf::MemoryShelf;
use crate::store::{Place, Snapshot, Store, Text};

/// What one caller saw and what was found out for it.
#[derive(Debug)]
pub struct Session {
    name: String,
    store: Arc<dyn Store>,
    indexes: Mutex<VecDeque<Indexed>>,
    hashed: Mutex<VecDeque<(Stamp, Version)>>,
    room: Room,
    shelf: Arc<MemoryShelf>,
}

/// How much a session keeps in its store.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Bytes of file texts.
    pub snapshots: u64,
    /// Bytes of each drawer.
    pub drawer: u64,
}

impl Room {
    /// The room that the limits give.
    pub fn of(limits: &Limits) -> Self {
        Self { snapshots: limits.snapshot_bytes, drawer: limits.kept_bytes }
    }
}

#[derive(Debug)]
struct Indexed {
    stamp: Stamp,
    coding: Arc<dyn Coding>,
    index: LineIndex,
}

/// Files whose lines a session knows at a time.
const MOST_INDEXES: usize = 64;

impl Session {
    /// A session that keeps things in `store`, as far as there is room, and what it finds out on `shelf`.
    pub fn new(name: String, store: Arc<dyn Store>, room: Room, shelf: Arc<MemoryShelf>) -> Self {
        Self { name, store, indexes: Mutex::default(), hashed: Mutex::default(), room, shelf }
    }

    /// What was found out about files that hold others.
    pub fn shelf(&self) -> &MemoryShelf {
        &self.shelf
    }

    /// Keeps a version of a file that was shown, or adds to what of it was.
    pub fn keep(&self, path: &Path, text: Text<'_>) {
        self.store.keep(&self.name, path, text, self.room.snapshots);
    }

    /// The versions of a file that have this tag, shown in this session or another that shares its store.
    pub fn versions(&self, path: &Path, tag: Tag) -> Vec<Version> {
        self.store.versions(path, tag)
    }

    /// The lines of a version that this session showed; none when it showed nothing of it.
    pub fn shown(&self, path: &Path, version: &Version) -> Option<Vec<Span>> {
        let known = self.store.recall(&self.name, path, Tag::of(version))?;
        (known.version == *version).then_some(known.shown)
    }

    /// The version of a large file that has not changed since it was last hashed.
    pub fn version(&self, stamp: Stamp) -> Option<Version> {
        let hashed = self.hashed.lock().unwrap_or_else(PoisonError::into_inner);
        hashed.iter().find(|(known, _)| *known == stamp).map(|(_, version)| *version)
    }

    /// Remembers the version of a large file.
    pub fn remember_version(&self, stamp: Stamp, version: Version) {
        let mut hashed = self.hashed.lock().unwrap_or_else(PoisonError::into_inner);
        hashed.retain(|(known, _)| known.identity != stamp.identity);
        hashed.push_back((stamp, version));
        if hashed.len() > MOST_INDEXES {
            hashed.pop_front();
        }
    }

    /// Whether what it keeps is still there when the process has ended.
    pub fn lasts(&self) -> bool {
        self.store.lasts()
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The version of a file under a tag, where it is still held.
    pub fn recall(&self, path: &Path, tag: Tag) -> Option<Snapshot> {
        self.store.recall(&self.name, path, tag)
    }

    /// The encoding of a file that has not changed since it was last looked at.
    pub fn coding(&self, stamp: Stamp) -> Option<Arc<dyn Coding>> {
        let indexes = self.indexes.lock().unwrap_or_else(PoisonError::into_inner);
        indexes.iter().find(|known| known.stamp == stamp).map(|known| Arc::clone(&known.coding))
    }

    /// What is known of the lines of a file: an index of this very version, or a new one.
    pub fn index(&self, blob: &dyn Blob, stamp: Stamp, newline: Newline) -> LineIndex {
        let same = |known: &&Indexed| known.stamp.identity == stamp.identity && known.coding.newline() == newline;
        let known = {
            let indexes = self.indexes.lock().unwrap_or_else(PoisonError::into_inner);
            // Calls side by side each count on from what is known; nobody waits for another's count.
            indexes.iter().find(same).map(|known| known.index.clone())
        };
        let revived = known.and_then(|mut index| index.revive(blob, stamp).unwrap_or(false).then_some(index));
        revived.unwrap_or_else(|| LineIndex::new(newline, stamp.size))
    }

    /// Remembers what was found out about a file: its encoding and its lines.
    pub fn remember(&self, blob: &dyn Blob, stamp: Stamp, coding: Arc<dyn Coding>, mut index: LineIndex) {
        if index.seal(blob, stamp).is_err() {
            return;
        }
        let mut indexes = self.indexes.lock().unwrap_or_else(PoisonError::into_inner);
        let farther = |known: &Indexed| known.stamp == stamp && known.index.reach() > index.reach();
        if indexes.iter().any(farther) {
            return;
        }
        indexes.retain(|known| known.stamp.identity != stamp.identity);
        indexes.push_back(Indexed { stamp, coding, index });
        if indexes.len() > MOST_INDEXES {
            indexes.pop_front();
        }
    }
}

impl Drawers for Session {
    fn session(&self) -> &str {
        &self.name
    }

    fn put(&self, drawer: Drawer, name: &str, bytes: &[u8]) {
        self.store.put(Place { session: &self.name, drawer }, name, bytes, self.room.drawer);
    }

    fn get(&self, drawer: Drawer, name: &str) -> Option<Vec<u8>> {
        self.store.get(Place { session: &self.name, drawer }, name)
    }

    fn beginning(&self, drawer: Drawer, name: &str, most: usize) -> Option<Vec<u8>> {
        self.store.beginning(Place { session: &self.name, drawer }, name, most)
    }

    fn add(&self, drawer: Drawer, bytes: &[u8]) -> Option<u64> {
        self.store.add(Place { session: &self.name, drawer }, bytes, self.room.drawer)
    }

    fn names(&self, drawer: Drawer) -> Vec<String> {
        self.store.names(Place { session: &self.name, drawer })
    }
}
