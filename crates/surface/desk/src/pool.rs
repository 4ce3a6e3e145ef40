//! The pool: bounded threads for calls that block.
//!
//! A call starts as a quick one. Should it turn out to be long, by the work it does or by what it waits for, it gives
//! its place to the next call and goes on as a slow one, in turns with the others of its kind; when there are enough of
//! those, it is stopped and refused. So short calls find a place and a core whatever the long ones do.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use readstone_base::{Budget, CancelToken, Gate, Limits, Stopped};
use tokio::sync::oneshot;

use crate::crew::{Bounds, Crew};
use crate::error::Error;
use crate::hung::Hung;
use crate::lane::{Lane, Lanes};
use crate::slots::Slots;
use crate::watch::Watch;

/// Runs blocking work on a bounded number of threads.
#[derive(Debug)]
pub(crate) struct Pool {
    crew: Crew,
    lanes: Lanes,
    calls: AtomicU64,
    watch: Arc<Watch>,
}

/// How busy a pool is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    /// Calls that could start at once.
    pub(crate) free: usize,
    /// Calls that wait for their turn.
    pub(crate) waiting: usize,
    /// Calls whose threads hang.
    pub(crate) hung: usize,
}

/// Beyond its own deadline a call gets this long to notice it.
const GRACE: Duration = Duration::from_millis(500);
/// Threads for calls that hang, beside those of quick and slow ones.
const SPARE_THREADS: usize = 64;

/// Cancels a call when the caller that waits for it leaves.
struct CancelOnDrop(Option<CancelToken>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if let Some(token) = self.0.take() {
            token.cancel();
        }
    }
}

impl Pool {
    pub(crate) fn new(limits: &Limits, roots: &[PathBuf]) -> Self {
        let (quick, slow) = (count(limits.server_calls), count(limits.server_slow_calls));
        let away = count(limits.server_waiting_calls);
        let bounds = Bounds { quick, queue: count(limits.server_queue), threads: quick + slow + away + SPARE_THREADS };
        let longest = Duration::from_millis(limits.call_ms) + GRACE;
        let crew = Crew::new(bounds);
        let lanes = Lanes {
            slow: Slots::new(slow),
            away: Slots::new(away),
            turns: Arc::default(),
            hung: Arc::new(Hung::new(roots)),
            pressure: crew.pressure(),
        };
        Self {
            crew,
            lanes,
            calls: AtomicU64::new(0),
            watch: Watch::new(Duration::from_millis(limits.server_quick_ms), longest),
        }
    }

    /// Runs some work; it is asked to stop when the future is dropped.
    pub(crate) async fn run<T, F>(&self, budget: Budget, path: Option<PathBuf>, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Budget) -> T + Send + 'static,
    {
        if self.lanes.hung.holds(path.as_deref()) {
            return Err(Error::Hung);
        }
        let mut stop = CancelOnDrop(Some(budget.cancel_token().clone()));
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        let lane = Arc::new(Lane::new(number, self.lanes.clone(), path));
        let own = Arc::clone(&lane);
        let (answer, answered) = oneshot::channel();
        let job = move |place| {
            let wanted = budget.still_wanted();
            if !own.begin(place) || wanted == Err(Stopped::Cancelled) {
                own.leave();
                return;
            }
            if wanted.is_err() {
                let why = own.leave().unwrap_or(Error::Late);
                drop(answer.send(Err(why)));
                return;
            }
            let gate: Arc<dyn Gate> = Arc::clone(&own) as Arc<dyn Gate>;
            let done = catch_unwind(AssertUnwindSafe(|| work(&budget.behind(gate))));
            let why = own.leave();
            // Whoever left does not want it.
            drop(answer.send(finished(done.ok(), why)));
        };
        if !self.crew.take(Box::new(job)) {
            return Err(Error::Busy);
        }
        self.watch.over(&lane);
        tokio::select! {
            biased;
            done = answered => {
                stop.0 = None;
                done.unwrap_or(Err(Error::Busy))
            }
            why = lane.given_up() => Err(why),
        }
    }

    /// Whether no call runs or waits, those aside that hang.
    pub(crate) fn is_idle(&self) -> bool {
        self.crew.is_idle() && self.lanes.slow.is_idle()
    }

    /// How busy it is.
    pub(crate) fn load(&self) -> Load {
        let (free, waiting) = self.crew.load();
        Load { free, waiting, hung: self.lanes.hung.total() }
    }
}

/// What came of a call; whatever a refused one says is not its answer.
fn finished<T>(done: Option<T>, why: Option<Error>) -> Result<T, Error> {
    match (done, why) {
        (Some(done), None) => Ok(done),
        (Some(_), Some(why)) => Err(why),
        (None, _) => Err(Error::Broken),
    }
}

fn count(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use readstone_base::Fixed;

    use super::*;

    #[test]
    fn a_call_that_begins_when_its_time_is_over_is_told_so_and_does_nothing() {
        let pool = Pool::new(&Limits::default(), &[]);
        let budget = Budget::new(Arc::new(Fixed(0)), Some(Duration::ZERO));
        let runtime = crate::single_runtime().unwrap();
        let done = runtime.block_on(pool.run(budget, None, |_| unreachable!("there is no time for it")));
        assert_eq!(done, Err::<(), _>(Error::Late));
        assert!(pool.is_idle());
    }
}
