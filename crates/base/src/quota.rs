//! A quota: something that calls side by side share, such as memory.

use std::sync::Arc;

use crate::budget::{Budget, Stopped};
use crate::monitor::Monitor;

/// An amount that is lent and given back.
#[derive(Debug)]
pub struct Quota {
    total: u64,
    left: Arc<Monitor<u64>>,
}

/// A part of a quota, given back when it is dropped.
#[derive(Debug)]
#[must_use = "what is not held is given back at once"]
pub struct Lent {
    quota: Arc<Quota>,
    amount: u64,
}

impl Quota {
    /// A quota of this size.
    pub fn new(total: u64) -> Self {
        Self { total, left: Monitor::new(total) }
    }

    /// Takes a part, waiting for it while the budget lasts; more than there is at all counts as all there is.
    pub fn take(self: &Arc<Self>, amount: u64, budget: &Budget) -> Result<Lent, Stopped> {
        let amount = amount.min(self.total);
        self.left.wait(budget, |left| {
            let rest = left.checked_sub(amount)?;
            *left = rest;
            Some(())
        })?;
        Ok(Lent { quota: Arc::clone(self), amount })
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.quota.left.change(|left| *left += self.amount);
    }
}
