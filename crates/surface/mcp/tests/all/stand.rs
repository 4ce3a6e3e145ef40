//! A scheme with servers of ours behind it, and a call to it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use readstone_address::{Place, Reading};
use readstone_base::{Budget, Clock, Fault, Gate, Limits, Spoiled, Step, Stopped, Task, Workshop};
use readstone_host::{Environment, SystemClock};
use readstone_mcp::{McpScheme, McpServer};
use readstone_source::{Beyond, Content, Drawer, Drawers, Finding, Fresh, NoSources, Opening, Scheme as _, Sourced};
use tempfile::TempDir;

/// Does no work, and keeps what is put into drawers.
#[derive(Debug, Default)]
pub(crate) struct Plain {
    drawers: Mutex<HashMap<String, Vec<u8>>>,
}

impl Workshop for Plain {
    fn work(&self, _: &Task<'_>, _: &Budget) -> Result<Vec<u8>, Spoiled> {
        Err(Spoiled::NotStarted(String::new()))
    }
}

impl Drawers for Plain {
    fn session(&self) -> &'static str {
        "test"
    }

    fn put(&self, _: Drawer, name: &str, bytes: &[u8]) {
        self.drawers.lock().unwrap().insert(name.to_owned(), bytes.to_vec());
    }

    fn get(&self, _: Drawer, name: &str) -> Option<Vec<u8>> {
        self.drawers.lock().unwrap().get(name).cloned()
    }

    fn add(&self, _: Drawer, _: &[u8]) -> Option<u64> {
        None
    }

    fn names(&self, _: Drawer) -> Vec<String> {
        Vec::new()
    }
}

/// Servers behind a scheme.
pub(crate) struct Stand {
    pub(crate) scheme: McpScheme,
    pub(crate) limits: Limits,
    pub(crate) budget: Budget,
    pub(crate) fresh: Fresh,
    plain: Plain,
    folder: TempDir,
}

/// Python itself: what is called so first may be a script that adds to the environment. `None` if it is missing.
fn python() -> Option<&'static str> {
    static FOUND: OnceLock<Option<String>> = OnceLock::new();
    let find = || {
        let told = Command::new("python3").args(["-c", "import sys; print(sys.executable, end='')"]).output().ok()?;
        String::from_utf8(told.stdout).ok().filter(|path| told.status.success() && !path.is_empty())
    };
    let found = FOUND.get_or_init(find).as_deref();
    if found.is_none() {
        eprintln!("passed by: `python3` does not work here");
    }
    found
}

/// A server called `name` that behaves so, if Python can run it.
fn server(name: &str, mode: &str, folder: &Path) -> Option<McpServer> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/all/server.py");
    let folder = folder.join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let command = [python()?, script, mode].map(str::to_owned).into_iter();
    let command = command.chain([folder.to_string_lossy().into_owned()]).collect();
    let env = vec![("TOKEN".to_owned(), "configured".to_owned())];
    Some(McpServer { name: name.to_owned(), command, env, ..McpServer::default() })
}

impl Stand {
    /// A server called `demo` that behaves so; `None`, and a word on standard error, if Python is missing.
    pub(crate) fn new(mode: &str) -> Option<Self> {
        Self::of(&[("demo", mode)])
    }

    /// Several servers, by name and behaviour.
    pub(crate) fn of(servers: &[(&str, &str)]) -> Option<Self> {
        let folder = TempDir::new().unwrap();
        let servers = servers.iter().map(|(name, mode)| server(name, mode, folder.path())).collect::<Option<_>>()?;
        Some(Self::with(servers, folder))
    }

