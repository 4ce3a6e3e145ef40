//! One client on standard input and output.

use std::io;
use std::pin::Pin;
use std::sync::Arc;

use readstone_desk::Desk;
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use tokio_util::sync::CancellationToken;

use crate::caller;
use crate::lines::Lines;
use crate::roots::Finder;
use crate::server::Server;

/// The session of a server on standard input and output.
#[derive(Clone, Debug)]
pub struct StdioSession {
    /// Its name.
    pub name: String,
    /// Whether the operator or the environment chose the name. Otherwise a request may name a session of its client.
    pub chosen: bool,
}

impl StdioSession {
    /// The session that a client names in the environment; `None` for a name that cannot be stored.
    pub fn of_client(name: &str) -> Option<Self> {
        Some(Self { name: caller::session_named(name)?, chosen: true })
    }
}

/// Serves until standard input ends or `stop` is cancelled. Where a finder is given, it finds the desk for each call, and
/// `desk` only says which tools there are.
///
/// The future is boxed, so that a crate that polls it does not compile the kit once more.
pub fn serve_stdio(
    desk: Arc<Desk>,
    finder: Option<Finder>,
    session: StdioSession,
    stop: CancellationToken,
) -> Pin<Box<dyn Future<Output = io::Result<()>> + Send>> {
    Box::pin(serve(desk, finder, session, stop))
}

async fn serve(
    desk: Arc<Desk>,
    finder: Option<Finder>,
    session: StdioSession,
    stop: CancellationToken,
) -> io::Result<()> {
    let bound = desk.bound(None);
    let (input, output) = rmcp::transport::stdio_pipes();
    let started = Server::on_stdio(desk, finder, session).serve_with_ct(Lines::new(input, output, bound), stop).await;
    let service = match started {
        Ok(service) => service,
        // A client that leaves before it said anything is no failure.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => return Ok(()),
        Err(error) => return Err(io::Error::other(error.to_string())),
    };
    service.waiting().await.map(drop).map_err(io::Error::other)
}
