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
    pub(crate) fn start(tool: &'static str, budget: &Budget) -> Self {
        if !io::stderr().is_terminal() {
            return Self { running: None };
        }
        let (stop, stopped) = channel::<()>();
        let progress = Arc::clone(budget.progress());
        let thread = std::thread::spawn(move || {
            let (mut wait, mut shown) = (PATIENCE, false);
            while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                shown |= show(tool, &progress);
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

fn show(tool: &str, progress: &Progress) -> bool {
    let words = readstone_render::progress(tool, progress.how_far());
    if let Some(words) = &words {
        drop(write!(io::stderr(), "\r\x1b[K{words}"));
    }
    words.is_some()
}
