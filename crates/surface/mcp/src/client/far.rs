//! A server that is reached at a URL: every message is a POST, and what comes back is a message or a stream of them.

mod connect;
mod events;

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{HeaderValue, Method, Request, Response, StatusCode, Uri, header};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use rmcp::RoleClient;
use rmcp::model::{ErrorCode, ErrorData, JsonRpcMessage, RequestId, ServerResult};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::sync::mpsc;

use super::connection::Trouble;
use super::wire::{Line, MOST_ASKED};
use connect::Http;
use events::Events;

/// The messages of a server at a URL.
pub(super) struct FarWire {
    exchange: Arc<Exchange>,
    inbox: mpsc::Receiver<RxJsonRpcMessage<RoleClient>>,
    asked: usize,
}

/// What all messages to a server share.
pub(super) struct Exchange {
    http: Http,
    uri: Uri,
    line: Arc<Line>,
    heard: mpsc::Sender<RxJsonRpcMessage<RoleClient>>,
    terms: Mutex<Terms>,
}

/// What was agreed with a server.
#[derive(Clone, Debug, Default)]
struct Terms {
    session: Option<HeaderValue>,
    version: Option<HeaderValue>,
}

/// A message on its way.
struct Sent {
    body: Vec<u8>,
    /// Its number, when it is a question.
    id: Option<RequestId>,
    method: Option<String>,
    /// What it is about.
    name: Option<String>,
    /// The revision of the protocol that it follows, where it says so.
    version: Option<String>,
}

/// No answer takes longer, whatever calls allow.
const LONGEST: Duration = Duration::from_mins(10);
/// How long a server may take to hear that we go.
const FAREWELL: Duration = Duration::from_millis(500);
/// Messages that may wait to be taken.
const MOST_UNREAD: usize = 16;
/// The code of what goes wrong on the way.
const ON_THE_WAY: ErrorCode = ErrorCode(-32000);
/// Where a message of the newest revision names that.
const VERSION: &str = "/params/_meta/io.modelcontextprotocol~1protocolVersion";
const SESSION_HEADER: &str = "mcp-session-id";
const VERSION_HEADER: &str = "mcp-protocol-version";
const METHOD_HEADER: &str = "mcp-method";
const NAME_HEADER: &str = "mcp-name";
const JSON: &str = "application/json";
const STREAM: &str = "text/event-stream";

/// A wire to a URL. Nothing is sent yet.
pub(super) fn reach(url: &str, line: &Arc<Line>) -> Result<(FarWire, Arc<Exchange>), Trouble> {
    let uri: Uri = url.parse().map_err(|_| Trouble::Unreachable("its URL is none".to_owned()))?;
    let http = connect::client(&uri)?;
    let (heard, inbox) = mpsc::channel(MOST_UNREAD);
    let exchange = Exchange { http, uri, line: Arc::clone(line), heard, terms: Mutex::default() };
    let exchange = Arc::new(exchange);
    Ok((FarWire { exchange: Arc::clone(&exchange), inbox, asked: 0 }, exchange))
}

impl Transport<RoleClient> for FarWire {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let exchange = Arc::clone(&self.exchange);
        async move {
            let sent = Sent::of(&message)?;
            let closed = exchange.line.closed.clone();
            tokio::select! {
                biased;
                () = closed.cancelled() => Err(io::Error::from(io::ErrorKind::BrokenPipe)),
                () = exchange.post(sent) => Ok(()),
            }
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        let closed = self.exchange.line.closed.clone();
        let message = tokio::select! {
            biased;
            message = self.inbox.recv() => message?,
            () = closed.cancelled() => return None,
        };
        self.asked += usize::from(matches!(message, JsonRpcMessage::Request(_)));
        if self.asked > MOST_ASKED {
            self.exchange.fail(Trouble::Asks);
            return None;
        }
        Some(message)
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.exchange.line.closed.cancel();
        Ok(())
    }
}

impl Sent {
    fn of(message: &TxJsonRpcMessage<RoleClient>) -> Result<Self, io::Error> {
        let id = match message {
            JsonRpcMessage::Request(request) => Some(request.id.clone()),
            JsonRpcMessage::Response(_) | JsonRpcMessage::Notification(_) | JsonRpcMessage::Error(_) => None,
        };
        let value = serde_json::to_value(message)?;
        let told = |pointer| value.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let (method, name, version) = (told("/method"), told("/params/uri"), told(VERSION));
        Ok(Self { body: serde_json::to_vec(&value)?, id, method, name, version })
    }
}

impl Exchange {
    /// Sends a message, and has what comes back taken. What goes wrong is the answer to a question.
    async fn post(self: Arc<Self>, sent: Sent) {
        let id = sent.id.clone();
        match tokio::time::timeout(LONGEST, self.posted(sent)).await {
            Ok(Ok(None)) => {}
            Ok(Ok(Some(answer))) => {
                // The next message need not wait for the end of this stream.
                tokio::spawn(async move {
                    let closed = self.line.closed.clone();
                    tokio::select! {
                        () = closed.cancelled() => {}
                        _ = tokio::time::timeout(LONGEST, self.take(answer, id)) => {}
                    }
                });
            }
            Ok(Err(trouble)) => self.fail(trouble),
            Err(_) => self.refuse(id, "it did not answer").await,
        }
    }

