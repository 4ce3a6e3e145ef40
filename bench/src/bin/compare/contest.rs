//! Contests: one operation, all who can do it in turns, and the medians of what they took.

use std::error::Error;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use readstone_bench::spoken::{Spoken, reply_text};
use readstone_bench::system::command;
use readstone_bench::timing::{median, took};

use crate::operations::{Limits, Operation, Tool};
use crate::peers::Peers;
use crate::servers::Servers;

/// Rounds of a contest: as many as fit into the time, but not fewer than the first and not more than the second.
const ROUNDS: (usize, usize) = (5, 101);
/// Milliseconds for the rounds of one contest.
const TIME: f64 = 2_500.0;
/// Milliseconds after which a peer is not asked again for the same.
const PATIENCE: f64 = 2_000.0;

/// What came of asking somebody.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// The median and the first time in milliseconds, and in how many rounds.
    Took { median: f64, first: f64, rounds: usize },
    /// The answer did not show what it should, after so many milliseconds.
    Wrong(f64),
    /// There is no tool for it.
    Cannot,
    /// It is not installed, or does not start.
    Absent,
}

/// What came of asking everybody.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) cli: Outcome,
    pub(crate) mcp: Outcome,
    pub(crate) tools: Vec<Outcome>,
    pub(crate) servers: Vec<Outcome>,
}

/// What a process takes that only says its version: its start, and nothing else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bare {
    pub(crate) ours: f64,
    /// Of `cat`.
    pub(crate) theirs: f64,
}

/// Calls somebody once, and returns the text of the answer with the milliseconds that it took.
pub(crate) type Caller<'a> = Box<dyn FnMut() -> Result<(String, f64), Box<dyn Error>> + 'a>;

/// One who is asked, or why not, and what it took so far.
struct Contestant<'a> {
    ask: Result<Caller<'a>, Outcome>,
    patience: f64,
    first: f64,
    times: Vec<f64>,
}

impl<'a> Contestant<'a> {
    /// One of ours, who is always asked again.
    fn own(ask: Caller<'a>) -> Self {
        Self { ask: Ok(ask), patience: f64::INFINITY, first: 0.0, times: Vec::new() }
    }

    fn peer(ask: Result<Caller<'a>, Outcome>) -> Self {
        Self { ask, patience: PATIENCE, first: 0.0, times: Vec::new() }
    }

    /// Asks once. Who answers wrongly is not asked again, nor is a peer that took long.
    fn turn(&mut self, shows: &[String]) {
        let Ok(ask) = &mut self.ask else { return };
        if self.first > self.patience {
            return;
        }
        let (answer, time) = ask().unwrap_or_default();
        if !shows.iter().all(|text| answer.contains(text.as_str())) {
            self.ask = Err(Outcome::Wrong(time));
        } else if self.first > 0.0 {
            self.times.push(time);
        } else {
            self.first = time;
        }
    }

    fn outcome(self) -> Outcome {
        match self.ask {
            Err(outcome) => outcome,
            Ok(_) if self.times.is_empty() => Outcome::Took { median: self.first, first: self.first, rounds: 1 },
            Ok(_) => Outcome::Took { rounds: self.times.len(), median: median(self.times), first: self.first },
        }
    }
}

/// Where processes work, and which ones.
#[derive(Clone, Debug)]
pub(crate) struct Ground<'a> {
    pub(crate) program: PathBuf,
    pub(crate) place: PathBuf,
    pub(crate) peers: &'a Peers,
}

