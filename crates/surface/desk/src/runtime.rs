//! The executors of the servers. Calls have threads of their own; these only speak with clients.

use std::io;

use tokio::runtime::{Builder, Runtime};

/// Threads for standard input and output where they are no pipes.
const BLOCKING_THREADS: usize = 4;

/// An executor on every core, for a server with many callers.
pub fn runtime() -> io::Result<Runtime> {
    Builder::new_multi_thread().max_blocking_threads(BLOCKING_THREADS).enable_all().build()
}

/// An executor on one thread, for a server with one caller: it starts faster and takes less memory.
pub fn single_runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().max_blocking_threads(BLOCKING_THREADS).enable_all().build()
}
