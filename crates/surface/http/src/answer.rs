//! Answers: a reply with its status, or why a request did not become a call.

use axum::body::Body;
use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use readstone_base::{Class, Failure, Reply, Status, TargetError};
use readstone_desk::{BUSY, Bound, reply_text, reply_text_with};
use serde_json::{Value, json};

use crate::query::BadParameter;

/// The kind of most answers.
const JSON: &str = "application/json";

/// A request that is not a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The `Host` is not ours.
    Host,
    /// The page it comes from is not trusted.
    Origin,
    /// No token, or a wrong one.
    Token,
    /// There is nothing at this path.
    Path,
    /// The path is there, the method is not; these are.
    Method(&'static str),
    /// The body is too long.
    Length(Bound),
    /// The body did not arrive in time.
    Slow,
    /// There was no room for the body.
    Busy,
    /// The body is of a kind that is not read.
    Kind(&'static str),
    /// Something in it is wrong.
    Bad(String),
    /// The session's name cannot be one.
    Session(&'static str),
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Host => f.write_str("this server does not answer to that Host; --allow-host lets it"),
            Self::Origin => f.write_str("pages of that Origin may not call; --allow-origin lets them"),
            Self::Token => f.write_str("a token is needed: Authorization: Bearer TOKEN"),
            Self::Path => f.write_str("there is nothing at this path; GET /openapi.json tells what there is"),
            Self::Method(methods) => write!(f, "this path takes {methods}"),
            Self::Length(Bound { most, limit }) => {
                write!(f, "the body is longer than {most} bytes; the limit is {limit}")
            }
            Self::Slow => f.write_str("the body did not arrive in time; the limit is server_request_ms"),
            Self::Busy => {
                f.write_str("too many bodies are read at the moment; make the same request again in a second")
            }
            Self::Kind(what) | Self::Session(what) => f.write_str(what),
            Self::Bad(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Refusal {}

impl Failure for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Self::Host => "http.wrong_host",
            Self::Origin => "http.wrong_origin",
            Self::Token => "http.no_token",
            Self::Path => "http.no_path",
            Self::Method(_) => "http.wrong_method",
            Self::Length(_) => "http.long_body",
            Self::Slow => "http.slow_body",
            Self::Busy => "http.busy",
            Self::Kind(_) => "http.wrong_kind",
            Self::Bad(_) | Self::Session(_) => "http.bad_request",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::Host | Self::Origin | Self::Token => Class::Denied,
            Self::Path => Class::Missing,
            Self::Length(_) => Class::TooBig,
            Self::Slow | Self::Busy => Class::Stopped,
            Self::Method(_) | Self::Kind(_) | Self::Bad(_) | Self::Session(_) => Class::Request,
        }
    }
}

/// The code of a refusal, put beside its answer to be counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refused(pub(crate) &'static str);

impl Refusal {
    /// HTTP has its own word for some of them.
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::Host | Self::Origin => StatusCode::FORBIDDEN,
            Self::Token => StatusCode::UNAUTHORIZED,
            Self::Path => StatusCode::NOT_FOUND,
            Self::Method(_) => StatusCode::METHOD_NOT_ALLOWED,
            Self::Length(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Slow => StatusCode::REQUEST_TIMEOUT,
            Self::Busy => StatusCode::TOO_MANY_REQUESTS,
            Self::Kind(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Bad(_) | Self::Session(_) => StatusCode::BAD_REQUEST,
        }
    }

    /// The answer, as data like every other failure.
    pub(crate) fn answer(&self) -> Response {
        let reply = readstone_render::failure("", TargetError::of(self));
        let mut answer = text(self.status(), JSON, reply_text(&reply));
        let extra = match self {
            Self::Token => Some((header::WWW_AUTHENTICATE, "Bearer realm=\"readstone\"")),
            Self::Method(methods) => Some((header::ALLOW, *methods)),
            Self::Host
            | Self::Origin
            | Self::Path
            | Self::Length(_)
            | Self::Slow
            | Self::Busy
            | Self::Kind(_)
            | Self::Bad(_)
            | Self::Session(_) => None,
        };
        if let Some((name, value)) = extra {
            answer.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        answer.extensions_mut().insert(Refused(self.code()));
        with_retry_after(self.status(), answer)
    }
}

/// The answer to a call.
pub(crate) fn reply(reply: &Reply) -> Response {
    let status = reply_status(reply);
    with_retry_after(status, text(status, JSON, reply_text(reply)))
}

/// The answer to a call, with more than the reply.
pub(crate) fn reply_with(reply: &Reply, more: &Value) -> Response {
    let status = reply_status(reply);
    with_retry_after(status, text(status, JSON, reply_text_with(reply, more)))
}

/// The status of the answer to a call.
fn reply_status(reply: &Reply) -> StatusCode {
    match (&reply.receipt.error, reply.status) {
        (Some(error), Status::Error(_)) => status(error),
        (_, Status::Ok | Status::Error(_)) => StatusCode::OK,
    }
}

/// A failure in the form of the line endpoints.
pub(crate) fn problem(error: &TargetError) -> Response {
    let status = status(error);
    with_retry_after(status, json(status, &json!({ "message": error.message, "code": error.code })))
}

/// The status that a failure stands for.
fn status(error: &TargetError) -> StatusCode {
    let number = if error.code == BUSY { 429 } else { error.class.http_status() };
    StatusCode::from_u16(number).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// Says when to come back to a busy server.
fn with_retry_after(status: StatusCode, mut answer: Response) -> Response {
    if status == StatusCode::TOO_MANY_REQUESTS {
        answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    answer
}

/// JSON with a status.
pub(crate) fn json(status: StatusCode, value: &Value) -> Response {
    text(status, JSON, value.to_string())
}

/// Text of some kind.
pub(crate) fn text(status: StatusCode, kind: &'static str, text: impl Into<Body>) -> Response {
    let mut answer = Response::new(text.into());
    *answer.status_mut() = status;
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    answer
}

/// The form in which the line endpoints tell of bad parameters.
pub(crate) fn bad_parameters(bad: &[BadParameter]) -> Response {
    let words: Vec<String> = bad.iter().map(|BadParameter { field, detail }| format!("{field}: {detail}")).collect();
    let validations: Vec<Value> =
        bad.iter().map(|BadParameter { field, detail }| json!({ "field": field, "detail": detail })).collect();
    let message = format!("the query has bad parameters: {}", words.join("; "));
    let mut answer = json(StatusCode::BAD_REQUEST, &json!({ "message": message, "validations": validations }));
    answer.extensions_mut().insert(Refused("http.bad_request"));
    answer
}