impl Ground<'_> {
    /// All in turns.
    pub(crate) fn contest(&self, operation: &Operation, servers: &mut Servers) -> Measured {
        let ours = &operation.ours;
        let (own, others) = servers.split(ours.limits);
        let mut all = vec![
            Contestant::own(Box::new(|| self.program_once(operation))),
            Contestant::own(Box::new(|| call(own, ours.tool, &ours.input))),
        ];
        for tool in &operation.tools {
            let installed =
                tool.steps.iter().all(|step| step.first().is_some_and(|name| self.peers.path(name).is_some()));
            let ask: Caller<'_> = Box::new(|| self.tool_once(tool));
            all.push(Contestant::peer(if installed { Ok(ask) } else { Err(Outcome::Absent) }));
        }
        for (server, call_of) in others.iter_mut().zip(&operation.servers) {
            all.push(Contestant::peer(match (server, call_of) {
                (_, None) => Err(Outcome::Cannot),
                (None, Some(_)) => Err(Outcome::Absent),
                (Some(server), Some(asked)) => Ok(Box::new(|| call(server, asked.tool, &asked.input))),
            }));
        }
        rounds(&mut all, &operation.shows);
        let mut outcomes = all.into_iter().map(Contestant::outcome);
        let mut next = || outcomes.next().unwrap_or(Outcome::Absent);
        Measured {
            cli: next(),
            mcp: next(),
            tools: operation.tools.iter().map(|_| next()).collect(),
            servers: operation.servers.iter().map(|_| next()).collect(),
        }
    }

    /// The start of a process alone, ours and `cat`, in turns.
    pub(crate) fn bare(&self) -> Result<Bare, Box<dyn Error>> {
        let cat = self.peers.path("cat").unwrap_or_else(|| PathBuf::from("cat"));
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS.1 {
            for (program, times) in [(&self.program, &mut ours), (&cat, &mut theirs)] {
                times.push(self.version_once(program)?.1);
            }
        }
        Ok(Bare { ours: median(ours), theirs: median(theirs) })
    }

    /// One process that prints its version and ends.
    pub(crate) fn version_once(&self, program: &Path) -> Result<(String, f64), Box<dyn Error>> {
        let mut command = command(program);
        command.arg("--version");
        run(vec![command], &self.place)
    }

    /// One process of ours.
    pub(crate) fn program_once(&self, operation: &Operation) -> Result<(String, f64), Box<dyn Error>> {
        let ours = &operation.ours;
        let mut command = command(&self.program);
        command.args(["--ephemeral", ours.tool]).args(&ours.arguments);
        command.envs(ours.limits.settings().iter().copied());
        run(vec![command], &self.place)
    }

    /// The processes of a tool.
    pub(crate) fn tool_once(&self, tool: &Tool) -> Result<(String, f64), Box<dyn Error>> {
        let mut commands = Vec::new();
        for step in &tool.steps {
            let (name, arguments) = step.split_first().ok_or("nothing to run")?;
            let mut command = command(&self.peers.path(name).ok_or("not installed")?);
            command.args(arguments);
            commands.push(command);
        }
        run(commands, &self.place)
    }

    /// A server of ours.
    pub(crate) fn server(&self, limits: Limits) -> Result<Spoken, Box<dyn Error>> {
        let mut command = command(&self.program);
        command.args(["mcp", "--ephemeral", "--root"]).arg(&self.place).current_dir(&self.place);
        command.envs(limits.settings().iter().copied());
        Spoken::start(command)
    }
}

/// Calls a tool, and returns the text of its reply with the time. The text of a call that failed is empty.
pub(crate) fn call(
    server: &mut Spoken,
    tool: &str,
    input: &serde_json::Value,
) -> Result<(String, f64), Box<dyn Error>> {
    let message = Spoken::message(tool, input).to_string();
    let (answer, time) = took(|| {
        server.send(&message)?;
        server.answer()
    })?;
    Ok((reply_text(&answer).unwrap_or_default(), time))
}

/// Rounds in which everybody is asked once. Each round begins with another program, because the one that follows a large
/// program finds cold caches and busy cores.
fn rounds(all: &mut [Contestant<'_>], shows: &[String]) {
    let (least, most) = ROUNDS;
    // The first turn warms everybody up.
    for contestant in all.iter_mut() {
        contestant.turn(shows);
    }
    let mut spent = 0.0;
    for round in 0..most {
        if round >= least && spent > TIME {
            break;
        }
        let (before, after) = all.split_at_mut(round % all.len().max(1));
        for contestant in after.iter_mut().chain(before) {
            contestant.turn(shows);
            spent += contestant.times.get(round).copied().unwrap_or(0.0);
        }
    }
}

/// Runs programs, the output of each going to the next; gives what the last prints, and the time until all have ended.
fn run(commands: Vec<Command>, place: &Path) -> Result<(String, f64), Box<dyn Error>> {
    let (bytes, time) = took(|| {
        let mut running: Vec<Child> = Vec::new();
        // Each command is gone when it has started: a pipe that we held too would never break.
        for mut command in commands {
            let input = match running.last_mut().and_then(|before| before.stdout.take()) {
                Some(pipe) => Stdio::from(pipe),
                None => Stdio::null(),
            };
            command.current_dir(place).stdin(input).stdout(Stdio::piped()).stderr(Stdio::null());
            running.push(command.spawn()?);
        }
        let mut bytes = Vec::new();
        if let Some(mut pipe) = running.last_mut().and_then(|last| last.stdout.take()) {
            pipe.read_to_end(&mut bytes)?;
        }
        for mut child in running {
            child.wait()?;
        }
        Ok(bytes)
    })?;
    Ok((String::from_utf8_lossy(&bytes).into_owned(), time))
}
