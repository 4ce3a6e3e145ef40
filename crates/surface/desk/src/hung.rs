//! Calls that hang: their threads are lost until the file system answers, and no more follow them there.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use readstone_host::mount_of;

/// How many calls hang on which mount.
#[derive(Debug, Default)]
pub(crate) struct Hung {
    total: AtomicUsize,
    by_mount: Mutex<HashMap<PathBuf, usize>>,
}

/// Calls that may hang on one mount before others are kept from it.
const MOST_ON_ONE: usize = 2;

impl Hung {
    /// Whether one of these paths lies where calls hang.
    pub(crate) fn holds(&self, paths: &[PathBuf]) -> bool {
        if self.total.load(Ordering::Relaxed) == 0 {
            return false;
        }
        let mounts: Vec<PathBuf> = paths.iter().filter_map(|path| mount_of(path)).collect();
        let by_mount = self.by_mount.lock().unwrap_or_else(PoisonError::into_inner);
        mounts.iter().any(|mount| by_mount.get(mount).is_some_and(|count| *count >= MOST_ON_ONE))
    }

    /// Notes a call that hangs on one of these paths; gives their mounts, by which it is struck off again.
    pub(crate) fn add(&self, paths: &[PathBuf]) -> Vec<PathBuf> {
        let mounts: Vec<PathBuf> = paths.iter().filter_map(|path| mount_of(path)).collect();
        let mut by_mount = self.by_mount.lock().unwrap_or_else(PoisonError::into_inner);
        for mount in &mounts {
            *by_mount.entry(mount.clone()).or_default() += 1;
        }
        self.total.fetch_add(1, Ordering::Relaxed);
        mounts
    }

    /// Strikes off a call that has come back.
    pub(crate) fn remove(&self, mounts: &[PathBuf]) {
        let mut by_mount = self.by_mount.lock().unwrap_or_else(PoisonError::into_inner);
        for mount in mounts {
            if let Some(count) = by_mount.get_mut(mount) {
                *count = count.saturating_sub(1);
            }
        }
        by_mount.retain(|_, count| *count > 0);
        self.total.fetch_sub(1, Ordering::Relaxed);
    }

    /// How many hang.
    pub(crate) fn total(&self) -> usize {
        self.total.load(Ordering::Relaxed)
    }
}
