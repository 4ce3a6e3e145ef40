//! A memory that knows what another one knows and keeps what is new to itself.

use std::path::Path;
use std::sync::Arc;

use readstone_base::{Tag, Version};
use readstone_session::{MemoryStore, Place, Snapshot, Store, Text};

/// A fork of a store: whatever is done with it, the first one stays as it is.
#[derive(Debug)]
pub(super) struct Fork {
    first: Arc<dyn Store>,
    own: MemoryStore,
}

impl Fork {
    pub(super) fn of(first: Arc<dyn Store>) -> Self {
        Self { first, own: MemoryStore::default() }
    }
}

impl Store for Fork {
    fn keep(&self, session: &str, path: &Path, text: Text<'_>, most: u64) {
        self.own.keep(session, path, text, most);
    }

    fn put(&self, place: Place<'_>, name: &str, bytes: &[u8], most: u64) {
        self.own.put(place, name, bytes, most);
    }

    fn get(&self, place: Place<'_>, name: &str) -> Option<Vec<u8>> {
        self.own.get(place, name).or_else(|| self.first.get(place, name))
    }

    fn add(&self, place: Place<'_>, bytes: &[u8], most: u64) -> Option<u64> {
        self.own.add(place, bytes, most)
    }

    fn names(&self, place: Place<'_>) -> Vec<String> {
        let mut names = self.first.names(place);
        names.extend(self.own.names(place));
        names
    }

    fn recall(&self, session: &str, path: &Path, tag: Tag) -> Option<Snapshot> {
        self.own.recall(session, path, tag).or_else(|| self.first.recall(session, path, tag))
    }

    fn versions(&self, path: &Path, tag: Tag) -> Vec<Version> {
        let mut versions = self.first.versions(path, tag);
        versions.extend(self.own.versions(path, tag));
        versions.sort_by_key(ToString::to_string);
        versions.dedup();
        versions
    }
}
