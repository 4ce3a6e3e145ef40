//! Many clients behind an HTTP server.

use std::sync::Arc;

use readstone_desk::Desk;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;

use crate::server::Server;
use crate::sessions::BoundedSessions;

/// The service to be put at `/mcp`. Whoever mounts it checks `Host`, `Origin` and tokens on every path alike.
pub type HttpService = StreamableHttpService<Server, BoundedSessions>;

/// A service that ends its streams when `stop` is cancelled.
pub fn http_service(desk: Arc<Desk>, stop: CancellationToken) -> HttpService {
    let limits = desk.limits();
    let most_bytes = usize::try_from(desk.bound(None).most).unwrap_or(usize::MAX);
    let sessions = Arc::new(BoundedSessions::new(limits.server_sessions));
    let config = StreamableHttpServerConfig::default()
        .with_cancellation_token(stop)
        .with_max_request_body_bytes(most_bytes)
        .with_json_response(true)
        .disable_allowed_hosts()
        .disable_allowed_origins();
    let server = Server::new(desk, "local".to_owned());
    StreamableHttpService::new(move || Ok(server.afresh()), sessions, config)
}
