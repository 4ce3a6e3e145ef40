//! A mutex whose waiters end with their call.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use crate::budget::{Budget, Stopped};
use crate::monitor::Monitor;

/// A value that one call uses at a time. A call that waits for it ends when it is cancelled or its time is over.
#[derive(Debug)]
pub struct CallMutex<T> {
    /// `None` while a call has the value.
    value: Arc<Monitor<Option<T>>>,
}

/// The value, until it is dropped.
#[derive(Debug)]
#[must_use = "the mutex is free again when this is dropped"]
pub struct CallMutexGuard<T> {
    value: Option<T>,
    home: Arc<Monitor<Option<T>>>,
}

impl<T: Default> Default for CallMutex<T> {
    fn default() -> Self {
        Self { value: Monitor::new(Some(T::default())) }
    }
}

impl<T: Send + 'static> CallMutex<T> {
    /// Takes the value, and waits for another call that has it.
    pub fn lock(&self, budget: &Budget) -> Result<CallMutexGuard<T>, Stopped> {
        let value = self.value.wait(budget, Option::take)?;
        Ok(CallMutexGuard { value: Some(value), home: Arc::clone(&self.value) })
    }
}

#[expect(clippy::expect_used, reason = "only `drop` takes the value out")]
impl<T> Deref for CallMutexGuard<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value.as_ref().expect("the guard has its value")
    }
}

#[expect(clippy::expect_used, reason = "only `drop` takes the value out")]
impl<T> DerefMut for CallMutexGuard<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.value.as_mut().expect("the guard has its value")
    }
}

impl<T> Drop for CallMutexGuard<T> {
    fn drop(&mut self) {
        let value = self.value.take();
        self.home.change(|home| *home = value);
    }
}
