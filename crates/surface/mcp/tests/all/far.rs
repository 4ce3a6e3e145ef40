//! Servers at URLs: the service that we are ourselves, with resources behind it, and some that are no servers.

use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use readstone_mcp::McpServer;
use rmcp::model::{
    ErrorData, ListResourcesResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, Resource, ResourceContents, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{RoleServer, ServerHandler};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::stand::{Stand, budget};

#[derive(Clone, Debug)]
struct Notes;

impl ServerHandler for Notes {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_resources().build())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(vec![Resource::new("note://one", "One")]))
    }

    async fn read_resource(
        &self,
        asked: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let text = match asked.uri.as_str() {
            "note://one" | "note://eins zwei ä" => "a note\n".to_owned(),
            "note://big" => "x".repeat(2_000_000),
            "note://never" => pending().await,
            _ => return Err(ErrorData::resource_not_found("no such note", None)),
        };
        Ok(ReadResourceResult::new(vec![ResourceContents::text(text, asked.uri)]).into())
    }
}

type Service = StreamableHttpService<Notes, LocalSessionManager>;

/// A service that answers in this form.
fn service(config: StreamableHttpServerConfig) -> Service {
    StreamableHttpService::new(|| Ok(Notes), Arc::new(LocalSessionManager::default()), config)
}

fn plain() -> StreamableHttpServerConfig {
    StreamableHttpServerConfig::default().disable_allowed_hosts().disable_allowed_origins()
}

/// How a site answers.
#[derive(Clone, Copy, Debug)]
enum Manner {
    /// With the service.
    Service,
    /// With the service, and only those who speak the newest revision.
    Newest,
    /// Always the same.
    Says(StatusCode, &'static str),
}

/// A server on loopback.
struct Site {
    url: String,
    service: Arc<Mutex<Service>>,
    seen: Arc<Mutex<Vec<String>>>,
    _runtime: Runtime,
}

impl Site {
    fn new(config: StreamableHttpServerConfig, manner: Manner) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let service = Arc::new(Mutex::new(service(config)));
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (shared, log) = (Arc::clone(&service), Arc::clone(&seen));
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (shared, log) = (Arc::clone(&shared), Arc::clone(&log));
                let answer = service_fn(move |request: Request<Incoming>| {
                    let header = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
                    let told = [Some(request.method().as_str()), header("mcp-method"), header("mcp-name")];
                    log.lock().unwrap().push(told.into_iter().flatten().collect::<Vec<_>>().join(" "));
                    let service = TowerToHyperService::new(shared.lock().unwrap().clone());
                    answer(service, request, manner)
                });
                let connection = hyper::server::conn::http1::Builder::new();
                tokio::spawn(connection.serve_connection(TokioIo::new(stream), answer));
            }
        });
        Self { url, service, seen, _runtime: runtime }
    }

    fn stand(&self) -> Stand {
        stand(&self.url)
    }
}

type Body = http_body_util::combinators::BoxBody<Bytes, std::convert::Infallible>;

async fn answer(
    service: TowerToHyperService<Service>,
    request: Request<Incoming>,
    manner: Manner,
) -> Result<Response<Body>, std::convert::Infallible> {
    let newest = request.headers().contains_key("mcp-method");
    let instead = match manner {
        Manner::Newest if newest => None,
        Manner::Newest => Some((StatusCode::BAD_REQUEST, "no handshake")),
        Manner::Service => None,
        Manner::Says(status, text) => Some((status, text)),
    };
    match instead {
        Some((status, text)) => {
            let answer = Response::builder().status(status).header("location", "/elsewhere");
            let answer = answer.header("content-type", "application/json");
            Ok(answer.body(Full::new(Bytes::from(text)).boxed()).unwrap())
        }
        None => hyper::service::Service::call(&service, request).await,
    }
}

fn stand(url: &str) -> Stand {
    let server = McpServer { name: "far".into(), url: Some(url.to_owned()), ..McpServer::default() };
    Stand::with(vec![server], TempDir::new().unwrap())
}

