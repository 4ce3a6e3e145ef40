//! The watch over running calls: one timer for all of them, and none while nothing runs.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::time::Instant;

use crate::error::Error;
use crate::lane::Lane;

/// A call that is not known to work for long may hold its quick place for so many times the usual.
const PATIENT: u32 = 10;

/// Looks after calls that do not end.
#[derive(Debug)]
pub(crate) struct Watch {
    quick_time: Duration,
    longest: Duration,
    watched: Mutex<Watched>,
}

#[derive(Debug, Default)]
struct Watched {
    calls: Vec<Call>,
    /// Whether somebody looks already.
    looking: bool,
}

#[derive(Debug)]
struct Call {
    lane: Arc<Lane>,
    since: Instant,
}

impl Watch {
    /// A watch that slows calls down after `quick_time` and gives them up after `longest`.
    pub(crate) fn new(quick_time: Duration, longest: Duration) -> Arc<Self> {
        Arc::new(Self { quick_time, longest, watched: Mutex::default() })
    }

    /// Watches a call until it is done.
    pub(crate) fn over(self: &Arc<Self>, lane: &Arc<Lane>) {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        watched.calls.push(Call { lane: Arc::clone(lane), since: Instant::now() });
        if !watched.looking {
            watched.looking = true;
            tokio::spawn(look(Arc::downgrade(self), self.quick_time));
        }
    }

    /// Looks at every call; false when there is none left.
    fn look(&self) -> bool {
        let now = Instant::now();
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        watched.calls.retain(|call| {
            let age = now.duration_since(call.since);
            if age >= self.quick_time {
                call.lane.may_slow_down();
            }
            // A call that only waits for its core is not refused at once.
            let late = age >= self.longest;
            let hopeless = late || (age >= self.quick_time * PATIENT && !call.lane.slow_down());
            if hopeless && !call.lane.is_done() {
                call.lane.give_up(if late { Error::Stuck } else { Error::Busy });
            }
            !hopeless && !call.lane.is_done()
        });
        watched.looking = !watched.calls.is_empty();
        watched.looking
    }
}

async fn look(watch: Weak<Watch>, rhythm: Duration) {
    loop {
        tokio::time::sleep(rhythm).await;
        if !watch.upgrade().is_some_and(|watch| watch.look()) {
            return;
        }
    }
}
