//! What a find or a search came to.

use serde::Deserialize;

use crate::reply::{Hidden, Note, Span};

/// What a call that looked through many things came to, beside the targets that hold matches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Found {
    /// What was looked through, as the caller named it.
    pub scope: Vec<String>,
    /// Paths that a find shows, newest first; a directory ends with a slash. [`read`](crate::Client::read) opens each.
    pub paths: Vec<String>,
    /// Which of the results are shown, from 1: paths of a find, files with matches of a search.
    pub shown: Option<Span>,
    /// How many results there are, where that is known.
    pub total: Option<u64>,
    /// How many there are at least, where their number is not known.
    pub at_least: Option<u64>,
    /// Matches that are shown.
    pub matches: u64,
    /// What was named and does not exist.
    pub missing: Vec<String>,
    /// What rules or the policy left out.
    pub hidden: Vec<Hidden>,
    /// What could not be searched.
    pub unsearched: Vec<Hidden>,
    /// The limit that ended the work or the reply.
    pub cut_by: Option<String>,
    /// How many results the call skips that shows what follows; `None` at the end.
    pub next_skip: Option<u64>,
    /// What was said beside it.
    pub notes: Vec<Note>,
}

/// The matches of a search in one thing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Matches {
    /// Lines or values with matches that are shown.
    pub shown: u64,
    /// How many there are, where that is known.
    pub total: Option<u64>,
    /// How many there are at least, where their number is not known.
    pub at_least: Option<u64>,
}
