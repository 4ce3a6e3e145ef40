//! The crew of a walk: its threads, and what they share.

use std::collections::BinaryHeap;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use readstone_base::Stopped;

use super::ahead::{Ahead, What};
use super::hand::Hand;
use super::ledger::{Ledger, Tally};
use super::{Visit, Walk, Walked, path_of};
use crate::rules::{Bad, Rules};

/// A walk that is made.
pub(super) struct Crew<'a> {
    pub(super) walk: &'a Walk<'a>,
    pub(super) visit: &'a dyn Visit,
    /// How many entries a thread takes at once.
    pub(super) grain: usize,
    state: Mutex<State>,
    more: Condvar,
}

/// What the threads share.
#[derive(Default)]
struct State {
    ahead: BinaryHeap<Ahead>,
    /// The directories that threads are at.
    at: Vec<Vec<u8>>,
    /// Threads that wait for something to do.
    idle: usize,
    ledger: Ledger,
    stopped: Option<Stopped>,
}

/// Something to do.
pub(super) struct Job {
    pub(super) key: Vec<u8>,
    pub(super) below: PathBuf,
    pub(super) what: What,
}

/// Something that was done.
struct Done {
    key: Vec<u8>,
    tally: Tally,
    ended: Result<(), Stopped>,
}

impl<'a> Crew<'a> {
    pub(super) fn new(walk: &'a Walk<'a>, visit: &'a dyn Visit) -> Self {
        Self { walk, visit, grain: visit.grain().max(1), state: Mutex::default(), more: Condvar::new() }
    }

    /// Walks until nothing is ahead that anybody wants.
    pub(super) fn go(self, rules: &Rules, bad: Bad) -> Walked {
        let (lead, helper) = self.walk.budget.shared_out();
        let mut state = self.lock();
        state.ledger.add(Vec::new(), Tally { bad: self.seen_from_trunk(bad), ..Tally::default() });
        state.at.push(Vec::new());
        drop(state);
        std::thread::scope(|scope| {
            let mut hand = Hand::new(&self, lead);
            let ended = hand.begin(rules);
            let done = Done { key: Vec::new(), tally: std::mem::take(&mut hand.tally), ended };
            let alone = self.lock().ahead.iter().all(|ahead| ahead.is_short(self.grain));
            let helpers = if alone { 0 } else { self.walk.threads.saturating_sub(1) };
            for _ in 0..helpers {
                let budget = helper.clone();
                scope.spawn(|| self.work_on(Hand::new(&self, budget), None));
            }
            self.work_on(hand, Some(done));
        });
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        Walked { stopped: state.stopped, ..state.ledger.close(self.visit) }
    }

    /// Adds to what lies ahead.
    pub(super) fn push(&self, ahead: impl Iterator<Item = Ahead>) {
        let mut state = self.lock();
        let before = state.ahead.len();
        state.ahead.extend(ahead);
        let (idle, new) = (state.idle, state.ahead.len() - before);
        drop(state);
        for _ in 0..idle.min(new) {
            self.more.notify_one();
        }
    }

    /// Bad rules with the path of their file as seen from the trunk.
    pub(super) fn seen_from_trunk(&self, bad: Bad) -> Bad {
        let seen = |file: PathBuf| {
            let mut up = PathBuf::new();
            for ancestor in self.walk.trunk.real.ancestors() {
                if let Ok(rest) = file.strip_prefix(ancestor) {
                    return up.join(rest);
                }
                up.push("..");
            }
            file
        };
        Bad { file: bad.file.map(seen), ..bad }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes what is foremost, again and again.
    fn work_on(&self, mut hand: Hand<'_>, first: Option<Done>) {
        // Nobody waits for a thread that is no more.
        let _flare = Flare(self);
        let mut done = first;
        while let Some(job) = self.next(done.take()) {
            let key = job.key.clone();
            let ended = hand.work(job);
            done = Some(Done { key, tally: std::mem::take(&mut hand.tally), ended });
        }
    }

    /// Notes what was done and gives what to do next, perhaps after a while; none when nothing is left that anybody wants.
    fn next(&self, done: Option<Done>) -> Option<Job> {
        let mut state = self.lock();
        if let Some(done) = done {
            state.note(done, self.visit);
        }
        while state.stopped.is_none() {
            let Some(first) = state.ahead.pop() else {
                if state.at.is_empty() {
                    break;
                }
                state.idle += 1;
                state = self.more.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.idle -= 1;
                continue;
            };
            if matches!(&first.what, What::Entries(rest) if rest.is_spent()) {
                continue;
            }
            let below = path_of(&first.key);
            if !self.visit.wants(&below) {
                // Whatever else lies ahead lies behind this.
                state.ahead.clear();
                continue;
            }
            state.ahead.extend(first.behind());
            state.at.push(first.key.clone());
            return Some(Job { key: first.key, below, what: first.what });
        }
        drop(state);
        self.more.notify_all();
        None
    }
}

impl State {
    fn note(&mut self, done: Done, visit: &dyn Visit) {
        if let Some(place) = self.at.iter().position(|key| *key == done.key) {
            self.at.swap_remove(place);
        }
        self.stopped = self.stopped.or(done.ended.err());
        self.ledger.note(done.key, done.tally);
        if self.ledger.is_full() {
            let waiting = self.ahead.peek().map(|ahead| &ahead.key);
            let foremost = self.at.iter().chain(waiting).min();
            if let Some(key) = foremost.filter(|key| visit.wants(&path_of(key))) {
                self.ledger.settle(key);
            }
        }
    }
}

/// Ends the walk when a thread of it fails, so that the others do not wait for it.
struct Flare<'a, 'b>(&'a Crew<'b>);

impl Drop for Flare<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.lock().stopped = Some(Stopped::Cancelled);
            self.0.more.notify_all();
        }
    }
}

impl std::fmt::Debug for Crew<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Crew").field("real", &Path::new(self.walk.trunk.real)).finish_non_exhaustive()
    }
}
