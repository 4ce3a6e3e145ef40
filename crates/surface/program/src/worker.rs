//! The worker: this program as its own child, which converts what may break it.

use std::ffi::OsString;
use std::process::ExitCode;

/// The command that a worker is started with. It is no part of the command line.
pub(crate) const COMMAND: &str = "__worker";

/// Works for the parent process, when that is what this process is for.
pub(crate) fn run(arguments: &[OsString]) -> Option<ExitCode> {
    let [_, command, memory] = arguments else {
        return None;
    };
    let memory = memory.to_str()?.parse().ok().filter(|_| command == COMMAND)?;
    let worked = readstone_host::work_for_parent(memory, readstone_tools::work);
    Some(if worked.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