    pub(crate) fn with(servers: Vec<McpServer>, folder: TempDir) -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let variables = [("PATH", path), ("HOME", "/nowhere".into()), ("SECRET", "ours".into())];
        let variables = variables.map(|(name, value)| (name.into(), value));
        let environment = Environment::new(PathBuf::from("/"), variables);
        Self {
            scheme: McpScheme::new(servers, &environment),
            limits: Limits::default(),
            // Far more than any of these needs: a test that fails should say why.
            budget: Budget::new(Arc::new(SystemClock::new(None)), Some(Duration::from_mins(1))),
            fresh: Fresh::Ask,
            plain: Plain::default(),
            folder,
        }
    }

    /// Ends servers that nobody asked for so long.
    pub(crate) fn set_idle(&mut self, idle: Duration) {
        let none = McpScheme::new(Vec::new(), &Environment::default());
        self.scheme = std::mem::replace(&mut self.scheme, none).with_idle(idle);
    }

    /// The same with less time for each call.
    pub(crate) fn hurried(mut self, time: Duration) -> Self {
        self.limits.fetch_ms = u64::try_from(time.as_millis()).unwrap();
        self
    }

    /// Opens what stands behind `mcp://`, with a selector behind it or none.
    pub(crate) fn open_with(&self, rest: &str, tail: Option<&str>) -> Result<Sourced, Fault> {
        self.open_under(&self.budget, rest, tail)
    }

    /// The same under a budget.
    pub(crate) fn open_under(&self, budget: &Budget, rest: &str, tail: Option<&str>) -> Result<Sourced, Fault> {
        let works: Arc<dyn Workshop> = Arc::new(Plain::default());
        let opening = Opening {
            beyond: Beyond { sources: &NoSources, drawers: &self.plain, fresh: self.fresh },
            ..Opening::bare(&self.limits, budget, &works)
        };
        let place = Place::Url(format!("mcp://{rest}"));
        let reading = Reading { place, since: None, tail: tail.map(str::to_owned) };
        self.scheme.open(rest, &reading, &opening)
    }

    pub(crate) fn open(&self, rest: &str) -> Sourced {
        self.open_with(rest, None).unwrap_or_else(|fault| panic!("{} ({})", fault, fault.code()))
    }

    pub(crate) fn refusal(&self, rest: &str) -> Fault {
        self.open_with(rest, None).expect_err("it should be refused")
    }

    /// The text of what is opened.
    pub(crate) fn text(&self, rest: &str) -> String {
        text(&self.open(rest))
    }

    /// What a server was asked since this was asked last.
    pub(crate) fn asked(&self, name: &str) -> Vec<String> {
        let log = self.folder.path().join(name).join("log");
        let text = std::fs::read_to_string(&log).unwrap_or_default();
        std::fs::write(log, "").unwrap();
        text.lines().map(str::to_owned).collect()
    }

    /// Waits until a server has begun to wait.
    pub(crate) fn until_it_waits(&self, name: &str) {
        let waits = self.folder.path().join(name).join("waits");
        assert!((0..3000).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            waits.exists()
        }));
    }

    /// Lets a server that waits go on.
    pub(crate) fn let_go(&self, name: &str) {
        std::fs::write(self.folder.path().join(name).join("go"), "").unwrap();
    }

    /// The processes that were started for a server, the first one first.
    pub(crate) fn starts(&self, name: &str) -> Vec<i32> {
        let text = std::fs::read_to_string(self.folder.path().join(name).join("starts")).unwrap_or_default();
        text.lines().map(|line| line.parse().unwrap()).collect()
    }
}

/// A budget for so long on a clock that is so many seconds late.
pub(crate) fn budget(time: Duration, late: i64) -> Budget {
    Budget::new(Arc::new(Late { clock: SystemClock::new(None), seconds: late }), Some(time))
}

#[derive(Debug)]
struct Late {
    clock: SystemClock,
    seconds: i64,
}

impl Clock for Late {
    fn wall(&self) -> i64 {
        self.clock.wall() + self.seconds
    }

    fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }
}

/// Lets everybody pass, and counts them.
#[derive(Debug, Default)]
pub(crate) struct Counter {
    pub(crate) light: AtomicUsize,
    pub(crate) heavy: AtomicUsize,
    pub(crate) left: AtomicUsize,
    pub(crate) back: AtomicUsize,
}

impl Gate for Counter {
    fn pass(&self, _: &Budget, step: Step) -> Result<(), Stopped> {
        let count = match step {
            Step::Light => &self.light,
            Step::Heavy => &self.heavy,
        };
        count.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    fn leave(&self) {
        self.left.fetch_add(1, Ordering::Relaxed);
    }

    fn come_back(&self, _: &Budget) -> Result<(), Stopped> {
        self.back.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

/// The text of what was opened.
pub(crate) fn text(sourced: &Sourced) -> String {
    let bytes = match &sourced.found {
        Finding::Piece(piece) => piece.blob.read_range(0, piece.blob.len().unwrap()).unwrap(),
        Finding::Content(Content::Converted(converted)) => converted.text.to_vec(),
        Finding::Opened(_) | Finding::Content(_) => panic!("neither bytes nor text"),
    };
    String::from_utf8(bytes).unwrap()
}

/// Whether a process runs; one that ended and waits to be buried does not.
pub(crate) fn runs(pid: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
    state.is_some_and(|state| state != 'Z' && state != 'X')
}

/// Waits until a process does not run any more; false when it still does after a long time.
pub(crate) fn ends(pid: i32) -> bool {
    (0..1000).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        !runs(pid)
    })
}
