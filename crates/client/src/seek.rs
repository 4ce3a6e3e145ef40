//! What `find` and `search` are asked for.

use std::time::Duration;

use serde::Serialize;

use crate::reply::Reply;

/// A find of paths by globs, directories or files. What is not set is the server's choice.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[must_use = "a request does nothing until it is sent"]
pub struct FindRequest {
    paths: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hidden: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gitignore: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skip: Option<u64>,
}

impl FindRequest {
    /// A find by one glob, such as `*.rs` or `src/**/*.ts`, or of all that a directory holds.
    pub fn new(path: impl Into<String>) -> Self {
        Self::several([path])
    }

    /// A find by several globs, directories or files.
    pub fn several<P: Into<String>>(paths: impl IntoIterator<Item = P>) -> Self {
        Self { paths: paths.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// Leaves out names that begin with a dot.
    pub fn without_hidden(self) -> Self {
        Self { hidden: Some(false), ..self }
    }

    /// Also finds what `.gitignore` names.
    pub fn with_ignored(self) -> Self {
        Self { gitignore: Some(false), ..self }
    }

    /// So many paths are shown; the server bounds it.
    pub fn limit(self, paths: u64) -> Self {
        Self { limit: Some(paths), ..self }
    }

    /// The server looks so long and shows what it found until then; it bounds this too. How long this client waits is
    /// the [`Builder`](crate::Builder::timeout)'s.
    pub fn timeout(self, time: Duration) -> Self {
        Self { timeout: Some(time.as_secs_f64()), ..self }
    }

    /// Skips so many paths.
    pub fn skip(self, paths: u64) -> Self {
        Self { skip: Some(paths), ..self }
    }

    /// The request for what follows a reply to this one; `None` at the end.
    pub fn after(&self, reply: &Reply) -> Option<Self> {
        next_skip(reply).map(|skip| self.clone().skip(skip))
    }
}

/// A search for a regular expression. What is not set is the server's choice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[must_use = "a request does nothing until it is sent"]
pub struct SearchRequest {
    pattern: String,
    paths: Vec<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    i: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    gitignore: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skip: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u64>,
}

impl SearchRequest {
    /// A search for a pattern in Rust syntax, in one file, directory, glob or other address.
    pub fn new(pattern: impl Into<String>, path: impl Into<String>) -> Self {
        Self::in_several(pattern, [path])
    }

    /// A search in several of them.
    pub fn in_several<P: Into<String>>(pattern: impl Into<String>, paths: impl IntoIterator<Item = P>) -> Self {
        let paths = paths.into_iter().map(Into::into).collect();
        Self { pattern: pattern.into(), paths, ..Self::default() }
    }

    /// Ignores case.
    pub fn ignore_case(self) -> Self {
        Self { i: true, ..self }
    }

    /// Also searches what `.gitignore` names.
    pub fn with_ignored(self) -> Self {
        Self { gitignore: Some(false), ..self }
    }

    /// Skips so many files with matches.
    pub fn skip(self, files: u64) -> Self {
        Self { skip: Some(files), ..self }
    }

    /// Tokens the reply may have, estimated.
    pub fn max_tokens(self, tokens: u64) -> Self {
        Self { max_tokens: Some(tokens), ..self }
    }

    /// The request for the files that follow those of a reply to this one; `None` at the end.
    pub fn after(&self, reply: &Reply) -> Option<Self> {
        next_skip(reply).map(|skip| self.clone().skip(skip))
    }
}

fn next_skip(reply: &Reply) -> Option<u64> {
    reply.receipt.found.as_ref().and_then(|found| found.next_skip)
}
