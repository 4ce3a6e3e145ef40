//! The lane of a call: quick at first, slow when it turns out to be long.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use readstone_base::{Budget, Gate, Step, Stopped};
use readstone_host::{is_waiting, thread_id, thread_time};
use tokio::sync::Notify;

use crate::crew::{Place, Pressure};
use crate::error::Error;
use crate::hung::Hung;
use crate::slots::{Slot, Slots};
use crate::turns::Turns;

/// Where a call stands.
#[derive(Debug)]
pub(crate) struct Lane {
    number: u64,
    lanes: Lanes,
    /// What the call reads, where that is one thing.
    path: Option<PathBuf>,
    /// The thread it runs on, once it does.
    thread: AtomicI32,
    /// The time of the thread when it began, in nanoseconds.
    began: AtomicU64,
    /// Whether it is known to be long.
    long: AtomicBool,
    state: Mutex<State>,
    /// Why nobody should wait for the call any longer.
    verdict: Mutex<Option<Error>>,
    hopeless: Notify,
}

#[derive(Debug)]
enum State {
    /// It stands in the queue.
    Waiting,
    /// It has a quick place.
    Quick(Place),
    /// It gave that up and has a slow one.
    Slow(#[expect(dead_code, reason = "it is held, not looked at")] Slot),
    /// It waits for somebody else, and works on nothing.
    Away(#[expect(dead_code, reason = "it is held, not looked at")] Slot),
    /// There was no slow place; it keeps the quick one until it has noticed that.
    Refused(Place),
    /// It hangs: its place is another's, its thread is lost for now.
    Lost(Option<PathBuf>),
    /// It is over.
    Done,
}

/// What the lanes of a pool share.
#[derive(Clone, Debug)]
pub(crate) struct Lanes {
    pub(crate) slow: Slots,
    pub(crate) away: Slots,
    pub(crate) turns: Arc<Turns>,
    pub(crate) hung: Arc<Hung>,
    pub(crate) pressure: Arc<Pressure>,
}

/// A call that has kept a core busy for longer is a long one.
const QUICK_NANOS: u64 = 1_500_000;
/// The same while there are as many long calls as there may be, and many wait.
const HURRIED_NANOS: u64 = 250_000;
/// The same while there are as many long calls as there may be, and few wait.
const CALM_NANOS: u64 = 4_000_000;

impl Lane {
    /// A call that waits for its turn.
    pub(crate) fn new(number: u64, lanes: Lanes, path: Option<PathBuf>) -> Self {
        let state = Mutex::new(State::Waiting);
        Self {
            number,
            lanes,
            path,
            thread: AtomicI32::new(0),
            began: AtomicU64::new(0),
            long: AtomicBool::new(false),
            state,
            verdict: Mutex::default(),
            hopeless: Notify::new(),
        }
    }

    /// Makes it a slow one; false when there is no place for it, which ends it.
    pub(crate) fn slow_down(&self) -> bool {
        self.change(State::Refused)
    }

    /// Makes it a slow one where there is a place; otherwise it stays what it is.
    pub(crate) fn may_slow_down(&self) {
        self.change(State::Quick);
    }

    /// Gives a quick call a slow place, or else puts it into another state; false when it has none.
    fn change(&self, otherwise: fn(Place) -> State) -> bool {
        let mut passed_on = None;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        *state = match std::mem::replace(&mut *state, State::Done) {
            State::Quick(place) => match self.lanes.slow.try_take() {
                Some(slow) => {
                    passed_on = Some(place);
                    State::Slow(slow)
                }
                None => otherwise(place),
            },
            other @ (State::Waiting
            | State::Slow(_)
            | State::Away(_)
            | State::Refused(_)
            | State::Lost(_)
            | State::Done) => other,
        };
        let fits = matches!(*state, State::Slow(_) | State::Away(_) | State::Done);
        drop(state);
        if let Some(place) = passed_on {
            place.pass_on();
        }
        fits
    }

    /// Begins on this thread with this place; false when it was given up before.
    pub(crate) fn begin(&self, place: Place) -> bool {
        self.thread.store(thread_id(), Ordering::Relaxed);
        self.began.store(nanos(), Ordering::Relaxed);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = matches!(*state, State::Waiting);
        if wanted {
            *state = State::Quick(place);
        }
        wanted
    }

    /// Ends a call that has not begun; false when it has.
    pub(crate) fn leave_queue(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = matches!(*state, State::Waiting);
        if waited {
            *state = State::Done;
        }
        waited
    }

    /// Whether it stands in the queue.
    pub(crate) fn is_queued(&self) -> bool {
        matches!(*self.state.lock().unwrap_or_else(PoisonError::into_inner), State::Waiting)
    }

    /// Whether it waits for the system, rather than for a core.
    pub(crate) fn is_waiting(&self) -> bool {
        let thread = self.thread.load(Ordering::Relaxed);
        thread != 0 && is_waiting(thread)
    }

    /// Gives the place of a call that does not even notice that it is stopped to others.
    pub(crate) fn lose(&self) {
        let blamed = self.lanes.hung.add(self.path.as_deref());
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*state, State::Done | State::Lost(_)) {
            self.lanes.hung.remove(blamed.as_deref());
            return;
        }
        let held = std::mem::replace(&mut *state, State::Lost(blamed));
        drop(state);
        if let State::Quick(place) | State::Refused(place) = held {
            place.pass_on();
        }
    }

    /// Tells whoever waits for the call that it will not end in time.
    pub(crate) fn give_up(&self, why: Error) {
        *self.verdict.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
        self.hopeless.notify_one();
    }

    /// Waits until the call is given up, and tells why.
    pub(crate) async fn given_up(&self) -> Error {
        self.hopeless.notified().await;
        self.verdict.lock().unwrap_or_else(PoisonError::into_inner).unwrap_or(Error::Stuck)
    }

    /// Whether it is over.
    pub(crate) fn is_done(&self) -> bool {
        matches!(*self.state.lock().unwrap_or_else(PoisonError::into_inner), State::Done)
    }

    /// Gives back its place and its turn; tells why its answer is none, if so.
    pub(crate) fn leave(&self) -> Option<Error> {
        let left = std::mem::replace(&mut *self.state.lock().unwrap_or_else(PoisonError::into_inner), State::Done);
        if self.long.load(Ordering::Relaxed) {
            self.lanes.turns.end(self.number);
        }
        if let State::Lost(mount) = &left {
            self.lanes.hung.remove(mount.as_deref());
        }
        let refused = matches!(left, State::Refused(_)).then_some(Error::Busy);
        refused.or(*self.verdict.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Lane {
    /// Whether what the call did so far keeps nobody waiting. It counts by the time of its core, not by the clock:
    /// waiting is not working.
    fn is_short(&self) -> bool {
        let spent = nanos().saturating_sub(self.began.load(Ordering::Relaxed));
        let (full, pressed) = (self.lanes.slow.is_full(), self.lanes.pressure.is_high());
        match (full, pressed) {
            (false, _) => spent <= QUICK_NANOS,
            // Many wait, and there is no room for long calls: those that will be refused are told early.
            (true, true) => spent <= HURRIED_NANOS,
            // Nobody waits: what is not very long may as well go on.
            (true, false) => spent <= CALM_NANOS,
        }
    }
}

impl Gate for Lane {
    fn pass(&self, budget: &Budget, step: Step) -> Result<(), Stopped> {
        if !self.long.load(Ordering::Relaxed) {
            if step == Step::Light && self.is_short() {
                return Ok(());
            }
            self.long.store(true, Ordering::Relaxed);
        }
        if !self.slow_down() {
            // Nothing of what is left of the call is begun.
            budget.cancel_token().cancel();
            return Err(Stopped::Cancelled);
        }
        self.lanes.turns.take(self.number, budget)
    }

    fn leave(&self) {
        let Some(away) = self.lanes.away.try_take() else {
            // Too many wait already; this one does so as a slow call.
            return;
        };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let held = match &*state {
            State::Quick(_) | State::Slow(_) => std::mem::replace(&mut *state, State::Away(away)),
            State::Waiting | State::Away(_) | State::Refused(_) | State::Lost(_) | State::Done => return,
        };
        drop(state);
        if self.long.load(Ordering::Relaxed) {
            self.lanes.turns.end(self.number);
        }
        if let State::Quick(place) = held {
            place.pass_on();
        }
    }

    fn come_back(&self, budget: &Budget) -> Result<(), Stopped> {
        let is_away = |state: &State| matches!(state, State::Away(_));
        if !is_away(&self.state.lock().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(());
        }
        // What it waited for is here; the long calls before it end sooner or later.
        let slow = self.lanes.slow.take(budget)?;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if is_away(&state) {
            *state = State::Slow(slow);
            self.long.store(true, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// The time that cores have spent on this thread, in nanoseconds.
fn nanos() -> u64 {
    u64::try_from(thread_time().as_nanos()).unwrap_or(u64::MAX)
}
