//! What `read` takes.

use readstone_address::{Mode, Select};
use readstone_base::{Fault, Limits, Span};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::error::{Error, fault};
use crate::share::fewest_tokens;

/// The description of `path`: the forms of addresses.
const PATH: &str = "\
    A path relative to the root and, after a colon, a part of it. Give this or `paths`.\n\
    - text: `:50-80` lines (and 1 before, 3 after), `:50-` from a line on, `:-20` the last lines, `:5-9,40-60` \
    ranges, `:b65536+65536` a byte window, `:raw` verbatim (what follows is named in a second block), `:hex` bytes, \
    `:conflicts` merge conflicts\n\
    - inside: `a.zip:dir/file:50-80`, `n.ipynb:cell3`, `x.pdf:p3-5` pages or slides, `x.xlsx:Sheet1`, \
    `x.csv?limit=50&offset=100`, `x.json:/a/0`, `x.png:crop=X,Y,W,H`, `x.html:source`\n\
    - databases: `x.db:table`, `x.db:table:KEY`, `x.db:table?where=age>30&order=name&limit=50`, `x.db?q=SELECT ...` \
    (SQL as it is)\n\
    - web: `https://host/page`, `https://host/page:301-` more of it without fetching again, `https://host/page:raw` \
    its body\n\
    - every form: `readstone://addresses.md`";

/// The input of `read`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadInput {
    #[serde(default)]
    #[schemars(description = PATH)]
    pub(crate) path: Option<String>,
    /// Several addresses, answered in order.
    #[serde(default)]
    pub(crate) paths: Vec<String>,
    /// The first line to show, from 1. Lines win over bytes.
    #[serde(default)]
    pub(crate) start_line: Option<u64>,
    /// The last line to show.
    #[serde(default)]
    pub(crate) end_line: Option<u64>,
    /// The byte at which a window starts, from 0.
    #[serde(default)]
    pub(crate) start_byte: Option<u64>,
    /// The size of a window in bytes.
    #[serde(default)]
    pub(crate) max_bytes: Option<u64>,
    /// Lines a page may have.
    #[serde(default)]
    pub(crate) max_lines: Option<u64>,
    /// Tokens the reply may have, estimated.
    #[serde(default)]
    pub(crate) max_tokens: Option<u64>,
    /// Show the text verbatim, like `:raw`.
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
