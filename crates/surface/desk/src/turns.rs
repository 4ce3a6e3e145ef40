//! Turns: how many long calls work at a time.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use readstone_base::{Budget, Stopped};

/// As many turns as there are cores to work on. A turn is short; whoever needs longer stands in line again.
#[derive(Debug)]
pub(crate) struct Turns {
    most: usize,
    held: Mutex<Vec<Turn>>,
    ended: Condvar,
}

#[derive(Debug)]
struct Turn {
    holder: u64,
    until: Duration,
}

/// How long a turn lasts.
const SLICE: Duration = Duration::from_millis(10);
/// A turn whose holder does not come back is over so much later; it waits for something else.
const OVERDUE: Duration = Duration::from_millis(50);
/// How often those in line look whether they are still wanted.
const PATIENCE: Duration = Duration::from_millis(10);

impl Default for Turns {
    fn default() -> Self {
        let most = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self { most, held: Mutex::default(), ended: Condvar::new() }
    }
}

impl Turns {
    /// Gives the holder a turn, or lets it keep the one it has; waits in line otherwise.
    pub(crate) fn take(&self, holder: u64, budget: &Budget) -> Result<(), Stopped> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let now = budget.clock().elapsed();
        if held.iter().any(|turn| turn.holder == holder && now < turn.until) {
            return Ok(());
        }
        held.retain(|turn| turn.holder != holder);
        self.ended.notify_one();
        loop {
            let now = budget.clock().elapsed();
            held.retain(|turn| now < turn.until + OVERDUE);
            if held.len() < self.most {
                held.push(Turn { holder, until: now + SLICE });
                return Ok(());
            }
            budget.still_wanted()?;
            held = self.ended.wait_timeout(held, PATIENCE).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Ends the turn of a holder that is done.
    pub(crate) fn end(&self, holder: u64) {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).retain(|turn| turn.holder != holder);
        self.ended.notify_one();
    }
}
