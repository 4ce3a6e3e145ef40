//! A quota: something that calls side by side share, such as memory.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::budget::{Budget, Stopped};

/// An amount that is lent and given back.
#[derive(Debug)]
pub struct Quota {
    total: u64,
    left: Mutex<u64>,
    returned: Condvar,
}

/// A part of a quota, given back when it is dropped.
#[derive(Debug)]
#[must_use = "what is not held is given back at once"]
pub struct Lent {
    quota: Arc<Quota>,
    amount: u64,
}

/// How often a call that waits looks at its budget.
const PATIENCE: Duration = Duration::from_millis(10);

impl Quota {
    /// A quota of this size.
    pub fn new(total: u64) -> Self {
        Self { total, left: Mutex::new(total), returned: Condvar::new() }
    }

    /// Takes a part, waiting for it while the budget lasts; more than there is at all counts as all there is.
    pub fn take(self: &Arc<Self>, amount: u64, budget: &Budget) -> Result<Lent, Stopped> {
        let amount = amount.min(self.total);
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        while *left < amount {
            budget.still_wanted()?;
            left = self.returned.wait_timeout(left, PATIENCE).unwrap_or_else(PoisonError::into_inner).0;
        }
        *left -= amount;
        Ok(Lent { quota: Arc::clone(self), amount })
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        *self.quota.left.lock().unwrap_or_else(PoisonError::into_inner) += self.amount;
        self.quota.returned.notify_all();
    }
}
