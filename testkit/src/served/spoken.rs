//! A server on standard input and output.

use std::ffi::OsStr;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use super::{CLIENT, Said, Vitals, code_of};
use crate::world::World;

/// A running `readstone mcp`, and the client on its other end.
#[derive(Debug)]
pub struct Spoken {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<BufReader<ChildStdout>>,
    said: Said,
    next_id: u64,
    /// Notifications that came between answers.
    pub notices: Vec<Value>,
}

impl Spoken {
    /// Starts a server in a world and opens a session with this revision of the protocol. Its replies have receipts, and
    /// the limits are those of the library.
    pub fn start<S: AsRef<OsStr>>(world: &World, arguments: impl IntoIterator<Item = S>, revision: &str) -> Self {
        let mut command = world.command();
        command.args(["mcp", "--receipts"]).args(arguments);
        let mut spoken = Self::spawn(&mut command);
        spoken.open(revision);
        spoken
    }

    /// Runs a prepared command that speaks the protocol; no session is opened.
    pub fn spawn(command: &mut Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the server starts");
        let said = Said::by(&mut child);
        let input = child.stdin.take();
        let output = child.stdout.take().map(BufReader::new);
        Self { child, input, output, said, next_id: 0, notices: Vec::new() }
    }

    /// Opens a session.
    pub fn open(&mut self, revision: &str) -> Value {
        let client = json!({ "name": CLIENT, "version": "0" });
        let params = json!({ "protocolVersion": revision, "capabilities": {}, "clientInfo": client });
        let opened = self.request("initialize", &params);
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        opened
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What its process uses.
    pub fn vitals(&self) -> Vitals {
        Vitals::of(self.pid())
    }

    /// Sends a message.
    pub fn send(&mut self, message: &Value) {
        self.send_line(&message.to_string());
    }

    /// Sends a line as it is.
    pub fn send_line(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes()).expect("the server listens");
    }

    /// Sends bytes as they are, as long as the server takes them.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush())
    }

    /// Ends its input.
    pub fn finish(&mut self) {
        self.input = None;
    }

    /// Listens no more: the server cannot be heard from now on.
    pub fn hang_up(&mut self) {
        self.output = None;
    }

    /// The next message; `None` at the end.
    pub fn receive(&mut self) -> Option<Value> {
        let mut line = String::new();
        let output = self.output.as_mut().expect("the output is open");
        let count = output.read_line(&mut line).expect("the server speaks UTF-8");
        (count > 0).then(|| serde_json::from_str(&line).unwrap_or_else(|_| json!({ "not JSON": line })))
    }

    /// Makes a request and waits for its answer.
    pub fn request(&mut self, method: &str, params: &Value) -> Value {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.answer(id)
    }

    /// Waits for the answer to a request.
    pub fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.receive().expect("the server answers");
            if message["id"] == json!(id) {
                return message;
            }
            self.notices.push(message);
        }
    }

    /// Calls a tool.
    pub fn call(&mut self, tool: &str, input: &Value) -> Value {
        self.request("tools/call", &json!({ "name": tool, "arguments": input }))
    }

    /// Ends its input; gives its exit code and all it said on standard error.
    pub fn end(mut self) -> (Option<i32>, String) {
        self.input = None;
        let code = code_of(&mut self.child);
        (code, self.said.at_the_end())
    }
}

impl Drop for Spoken {
    fn drop(&mut self) {
        self.input = None;
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
