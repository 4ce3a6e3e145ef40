//! One line of a rule file, read as git reads it.

use super::glob::{Field, Glob};

/// A rule.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) verdict: Verdict,
    /// Whether it speaks of directories only.
    pub(super) directories: bool,
    pub(super) shape: Shape,
}

/// What a rule says of what it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is left out.
    Ignore,
    /// It is looked at all the same.
    Keep,
}

/// What a rule matches.
#[derive(Debug)]
pub(super) enum Shape {
    /// This name, wherever it stands.
    Name(Box<[u8]>),
    /// Names that end so.
    End(Box<[u8]>),
    /// Names.
    Names(Glob),
    /// Paths that begin so and go on as the glob says, or are this.
    Path(Box<[u8]>, Option<Glob>),
}

/// What a line holds.
#[derive(Debug)]
pub(super) enum Line {
    /// A comment, or nothing.
    Nothing,
    /// A rule.
    Rule(Rule),
    /// No rule, though it is meant to be one.
    Bad,
}

/// A line is read up to here; a longer one could name nothing.
const MOST_BYTES: usize = 4 * 1024;

impl Line {
    /// Reads a line without its line feed.
    pub(super) fn read(line: &[u8]) -> Self {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.first() == Some(&b'#') {
            return Self::Nothing;
        }
        let line = without_blanks(line);
        if line.is_empty() {
            return Self::Nothing;
        }
        if line.len() > MOST_BYTES || memchr::memchr(0, line).is_some() {
            return Self::Bad;
        }
        let (verdict, pattern) = match line {
            [b'!', rest @ ..] => (Verdict::Keep, rest),
            rest => (Verdict::Ignore, rest),
        };
        let (directories, pattern) = match pattern {
            [rest @ .., b'/'] => (true, rest),
            rest => (false, rest),
        };
        match shape(pattern) {
            Some(shape) => Self::Rule(Rule { verdict, directories, shape }),
            None => Self::Bad,
        }
    }
}

/// Takes away blanks at the end that are not escaped.
fn without_blanks(line: &[u8]) -> &[u8] {
    let mut end = 0;
    let mut bytes = line.iter().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b' ' => {}
            b'\\' => match bytes.next() {
                Some((at, _)) => end = at + 1,
                // What stands before a lone backslash stays as it is.
                None => return line,
            },
            _ => end = at + 1,
        }
    }
    line.get(..end).unwrap_or(line)
}

/// What a pattern without its marks matches; none when it can match nothing.
fn shape(pattern: &[u8]) -> Option<Shape> {
    if pattern.is_empty() {
        return None;
    }
    if memchr::memchr(b'/', pattern).is_none() {
        return name(pattern);
    }
    let path = pattern.strip_prefix(b"/").unwrap_or(pattern);
    // Any number of directories before a name is what a name alone means.
    if let Some(rest) = path.strip_prefix(b"**/")
        && memchr::memchr(b'/', rest).is_none()
    {
        return name(rest);
    }
    let plain = plain_length(path);
    let (prefix, rest) = path.split_at_checked(plain)?;
    // What is left is read as if it stood alone: so does git.
    let glob = if rest.is_empty() { None } else { Some(Glob::new(rest, Field::Path)?) };
    Some(Shape::Path(prefix.into(), glob))
}

fn name(pattern: &[u8]) -> Option<Shape> {
    let is_plain = |pattern: &[u8]| plain_length(pattern) == pattern.len();
    match pattern {
        [] => None,
        [b'*', end @ ..] if is_plain(end) => Some(Shape::End(end.into())),
        pattern if is_plain(pattern) => Some(Shape::Name(pattern.into())),
        pattern => Glob::new(pattern, Field::Name).map(Shape::Names),
    }
}

/// How many bytes at the beginning of a pattern stand for themselves.
fn plain_length(pattern: &[u8]) -> usize {
    pattern.iter().position(|byte| matches!(byte, b'*' | b'?' | b'[' | b'\\')).unwrap_or(pattern.len())
}
