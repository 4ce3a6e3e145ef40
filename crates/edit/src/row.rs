//! A row of a patch, by what it is: a header, an operation, text, or something that does not belong there.

use readstone_base::{Span, Tag};

use crate::error::Foreign;
use crate::patch::Op;

/// What one line of a patch is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Row<'a> {
    /// `¶PATH#TAG`.
    Header(Header<'a>),
    /// An operation.
    Operation(Op),
    /// `+TEXT`.
    Body(&'a str),
    /// Text without its sign.
    Bare(&'a str),
    /// Nothing but blanks.
    Blank,
    /// `*** Begin Patch` or `*** End Patch`, which say nothing.
    Envelope,
    /// A row that begins with `-`.
    Minus,
    /// An operation that takes no rows, with the colon of one that does.
    Colon(Op),
    /// A range that ends before it starts.
    Reversed(Span),
    /// Numbers without an operation.
    Numbers(Span),
    /// What begins as an operation and goes on otherwise.
    Malformed,
    /// The language of another tool.
    Foreign(Foreign),
}

/// What a header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header<'a> {
    pub(crate) path: &'a str,
    pub(crate) tag: Result<Tag, Option<&'a str>>,
}

/// Whether a line takes the whole patch back.
pub(crate) fn aborts(line: &str) -> bool {
    line.trim_end() == "*** Abort"
}

/// Says what a line is. Text is safe behind a `+`; whatever else looks like a part of the language is taken for one.
pub(crate) fn read(line: &str) -> Row<'_> {
    if let Some(text) = line.strip_prefix('+') {
        return Row::Body(text);
    }
    let bare = line.trim();
    if bare.is_empty() {
        return Row::Blank;
    }
    if bare.starts_with('¶') {
        return Row::Header(header(bare));
    }
    if let Some(header) = as_found(bare) {
        return Row::Header(header);
    }
    if line.starts_with("***") {
        return stars(line);
    }
    if bare.starts_with("@@") {
        let unified = bare.trim_start_matches('@').trim_start().starts_with(['-', '+']);
        return Row::Foreign(if unified { Foreign::UnifiedDiff } else { Foreign::Brackets });
    }
    if line.starts_with('-') {
        return Row::Minus;
    }
    if let Some(span) = range(bare.strip_suffix(':').unwrap_or(bare)) {
        return Row::Numbers(span);
    }
    let text = || if is_slip(bare) { Row::Malformed } else { Row::Bare(line) };
    operation(bare).unwrap_or_else(text)
}

/// A header as a search of several files shows it: `# PATH#TAG`.
fn as_found(bare: &str) -> Option<Header<'_>> {
    let (path, tag) = bare.strip_prefix("# ")?.rsplit_once('#')?;
    let upper = !tag.bytes().any(|byte| byte.is_ascii_lowercase());
    let tag = tag.parse().ok().filter(|_| upper && !path.is_empty() && !path.ends_with(char::is_whitespace))?;
    Some(Header { path, tag: Ok(tag) })
}

/// Whether text without its sign is rather a slip than text: an operation in other words, a header without its sign, the
/// fence of a code block. Text that looks so is safe behind a `+`.
fn is_slip(bare: &str) -> bool {
    let verbs = ["replace", "delete", "insert", "remove", "append"];
    let places = ["line", "lines", "block", "before", "after", "at", "to", "from", "head", "tail"];
    let mut words = bare.trim_end_matches(':').split_whitespace().map(str::to_ascii_lowercase);
    let verb = words.next().is_some_and(|word| verbs.contains(&word.as_str()));
    let is_number = |word: &str| {
        word.starts_with(|first: char| first.is_ascii_digit())
            && word.chars().all(|letter| letter.is_ascii_digit() || ".-–…,".contains(letter))
    };
    let mut rest = words.peekable();
    let operation =
        verb && rest.peek().is_some() && rest.all(|word| places.contains(&word.as_str()) || is_number(&word));
    let header = bare.rsplit_once('#').is_some_and(|(path, tag)| {
        let named = !path.is_empty() && !path.contains(char::is_whitespace) && path.contains(['.', '/']);
        named && tag.parse::<Tag>().is_ok() && !tag.bytes().any(|byte| byte.is_ascii_lowercase())
    });
    operation || header || bare.starts_with("```")
}

/// What follows the sign, without what other tools write around a path.
fn header(line: &str) -> Header<'_> {
    let rest = line.trim_end_matches(|last: char| last == '*' || last.is_whitespace());
    // The sign stands once: a second one belongs to the name.
    let mut rest = rest.strip_prefix('¶').unwrap_or(rest);
    loop {
        let before = rest;
        rest = rest.trim_start();
        for noise in ["***", "Update File:", "Add File:"] {
            rest = rest.strip_prefix(noise).unwrap_or(rest);
        }
        if rest.len() == before.len() {
            break;
        }
    }
    match rest.rsplit_once('#') {
        Some((path, tag)) => match tag.parse() {
            Ok(tag) => Header { path: path.trim_end(), tag: Ok(tag) },
            Err(()) => Header { path: path.trim_end(), tag: Err(Some(tag)) },
        },
        None => Header { path: rest, tag: Err(None) },
    }
}

