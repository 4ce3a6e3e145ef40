//! A level: what a server holds while it has nothing to do.

use std::fmt;
use std::time::Duration;

use readstone_testkit::Vitals;

/// What a process holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level {
    descriptors: usize,
    threads: u64,
    children: usize,
    megabytes: u64,
}

/// How often a server is looked at until it is back, and how long between two looks. Threads that wait for work and
/// workers that are kept warm go after a while.
const LOOKS: usize = 120;
const PAUSE: Duration = Duration::from_secs(1);
/// Workers that may be kept for the next piece of work, and the pipes to each of them.
const WORKERS: usize = 2;
const PIPES: usize = 3;
/// Megabytes that the texts and indexes of more calls may take: what a session keeps is bounded, but the warm-up does
/// not fill it.
const KEPT: u64 = 48;

impl Level {
    /// What it holds once it rests.
    pub(crate) fn at_rest(vitals: Vitals) -> Self {
        vitals.rests();
        Self::of(vitals)
    }

    /// What it holds once it is back at a level, or when nobody waits for that any longer.
    pub(crate) fn back_to(before: Self, vitals: Vitals) -> Self {
        let mut now = Self::at_rest(vitals);
        for _ in 0..LOOKS {
            if now.is_back_at(before) {
                break;
            }
            std::thread::sleep(PAUSE);
            now = Self::of(vitals);
        }
        now
    }

    /// Whether nothing is left over.
    pub(crate) fn is_back_at(self, before: Self) -> bool {
        self.own_descriptors() <= before.own_descriptors()
            && self.threads <= before.threads
            && self.children <= WORKERS
            && self.megabytes <= before.megabytes + KEPT
    }

    fn own_descriptors(self) -> usize {
        self.descriptors.saturating_sub(self.children * PIPES)
    }

    fn of(vitals: Vitals) -> Self {
        Self {
            descriptors: vitals.descriptors(),
            threads: vitals.threads(),
            children: vitals.children(),
            megabytes: vitals.megabytes(),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { descriptors, threads, children, megabytes } = self;
        write!(f, "{descriptors} descriptors, {threads} threads, {children} children, {megabytes} MB")
    }
}
