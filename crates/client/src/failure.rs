//! Failures as the server tells them.

use std::fmt;

use serde::Deserialize;

use crate::reply::Reply;

/// A call that the server refused, or that failed there.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// What failed.
    pub failure: Failure,
    /// The parameters that are wrong, where the server names them.
    pub validations: Vec<Validation>,
    /// The whole reply, where there is one. Its text is what a model would read of the failure.
    pub reply: Option<Reply>,
}

/// A failure: of a call, or of one target among several.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Failure {
    /// `<stage>.<what>`, never renamed. The line endpoints give bad parameters no code; they have `http.bad_request`
    /// here, like other bad requests.
    pub code: String,
    /// The kind of failure.
    pub class: Class,
    /// One line that says what happened.
    pub message: String,
    /// Calls that can be made as they stand.
    #[serde(default)]
    pub next: Vec<Next>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Failure {}

/// A call that can be made as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Next {
    /// The tool to call.
    pub tool: String,
    /// The address to give it.
    pub argument: String,
}

/// A parameter that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Validation {
    /// Its name.
    pub field: String,
    /// What is wrong with it.
    pub detail: String,
}

/// The kinds of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Class {
    /// The call itself is wrong.
    Request,
    /// What it names is not there.
    Missing,
    /// Policy, permissions or a missing token forbid it.
    Denied,
    /// It does not fit a limit.
    TooBig,
    /// The world moved on since the caller looked.
    Stale,
    /// The file is damaged or cannot be read as what it is.
    Broken,
    /// Another machine or program failed.
    Outside,
    /// The time was over, or the call was cancelled.
    Stopped,
    /// A mistake in Readstone.
    Bug,
    /// A kind that this client does not know.
    #[serde(other)]
    Other,
}

impl Class {
    /// The kind that a status stands for, where the server names only the status.
    pub(crate) fn of_status(status: u16) -> Self {
        match status {
            400 => Self::Request,
            401 | 403 => Self::Denied,
            404 => Self::Missing,
            409 => Self::Stale,
            413 => Self::TooBig,
            422 => Self::Broken,
            500 => Self::Bug,
            502 => Self::Outside,
            504 => Self::Stopped,
            _ => Self::Other,
        }
    }
}
