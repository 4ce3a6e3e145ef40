//! The command line: one process a call, within bounds of memory and descriptors that the system enforces.

#![expect(clippy::expect_used, reason = "a program that cannot be run must stop the run")]

use std::ffi::OsString;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use readstone_testkit::tool;

use crate::ask::Ask;
use crate::scene::Scene;
use crate::watch::Watch;

/// Megabytes that a process may write to beyond what a call may take: what it takes for itself, and the stack of a worker.
const OWN: u64 = 64 + 48;
/// Megabytes of addresses that a process may have.
const ADDRESSES: u64 = 2048;
/// Descriptors that a process may hold.
const DESCRIPTORS: u64 = 64;
/// How often is looked whether a process has ended.
const LOOK: Duration = Duration::from_millis(2);
/// What is not over by then is ended.
const PATIENCE: Duration = Duration::from_secs(40);

/// The command line of a scene.
#[derive(Debug)]
pub(crate) struct Line<'a> {
    scene: &'a Scene,
    /// Megabytes of a process that reads next to nothing, and of a worker that does next to nothing.
    usual: (u64, u64),
}

/// What came of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) took: Duration,
    /// The time of a core that it used; none where nobody looked.
    pub(crate) worked: Option<Duration>,
    /// Megabytes beyond the usual.
    pub(crate) grown: u64,
    /// Processes that it left behind.
    pub(crate) left: Vec<u32>,
}

impl<'a> Line<'a> {
    pub(crate) fn new(scene: &'a Scene) -> Self {
        let mut line = Self { scene, usual: (0, 0) };
        let most = |address: &str| {
            let runs = (0..3).map(|_| line.run("usual", &["read".into(), address.into()], 256));
            runs.map(|ran| ran.grown).max().unwrap_or(0)
        };
        let (alone, beside) = (most("text/selectors.txt"), most("docs/dimension_zero.xlsx"));
        line.usual = (alone, beside.saturating_sub(alone));
        line
    }

    /// Asks in words.
    pub(crate) fn words(&self, ask: &Ask) -> Ran {
        self.run("words", &arguments(ask, None), ask.megabytes)
    }

    /// Asks for JSON.
    pub(crate) fn data(&self, ask: &Ask) -> Ran {
        self.run("data", &arguments(ask, Some("--json")), ask.megabytes)
    }

    /// The program with these arguments, below the root.
    pub(crate) fn command(&self, memory: &str, arguments: &[OsString]) -> Command {
        let mut command = self.scene.command(memory);
        command.args(["--root", "."]).args(arguments);
        command
    }

    #[expect(clippy::disallowed_methods, reason = "a run is measured")]
    fn run(&self, memory: &str, arguments: &[OsString], megabytes: u64) -> Ran {
        let inner = self.command(memory, arguments);
        let mut outer = tool("sh");
        outer.args(["-c", &format!("{}; exec \"$@\"", limits(megabytes)), "sh"]);
        outer.arg(inner.get_program()).args(inner.get_args());
        outer.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
        outer.current_dir(self.scene.root());
        outer.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let started = Instant::now();
        let mut child = outer.spawn().expect("the program starts");
        let watch = Watch::over(child.id());
        let (stdout, stderr) = (taken(child.stdout.take()), taken(child.stderr.take()));
        let code = ended(&mut child, started);
        let took = started.elapsed();
        let seen = watch.finish();
        let workers = u64::try_from(seen.processes()).unwrap_or(0).saturating_sub(1);
        let grown = seen.megabytes().saturating_sub(self.usual.0 + workers * self.usual.1);
        let (stdout, stderr) = (stdout.join().expect("its words"), stderr.join().expect("its complaints"));
        Ran { code, stdout, stderr, took, worked: Some(seen.worked()), grown, left: seen.left() }
    }
}

/// The arguments of a call.
pub(crate) fn arguments(ask: &Ask, form: Option<&str>) -> Vec<OsString> {
    let (head, tail) = ([Some(ask.tool), form, Some("--")], ask.words.iter().map(OsString::from));
    head.into_iter().flatten().map(OsString::from).chain(tail).collect()
}

/// The bounds that the system enforces, for a shell.
pub(crate) fn limits(megabytes: u64) -> String {
    let (written, addresses) = ((megabytes + OWN) * 1024, ADDRESSES * 1024);
    format!("ulimit -d {written}; ulimit -v {addresses}; ulimit -n {DESCRIPTORS}")
}

/// Everything that a pipe brings.
pub(crate) fn taken(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What cannot be read is missed by whoever compares.
        drop(pipe.map(|mut pipe| pipe.read_to_end(&mut bytes)));
        bytes
    })
}

/// Waits for an end, and brings it about where it does not come; the exit code, if there was one.
pub(crate) fn ended(child: &mut Child, started: Instant) -> Option<i32> {
    loop {
        if let Some(status) = child.try_wait().expect("a child that can be asked") {
            return status.code();
        }
        if started.elapsed() > PATIENCE {
            drop(child.kill());
        }
        std::thread::sleep(LOOK);
    }
}
