//! The crew: threads that take calls from one queue.
//!
//! Only so many calls are quick ones at a time. A thread that ends its call takes the next itself, so a busy crew
//! wakes nobody; a thread is woken, or hired, only when there is a place for one more.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Threads and the work before them.
#[derive(Debug)]
pub(crate) struct Crew {
    shared: Arc<Shared>,
}

struct Shared {
    bounds: Bounds,
    state: Mutex<State>,
    work: Condvar,
    pressure: Arc<Pressure>,
}

/// How many jobs wait, for those who run.
#[derive(Debug, Default)]
pub(crate) struct Pressure(AtomicUsize);

impl Pressure {
    /// Whether many wait.
    pub(crate) fn is_high(&self) -> bool {
        self.0.load(Ordering::Relaxed) > LONG_QUEUE
    }
}

/// What a crew may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Quick calls at a time.
    pub(crate) quick: usize,
    /// Calls that wait.
    pub(crate) queue: usize,
    /// Threads, those of slow and lost calls included.
    pub(crate) threads: usize,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Job>,
    /// Places that are taken.
    quick: usize,
    idle: usize,
    threads: usize,
    closed: bool,
}

impl State {
    /// The next job. In a long queue the newest goes first: if all had to wait as long as the first, none would be
    /// answered soon.
    fn next(&mut self) -> Option<Job> {
        if self.queue.len() > LONG_QUEUE { self.queue.pop_back() } else { self.queue.pop_front() }
    }
}

/// A queue in which a job waits longer than most jobs take.
const LONG_QUEUE: usize = 32;

type Job = Box<dyn FnOnce(Place) + Send>;

/// The place of a quick call.
pub(crate) struct Place {
    shared: Arc<Shared>,
}

/// A thread without work for so long goes home.
const PATIENCE: Duration = Duration::from_secs(10);

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("bounds", &self.bounds).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Place")
    }
}

impl Crew {
    pub(crate) fn new(bounds: Bounds) -> Self {
        let shared = Shared { bounds, state: Mutex::default(), work: Condvar::new(), pressure: Arc::default() };
        Self { shared: Arc::new(shared) }
    }

    /// How many jobs wait, to be looked at now and then.
    pub(crate) fn pressure(&self) -> Arc<Pressure> {
        Arc::clone(&self.shared.pressure)
    }

    /// Takes a job; false when too many wait already.
    pub(crate) fn take(&self, job: Job) -> bool {
        let mut state = self.shared.lock();
        let Bounds { quick, queue, .. } = self.shared.bounds;
        // Those for whom there is a place only wait for a thread.
        if state.queue.len() >= queue + quick.saturating_sub(state.quick) {
            return false;
        }
        state.queue.push_back(job);
        self.shared.pressure.0.store(state.queue.len(), Ordering::Relaxed);
        Shared::staff(&self.shared, state);
        true
    }

    /// Places that are free, and jobs that wait.
    pub(crate) fn load(&self) -> (usize, usize) {
        let state = self.shared.lock();
        (self.shared.bounds.quick.saturating_sub(state.quick), state.queue.len())
    }

    /// Whether nothing quick runs and nothing waits.
    pub(crate) fn is_idle(&self) -> bool {
        let state = self.shared.lock();
        state.quick == 0 && state.queue.is_empty()
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.work.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds a thread for the next job where there is a place for it.
    fn staff(this: &Arc<Self>, mut state: MutexGuard<'_, State>) {
        if state.queue.is_empty() || state.quick >= this.bounds.quick {
            return;
        }
        if state.idle > 0 {
            drop(state);
            this.work.notify_one();
        } else if state.threads < this.bounds.threads {
            state.threads += 1;
            drop(state);
            let shared = Arc::clone(this);
            let hired = std::thread::Builder::new().name("readstone-call".to_owned()).spawn(move || shared.serve());
            if hired.is_err() {
                // The system has no more threads; those there are go on.
                this.lock().threads -= 1;
            }
        }
    }

    /// What a thread does all day.
    fn serve(self: &Arc<Self>) {
        let mut state = self.lock();
        loop {
            if state.quick < self.bounds.quick
                && let Some(job) = state.next()
            {
                state.quick += 1;
                self.pressure.0.store(state.queue.len(), Ordering::Relaxed);
                // Whoever was woken together with this thread may not have come yet.
                Self::staff(self, state);
                job(Place { shared: Arc::clone(self) });
                state = self.lock();
                continue;
            }
            if state.closed {
                break;
            }
            state.idle += 1;
            let (woken, waited) = self.work.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner);
            state = woken;
            state.idle -= 1;
            if waited.timed_out() && state.queue.is_empty() {
                break;
            }
        }
        state.threads -= 1;
    }
}

impl Place {
    /// Gives the place to the next job, although its thread goes on with this one.
    pub(crate) fn pass_on(self) {
        let shared = Arc::clone(&self.shared);
        drop(self);
        Shared::staff(&shared, shared.lock());
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.shared.lock().quick -= 1;
    }
}
