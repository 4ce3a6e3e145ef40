//! What lies ahead of a walk, and in which order.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
    /// Entries of a directory, from this one on.
    Entries(Arc<Rest>, usize),
    /// The directories in a directory, from this one on.
    Directories(Arc<Nest>, usize),
}

/// The entries of a directory that nobody has looked at.
#[derive(Debug)]
pub(super) struct Rest {
    pub(super) directory: Arc<Directory>,
    pub(super) below: PathBuf,
    pub(super) names: Names,
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
        Self { key, what: What::Entries(Arc::clone(rest), 0) }
    }

    /// Whether it takes one thread no longer than a batch.
    pub(super) fn is_short(&self, grain: usize) -> bool {
        matches!(self.what, What::Entries(_, _)) && self.behind(grain).is_none()
    }

    /// What is left when so many were taken.
    pub(super) fn behind(&self, grain: usize) -> Option<Self> {
        match &self.what {
            What::Entries(rest, from) => {
                let from = from + grain;
                let what = What::Entries(Arc::clone(rest), from);
                (from < rest.names.len()).then(|| Self { key: self.key.clone(), what })
            }
            What::Directories(nest, place) => Self::directories(Arc::clone(nest), place + 1),
        }
    }

    /// Entries of a directory come before what lies in its directories, whose keys are longer.
    fn place(&self) -> (&[u8], usize) {
        match self.what {
            What::Entries(_, from) => (&self.key, from),
            What::Directories(_, _) => (&self.key, 0),
        }
    }
}

// What is foremost comes first out of a heap, which gives the greatest.
impl Ord for Ahead {
    fn cmp(&self, other: &Self) -> Ordering {
        other.place().cmp(&self.place())
    }
}

impl PartialOrd for Ahead {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ahead {
    fn eq(&self, other: &Self) -> bool {
        self.place() == other.place()
    }
}

impl Eq for Ahead {}
