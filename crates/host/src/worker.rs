//! Work in other processes of the same program, which may crash, hang or be killed at the cost of one call.

mod child;
mod confine;
mod frame;
mod inside;
mod place;

use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use readstone_base::{Budget, Hear, Limits, Pace, Quota, Spoiled, Task, Workshop, plain_words};

use child::{Lent, Worker};
pub use inside::work_for_parent;

/// How a worker process is started.
#[derive(Clone, Debug)]
struct Start {
    program: PathBuf,
    arguments: Vec<OsString>,
}

/// What a piece of work may use.
#[derive(Clone, Copy, Debug)]
struct Duty {
    memory: u64,
    seconds: u64,
    answer_bytes: u64,
}

/// Worker processes, of which the ones that did their work well are kept for the next.
#[derive(Debug)]
pub struct Workers {
    start: Start,
    duty: Duty,
    idle: Mutex<Vec<Worker>>,
    places: Arc<Quota>,
    /// The places that work without an end of its own may take: one less, where there are several.
    open_places: Arc<Quota>,
}

/// So many workers wait for the next piece of work; others are ended when theirs is done.
const MOST_IDLE: usize = 2;

impl Workers {
    /// Workers that run `program` with these arguments and the number of bytes they may use behind them. The program
    /// calls [`work_for_parent`] then.
    pub fn new(program: PathBuf, arguments: Vec<OsString>, limits: &Limits) -> Self {
        let duty =
            Duty { memory: limits.worker_memory, seconds: limits.worker_seconds, answer_bytes: limits.worker_answer };
        let mut arguments = arguments;
        arguments.push(duty.memory.to_string().into());
        let places = Arc::new(Quota::new(limits.workers));
        let open_places = Arc::new(Quota::new(limits.workers.saturating_sub(1).max(1)));
        Self { start: Start { program, arguments }, duty, idle: Mutex::default(), places, open_places }
    }

    /// Workers that run this very program, whatever stands in its place by now.
    pub fn of_this_program(arguments: Vec<OsString>, limits: &Limits) -> io::Result<Self> {
        let own = PathBuf::from("/proc/self/exe");
        let program = if cfg!(target_os = "linux") { own } else { std::env::current_exe()? };
        Ok(Self::new(program, arguments, limits))
    }

    /// A worker that waits for work, if there is one; those that died meanwhile are buried.
    fn waiting(&self) -> Option<Worker> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain_mut(Worker::is_alive);
        idle.pop()
    }

    fn fresh(&self) -> Result<Worker, Spoiled> {
        Worker::start(&self.start).map_err(|error| Spoiled::NotStarted(plain_words(&error)))
    }

    /// Keeps a worker that did well.
    fn rest(&self, worker: Worker) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain_mut(Worker::is_alive);
        let mut worker = worker;
        if worker.is_lean() && idle.len() < MOST_IDLE {
            idle.push(worker);
        }
    }
}

impl Workshop for Workers {
    fn work(&self, task: &Task<'_>, budget: &Budget) -> Result<Vec<u8>, Spoiled> {
        self.stream(task, &mut |_| false, budget)
    }

    fn stream(&self, task: &Task<'_>, hear: Hear<'_>, budget: &Budget) -> Result<Vec<u8>, Spoiled> {
        // Others must not wait for what this call waits for.
        budget.check_heavy().map_err(Spoiled::Stopped)?;
        let open = (task.pace == Pace::Open).then(|| self.open_places.take(1, budget));
        let _open = open.transpose().map_err(Spoiled::Stopped)?;
        let place = (task.pace != Pace::Inner).then(|| self.places.take(1, budget));
        let _place = place.transpose().map_err(Spoiled::Stopped)?;
        let mut lent = Lent::ahead(task).map_err(|error| Spoiled::Crashed(plain_words(&error)))?;
        if let Some(mut worker) = self.waiting() {
            match worker.work((task, &mut lent, &[]), (&self.duty, &mut *hear), budget) {
                Ok(answer) => {
                    self.rest(worker);
                    return Ok(answer);
                }
                // It died while it waited; that is no fault of this call.
                Err(Spoiled::Crashed(words)) if words.is_empty() && !worker.has_spoken() => {}
                Err(spoiled) => return Err(worker.fate(spoiled, &self.duty)),
            }
        }
        let mut worker = self.fresh()?;
        match worker.work((task, &mut lent, &[]), (&self.duty, hear), budget) {
            Ok(answer) => {
                self.rest(worker);
                Ok(answer)
            }
            Err(spoiled) => Err(worker.fate(spoiled, &self.duty)),
        }
    }

    /// A writer is a fresh process each time: what it may open is settled before its work begins, and cannot be widened.
    fn write(&self, task: &Task<'_>, database: &Path, hear: Hear<'_>, budget: &Budget) -> Result<Vec<u8>, Spoiled> {
        budget.check_heavy().map_err(Spoiled::Stopped)?;
        let _place = self.places.take(1, budget).map_err(Spoiled::Stopped)?;
        let (mut worker, mut lent) = (self.fresh()?, Lent::default());
        let path = database.as_os_str().as_bytes();
        match worker.work((task, &mut lent, path), (&self.duty, hear), budget) {
            Ok(answer) => Ok(answer),
            Err(stopped @ Spoiled::Stopped(_)) => worker.come_to_end(&self.duty).ok_or(stopped),
            Err(spoiled) => Err(worker.fate(spoiled, &self.duty)),
        }
    }
}
