//! What a run asks the system for.

use std::process::Command;

use crate::fixture::{Fixture, tool, works};
use crate::world::Run;

/// Calls by which something is opened, fetched or started.
const CALLS: &str = "trace=network,openat,openat2,open,execve,execveat";

/// What a run asked the system for.
#[derive(Debug)]
pub struct Trace {
    program: String,
    lines: Vec<String>,
}

#[expect(clippy::expect_used, clippy::missing_panics_doc, reason = "a run that cannot be made must stop the test")]
impl Trace {
    /// Runs a command and notes which files it and what it starts open, what they start and whom they speak to;
    /// `None`, and a word on standard error, where that cannot be seen.
    pub fn of(command: &Command) -> Option<(Self, Run)> {
        if !works("strace", &["-f", "-qq", "-o", "/dev/null", "true"]) {
            return None;
        }
        let log = tempfile::tempdir().expect("a temporary directory");
        let mut outer = tool("timeout");
        outer.args(["60", "strace", "-f", "-qq", "-e", CALLS, "-o"]).arg(log.path().join("log"));
        outer.arg(command.get_program()).args(command.get_args());
        outer.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        if let Some(directory) = command.get_current_dir() {
            outer.current_dir(directory);
        }
        let run = Run::of(&mut outer);
        let found = Fixture::survey(log.path()).into_iter().flat_map(|(.., bytes)| bytes).collect::<Vec<_>>();
        let lines: Vec<String> = String::from_utf8_lossy(&found).lines().map(str::to_owned).collect();
        let program = command.get_program().to_string_lossy().into_owned();
        assert!(lines.iter().any(|line| line.contains(&program)), "the trace is none: {lines:?} {}", run.stderr);
        Some((Self { program, lines }, run))
    }

    /// What no reading may ask for: a connection, another program than the own, a file with one of these words.
    pub fn forbidden(&self, words: &[&str]) -> Vec<&str> {
        let foreign = |line: &str| {
            let own = line.contains("/proc/self/exe") || line.contains(&self.program) || line.contains("resumed>");
            line.contains("execve") && !own
        };
        let bad = |line: &str| {
            line.contains("AF_INET") || line.contains("connect(") || words.iter().any(|word| line.contains(word))
        };
        self.lines.iter().map(String::as_str).filter(|line| foreign(line) || bad(line)).collect()
    }
}
