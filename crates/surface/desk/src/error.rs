//! Why a call was not run, or not to its end.

use std::fmt;

use readstone_base::{Class, Failure};

/// The code of a call that was refused because too many run already.
pub const BUSY: &str = "desk.busy";

/// A call that the desk could not see through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// Too many calls run or wait.
    Busy,
    /// The time of the call ended before its turn came.
    Late,
    /// The call did not end in its time and does not answer.
    Stuck,
    /// Calls hang where this one would go.
    Hung,
    /// The call broke off by a mistake of ours.
    Broken,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Busy => "too many calls run at the moment; make the same call again in a second",
            Self::Late => "the time of the call ended before its turn came; the limit is call_ms",
            Self::Stuck => "the time of the call ended, and what it reads does not answer",
            Self::Hung => "calls hang on the file system of this path; it is left alone until it answers",
            Self::Broken => "the call broke off by a mistake in Readstone; other calls are not affected",
        })
    }
}

impl std::error::Error for Error {}

impl Failure for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::Busy => BUSY,
            Self::Late => "desk.late",
            Self::Stuck => "desk.stuck",
            Self::Hung => "desk.hung",
            Self::Broken => "desk.broken",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::Busy | Self::Late | Self::Stuck | Self::Hung => Class::Stopped,
            Self::Broken => Class::Bug,
        }
    }
}
