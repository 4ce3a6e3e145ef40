//! Slots: a number of calls that may be in one state at a time.

use std::sync::Arc;

use readstone_base::{Budget, Monitor, Stopped};

/// A number of slots. A clone is another handle on the same slots.
#[derive(Clone, Debug)]
pub(crate) struct Slots {
    total: usize,
    free: Arc<Monitor<usize>>,
}

/// One slot, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Slot(Arc<Monitor<usize>>);

impl Slots {
    pub(crate) fn new(total: usize) -> Self {
        Self { total, free: Monitor::new(total) }
    }

    /// Takes a slot if one is free.
    pub(crate) fn try_take(&self) -> Option<Slot> {
        take(&mut self.free.lock()).map(|()| self.slot())
    }

    /// Takes a slot, and waits for one until the call ends.
    pub(crate) fn take(&self, budget: &Budget) -> Result<Slot, Stopped> {
        self.free.wait(budget, take).map(|()| self.slot())
    }

    /// Whether every slot is taken.
    pub(crate) fn is_full(&self) -> bool {
        *self.free.lock() == 0
    }

    /// Whether no slot is taken.
    pub(crate) fn is_idle(&self) -> bool {
        *self.free.lock() == self.total
    }

    fn slot(&self) -> Slot {
        Slot(Arc::clone(&self.free))
    }
}

fn take(free: &mut usize) -> Option<()> {
    *free = free.checked_sub(1)?;
    Some(())
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.change(|free| *free += 1);
    }
}
