//! What lies ahead of a walk, and in which order.

use std::cmp::Ordering;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use readstone_host::{Directory, Names};

use crate::rules::Rules;

/// The foremost of some things that lie ahead.
#[derive(Debug)]
pub(super) struct Ahead {
    /// The key of the directory that it is about.
    pub(super) key: Vec<u8>,
    pub(super) what: What,
}

/// What lies ahead.
#[derive(Clone, Debug)]
pub(super) enum What {
    /// Entries of a directory that nobody has taken yet.
    Entries(Arc<Rest>),
    /// The directories in a directory, from this one on.
    Directories(Arc<Nest>, usize),
}

/// The entries of a directory, of which threads take a few at a time until there are none.
#[derive(Debug)]
pub(super) struct Rest {
    pub(super) directory: Arc<Directory>,
    pub(super) below: PathBuf,
    pub(super) names: Names,
    taken: AtomicUsize,
}

/// The directories in a directory.
#[derive(Debug)]
pub(super) struct Nest {
    pub(super) anchor: Anchor,
    pub(super) key: Vec<u8>,
    pub(super) rules: Rules,
    pub(super) names: Names,
    /// The level of the directory that they are in; the trunk is level 0.
    pub(super) level: usize,
}

/// From where a directory is opened again: itself, or an open one not far above it, so that however deep a tree is, few
/// directories are held open.
#[derive(Clone, Debug)]
pub(super) struct Anchor {
    pub(super) directory: Arc<Directory>,
    /// The path from there.
    pub(super) path: PathBuf,
}

/// Levels of which each holds its directory open; below, every so many do.
const HELD: usize = 32;

impl Anchor {
    /// The anchor of a directory in the one that this is the anchor of.
    pub(super) fn inside(&self, name: &Path, directory: &Arc<Directory>, level: usize) -> Self {
        if level < HELD || level.is_multiple_of(HELD) {
            Self { directory: Arc::clone(directory), path: PathBuf::new() }
        } else {
            Self { directory: Arc::clone(&self.directory), path: self.path.join(name) }
        }
    }
}

impl Rest {
    pub(super) fn new(directory: Arc<Directory>, below: PathBuf, names: Names) -> Self {
        Self { directory, below, names, taken: AtomicUsize::new(0) }
    }

    /// Takes the next few.
    pub(super) fn take(&self, grain: usize) -> Option<Range<usize>> {
        let from = self.taken.fetch_add(grain, Relaxed);
        (from < self.names.len()).then(|| from..from + grain)
    }

    /// Whether all were taken.
    pub(super) fn is_spent(&self) -> bool {
        self.taken.load(Relaxed) >= self.names.len()
    }
}

impl Nest {
    /// The key of one of the directories.
    pub(super) fn key_of(&self, place: usize) -> Option<Vec<u8>> {
        use std::os::unix::ffi::OsStrExt as _;
        let name = self.names.get(place)?.as_bytes();
        let mut key = Vec::with_capacity(self.key.len() + 1 + name.len());
        if !self.key.is_empty() {
            key.extend_from_slice(&self.key);
            key.push(0);
        }
        key.extend_from_slice(name);
        Some(key)
    }
}

impl Ahead {
    /// The directories in a directory, where there are any.
    pub(super) fn directories(nest: Arc<Nest>, place: usize) -> Option<Self> {
        Some(Self { key: nest.key_of(place)?, what: What::Directories(nest, place) })
    }

    /// The entries of the directory with this key.
    pub(super) fn entries(rest: &Arc<Rest>, key: Vec<u8>) -> Self {
        Self { key, what: What::Entries(Arc::clone(rest)) }
    }

    /// Whether it takes one thread no longer than a batch.
    pub(super) fn is_short(&self, grain: usize) -> bool {
        matches!(&self.what, What::Entries(rest) if rest.names.len() <= grain)
    }

    /// What is left for others when this is begun.
    pub(super) fn behind(&self) -> Option<Self> {
        match &self.what {
            What::Entries(rest) => (!rest.is_spent()).then(|| Self::entries(rest, self.key.clone())),
            What::Directories(nest, place) => Self::directories(Arc::clone(nest), place + 1),
        }
    }
}

// What is foremost comes first out of a heap, which gives the greatest. Entries of a directory come before what lies in its
// directories, whose keys are longer.
impl Ord for Ahead {
    fn cmp(&self, other: &Self) -> Ordering {
        other.key.cmp(&self.key)
    }
}

impl PartialOrd for Ahead {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ahead {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Ahead {}
