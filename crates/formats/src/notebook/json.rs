//! JSON as slices of the file it stands in, so that what is not changed keeps its spelling.
//!
//! The text is proved sound once by [`check`]; walking it afterwards only has to find where things begin and end, never
//! recurses, and builds no tree.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, Visitor};

/// Deeper nesting than this is refused, as most readers of JSON do.
const MOST_DEPTH: usize = 128;

/// Whether a text is sound JSON of bearable depth; else what is wrong with it.
pub(super) fn check(text: &str) -> Result<(), String> {
    if text.trim().is_empty() {
        return Err("it is empty".to_owned());
    }
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| format!("it is not JSON: {error}"))?;
    if skip_nested(text, MOST_DEPTH).is_none() {
        return Err(format!("it is nested more than {MOST_DEPTH} levels deep"));
    }
    Ok(())
}

/// A value: its text, and where in the file it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Json<'a> {
    /// The text of the value, without blanks around it.
    pub(super) text: &'a str,
    /// The offset of its first byte.
    pub(super) at: usize,
}

/// A member of an object.
#[derive(Clone, Debug)]
pub(super) struct Member<'a> {
    /// The name.
    pub(super) key: Cow<'a, str>,
    /// The value.
    pub(super) value: Json<'a>,
}

impl<'a> Json<'a> {
    /// The value of a whole text that passed [`check`].
    pub(super) fn root(text: &'a str) -> Self {
        Walk { text, base: 0, at: 0 }.value()
    }

    /// The offset behind its last byte.
    pub(super) fn end(self) -> usize {
        self.at + self.text.len()
    }

    /// The members of an object, in their order; `None` when it is none.
    pub(super) fn members(self) -> Option<impl Iterator<Item = Member<'a>>> {
        let mut walk = self.inside('{')?;
        Some(std::iter::from_fn(move || {
            walk.more().then(|| {
                let key = walk.value();
                walk.skip(b':');
                Member { key: key.shown().unwrap_or_default(), value: walk.value() }
            })
        }))
    }

    /// The elements of a list, in their order; `None` when it is none.
    pub(super) fn elements(self) -> Option<impl Iterator<Item = Self>> {
        let mut walk = self.inside('[')?;
        Some(std::iter::from_fn(move || walk.more().then(|| walk.value())))
    }

    /// The characters of a string; `None` when it is none, or holds half a surrogate pair.
    pub(super) fn string(self) -> Option<Cow<'a, str>> {
        let inner = self.text.strip_prefix('"')?.strip_suffix('"')?;
        if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
            return Some(Cow::Borrowed(inner));
        }
        let mut decoded = String::with_capacity(inner.len());
        push_decoded(&mut decoded, inner).then_some(Cow::Owned(decoded)).or_else(|| {
            let decoded: String = serde_json::from_str(self.text).ok()?;
            Some(Cow::Owned(decoded))
        })
    }

    /// The characters of a string, with U+FFFD for what is none.
    pub(super) fn shown(self) -> Option<Cow<'a, str>> {
        if !self.text.starts_with('"') {
            return None;
        }
        self.string().or_else(|| {
            let mut reader = serde_json::Deserializer::from_str(self.text);
            let bytes = reader.deserialize_bytes(Loose).ok()?;
            Some(Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()))
        })
    }

    /// A string, or a list of strings joined, as notebooks hold text of several lines; exact.
    pub(super) fn joined(self) -> Option<Cow<'a, str>> {
        self.join(Self::string)
    }

    /// The same with U+FFFD for what is no character.
    pub(super) fn joined_shown(self) -> Option<Cow<'a, str>> {
        self.join(Self::shown)
    }

    fn join(self, decode: fn(Self) -> Option<Cow<'a, str>>) -> Option<Cow<'a, str>> {
        let Some(elements) = self.elements() else {
            return decode(self);
        };
        let mut joined = String::new();
        for element in elements {
            let start = joined.len();
            let inner = element.text.strip_prefix('"')?.strip_suffix('"')?;
            if !push_decoded(&mut joined, inner) {
                joined.truncate(start);
                joined.push_str(&decode(element)?);
            }
        }
        Some(Cow::Owned(joined))
    }

    /// A whole number.
    pub(super) fn number(self) -> Option<u64> {
        self.text.parse().ok()
    }

    fn inside(self, open: char) -> Option<Walk<'a>> {
        self.text.starts_with(open).then_some(Walk { text: self.text, base: self.at, at: 1 })
    }
}

