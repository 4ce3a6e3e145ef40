//! Servers of the program, run by tests and stopped with them.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    reason = "a server that cannot be started or spoken to must stop the test"
)]

mod session;
mod spoken;
mod vitals;

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};

use crate::fixture::signal;
use crate::world::World;

pub use session::HttpSession;
pub use spoken::Spoken;
pub use vitals::Vitals;

/// The name under which tests speak to a server. Clients of ours are given what the library gives; others have limits.
pub(crate) const CLIENT: &str = "readstone-testkit";
/// The newest revision of the protocol, which needs no session.
pub const NEWEST: &str = "2026-07-28";
/// Every path of the server, and one that is none.
pub const PATHS: [&str; 13] = [
    "/v1/clients",
    "/v1/tools",
    "/v1/tools/read",
    "/api/v0/read-file-lines?path=/a.txt",
    "/api/v0/read-file?path=/a.txt",
    "/openapi.json",
    "/healthz",
    "/metrics",
    "/mcp",
    "/nothing",
    "/",
    "/page.css",
    "/page.js",
];
/// Longer than anything a test waits for.
const PATIENCE: Duration = Duration::from_mins(1);

/// A running `readstone serve`.
#[derive(Debug)]
pub struct Served {
    child: Child,
    address: SocketAddr,
    said: Said,
}

/// An answer over HTTP.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// What a child says on standard error, taken as it comes.
#[derive(Debug)]
struct Said {
    text: Arc<Mutex<String>>,
    reader: Option<JoinHandle<()>>,
}

impl Said {
    fn by(child: &mut Child) -> Self {
        let mut stderr = BufReader::new(child.stderr.take().expect("a pipe from the server"));
        let text = Arc::new(Mutex::new(String::new()));
        let taken = Arc::clone(&text);
        let reader = std::thread::spawn(move || {
            let mut line = Vec::new();
            while stderr.read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
                taken.lock().unwrap_or_else(PoisonError::into_inner).push_str(&String::from_utf8_lossy(&line));
                line.clear();
            }
        });
        Self { text, reader: Some(reader) }
    }

    fn so_far(&self) -> String {
        self.text.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn at_the_end(&mut self) -> String {
        if let Some(reader) = self.reader.take() {
            reader.join().expect("the server's words are read");
        }
        self.so_far()
    }
}

impl Served {
    /// Serves a world on a free port of this machine.
    pub fn start<S: AsRef<OsStr>>(world: &World, arguments: impl IntoIterator<Item = S>) -> Self {
        Self::start_with(world, &[], arguments)
    }

    /// Serves a world with these variables.
    pub fn start_with<S>(world: &World, variables: &[(&str, &str)], arguments: impl IntoIterator<Item = S>) -> Self
    where
        S: AsRef<OsStr>,
    {
        let mut command = world.command();
        command.envs(variables.iter().copied()).args(["serve", "--listen", "127.0.0.1:0"]).args(arguments);
        Self::spawn(&mut command)
    }

    /// Runs a prepared command that serves.
    pub fn spawn(command: &mut Command) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the server starts");
        let said = Said::by(&mut child);
        let mut line = String::new();
        let stdout = child.stdout.take().expect("a pipe from the server");
        BufReader::new(stdout).read_line(&mut line).expect("the server says where it listens");
        let address = line.trim().strip_prefix("listening on http://").and_then(|address| address.parse().ok());
        let Some(address) = address else {
            drop(child.kill());
            drop(child.wait());
            assert_eq!(line, "listening on http://ADDRESS", "{}", said.so_far());
            unreachable!("the line was just told apart");
        };
        Self { child, address, said }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What its process uses.
    pub fn vitals(&self) -> Vitals {
        Vitals::of(self.pid())
    }

    /// What it logged so far.
    pub fn log(&self) -> String {
        self.said.so_far()
    }

