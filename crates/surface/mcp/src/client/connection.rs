//! One server in use: a thread with an executor of its own looks after it, and calls wait for its answers.

use std::ffi::OsString;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use readstone_base::{Budget, Stopped, plain_words};
use rmcp::model::{ProtocolVersion, ResourceContents};
use rmcp::service::{ClientInitializeError, RunningService};
use rmcp::{ClientCacheConfig, ClientLifecycleMode, ClientServiceExt as _, Peer, RoleClient};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::McpServer;
use super::asking;
use super::catalog::Catalog;
use super::guest::Guest;
use super::process::{LastWords, Manner, Pipes, Process};
use super::wire::{Line, Wire};

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
            Self::NoStart(_) | Self::Died(_) | Self::Gone | Self::Garbage(_) | Self::TooLong | Self::Asks => true,
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
struct Job {
    ask: Ask,
    reply: std::sync::mpsc::Sender<Result<Answer, Trouble>>,
    /// Set when nobody waits for the answer.
    gone: CancellationToken,
}

/// What the thread of a server works with.
struct Post {
    server: McpServer,
    variables: Vec<(OsString, OsString)>,
    most: Arc<AtomicUsize>,
    stop: CancellationToken,
    rush: CancellationToken,
    doubt: Arc<Notify>,
    idle: Duration,
}

/// What the end of a question tells of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    /// It answered.
    Life,
    /// It did not answer when it was asked whether it is there.
    Silence,
    /// Nothing: nobody waited any more.
    Nothing,
}

/// A talk with a server: what is known of its wire, and what it wrote beside its messages.
#[derive(Clone, Debug)]
pub(super) struct Talk {
    pub(super) line: Arc<Line>,
    pub(super) words: LastWords,
}

/// How long is waited before the call is asked whether it still wants an answer.
const PATIENCE: Duration = Duration::from_millis(20);
/// Calls that may wait for one server.
const MOST_JOBS: usize = 256;
/// A server that has not introduced itself by then never will, whatever calls allow.
const START: Duration = Duration::from_mins(1);
/// A server that let a call wait in vain has so long to give a sign of life.
const PROBE: Duration = Duration::from_secs(5);

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
        // Others must not wait for what this call waits for.
        budget.check_heavy().map_err(Trouble::Stopped)?;
        self.most.store(most, Ordering::Relaxed);
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let answer = self.wait(ask, budget);
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        answer
    }

    fn wait(&self, ask: Ask, budget: &Budget) -> Result<Answer, Trouble> {
        let (reply, answer) = std::sync::mpsc::channel();
        let gone = CancellationToken::new();
        let _guard = gone.clone().drop_guard();
        self.jobs.try_send(Job { ask, reply, gone }).map_err(|_| Trouble::Gone)?;
        loop {
            match answer.recv_timeout(PATIENCE) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Disconnected) => return Err(Trouble::Gone),
                Err(RecvTimeoutError::Timeout) => budget.still_wanted().map_err(Trouble::Stopped)?,
            }
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

impl Post {
    fn run(self, mut queue: mpsc::Receiver<Job>) {
        // What the kit tells of messages it did not expect holds whole messages; a log is no place for them.
        let silence = tracing::subscriber::NoSubscriber::default();
        tracing::subscriber::with_default(silence, || {
            match tokio::runtime::Builder::new_current_thread().enable_all().build() {
                Ok(runtime) => runtime.block_on(self.look_after(&mut queue)),
                Err(error) => refuse(&mut queue, &Trouble::NoStart(plain_words(&error))),
            }
        });
    }

    /// Starts the server, serves it what is asked, and ends it.
    async fn look_after(&self, queue: &mut mpsc::Receiver<Job>) {
        // Nearly all servers know the handshake; the newest revision of the protocol has none.
        let newest = vec![ProtocolVersion::V_2026_07_28];
        let ways = [ClientLifecycleMode::Initialize, ClientLifecycleMode::Discover { preferred_versions: newest }];
        let mut refusal = Trouble::Gone;
        for way in ways {
            let (process, pipes) = match Process::start(&self.server, &self.variables) {
                Ok(started) => started,
                Err(error) => return refuse(queue, &Trouble::NoStart(plain_words(&error))),
            };
            let line = Arc::new(Line::new(Arc::clone(&self.most)));
            let talk = Talk { line, words: process.last_words() };
            let met = self.meet(pipes, &talk, way).await;
            let manner = match &met {
                Ok(service) => {
                    self.converse(service, queue, &talk).await;
                    if self.rush.is_cancelled() { Manner::AtOnce } else { Manner::Politely }
                }
                Err(_) => Manner::AtOnce,
            };
            // No question may come now that nobody would answer; what is left in the queue is told so.
            let again = matches!(&met, Err(Trouble::Refused(..)));
            if !again {
                queue.close();
            }
            talk.line.closed.cancel();
            process.end(manner).await;
            match met {
                Ok(_) => return refuse(queue, &talk.line.trouble().unwrap_or(Trouble::Gone)),
                Err(trouble @ Trouble::Refused(..)) => refusal = trouble,
                Err(trouble) => return refuse(queue, &trouble),
            }
        }
        refuse(queue, &refusal);
    }