/// Walks through sound JSON.
#[derive(Clone, Copy, Debug)]
struct Walk<'a> {
    text: &'a str,
    base: usize,
    at: usize,
}

impl<'a> Walk<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_blanks(&mut self) {
        self.at += self.rest().bytes().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')).count();
    }

    fn skip(&mut self, byte: u8) {
        self.skip_blanks();
        self.at += usize::from(self.rest().as_bytes().first() == Some(&byte));
    }

    /// Whether another member or element follows; steps over the comma before it.
    fn more(&mut self) -> bool {
        self.skip(b',');
        self.skip_blanks();
        !matches!(self.rest().as_bytes().first(), None | Some(b']' | b'}'))
    }

    fn value(&mut self) -> Json<'a> {
        self.skip_blanks();
        let rest = self.rest();
        let length = match rest.as_bytes().first() {
            Some(b'"') => string_length(rest),
            Some(b'{' | b'[') => skip_nested(rest, usize::MAX).unwrap_or(rest.len()),
            Some(_) | None => rest.bytes().take_while(|byte| !b",]} \t\r\n:".contains(byte)).count(),
        };
        let value = Json { text: rest.get(..length).unwrap_or_default(), at: self.base + self.at };
        self.at += length;
        value
    }
}

/// Decodes the inside of a string that has no escapes but the short ones; false when it has, and is decoded in part.
fn push_decoded(out: &mut String, inner: &str) -> bool {
    let mut rest = inner;
    while let Some((plain, escape)) = rest.split_once('\\') {
        out.push_str(plain);
        let character = match escape.as_bytes().first() {
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{C}',
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(_) | None => return false,
        };
        out.push(character);
        rest = escape.get(1..).unwrap_or_default();
    }
    out.push_str(rest);
    true
}

/// The length of the string at the beginning of a text.
fn string_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        match memchr::memchr2(b'"', b'\\', rest) {
            Some(found) if rest.get(found) == Some(&b'"') => return at + found + 1,
            Some(found) => at += found + 2,
            None => return bytes.len(),
        }
    }
}

/// The length of the object or list that a text begins with; `None` when it is nested deeper than `most` levels.
fn skip_nested(text: &str, most: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(found) = rest.iter().position(|byte| matches!(byte, b'"' | b'[' | b']' | b'{' | b'}')) else {
            return Some(bytes.len());
        };
        at += found;
        match bytes.get(at) {
            Some(b'"') => at += string_length(text.get(at..).unwrap_or_default()),
            Some(b'[' | b'{') => {
                (at, depth) = (at + 1, depth + 1);
                if depth > most {
                    return None;
                }
            }
            Some(_) | None => (at, depth) = (at + 1, depth.saturating_sub(1)),
        }
        if depth == 0 {
            return Some(at);
        }
    }
}

/// Takes the bytes of a string that may hold half a surrogate pair.
struct Loose;

impl Visitor<'_> for Loose {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Vec<u8>, E> {
        Ok(text.as_bytes().to_vec())
    }
}

/// A string in JSON.
pub(super) fn quoted(text: &str, letters: Letters) -> String {
    let quoted = serde_json::to_string(text).unwrap_or_default();
    if letters == Letters::Any || quoted.is_ascii() {
        return quoted;
    }
    let mut ascii = String::with_capacity(quoted.len() * 2);
    for character in quoted.chars() {
        if character.is_ascii() {
            ascii.push(character);
            continue;
        }
        let mut units = [0; 2];
        for unit in character.encode_utf16(&mut units) {
            // Writing to a String cannot fail.
            let _ = fmt::Write::write_fmt(&mut ascii, format_args!("\\u{unit:04x}"));
        }
    }
    ascii
}

/// Which letters a file writes as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Letters {
    /// Any.
    Any,
    /// Those of ASCII; others are escaped.
    Ascii,
}
