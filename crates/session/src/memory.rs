//! A store that ends with the process.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use readstone_base::Tag;

use crate::store::{OVERHEAD, Snapshot, Store, Text};

/// Texts in memory, the oldest first.
#[derive(Debug, Default)]
pub struct MemoryStore {
    kept: Mutex<Texts>,
}

#[derive(Debug, Default)]
struct Texts {
    texts: VecDeque<Kept>,
    /// What they take in all.
    size: u64,
}

#[derive(Debug)]
struct Kept {
    session: String,
    path: PathBuf,
    snapshot: Snapshot,
}

impl Kept {
    fn size(&self) -> u64 {
        (self.snapshot.bytes.len() + self.session.len() + self.path.as_os_str().len()) as u64 + OVERHEAD
    }
}

impl Store for MemoryStore {
    fn keep(&self, session: &str, path: &Path, text: Text<'_>, most: u64) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |old: &Kept| old.snapshot.version == text.version && old.path == path && old.session == session;
        // What was shown last is most likely to be shown again.
        if kept.texts.iter().rev().any(same) {
            return;
        }
        let snapshot = Snapshot { version: text.version, bytes: text.bytes.to_vec() };
        let new = Kept { session: session.to_owned(), path: path.to_owned(), snapshot };
        kept.size += new.size();
        kept.texts.push_back(new);
        while kept.size > most && kept.texts.len() > 1 {
            let old = kept.texts.pop_front().map_or(0, |old| old.size());
            kept.size -= old;
        }
    }

    fn recall(&self, session: &str, path: &Path, tag: Tag) -> Option<Snapshot> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |old: &&Kept| old.session == session && old.path == path && Tag::of(&old.snapshot.version) == tag;
        kept.texts.iter().rev().find(fits).map(|old| old.snapshot.clone())
    }
}
