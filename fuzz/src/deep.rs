//! Deep work: what nests deep runs where there is as much stack as in a worker, and more, because sanitizers use some.

use std::any::Any;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread;

/// A worker has 64 MiB.
const STACK: usize = 256 * 1024 * 1024;

type Work = Box<dyn FnOnce() -> Box<dyn Any + Send> + Send>;

struct Thread {
    work: SyncSender<Work>,
    done: Receiver<Box<dyn Any + Send>>,
}

/// One thread for all inputs: a thread for each would take longer than most of them.
static DEEP: LazyLock<Mutex<Thread>> = LazyLock::new(|| {
    let (work, todo) = sync_channel::<Work>(0);
    let (finish, done) = sync_channel(0);
    let run = move || {
        while let Ok(work) = todo.recv() {
            if finish.send(work()).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread");
    Mutex::new(Thread { work, done })
});

/// Runs something on a deep stack.
pub fn deep<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = DEEP.lock().unwrap_or_else(PoisonError::into_inner);
    thread.work.send(Box::new(move || Box::new(run()))).expect("the thread lives as long as the process");
    *thread.done.recv().expect("what panics ends the process").downcast().expect("what it was sent")
}
