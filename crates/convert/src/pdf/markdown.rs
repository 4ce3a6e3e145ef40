//! Markdown of a page made fit for reading.
//!
//! Repair of `unpdf`: where it joins divided words, it also joins `well-known` and `pre- and`.
//! Shown by: `fault_compounds_lose_their_hyphens`, `tests/all/pdf.rs`.

use std::collections::HashSet;

use unpdf::model::{Block, InlineContent, TextRun};

/// Words before which a hyphen stands for a part that follows later, as in `pre- and postwar`.
const SUSPENDED: [&str; 14] = ["and", "or", "to", "und", "oder", "bis", "et", "ou", "y", "o", "e", "en", "of", "as"];

/// Joins words that a line break has divided, and drops needless blanks.
pub(super) fn tidy(text: &str) -> String {
    let hyphened = hyphened(text);
    let mut out = String::with_capacity(text.len());
    let mut code = false;
    let mut blank = true;
    for line in text.lines() {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        let line = line.trim_end();
        if line.is_empty() && blank && !code {
            continue;
        }
        blank = line.is_empty();
        if code || fence {
            out.push_str(line);
        } else {
            push_joined(&mut out, line, &hyphened);
        }
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out
}

/// Escapes the bars in the cells of tables; nothing else of a text is escaped.
///
/// Repair of `unpdf`: it escapes either every character of program text or not even the bars of
/// tables. Shown by: `tests/all/pdf.rs`.
pub(super) fn escape_bars(blocks: &mut [Block]) {
    let tables = blocks.iter_mut().filter_map(|block| if let Block::Table(table) = block { Some(table) } else { None });
    let cells = tables.flat_map(|table| &mut table.rows).flat_map(|row| &mut row.cells);
    for item in cells.flat_map(|cell| &mut cell.content).flat_map(|paragraph| &mut paragraph.content) {
        if let InlineContent::Text(TextRun { text, .. }) | InlineContent::Link { text, .. } = item
            && text.contains('|')
        {
            *text = text.replace('|', "\\|");
        }
    }
}

/// The words of a text that have a hyphen inside.
fn hyphened(text: &str) -> HashSet<String> {
    let mut words = HashSet::new();
    for (at, _) in text.match_indices('-') {
        let (before, behind) = text.split_at_checked(at).unwrap_or_default();
        let (head, tail) = (last_word(before), first_word(behind.get(1..).unwrap_or_default()));
        if !head.is_empty() && !tail.is_empty() {
            words.insert(format!("{head}-{tail}"));
        }
    }
    words
}

fn last_word(text: &str) -> &str {
    let start = text.char_indices().rev().take_while(|(_, sign)| sign.is_alphabetic()).last().map(|(at, _)| at);
    start.and_then(|at| text.get(at..)).unwrap_or_default()
}

fn first_word(text: &str) -> &str {
    let end = text.find(|sign: char| !sign.is_alphabetic()).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// Adds a line with `mod- ern` made `modern`.
fn push_joined(out: &mut String, line: &str, hyphened: &HashSet<String>) {
    let mut rest = line;
    while let Some(at) = rest.find("- ") {
        let (before, behind) = rest.split_at(at);
        let after = behind.trim_start_matches('-').trim_start_matches(' ');
        out.push_str(before);
        let join = if behind.starts_with("- ") { joint(before, after, hyphened) } else { Joint::Open };
        match join {
            Joint::Open => {
                let length = behind.len().saturating_sub(after.len());
                out.push_str(behind.get(..length).unwrap_or_default());
            }
            Joint::Hyphen => out.push('-'),
            Joint::Closed => {}
        }
        rest = after;
    }
    out.push_str(rest);
}

/// What is left between two halves.
enum Joint {
    /// The hyphen and the blank.
    Open,
    /// The hyphen.
    Hyphen,
    /// Nothing.
    Closed,
}

fn joint(before: &str, after: &str, hyphened: &HashSet<String>) -> Joint {
    let token = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let (head, tail) = (last_word(token), first_word(after));
    let lower = |word: &str, last: bool| {
        let sign = if last { word.chars().next_back() } else { word.chars().next() };
        sign.is_some_and(char::is_lowercase)
    };
    if head.chars().count() < 2 || !lower(head, true) || !lower(tail, false) || SUSPENDED.contains(&tail) {
        return Joint::Open;
    }
    // An address, or a word that has a hyphen elsewhere, keeps it.
    let compound = head.len() < token.len() && token.contains(['-', '/', '@', '_', '.']);
    if compound || hyphened.contains(&format!("{head}-{tail}")) { Joint::Hyphen } else { Joint::Closed }
}