    /// A new connection.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("the server accepts");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket with patience");
        stream
    }

    /// Sends bytes as they are on a new connection and takes all that comes back.
    pub fn raw(&self, bytes: impl AsRef<[u8]>) -> Vec<u8> {
        let mut stream = self.connect();
        // The server may refuse before it has read everything.
        drop(stream.write_all(bytes.as_ref()));
        rest_of(stream)
    }

    /// Makes a request on a connection of its own.
    pub fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        Answer::from_stream(self.send(method, path, headers, body)).expect("an answer")
    }

    /// Sends a request on a connection of its own and leaves the answer there.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> TcpStream {
        let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            let _ = write!(text, "Host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            let _ = write!(text, "{name}: {value}\r\n");
        }
        text.push_str("\r\n");
        let mut stream = self.connect();
        drop(stream.write_all(&[text.as_bytes(), body].concat()));
        stream
    }

    /// Gets a path.
    pub fn get(&self, path: &str) -> Answer {
        self.request("GET", path, &[], b"")
    }

    /// Calls a tool.
    pub fn call(&self, tool: &str, input: &Value) -> Answer {
        let headers = [("Content-Type", "application/json")];
        self.request("POST", &format!("/v1/tools/{tool}"), &headers, input.to_string().as_bytes())
    }

    /// Makes a request of the newest protocol revision at `/mcp`; a reply comes with its receipt.
    pub fn mcp(&self, method: &str, mut params: Value) -> Answer {
        params["_meta"] = json!({ "readstone/receipt": true });
        Answer::from_stream(self.send_mcp(method, params)).expect("an answer")
    }

    /// The same as clients do it, that ask for no receipt.
    pub fn plain_mcp(&self, method: &str, params: Value) -> Answer {
        Answer::from_stream(self.send_mcp(method, params)).expect("an answer")
    }

    /// Sends a request of the newest protocol revision and leaves the answer on the connection.
    pub fn send_mcp(&self, method: &str, mut params: Value) -> TcpStream {
        let own = json!({
            "io.modelcontextprotocol/protocolVersion": NEWEST,
            "io.modelcontextprotocol/clientInfo": { "name": CLIENT, "version": "0" },
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        for (name, value) in own.as_object().into_iter().flatten() {
            let given = &mut params["_meta"][name];
            if given.is_null() {
                *given = value.clone();
            }
        }
        let name = ["name", "uri"].iter().find_map(|field| params[*field].as_str()).unwrap_or_default().to_owned();
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let mut headers = vec![
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", NEWEST),
            ("Mcp-Method", method),
        ];
        if !name.is_empty() && name.is_ascii() {
            headers.push(("Mcp-Name", &name));
        }
        self.send("POST", "/mcp", &headers, message.to_string().as_bytes())
    }

    /// Sends a signal.
    pub fn signal(&self, name: &str) {
        assert!(signal(self.pid(), name), "the server is gone before SIG{name}");
    }

    /// Stops it by SIGTERM; gives its exit code and all it logged.
    pub fn stop(self) -> (Option<i32>, String) {
        self.signal("TERM");
        self.end()
    }

    /// Waits for its end; gives its exit code and all it logged.
    pub fn end(mut self) -> (Option<i32>, String) {
        let code = code_of(&mut self.child);
        (code, self.said.at_the_end())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Answer {
    /// The answer that a connection brings.
    pub fn from_stream(stream: TcpStream) -> Option<Self> {
        Self::parse(&rest_of(stream))
    }

    /// Takes an answer apart.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = std::str::from_utf8(&bytes[..end]).ok()?;
        let mut lines = head.split("\r\n");
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let header = |line: &str| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        };
        let headers: Vec<(String, String)> = lines.filter_map(header).collect();
        let chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
        let body = &bytes[end + 4..];
        let body = if chunked { unchunk(body) } else { body.to_vec() };
        Some(Self { status, headers, body })
    }

    /// A header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON; of a stream of events, the last one.
    pub fn json(&self) -> Value {
        let text = self.text();
        let event =
            text.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim).rfind(|data| !data.is_empty());
        serde_json::from_str(event.unwrap_or(&text)).expect("an answer in JSON")
    }
}

/// All that a connection still brings.
fn rest_of(mut stream: TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    drop(stream.read_to_end(&mut bytes));
    bytes
}

/// The exit code of a child that ends by itself; one that does not is killed and fails the test.
fn code_of(child: &mut Child) -> Option<i32> {
    let pause = Duration::from_millis(10);
    for _ in 0..PATIENCE.as_millis() / pause.as_millis() {
        if let Some(status) = child.try_wait().expect("a child that can be asked") {
            return status.code();
        }
        std::thread::sleep(pause);
    }
    drop(child.kill());
    assert_eq!("the server still runs", "the server ended");
    None
}

fn unchunk(mut body: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = body.windows(2).position(|window| window == b"\r\n") {
        let size = std::str::from_utf8(&body[..end]).ok().and_then(|size| usize::from_str_radix(size.trim(), 16).ok());
        let (Some(size), rest) = (size, &body[end + 2..]) else {
            break;
        };
        whole.extend_from_slice(&rest[..size.min(rest.len())]);
        if size == 0 || rest.len() < size + 2 {
            break;
        }
        body = &rest[size + 2..];
    }
    whole
}
