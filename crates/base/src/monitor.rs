//! A monitor: locked state, and threads that wait for it to change.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Wake, Waker};
use std::time::Duration;

use crate::budget::{Budget, Stopped};

/// State that threads wait for. A waiter wakes when the state changes, when its call is cancelled and when its time is
/// over, and at no other moment.
#[derive(Debug, Default)]
pub struct Monitor<T> {
    state: Mutex<T>,
    changed: Condvar,
}

impl<T> Monitor<T> {
    /// A monitor with this state.
    pub fn new(state: T) -> Arc<Self> {
        Arc::new(Self { state: Mutex::new(state), changed: Condvar::new() })
    }

    /// Locks the state. A thread that panicked while it held the lock does not poison it.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes every waiter, so that each looks at the state again.
    pub fn notify_all(&self) {
        self.changed.notify_all();
    }

    /// Changes the state and wakes every waiter.
    pub fn change<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        let done = change(&mut self.lock());
        self.changed.notify_all();
        done
    }
}

impl<T: Send + 'static> Monitor<T> {
    /// Waits until `ready` finds in the state what it looks for, or the call ends.
    pub fn wait<R>(
        self: &Arc<Self>,
        budget: &Budget,
        mut ready: impl FnMut(&mut T) -> Option<R>,
    ) -> Result<R, Stopped> {
        // Most waits are over before they begin, and need no place in the list of the token.
        if let Some(found) = ready(&mut self.lock()) {
            return Ok(found);
        }
        let _registration = budget.cancel_token().wake_on_cancel(Waker::from(Arc::clone(self)));
        let mut state = self.lock();
        loop {
            if let Some(found) = ready(&mut state) {
                return Ok(found);
            }
            budget.still_wanted()?;
            state = match budget.left() {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(left) => self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
    }

    /// Waits as [`wait`](Self::wait) does, but no longer than `time`; `None` when that time was over first.
    pub fn wait_at_most<R>(
        self: &Arc<Self>,
        time: Duration,
        budget: &Budget,
        mut ready: impl FnMut(&mut T) -> Option<R>,
    ) -> Result<Option<R>, Stopped> {
        let _registration = budget.cancel_token().wake_on_cancel(Waker::from(Arc::clone(self)));
        let part = budget.within(time);
        let mut state = self.lock();
        loop {
            if let Some(found) = ready(&mut state) {
                return Ok(Some(found));
            }
            budget.still_wanted()?;
            let left = part.left().unwrap_or(time);
            let (woken, waited) = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner);
            state = woken;
            if waited.timed_out() {
                let found = ready(&mut state);
                return if found.is_some() { Ok(found) } else { budget.still_wanted().map(|()| None) };
            }
        }
    }
}

/// A cancelled call wakes its waiters through the lock: a waiter that has looked at the token and not yet begun to wait
/// would miss a bare notification.
impl<T: Send + 'static> Wake for Monitor<T> {
    fn wake(self: Arc<Self>) {
        drop(self.lock());
        self.changed.notify_all();
    }
}
