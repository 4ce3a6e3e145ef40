//! Sending a request, as often as it takes, and holding what comes back.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Method, Request, StatusCode, header};
use http_body_util::{BodyExt as _, Full};

use crate::connect::Http;
use crate::error::{Error, Transport};
use crate::retry::{self, Deadline, Repeat, Retries};

/// The line to a server, with all that every request carries.
pub(crate) struct Line {
    pub(crate) http: Http,
    /// The URL that paths are appended to.
    pub(crate) base: String,
    pub(crate) authorization: Option<HeaderValue>,
    pub(crate) session: Option<HeaderValue>,
    pub(crate) timeout: Duration,
    pub(crate) retries: Retries,
    pub(crate) max_body_bytes: usize,
}

/// The token is never shown.
impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("base", &self.base)
            .field("token", &self.authorization.as_ref().map(|_| "…"))
            .field("session", &self.session)
            .field("timeout", &self.timeout)
            .field("retries", &self.retries)
            .field("max_body_bytes", &self.max_body_bytes)
            .finish_non_exhaustive()
    }
}

/// What is asked of the server.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// The path and query below the base URL.
    path: String,
    /// JSON to post; without it something is got.
    body: Option<Bytes>,
    repeat: Repeat,
}

/// What the server answered.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) body: Bytes,
    /// How often the request was sent.
    pub(crate) attempts: u32,
}

impl Asked {
    /// To get what is at a path.
    pub(crate) fn get(path: String) -> Self {
        Self { path, body: None, repeat: Repeat::Freely }
    }

    /// To post JSON to a path.
    pub(crate) fn post(path: String, body: Vec<u8>, repeat: Repeat) -> Self {
        Self { path, body: Some(body.into()), repeat }
    }
}

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const AGENT: HeaderValue = HeaderValue::from_static(concat!("readstone-client/", env!("CARGO_PKG_VERSION")));
const SESSION: &str = "readstone-session";

impl Line {
    /// The answer to a request, the last one where it was sent more than once.
    pub(crate) async fn send(&self, asked: &Asked) -> Result<Answer, Error> {
        let deadline = Deadline::after(self.timeout);
        let mut attempts = 0;
        loop {
            let mut answer = deadline.bound(self.attempt(self.request(asked)?)).await?;
            attempts += 1;
            answer.attempts = attempts;
            if !retry::is_passing(answer.status, asked.repeat) {
                return Ok(answer);
            }
            match self.retries.pause(attempts, answer.retry_after).filter(|pause| deadline.allows(*pause)) {
                Some(pause) => tokio::time::sleep(pause).await,
                None => return Ok(answer),
            }
        }
    }

    fn request(&self, asked: &Asked) -> Result<Request<Full<Bytes>>, Error> {
        let method = if asked.body.is_some() { Method::POST } else { Method::GET };
        let mut request = Request::builder().method(method).uri(format!("{}{}", self.base, asked.path));
        let kind = asked.body.is_some().then_some(JSON);
        let headers = [
            (header::USER_AGENT, Some(AGENT)),
            (header::CONTENT_TYPE, kind),
            (header::AUTHORIZATION, self.authorization.clone()),
            (header::HeaderName::from_static(SESSION), self.session.clone()),
        ];
        for (name, value) in headers {
            if let Some(value) = value {
                request = request.header(name, value);
            }
        }
        let body = Full::new(asked.body.clone().unwrap_or_default());
        request.body(body).map_err(|error| Error::Invalid(format!("this cannot be asked for: {error}")))
    }

    async fn attempt(&self, request: Request<Full<Bytes>>) -> Result<Answer, Error> {
        let answer = self.http.request(request).await.map_err(|error| {
            let connect = error.is_connect();
            let cause = Box::new(error);
            Error::Transport(if connect { Transport::Connect(cause) } else { Transport::BrokenOff(cause) })
        })?;
        let (parts, mut body) = answer.into_parts();
        let mut held = Held::new(parts.status, self.max_body_bytes);
        held.expect(parts.headers.get(header::CONTENT_LENGTH))?;
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| Error::Transport(Transport::BrokenOff(Box::new(error))))?;
            if let Ok(data) = frame.into_data()
                && held.take(&data)? == Room::Full
            {
                break;
            }
        }
        let retry_after = retry::retry_after(&parts.headers);
        Ok(Answer { status: parts.status, retry_after, body: held.bytes.into(), attempts: 0 })
    }
}

/// What is held of a body.
struct Held {
    bytes: Vec<u8>,
    most: usize,
    /// Whether more than that is an error; otherwise the rest is left off.
    strict: bool,
}

/// Whether more of a body is wanted.
#[derive(PartialEq, Eq)]
enum Room {
    Left,
    Full,
}

impl Held {
    /// Of an answer that tells an error by its status alone, the beginning is enough.
    fn new(status: StatusCode, most: usize) -> Self {
        Self { bytes: Vec::new(), most, strict: status.is_success() }
    }

    /// Refuses a body that is announced as too long.
    fn expect(&self, length: Option<&HeaderValue>) -> Result<(), Error> {
        let length = length.and_then(|length| length.to_str().ok()).and_then(|length| length.parse::<u64>().ok());
        let fits = length.is_none_or(|length| usize::try_from(length).is_ok_and(|length| length <= self.most));
        if fits || !self.strict { Ok(()) } else { Err(Error::TooLong { most: self.most }) }
    }

    /// Takes a piece, or as much of it as there is room for.
    fn take(&mut self, data: &[u8]) -> Result<Room, Error> {
        let room = self.most - self.bytes.len();
        let (fits, rest) = data.split_at(data.len().min(room));
        self.bytes.extend_from_slice(fits);
        match rest {
            [] => Ok(Room::Left),
            _ if self.strict => Err(Error::TooLong { most: self.most }),
            _ => Ok(Room::Full),
        }
    }
}
