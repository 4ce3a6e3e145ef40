//! The servers: one on standard input and output, one over HTTP, and what they hold before and after.

use std::time::{Duration, Instant};

use readstone_testkit::{CANARY, Served, Spoken};
use serde_json::{Value, json};

use crate::ask::Ask;
use crate::scene::Scene;
use crate::tally::Tally;
use crate::terminal;
use crate::watch::{self, Watch};

/// Workers that may wait for the next call.
const IDLE: usize = 2;
/// How long a server may take to be back where it was.
const REST: Duration = Duration::from_secs(10);
/// How long a server may take to end.
const PARTING: Duration = Duration::from_secs(5);

/// Both servers.
#[derive(Debug)]
pub(crate) struct Servers<'a> {
    scene: &'a Scene,
    spoken: Spoken,
    rest: Served,
    levels: [Level; 2],
}

/// An answer of a server.
#[derive(Debug)]
pub(crate) struct Heard {
    /// The message or the body.
    pub(crate) message: Value,
    /// The status of HTTP.
    pub(crate) status: u16,
    pub(crate) took: Duration,
    /// The time of a core that it used.
    pub(crate) worked: Duration,
    /// Megabytes beyond what was held before.
    pub(crate) grown: u64,
}

/// What a server holds at rest.
#[derive(Clone, Copy, Debug)]
struct Level {
    threads: u64,
    descriptors: usize,
    workers: usize,
    /// Descriptors and threads for each worker that waits.
    each: (usize, u64),
}

impl<'a> Servers<'a> {
    /// Starts both, and lets each answer a few calls.
    pub(crate) fn start(scene: &'a Scene) -> Self {
        let mut spoken = Spoken::spawn(scene.command("spoken").args(["mcp", "--receipts", "--root", "."]));
        spoken.open("2025-11-25");
        let rest = serve(scene, "rest");
        let mut servers = Self { scene, spoken, rest, levels: [Level::NONE; 2] };
        for path in ["text/selectors.txt", ".", "archive/slip.zip:ok.txt"] {
            servers.warm(path);
        }
        let without = servers.look();
        for path in ["docs/dimension_zero.xlsx", "sqlite/plain.db?q=SELECT a FROM t"] {
            servers.warm(path);
        }
        let with = servers.look();
        let level = |without: Level, with: Level| Level {
            each: (
                with.descriptors - without.descriptors.min(with.descriptors),
                with.threads.saturating_sub(without.threads),
            ),
            ..with
        };
        servers.levels = [level(without[0], with[0]), level(without[1], with[1])];
        servers
    }

    fn warm(&mut self, path: &str) {
        self.spoken.call("read", &json!({ "path": path }));
        self.rest.call("read", &json!({ "path": path }));
    }

    fn look(&self) -> [Level; 2] {
        std::thread::sleep(Duration::from_millis(500));
        [self.spoken.vitals(), self.rest.vitals()].map(|vitals| Level {
            threads: vitals.threads(),
            descriptors: vitals.descriptors(),
            workers: watch::family(vitals.pid()).len() - 1,
            each: (0, 0),
        })
    }

    /// Asks over MCP.
    pub(crate) fn speak(&mut self, ask: &Ask) -> Heard {
        let pid = self.spoken.pid();
        measured(pid, || (self.spoken.call(ask.tool, &ask.input), 200))
    }

    /// Asks over REST.
    pub(crate) fn post(&self, ask: &Ask) -> Heard {
        measured(self.rest.pid(), || post(&self.rest, ask))
    }

    /// Asks a server that has just started, and so knows no more than a command line does.
    pub(crate) fn post_afresh(&self, ask: &Ask) -> Value {
        post(&serve(self.scene, "afresh"), ask).0
    }

