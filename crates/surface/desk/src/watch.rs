//! The watch over calls: one timer for all of them, and none while nothing runs.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::time::Instant;

use crate::error::Error;
use crate::lane::Lane;

/// A call that has waited this long for its turn is refused.
const TURN: Duration = Duration::from_secs(2);

/// A call that is not known to work for long may hold its quick place for so many times the usual.
const PATIENT: u32 = 10;

/// How long a call that was given up gets to notice it before it counts as one that hangs.
const NOTICE: Duration = Duration::from_millis(250);

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
    /// When it was first seen to run.
    began: Option<Instant>,
    given_up: Option<Instant>,
}

impl Watch {
    /// A watch that slows calls down after `quick_time` and gives them up after `longest`.
    pub(crate) fn new(quick_time: Duration, longest: Duration) -> Arc<Self> {
        Arc::new(Self { quick_time, longest, watched: Mutex::default() })
    }

    /// Watches a call until it is done.
    pub(crate) fn over(self: &Arc<Self>, lane: &Arc<Lane>) {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        watched.calls.push(Call { lane: Arc::clone(lane), since: Instant::now(), began: None, given_up: None });
        if !watched.looking {
            watched.looking = true;
            tokio::spawn(look(Arc::downgrade(self), self.quick_time));
        }
    }

    /// Looks at every call; false when there is none left.
    fn look(&self) -> bool {
        let now = Instant::now();
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        watched.calls.retain_mut(|call| self.look_at(call, now));
        watched.looking = !watched.calls.is_empty();
        watched.looking
    }

    /// Looks at a call; false when it need not be looked at again.
    fn look_at(&self, call: &mut Call, now: Instant) -> bool {
        if call.lane.is_done() {
            return false;
        }
        if let Some(since) = call.given_up {
            // A call that gets no core would notice if it got one.
            let hangs = now.duration_since(since) >= NOTICE && call.lane.is_waiting();
            if hangs {
                call.lane.lose();
            }
            return !hangs;
        }
        if call.began.is_none() {
            if !call.lane.is_queued() {
                call.began = Some(now);
            } else if now.duration_since(call.since) >= TURN && call.lane.leave_queue() {
                call.lane.give_up(Error::Busy);
                return false;
            }
        }
        let age = call.began.map_or(Duration::ZERO, |began| now.duration_since(began));
        if age >= self.quick_time {
            call.lane.may_slow_down();
        }
        let late = age >= self.longest;
        // A call that only waits for its core is not refused at once.
        if late || (age >= self.quick_time * PATIENT && !call.lane.slow_down()) {
            call.lane.give_up(if late { Error::Stuck } else { Error::Busy });
            call.given_up = Some(now);
        }
        true
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
