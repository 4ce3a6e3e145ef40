//! What went wrong, in a form that programs branch on and agents act on.

use std::error::Error;
use std::fmt;

use crate::page::{Guess, Next};

/// Every error of every crate: a stable code, a class, and the calls that could come next.
///
/// The `Display` of a failure is the one line it says of itself, in the caller's own spelling.
pub trait Failure: Error + Send + Sync {
    /// `<stage>.<what>`, never renamed.
    fn code(&self) -> &'static str;

    /// What kind of failure it is; decides exit code, HTTP status and the MCP flag.
    fn class(&self) -> Class;

    /// Whether it says no more than that no file has this path: whoever asked may know which are near.
    fn is_not_found(&self) -> bool {
        false
    }

    /// Whether a shorter reading of the same address could still be meant, for what cannot be a name may be one with
    /// something behind it.
    fn may_be_longer(&self) -> bool {
        false
    }

    /// What can only be meant by an address inside a file that names nothing there. Reading opens it and says so.
    fn instead(&self) -> Option<Instead> {
        None
    }

    /// Up to three calls that can be made as they stand.
    fn next(&self) -> Vec<Next> {
        Vec::new()
    }
}

/// An address to open in place of one that names nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instead {
    /// The whole address, with the part that was asked for.
    pub address: String,
    /// What was missing, and how this was found.
    pub guess: Guess,
}

/// Any failure, on its way out.
pub type Fault = Box<dyn Failure>;

/// The nine kinds of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// The call itself is wrong.
    Request,
    /// What it names is not there.
    Missing,
    /// Policy or permissions forbid it.
    Denied,
    /// It does not fit a limit.
    TooBig,
    /// The world moved on since the caller looked.
    Stale,
    /// The file is damaged or cannot be read as what it is.
    Broken,
    /// Another machine or program failed.
    Outside,
    /// The deadline passed or the caller cancelled.
    Stopped,
    /// A mistake in Readstone.
    Bug,
}

impl Class {
    /// Every class, in the order of the table in `docs/errors.md`.
    pub const ALL: [Self; 9] = [
        Self::Request,
        Self::Missing,
        Self::Denied,
        Self::TooBig,
        Self::Stale,
        Self::Broken,
        Self::Outside,
        Self::Stopped,
        Self::Bug,
    ];

    /// The word programs see.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// The exit code of the command line.
    pub fn exit_code(self) -> u8 {
        self.row().1
    }

    /// The status of an HTTP answer.
    pub fn http_status(self) -> u16 {
        self.row().2
    }

    fn row(self) -> (&'static str, u8, u16) {
        match self {
            Self::Request => ("request", 2, 400),
            Self::Missing => ("missing", 3, 404),
            Self::Denied => ("denied", 4, 403),
            Self::TooBig => ("too_big", 5, 413),
            Self::Stale => ("stale", 6, 409),
            Self::Broken => ("broken", 7, 422),
            Self::Outside => ("outside", 8, 502),
            Self::Stopped => ("stopped", 9, 504),
            Self::Bug => ("bug", 70, 500),
        }
    }
}

/// What the system said, without the number.
pub fn plain_words(cause: &std::io::Error) -> String {
    let text = cause.to_string();
    let plain = text.split(" (os error").next().unwrap_or(&text);
    let mut letters = plain.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// A piece of the caller's input inside a message: quoted, made visible, and cut when it is long.
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'a>(
    /// The input.
    pub &'a str,
);

/// A quoted piece of input in a message has at most this many characters.
const QUOTED_CHARS: usize = 160;

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cut = self.0.char_indices().nth(QUOTED_CHARS).map(|(at, _)| at);
        let head = cut.and_then(|at| self.0.get(..at)).unwrap_or(self.0);
        write!(f, "'{}'", crate::visible::Visible::of(head).text)?;
        match cut {
            Some(at) => write!(f, "… ({} bytes more)", self.0.len() - at),
            None => Ok(()),
        }
    }
}

/// Words of a library, which may hold anything from the file it reads: made visible, on one line, and cut when they are
/// long.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a>(
    /// The words.
    pub &'a str,
);

/// Words of a library have at most this many characters.
const WORDS_CHARS: usize = 400;

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cut = self.0.char_indices().nth(WORDS_CHARS).map(|(at, _)| at);
        let head = cut.and_then(|at| self.0.get(..at)).unwrap_or(self.0);
        f.write_str(&crate::visible::Visible::of(head).text)?;
        if cut.is_some() { f.write_str("…") } else { Ok(()) }
    }
}
