//! Work that is done where its failure costs only the work.

use std::fmt;
use std::io;
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
}

/// Hands out the bytes that work is done on.
pub trait Lend: Send + Sync {
    /// The bytes under a name; those that the work is about have the empty one.
    fn lend(&self, name: &str) -> io::Result<Option<Arc<dyn Blob>>>;

    /// Whether the work is still wanted, for work that can stop by itself. A process of its own is killed instead.
    fn check(&self) -> Result<(), Stopped> {
        Ok(())
    }
}

/// Bytes that have nothing beside them.
impl Lend for Arc<dyn Blob> {
    fn lend(&self, name: &str) -> io::Result<Option<Arc<dyn Blob>>> {
        Ok(name.is_empty().then(|| Self::clone(self)))
    }
}

/// A place where work is done.
pub trait Workshop: Send + Sync + fmt::Debug {
    /// Does the work and gives what came of it, in the form of this kind of work.
    fn work(&self, task: &Task<'_>, budget: &Budget) -> Result<Vec<u8>, Spoiled>;

    /// Whether it is another process, which can break down alone.
    fn is_apart(&self) -> bool {
        true
    }
}

/// Does one piece of work; the text tells whoever sent it why it cannot be understood.
pub type Craft = fn(what: &str, ask: &[u8], lend: &Arc<dyn Lend>) -> Result<Vec<u8>, String>;

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
