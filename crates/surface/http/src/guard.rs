//! The guard before every path.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use readstone_desk::{Desk, SessionName};

use crate::answer::{Refusal, Refused};
use crate::hosts::Hosts;
use crate::owners::Owners;
use crate::page;
use crate::tokens::Tokens;

/// What the guard knows.
#[derive(Debug)]
pub(crate) struct Guard {
    pub(crate) desk: Arc<Desk>,
    pub(crate) hosts: Hosts,
    pub(crate) tokens: Tokens,
    pub(crate) owners: Owners,
    /// Wrong tokens since the last right one.
    pub(crate) failed: AtomicU64,
}

const SESSION: &str = "readstone-session";
const MCP_SESSION: &str = "mcp-session-id";
/// The headers that pages of a named origin may send.
const PAGE_HEADERS: &str = "authorization, content-type, accept, readstone-session, readstone-client, mcp-session-id, \
    mcp-protocol-version, mcp-method, mcp-name, last-event-id";
/// The session of those who need no token.
const LOCAL: &str = "local";
/// A wrong token is answered later with every other wrong one, up to this.
const MOST_DELAY_MS: u64 = 1_000;
const DELAY_MS: u64 = 20;
/// Characters of a session's name.
const MOST_NAME: usize = 128;

/// Lets a request through, or answers why not.
pub(crate) async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    match guard.admit(request).await {
        Ok((request, holder)) => {
            let named = guard.named_origin(request.headers());
            let answer = match preflight(&request, named.as_ref()) {
                Some(answer) => answer,
                None => next.run(request).await,
            };
            if let Some(id) = answer.headers().get(MCP_SESSION).and_then(|id| id.to_str().ok()) {
                guard.owners.note(id, &holder);
            }
            guard.send(answer, named)
        }
        Err(refusal) => guard.send(refusal.answer(), None),
    }
}

/// The answer to a browser that asks whether a page of a named origin may call.
fn preflight(request: &Request, named: Option<&HeaderValue>) -> Option<Response> {
    let asks = request.method() == Method::OPTIONS && request.headers().contains_key("access-control-request-method");
    named.filter(|_| asks)?;
    let mut answer = Response::default();
    *answer.status_mut() = StatusCode::NO_CONTENT;
    let headers = answer.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, DELETE"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(PAGE_HEADERS));
    Some(answer)
}

impl Guard {
    /// The origin of a page that the operator named.
    fn named_origin(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let origin = headers.get(header::ORIGIN)?;
        self.hosts.names(origin.to_str().ok()?).then(|| origin.clone())
    }

    /// Sends an answer with the headers that all have, and counts it if it is a refusal.
    fn send(&self, mut answer: Response, named: Option<HeaderValue>) -> Response {
        if let Some(Refused(code)) = answer.extensions().get::<Refused>() {
            self.desk.count_refusal(code);
            // A flood must not become a flood of lines; the counters tell of each.
            tracing::debug!(code, "a request was refused");
        }
        let headers = answer.headers_mut();
        harden(headers);
        if let Some(origin) = named {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(MCP_SESSION));
            headers.insert(header::VARY, HeaderValue::from_static("Origin"));
        }
        answer
    }

    /// Checks a request; gives it with its session, and the one who sent it.
    async fn admit(&self, mut request: Request) -> Result<(Request, String), Refusal> {
        let headers = request.headers();
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok());
        let authority = request.uri().authority().map(http::uri::Authority::as_str);
        let served = |name: Option<&str>| name.is_some_and(|name| self.hosts.serves(name));
        if !served(host) || hosts.next().is_some() || (authority.is_some() && !served(authority)) {
            return Err(Refusal::Host);
        }
        let foreign = |origin: &HeaderValue| !origin.to_str().is_ok_and(|origin| self.hosts.trusts(origin));
        if headers.get_all(header::ORIGIN).iter().any(foreign) {
            return Err(Refusal::Origin);
        }
        // A page that embeds what it may not call carries no origin, but its browser says where it stands.
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        let elsewhere = matches!(site, Some(b"cross-site" | b"same-site"));
        if elsewhere && !headers.contains_key(header::ORIGIN) {
            return Err(Refusal::Origin);
        }
        let asks = request.method() == Method::OPTIONS && self.named_origin(headers).is_some();
        let path = request.uri().path();
        let open = asks || path == "/healthz" || page::is_load(request.method(), path);
        let holder = if open { LOCAL.to_owned() } else { self.holder(headers).await? };
        if headers.get_all(SESSION).iter().count() > 1 {
            return Err(Refusal::Session("Readstone-Session stands twice"));
        }
        if headers.contains_key(header::CONTENT_ENCODING) {
            return Err(Refusal::Kind("bodies are read without Content-Encoding only"));
        }
        let owned = headers.get(MCP_SESSION).and_then(|id| id.to_str().ok());
        if owned.is_some_and(|id| !self.owners.allows(id, &holder)) {
            return Err(Refusal::Path);
        }
        let session = session(headers, &holder)?;
        request.extensions_mut().insert(SessionName(session));
        Ok((request, holder))
    }

    /// Who sent a request.
    async fn holder(&self, headers: &HeaderMap) -> Result<String, Refusal> {
        if self.tokens.is_open() {
            return Ok(LOCAL.to_owned());
        }
        let shown = headers.get(header::AUTHORIZATION).map(HeaderValue::as_bytes).and_then(bearer);
        if let Some(holder) = shown.and_then(|token| self.tokens.holder(token)) {
            self.failed.store(0, Ordering::Relaxed);
            return Ok(holder.to_owned());
        }
        let failed = self.failed.fetch_add(1, Ordering::Relaxed) + 1;
        tokio::time::sleep(Duration::from_millis((failed * DELAY_MS).min(MOST_DELAY_MS))).await;
        Err(Refusal::Token)
    }
}

fn bearer(value: &[u8]) -> Option<&[u8]> {
    let (scheme, token) = value.split_at_checked(7)?;
    scheme.eq_ignore_ascii_case(b"bearer ").then_some(token.trim_ascii())
}

/// The session a request names, below the one who sent it.
fn session(headers: &HeaderMap, holder: &str) -> Result<String, Refusal> {
    let Some(named) = headers.get(SESSION) else {
        return Ok(holder.to_owned());
    };
    let sound = |name: &&str| (1..=MOST_NAME).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_graphic());
    match named.to_str().ok().filter(sound) {
        Some(name) => Ok(format!("{holder}/{name}")),
        None => Err(Refusal::Session("Readstone-Session takes up to 128 characters of ASCII without spaces")),
    }
}

/// Headers against browsers that think for themselves.
fn harden(headers: &mut HeaderMap) {
    headers.entry(header::X_CONTENT_TYPE_OPTIONS).or_insert(HeaderValue::from_static("nosniff"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    let policy = HeaderValue::from_static("default-src 'none'; sandbox");
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(policy);
    headers.entry("cross-origin-resource-policy").or_insert(HeaderValue::from_static("same-origin"));
}
