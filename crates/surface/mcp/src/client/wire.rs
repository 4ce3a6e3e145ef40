//! Messages of another server as lines on its pipes, none longer than allowed.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::RoleClient;
use rmcp::model::JsonRpcMessage;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::connection::Trouble;

/// A server on two pipes.
#[derive(Debug)]
pub(super) struct Wire<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    line_state: Arc<Line>,
    output: mpsc::Sender<Vec<u8>>,
    heard: usize,
    junk: usize,
    first_junk: Option<String>,
    asked: usize,
}

/// What is known of a wire while it is in use, and afterwards.
#[derive(Debug)]
pub(super) struct Line {
    /// The most bytes of a message.
    most: Arc<AtomicUsize>,
    trouble: Mutex<Option<Trouble>>,
    /// Set when nothing more comes; whoever sets it ends the wire.
    pub(super) closed: CancellationToken,
}

/// Lines that are no messages: so many are passed over, since some servers write notes among their messages.
const MOST_JUNK: usize = 50;
/// Requests of a server to us; none of them is granted.
pub(super) const MOST_ASKED: usize = 200;
/// Messages that may wait to be written.
const MOST_UNWRITTEN: usize = 16;
/// Bytes that are told of a line that is no message.
const TOLD: usize = 200;

impl Line {
    pub(super) fn new(most: Arc<AtomicUsize>) -> Self {
        Self { most, trouble: Mutex::default(), closed: CancellationToken::new() }
    }

    /// Why the wire ended, where that is known.
    pub(super) fn trouble(&self) -> Option<Trouble> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn note(&self, trouble: Trouble) {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(trouble);
    }

    /// The most bytes of a message.
    pub(super) fn most(&self) -> usize {
        self.most.load(Ordering::Relaxed)
    }
}

impl<R: AsyncRead + Send + Unpin> Wire<R> {
    /// A server that writes to `input`, and hears of `output`.
    pub(super) fn new(input: R, output: impl AsyncWrite + Send + Unpin + 'static, state: Arc<Line>) -> Self {
        let (sender, messages) = mpsc::channel(MOST_UNWRITTEN);
        tokio::spawn(write_all(messages, output, state.closed.clone()));
        let input = BufReader::new(input);
        Self {
            input,
            line: Vec::new(),
            line_state: state,
            output: sender,
            heard: 0,
            junk: 0,
            first_junk: None,
            asked: 0,
        }
    }

    /// Reads on to the end of a line; false at the end. Nothing is lost when the future is dropped.
    async fn read_line(&mut self) -> Result<bool, Trouble> {
        loop {
            let held = self.input.fill_buf().await.map_err(|_| Trouble::Gone)?;
            if held.is_empty() {
                return Ok(!self.line.is_empty());
            }
            let end = held.iter().position(|byte| *byte == b'\n');
            let count = end.map_or(held.len(), |end| end + 1);
            if self.line.len() + count > self.line_state.most() {
                return Err(Trouble::TooLong);
            }
            self.line.extend_from_slice(held.get(..count).unwrap_or_default());
            self.input.consume(count);
            if end.is_some() {
                return Ok(true);
            }
        }
    }

    async fn next(&mut self) -> Result<RxJsonRpcMessage<RoleClient>, Trouble> {
        loop {
            if !self.read_line().await? {
                return Err(self.end());
            }
            let line = std::mem::take(&mut self.line);
            let text = line.trim_ascii();
            if text.is_empty() {
                continue;
            }
            if let Ok(message) = serde_json::from_slice(text) {
                self.heard += 1;
                self.count_request(&message)?;
                return Ok(message);
            }
            self.junk += 1;
            self.first_junk
                .get_or_insert_with(|| String::from_utf8_lossy(text.get(..TOLD).unwrap_or(text)).into_owned());
            if self.junk > MOST_JUNK {
                return Err(self.garbage());
            }
        }
    }

    /// Why nothing comes any more: a server that said nothing but what is no message is none.
    fn end(&mut self) -> Trouble {
        if self.heard == 0 && self.junk > 0 { self.garbage() } else { Trouble::Gone }
    }

    fn garbage(&mut self) -> Trouble {
        Trouble::Garbage(self.first_junk.take().unwrap_or_default())
    }

    /// None of what a server asks is granted, and one that asks for ever is not listened to.
    fn count_request(&mut self, message: &RxJsonRpcMessage<RoleClient>) -> Result<(), Trouble> {
        self.asked += usize::from(matches!(message, JsonRpcMessage::Request(_)));
        if self.asked > MOST_ASKED { Err(Trouble::Asks) } else { Ok(()) }
    }
}

impl<R: AsyncRead + Send + Unpin> Transport<RoleClient> for Wire<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let output = self.output.clone();
        async move {
            let mut bytes = serde_json::to_vec(&message)?;
            bytes.push(b'\n');
            output.send(bytes).await.map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        let closed = self.line_state.closed.clone();
        let received = tokio::select! {
            biased;
            () = closed.cancelled() => return None,
            received = self.next() => received,
        };
        match received {
            Ok(message) => Some(message),
            Err(trouble) => {
                if trouble != Trouble::Gone {
                    self.line_state.note(trouble);
                }
                closed.cancel();
                None
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.line_state.closed.cancel();
        Ok(())
    }
}

/// Writes messages in order until there are no more, nobody listens or the wire ends; then the pipe is closed.
async fn write_all(
    mut messages: mpsc::Receiver<Vec<u8>>,
    mut output: impl AsyncWrite + Unpin,
    closed: CancellationToken,
) {
    let writing = async {
        while let Some(message) = messages.recv().await {
            if output.write_all(&message).await.is_err() || output.flush().await.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        () = closed.cancelled() => {}
        () = writing => {}
    }
}
