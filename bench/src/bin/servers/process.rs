//! Programs under measurement.

use std::error::Error;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// Where the program is, and where it works.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) path: PathBuf,
    pub(crate) place: PathBuf,
}

/// A server that is stopped when the measurement is over.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    pub(crate) address: String,
}

impl Program {
    /// The program beside this one.
    pub(crate) fn beside(place: &Path) -> Result<Self, Box<dyn Error>> {
        let path = std::env::current_exe()?.with_file_name("readstone");
        if !path.exists() {
            return Err("there is no readstone beside this program; build it with the profile of this one first".into());
        }
        Ok(Self { path, place: place.to_owned() })
    }

    /// Serves over HTTP.
    pub(crate) fn serve(&self) -> Result<Running, Box<dyn Error>> {
        let mut command = command(&self.path);
        command.args(["serve", "--ephemeral", "--listen", "127.0.0.1:0", "--log", "off"]).current_dir(&self.place);
        Running::start(command)
    }
}

/// A program that will be measured.
#[expect(clippy::disallowed_methods, reason = "what is measured are processes")]
pub(crate) fn command(path: &Path) -> Command {
    Command::new(path)
}

impl Running {
    /// Starts a server that says where it listens.
    pub(crate) fn start(mut command: Command) -> Result<Self, Box<dyn Error>> {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let stdout = child.stdout.take().ok_or("no pipe")?;
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        let address = line.trim().strip_prefix("listening on http://").ok_or("the server does not listen")?.to_owned();
        Ok(Self { child, address })
    }

    /// The resident memory and the largest it ever was, in megabytes.
    pub(crate) fn memory(&self) -> Result<(f64, f64), Box<dyn Error>> {
        memory(self.child.id())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The resident memory of a process and the largest it ever was, in megabytes.
#[expect(clippy::disallowed_methods, reason = "the system tells of a process in a file")]
pub(crate) fn memory(pid: u32) -> Result<(f64, f64), Box<dyn Error>> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    let field = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        line.chars().filter(char::is_ascii_digit).collect::<String>().parse::<f64>().unwrap_or(0.0) / 1_024.0
    };
    Ok((field("VmRSS"), field("VmHWM")))
}

/// The time that some work takes, in milliseconds.
#[expect(clippy::disallowed_methods, reason = "measuring is telling the time")]
pub(crate) fn time<T>(work: impl FnOnce() -> Result<T, Box<dyn Error>>) -> Result<(T, f64), Box<dyn Error>> {
    let start = Instant::now();
    let done = work()?;
    Ok((done, start.elapsed().as_secs_f64() * 1_000.0))
}

/// The value in the middle.
pub(crate) fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0)
}
