//! What a process uses, as the system tells it.

use std::time::Duration;

use crate::measure::everybody;

/// A process to be looked at.
#[derive(Clone, Copy, Debug)]
pub struct Vitals {
    pid: u32,
}

/// How long it is looked at to tell work from rest.
const LOOK: Duration = Duration::from_secs(1);
/// Looks before the answer is no.
const LOOKS: usize = 20;
/// Hundredths of a second of work that tell that it works.
const WORK: u64 = 10;
/// Hundredths of a second of work in a look that still count as rest.
const REST: u64 = 2;

impl Vitals {
    pub(super) fn of(pid: u32) -> Self {
        Self { pid }
    }

    /// Its number.
    pub fn pid(self) -> u32 {
        self.pid
    }

    /// Processor time it has used, in hundredths of a second.
    pub fn cpu(self) -> u64 {
        let stat = self.file("stat");
        let behind_name = stat.rsplit_once(')').expect("a name in parentheses").1;
        let numbers = behind_name.split_whitespace().skip(11).take(2);
        numbers.map(|number| number.parse::<u64>().expect("a number")).sum()
    }

    /// The most memory it has held so far, in megabytes.
    pub fn peak_megabytes(self) -> u64 {
        self.status("VmHWM:") / 1024
    }

    /// The memory it holds now, in megabytes.
    pub fn megabytes(self) -> u64 {
        self.status("VmRSS:") / 1024
    }

    /// The processes it started that still run.
    pub fn children(self) -> usize {
        everybody().iter().filter(|(_, parent, _)| *parent == self.pid).count()
    }

    /// Its threads.
    pub fn threads(self) -> u64 {
        self.status("Threads:")
    }

    /// Its descriptors.
    #[expect(clippy::disallowed_methods, reason = "a process is looked at from outside")]
    pub fn descriptors(self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.pid)).expect("a process").count()
    }

    /// Waits until it has worked for a while; false when it does not.
    pub fn works(self) -> bool {
        let (before, pause) = (self.cpu(), LOOK / 20);
        (0..LOOKS * 20).any(|_| {
            std::thread::sleep(pause);
            self.cpu() >= before + WORK
        })
    }

    /// Waits until it rests, for some seconds; false when it goes on.
    pub fn rests(self) -> bool {
        (0..LOOKS).any(|_| {
            let before = self.cpu();
            std::thread::sleep(LOOK);
            self.cpu() <= before + REST
        })
    }

    fn status(self, name: &str) -> u64 {
        let text = self.file("status");
        let line = text.lines().find_map(|line| line.strip_prefix(name)).expect("a line of that name");
        line.split_whitespace().next().and_then(|number| number.parse().ok()).expect("a number")
    }

    #[expect(clippy::disallowed_methods, reason = "a process is looked at from outside")]
    fn file(self, name: &str) -> String {
        std::fs::read_to_string(format!("/proc/{}/{name}", self.pid)).expect("a process that runs")
    }
}
