//! The work that is done where its failure costs only the work.
//!
//! Whoever asks writes down what, and the craft of that kind reads it: both stand in the same module, whichever process
//! they run in.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use readstone_base::{Budget, Lend, Spoiled, Task, Workshop};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Deep documents need a deep stack.
const STACK: usize = 64 * 1024 * 1024;
/// Bytes before a head: its length.
const LENGTH: usize = 4;

/// Does one piece of work of any kind there is.
pub fn work(what: &str, ask: &[u8], lend: &Arc<dyn Lend>) -> Result<Vec<u8>, String> {
    let _ = (ask, lend);
    match what {
        #[cfg(feature = "documents")]
        crate::document::TASK => crate::document::work(ask, lend),
        #[cfg(feature = "documents")]
        crate::web::TASK => crate::web::work(ask, lend),
        #[cfg(feature = "pictures")]
        crate::picture::TASK => crate::picture::work(ask, lend),
        #[cfg(feature = "databases")]
        crate::database::TASK => crate::database::work(ask, lend),
        other => Err(format!("there is no work called {other}")),
    }
}

/// Does the work in the process that asks for it: a panic costs the call, anything worse the process.
#[derive(Clone, Copy, Debug)]
pub struct InPlace;

impl Workshop for InPlace {
    fn work(&self, task: &Task<'_>, budget: &Budget) -> Result<Vec<u8>, Spoiled> {
        budget.check_heavy().map_err(Spoiled::Stopped)?;
        let run = || catch_unwind(AssertUnwindSafe(|| work(task.what, task.ask, &task.lend)));
        let done = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().name("work".to_owned()).stack_size(STACK);
            let thread = thread.spawn_scoped(scope, run).map_err(|error| Spoiled::NotStarted(error.to_string()))?;
            thread.join().map_err(|_| Spoiled::Crashed("it panicked".to_owned()))
        })?;
        match done {
            Ok(done) => done.map_err(Spoiled::Crashed),
            Err(_) => Err(Spoiled::Crashed("it panicked".to_owned())),
        }
    }
}

/// Data with bytes behind it.
pub(crate) fn pack(head: &impl Serialize, body: &[u8]) -> Result<Vec<u8>, String> {
    let head = serde_json::to_vec(head).map_err(|error| error.to_string())?;
    let length = u32::try_from(head.len()).map_err(|error| error.to_string())?;
    let mut out = Vec::with_capacity(LENGTH + head.len() + body.len());
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&head);
    out.extend_from_slice(body);
    Ok(out)
}

/// What was packed.
pub(crate) fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> Option<(T, &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<LENGTH>()?;
    let (head, body) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    Some((serde_json::from_slice(head).ok()?, body))
}

/// All bytes that the work is about.
pub(crate) fn whole(lend: &Arc<dyn Lend>) -> Result<Vec<u8>, String> {
    let blob = lend.lend("").map_err(|error| error.to_string())?.ok_or("there is nothing to work on")?;
    let length = blob.len().ok_or("the length is not known")?;
    blob.read_range(0, length).map_err(|error| error.to_string())
}