#[test]
fn a_server_at_a_url_is_read_in_every_form_of_its_answers() {
    let forms = [
        plain(),
        plain().with_json_response(true),
        plain().with_legacy_session_mode(false),
        plain().with_legacy_session_mode(false).with_json_response(true),
    ];
    for config in forms {
        let site = Site::new(config, Manner::Service);
        let stand = site.stand();
        assert_eq!(stand.text("far/note://one"), "a note\n");
        assert_eq!(stand.text("far"), "mcp://far/note://one  One\n");
        assert_eq!(stand.text("note://one"), "a note\n");
        let fault = stand.refusal("far/note://two");
        assert_eq!(fault.code(), "mcp.not_found");
        assert!(fault.to_string().contains("no such note"), "{fault}");
        assert_eq!(stand.text(""), format!("mcp://far  {}\n", site.url));
    }
}

#[test]
fn a_session_at_a_url_is_ended_with_the_scheme_and_begun_anew_when_it_is_forgotten() {
    let site = Site::new(plain(), Manner::Service);
    let stand = site.stand();
    assert_eq!(stand.text("far/note://one"), "a note\n");
    *site.service.lock().unwrap() = service(plain());
    assert_eq!(stand.text("far/note://one"), "a note\n");
    let before = site.seen.lock().unwrap().iter().filter(|told| *told == "DELETE").count();
    drop(stand);
    let after = site.seen.lock().unwrap().iter().filter(|told| *told == "DELETE").count();
    assert_eq!(after, before + 1);
}

#[test]
fn a_server_at_a_url_that_only_knows_the_newest_revision_is_told_in_headers_what_is_asked() {
    let site = Site::new(plain().with_legacy_session_mode(false), Manner::Newest);
    let stand = site.stand();
    assert_eq!(stand.text("far/note://one"), "a note\n");
    assert_eq!(stand.text("far/note://eins zwei ä"), "a note\n");
    let seen = site.seen.lock().unwrap().clone();
    assert!(seen.contains(&"POST resources/read note://one".to_owned()), "{seen:?}");
}

#[test]
fn more_than_the_limit_is_refused_from_a_url_too() {
    for json in [true, false] {
        let site = Site::new(plain().with_json_response(json).with_legacy_session_mode(!json), Manner::Service);
        let mut stand = site.stand();
        assert_eq!(stand.text("far/note://big").len(), 2_000_000);
        stand.limits.fetch_bytes = 100_000;
        assert_eq!(stand.refusal("far/note://big").code(), "mcp.too_big");
        assert_eq!(stand.text("far/note://one"), "a note\n");
    }
}

#[test]
fn a_server_at_a_url_that_never_answers_costs_the_time_of_the_call() {
    let site = Site::new(plain(), Manner::Service);
    let stand = site.stand();
    stand.open("far/note://one");
    let hurried = budget(Duration::from_millis(300), 0);
    assert_eq!(stand.open_under(&hurried, "far/note://never", None).unwrap_err().code(), "mcp.timeout");
    assert_eq!(stand.text("far/note://one"), "a note\n");
}

#[test]
fn what_is_no_server_at_a_url_says_so() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let cases = [
        (format!("http://{closed}/"), "cannot be reached"),
        ("no url".to_owned(), "cannot be reached"),
        ("ftp://127.0.0.1/".to_owned(), "neither http:// nor https://"),
    ];
    for (url, words) in cases {
        let fault = stand(&url).refusal("far/note://one");
        assert_eq!(fault.code(), "mcp.failed");
        assert!(fault.to_string().contains(words), "{fault}");
    }
    let answers = [
        (StatusCode::FOUND, "", "302"),
        (StatusCode::UNAUTHORIZED, "", "401"),
        (StatusCode::OK, "<html>", "no message"),
    ];
    for (status, text, words) in answers {
        let site = Site::new(plain(), Manner::Says(status, text));
        let fault = site.stand().refusal("far/note://one");
        assert_eq!(fault.code(), "mcp.failed");
        assert!(fault.to_string().contains(words), "{fault}");
        // Nothing led elsewhere, and nothing was asked again and again.
        assert!(site.seen.lock().unwrap().len() <= 4);
    }
}
