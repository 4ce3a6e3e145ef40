//! Threads, as the system sees them.

use std::sync::OnceLock;
use std::time::Duration;

/// Threads that share the work of one call at most.
const MOST_THREADS: usize = 4;

/// As many threads as there are cores, up to a few; asking the system for its cores costs more than reading a small file.
pub fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS))
}

/// The thread that runs this.
pub fn thread_id() -> i32 {
    rustix::thread::gettid().as_raw_nonzero().get()
}

/// The time that cores have spent on the thread that runs this.
pub fn thread_time() -> Duration {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(spent.tv_sec).unwrap_or(0), u32::try_from(spent.tv_nsec).unwrap_or(0))
}

/// Whether a thread of this process waits for something other than a core.
#[expect(clippy::disallowed_methods, reason = "the system tells of threads in files of its own")]
pub fn is_waiting(thread: i32) -> bool {
    let Ok(text) = std::fs::read_to_string(format!("/proc/self/task/{thread}/stat")) else {
        return false;
    };
    // The state stands behind the name, which is in parentheses and may hold anything.
    let state = text.rsplit_once(')').and_then(|(_, rest)| rest.trim_start().chars().next());
    state.is_some_and(|state| state != 'R')
}
