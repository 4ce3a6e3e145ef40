//! Markdown of a page made fit for reading.

use std::borrow::Cow;

/// Words before which a hyphen stands for a part that follows later, as in `pre- and postwar`.
const SUSPENDED: [&str; 14] = ["and", "or", "to", "und", "oder", "bis", "et", "ou", "y", "o", "e", "en", "of", "as"];

/// Joins words that a line break has divided, and drops needless blanks.
pub(super) fn tidy(text: &str) -> String {
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
            push_joined(&mut out, &bare(line), text);
        }
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out
}

/// A line without the backslashes that protect nothing: of underscores in a word, and of brackets where no link is.
fn bare(line: &str) -> Cow<'_, str> {
    if !line.contains('\\') {
        return Cow::Borrowed(line);
    }
    let links = line.contains("](");
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once('\\') {
        out.push_str(before);
        let mut signs = behind.chars();
        let (escaped, after) = (signs.next(), signs.next());
        let inside = out.ends_with(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric);
        let needless = match escaped {
            Some('_') => inside,
            Some('[' | ']') => !links,
            Some(_) | None => false,
        };
        if !needless {
            out.push('\\');
        }
        let taken = escaped.map_or(0, char::len_utf8);
        out.push_str(behind.get(..taken).unwrap_or_default());
        rest = behind.get(taken..).unwrap_or_default();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Adds a line with `mod- ern` made `modern`.
fn push_joined(out: &mut String, line: &str, page: &str) {
    let mut rest = line;
    while let Some(at) = rest.find("- ") {
        let (before, behind) = rest.split_at(at);
        let after = behind.trim_start_matches('-').trim_start_matches(' ');
        out.push_str(before);
        let join = if behind.starts_with("- ") { joint(before, after, page) } else { Joint::Open };
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

fn joint(before: &str, after: &str, page: &str) -> Joint {
    let token = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let start = token.char_indices().rev().take_while(|(_, sign)| sign.is_alphabetic()).last().map(|(at, _)| at);
    let head = start.and_then(|at| token.get(at..)).unwrap_or_default();
    let end = after.find(|sign: char| !sign.is_alphabetic()).unwrap_or(after.len());
    let tail = after.get(..end).unwrap_or_default();
    let lower = |word: &str, last: bool| {
        let sign = if last { word.chars().next_back() } else { word.chars().next() };
        sign.is_some_and(char::is_lowercase)
    };
    if head.chars().count() < 2 || !lower(head, true) || !lower(tail, false) || SUSPENDED.contains(&tail) {
        return Joint::Open;
    }
    // An address, or a word that has a hyphen elsewhere, keeps it.
    let compound = head.len() < token.len() && token.contains(['-', '/', '@', '_', '.']);
    if compound || page.contains(&format!("{head}-{tail}")) { Joint::Hyphen } else { Joint::Closed }
}
