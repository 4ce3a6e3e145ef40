//! The work that is done where its failure costs only the work.
//!
//! Whoever asks writes down what, and the craft of that kind reads it: both stand in the same module, whichever process
//! they run in.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use readstone_base::{Blob, Budget, Hear, Lend, Lent, PREPARE, Pace, Spoiled, Stopped, Task, Workshop};
use readstone_source::{Opening, Piece};
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
        #[cfg(feature = "databases")]
        crate::database::ROW_TASK => crate::database::row_work(ask, lend),
        #[cfg(feature = "databases")]
        PREPARE => {
            crate::database::prepare_writing();
            Ok(Vec::new())
        }
        other => Err(format!("there is no work called {other}")),
    }
}

/// Does the work in the process that asks for it: a panic costs the call, anything worse the process.
#[derive(Clone, Copy, Debug)]
pub struct InPlace;

impl Workshop for InPlace {
    fn is_apart(&self) -> bool {
        false
    }

    fn work(&self, task: &Task<'_>, budget: &Budget) -> Result<Vec<u8>, Spoiled> {
        self.stream(task, &mut |_| false, budget)
    }

    fn stream(&self, task: &Task<'_>, hear: Hear<'_>, budget: &Budget) -> Result<Vec<u8>, Spoiled> {
        budget.check_heavy().map_err(Spoiled::Stopped)?;
        let (parts, taken) = sync_channel(0);
        let (answers, heard) = sync_channel(0);
        let lend: Arc<dyn Lend> = Arc::new(Near { lend: Arc::clone(&task.lend), line: Mutex::new((parts, heard)) });
        let run = move || catch_unwind(AssertUnwindSafe(|| work(task.what, task.ask, &lend)));
        let done = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().name("work".to_owned()).stack_size(STACK);
            let thread = thread.spawn_scoped(scope, run).map_err(|error| Spoiled::NotStarted(error.to_string()))?;
            while let Ok(part) = taken.recv() {
                if answers.send(hear(part)).is_err() {
                    break;
                }
            }
            drop((answers, taken));
            thread.join().map_err(|_| Spoiled::Crashed("it panicked".to_owned()))
        })?;
        match done {
            Ok(done) => done.map_err(Spoiled::Crashed),
            Err(_) => Err(Spoiled::Crashed("it panicked".to_owned())),
        }
    }
}

/// Hands parts of an answer to the thread that asked for it.
struct Near {
    lend: Arc<dyn Lend>,
    line: Mutex<(SyncSender<Vec<u8>>, Receiver<bool>)>,
}

impl Lend for Near {
    fn lend(&self, name: &str) -> io::Result<Option<Arc<dyn Blob>>> {
        self.lend.lend(name)
    }

    fn check(&self) -> Result<(), Stopped> {
        self.lend.check()
    }

    fn emit(&self, part: Vec<u8>) -> io::Result<bool> {
        let line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
        line.0.send(part).map_err(|_| gone())?;
        line.1.recv().map_err(|_| gone())
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
pub(crate) struct Pair<T> {
    /// The data.
    pub(crate) head: T,
    /// The bytes behind it.
    pub(crate) body: Vec<u8>,
}

/// What was packed, when it makes sense.
pub(crate) fn unpack<T: DeserializeOwned>(mut bytes: Vec<u8>) -> Option<Pair<T>> {
    let (length, rest) = bytes.split_first_chunk::<LENGTH>()?;
    let (head, _) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    let (head, length) = (serde_json::from_slice(head).ok()?, head.len());
    bytes.drain(..LENGTH + length);
    Some(Pair { head, body: bytes })
}

/// Asks for work on some bytes, and takes its answer apart.
pub(crate) fn ask<T: DeserializeOwned>(
    what: &'static str,
    asked: &impl Serialize,
    blob: Arc<dyn Blob>,
    (works, budget): (&dyn Workshop, &Budget),
) -> Result<Pair<T>, Spoiled> {
    let ask = serde_json::to_vec(asked).map_err(|error| Spoiled::Crashed(error.to_string()))?;
    let answer = works.work(&Task { what, pace: Pace::Brief, ask: &ask, lend: Arc::new(blob) }, budget)?;
    unpack(answer).ok_or_else(nonsense)
}

/// An answer that cannot be one.
pub(crate) fn nonsense() -> Spoiled {
    Spoiled::Crashed("its answer makes no sense".to_owned())
}

/// All bytes that the work is about.
pub(crate) fn whole(lend: &Arc<dyn Lend>) -> Result<Vec<u8>, String> {
    let blob = lend.lend("").map_err(|error| error.to_string())?.ok_or("there is nothing to work on")?;
    let length = blob.len().ok_or("the length is not known")?;
    blob.read_range(0, length).map_err(|error| error.to_string())
}

/// Bytes that were taken whole, and the memory they count against.
pub(crate) struct Bytes {
    pub(crate) bytes: Vec<u8>,
    pub(crate) lent: Option<Lent>,
}

/// Why bytes could not be taken.
pub(crate) enum Unread {
    /// The call ended.
    Stopped(Stopped),
    /// The system refused.
    Io(io::Error),
}

/// So much is read at a time.
const STRIDE: u64 = 1024 * 1024;

/// All bytes of a piece; `None` when there are more than `most`. Memory is shared with the calls beside this one.
pub(crate) fn bytes(piece: &Piece, most: u64, opening: &Opening<'_>) -> Result<Option<Bytes>, Unread> {
    let length = piece.blob.len();
    if length.is_some_and(|length| length > most) {
        return Ok(None);
    }
    let lent = opening.budget.lend(length.unwrap_or(STRIDE)).map_err(Unread::Stopped)?;
    // What a file declares is not allocated at once.
    let mut bytes = Vec::with_capacity(usize::try_from(length.unwrap_or(0).min(STRIDE)).unwrap_or(0));
    loop {
        opening.budget.check().map_err(Unread::Stopped)?;
        let start = bytes.len() as u64;
        let part = piece.blob.read_range(start, start + STRIDE).map_err(Unread::Io)?;
        bytes.extend_from_slice(&part);
        if bytes.len() as u64 > most {
            return Ok(None);
        }
        if (part.len() as u64) < STRIDE {
            return Ok(Some(Bytes { bytes, lent }));
        }
    }
}
