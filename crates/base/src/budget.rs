//! The budget of a call: its deadline, its stop flag, and how far it has come.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::clock::Clock;

/// Travels with a call; long work asks it before every step whether to go on.
#[derive(Clone, Debug)]
pub struct Budget {
    clock: Arc<dyn Clock>,
    deadline: Option<Duration>,
    stop: Arc<AtomicBool>,
    progress: Arc<Progress>,
}

/// Why a call had to stop before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The caller asked for it.
    Cancelled,
    /// The time of the call is used up.
    Deadline,
}

/// How far the work has come, for whoever waits for it.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    total: AtomicU64,
}

impl Budget {
    /// A budget that ends `time` from now; no time means no deadline.
    pub fn new(clock: Arc<dyn Clock>, time: Option<Duration>) -> Self {
        let deadline = time.map(|time| clock.elapsed().saturating_add(time));
        Self { clock, deadline, stop: Arc::default(), progress: Arc::default() }
    }

    /// The same call with a nearer deadline, for a part of the work that has its own limit.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        let own = self.clock.elapsed().saturating_add(time);
        let deadline = Some(self.deadline.map_or(own, |whole| whole.min(own)));
        Self { deadline, ..self.clone() }
    }

    /// The same call without its deadline, for waiting on the caller's own input.
    #[must_use]
    pub fn untimed(&self) -> Self {
        Self { deadline: None, ..self.clone() }
    }

    /// Whether the work may go on.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Stopped::Cancelled);
        }
        match self.deadline {
            Some(deadline) if self.clock.elapsed() >= deadline => Err(Stopped::Deadline),
            Some(_) | None => Ok(()),
        }
    }

    /// A handle with which another thread stops this call.
    pub fn stopper(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Where this call reports how far it is.
    pub fn progress(&self) -> &Arc<Progress> {
        &self.progress
    }

    /// The clock of this call.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }
}

impl Progress {
    /// Says that `done` of `total` bytes are behind us.
    pub fn report(&self, done: u64, total: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    /// How many bytes are done, and of how many; zero of zero when there is nothing to tell.
    pub fn get(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }
}
