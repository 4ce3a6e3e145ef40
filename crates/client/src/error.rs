//! What can go wrong with a call.

use std::error::Error as Cause;
use std::fmt;
use std::time::Duration;

use crate::failure::{Failure, Next, Refusal};

/// Why there is no answer, or not the one that was asked for.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The server refused the call, or the call failed there.
    Refused(Box<Refusal>),
    /// The server had no room for the call, the last time it was tried too.
    Busy {
        /// When it asks to come back, where it said so in seconds.
        retry_after: Option<Duration>,
        /// How often the call was sent.
        attempts: u32,
    },
    /// The request did not get there, or its answer did not come back whole.
    Transport(Transport),
    /// The answer is longer than the client may hold.
    TooLong {
        /// The bytes it may hold.
        most: usize,
    },
    /// The answer is none of Readstone's.
    Unexpected {
        /// Its HTTP status.
        status: u16,
        /// What is wrong with it.
        what: String,
        /// How its body begins.
        excerpt: String,
    },
    /// A line read that was answered with `success: false`, made an error by
    /// [`LinesResponse::into_result`](crate::LinesResponse::into_result). It holds what the server said.
    NotRead(String),
    /// The client or the request cannot be made like this; nothing was sent.
    Invalid(String),
}

/// How the way to the server failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Transport {
    /// There is no connection to the server.
    Connect(Box<dyn Cause + Send + Sync>),
    /// The time of the call was over.
    TimedOut(Duration),
    /// The connection ended before the answer did.
    BrokenOff(Box<dyn Cause + Send + Sync>),
}

impl Error {
    /// The code of a failure that the server told.
    pub fn code(&self) -> Option<&str> {
        self.failure().map(|failure| failure.code.as_str())
    }

    /// The failure that the server told.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Refused(refusal) => Some(&refusal.failure),
            Self::Busy { .. }
            | Self::Transport(_)
            | Self::TooLong { .. }
            | Self::Unexpected { .. }
            | Self::NotRead(_)
            | Self::Invalid(_) => None,
        }
    }

    /// The calls that the server offers instead.
    pub fn next(&self) -> &[Next] {
        self.failure().map_or(&[], |failure| failure.next.as_slice())
    }

    /// The HTTP status of the answer that is the error.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Refused(refusal) => Some(refusal.status),
            Self::Busy { .. } => Some(http::StatusCode::TOO_MANY_REQUESTS.as_u16()),
            Self::Unexpected { status, .. } => Some(*status),
            Self::Transport(_) | Self::TooLong { .. } | Self::NotRead(_) | Self::Invalid(_) => None,
        }
    }

    /// Whether the time of the call was over.
    pub fn is_timeout(&self) -> bool {
        matches!(self, Self::Transport(Transport::TimedOut(_)))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => refusal.failure.fmt(f),
            Self::Busy { retry_after, attempts } => {
                let times = if *attempts == 1 { "attempt" } else { "attempts" };
                write!(f, "the server is busy after {attempts} {times}")?;
                match retry_after {
                    Some(pause) => write!(f, "; it asks to come back in {} s", pause.as_secs()),
                    None => Ok(()),
                }
            }
            Self::Transport(transport) => transport.fmt(f),
            Self::TooLong { most } => write!(f, "the answer is longer than {most} bytes, which max_body_bytes sets"),
            Self::Unexpected { status, what, excerpt } => {
                write!(f, "an answer that was not expected, with status {status}: {what}")?;
                if excerpt.is_empty() { Ok(()) } else { write!(f, ": {excerpt}") }
            }
            Self::NotRead(what) | Self::Invalid(what) => f.write_str(what),
        }
    }
}

impl Cause for Error {
    fn source(&self) -> Option<&(dyn Cause + 'static)> {
        match self {
            Self::Refused(refusal) => Some(&refusal.failure),
            Self::Transport(transport) => transport.source(),
            Self::Busy { .. }
            | Self::TooLong { .. }
            | Self::Unexpected { .. }
            | Self::NotRead(_)
            | Self::Invalid(_) => None,
        }
    }
}

impl fmt::Display for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connect(cause) => write!(f, "there is no connection to the server: {}", root(&**cause)),
            Self::TimedOut(time) => write!(f, "there was no whole answer within {time:?}"),
            Self::BrokenOff(cause) => write!(f, "the connection ended before the answer: {}", root(&**cause)),
        }
    }
}

impl Cause for Transport {
    fn source(&self) -> Option<&(dyn Cause + 'static)> {
        match self {
            Self::Connect(cause) | Self::BrokenOff(cause) => Some(&**cause),
            Self::TimedOut(_) => None,
        }
    }
}

/// The innermost cause, which says most.
fn root<'a>(error: &'a (dyn Cause + 'static)) -> &'a (dyn Cause + 'static) {
    let mut error = error;
    while let Some(cause) = error.source() {
        error = cause;
    }
    error
}
