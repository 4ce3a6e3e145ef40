//! Messages as lines on two pipes.
//!
//! What is no message gets an answer instead of silence, and a client that asks without listening is not listened to
//! for ever: so many requests wait for their answers, and no more are read until some are out.

use std::collections::HashSet;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use readstone_desk::Bound;
use rmcp::RoleServer;
use rmcp::model::{ClientNotification, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;

use crate::rpc::{BEGINNING, BadMessage, check_message};

/// A client on two pipes.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    /// How long a line may be.
    bound: Bound,
    /// Whether the rest of a line that is too long is being passed over.
    skipping: bool,
    /// How such a line begins: there is its id.
    beginning: Vec<u8>,
    output: Option<mpsc::Sender<Vec<u8>>>,
    writer: Option<JoinHandle<()>>,
    /// Whether anything was asked yet.
    begun: bool,
    /// What to answer to something that was no message, until there is room for it.
    unsent: Option<Vec<u8>>,
    unanswered: Arc<Unanswered>,
}

/// Requests that wait for their answers.
#[derive(Debug, Default)]
struct Unanswered {
    ids: Mutex<HashSet<RequestId>>,
    fewer: Notify,
}

/// Requests that may wait.
const MOST_UNANSWERED: usize = 256;
/// Answers that may wait to be written.
const MOST_UNWRITTEN: usize = 16;
/// At the end, how long the last answers may take to get out.
const PATIENCE: Duration = Duration::from_secs(5);

/// What came of reading a line.
enum Read {
    Line,
    TooLong,
    End,
}

impl Unanswered {
    /// Notes a request; false when one with its id still waits.
    fn add(&self, id: RequestId) -> bool {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner).insert(id)
    }

    fn remove(&self, id: &RequestId) {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        self.fewer.notify_one();
    }

    async fn are_few(&self) {
        while self.ids.lock().unwrap_or_else(PoisonError::into_inner).len() >= MOST_UNANSWERED {
            self.fewer.notified().await;
        }
    }
}

impl<R: AsyncRead + Send + Unpin> Lines<R> {
    /// A client that writes to `input`, and hears of `output`.
    pub(crate) fn new(input: R, output: impl AsyncWrite + Send + Unpin + 'static, bound: Bound) -> Self {
        let (sender, messages) = mpsc::channel(MOST_UNWRITTEN);
        Self {
            input: BufReader::new(input),
            line: Vec::new(),
            bound,
            skipping: false,
            beginning: Vec::new(),
            output: Some(sender),
            writer: Some(tokio::spawn(write_all(messages, output))),
            begun: false,
            unsent: None,
            unanswered: Arc::default(),
        }
    }

    /// Reads on to the end of a line. Nothing is lost when the future is dropped.
    async fn read_line(&mut self) -> io::Result<Read> {
        loop {
            let held = self.input.fill_buf().await?;
            if held.is_empty() {
                // A last line need not end.
                return Ok(if self.line.is_empty() { Read::End } else { Read::Line });
            }
            let end = held.iter().position(|byte| *byte == b'\n');
            let count = end.map_or(held.len(), |end| end + 1);
            let fits = !self.skipping && (self.line.len() + count) as u64 <= self.bound.most;
            if !fits && !self.skipping {
                let begun = self.line.iter().chain(held).take(BEGINNING).copied();
                self.beginning = begun.collect();
            }
            if fits {
                self.line.extend_from_slice(held.get(..count).unwrap_or_default());
            }
            self.input.consume(count);
            match (end, fits) {
                (Some(_), true) => return Ok(Read::Line),
                (None, true) => {}
                (Some(_), false) => {
                    self.skipping = false;
                    self.line = Vec::new();
                    return Ok(Read::TooLong);
                }
                (None, false) => {
                    self.skipping = true;
                    self.line = Vec::new();
                }
            }
        }
    }

