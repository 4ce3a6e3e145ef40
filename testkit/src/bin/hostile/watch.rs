//! A watch over a process and all below it: what memory they hold together, and whether they are gone in the end.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// How often is looked.
const LOOK: Duration = Duration::from_millis(5);
/// How long processes that were seen may take to be gone.
const PARTING: Duration = Duration::from_secs(2);

/// A watch that goes on until it is asked what it saw.
#[derive(Debug)]
pub(crate) struct Watch {
    over: Arc<AtomicBool>,
    thread: JoinHandle<Seen>,
}

/// What a watch saw: the most memory of every process in kilobytes, and the time of a core that it had used.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    held: BTreeMap<u32, u64>,
    worked: BTreeMap<u32, Duration>,
}

impl Watch {
    /// Watches a process.
    pub(crate) fn over(pid: u32) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&over);
        let thread = std::thread::spawn(move || {
            let mut seen = Seen::default();
            loop {
                // One more look behind the end shows what came last.
                let last = ended.load(Ordering::Relaxed);
                seen.look(pid);
                if last {
                    break seen;
                }
                std::thread::sleep(LOOK);
            }
        });
        Self { over, thread }
    }

    pub(crate) fn finish(self) -> Seen {
        self.over.store(true, Ordering::Relaxed);
        self.thread.join().unwrap_or_default()
    }
}

impl Seen {
    fn look(&mut self, pid: u32) {
        for pid in family(pid) {
            if let Some(kilobytes) = status(pid, "VmHWM:") {
                let held = self.held.entry(pid).or_default();
                *held = kilobytes.max(*held);
            }
            if let Some(worked) = worked(pid) {
                self.worked.insert(pid, worked);
            }
        }
    }

    /// The sum of what each process held at most, in megabytes.
    pub(crate) fn megabytes(&self) -> u64 {
        self.held.values().sum::<u64>() / 1024
    }

    /// The time of a core that all of them had used.
    pub(crate) fn worked(&self) -> Duration {
        self.worked.values().sum()
    }

    /// How many processes there were.
    pub(crate) fn processes(&self) -> usize {
        self.held.len()
    }

    /// Those that are still there after a while.
    pub(crate) fn left(&self) -> Vec<u32> {
        let mut left: Vec<u32> = self.held.keys().copied().collect();
        for _ in 0..PARTING.as_millis() / LOOK.as_millis() {
            left.retain(|pid| Path::new(&format!("/proc/{pid}")).exists());
            if left.is_empty() {
                break;
            }
            std::thread::sleep(LOOK);
        }
        left
    }
}

/// A process and all below it.
pub(crate) fn family(pid: u32) -> Vec<u32> {
    let (mut found, mut ahead) = (Vec::new(), vec![pid]);
    while let Some(pid) = ahead.pop() {
        found.push(pid);
        ahead.extend(children(pid));
    }
    found
}

#[expect(clippy::disallowed_methods, reason = "processes are looked at from outside")]
fn children(pid: u32) -> Vec<u32> {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let of = |thread: std::fs::DirEntry| std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
    let words = |text: String| text.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<u32>>();
    threads.map(of).flat_map(words).collect()
}

/// What the system tells of a process in kilobytes.
#[expect(clippy::disallowed_methods, reason = "processes are looked at from outside")]
pub(crate) fn status(pid: u32, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    text.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()?.parse().ok()
}

/// The time of a core that a process has used.
#[expect(clippy::disallowed_methods, reason = "processes are looked at from outside")]
pub(crate) fn worked(pid: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let numbers = stat.rsplit_once(')')?.1.split_whitespace().skip(11).take(2);
    // The system tells it in hundredths of a second.
    Some(Duration::from_millis(numbers.filter_map(|number| number.parse::<u64>().ok()).sum::<u64>() * 10))
}

/// Lets the system count the most memory of a process anew; what it holds now, in megabytes.
pub(crate) fn count_anew(pid: u32) -> u64 {
    // Where this is not allowed, growth is told too high rather than too low.
    drop(std::fs::write(format!("/proc/{pid}/clear_refs"), "5"));
    status(pid, "VmRSS:").unwrap_or(0) / 1024
}
