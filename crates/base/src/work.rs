//! Work that is done where its failure costs only the work.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::blob::Blob;
use crate::budget::{Budget, Stopped};
use crate::failure::{Class, Words};

/// A piece of work on bytes.
#[derive(Clone)]
pub struct Task<'a> {
    /// Which kind of work.
    pub what: &'static str,
    /// How long it may take.
    pub pace: Pace,
    /// What exactly is asked for, in the form that this kind of work understands.
    pub ask: &'a [u8],
    /// Where the bytes come from.
    pub lend: Arc<dyn Lend>,
}

impl fmt::Debug for Task<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task").field("what", &self.what).finish_non_exhaustive()
    }
}

/// How long work may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// It ends by itself.
    Brief,
    /// It may last as long as the call, and leaves a place for work that does not.
    Open,
    /// It ends by itself and takes no place, because work that has one may wait for it.
    Inner,
}

/// Hands out the bytes that work is done on.
pub trait Lend: Send + Sync {
    /// The bytes under a name; those that the work is about have the empty one.
    fn lend(&self, name: &str) -> io::Result<Option<Arc<dyn Blob>>>;

    /// Whether the work is still wanted, for work that can stop by itself. A process of its own is killed instead.
    fn check(&self) -> Result<(), Stopped> {
        Ok(())
    }

    /// Names that the work is sure to ask for, in this order, each with the number of its first bytes that it will read.
    /// A worker gets them along with its task, which saves it the questions.
    fn ahead(&self) -> &[(&'static str, u64)] {
        &[]
    }

    /// Hands a part of the answer to the caller before the work is done, and waits for what it says: true to go on.
    /// Only a caller of [`Workshop::stream`] listens.
    fn emit(&self, _part: Vec<u8>) -> io::Result<bool> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Bytes that have nothing beside them.
impl Lend for Arc<dyn Blob> {
    fn lend(&self, name: &str) -> io::Result<Option<Arc<dyn Blob>>> {
        Ok(name.is_empty().then(|| Self::clone(self)))
    }
}

/// Takes a part of an answer, and says whether the work goes on.
pub type Hear<'a> = &'a mut dyn FnMut(Vec<u8>) -> bool;

/// A place where work is done.
pub trait Workshop: Send + Sync + fmt::Debug {
    /// Does the work and gives what came of it, in the form of this kind of work.
    fn work(&self, task: &Task<'_>, budget: &Budget) -> Result<Vec<u8>, Spoiled>;

    /// Does work that hands over parts of its answer before it is done; `hear` takes each part and says whether to go
    /// on. A workshop that does not override this does only work without such parts.
    fn stream(&self, task: &Task<'_>, hear: Hear<'_>, budget: &Budget) -> Result<Vec<u8>, Spoiled> {
        let _ = hear;
        self.work(task, budget)
    }

    /// Does work that writes to one database by its path, and to nothing else; the path is absolute and leads through no
    /// link. `hear` is asked in the middle of it, as in [`Workshop::stream`].
    fn write(&self, task: &Task<'_>, _database: &Path, hear: Hear<'_>, budget: &Budget) -> Result<Vec<u8>, Spoiled> {
        self.stream(task, hear, budget)
    }

    /// Whether it is another process, which can break down alone.
    fn is_apart(&self) -> bool {
        true
    }
}

/// Does one piece of work; the text tells whoever sent it why it cannot be understood.
pub type Craft = fn(what: &str, ask: &[u8], lend: &Arc<dyn Lend>) -> Result<Vec<u8>, String>;

/// The kind of work that a process does before it gives up its rights, when it is to write to a database.
pub const PREPARE: &str = "prepare";

/// Why work came to nothing.
#[derive(Debug)]
pub enum Spoiled {
    /// The call it was done for ended.
    Stopped(Stopped),
    /// It met a limit.
    Limit {
        /// The limit.
        name: &'static str,
        /// Its value.
        value: u64,
    },
    /// It broke down; how, in a few words.
    Crashed(String),
    /// There was nobody to do it; why, in a few words.
    NotStarted(String),
}

impl Spoiled {
    /// The class of the failure.
    pub fn class(&self) -> Class {
        match self {
            Self::Stopped(_) => Class::Stopped,
            Self::Limit { .. } => Class::TooBig,
            Self::Crashed(_) => Class::Broken,
            Self::NotStarted(_) => Class::Outside,
        }
    }
}

impl fmt::Display for Spoiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped(Stopped::Deadline) => f.write_str("the time of the call was used up (call_ms)"),
            Self::Stopped(Stopped::Cancelled) => f.write_str("the call was cancelled"),
            Self::Limit { name, value } => write!(f, "the work on it met the limit {name}, {value}"),
            Self::Crashed(how) => write!(f, "the work on it broke down: {}", Words(how)),
            Self::NotStarted(why) => write!(f, "no process could be started to work on it: {}", Words(why)),
        }
    }
}
