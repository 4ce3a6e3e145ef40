//! A server that is spoken to on its standard input and output.

use std::error::Error;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::sync_channel;

use serde_json::{Value, json};

/// What one read from a pipe may bring: all that fits into one.
const PIPE: usize = 1 << 16;

/// Name of this client. Servers of ours give clients whose name begins with `readstone-` the full size of a reply.
pub const CLIENT: &str = "readstone-bench";

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
        let client = json!({ "name": CLIENT, "version": "0" });
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
        next_answer(&mut self.output)
    }

    /// Sends `all` messages from a thread of its own, which is up to `queued` messages ahead of the answers, and looks
    /// at every answer.
    pub fn answer_queue(
        &mut self,
        all: usize,
        queued: usize,
        message: impl Fn(usize) -> String + Sync,
        look: impl Fn(&str) -> Result<(), Box<dyn Error>>,
    ) -> Result<(), Box<dyn Error>> {
        let Self { child, input, output, .. } = self;
        let (ahead, answered) = sync_channel(queued);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                // The channel is closed when an answer was wrong, and the pipe when the server has ended.
                (0..all).all(|number| {
                    ahead.send(()).is_ok() && input.write_all(format!("{}\n", message(number)).as_bytes()).is_ok()
                })
            });
            let answers = (0..all).try_for_each(|_| {
                look(&next_answer(output)?)?;
                Ok(answered.recv()?)
            });
            drop(answered);
            if answers.is_err() {
                // The other thread may wait for room in the pipe.
                drop(child.kill());
            }
            answers
        })
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

fn next_answer(output: &mut BufReader<ChildStdout>) -> Result<String, Box<dyn Error>> {
    loop {
        let mut line = String::new();
        if output.read_line(&mut line)? == 0 {
            return Err("the server has ended".into());
        }
        // No answer has a method, and what a server says unasked names it first.
        let beginning: String = line.chars().take(60).collect();
        if !beginning.contains("\"method\":\"") {
            return Ok(line);
        }
    }
}

impl Drop for Spoken {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Text of the reply in an answer to `tools/call`, or `None` when the call failed.
///
/// Only `content` counts: the structured copy of a reply is optional.
pub fn reply_text(answer: &str) -> Option<String> {
    let answer: Value = serde_json::from_str(answer).ok()?;
    let result = answer.get("result")?;
    if result.get("isError").and_then(Value::as_bool) == Some(true) {
        return None;
    }
    let parts = result.get("content")?.as_array()?;
    let texts: Vec<&str> = parts.iter().filter_map(|part| part.get("text")?.as_str()).collect();
    Some(texts.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(result: &Value) -> String {
        json!({ "jsonrpc": "2.0", "id": 3, "result": result }).to_string()
    }

    #[test]
    fn the_text_of_a_reply_is_that_of_its_content_with_or_without_a_structured_copy() {
        let content = json!([{ "type": "text", "text": "one \"line\"" }, { "type": "text", "text": "two" }]);
        let plain = answer(&json!({ "content": content }));
        let copied = answer(&json!({ "content": content, "structuredContent": { "text": "three" }, "isError": false }));
        for answer in [plain, copied] {
            assert_eq!(reply_text(&answer).as_deref(), Some("one \"line\"\ntwo"));
        }
    }

    #[test]
    fn a_failed_call_has_no_text() {
        let failed = answer(&json!({ "content": [{ "type": "text", "text": "not found" }], "isError": true }));
        assert_eq!(reply_text(&failed), None);
        assert_eq!(reply_text(r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"no"}}"#), None);
        assert_eq!(reply_text("not JSON"), None);
    }
}
