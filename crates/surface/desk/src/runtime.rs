//! The executors of the servers.

use std::io;

use readstone_base::Limits;
use tokio::runtime::{Builder, Runtime};

/// Threads beside those of calls: for calls that hang, and for standard input and output.
const SPARE_THREADS: u64 = 64;

/// An executor on every core, for a server with many callers.
pub fn runtime(limits: &Limits) -> io::Result<Runtime> {
    bounded(Builder::new_multi_thread(), limits)
}

/// An executor on one thread, for a server with one caller: it starts faster and takes less memory.
pub fn single_runtime(limits: &Limits) -> io::Result<Runtime> {
    bounded(Builder::new_current_thread(), limits)
}

fn bounded(mut builder: Builder, limits: &Limits) -> io::Result<Runtime> {
    let threads = limits.server_calls + limits.server_slow_calls + SPARE_THREADS;
    builder.max_blocking_threads(usize::try_from(threads).unwrap_or(usize::MAX)).enable_all().build()
}
