//! How a file writes its JSON, so that what is added looks like the rest.

use super::book::{Book, Cell, Version};
use super::json::{Json, Letters, quoted};

/// The habits of a file.
#[derive(Clone, Debug)]
pub(super) struct Style {
    /// The line end and one step of indentation; `None` when everything stands on one line.
    lines: Option<(&'static str, String)>,
    /// What stands between a name and its value.
    colon: &'static str,
    /// What stands behind a comma on one line.
    space: &'static str,
    letters: Letters,
    /// Whether the source of a new cell is a list or one string.
    source: Source,
    /// How deep a cell stands, in steps.
    depth: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    List,
    String,
}

impl Style {
    /// The habits of a notebook.
    pub(super) fn of(book: &Book<'_>, first: Option<&Cell<'_>>) -> Self {
        let root = Json::root(book.text);
        let open = blanks(root.text.get(1..).unwrap_or_default());
        let unit = open.rsplit_once('\n').map(|(_, unit)| unit.to_owned());
        let end = if open.contains("\r\n") { "\r\n" } else { "\n" };
        let mut members = root.members().into_iter().flatten();
        let value = members.next().map(|member| member.value.at);
        let before = |at: usize| book.text.get(..at).unwrap_or_default();
        let colon = if value.is_some_and(|at| before(at).ends_with([' ', '\n', '\t'])) { ": " } else { ":" };
        let escaped = book.text.is_ascii() && book.text.contains("\\u");
        let string = first.is_some_and(|cell| cell.source.text.starts_with('"'));
        Self {
            lines: unit.map(|unit| (end, unit)),
            colon,
            space: if colon == ": " { " " } else { "" },
            letters: if escaped { Letters::Ascii } else { Letters::Any },
            source: if string { Source::String } else { Source::List },
            depth: match book.version {
                Version::Three => 4,
                Version::Four => 2,
            },
        }
    }

    /// A line end with the indentation of a cell, so many steps deeper; nothing where all stands on one line.
    pub(super) fn line(&self, deeper: usize) -> String {
        self.lines.as_ref().map_or_else(String::new, |(end, unit)| format!("{end}{}", unit.repeat(self.depth + deeper)))
    }

    /// A line end with the indentation of the list that holds the cells.
    pub(super) fn line_before(&self) -> String {
        let outer = self.depth.saturating_sub(1);
        self.lines.as_ref().map_or_else(String::new, |(end, unit)| format!("{end}{}", unit.repeat(outer)))
    }

    /// What stands between two cells, when the first stands behind `open`.
    pub(super) fn between(&self, open: &str) -> String {
        format!(",{}", if open.contains('\n') { open } else { self.space })
    }

    /// A string.
    pub(super) fn string(&self, text: &str) -> String {
        quoted(text, self.letters)
    }

    /// The source of a new cell.
    pub(super) fn new_source(&self, source: &str) -> String {
        match self.source {
            Source::String => self.string(source),
            Source::List => self.list(source, &Gaps::new(self)),
        }
    }

    /// A new source in the place of another, written as that one was.
    pub(super) fn source_like(&self, source: &str, old: Json<'_>) -> String {
        if old.text.starts_with('"') {
            return self.string(source);
        }
        self.list(source, &Gaps::of(old, self).unwrap_or_else(|| Gaps::new(self)))
    }

    fn list(&self, source: &str, gaps: &Gaps) -> String {
        if source.is_empty() {
            return "[]".to_owned();
        }
        let lines: Vec<String> = source.split_inclusive('\n').map(|line| self.string(line)).collect();
        format!("[{}{}{}]", gaps.open, lines.join(&gaps.between), gaps.close)
    }

    /// A cell of these members.
    pub(super) fn object(&self, members: &[(String, String)]) -> String {
        let written = members.iter().map(|(name, value)| format!("{}{}{value}", self.string(name), self.colon));
        let between = self.between(&self.line(1));
        format!("{{{}{}{}}}", self.line(1), written.collect::<Vec<_>>().join(&between), self.line(0))
    }
}

/// The blanks of a list.
struct Gaps {
    open: String,
    between: String,
    close: String,
}

impl Gaps {
    fn new(style: &Style) -> Self {
        let open = style.line(2);
        Self { between: style.between(&open), close: style.line(1), open }
    }

    /// As in this list, when it holds anything.
    fn of(list: Json<'_>, style: &Style) -> Option<Self> {
        let mut elements = list.elements()?;
        let first = elements.next()?;
        let at = |from: usize, to: usize| list.text.get(from - list.at..to - list.at).map(str::to_owned);
        let open = at(list.at + 1, first.at)?;
        let between = match elements.next() {
            Some(second) => at(first.end(), second.at)?,
            None => style.between(&open),
        };
        let body = list.text.strip_suffix(']')?;
        let close = body.get(body.trim_end().len()..)?.to_owned();
        Some(Self { open, between, close })
    }
}

fn blanks(text: &str) -> &str {
    text.get(..text.len() - text.trim_start().len()).unwrap_or_default()
}
