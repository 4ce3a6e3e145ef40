//! Messages as lines on two pipes.
//!
//! What is no message gets an answer instead of silence, and a client that asks without listening is not listened to
//! for ever: so many requests wait for their answers, and no more are read until some are out.

use std::collections::HashSet;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{ClientNotification, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::{Notify, mpsc};

use crate::rpc::{BadMessage, check_message};

/// A client on two pipes.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    /// The most bytes of a line.
    most: usize,
    /// Whether the rest of a line that is too long is being passed over.
    skipping: bool,
    output: mpsc::Sender<Vec<u8>>,
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

/// What came of reading a line.
enum Read {
    Line,
    TooLong,
    End,
}

impl Unanswered {
    fn add(&self, id: RequestId) {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner).insert(id);
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
    pub(crate) fn new(input: R, output: impl AsyncWrite + Send + Unpin + 'static, most: usize) -> Self {
        let (sender, messages) = mpsc::channel(MOST_UNWRITTEN);
        tokio::spawn(write_all(messages, output));
        let input = BufReader::new(input);
        Self { input, line: Vec::new(), most, skipping: false, output: sender, unanswered: Arc::default() }
    }

    /// Reads on to the end of a line. Nothing is lost when the future is dropped.
    async fn read_line(&mut self) -> io::Result<Read> {
        loop {
            let held = self.input.fill_buf().await?;
            if held.is_empty() {
                return Ok(Read::End);
            }
            let end = held.iter().position(|byte| *byte == b'\n');
            let count = end.map_or(held.len(), |end| end + 1);
            let fits = !self.skipping && self.line.len() + count <= self.most;
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
                Ok(Read::TooLong) => return Some(Err(BadMessage::too_long(self.most))),
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
            let mut bytes = serde_json::to_vec(&message)?;
            bytes.push(b'\n');
            let sent = output.send(bytes).await.map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe));
            match &message {
                JsonRpcMessage::Response(response) => unanswered.remove(&response.id),
                JsonRpcMessage::Error(error) => {
                    if let Some(id) = &error.id {
                        unanswered.remove(id);
                    }
                }
                JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => {}
            }
            sent
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let unanswered = Arc::clone(&self.unanswered);
            unanswered.are_few().await;
            match self.next().await? {
                Ok(message) => {
                    note(&message, &unanswered);
                    return Some(message);
                }
                Err(bad) => {
                    // The answer is on its way before anything can interrupt; a client that does not listen waits.
                    let output = self.output.clone();
                    tokio::spawn(async move { output.send(format!("{}\n", bad.answer()).into_bytes()).await });
                    tokio::task::yield_now().await;
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        Ok(())
    }
}

/// A request waits for its answer; one that was cancelled gets none.
fn note(message: &RxJsonRpcMessage<RoleServer>, unanswered: &Unanswered) {
    match message {
        JsonRpcMessage::Request(request) => unanswered.add(request.id.clone()),
        JsonRpcMessage::Notification(notice) => {
            if let ClientNotification::CancelledNotification(cancelled) = &notice.notification
                && let Some(id) = &cancelled.params.request_id
            {
                unanswered.remove(id);
            }
        }
        JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
    }
}

/// Writes messages in order until there are no more or nobody listens.
async fn write_all(mut messages: mpsc::Receiver<Vec<u8>>, mut output: impl AsyncWrite + Unpin) {
    while let Some(message) = messages.recv().await {
        if output.write_all(&message).await.is_err() || output.flush().await.is_err() {
            return;
        }
    }
}
