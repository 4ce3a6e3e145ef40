//! Measuring: rivals in turns, medians of five rounds.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use readstone_tools::Toolbox;
use serde_json::json;

use crate::timing::{median, time};

/// Rounds of every contest.
const ROUNDS: usize = 5;
/// Calls of every measurement in process.
const CALLS: usize = 101;

/// An operation, and the plain tool for it.
#[derive(Debug)]
pub struct Contest {
    /// What is done.
    pub name: String,
    /// How we are called for it.
    pub address: String,
    /// How the other is called for it.
    pub rival: String,
}

/// One call of the library, in milliseconds.
#[expect(clippy::disallowed_methods, reason = "measuring is telling the time")]
fn call(toolbox: &Toolbox, address: &str) -> Result<f64, Box<dyn Error>> {
    let start = Instant::now();
    let reply = toolbox.call("read", &json!({ "path": address }), &toolbox.budget());
    let time = start.elapsed().as_secs_f64() * 1_000.0;
    if reply.receipt.error.is_some() { Err(reply.text().into()) } else { Ok(time) }
}

/// What was measured.
#[derive(Debug)]
pub struct Row {
    /// What was done.
    pub name: String,
    /// Our time in milliseconds.
    pub ours: f64,
    /// The other tool and its time.
    pub rival: Option<(String, f64)>,
}

/// What a call in process may find from an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// A toolbox that has never been called.
    Nothing,
    /// The toolbox of the call before.
    Session,
}

/// The program and the library, ready to be measured.
#[derive(Debug)]
pub struct Bench {
    program: PathBuf,
    place: PathBuf,
}

impl Bench {
    /// Finds the program beside this one.
    pub fn new(place: &Path) -> Result<Self, Box<dyn Error>> {
        let program = std::env::current_exe()?.with_file_name("readstone");
        if !program.exists() {
            return Err("there is no readstone beside this program; build it with the profile of this one first".into());
        }
        Ok(Self { program, place: place.to_owned() })
    }

    /// Both sides in turns.
    pub fn contest(&self, contest: &Contest) -> Result<Row, Box<dyn Error>> {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            ours.push(time(&mut self.read(&contest.address))?);
            theirs.push(time(&mut shell(&contest.rival))?);
        }
        let tool = contest.rival.split_whitespace().next().unwrap_or_default().to_owned();
        Ok(Row { name: format!("{}, cli", contest.name), ours: median(ours), rival: Some((tool, median(theirs))) })
    }

    /// Calls of the library; a fresh toolbox for each unless an earlier call is to be remembered.
    #[expect(clippy::disallowed_methods, reason = "measuring is telling the time")]
    pub fn in_process(&self, name: &str, address: &str, keep: Keep) -> Result<Row, Box<dyn Error>> {
        let input = json!({ "path": address });
        let shared = Toolbox::for_directory(&self.place)?;
        shared.call("read", &input, &shared.budget());
        let mut times = Vec::new();
        for _ in 0..CALLS {
            let fresh = match keep {
                Keep::Nothing => Some(Toolbox::for_directory(&self.place)?),
                Keep::Session => None,
            };
            let toolbox = fresh.as_ref().unwrap_or(&shared);
            let start = Instant::now();
            let reply = toolbox.call("read", &input, &toolbox.budget());
            times.push(start.elapsed().as_secs_f64() * 1_000.0);
            if reply.receipt.error.is_some() {
                return Err(reply.text().into());
            }
        }
        Ok(Row { name: format!("{name}, in process"), ours: median(times), rival: None })
    }

    /// The last of several calls in one session, after all of them were made once.
    pub fn after(&self, name: &str, addresses: &[&str]) -> Result<Row, Box<dyn Error>> {
        let toolbox = Toolbox::for_directory(&self.place)?;
        let mut times = Vec::new();
        for address in addresses {
            times.push(call(&toolbox, address)?);
        }
        let last = addresses.last().ok_or("there is nothing to call")?;
        // The first call that needs what an earlier one found out counts; then those that follow it.
        let first = times.pop().filter(|_| addresses.len() > 1);
        let again = (0..CALLS).map(|_| call(&toolbox, last)).collect::<Result<Vec<_>, _>>()?;
        let ours = first.unwrap_or_else(|| median(again));
        Ok(Row { name: format!("{name}, in process"), ours, rival: None })
    }

    /// The largest resident size of one read, in megabytes.
    pub fn peak_memory(&self, address: &str) -> Result<f64, Box<dyn Error>> {
        let script = format!(
            "{} --ephemeral read '{address}' > /dev/null & pid=$!; peak=0; while kill -0 $pid 2>/dev/null; do \
            now=$(grep VmHWM /proc/$pid/status 2>/dev/null | tr -dc 0-9); [ -n \"$now\" ] && peak=$now; done; echo $peak",
            self.program.display()
        );
        let output = shell(&script).stdout(Stdio::piped()).output()?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().parse::<f64>().unwrap_or(0.0) / 1_024.0)
    }

    #[expect(clippy::disallowed_methods, reason = "the program under measurement is a process")]
    fn read(&self, address: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.args(["--ephemeral", "read", address]).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }
}

#[expect(clippy::disallowed_methods, reason = "the rivals are processes")]
fn shell(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]).stdout(Stdio::null()).stderr(Stdio::null());
    command
}
