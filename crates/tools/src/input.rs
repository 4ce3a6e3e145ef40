//! What `read` takes.

use readstone_address::{Mode, Select};
use readstone_base::{Fault, Limits, Span};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::error::{Error, fault};
use crate::find_input::{one_or_many, one_or_many_schema};
use crate::share::fewest_tokens;

/// The input of `read`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadInput {
    /// An address: a path, and behind a colon the part of it to show. Give this or `paths`.
    #[serde(default)]
    pub(crate) path: Option<String>,
    /// Several addresses, answered in order.
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(schema_with = "one_or_many_schema")]
    pub(crate) paths: Vec<String>,
    /// The first line to show, from 1. Lines win over bytes.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub(crate) start_line: Option<u64>,
    /// The last line to show.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub(crate) end_line: Option<u64>,
    /// The byte at which a window starts, from 0.
    #[serde(default)]
    pub(crate) start_byte: Option<u64>,
    /// The size of a window in bytes.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub(crate) max_bytes: Option<u64>,
    /// Lines a page may have.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub(crate) max_lines: Option<u64>,
    /// Tokens the reply may have, estimated.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub(crate) max_tokens: Option<u64>,
    /// Show the text verbatim.
    #[serde(default)]
    pub(crate) raw: bool,
    /// Whether lines come without context; a tool decides it, not the caller.
    #[serde(skip)]
    #[schemars(skip)]
    pub(crate) exact: bool,
}

impl ReadInput {
    /// The addresses, of which there must be some and not too many.
    pub(crate) fn addresses(&self, limits: &Limits) -> Result<Vec<String>, Fault> {
        let bad = |what: String| fault(Error::BadInput(what));
        let addresses: Vec<String> = self.path.iter().chain(&self.paths).cloned().collect();
        if addresses.is_empty() {
            return Err(bad("read needs an address: path, or paths for several".to_owned()));
        }
        if addresses.len() as u64 > limits.targets {
            return Err(bad(format!(
                "{} addresses in one call are too many; the limit targets is {}",
                addresses.len(),
                limits.targets
            )));
        }
        let fewest_tokens = fewest_tokens(&addresses);
        for (name, number, least) in [
            ("max_lines", self.max_lines, 1),
            ("max_bytes", self.max_bytes, 1),
            ("max_tokens", self.max_tokens, fewest_tokens),
        ] {
            if number.is_some_and(|number| number < least) {
                return Err(bad(format!("{name} must be at least {least} for this call")));
            }
        }
        Ok(addresses)
    }

    /// The selection given beside the address; lines win over bytes.
    pub(crate) fn selection(&self) -> Result<Option<Select>, Fault> {
        let bad = |what: &str| fault(Error::BadInput(what.to_owned()));
        match (self.start_line, self.end_line) {
            (Some(0), _) | (_, Some(0)) => {
                return Err(bad("line 0 does not exist; lines count from 1. Use start_line 1"));
            }
            (Some(first), Some(last)) if last < first => return Err(bad("end_line stands before start_line")),
            (Some(first), Some(last)) => return Ok(Some(self.lines(Span::new(first, last)))),
            (Some(first), None) => return Ok(Some(Select::From(first))),
            (None, Some(last)) => return Ok(Some(self.lines(Span::new(1, last)))),
            (None, None) => {}
        }
        let window = self.start_byte.is_some() || self.max_bytes.is_some();
        Ok(window.then(|| Select::Window { start: self.start_byte.unwrap_or(0), bytes: self.max_bytes }))
    }

    /// Lines, with context unless they were asked for alone.
    fn lines(&self, span: Span) -> Select {
        if self.exact { Select::Many(vec![span]) } else { Select::Range(span) }
    }

    /// The mode given beside the address.
    pub(crate) fn mode(&self) -> Option<Mode> {
        self.raw.then_some(Mode::Raw)
    }
}
