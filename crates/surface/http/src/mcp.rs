//! MCP at `/mcp`: the protocol behind our own bounds.

use std::sync::Arc;

use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use readstone_desk::Desk;
use readstone_mcp::{HttpService, check_message};

use crate::answer::{self, Refusal};
use crate::tools::{self, is_json};

/// The kinds of answer that the protocol asks clients to take.
const BOTH: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");

/// Hands a request to the protocol, its body whole and sound.
pub(crate) async fn speak(request: Request, service: HttpService, desk: Arc<Desk>) -> Response {
    let (mut parts, body) = request.into_parts();
    let posted = parts.method == Method::POST;
    if posted && !is_json(&parts.headers) {
        return Refusal::Kind("the body must be JSON, with Content-Type: application/json").answer();
    }
    let bound = desk.bound(None);
    let Some(room) = desk.room(tools::length(&parts.headers, bound)).await else {
        return Refusal::Busy.answer();
    };
    let bytes = match tools::whole(body, bound, desk.limits()).await {
        Ok(bytes) => bytes,
        Err(refusal) => return refusal.answer(),
    };
    if posted && let Err(bad) = check_message(&bytes) {
        return answer::json(StatusCode::BAD_REQUEST, &bad.answer());
    }
    // The call is none of the bodies that are read.
    drop(room);
    if posted {
        accept_both(&mut parts.headers);
    }
    let ends = parts.method == Method::DELETE;
    let mut answer = service.answer(Request::from_parts(parts, bytes)).await;
    // A session that was ended is gone now, not later.
    if ends && answer.status() == StatusCode::ACCEPTED {
        *answer.status_mut() = StatusCode::NO_CONTENT;
    }
    answer.into_response()
}

/// Whoever takes anything, or does not say, takes both.
fn accept_both(headers: &mut HeaderMap) {
    let anything = |value: &HeaderValue| value.to_str().is_ok_and(|value| value.contains("*/*"));
    if headers.get(header::ACCEPT).is_none_or(anything) {
        headers.insert(header::ACCEPT, BOTH);
    }
}
