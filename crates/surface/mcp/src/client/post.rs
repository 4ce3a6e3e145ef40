//! The thread of a server: it starts it or turns to where it is, hands on what is asked, and ends it.

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use readstone_base::{Stopped, plain_words};
use rmcp::model::ProtocolVersion;
use rmcp::service::{ClientInitializeError, RunningService};
use rmcp::transport::Transport;
use rmcp::{ClientCacheConfig, ClientLifecycleMode, ClientServiceExt as _, Peer, RoleClient};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::McpServer;
use super::asking;
use super::connection::{Job, Talk, Trouble};
use super::far::{self, Exchange};
use super::guest::Guest;
use super::process::{LastWords, Manner, Process};
use super::wire::{Line, Wire};

/// What the thread of a server works with.
pub(super) struct Post {
    pub(super) server: McpServer,
    pub(super) variables: Vec<(OsString, OsString)>,
    pub(super) most: Arc<AtomicUsize>,
    pub(super) stop: CancellationToken,
    pub(super) rush: CancellationToken,
    pub(super) doubt: Arc<Notify>,
    pub(super) idle: Duration,
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

/// A server that was turned to.
struct Begun {
    end: End,
    talk: Talk,
    met: Met,
}

/// What is to be ended.
enum End {
    /// A process of ours.
    Own(Process),
    /// A session with a server elsewhere.
    Far(Arc<Exchange>),
}

type Met = Result<RunningService<RoleClient, Guest>, Trouble>;

/// A server that has not introduced itself by then never will, whatever calls allow.
const START: Duration = Duration::from_mins(1);
/// A server that let a call wait in vain has so long to give a sign of life.
const PROBE: Duration = Duration::from_secs(5);

impl Post {
    /// Looks after the server until it is of no use any more.
    pub(super) fn run(self, mut queue: mpsc::Receiver<Job>) {
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
            let Begun { end, talk, met } = match self.begin(way).await {
                Ok(begun) => begun,
                Err(trouble) => return refuse(queue, &trouble),
            };
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
            match end {
                End::Own(process) => process.end(manner).await,
                End::Far(exchange) => exchange.end().await,
            }
            match met {
                Ok(_) => return refuse(queue, &talk.line.trouble().unwrap_or(Trouble::Gone)),
                Err(trouble @ Trouble::Refused(..)) => refusal = trouble,
                Err(trouble) => return refuse(queue, &trouble),
            }
        }
        refuse(queue, &refusal);
    }

    /// Starts the server, or turns to where it is.
    async fn begin(&self, way: ClientLifecycleMode) -> Result<Begun, Trouble> {
        let line = Arc::new(Line::new(Arc::clone(&self.most)));
        if let Some(url) = self.server.far() {
            let (wire, exchange) = far::reach(url, &line)?;
            let talk = Talk { line, words: LastWords::default() };
            let met = self.meet(wire, &talk, way).await;
            return Ok(Begun { end: End::Far(exchange), talk, met });
        }
        let started = Process::start(&self.server, &self.variables);
        let (process, pipes) = started.map_err(|error| Trouble::NoStart(plain_words(&error)))?;
        let talk = Talk { line, words: process.last_words() };
        let wire = Wire::new(pipes.output, pipes.input, Arc::clone(&talk.line));
        let met = self.meet(wire, &talk, way).await;
        Ok(Begun { end: End::Own(process), talk, met })
    }

    /// Waits for the server to introduce itself.
    async fn meet(&self, wire: impl Transport<RoleClient> + 'static, talk: &Talk, way: ClientLifecycleMode) -> Met {
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
    job.reply.send(answer);
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
        job.reply.send(Err(trouble.clone()));
    }
}