    /// Waits for the server to introduce itself.
    async fn meet(
        &self,
        pipes: Pipes,
        talk: &Talk,
        way: ClientLifecycleMode,
    ) -> Result<RunningService<RoleClient, Guest>, Trouble> {
        let wire = Wire::new(pipes.output, pipes.input, Arc::clone(&talk.line));
        let met = tokio::select! {
            biased;
            () = self.stop.cancelled() => return Err(Trouble::Gone),
            met = Guest.serve_with_lifecycle(wire, way) => met,
            () = tokio::time::sleep(START) => return Err(Trouble::Stopped(Stopped::Deadline)),
        };
        match met {
            Ok(service) => {
                // Answers are kept by the session, not here.
                let mut nothing = ClientCacheConfig::default();
                nothing.enabled = false;
                service.set_response_cache_config(nothing).await;
                Ok(service)
            }
            Err(ClientInitializeError::JsonRpcError(error)) => {
                Err(Trouble::Refused(error.code.0, error.message.into_owned()))
            }
            Err(
                ClientInitializeError::ExpectedInitResponse(_)
                | ClientInitializeError::ExpectedInitResult(_)
                | ClientInitializeError::ConflictInitResponseId(..)
                | ClientInitializeError::UncorrelatedErrorResponse { .. },
            ) => Err(Trouble::Odd),
            Err(_) => Err(asking::end_of(talk).await),
        }
    }

    /// Hands on what is asked until nobody asks any more or the server is gone.
    async fn converse(
        &self,
        service: &RunningService<RoleClient, Guest>,
        queue: &mut mpsc::Receiver<Job>,
        talk: &Talk,
    ) {
        let mut running = JoinSet::new();
        // Whether it gave a sign of life since it was doubted; none when it is not.
        let mut lives = None;
        loop {
            tokio::select! {
                biased;
                () = self.stop.cancelled() => return,
                Some(sign) = running.join_next(), if !running.is_empty() => match sign.unwrap_or(Sign::Nothing) {
                    Sign::Life => lives = lives.map(|_| true),
                    Sign::Silence if lives.take() == Some(false) => return self.rush.cancel(),
                    Sign::Silence | Sign::Nothing => {}
                },
                () = self.doubt.notified(), if lives != Some(false) => {
                    lives = Some(false);
                    running.spawn(probe(service.peer().clone()));
                }
                () = talk.line.closed.cancelled(), if running.is_empty() => return,
                job = queue.recv() => match job {
                    Some(job) => {
                        running.spawn(answer(job, service.peer().clone(), talk.clone()));
                    }
                    None => return,
                },
                () = tokio::time::sleep(self.idle), if running.is_empty() => return,
            }
        }
    }
}

/// The server is told when nobody waits for its answer any more: the kit does so when the question is dropped.
async fn answer(job: Job, peer: Peer<RoleClient>, talk: Talk) -> Sign {
    let answer = tokio::select! {
        answer = asking::answer(&job.ask, &peer, &talk) => answer,
        () = job.gone.cancelled() => return Sign::Nothing,
    };
    // Whoever asked may have left just now.
    drop(job.reply.send(answer));
    Sign::Life
}

/// Whether a server is still there; whatever it answers, it is.
async fn probe(peer: Peer<RoleClient>) -> Sign {
    match tokio::time::timeout(PROBE, asking::greet(&peer)).await {
        Ok(()) => Sign::Life,
        Err(_) => Sign::Silence,
    }
}

/// Tells everybody who waits that there will be no answer.
fn refuse(queue: &mut mpsc::Receiver<Job>, trouble: &Trouble) {
    queue.close();
    while let Ok(job) = queue.try_recv() {
        drop(job.reply.send(Err(trouble.clone())));
    }
}
