//! A server that is spoken to on its standard input and output.

use std::error::Error;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// What one read from a pipe may bring: all that fits into one.
const PIPE: usize = 1 << 16;

/// A server of MCP and the pipes to it.
#[derive(Debug)]
pub struct Spoken {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    version: String,
}

impl Spoken {
    /// Starts a server and greets it; it must list tools.
    pub fn start(mut command: Command) -> Result<Self, Box<dyn Error>> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let input = child.stdin.take().ok_or("no pipe")?;
        let output = BufReader::with_capacity(PIPE, child.stdout.take().ok_or("no pipe")?);
        let mut spoken = Self { child, input, output, version: String::new() };
        let client = json!({ "name": "bench", "version": "0" });
        let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
        let greeting = spoken.ask(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }))?;
        writeln!(spoken.input, "{}", json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        let tools = spoken.ask(&json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }))?;
        if !tools.contains("inputSchema") {
            return Err(format!("{command:?} lists no tools: {tools}").into());
        }
        let greeting: Value = serde_json::from_str(&greeting)?;
        greeting
            .pointer("/result/serverInfo/version")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .clone_into(&mut spoken.version);
        Ok(spoken)
    }

    /// Sends a message and waits for its answer.
    pub fn ask(&mut self, message: &Value) -> Result<String, Box<dyn Error>> {
        self.send(&message.to_string())?;
        self.answer()
    }

    /// Sends a message of one line.
    pub fn send(&mut self, message: &str) -> Result<(), Box<dyn Error>> {
        Ok(self.input.write_all(format!("{message}\n").as_bytes())?)
    }

    /// The next answer; what the server says of itself is passed over.
    pub fn answer(&mut self) -> Result<String, Box<dyn Error>> {
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err("the server has ended".into());
            }
            // No answer has a method, and what a server says unasked names it first.
            let beginning: String = line.chars().take(60).collect();
            if !beginning.contains("\"method\":\"") {
                return Ok(line);
            }
        }
    }

    /// The message that calls a tool.
    pub fn message(tool: &str, input: &Value) -> Value {
        let params = json!({ "name": tool, "arguments": input });
        json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params })
    }

    /// Calls a tool.
    pub fn call(&mut self, tool: &str, input: &Value) -> Result<String, Box<dyn Error>> {
        self.ask(&Self::message(tool, input))
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// What the server calls its version.
    pub fn version(&self) -> &str {
        &self.version
    }
}

impl Drop for Spoken {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
