//! A server on standard input and output.

use std::error::Error;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use readstone_bench::spoken::CLIENT;
use serde_json::{Value, json};

use crate::cases::{Case, Limits};
use crate::process::{busy, children, command, peak, time};

/// What one call took, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Took {
    pub(crate) wall: f64,
    /// Processor time of the server and its workers.
    pub(crate) busy: f64,
}

/// A server and the pipes to it.
pub(crate) struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Server {
    /// A server that has answered once and has no worker.
    pub(crate) fn start(program: &Path, place: &Path, limits: Limits) -> Result<Self, Box<dyn Error>> {
        let mut command = command(program);
        command.args(["mcp", "--ephemeral"]).current_dir(place).envs(limits.settings().iter().copied());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let input = child.stdin.take().ok_or("no pipe")?;
        let output = BufReader::with_capacity(1 << 20, child.stdout.take().ok_or("no pipe")?);
        let mut server = Self { child, input, output };
        let client = json!({ "name": CLIENT, "version": "0" });
        let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
        server.ask(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }))?;
        writeln!(server.input, "{}", json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        server.ask(&json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }))?;
        Ok(server)
    }

    /// Reads a document, and sees to it that it was read.
    pub(crate) fn read(&mut self, file: &Path, case: &Case) -> Result<Took, Box<dyn Error>> {
        let address = format!("{}{}", file.display(), case.selector);
        let params = json!({ "name": "read", "arguments": { "path": address } });
        let call = json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params });
        let before = self.busy();
        let (answer, wall) = time(|| self.ask(&call))?;
        let took = Took { wall, busy: self.busy() - before };
        // Slashes and quotes of the text are escaped on the way; what is looked for has neither, or is the form's own.
        if answer.contains("\"isError\":true") || !answer.contains(case.shows) {
            let start: String = answer.chars().take(400).collect();
            return Err(format!("{}: the reply does not show {}: {start}", case.name, case.shows).into());
        }
        Ok(took)
    }

    /// Looks at the workers until it is told to end.
    pub(crate) fn watch_workers(&self) -> Watch {
        let (parent, stop) = (self.child.id(), Arc::new(AtomicBool::new(false)));
        let ended = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let mut most = 0.0_f64;
            while !ended.load(Ordering::Relaxed) {
                most = children(parent).into_iter().map(peak).fold(most, f64::max);
                std::thread::sleep(Duration::from_millis(2));
            }
            most
        });
        Watch { stop, thread }
    }

    fn busy(&self) -> f64 {
        let own = self.child.id();
        busy(own) + children(own).into_iter().map(busy).sum::<f64>()
    }

    fn ask(&mut self, message: &Value) -> Result<String, Box<dyn Error>> {
        writeln!(self.input, "{message}")?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        Ok(line)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Somebody who watches workers.
pub(crate) struct Watch {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<f64>,
}

impl Watch {
    /// The largest resident size that was seen, in megabytes.
    pub(crate) fn end(self) -> Result<f64, Box<dyn Error>> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().map_err(|_| "the watch broke off".into())
    }
}
