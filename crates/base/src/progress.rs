//! Progress: how far a call has come, for whoever waits for it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Where the work says how far it is. What it says is cheap: counters, and names only while somebody wants them.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    total: AtomicU64,
    looked: AtomicU64,
    found: AtomicU64,
    wanted: AtomicBool,
    names: Mutex<Vec<String>>,
}

/// How far a call has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HowFar {
    /// Bytes that are behind us.
    pub done: u64,
    /// Of how many; none when there is nothing to tell.
    pub total: u64,
    /// Files or entries that were looked at.
    pub looked: u64,
    /// How many of them were wanted.
    pub found: u64,
}

/// Names that are kept between two looks.
const MOST_NAMES: usize = 10;

impl Progress {
    /// Says that `done` of `total` bytes are behind us.
    pub fn report(&self, done: u64, total: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    /// Says that so many more files or entries were looked at.
    pub fn look(&self, count: u64) {
        self.looked.fetch_add(count, Ordering::Relaxed);
    }

    /// Says that so many more of them are wanted.
    pub fn find(&self, count: u64) {
        self.found.fetch_add(count, Ordering::Relaxed);
    }

    /// Whether [`name`](Self::name) is worth its while: somebody wants to hear names, and has not heard enough yet.
    pub fn wants_names(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }

    /// Names something that was found.
    pub fn name(&self, name: String) {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if names.len() < MOST_NAMES {
            names.push(name);
        }
        self.wanted.store(names.len() < MOST_NAMES, Ordering::Relaxed);
    }

    /// How far it is.
    pub fn how_far(&self) -> HowFar {
        HowFar {
            done: self.done.load(Ordering::Relaxed),
            total: self.total.load(Ordering::Relaxed),
            looked: self.looked.load(Ordering::Relaxed),
            found: self.found.load(Ordering::Relaxed),
        }
    }

    /// Some of what was found since this was asked last; from the first time on, names are wanted.
    pub fn names(&self) -> Vec<String> {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        self.wanted.store(true, Ordering::Relaxed);
        std::mem::take(&mut names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up_beside_bytes() {
        let progress = Progress::default();
        assert_eq!(progress.how_far(), HowFar::default());
        progress.report(3, 9);
        progress.look(64);
        progress.look(1);
        progress.find(2);
        assert_eq!(progress.how_far(), HowFar { done: 3, total: 9, looked: 65, found: 2 });
    }

    #[test]
    fn names_are_wanted_once_somebody_asked_and_until_there_are_enough() {
        let progress = Progress::default();
        assert!(!progress.wants_names());
        assert!(progress.names().is_empty());
        assert!(progress.wants_names());
        (0..MOST_NAMES).for_each(|number| progress.name(number.to_string()));
        assert!(!progress.wants_names());
        progress.name("one too many".to_owned());
        let names = progress.names();
        assert_eq!((names.len(), names[9].as_str()), (MOST_NAMES, "9"));
        assert!(progress.wants_names() && progress.names().is_empty());
    }
}
