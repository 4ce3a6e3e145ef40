//! Many clients behind an HTTP server.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use http_body_util::combinators::BoxBody;
use readstone_desk::Desk;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;

use crate::server::Server;
use crate::sessions::BoundedSessions;

/// An answer of [`HttpService`], which may be a stream of events.
pub type HttpAnswer = Response<BoxBody<Bytes, Infallible>>;

type Answering = Pin<Box<dyn Future<Output = HttpAnswer> + Send>>;

/// The service to be put at `/mcp`. Whoever mounts it checks `Host`, `Origin` and tokens on every path alike.
///
/// Its type hides that of the kit: a crate that polled the kit's own future would compile all of the kit once more.
#[derive(Clone)]
pub struct HttpService(Arc<dyn Fn(Request<Bytes>) -> Answering + Send + Sync>);

impl HttpService {
    /// Answers a request whose body was read.
    pub fn answer(&self, request: Request<Bytes>) -> Pin<Box<dyn Future<Output = HttpAnswer> + Send>> {
        (self.0)(request)
    }
}

impl fmt::Debug for HttpService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HttpService")
    }
}

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
    let kit = StreamableHttpService::new(move || Ok(server.afresh()), sessions, config);
    HttpService(Arc::new(move |request| {
        let kit = kit.clone();
        Box::pin(async move { kit.handle(request.map(Full::new)).await })
    }))
}
