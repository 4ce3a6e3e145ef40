//! A session of an older protocol revision over HTTP.

use std::net::TcpStream;

use serde_json::{Value, json};

use super::{Answer, CLIENT, Served};

/// A client with a session at `/mcp`.
#[derive(Debug)]
pub struct HttpSession<'a> {
    server: &'a Served,
    headers: Vec<(String, String)>,
    id: String,
}

/// The revision it speaks.
const REVISION: &str = "2025-06-18";

impl<'a> HttpSession<'a> {
    /// Opens a session; the headers go with every request.
    pub fn open(server: &'a Served, headers: &[(&str, &str)]) -> Self {
        let fixed = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let mut session = Self { server, headers: fixed.iter().chain(headers).map(owned).collect(), id: String::new() };
        let client = json!({ "name": CLIENT, "version": "0" });
        let params = json!({ "protocolVersion": REVISION, "capabilities": {}, "clientInfo": client });
        let opened = session.post(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }));
        opened.header("mcp-session-id").expect("a session").clone_into(&mut session.id);
        for (name, value) in [("Mcp-Session-Id", session.id.as_str()), ("MCP-Protocol-Version", REVISION)] {
            session.headers.push((name.to_owned(), value.to_owned()));
        }
        session.post(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        session
    }

    /// Its id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Sends a message and waits for the answer.
    pub fn post(&self, message: &Value) -> Answer {
        Answer::from_stream(self.start(message)).expect("an answer")
    }

    /// Sends a message and leaves the answer on the connection.
    pub fn start(&self, message: &Value) -> TcpStream {
        self.send("POST", message.to_string().as_bytes())
    }

    /// Opens the stream on which the server speaks unasked.
    pub fn listen(&self) -> TcpStream {
        self.send("GET", b"")
    }

    /// Ends the session.
    pub fn delete(&self) -> Answer {
        Answer::from_stream(self.send("DELETE", b"")).expect("an answer")
    }

    fn send(&self, method: &str, body: &[u8]) -> TcpStream {
        let headers: Vec<(&str, &str)> =
            self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        self.server.send(method, "/mcp", &headers, body)
    }
}