    /// The answer to a message, where there is one to be taken.
    async fn posted(&self, sent: Sent) -> Result<Option<Response<Incoming>>, Trouble> {
        let id = sent.id.clone();
        let request = self.request(sent)?;
        let with_session = request.headers().contains_key(SESSION_HEADER);
        let answer = self.http.request(request).await.map_err(|error| unreachable(&error))?;
        if let Some(session) = answer.headers().get(SESSION_HEADER) {
            self.terms().session = Some(session.clone());
        }
        let status = answer.status();
        // A session that is not known any more: a new one may do.
        if status == StatusCode::NOT_FOUND && with_session {
            return Err(Trouble::Gone);
        }
        let told = !matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT);
        Ok(Some(answer).filter(|_| told && id.is_some()))
    }

    fn request(&self, sent: Sent) -> Result<Request<Full<Bytes>>, Trouble> {
        let terms = self.terms().clone();
        let mut request = Request::builder()
            .method(Method::POST)
            .uri(self.uri.clone())
            .header(header::USER_AGENT, connect::AGENT)
            .header(header::CONTENT_TYPE, JSON)
            .header(header::ACCEPT, "application/json, text/event-stream");
        // The newest revision wants to see in headers what is asked.
        let newest = sent.version.is_some();
        let version = sent.version.and_then(|version| HeaderValue::from_str(&version).ok());
        let named = |text: Option<String>| text.filter(|_| newest).and_then(|text| plain_or_coded(&text));
        let headers = [
            (SESSION_HEADER, terms.session),
            (VERSION_HEADER, version.or(terms.version)),
            (METHOD_HEADER, named(sent.method)),
            (NAME_HEADER, named(sent.name)),
        ];
        for (name, value) in headers {
            if let Some(value) = value {
                request = request.header(name, value);
            }
        }
        request.body(Full::new(sent.body.into())).map_err(|error| Trouble::Unreachable(error.to_string()))
    }

    /// Takes what a server answers to a question.
    async fn take(&self, answer: Response<Incoming>, id: Option<RequestId>) {
        let status = answer.status();
        let kind = answer.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let stream = status.is_success() && kind.is_some_and(|kind| kind.starts_with(STREAM));
        let mut events = if stream { Events::of_stream(self.line.most()) } else { Events::whole(self.line.most()) };
        let mut body = answer.into_body();
        let mut answered = false;
        while let Some(Ok(frame)) = body.frame().await {
            let Ok(data) = frame.into_data() else { continue };
            let Ok(messages) = events.add(&data) else { return self.fail(Trouble::TooLong) };
            for message in messages {
                answered |= self.pass(&message).await;
            }
            if answered {
                return;
            }
        }
        answered |= self.pass(&events.rest()).await;
        if !answered && status.is_success() {
            self.refuse(id, "its answer broke off or is no message").await;
        } else if !answered {
            self.refuse(id, &format!("it answered {status}")).await;
        }
    }

    /// Hands on a message; whether it is an answer.
    async fn pass(&self, text: &[u8]) -> bool {
        let Ok(message) = serde_json::from_slice::<RxJsonRpcMessage<RoleClient>>(text) else { return false };
        if let JsonRpcMessage::Response(response) = &message
            && let ServerResult::InitializeResult(result) = &response.result
        {
            self.terms().version = HeaderValue::from_str(result.protocol_version.as_str()).ok();
        }
        let answered = matches!(message, JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_));
        // Nobody may listen any more.
        drop(self.heard.send(message).await);
        answered
    }

    /// Answers a question in the place of the server.
    async fn refuse(&self, id: Option<RequestId>, words: &str) {
        if id.is_some() {
            let error = ErrorData::new(ON_THE_WAY, words.to_owned(), None);
            drop(self.heard.send(JsonRpcMessage::error(error, id)).await);
        }
    }

    /// Ends the wire.
    fn fail(&self, trouble: Trouble) {
        if trouble != Trouble::Gone {
            self.line.note(trouble);
        }
        self.line.closed.cancel();
    }

    /// Tells the server that its session is over.
    pub(super) async fn end(&self) {
        let Terms { session: Some(session), version } = self.terms().clone() else { return };
        let mut request =
            Request::builder().method(Method::DELETE).uri(self.uri.clone()).header(SESSION_HEADER, session);
        if let Some(version) = version {
            request = request.header(VERSION_HEADER, version);
        }
        if let Ok(request) = request.body(Full::default()) {
            drop(tokio::time::timeout(FAREWELL, self.http.request(request)).await);
        }
    }

    fn terms(&self) -> std::sync::MutexGuard<'_, Terms> {
        self.terms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a server cannot be reached: the innermost cause tells most.
fn unreachable(error: &dyn std::error::Error) -> Trouble {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    Trouble::Unreachable(cause.to_string())
}

/// A text as the value of a header, in Base64 where it cannot stand there as it is.
fn plain_or_coded(text: &str) -> Option<HeaderValue> {
    let plain = text.bytes().all(|byte| (b'!'..=b'~').contains(&byte)) && !text.starts_with("=?");
    let value = if plain { text.to_owned() } else { format!("=?base64?{}?=", STANDARD.encode(text)) };
    HeaderValue::from_str(&value).ok()
}
