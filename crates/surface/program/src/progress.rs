//! Progress on a terminal: long work says how far it is.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use readstone_base::{Budget, Progress};

/// Work shorter than this says nothing.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often the line is renewed.
const RHYTHM: Duration = Duration::from_millis(200);

/// Shows the progress of a call until it is stopped; does nothing when standard error is no terminal.
#[derive(Debug)]
pub(crate) struct Watch {
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Watch {
    pub(crate) fn start(budget: &Budget) -> Self {
        if !io::stderr().is_terminal() {
            return Self { running: None };
        }
        let (stop, stopped) = channel::<()>();
        let progress = Arc::clone(budget.progress());
        let thread = std::thread::spawn(move || {
            let (mut wait, mut shown) = (PATIENCE, false);
            while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                shown |= show(&progress);
                wait = RHYTHM;
            }
            if shown {
                drop(write!(io::stderr(), "\r\x1b[K"));
            }
        });
        Self { running: Some((stop, thread)) }
    }

    pub(crate) fn stop(self) {
        if let Some((stop, thread)) = self.running {
            drop(stop);
            // A thread that panicked has nothing more to show.
            drop(thread.join());
        }
    }
}

fn show(progress: &Progress) -> bool {
    let (done, total) = progress.get();
    if total == 0 {
        return false;
    }
    let mb = |bytes: u64| bytes / (1024 * 1024);
    drop(write!(io::stderr(), "\r\x1b[Kcounting lines: {} of {} MB", mb(done), mb(total)));
    true
}