    /// The next message; what is none is answered here.
    async fn next(&mut self) -> Option<Result<RxJsonRpcMessage<RoleServer>, BadMessage>> {
        loop {
            match self.read_line().await {
                Ok(Read::Line) => {}
                Ok(Read::TooLong) => {
                    let beginning = std::mem::take(&mut self.beginning);
                    return Some(Err(BadMessage::too_long(self.bound, &beginning)));
                }
                Ok(Read::End) => return None,
                Err(error) => {
                    tracing::warn!(%error, "standard input cannot be read");
                    return None;
                }
            }
            let line = std::mem::take(&mut self.line);
            let text = line.trim_ascii();
            if !text.is_empty() {
                return Some(message_of(text));
            }
        }
    }
}

/// A message as a line. What is no part of a future is compiled here, where speed counts, and not where the program is put
/// together.
fn line_of(message: &TxJsonRpcMessage<RoleServer>) -> serde_json::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(message)?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn message_of(text: &[u8]) -> Result<RxJsonRpcMessage<RoleServer>, BadMessage> {
    let value = check_message(text)?;
    // The kit's own reading is by far the faster one for what passed.
    serde_json::from_slice(text).map_err(|error| BadMessage::unfit(&value, format!("it is no message: {error}")))
}

impl<R: AsyncRead + Send + Unpin> Transport<RoleServer> for Lines<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let (output, unanswered) = (self.output.clone(), Arc::clone(&self.unanswered));
        async move {
            let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
            let answered = match &message {
                JsonRpcMessage::Response(response) => Some(response.id.clone()),
                JsonRpcMessage::Error(error) => error.id.clone(),
                JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
            };
            let place = match &output {
                Some(output) => output.reserve().await.map_err(|_| gone()),
                None => Err(gone()),
            };
            // Whoever has read an answer may use its id again.
            if let Some(id) = &answered {
                unanswered.remove(id);
            }
            place?.send(line_of(&message)?);
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if self.unsent.is_some() {
                // A client that does not listen waits here; nothing is lost when the future is dropped.
                let place = self.output.as_ref()?.reserve().await.ok()?;
                if let Some(answer) = self.unsent.take() {
                    place.send(answer);
                }
            }
            let unanswered = Arc::clone(&self.unanswered);
            unanswered.are_few().await;
            let bad = match self.next().await? {
                // Before the first request there is nothing that a notification or an answer could be about.
                Ok(message) if !self.begun && !matches!(message, JsonRpcMessage::Request(_)) => continue,
                Ok(message) => match note(&message, &unanswered) {
                    Ok(()) => {
                        self.begun = true;
                        return Some(message);
                    }
                    Err(bad) => bad,
                },
                Err(bad) => bad,
            };
            self.unsent = Some(format!("{}\n", bad.answer()).into_bytes());
        }
    }

    /// Ends when the last answer is out, or nobody takes it.
    async fn close(&mut self) -> Result<(), io::Error> {
        self.output = None;
        if let Some(writer) = self.writer.take() {
            drop(tokio::time::timeout(PATIENCE, writer).await);
        }
        Ok(())
    }
}

/// A request waits for its answer; one that was cancelled gets none.
fn note(message: &RxJsonRpcMessage<RoleServer>, unanswered: &Unanswered) -> Result<(), BadMessage> {
    match message {
        JsonRpcMessage::Request(request) => {
            if !unanswered.add(request.id.clone()) {
                return Err(BadMessage::in_use(&request.id));
            }
        }
        JsonRpcMessage::Notification(notice) => {
            if let ClientNotification::CancelledNotification(cancelled) = &notice.notification
                && let Some(id) = &cancelled.params.request_id
            {
                unanswered.remove(id);
            }
        }
        JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
    }
    Ok(())
}

/// Writes messages in order until there are no more or nobody listens.
async fn write_all(mut messages: mpsc::Receiver<Vec<u8>>, mut output: impl AsyncWrite + Unpin) {
    while let Some(message) = messages.recv().await {
        if output.write_all(&message).await.is_err() || output.flush().await.is_err() {
            return;
        }
    }
}
