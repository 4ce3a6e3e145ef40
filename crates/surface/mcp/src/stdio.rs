//! One client on standard input and output.

use std::io;
use std::sync::Arc;

use readstone_desk::Desk;
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use tokio_util::sync::CancellationToken;

use crate::lines::Lines;
use crate::server::Server;

/// Serves until standard input ends or `stop` is cancelled.
pub async fn serve_stdio(desk: Arc<Desk>, session: String, stop: CancellationToken) -> io::Result<()> {
    let bound = desk.bound(None);
    let (input, output) = rmcp::transport::stdio_pipes();
    let started = Server::new(desk, session).serve_with_ct(Lines::new(input, output, bound), stop).await;
    let service = match started {
        Ok(service) => service,
        // A client that leaves before it said anything is no failure.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => return Ok(()),
        Err(error) => return Err(io::Error::other(error.to_string())),
    };
    service.waiting().await.map(drop).map_err(io::Error::other)
}
