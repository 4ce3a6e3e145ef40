//! A store that ends with the process.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use readstone_base::Tag;

use crate::store::{Snapshot, Store};

/// Texts in memory, the oldest first.
#[derive(Debug, Default)]
pub struct MemoryStore {
    kept: Mutex<VecDeque<Kept>>,
}

#[derive(Debug)]
struct Kept {
    session: String,
    path: PathBuf,
    snapshot: Snapshot,
}

impl Store for MemoryStore {
    fn keep(&self, session: &str, path: &Path, snapshot: &Snapshot, most: u64) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |old: &Kept| old.session == session && old.path == path && old.snapshot.version == snapshot.version;
        if kept.iter().any(same) {
            return;
        }
        kept.push_back(Kept { session: session.to_owned(), path: path.to_owned(), snapshot: snapshot.clone() });
        let mut size: u64 = kept.iter().map(|old| old.snapshot.bytes.len() as u64).sum();
        while size > most && kept.len() > 1 {
            size -= kept.pop_front().map_or(0, |old| old.snapshot.bytes.len() as u64);
        }
    }

    fn recall(&self, session: &str, path: &Path, tag: Tag) -> Option<Snapshot> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |old: &&Kept| old.session == session && old.path == path && Tag::of(&old.snapshot.version) == tag;
        kept.iter().rev().find(fits).map(|old| old.snapshot.clone())
    }
}
