//! What is not given to a grammar: texts for which a parser would need far more memory than for programs, or that make
//! the scanner of a grammar write past its memory or end the process.

use std::collections::HashSet;

use crate::language::Language;

/// Brackets open at a time; a parser needs memory and time for each.
const MOST_BRACKETS: u32 = 5_000;
/// Words and signs of one statement. What is not ended stays on the stack of a parser, and where it can be read in
/// several ways the memory that is needed grows with the square of their number.
const MOST_TOKENS: u32 = 4_000;
/// Angle brackets open at a time in one statement: each may be one of two things.
const MOST_ANGLES: u32 = 1_000;
/// Indentations of different width. The scanner of Python keeps two bytes for each level and one for each open text in
/// a kilobyte, and does not look whether they fit.
const MOST_WIDTHS: usize = 300;

/// Elements of markup open at a time. Those that nobody closes (paragraphs, breaks) count as well.
const MOST_ELEMENTS: usize = 20_000;

/// Whether a text is nested deeper than any program is. What stands in texts and comments counts as well.
pub(crate) fn is_deep(language: Language, text: &str) -> bool {
    let ends = language.ends();
    has_deep_brackets(text)
        || ends != Ends::Never && has_long_statement(text, ends)
        || language.is_indented() && has_many_widths(text)
        || language.is_markup() && has_deep_elements(text)
}

/// What ends a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    /// Signs only.
    Signs,
    /// Lines as well, but for those that end with an operator.
    Lines,
    /// There are no statements.
    Never,
}

fn has_deep_brackets(text: &str) -> bool {
    let mut open = 0_u32;
    text.bytes().any(|byte| {
        match byte {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        open > MOST_BRACKETS
    })
}

fn has_deep_elements(text: &str) -> bool {
    let (bytes, mut open) = (text.as_bytes(), 0_usize);
    memchr::memchr_iter(b'<', bytes).any(|at| {
        match bytes.get(at + 1) {
            Some(b'/') => open = open.saturating_sub(1),
            Some(byte) if byte.is_ascii_alphabetic() => open += 1,
            _ => {}
        }
        open > MOST_ELEMENTS
    })
}

/// Whether too much stands between two signs that end a statement or a part of a list.
fn has_long_statement(text: &str, ends: Ends) -> bool {
    let (mut count, mut angles) = (0_u32, 0_u32);
    // The last sign but for blanks, and whether it goes on with what stands before it.
    let (mut last, mut joined) = (b' ', Sign::Blank);
    text.bytes().any(|byte| {
        let sign = sign_of(byte);
        match byte {
            b',' => count = 0,
            b';' | b'{' | b'}' => (count, angles) = (0, 0),
            b'\n' if ends == Ends::Lines && sign_of(last) != Sign::Operator => (count, angles) = (0, 0),
            _ if sign != Sign::Blank && (sign != joined || sign == Sign::Operator && byte != last) => count += 1,
            _ => {}
        }
        match byte {
            b'<' => angles += 1,
            b'>' => angles = angles.saturating_sub(1),
            _ => {}
        }
        last = if sign == Sign::Blank { last } else { byte };
        joined = sign;
        count > MOST_TOKENS || angles > MOST_ANGLES
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Blank,
    Word,
    /// Quotes and brackets, with which a line can end.
    Closing,
    Operator,
}

fn sign_of(byte: u8) -> Sign {
    match byte {
        b' ' | b'\t' | b'\r' | b'\n' => Sign::Blank,
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | 0x80.. => Sign::Word,
        b'"' | b'\'' | b'`' | b')' | b']' | b'}' | b'>' => Sign::Closing,
        _ => Sign::Operator,
    }
}

/// Whether lines begin at too many different columns. A line that ends with a backslash goes on with its blanks.
fn has_many_widths(text: &str) -> bool {
    let mut widths = HashSet::new();
    memchr::memchr_iter(b'\n', text.as_bytes()).any(|end| {
        let width = width(text.as_bytes().get(end + 1..).unwrap_or_default());
        width.is_none_or(|width| widths.insert(width) && widths.len() > MOST_WIDTHS)
    })
}

/// How wide the scanner of Python takes the blanks to be that a line begins with; none where too many lines of nothing
/// but blanks go on with another one.
fn width(rest: &[u8]) -> Option<u16> {
    let (mut width, mut lines) = (0_u16, 0);
    let mut signs = rest.iter().copied().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            b' ' => width = width.wrapping_add(1),
            b'\t' => width = width.wrapping_add(8),
            b'\r' | 0x0c => width = 0,
            b'\\' => {
                signs.next_if_eq(&b'\r');
                if signs.next() != Some(b'\n') {
                    break;
                }
                lines += 1;
                if lines > MOST_JOINED {
                    return None;
                }
            }
            // The line behind a blank one counts for itself.
            _ => break,
        }
    }
    Some(width)
}

/// Lines of nothing but blanks, one behind the other, that end with a backslash.
const MOST_JOINED: usize = 64;
