//! What a walk counts, directory by directory, so that what counts in the end does not depend on which thread was quicker.

use std::path::PathBuf;

use super::{Visit, Walked, path_of};
use crate::rules::Bad;

/// What was counted in one directory.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) ignored: u64,
    pub(super) denied: u64,
    pub(super) unreadable: u64,
    pub(super) cut: bool,
    pub(super) bad: Bad,
}

/// What was counted so far.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    /// What counts for certain.
    certain: Walked,
    /// The key of the directory with the first bad rules among it.
    bad_key: Option<Vec<u8>>,
    /// What counts unless the walk turns out to have ended before.
    open: Vec<(Vec<u8>, Tally)>,
}

/// Directories of which more is remembered than their sum.
const MOST_OPEN: usize = 4 * 1024;

impl Ledger {
    /// Notes what was counted in the directory with this key.
    pub(super) fn note(&mut self, key: Vec<u8>, tally: Tally) {
        let nothing = tally.ignored + tally.denied + tally.unreadable + tally.bad.lines == 0 && !tally.cut;
        if !nothing {
            self.open.push((key, tally));
        }
    }

    /// Whether there is so much that some of it should be settled.
    pub(super) fn is_full(&self) -> bool {
        self.open.len() >= MOST_OPEN
    }

    /// Sums up what was counted in directories before this one, which is still wanted: whatever is found from now on, they
    /// count.
    pub(super) fn settle(&mut self, foremost: &[u8]) {
        let open = std::mem::take(&mut self.open);
        let (sure, open): (Vec<_>, Vec<_>) = open.into_iter().partition(|(key, _)| key.as_slice() < foremost);
        self.open = open;
        for (key, tally) in sure {
            self.add(key, tally);
        }
    }

    /// What counts in the end.
    pub(super) fn close(mut self, visit: &dyn Visit) -> Walked {
        for (key, tally) in std::mem::take(&mut self.open) {
            if visit.wants(&path_of(&key)) {
                self.add(key, tally);
            }
        }
        self.certain
    }

    /// Adds what counts for certain.
    pub(super) fn add(&mut self, key: Vec<u8>, tally: Tally) {
        self.certain.ignored += tally.ignored;
        self.certain.denied += tally.denied;
        self.certain.unreadable += tally.unreadable;
        self.certain.cut |= tally.cut;
        self.add_bad(key, tally.bad);
    }

    fn add_bad(&mut self, key: Vec<u8>, bad: Bad) {
        self.certain.bad_rules += bad.lines;
        let file: Option<PathBuf> = bad.file;
        if file.is_some() && self.bad_key.as_ref().is_none_or(|first| key < *first) {
            self.certain.bad_rules_in = file;
            self.bad_key = Some(key);
        }
    }
}
