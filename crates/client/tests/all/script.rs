//! A server that answers each request with the next line of a script.

use std::sync::{Arc, Mutex};

use readstone_client::{Builder, Client};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// What it does with a request.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// Answers with these bytes and closes the connection.
    Say(Vec<u8>),
    /// Answers with a body that does not end.
    Flood,
    /// Says this much, which may be nothing, and then waits for the client to leave.
    Stall(Vec<u8>),
}

/// The server. It ends with the runtime of its test.
pub(crate) struct Script {
    url: String,
    heard: Arc<Mutex<Vec<String>>>,
    left: Arc<Notify>,
}

/// An answer with a status, headers and a body.
pub(crate) fn say(status: u16, headers: &[&str], body: &str) -> Act {
    let lines = headers.iter().fold(String::new(), |lines, line| lines + line + "\r\n");
    let length = body.len();
    Act::Say(
        format!("HTTP/1.1 {status} Said\r\nContent-Length: {length}\r\nConnection: close\r\n{lines}\r\n{body}").into(),
    )
}

/// A reply that succeeded, with this text and this `next`.
pub(crate) fn page(text: &str, next: Option<&str>) -> Act {
    say(200, &[], &page_form(text, next).to_string())
}

/// That reply as JSON.
pub(crate) fn page_form(text: &str, next: Option<&str>) -> serde_json::Value {
    serde_json::json!({
        "status": "ok",
        "parts": [{ "type": "text", "text": text }],
        "receipt": { "tool": "read", "targets": [{ "address": "a", "next": next }] },
    })
}

/// A reply that tells a failure, as JSON.
pub(crate) fn failure_form(code: &str, class: &str) -> String {
    let error = serde_json::json!({
        "code": code, "class": class, "message": "it failed", "next": [{ "tool": "read", "argument": "b" }],
    });
    let receipt = serde_json::json!({ "tool": "read", "targets": [], "error": error });
    serde_json::json!({ "status": "error", "parts": [], "receipt": receipt }).to_string()
}

impl Script {
    /// A server with this script. What comes behind its end is heard and answered with 418.
    pub(crate) async fn new(acts: Vec<Act>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let heard = Arc::<Mutex<Vec<String>>>::default();
        let left = Arc::<Notify>::default();
        let (notes, leaves) = (Arc::clone(&heard), Arc::clone(&left));
        tokio::spawn(async move {
            let mut acts = acts.into_iter();
            loop {
                let (mut stream, _) = listener.accept().await.expect("a connection");
                let request = hear(&mut stream).await;
                // A client may connect and change its mind.
                if request.is_empty() {
                    continue;
                }
                notes.lock().unwrap().push(request);
                match acts.next().unwrap_or_else(|| say(418, &[], "the script is over")) {
                    Act::Say(bytes) => drop(stream.write_all(&bytes).await),
                    Act::Flood => flood(stream).await,
                    Act::Stall(bytes) => {
                        stall(stream, &bytes).await;
                        leaves.notify_one();
                    }
                }
            }
        });
        Self { url, heard, left }
    }

    /// A client to be set up further.
    pub(crate) fn builder(&self) -> Builder {
        Client::builder(&self.url)
    }

    /// Where it listens.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// A client with the usual settings.
    pub(crate) fn client(&self) -> Client {
        self.builder().build().expect("a sound client")
    }

    /// Waits until the client has left a server that stalls.
    pub(crate) async fn left(&self) {
        self.left.notified().await;
    }

    /// The requests so far, each with its head and its body.
    pub(crate) fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }
}

/// A whole request; an empty text when there is none.
async fn hear(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length =
                head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= length.unwrap_or(0_usize) {
                return text;
            }
        }
        if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return String::new();
        }
    }
}

/// Writes until nobody listens.
async fn flood(mut stream: TcpStream) {
    let head = b"HTTP/1.1 200 Said\r\nTransfer-Encoding: chunked\r\n\r\n";
    let chunk = format!("1000\r\n{}\r\n", "x".repeat(0x1000));
    let mut written = stream.write_all(head).await;
    while written.is_ok() {
        written = stream.write_all(chunk.as_bytes()).await;
    }
}

/// Writes a beginning and waits until nobody listens.
async fn stall(mut stream: TcpStream, bytes: &[u8]) {
    stream.write_all(bytes).await.expect("a client that listens");
    while stream.read(&mut [0]).await.is_ok_and(|read| read > 0) {}
}
