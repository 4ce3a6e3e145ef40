//! Tools under `/v1`.

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::body::{Body, to_bytes};
use axum::extract::{Path, Request, State};
use axum::response::Response;
use http::{HeaderMap, StatusCode, header};
use readstone_base::{ClientLimits, Limits};
use readstone_desk::{Bound, Desk, Errand, SessionName, Which, parse_json};
use readstone_tools::{Effect, ToolInfo};
use serde_json::{Value, json};

use crate::answer::{self, Refusal};
use crate::clients::NamedClient;

/// `GET /v1/tools`.
pub(crate) async fn list(State(desk): State<Arc<Desk>>) -> Response {
    let tools: Vec<Value> = desk.tools().iter().map(described).collect();
    answer::json(StatusCode::OK, &json!({ "tools": tools }))
}

fn described(tool: &ToolInfo) -> Value {
    let reads = tool.effect == Effect::Reads;
    json!({
        "name": tool.name,
        "title": tool.title,
        "description": tool.about,
        "read_only": reads,
        "input_schema": tool.schema(),
    })
}

/// `POST /v1/tools/{name}`.
pub(crate) async fn call(
    State(desk): State<Arc<Desk>>,
    Path(name): Path<String>,
    Extension(SessionName(session)): Extension<SessionName>,
    request: Request,
) -> Response {
    if !is_json(request.headers()) {
        return Refusal::Kind("the body must be JSON, with Content-Type: application/json").answer();
    }
    let client = match NamedClient::of(request.headers(), &desk) {
        Ok(client) => client,
        Err(refusal) => return refusal.answer(),
    };
    let bound = desk.bound(Some(&name));
    let Some(room) = desk.room(length(request.headers(), bound)).await else {
        return Refusal::Busy.answer();
    };
    let input = match arguments(request.into_body(), bound, desk.limits()).await {
        Ok(input) => input,
        Err(refusal) => return refusal.answer(),
    };
    // The call is none of the bodies that are read.
    drop(room);
    let limits = client.as_ref().map_or(ClientLimits::NONE, |client| client.limits);
    let errand = Errand { session, tool: Which::Named(name), input, client: limits };
    let reply = desk.call(errand, desk.budget()).await;
    match client {
        Some(client) => client.answer(&reply),
        None => answer::reply(&reply),
    }
}

/// Whether a body is JSON by its own account.
pub(crate) fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// How long a body will be, as far as it says so.
pub(crate) fn length(headers: &HeaderMap, bound: Bound) -> u64 {
    let said = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let bodiless = !headers.contains_key(header::TRANSFER_ENCODING);
    said.or(bodiless.then_some(0)).unwrap_or(u64::MAX).min(bound.most)
}

/// The arguments in a body.
async fn arguments(body: Body, bound: Bound, limits: &Limits) -> Result<Value, Refusal> {
    let bytes = whole(body, bound, limits).await?;
    match parse_json(&bytes) {
        Ok(value @ Value::Object(_)) => Ok(value),
        Ok(_) => Err(Refusal::Bad("the body must be a JSON object of arguments".to_owned())),
        Err(what) => Err(Refusal::Bad(format!("the body is not sound JSON: {what}"))),
    }
}

/// A body within its bounds.
pub(crate) async fn whole(body: Body, bound: Bound, limits: &Limits) -> Result<axum::body::Bytes, Refusal> {
    let most = usize::try_from(bound.most).unwrap_or(usize::MAX);
    let read = tokio::time::timeout(Duration::from_millis(limits.server_request_ms), to_bytes(body, most));
    match read.await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) if is_too_long(&error) => Err(Refusal::Length(bound)),
        Ok(Err(_)) => Err(Refusal::Bad("the body ends before its end".to_owned())),
        Err(_) => Err(Refusal::Slow),
    }
}

fn is_too_long(error: &axum::Error) -> bool {
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        if error.is::<http_body_util::LengthLimitError>() {
            return true;
        }
        cause = error.source();
    }
    false
}
