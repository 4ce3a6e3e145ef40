//! What `read` is asked for.

use serde::Serialize;

/// A read of one address or several. Numbers that are not set are the server's.
///
/// Lines win over bytes where both are set. What a part of an address says behind its colon can be said by these fields
/// as well, for programs that would rather not put an address together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[must_use = "a request does nothing until it is read"]
pub struct ReadRequest {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    paths: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_byte: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_lines: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    raw: bool,
}

impl ReadRequest {
    /// A read of one address: a path, and behind a colon the part of it to show.
    pub fn new(address: impl Into<String>) -> Self {
        Self { path: Some(address.into()), ..Self::default() }
    }

    /// A read of several addresses, answered in order.
    pub fn several<A: Into<String>>(addresses: impl IntoIterator<Item = A>) -> Self {
        Self { paths: addresses.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// The first line to show, from 1.
    pub fn start_line(self, line: u64) -> Self {
        Self { start_line: Some(line), ..self }
    }

    /// The last line to show.
    pub fn end_line(self, line: u64) -> Self {
        Self { end_line: Some(line), ..self }
    }

    /// The byte at which a window starts, from 0.
    pub fn start_byte(self, byte: u64) -> Self {
        Self { start_byte: Some(byte), ..self }
    }

    /// The size of a window in bytes.
    pub fn max_bytes(self, bytes: u64) -> Self {
        Self { max_bytes: Some(bytes), ..self }
    }

    /// Lines a page may have.
    pub fn max_lines(self, lines: u64) -> Self {
        Self { max_lines: Some(lines), ..self }
    }

    /// Tokens the reply may have, estimated.
    pub fn max_tokens(self, tokens: u64) -> Self {
        Self { max_tokens: Some(tokens), ..self }
    }

    /// Shows the text verbatim.
    pub fn raw(self) -> Self {
        Self { raw: true, ..self }
    }

    /// The read of an address that a reply to this one offers. The address says what to show and how; what bounds a
    /// page stays.
    pub(crate) fn following(&self, address: &str) -> Self {
        Self { max_lines: self.max_lines, max_tokens: self.max_tokens, ..Self::new(address) }
    }

    /// How many addresses it names.
    pub(crate) fn count(&self) -> usize {
        usize::from(self.path.is_some()) + self.paths.len()
    }

    /// Whether it names this address and nothing else.
    pub(crate) fn is_for(&self, address: &str) -> bool {
        self.path.as_deref() == Some(address) && self.paths.is_empty()
    }
}
