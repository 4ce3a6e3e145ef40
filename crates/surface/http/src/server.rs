//! The listener: connections within bounds, and an end without loss.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use readstone_base::Limits;
use readstone_desk::Desk;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::guard::Guard;
use crate::hosts::Hosts;
use crate::owners::Owners;
use crate::patience::Patient;
use crate::routes;
use crate::tokens::Tokens;

/// How to serve.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Who may call.
    pub tokens: Tokens,
    /// Names this server answers to beside those of its own machine.
    pub hosts: Vec<String>,
    /// Origins of pages that may call.
    pub origins: Vec<String>,
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    router: Router,
    desk: Arc<Desk>,
    stop: CancellationToken,
    /// Ends the streams of MCP, when nothing more is to come on them.
    end: CancellationToken,
}

/// Why a server does not start.
#[derive(Debug)]
pub enum BindError {
    /// It would be open to other machines without a token.
    Unguarded(SocketAddr),
    /// The address cannot be listened at.
    Io(SocketAddr, io::Error),
}

impl fmt::Display for BindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unguarded(listen) => write!(
                f,
                "{listen} can be reached from other machines; give a token with --token-file or READSTONE_TOKEN, or \
                 listen at 127.0.0.1"
            ),
            Self::Io(listen, cause) => write!(f, "cannot listen at {listen}: {}", readstone_base::plain_words(cause)),
        }
    }
}

impl std::error::Error for BindError {}

/// Header lines of a request.
const MOST_HEADERS: usize = 64;
/// Connections that may wait to be accepted.
const BACKLOG: u32 = 4_096;
/// The least that a connection can buffer.
const LEAST_BUFFER: usize = 8_192;
/// How long a listener rests when the system has no more descriptors.
const REST: Duration = Duration::from_millis(50);

impl Server {
    /// Starts to listen. `stop` ends it: connections are told, calls in flight get their time.
    pub fn bind(desk: Arc<Desk>, options: Options, stop: CancellationToken) -> Result<Self, BindError> {
        let Options { listen, tokens, hosts, origins } = options;
        if !listen.ip().is_loopback() && tokens.is_open() {
            return Err(BindError::Unguarded(listen));
        }
        let listener = listener(listen).map_err(|cause| BindError::Io(listen, cause))?;
        let end = CancellationToken::new();
        let mcp = readstone_mcp::http_service(Arc::clone(&desk), end.clone());
        let hosts = Hosts::new(listen, &hosts, &origins);
        let guard =
            Guard { desk: Arc::clone(&desk), hosts, tokens, owners: Owners::default(), failed: AtomicU64::new(0) };
        let router = routes::router(Arc::new(guard), mcp);
        Ok(Self { listener, router, desk, stop, end })
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until it is stopped and the last answer is out, or the time for that is over.
    ///
    /// The future is boxed, so that a crate that polls it does not compile the server once more.
    pub fn run(self) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(self.serve_all())
    }

    async fn serve_all(self) {
        let limits = self.desk.limits();
        let connections = Arc::new(Semaphore::new(count(limits.server_connections)));
        let tasks = TaskTracker::new();
        loop {
            let accepted = tokio::select! {
                accepted = self.listener.accept() => accepted,
                () = self.stop.cancelled() => break,
            };
            let Ok((stream, _)) = accepted else {
                tokio::time::sleep(REST).await;
                continue;
            };
            // One connection too many is closed at once; those that idle are closed soon.
            let Ok(permit) = Arc::clone(&connections).try_acquire_owned() else {
                tracing::debug!("a connection was closed: server_connections are open");
                continue;
            };
            let (router, limits, stop) = (self.router.clone(), limits.clone(), self.stop.clone());
            tasks.spawn(async move {
                serve(stream, router, &limits, stop).await;
                drop(permit);
            });
        }
        drop(self.listener);
        tasks.close();
        let drain = Duration::from_millis(limits.server_drain_ms);
        let drained = async {
            while !self.desk.is_idle() {
                tokio::time::sleep(REST).await;
            }
            // The last answers are on their way to their streams.
            tokio::time::sleep(REST).await;
            self.end.cancel();
            tasks.wait().await;
        };
        if tokio::time::timeout(drain, drained).await.is_err() {
            tracing::warn!(left = tasks.len(), "stopped before the last answer was out");
        }
    }
}

/// A socket that listens, with a long line before it.
fn listener(listen: SocketAddr) -> io::Result<TcpListener> {
    let socket = if listen.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.bind(listen)?;
    socket.listen(BACKLOG)
}

/// Serves one connection.
async fn serve(stream: TcpStream, router: Router, limits: &Limits, stop: CancellationToken) {
    // Answers are small and whole; waiting to fill a packet only delays them.
    drop(stream.set_nodelay(true));
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_millis(limits.server_request_ms))
        .max_headers(MOST_HEADERS)
        .max_buf_size(count(limits.server_header_bytes).max(LEAST_BUFFER));
    let stream = Patient::new(stream, Duration::from_millis(limits.server_answer_ms));
    let connection = builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let mut connection = pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection broke off");
    }
}

fn count(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
