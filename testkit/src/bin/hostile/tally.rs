//! The tally: faults as they come, and what the run was in the end.

#![expect(clippy::print_stdout, reason = "the run tells what it finds")]

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// What was found and measured.
#[derive(Debug)]
pub(crate) struct Tally {
    started: Instant,
    traps: usize,
    calls: usize,
    faults: usize,
    slowest: (Duration, String),
    largest: (u64, String),
    spent: BTreeMap<&'static str, Duration>,
}

impl Tally {
    #[expect(clippy::disallowed_methods, reason = "the run is measured")]
    pub(crate) fn start() -> Self {
        Self {
            started: Instant::now(),
            traps: 0,
            calls: 0,
            faults: 0,
            slowest: (Duration::ZERO, String::new()),
            largest: (0, String::new()),
            spent: BTreeMap::new(),
        }
    }

    /// Says how far the run is.
    pub(crate) fn say(&self, what: &str) {
        println!("{:>6.1} s  {what}", self.started.elapsed().as_secs_f64());
    }

    /// Counts a trap, and says now and then how far the run is.
    pub(crate) fn next_trap(&mut self) {
        self.traps += 1;
        if self.traps.is_multiple_of(50) {
            self.say(&format!("{} traps, {} calls", self.traps, self.calls));
        }
    }

    /// Counts a call.
    pub(crate) fn called(&mut self, surface: &'static str, what: &str, took: Duration, megabytes: u64) {
        self.calls += 1;
        *self.spent.entry(surface).or_default() += took;
        if took > self.slowest.0 {
            self.slowest = (took, format!("{surface}: {what}"));
        }
        if megabytes > self.largest.0 {
            self.largest = (megabytes, format!("{surface}: {what}"));
        }
    }

    pub(crate) fn fault(&mut self, place: &str, what: &str) {
        self.faults += 1;
        println!("FAILED {place}: {what}");
    }

    /// Says what came of it all.
    pub(crate) fn report(&self) -> ExitCode {
        for (surface, spent) in &self.spent {
            println!("{surface}: {:.1} s", spent.as_secs_f64());
        }
        println!("slowest: {:.2} s, {}", self.slowest.0.as_secs_f64(), self.slowest.1);
        println!("most memory beyond the usual: {} MB, {}", self.largest.0, self.largest.1);
        let seconds = self.started.elapsed().as_secs_f64();
        println!("{} traps, {} calls, {} faults, {seconds:.0} s", self.traps, self.calls, self.faults);
        if self.faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}
