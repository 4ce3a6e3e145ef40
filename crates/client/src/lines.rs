//! The bounded line read.

use serde::Deserialize;

use crate::error::Error;
use crate::query::with_query;

/// A read of numbered lines. Numbers that are not set are the server's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "a request does nothing until it is read"]
pub struct LinesRequest {
    path: String,
    offset: Option<u64>,
    limit: Option<u64>,
    max_file_size: Option<u64>,
    max_line_bytes: Option<u64>,
    max_response_lines: Option<u64>,
    max_response_bytes: Option<u64>,
}

impl LinesRequest {
    /// A read of the file at an absolute path, which is taken literally.
    pub fn new(path: impl Into<String>) -> Self {
        Self { path: path.into(), ..Self::default() }
    }

    /// The first line, from 1.
    pub fn offset(self, line: u64) -> Self {
        Self { offset: Some(line), ..self }
    }

    /// How many lines.
    pub fn limit(self, lines: u64) -> Self {
        Self { limit: Some(lines), ..self }
    }

    /// Size of the largest file that is read without offset and limit.
    pub fn max_file_size(self, bytes: u64) -> Self {
        Self { max_file_size: Some(bytes), ..self }
    }

    /// Bytes of a line before it is truncated.
    pub fn max_line_bytes(self, bytes: u64) -> Self {
        Self { max_line_bytes: Some(bytes), ..self }
    }

    /// Lines of the answer; more are refused.
    pub fn max_response_lines(self, lines: u64) -> Self {
        Self { max_response_lines: Some(lines), ..self }
    }

    /// Bytes of the answer's content; more are refused.
    pub fn max_response_bytes(self, bytes: u64) -> Self {
        Self { max_response_bytes: Some(bytes), ..self }
    }

    /// The path and query of the request.
    pub(crate) fn target(&self) -> String {
        let numbers = [
            ("offset", self.offset),
            ("limit", self.limit),
            ("max_file_size", self.max_file_size),
            ("max_line_bytes", self.max_line_bytes),
            ("max_response_lines", self.max_response_lines),
            ("max_response_bytes", self.max_response_bytes),
        ];
        let numbers = numbers.into_iter().map(|(name, number)| (name, number.map(|number| number.to_string())));
        with_query("/api/v0/read-file-lines", [("path", Some(self.path.clone()))].into_iter().chain(numbers))
    }
}

/// The answer to a line read.
///
/// A file that cannot be read so, because it is not there or its lines exceed a bound, is answered with `success:
/// false` and the reason in `error`. That is data here, since the contract of the endpoint has it as an answer;
/// [`into_result`](Self::into_result) makes it an error.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct LinesResponse {
    /// Whether the lines were read.
    pub success: bool,
    /// Bytes of the file, where it was read.
    pub file_size: Option<u64>,
    /// Lines of the file, where they are known.
    pub total_lines: Option<u64>,
    /// Lines in `content`.
    #[serde(default)]
    pub lines_read: u64,
    /// The lines: the number, a tab and the text of each.
    #[serde(default)]
    pub content: String,
    /// Why the lines were not read.
    pub error: Option<String>,
    /// What is to be said of the lines, as that credentials are masked in them.
    #[serde(default)]
    pub note: Option<String>,
}

impl LinesResponse {
    /// The lines, or [`Error::NotRead`] with what the server said.
    pub fn into_result(self) -> Result<Self, Error> {
        if self.success {
            return Ok(self);
        }
        Err(Error::NotRead(self.error.unwrap_or_else(|| "the server did not say why".to_owned())))
    }
}
