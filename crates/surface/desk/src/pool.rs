//! The pool: bounded threads for calls that block.
//!
//! A call starts as a quick one. Should it turn out to be long, by the steps it takes or by the clock, it gives its
//! place to the next call and goes on as a slow one, in turns with the others of its kind; when there are enough of
//! those, it is stopped and refused. So short calls find a place and a core whatever the long ones do.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use readstone_base::{Budget, Gate, Limits};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinError, spawn_blocking};
use tokio::time::timeout;

use crate::error::Error;
use crate::lane::{Lane, Lanes};
use crate::watch::Watch;

/// Runs blocking work on a bounded number of threads.
#[derive(Debug)]
pub(crate) struct Pool {
    quick: Arc<Semaphore>,
    lanes: Lanes,
    /// All quick places, and all slow ones.
    places: (usize, usize),
    calls: AtomicU64,
    waiting: AtomicUsize,
    queue: usize,
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
/// A call that has waited this long for its turn is refused.
const PATIENCE: Duration = Duration::from_secs(2);

/// Asks the work to stop when nobody waits for it any more.
struct StopOnDrop(Option<Arc<AtomicBool>>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        if let Some(stop) = self.0.take() {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Ends a call's lane even when the call breaks off.
struct LeaveOnDrop(Arc<Lane>);

impl Drop for LeaveOnDrop {
    fn drop(&mut self) {
        self.0.leave();
    }
}

/// A place in the queue, given up when it is dropped.
struct Place<'a>(&'a AtomicUsize);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Pool {
    pub(crate) fn new(limits: &Limits) -> Self {
        let places = |number: u64| Arc::new(Semaphore::new(count(number).min(Semaphore::MAX_PERMITS)));
        Self {
            quick: places(limits.server_calls),
            lanes: Lanes { slow: places(limits.server_slow_calls), turns: Arc::default(), hung: Arc::default() },
            places: (count(limits.server_calls), count(limits.server_slow_calls)),
            calls: AtomicU64::new(0),
            waiting: AtomicUsize::new(0),
            queue: count(limits.server_queue),
            watch: Watch::new(
                Duration::from_millis(limits.server_quick_ms),
                Duration::from_millis(limits.call_ms) + GRACE,
            ),
        }
    }

    /// Runs some work; it is asked to stop when the future is dropped.
    pub(crate) async fn run<T, F>(&self, budget: Budget, paths: Vec<PathBuf>, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Budget) -> T + Send + 'static,
    {
        if self.lanes.hung.holds(&paths) {
            return Err(Error::Stuck);
        }
        let place = self.enter().await?;
        let mut stop = StopOnDrop(Some(budget.stopper()));
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        let lane = Arc::new(Lane::new(number, place, self.lanes.clone(), paths));
        let gate: Arc<dyn Gate> = Arc::clone(&lane) as Arc<dyn Gate>;
        let own = LeaveOnDrop(Arc::clone(&lane));
        self.watch.over(&lane);
        let job = spawn_blocking(move || {
            own.0.begin();
            let done = work(&budget.behind(gate));
            (done, own.0.leave())
        });
        tokio::select! {
            biased;
            done = job => {
                stop.0 = None;
                finished(done)
            }
            why = lane.given_up() => Err(why),
        }
    }

    /// Whether no call runs or waits, those aside that hang.
    pub(crate) fn is_idle(&self) -> bool {
        let free = (self.quick.available_permits(), self.lanes.slow.available_permits());
        free == self.places && self.waiting.load(Ordering::Relaxed) == 0
    }

    /// How busy it is.
    pub(crate) fn load(&self) -> Load {
        Load {
            free: self.quick.available_permits(),
            waiting: self.waiting.load(Ordering::Relaxed),
            hung: self.lanes.hung.total(),
        }
    }

    async fn enter(&self) -> Result<OwnedSemaphorePermit, Error> {
        if let Ok(permit) = Arc::clone(&self.quick).try_acquire_owned() {
            return Ok(permit);
        }
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        let _place = Place(&self.waiting);
        if before >= self.queue {
            return Err(Error::Busy);
        }
        let turn = timeout(PATIENCE, Arc::clone(&self.quick).acquire_owned()).await;
        turn.ok().and_then(Result::ok).ok_or(Error::Busy)
    }
}

/// What came of a call; whatever a refused one says is not its answer.
fn finished<T>(done: Result<(T, Option<Error>), JoinError>) -> Result<T, Error> {
    match done {
        Ok((done, None)) => Ok(done),
        Ok((_, Some(why))) => Err(why),
        Err(error) => {
            tracing::error!(panic = error.is_panic(), "a call broke off");
            Err(Error::Broken)
        }
    }
}

fn count(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
