//! What a run costs: the memory that its processes hold together.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::fixture::Confined;
use crate::world::Run;

/// How often the processes of a run are looked at.
const LOOK: Duration = Duration::from_millis(5);

/// What a run left, and what it cost.
#[derive(Debug)]
#[must_use = "a run that nobody looks at proves nothing"]
pub struct Measured {
    /// What it left.
    pub run: Run,
    /// The most memory that its processes held: the sum of what each of them held at most, in megabytes.
    pub megabytes: u64,
    /// The time of a core that its processes used, in hundredths of a second, whatever else the machine did.
    pub centiseconds: u64,
}

#[expect(clippy::expect_used, clippy::missing_panics_doc, reason = "a run that cannot be made must stop the test")]
impl Confined {
    /// Runs a command as [`Confined::run`] does, and measures it with all processes that it starts.
    pub fn measure(&self, inner: &Command) -> Measured {
        let mut outer = self.wrap(inner);
        let child = outer.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let (pid, over) = (child.id(), Arc::new(AtomicBool::new(false)));
        let ended = Arc::clone(&over);
        let watch = std::thread::spawn(move || {
            let mut held = BTreeMap::new();
            while !ended.load(Ordering::Relaxed) {
                look(pid, &mut held);
                std::thread::sleep(LOOK);
            }
            held
        });
        let output = child.wait_with_output().expect("the program ends");
        over.store(true, Ordering::Relaxed);
        let used = watch.join().expect("the watch ends");
        let megabytes = used.values().map(|used| used.kilobytes).sum::<u64>() / 1024;
        let centiseconds = used.values().map(|used| used.centiseconds).sum();
        Measured { run: self.judge(inner, Run::from_output(output)), megabytes, centiseconds }
    }
}

/// What a process used until it was last looked at.
#[derive(Clone, Copy, Debug)]
struct Used {
    kilobytes: u64,
    centiseconds: u64,
}

/// Looks at a process and all below it, and notes what each has used.
fn look(root: u32, held: &mut BTreeMap<u32, Used>) {
    let all = everybody();
    let mut below = vec![root];
    while let Some(pid) = below.pop() {
        below.extend(all.iter().filter(|(_, parent, _)| *parent == pid).map(|(child, ..)| *child));
        let centiseconds = all.iter().find(|(other, ..)| *other == pid).map_or(0, |(.., time)| *time);
        if let Some(kilobytes) = field(pid, "status").and_then(|status| peak(&status)) {
            held.insert(pid, Used { kilobytes, centiseconds });
        }
    }
}

/// Every process, the one that started it, and the time of a core that it used.
#[expect(clippy::disallowed_methods, reason = "processes are looked at from outside")]
pub(crate) fn everybody() -> Vec<(u32, u32, u64)> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let row = |pid: u32| {
        let stat = field(pid, "stat")?;
        let numbers: Vec<u64> = stat.rsplit_once(')')?.1.split_whitespace().skip(1).map_while(number).collect();
        let parent = u32::try_from(*numbers.first()?).ok()?;
        Some((pid, parent, numbers.get(10)? + numbers.get(11)?))
    };
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter_map(row).collect()
}

/// A number of the system; those below zero are of no account.
fn number(text: &str) -> Option<u64> {
    text.parse::<i64>().ok().map(|number| u64::try_from(number).unwrap_or(0))
}

fn peak(status: &str) -> Option<u64> {
    status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.split_whitespace().next()?.parse().ok()
}

/// What the system tells of a process that may be gone already.
#[expect(clippy::disallowed_methods, reason = "processes are looked at from outside")]
fn field(pid: u32, name: &str) -> Option<String> {
    std::fs::read_to_string(format!("/proc/{pid}/{name}")).ok()
}
