//! One server in use: a thread with an executor of its own looks after it, and calls wait for its answers.

use std::ffi::OsString;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use readstone_base::{Budget, OneshotSender, SenderGone, Stopped, oneshot, plain_words};
use rmcp::model::ResourceContents;
use tokio::sync::{Notify, mpsc};
use tokio_util::sync::CancellationToken;

use super::McpServer;
use super::catalog::Catalog;
use super::post::Post;
use super::process::LastWords;
use super::wire::Line;

/// What a server is asked.
#[derive(Clone, Debug)]
pub(super) enum Ask {
    /// What a resource holds.
    Read(String),
    /// Which resources there are.
    List,
}

/// What it answered.
#[derive(Debug)]
pub(super) enum Answer {
    /// What the resource holds.
    Contents(Vec<ResourceContents>),
    /// The resources there are.
    Catalog(Catalog),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// It could not be started.
    NoStart(String),
    /// Nobody answers where it should be.
    Unreachable(String),
    /// It refused, with this code and these words.
    Refused(i32, String),
    /// It ended, with these words.
    Died(String),
    /// It is not there any more; one that was started anew may answer.
    Gone,
    /// It wrote something that is no message.
    Garbage(String),
    /// It sent a message that is too long.
    TooLong,
    /// It asks us instead of answering.
    Asks,
    /// Its answer is none to what it was asked.
    Odd,
    /// The call ended first.
    Stopped(Stopped),
}

impl Trouble {
    /// Whether the server is of no use any more.
    pub(super) fn is_end(&self) -> bool {
        match self {
            Self::NoStart(_)
            | Self::Unreachable(_)
            | Self::Died(_)
            | Self::Gone
            | Self::Garbage(_)
            | Self::TooLong
            | Self::Asks => true,
            // One that is too slow for a call may be stuck, unless others wait for it, too.
            Self::Stopped(stopped) => *stopped == Stopped::Deadline,
            Self::Refused(..) | Self::Odd => false,
        }
    }

    /// Whether a server that was started anew may do better.
    pub(super) fn is_crash(&self) -> bool {
        matches!(self, Self::Died(_) | Self::Gone)
    }
}

/// A server in use.
#[derive(Debug)]
pub(super) struct Connection {
    jobs: mpsc::Sender<Job>,
    /// The most bytes of a message.
    most: Arc<AtomicUsize>,
    stop: CancellationToken,
    rush: CancellationToken,
    /// Calls that wait for an answer.
    waiting: AtomicUsize,
    /// Told when a call waited in vain.
    doubt: Arc<Notify>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// A question on its way.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) ask: Ask,
    pub(super) reply: OneshotSender<Result<Answer, Trouble>>,
    /// Set when nobody waits for the answer.
    pub(super) gone: CancellationToken,
}

/// A talk with a server: what is known of its wire, and what it wrote beside its messages.
#[derive(Clone, Debug)]
pub(super) struct Talk {
    pub(super) line: Arc<Line>,
    pub(super) words: LastWords,
}

/// Calls that may wait for one server.
const MOST_JOBS: usize = 256;

impl Connection {
    /// Starts the thread that starts the server. It ends when nobody asked for `idle`.
    pub(super) fn start(
        server: McpServer,
        variables: Vec<(OsString, OsString)>,
        most: usize,
        idle: Duration,
    ) -> Result<Self, Trouble> {
        let (jobs, queue) = mpsc::channel(MOST_JOBS);
        let (stop, rush) = (CancellationToken::new(), CancellationToken::new());
        let most = Arc::new(AtomicUsize::new(most));
        let name = format!("mcp {}", server.name);
        let doubt = Arc::new(Notify::new());
        let post = Post {
            server,
            variables,
            most: Arc::clone(&most),
            stop: stop.clone(),
            rush: rush.clone(),
            doubt: Arc::clone(&doubt),
            idle,
        };
        let thread = std::thread::Builder::new()
            .name(name)
            .spawn(move || post.run(queue))
            .map_err(|error| Trouble::NoStart(plain_words(&error)))?;
        Ok(Self { jobs, most, stop, rush, waiting: AtomicUsize::new(0), doubt, thread: Mutex::new(Some(thread)) })
    }

    /// Whether it still takes questions.
    pub(super) fn is_open(&self) -> bool {
        !self.jobs.is_closed() && !self.stop.is_cancelled()
    }

    /// Asks, and waits for the answer as long as the budget allows.
    pub(super) fn ask(&self, ask: Ask, most: usize, budget: &Budget) -> Result<Answer, Trouble> {
        self.most.store(most, Ordering::Relaxed);
        self.waiting.fetch_add(1, Ordering::Relaxed);
        // Others must not wait for what this call waits for.
        let answer = budget.waiting(|| self.wait(ask, budget));
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        answer.unwrap_or_else(|stopped| Err(Trouble::Stopped(stopped)))
    }

    fn wait(&self, ask: Ask, budget: &Budget) -> Result<Answer, Trouble> {
        let (reply, answer) = oneshot();
        let gone = CancellationToken::new();
        let _guard = gone.clone().drop_guard();
        self.jobs.try_send(Job { ask, reply, gone }).map_err(|_| Trouble::Gone)?;
        match answer.wait(budget) {
            Ok(Ok(answer)) => answer,
            Ok(Err(SenderGone)) => Err(Trouble::Gone),
            Err(stopped) => Err(Trouble::Stopped(stopped)),
        }
    }

    /// Whether other calls wait for its answers.
    pub(super) fn is_waited_for(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    /// Has the server asked whether it is still there, and ended if it is not.
    pub(super) fn doubt(&self) {
        self.doubt.notify_one();
    }

    /// Tells the server to end.
    pub(super) fn tell(&self) {
        self.stop.cancel();
    }

    /// Ends the server at once.
    pub(super) fn kill(&self) {
        self.rush.cancel();
        self.stop.cancel();
    }
}

impl Drop for Connection {
    /// Ends the server and waits for it: no process stays behind.
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take() {
            drop(thread.join());
        }
    }
}
