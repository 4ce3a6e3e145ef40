//! A world: a fresh directory, an empty state, a clock that stands still, and the program in it.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A place where a test can make files and run the program without meeting anything else.
#[derive(Debug)]
pub struct World {
    files: TempDir,
    home: TempDir,
    program: PathBuf,
    variables: Vec<(&'static str, String)>,
}

/// What a run of the program left.
#[derive(Debug)]
#[must_use = "a run that nobody looks at proves nothing"]
pub struct Run {
    /// Its exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// Its standard error.
    pub stderr: String,
}

/// What stands in the place of chance in every world.
pub(crate) const SEED: &str = "a stone to read by";
/// The time of day in every world: 2026-11-15 12:00 UTC.
pub const NOW: i64 = 1_794_744_000;

#[expect(
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a test environment that cannot be made must stop the test"
)]
impl World {
    /// A new world for the program at this path.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        let temporary = || tempfile::Builder::new().prefix("readstone-test-").tempdir().expect("a temporary directory");
        Self { files: temporary(), home: temporary(), program: program.into(), variables: Vec::new() }
    }

    /// Sets a variable for every run from now on.
    pub fn set(&mut self, name: &'static str, value: impl Into<String>) {
        self.variables.push((name, value.into()));
    }

    /// The variables that were set.
    pub fn variables(&self) -> &[(&'static str, String)] {
        &self.variables
    }

    /// The directory in which the program runs.
    pub fn path(&self) -> &Path {
        self.files.path()
    }

    /// Makes a file, and the directories above it.
    pub fn file(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).expect("a directory for a fixture");
        }
        std::fs::write(&path, bytes).expect("a fixture");
        path
    }

    /// The program, ready to be run here.
    #[expect(clippy::disallowed_methods, reason = "the program under test is a process")]
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .current_dir(self.path())
            .env_clear()
            .env("HOME", self.home.path())
            .env("READSTONE_NOW", NOW.to_string())
            .env("READSTONE_SEED", SEED)
            .envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs the program.
    pub fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Run {
        let mut command = self.command();
        command.args(arguments).stdin(Stdio::null());
        Run::of(&mut command)
    }

    /// Runs `readstone read` on one address.
    pub fn read(&self, address: impl AsRef<OsStr>) -> Run {
        self.run([OsStr::new("read"), address.as_ref()])
    }

    /// Runs the program with bytes on its standard input.
    pub fn run_with_input<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>, input: &[u8]) -> Run {
        Run::fed(self.command().args(arguments), input)
    }
}

#[expect(clippy::expect_used, clippy::missing_panics_doc, reason = "a program that cannot be run must stop the test")]
impl Run {
    /// Runs a prepared command.
    pub fn of(command: &mut Command) -> Self {
        Self::from_output(command.output().expect("the program runs"))
    }

    /// Runs a prepared command with bytes on its standard input.
    pub fn fed(command: &mut Command, input: &[u8]) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let mut stdin = child.stdin.take().expect("a pipe to the program");
        let input = input.to_vec();
        // The program may stop reading before the input ends.
        let feeder = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output().expect("the program ends");
        feeder.join().expect("the input is fed");
        Self::from_output(output)
    }

    pub(crate) fn from_output(output: std::process::Output) -> Self {
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        Self { code: output.status.code(), stdout: output.stdout, stderr }
    }

    /// Standard output as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Standard output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout).expect("a reply in JSON")
    }
}
