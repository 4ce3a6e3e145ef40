//! What a server counts: calls, sizes, repeated reads, failures.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use readstone_base::{Limits, Reply};

use crate::pool::Load;

/// The counters of a server.
#[derive(Debug)]
pub(crate) struct Meter {
    most_sessions: usize,
    counts: Mutex<Counts>,
}

/// What is counted of a call.
#[derive(Clone, Debug)]
pub struct Counted<'a> {
    /// The tool.
    pub tool: &'static str,
    /// What it read.
    pub paths: Vec<&'a str>,
    /// The size of the reply.
    pub bytes: u64,
    /// What failed.
    pub codes: Vec<&'static str>,
    /// How long it took.
    pub took: Duration,
}

impl<'a> Counted<'a> {
    /// What is counted of a reply.
    pub(crate) fn of(reply: &'a Reply, took: Duration) -> Self {
        let receipt = &reply.receipt;
        let failed = receipt.targets.iter().filter_map(|target| target.error.as_ref());
        let bytes: usize = reply.parts.iter().map(|part| part.text().len()).sum();
        Self {
            tool: if receipt.tool.is_empty() { "none" } else { receipt.tool },
            paths: receipt.targets.iter().filter_map(|target| target.path.as_deref()).collect(),
            bytes: bytes as u64,
            codes: receipt.error.iter().chain(failed).map(|error| error.code).collect(),
            took,
        }
    }
}

#[derive(Debug, Default)]
struct Counts {
    calls: BTreeMap<&'static str, u64>,
    failures: BTreeMap<&'static str, u64>,
    refusals: BTreeMap<&'static str, u64>,
    repeated: u64,
    reply_bytes: Histogram,
    call_ms: Histogram,
    sessions: VecDeque<SessionCounts>,
}

#[derive(Debug)]
struct SessionCounts {
    name: String,
    calls: u64,
    /// Hashes of the paths it has read.
    seen: HashSet<u64>,
}

/// How many values lie at or below each bound.
#[derive(Debug, Default)]
struct Histogram {
    below: [u64; BOUNDS.len()],
    sum: u64,
    count: u64,
}

/// The bounds of both histograms: bytes, or milliseconds.
const BOUNDS: [u64; 10] = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144];
/// Paths a session is known to have read.
const MOST_SEEN: usize = 1_024;

impl Meter {
    pub(crate) fn new(limits: &Limits) -> Self {
        let most_sessions = usize::try_from(limits.server_sessions).unwrap_or(usize::MAX);
        Self { most_sessions, counts: Mutex::default() }
    }

    /// Counts a call.
    pub(crate) fn count(&self, session: &str, counted: &Counted<'_>) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = &mut *counts;
        *counts.calls.entry(counted.tool).or_default() += 1;
        counts.reply_bytes.add(counted.bytes);
        counts.call_ms.add(u64::try_from(counted.took.as_millis()).unwrap_or(u64::MAX));
        for code in &counted.codes {
            *counts.failures.entry(code).or_default() += 1;
        }
        let known = session_of(&mut counts.sessions, session, self.most_sessions);
        known.calls += 1;
        let repeated = counted.paths.iter().filter(|path| !known.sees(path)).count();
        counts.repeated += repeated as u64;
    }

    /// Counts a request that never became a call.
    pub(crate) fn refuse(&self, code: &'static str) {
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner).refusals.entry(code).or_default() += 1;
    }

    /// The counters in the text form of Prometheus.
    pub(crate) fn text(&self, load: Load, sessions: usize) -> String {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::new();
        labelled(&mut text, ("readstone_calls_total", "Calls by tool.", "tool"), &counts.calls);
        labelled(
            &mut text,
            ("readstone_failures_total", "Failed calls and targets by code.", "code"),
            &counts.failures,
        );
        labelled(&mut text, ("readstone_refusals_total", "Requests refused before a call.", "code"), &counts.refusals);
        let about = "Reads of a path that the same session had read before.";
        single(&mut text, ("readstone_repeated_reads_total", about, "counter"), counts.repeated);
        counts.reply_bytes.write(&mut text, "readstone_reply_bytes", "Size of replies in bytes.");
        counts.call_ms.write(&mut text, "readstone_call_milliseconds", "Duration of calls in milliseconds.");
        single(&mut text, ("readstone_sessions", "Sessions held.", "gauge"), sessions as u64);
        single(&mut text, ("readstone_free_workers", "Calls that could start at once.", "gauge"), load.free as u64);
        single(&mut text, ("readstone_waiting_calls", "Calls that wait for their turn.", "gauge"), load.waiting as u64);
        single(
            &mut text,
            ("readstone_hung_calls", "Calls whose file system does not answer.", "gauge"),
            load.hung as u64,
        );
        text.push_str("# HELP readstone_session_calls_total Calls by session, the most recent sessions only.\n");
        text.push_str("# TYPE readstone_session_calls_total counter\n");
        for session in &counts.sessions {
            let _ = writeln!(text, "readstone_session_calls_total{{session={:?}}} {}", session.name, session.calls);
        }
        text
    }
}

impl SessionCounts {
    /// Notes a path; true when it is new.
    fn sees(&mut self, path: &str) -> bool {
        let mut hasher = DefaultHasher::new();
        path.hash(&mut hasher);
        let hash = hasher.finish();
        if self.seen.len() < MOST_SEEN { self.seen.insert(hash) } else { !self.seen.contains(&hash) }
    }
}

fn session_of<'a>(sessions: &'a mut VecDeque<SessionCounts>, name: &str, most: usize) -> &'a mut SessionCounts {
    let fresh = || SessionCounts { name: name.to_owned(), calls: 0, seen: HashSet::new() };
    if sessions.back().is_some_and(|newest| newest.name == name)
        && let Some(newest) = sessions.pop_back()
    {
        return sessions.push_back_mut(newest);
    }
    let known = sessions.iter().rposition(|session| session.name == name);
    let session = known.and_then(|at| sessions.remove(at)).unwrap_or_else(fresh);
    if sessions.len() >= most.max(1) {
        sessions.pop_front();
    }
    sessions.push_back_mut(session)
}

impl Histogram {
    fn add(&mut self, value: u64) {
        for (bound, below) in BOUNDS.iter().zip(&mut self.below) {
            *below += u64::from(value <= *bound);
        }
        self.sum = self.sum.saturating_add(value);
        self.count += 1;
    }

    fn write(&self, text: &mut String, name: &str, about: &str) {
        let _ = writeln!(text, "# HELP {name} {about}\n# TYPE {name} histogram");
        for (bound, below) in BOUNDS.iter().zip(self.below) {
            let _ = writeln!(text, "{name}_bucket{{le=\"{bound}\"}} {below}");
        }
        let _ = writeln!(text, "{name}_bucket{{le=\"+Inf\"}} {}", self.count);
        let _ = writeln!(text, "{name}_sum {}\n{name}_count {}", self.sum, self.count);
    }
}

fn labelled(text: &mut String, (name, about, label): (&str, &str, &str), counts: &BTreeMap<&'static str, u64>) {
    let _ = writeln!(text, "# HELP {name} {about}\n# TYPE {name} counter");
    for (value, count) in counts {
        let _ = writeln!(text, "{name}{{{label}=\"{value}\"}} {count}");
    }
}

fn single(text: &mut String, (name, about, kind): (&str, &str, &str), value: u64) {
    let _ = writeln!(text, "# HELP {name} {about}\n# TYPE {name} {kind}\n{name} {value}");
}
