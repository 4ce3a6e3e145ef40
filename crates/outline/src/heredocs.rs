//! Ruby without its here-documents: the scanner of the grammar keeps their words in a kilobyte, and a word of more than
//! 255 letters or too many of them at a time end the process.
//!
//! The text keeps its length and its lines. `<<~WORD` becomes an empty text, and blanks stand for the lines up to the
//! one with the word; without such a line `<<` becomes a sign that begins no here-document.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// A place where a here-document may begin.
struct Start<'t> {
    /// `<<` and what follows up to the end of the word.
    bytes: Range<usize>,
    word: &'t str,
    /// Whether blanks may stand before the word that ends it.
    indented: bool,
}

/// The text for the grammar.
pub(crate) fn without_heredocs(text: &str) -> Cow<'_, str> {
    if !text.contains("<<") {
        return Cow::Borrowed(text);
    }
    let words = Words::of(text);
    let mut code = text.as_bytes().to_vec();
    let mut from = 0;
    while from < text.len() {
        let end = text.get(from..).and_then(|rest| rest.find('\n')).map_or(text.len(), |at| from + at + 1);
        let line = text.get(from..end).unwrap_or_default();
        let is_comment = line.trim_start().starts_with('#');
        let mut behind = end;
        for start in starts(line, from) {
            match words.end(&start, behind).filter(|_| !is_comment) {
                Some(last) => {
                    blank(&mut code, start.bytes.clone());
                    put(&mut code, start.bytes.start, b"\"\"");
                    blank(&mut code, behind..last);
                    behind = last;
                }
                None => defuse(&mut code, &start, line),
            }
        }
        from = behind;
    }
    Cow::Owned(String::from_utf8(code).unwrap_or_default())
}

/// Makes something else of a place where no here-document begins: `class <<self` has a singleton, others push.
fn defuse(code: &mut [u8], start: &Start<'_>, line: &str) {
    let class = line.trim_start().starts_with("class");
    let first = start.bytes.end - start.word.len();
    let letter = start.word.chars().next().filter(|_| class && start.bytes.len() > 3);
    match letter {
        Some(letter) if first == start.bytes.start + 2 => blank(code, first..first + letter.len_utf8()),
        Some(_) | None => put(code, start.bytes.start, b"+ "),
    }
}

fn put(code: &mut [u8], at: usize, signs: &[u8]) {
    if let Some(place) = code.get_mut(at..at + signs.len()) {
        place.copy_from_slice(signs);
    }
}

fn blank(code: &mut [u8], bytes: Range<usize>) {
    for byte in code.get_mut(bytes).into_iter().flatten().filter(|byte| !matches!(byte, b'\n' | b'\r')) {
        *byte = b' ';
    }
}

/// The places in a line, which begins at a byte, where a here-document may begin.
fn starts(line: &str, from: usize) -> Vec<Start<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(sign) = line.get(at..).and_then(|rest| rest.find("<<")) {
        let first = at + sign;
        at = first + 1;
        let rest = line.get(first + 2..).unwrap_or_default();
        let plain = rest.strip_prefix(['-', '~']).unwrap_or(rest);
        let indented = plain.len() < rest.len();
        let quote = plain.chars().next().filter(|sign| matches!(sign, '"' | '\'' | '`'));
        let inside = plain.get(usize::from(quote.is_some())..).unwrap_or_default();
        let is_end = |sign: char| quote.map_or(sign.is_ascii() && !is_letter(sign), |quote| sign == quote);
        let length = inside.find(is_end).unwrap_or(inside.trim_end_matches(['\n', '\r']).len());
        if quote.is_none() && length == 0 {
            continue;
        }
        let word = inside.get(..length).unwrap_or_default();
        let after = inside.get(length..).and_then(|rest| rest.chars().next());
        let closed = usize::from(quote.is_some() && after == quote);
        let end = line.len() - inside.len() + length;
        found.push(Start { bytes: from + first..from + end + closed, word, indented });
        at = end + closed;
    }
    found
}

fn is_letter(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || sign == '_'
}

/// The lines of a text that may end a here-document, by what stands on them.
struct Words<'t> {
    lines: HashMap<&'t str, Vec<(usize, usize, bool)>>,
}

impl<'t> Words<'t> {
    fn of(text: &'t str) -> Self {
        let mut lines: HashMap<&str, Vec<(usize, usize, bool)>> = HashMap::new();
        let mut from = 0;
        for line in text.split_inclusive('\n') {
            let own = line.trim_end_matches(['\n', '\r']);
            let word = own.trim_start();
            if !word.is_empty() {
                lines.entry(word).or_default().push((from, from + own.len(), word.len() < own.len()));
            }
            from += line.len();
        }
        Self { lines }
    }

    /// Where the line ends that ends a here-document whose text begins at a byte.
    fn end(&self, start: &Start<'_>, from: usize) -> Option<usize> {
        let lines = self.lines.get(start.word)?;
        let behind = lines.partition_point(|(first, _, _)| *first < from);
        let fits = |(_, _, indented): &&(usize, usize, bool)| start.indented || !*indented;
        lines.get(behind..)?.iter().take(MOST_LINES).find(fits).map(|(_, end, _)| *end)
    }
}

/// Lines with the word of a here-document that are looked at.
const MOST_LINES: usize = 1_000;
