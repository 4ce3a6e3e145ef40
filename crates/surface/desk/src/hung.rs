//! Calls that hang: their threads are lost until the file system answers, and no more follow them there.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use readstone_host::mount_of;

/// How many calls hang on which mount.
#[derive(Debug, Default)]
pub(crate) struct Hung {
    /// The mounts of the roots, which nobody is kept from: most calls go there.
    roots: Vec<PathBuf>,
    total: AtomicUsize,
    by_mount: Mutex<HashMap<PathBuf, usize>>,
}

/// Calls that may hang on one mount before others are kept from it.
const MOST_ON_ONE: usize = 2;

impl Hung {
    /// A list for a server with these roots.
    pub(crate) fn new(roots: &[PathBuf]) -> Self {
        Self { roots: roots.iter().filter_map(|root| mount_of(root)).collect(), ..Self::default() }
    }

    /// Whether a path lies where calls hang.
    pub(crate) fn holds(&self, path: Option<&Path>) -> bool {
        if self.total.load(Ordering::Relaxed) == 0 {
            return false;
        }
        let Some(mount) = path.and_then(|path| self.blamed(path)) else {
            return false;
        };
        let by_mount = self.by_mount.lock().unwrap_or_else(PoisonError::into_inner);
        by_mount.get(&mount).is_some_and(|count| *count >= MOST_ON_ONE)
    }

    /// Notes a call that hangs; gives the mount that is blamed, by which it is struck off again.
    pub(crate) fn add(&self, path: Option<&Path>) -> Option<PathBuf> {
        let mount = path.and_then(|path| self.blamed(path));
        self.total.fetch_add(1, Ordering::Relaxed);
        let mut by_mount = self.by_mount.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mount) = &mount {
            *by_mount.entry(mount.clone()).or_default() += 1;
        }
        mount
    }

    /// Strikes off a call that has come back.
    pub(crate) fn remove(&self, mount: Option<&Path>) {
        let mut by_mount = self.by_mount.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = mount.and_then(|mount| by_mount.get_mut(mount)) {
            *count = count.saturating_sub(1);
        }
        by_mount.retain(|_, count| *count > 0);
        self.total.fetch_sub(1, Ordering::Relaxed);
    }

    /// How many hang.
    pub(crate) fn total(&self) -> usize {
        self.total.load(Ordering::Relaxed)
    }

    /// The mount on which a path lies, unless roots lie there too.
    fn blamed(&self, path: &Path) -> Option<PathBuf> {
        mount_of(path).filter(|mount| !self.roots.contains(mount))
    }
}