    /// Sees to it that both hold what they held, end when they are told to, and have logged nothing that they should not.
    pub(crate) fn end(self, tally: &mut Tally) {
        let (names, vitals) = (["MCP", "REST"], [self.spoken.vitals(), self.rest.vitals()]);
        let rounds = REST.as_millis() / 500;
        let mut over = self.over();
        for _ in 0..rounds {
            if over.iter().all(Option::is_none) {
                break;
            }
            over = self.over();
        }
        for (name, what) in names.into_iter().zip(over).filter_map(|(name, what)| Some((name, what?))) {
            tally.fault(name, &what);
        }
        let families = vitals.map(|vitals| watch::family(vitals.pid()));
        let Self { spoken, rest, .. } = self;
        let told = timed(|| rest.stop());
        check_end("REST", told, tally);
        let told = timed(|| spoken.end());
        check_end("MCP", told, tally);
        std::thread::sleep(Duration::from_millis(500));
        for (name, family) in names.into_iter().zip(families) {
            let left: Vec<u32> = family.into_iter().filter(|pid| watch::status(*pid, "VmRSS:").is_some()).collect();
            if !left.is_empty() {
                tally.fault(name, &format!("it has ended, and its processes {left:?} have not"));
            }
        }
    }

    /// What each holds more than it did.
    fn over(&self) -> [Option<String>; 2] {
        let now = self.look();
        let [spoken, rest] = [0, 1].map(|at| {
            let (was, is) = (self.levels.get(at)?, now.get(at)?);
            was.excess(*is)
        });
        [spoken, rest]
    }
}

impl Level {
    const NONE: Self = Self { threads: 0, descriptors: 0, workers: 0, each: (0, 0) };

    /// What stands above this level, in words.
    fn excess(self, now: Self) -> Option<String> {
        let more = now.workers.saturating_sub(self.workers);
        let descriptors = self.descriptors + more * self.each.0;
        let threads = self.threads + u64::try_from(more).unwrap_or(0) * self.each.1;
        let fits = now.workers <= IDLE && now.descriptors <= descriptors && now.threads <= threads;
        (!fits).then(|| format!("at rest it holds {now:?}, and held {self:?} before"))
    }
}

fn serve(scene: &Scene, memory: &str) -> Served {
    Served::spawn(scene.command(memory).args(["serve", "--listen", "127.0.0.1:0", "--root", "."]))
}

fn post(server: &Served, ask: &Ask) -> (Value, u16) {
    let answer = server.call(ask.tool, &ask.input);
    let body = serde_json::from_slice(&answer.body).unwrap_or_else(|_| json!({ "not JSON": answer.text() }));
    (body, answer.status)
}

#[expect(clippy::disallowed_methods, reason = "a call is measured")]
fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let started = Instant::now();
    let done = work();
    (started.elapsed(), done)
}

/// Makes a call to a server, and looks at its processes meanwhile.
fn measured(pid: u32, call: impl FnOnce() -> (Value, u16)) -> Heard {
    let family = watch::family(pid);
    let before: u64 = family.iter().copied().map(watch::count_anew).sum();
    let used: Duration = family.into_iter().filter_map(watch::worked).sum();
    let watch = Watch::over(pid);
    let (took, (message, status)) = timed(call);
    let seen = watch.finish();
    let (grown, worked) = (seen.megabytes().saturating_sub(before), seen.worked().saturating_sub(used));
    Heard { message, status, took, worked, grown }
}

fn check_end(name: &'static str, (took, (code, log)): (Duration, (Option<i32>, String)), tally: &mut Tally) {
    if code != Some(0) || took > PARTING {
        tally.fault(name, &format!("it ends with {code:?} after {:.1} s", took.as_secs_f64()));
    }
    for word in [CANARY, "panicked"] {
        if let Some(line) = log.lines().find(|line| line.contains(word)) {
            tally.fault(name, &format!("its log holds {word}: {line:.300}"));
        }
    }
    if let Some(letter) = terminal::spoken(&log) {
        tally.fault(name, &format!("its log speaks to a terminal: {letter:?}"));
    }
}
