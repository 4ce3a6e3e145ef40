//! The newest hits, of which so many are kept.

use std::cmp::Ordering as Order;
use std::collections::BinaryHeap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};

use readstone_base::escape_name;
use readstone_host::EntryKind;

/// A path that matches. The newest is the least; those of one time stand in the order of their bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    modified: i64,
    path: Vec<u8>,
    directory: bool,
    /// Whether the path is an address, which is shown as it is.
    address: bool,
}

/// The newest hits, taken from several threads.
#[derive(Debug)]
pub(super) struct Newest {
    room: usize,
    /// Only what comes behind this one is taken.
    behind: Option<Hit>,
    /// What is older is not taken.
    floor: AtomicI64,
    /// The oldest on top.
    heap: Mutex<BinaryHeap<Hit>>,
}

impl Hit {
    /// A hit; one whose time is not known is older than all others.
    pub(super) fn new(modified: Option<i64>, path: Vec<u8>, kind: EntryKind) -> Self {
        let directory = kind == EntryKind::Directory;
        Self { modified: modified.unwrap_or(i64::MIN), path, directory, address: false }
    }

    /// A hit that has an address of its own.
    pub(super) fn at(address: String, modified: Option<i64>, kind: EntryKind) -> Self {
        Self { address: true, ..Self::new(modified, address.into_bytes(), kind) }
    }

    /// The path as it is shown: it opens what it names.
    pub(super) fn shown(&self) -> String {
        let path = OsStr::from_bytes(&self.path);
        let mut shown = if self.address { path.to_string_lossy().into_owned() } else { escape_name(path) };
        if self.directory && !shown.ends_with('/') {
            shown.push('/');
        }
        // Alone, these would be standard input, or an address.
        if !self.address && (shown == "-" || shown.starts_with("-:") || starts_like_url(&shown)) {
            shown.insert_str(0, "./");
        }
        shown
    }
}

fn starts_like_url(shown: &str) -> bool {
    shown.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("file:/"))
}

impl Ord for Hit {
    fn cmp(&self, other: &Self) -> Order {
        other.modified.cmp(&self.modified).then_with(|| self.path.cmp(&other.path))
    }
}

impl PartialOrd for Hit {
    fn partial_cmp(&self, other: &Self) -> Option<Order> {
        Some(self.cmp(other))
    }
}

impl Newest {
    /// Keeps so many hits that come behind one, if there is one.
    pub(super) fn new(room: usize, behind: Option<Hit>) -> Self {
        Self { room, behind, floor: AtomicI64::new(i64::MIN), heap: Mutex::default() }
    }

    /// Whether a hit of this time may be among the newest.
    pub(super) fn may_take(&self, modified: Option<i64>) -> bool {
        modified.unwrap_or(i64::MIN) >= self.floor.load(Ordering::Relaxed)
    }

    /// Takes hits.
    pub(super) fn add(&self, hits: Vec<Hit>) {
        if hits.is_empty() {
            return;
        }
        let mut heap = self.heap.lock().unwrap_or_else(PoisonError::into_inner);
        for hit in hits {
            if self.behind.as_ref().is_some_and(|behind| hit <= *behind) {
                continue;
            }
            if heap.len() < self.room {
                heap.push(hit);
            } else if let Some(mut oldest) = heap.peek_mut().filter(|oldest| hit < **oldest) {
                *oldest = hit;
            }
        }
        if let Some(oldest) = heap.peek().filter(|_| heap.len() >= self.room) {
            self.floor.store(oldest.modified, Ordering::Relaxed);
        }
    }

    /// The hits, the newest first.
    pub(super) fn into_sorted(self) -> Vec<Hit> {
        self.heap.into_inner().unwrap_or_else(PoisonError::into_inner).into_sorted_vec()
    }
}
