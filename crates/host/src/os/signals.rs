//! Signals that would end the process where an error is wanted.

use nix::sys::signal::{SigSet, Signal};

/// Makes writing past the limit for the size of a file an error instead of the end of the process. It holds for the thread that
/// calls it and those that it starts, so a program calls it before all else.
pub fn block_file_size_signal() {
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGXFSZ);
    // A system that does not let a program choose its signals leaves it as it was.
    let _ = signals.thread_block();
}
