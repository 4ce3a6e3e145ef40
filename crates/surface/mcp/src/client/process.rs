//! The process of another server: started without a shell and with a bare environment, ended with all its children.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};

use super::McpServer;

/// A server that runs.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    last_words: Arc<Mutex<Vec<u8>>>,
    /// Whether it was waited for, so that its number may be another's by now.
    buried: bool,
}

/// The pipes of a server.
#[derive(Debug)]
pub(super) struct Pipes {
    pub(super) input: ChildStdin,
    pub(super) output: ChildStdout,
}

/// How a server is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// It may finish what it does.
    Politely,
    /// At once.
    AtOnce,
}

/// Bytes of a server's last words.
const LAST_WORDS: usize = 4096;
/// So often, and so long each time, is waited for a server to end by itself, and then for one that was told to.
const BREATHS: [usize; 2] = [10, 40];
const BREATH: Duration = Duration::from_millis(5);

impl Process {
    /// Starts a server. It sees the variables given here and no others.
    #[expect(clippy::disallowed_methods, reason = "servers of the user's own configuration are started here alone")]
    pub(super) fn start(server: &McpServer, variables: &[(OsString, OsString)]) -> io::Result<(Self, Pipes)> {
        let Some((program, arguments)) = server.command.split_first() else {
            return Err(io::Error::other("no command is configured"));
        };
        let mut command = Command::new(program);
        command.args(arguments).env_clear().envs(variables.iter().map(|(name, value)| (name, value)));
        command.envs(server.env.iter().map(|(name, value)| (name, value)));
        // A group of its own, so that all it starts ends with it.
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = &server.cwd {
            command.current_dir(directory);
        }
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let process = Self { child, last_words: Arc::default(), buried: false };
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let pipes = Pipes { input: ChildStdin::from_std(input)?, output: ChildStdout::from_std(output)? };
        tokio::spawn(drain(ChildStderr::from_std(errors)?, Arc::clone(&process.last_words)));
        Ok((process, pipes))
    }

    /// What the server wrote beside its messages, the line that tells most.
    pub(super) fn last_words(&self) -> LastWords {
        LastWords(Arc::clone(&self.last_words))
    }

    /// Ends the server and whatever it started. Its pipes must be closed before, if it is to end by itself.
    pub(super) async fn end(mut self, manner: Manner) {
        let [alone, told] = BREATHS;
        if manner == Manner::Politely && !self.ends_within(alone).await {
            self.signal(Signal::TERM);
            self.ends_within(told).await;
        }
        self.bury();
    }

    /// Its number is its own until it is waited for: so the group that is meant is the one that is met.
    fn bury(&mut self) {
        if !std::mem::replace(&mut self.buried, true) {
            self.signal(Signal::KILL);
            drop(self.child.wait());
        }
    }

    async fn ends_within(&self, breaths: usize) -> bool {
        for _ in 0..breaths {
            if self.has_ended() {
                return true;
            }
            tokio::time::sleep(BREATH).await;
        }
        self.has_ended()
    }

    /// Whether it has ended; it is not buried by asking.
    fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(self.pid().map(|pid| waitid(WaitId::Pid(pid), options)), Some(Ok(None)))
    }

    fn signal(&self, signal: Signal) {
        if let Some(pid) = self.pid() {
            // It may have ended by itself.
            let _: Result<(), _> = kill_process_group(pid, signal);
        }
    }

    fn pid(&self) -> Option<Pid> {
        Pid::from_raw(self.child.id().try_into().ok()?)
    }
}

impl Drop for Process {
    /// Whatever happens to the thread that looks after it, nothing stays behind.
    fn drop(&mut self) {
        self.bury();
    }
}

/// What a server wrote beside its messages.
#[derive(Clone, Debug, Default)]
pub(super) struct LastWords(Arc<Mutex<Vec<u8>>>);

impl LastWords {
    /// The line that tells most: the last that speaks of an error, or the last.
    pub(super) fn line(&self) -> String {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&bytes);
        let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty()).rev();
        lines().find(|line| line.contains("rror")).or_else(|| lines().next()).unwrap_or_default().to_owned()
    }
}

/// Reads to the end, and keeps the last bytes.
async fn drain(mut from: impl AsyncRead + Unpin, kept: Arc<Mutex<Vec<u8>>>) {
    let mut buffer = vec![0; LAST_WORDS];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(buffer.get(..count).unwrap_or_default());
        let surplus = kept.len().saturating_sub(LAST_WORDS);
        kept.drain(..surplus);
    }
}
