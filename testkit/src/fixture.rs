//! Fixtures that no checkout can hold: special files, huge files, files that move, and runs with less than usual.

#![expect(clippy::missing_panics_doc, reason = "everything here panics when it cannot do its part of a test")]

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{FileExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;

use crate::world::Run;

/// Where the tools of the system are.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";
/// Every fake secret holds this word, and no output may.
pub const CANARY: &str = "CANARY";
/// The exit code by which `timeout` says that it had to end the program.
const NOT_ENDED: i32 = 124;

/// A run with less than usual: less time, less memory, fewer descriptors, fewer rights, a system that fails.
#[derive(Clone, Debug)]
pub struct Confined {
    seconds: u64,
    limits: Vec<String>,
    nobody: bool,
    faults: Vec<String>,
}

impl Default for Confined {
    fn default() -> Self {
        Self { seconds: 15, limits: Vec::new(), nobody: false, faults: Vec::new() }
    }
}

#[expect(clippy::panic, reason = "a run that breaks a promise must stop the test")]
impl Confined {
    /// Ends a run that does not end by itself within so many seconds, which fails the test.
    #[must_use]
    pub fn seconds(self, seconds: u64) -> Self {
        Self { seconds, ..self }
    }

    /// Lets the run write to no more than so many megabytes of memory of its own.
    #[must_use]
    pub fn megabytes(mut self, megabytes: u64) -> Self {
        self.limits.push(format!("ulimit -d {}", megabytes * 1024));
        self
    }

    /// Lets every process of the run have no more than so many megabytes of addresses.
    #[must_use]
    pub fn addresses(mut self, megabytes: u64) -> Self {
        self.limits.push(format!("ulimit -v {}", megabytes * 1024));
        self
    }

    /// Lets the run hold no more than so many descriptors.
    #[must_use]
    pub fn descriptors(mut self, most: u64) -> Self {
        self.limits.push(format!("ulimit -n {most}"));
        self
    }

    pub(crate) fn limit(mut self, words: String) -> Self {
        self.limits.push(words);
        self
    }

    /// Runs with the rights of nobody, whom permissions bind.
    #[must_use]
    pub fn nobody(self) -> Self {
        Self { nobody: true, ..self }
    }

    /// Lets calls of the system fail, in the words of `strace -e inject=`; only those that meet `path`, if one is given.
    #[must_use]
    pub fn fault(mut self, inject: &str, path: Option<&Path>) -> Self {
        self.faults.extend(["-e".to_owned(), format!("inject={inject}")]);
        if let Some(path) = path {
            self.faults.extend(["-P".to_owned(), path.display().to_string()]);
        }
        self
    }

    /// Runs a command so, and checks what every run owes whatever it was given: it ends by itself, it does not
    /// crash, it tells no secret, and unless it was asked for verbatim text it does not speak to the terminal.
    pub fn run(&self, inner: &Command) -> Run {
        self.judge(inner, Run::of(&mut self.wrap(inner)))
    }

    pub(crate) fn judge(&self, inner: &Command, run: Run) -> Run {
        let called = format!("{:?}", inner.get_args().collect::<Vec<_>>());
        let said = || format!("{called:.500}\n{:.500}\n{:.2000}", run.text(), run.stderr);
        match run.code {
            None | Some(101 | 126 | 127 | 128..) => panic!("the program crashed: {:?} {}", run.code, said()),
            Some(NOT_ENDED) => panic!("the program did not end in {} s: {}", self.seconds, said()),
            Some(_) => {}
        }
        assert!(!run.stderr.contains("panicked"), "{}", said());
        let canary = |bytes: &[u8]| bytes.windows(CANARY.len()).any(|window| window == CANARY.as_bytes());
        assert!(!canary(&run.stdout) && !canary(run.stderr.as_bytes()), "a secret got out: {}", said());
        assert!(!run.stderr.contains('\x1b'), "an error speaks to the terminal: {}", said().escape_debug());
        let verbatim = called.contains("raw");
        assert!(verbatim || !run.stdout.contains(&0x1b), "the reply speaks to the terminal: {}", said().escape_debug());
        run
    }

    pub(crate) fn wrap(&self, inner: &Command) -> Command {
        let mut words: Vec<std::ffi::OsString> = vec!["-k".into(), "1".into(), self.seconds.to_string().into()];
        if self.nobody {
            words.extend(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"].map(Into::into));
        }
        if !self.limits.is_empty() {
            let script = format!("{}; exec \"$@\"", self.limits.join("; "));
            words.extend(["sh".into(), "-c".into(), script.into(), "sh".into()]);
        }
        if !self.faults.is_empty() {
            words.extend(["strace", "-f", "-qq", "-o", "/dev/null"].map(Into::into));
            words.extend(self.faults.iter().map(Into::into));
        }
        words.push(inner.get_program().to_owned());
        words.extend(inner.get_args().map(ToOwned::to_owned));
        let mut outer = tool("timeout");
        outer.args(words).stdin(Stdio::null());
        outer.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
        if let Some(directory) = inner.get_current_dir() {
            outer.current_dir(directory);
        }
        outer
    }
}

/// A tool of the system, with nothing of this process around it.
#[expect(clippy::disallowed_methods, reason = "some fixtures can only be made by other programs")]
pub fn tool(name: &str) -> Command {
    let mut command = Command::new(name);
    command.env_clear().env("PATH", PATH);
    command
}

/// Sends a signal by its name, such as `KILL`. The shell does it: the program `kill` is missing on small systems.
#[must_use = "the process may be gone"]
pub fn signal(pid: u32, name: &str) -> bool {
    let mut shell = tool("sh");
    shell.args(["-c", "kill -s \"$0\" \"$1\"", name, &pid.to_string()]).stderr(Stdio::null());
    shell.status().is_ok_and(|status| status.success())
}

/// Whether a tool can do its work here; says so on standard error when it cannot, so that a test can pass it by.
#[expect(clippy::print_stderr, reason = "a test that proves nothing must say so")]
pub fn works(name: &str, arguments: &[&str]) -> bool {
    let ran = tool(name).args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let works = ran.is_ok_and(|status| status.success());
    if !works {
        eprintln!("passed by: `{name} {}` does not work here", arguments.join(" "));
    }
    works
}

/// Whether calls of the system can be made to fail.
pub fn can_inject_faults() -> bool {
    works("strace", &["-f", "-qq", "-o", "/dev/null", "-e", "inject=getdents64:error=EIO", "true"])
}

/// Whether a run can have the rights of nobody.
pub fn can_be_nobody() -> bool {
    works("setpriv", &["--reuid=65534", "--regid=65534", "--clear-groups", "true"])
}

/// Recipes for single fixtures.
#[derive(Clone, Copy, Debug)]
pub struct Fixture;

#[expect(clippy::expect_used, reason = "a fixture that cannot be made must stop the test")]
impl Fixture {
    /// A FIFO.
    pub fn fifo(path: &Path) {
        let status = tool("mkfifo").arg(path).status().expect("mkfifo runs");
        assert!(status.success(), "no FIFO at {}", path.display());
    }

    /// A device, where the right to make one is held.
    pub fn device(path: &Path, kind: &str, major: u32, minor: u32) -> bool {
        let mut mknod = tool("mknod");
        mknod.arg(path).arg(kind).args([major.to_string(), minor.to_string()]).stderr(Stdio::null());
        mknod.status().is_ok_and(|status| status.success())
    }

    /// A symbolic link, in the place of whatever is there.
    pub fn link(target: impl AsRef<Path>, path: &Path) {
        if path.symlink_metadata().is_ok() {
            std::fs::remove_file(path).expect("the old link goes");
        }
        std::os::unix::fs::symlink(target, path).expect("a symbolic link");
    }

    /// A file of `size` bytes that holds `head` at its beginning, `tail` at its end and nothing between them.
    pub fn sparse(path: &Path, head: &[u8], size: u64, tail: &[u8]) {
        let file = File::create(path).expect("a sparse file");
        file.set_len(size).expect("a hole");
        file.write_all_at(head, 0).expect("a head");
        file.write_all_at(tail, size - tail.len() as u64).expect("a tail");
    }

    /// A single line of so many bytes, without an end.
    pub fn long_line(path: &Path, bytes: usize) {
        let mut file = File::create(path).expect("a long line");
        let block = vec![b'x'; 1024 * 1024];
        for _ in 0..bytes / block.len() {
            file.write_all(&block).expect("a piece of a line");
        }
        file.write_all(block.get(..bytes % block.len()).unwrap_or_default()).expect("the last piece of a line");
    }

    /// Directories called `name`, one in the other, with a file in the innermost: made from within, because the
    /// path of the innermost is longer than the system takes.
    pub fn deep(path: &Path, name: &str, levels: usize) {
        let (mut inner, mut outer) = (path.with_extension("one"), path.with_extension("two"));
        std::fs::create_dir(&inner).expect("the innermost directory");
        std::fs::write(inner.join("bottom.txt"), "the bottom\n").expect("the innermost file");
        for _ in 0..levels {
            std::fs::create_dir(&outer).expect("a directory around it");
            std::fs::rename(&inner, outer.join(name)).expect("a directory in its place");
            std::mem::swap(&mut inner, &mut outer);
        }
        std::fs::rename(inner, path).expect("the outermost directory");
    }

    /// Sets the permissions of a file or a directory.
    pub fn mode(path: &Path, mode: u32) {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("permissions");
    }

    /// Puts a file in the place of another in one step.
    pub fn replace(path: &Path, bytes: &[u8]) {
        let fresh = path.with_extension("fresh");
        std::fs::write(&fresh, bytes).expect("the new file");
        std::fs::rename(fresh, path).expect("the new file in its place");
    }

    /// Adds to the end of a file.
    pub fn append(path: &Path, bytes: &[u8]) {
        OpenOptions::new().append(true).open(path).and_then(|mut file| file.write_all(bytes)).expect("more bytes");
    }

    /// Cuts a file to so many bytes.
    pub fn cut(path: &Path, bytes: u64) {
        OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(bytes)).expect("fewer bytes");
    }

    /// Every name below a directory with its kind, size, time of change and bytes, to see that nothing changed.
    #[expect(clippy::disallowed_methods, reason = "the fixture is looked at from outside")]
    pub fn survey(path: &Path) -> Vec<(PathBuf, u64, Option<std::time::SystemTime>, Vec<u8>)> {
        let mut found = Vec::new();
        let mut ahead = vec![path.to_owned()];
        while let Some(here) = ahead.pop() {
            let facts = here.symlink_metadata().expect("facts");
            if facts.is_dir() {
                ahead.extend(
                    std::fs::read_dir(&here).expect("a directory").map(|entry| entry.expect("an entry").path()),
                );
            }
            let bytes = if facts.is_file() { std::fs::read(&here).unwrap_or_default() } else { Vec::new() };
            found.push((here, facts.len(), facts.modified().ok(), bytes));
        }
        found.sort();
        found
    }
}

/// Something that keeps happening until the race is over.
#[derive(Debug)]
pub struct Race {
    over: Arc<AtomicBool>,
    rounds: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl Race {
    /// Does `step` again and again in a thread of its own, with the number of the round; returns after the first.
    pub fn start(mut step: impl FnMut(u64) + Send + 'static) -> Self {
        let (over, rounds) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let (ended, counter) = (Arc::clone(&over), Arc::clone(&rounds));
        let (first, started) = std::sync::mpsc::channel::<()>();
        let thread = std::thread::spawn(move || {
            let mut first = Some(first);
            while !ended.load(Ordering::Relaxed) {
                step(counter.fetch_add(1, Ordering::Relaxed));
                drop(first.take());
            }
        });
        // The channel closes when the first round is done, or when it panicked.
        let _ = started.recv();
        Self { over, rounds, thread: Some(thread) }
    }

    /// Ends the race and tells how many rounds it had; a step that panicked fails the test.
    pub fn finish(mut self) -> u64 {
        self.over.store(true, Ordering::Relaxed);
        if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join) {
            std::panic::resume_unwind(panic);
        }
        self.rounds.load(Ordering::Relaxed)
    }
}

impl Drop for Race {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // The test is failing already; what the thread has to say changes nothing.
            drop(thread.join());
        }
    }
}
