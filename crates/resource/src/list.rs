//! Lists: one row an entry.

use readstone_base::{Kind, Note, Visible};
use readstone_source::{Content, Converted, Finding, Nature, Sourced};

use crate::asked::Asked;

/// Rows of a list.
pub(crate) const MOST_ROWS: usize = 10_000;
/// Characters of what stands behind the address in a row.
const MOST_ABOUT: usize = 300;

/// A list that is made row by row.
#[derive(Debug)]
pub(crate) struct List {
    /// What is said where there are no rows.
    none: &'static str,
    text: String,
    rows: usize,
    more: usize,
    /// Whether what is listed was not looked for to its end.
    open: bool,
}

impl List {
    /// An empty list, and what is said if it stays so.
    pub(crate) fn or(none: &'static str) -> Self {
        Self { none, text: String::new(), rows: 0, more: 0, open: false }
    }

    /// Adds a row: an address, and what there is to say of it.
    pub(crate) fn push(&mut self, address: &str, about: &str) {
        if self.rows >= MOST_ROWS {
            self.more += 1;
            return;
        }
        self.rows += 1;
        self.text.push_str(&Visible::of(address).text);
        let about = one_line(about, MOST_ABOUT);
        if !about.is_empty() {
            self.text.push_str("  ");
            self.text.push_str(&about);
        }
        self.text.push('\n');
    }

    /// Says that there may be more than was looked for, where there is as much as was.
    pub(crate) fn ended_by(&mut self, most: usize) {
        self.open |= self.rows >= most;
    }

    /// The list at the address of its scheme.
    pub(crate) fn sourced(mut self, asked: &Asked<'_>, path: &str) -> Sourced {
        if self.more > 0 {
            self.text.push_str("… ");
            self.text.push_str(&self.more.to_string());
            self.text.push_str(" more\n");
        }
        if self.open {
            self.text.push_str("… and perhaps more\n");
        }
        let mut made = text(asked, path, self.text);
        if self.rows == 0 {
            made.notes.push(Note::NoneListed { why: self.none });
        }
        made
    }
}

/// A text that was made, at an address of the scheme.
pub(crate) fn text(asked: &Asked<'_>, path: &str, text: String) -> Sourced {
    let made = Converted::text(Kind::Text, text.into_bytes());
    asked.found(path, Finding::Content(Content::Converted(made)), Nature::Fixed)
}

/// A text on one line, made visible and cut.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    // What is far behind the cut need not be looked at.
    let near = text.get(..text.floor_char_boundary(most.saturating_mul(8))).unwrap_or(text);
    let words = near.split_whitespace().collect::<Vec<_>>().join(" ");
    let whole = near.len() == text.len();
    let cut = words.char_indices().nth(most).map(|(at, _)| at);
    let head = cut.and_then(|at| words.get(..at)).unwrap_or(&words);
    let dots = if whole && cut.is_none() { "" } else { "…" };
    format!("{}{dots}", Visible::of(head).text)
}

/// A number of bytes in words.
pub(crate) fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}
