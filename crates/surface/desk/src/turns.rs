//! Turns: how many long calls work at a time.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use readstone_base::{Budget, Monitor, Stopped};

/// As many turns as there are cores to work on. A turn is short; whoever needs longer goes to the end of the line.
#[derive(Debug)]
pub(crate) struct Turns {
    /// How many calls work at a time. The first long call finds it out, because that takes thirty system calls.
    most: OnceLock<usize>,
    state: Arc<Monitor<State>>,
}

#[derive(Debug, Default)]
struct State {
    held: Vec<Turn>,
    line: VecDeque<u64>,
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

impl Default for Turns {
    fn default() -> Self {
        Self { most: OnceLock::new(), state: Monitor::new(State::default()) }
    }
}

impl Turns {
    /// The number of cores.
    fn most(&self) -> usize {
        *self.most.get_or_init(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get))
    }

    /// Gives the holder a turn, or lets it keep the one it has; waits in line otherwise.
    pub(crate) fn take(&self, holder: u64, budget: &Budget) -> Result<(), Stopped> {
        let mut state = self.state.lock();
        let now = budget.clock().elapsed();
        if state.held.iter().any(|turn| turn.holder == holder && now < turn.until) {
            return Ok(());
        }
        state.held.retain(|turn| turn.holder != holder);
        // Only the lead of the threads of a call asks here, so it is not in line yet.
        state.line.push_back(holder);
        drop(state);
        self.state.notify_all();
        loop {
            // Nobody announces that a turn is overdue.
            match self.state.wait_at_most(OVERDUE, budget, |state| self.step_forward(state, holder, budget)) {
                Ok(Some(())) => return Ok(()),
                Ok(None) => {}
                Err(why) => {
                    self.end(holder);
                    return Err(why);
                }
            }
        }
    }

    /// Gives the holder a turn when it is the first in line and one is free.
    fn step_forward(&self, state: &mut State, holder: u64, budget: &Budget) -> Option<()> {
        let now = budget.clock().elapsed();
        state.held.retain(|turn| now < turn.until + OVERDUE);
        if state.held.len() >= self.most() || state.line.front() != Some(&holder) {
            return None;
        }
        state.line.pop_front();
        state.held.push(Turn { holder, until: now + SLICE });
        // The next in line may find another free turn.
        self.state.notify_all();
        Some(())
    }

    /// Ends the turn of a holder that is done.
    pub(crate) fn end(&self, holder: u64) {
        self.state.change(|state| {
            state.held.retain(|turn| turn.holder != holder);
            state.line.retain(|waiting| *waiting != holder);
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

    use readstone_base::Clock;

    use super::*;

    /// A clock that moves with every look at it.
    #[derive(Debug, Default)]
    struct Ticking(AtomicU64);

    impl Clock for Ticking {
        fn elapsed(&self) -> Duration {
            Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
        }

        fn wall(&self) -> i64 {
            0
        }
    }

    #[test]
    fn whoever_needs_long_lets_the_others_have_their_turns() {
        let turns = Turns { most: OnceLock::from(2), ..Turns::default() };
        let budget = Budget::new(Arc::new(Ticking::default()), None);
        let enough = AtomicBool::new(false);
        let steps: [AtomicU64; 5] = std::array::from_fn(|_| AtomicU64::new(0));
        let start = std::sync::Barrier::new(steps.len());
        let work = |holder: usize| {
            start.wait();
            while !enough.load(Ordering::Relaxed) {
                turns.take(holder as u64, &budget).unwrap();
                steps[holder].fetch_add(1, Ordering::Relaxed);
                let now: Vec<u64> = steps.iter().map(|steps| steps.load(Ordering::Relaxed)).collect();
                let fair = now.iter().all(|steps| *steps >= 400);
                enough.fetch_or(fair || now.iter().sum::<u64>() > 5_000_000, Ordering::Relaxed);
            }
            turns.end(holder as u64);
        };
        std::thread::scope(|scope| (0..steps.len()).for_each(|holder| drop(scope.spawn(move || work(holder)))));
        let steps = steps.map(AtomicU64::into_inner);
        assert!(steps.iter().all(|steps| *steps >= 400), "{steps:?}");
    }
}