/// A line that begins as the marks of `apply_patch` do.
fn stars(line: &str) -> Row<'_> {
    let words = line.trim_start_matches('*').trim();
    if ["Begin Patch", "End Patch"].contains(&words) {
        return Row::Envelope;
    }
    let keyword = ["Update File:", "Add File:", "Delete File:", "Move to:", "End of File"]
        .into_iter()
        .find(|keyword| words.starts_with(keyword));
    let sign = keyword.map_or(words, |keyword| words.strip_prefix(keyword).unwrap_or(words).trim_start());
    if sign.starts_with('¶') && matches!(keyword, None | Some("Update File:" | "Add File:")) {
        let header = header(sign);
        if header.tag.is_ok() {
            return Row::Header(header);
        }
    }
    if keyword.is_some() || sign.starts_with('¶') { Row::Foreign(Foreign::ApplyPatch) } else { Row::Bare(line) }
}

/// Reads a row that begins with one of the verbs; nothing where it is other text.
fn operation(bare: &str) -> Option<Row<'_>> {
    let (verb, rest) = bare.split_once(char::is_whitespace)?;
    let rest = rest.trim_start();
    let (words, colon) = match rest.strip_suffix(':') {
        Some(words) => (words.trim_end(), Colon::Written),
        None => (rest, Colon::Missing),
    };
    let row = match verb {
        "replace" => ranged(words, Op::Replace, Op::ReplaceBlock),
        "delete" => ranged(words, Op::Delete, Op::DeleteBlock).map(|row| match (row, colon) {
            (Row::Operation(op), Colon::Written) => Row::Colon(op),
            (row, Colon::Written | Colon::Missing) => row,
        }),
        "insert" => insertion(words),
        _ => return None,
    };
    row.or_else(|| unfinished(words, colon))
}

/// Whether a row ends as those do that are followed by others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Colon {
    Written,
    Missing,
}

fn ranged<'a>(words: &str, lines: fn(Span) -> Op, block: fn(u64) -> Op) -> Option<Row<'a>> {
    if let Some(line) = after_word(words, "block").and_then(number) {
        return Some(Row::Operation(block(line)));
    }
    let span = range(words)?;
    Some(if span.last < span.first { Row::Reversed(span) } else { Row::Operation(lines(span)) })
}

fn insertion<'a>(words: &str) -> Option<Row<'a>> {
    let op = match words {
        "head" => Op::Head,
        "tail" => Op::Tail,
        _ => match (after_word(words, "before"), after_word(words, "after")) {
            (Some(line), _) => Op::Before(number(line)?),
            (None, Some(line)) => match after_word(line, "block") {
                Some(line) => Op::AfterBlock(number(line)?),
                None => Op::After(number(line)?),
            },
            (None, None) => return None,
        },
    };
    Some(Row::Operation(op))
}

/// What cannot be meant as text: a verb and the number of a line with something wrong behind it, or no number at all.
fn unfinished<'a>(words: &str, colon: Colon) -> Option<Row<'a>> {
    let mut rest = words;
    for word in ["before", "after", "block"] {
        rest = after_word(rest, word).unwrap_or(rest);
    }
    let named = rest.len() < words.len() || ["before", "after", "block"].contains(&rest);
    let nothing = named && colon == Colon::Written && (rest.is_empty() || !rest.contains(char::is_whitespace));
    (rest.starts_with(|first: char| first.is_ascii_digit()) || nothing).then_some(Row::Malformed)
}

/// What stands behind a word.
fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(word)?;
    rest.starts_with(char::is_whitespace).then(|| rest.trim_start())
}

/// `N`, `N..M`, `N-M`, `N…M` or `N M`.
fn range(text: &str) -> Option<Span> {
    let text = text.trim();
    if let Some(line) = number(text) {
        return Some(Span::new(line, line));
    }
    let digits = text.find(|letter: char| !letter.is_ascii_digit())?;
    let (first, rest) = text.split_at(digits);
    let between = rest.trim_start();
    let last = ["..", "…", "-"].into_iter().find_map(|sign| between.strip_prefix(sign)).or_else(|| {
        // Without a sign the blanks are what separates the numbers.
        (between.len() < rest.len()).then_some(between)
    })?;
    Some(Span::new(number(first)?, number(last.trim_start())?))
}

/// A number of a line; one that no file can have stays larger than every file.
fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}
