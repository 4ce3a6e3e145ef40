//! A server that is spoken to on its standard input and output.

use std::error::Error;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A server of MCP and the pipes to it.
#[derive(Debug)]
pub struct Spoken {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Spoken {
    /// Starts a server and greets it; it must list tools.
    pub fn start(mut command: Command) -> Result<Self, Box<dyn Error>> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let input = child.stdin.take().ok_or("no pipe")?;
        let output = BufReader::new(child.stdout.take().ok_or("no pipe")?);
        let mut spoken = Self { child, input, output };
        let client = json!({ "name": "bench", "version": "0" });
        let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
        spoken.ask(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }))?;
        writeln!(spoken.input, "{}", json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        let tools = spoken.ask(&json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }))?;
        if !tools.contains("inputSchema") {
            return Err(format!("{command:?} lists no tools: {tools}").into());
        }
        Ok(spoken)
    }

    /// Sends a message and waits for the next one.
    pub fn ask(&mut self, message: &Value) -> Result<String, Box<dyn Error>> {
        writeln!(self.input, "{message}")?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        Ok(line)
    }

    /// Calls a tool.
    pub fn call(&mut self, tool: &str, input: &Value) -> Result<String, Box<dyn Error>> {
        let params = json!({ "name": tool, "arguments": input });
        self.ask(&json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params }))
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Spoken {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
