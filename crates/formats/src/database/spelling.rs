//! How names and keys are written in addresses, and read back.

use std::borrow::Cow;
use std::ffi::OsStr;

use readstone_base::{Marks, Percent, Visible, escape_name};

use crate::readings::readings;

/// A name of a table or column in quotes, as SQL wants it.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A text in quotes, as SQL wants it.
pub(super) fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// How the name that is empty is written.
const EMPTY: &str = "''";

/// The name of a table as it is shown and can be read back.
pub(super) fn shown_table(name: &str) -> String {
    if name.is_empty() { EMPTY.to_owned() } else { shown(name) }
}

/// What the name of a table in an address may mean, the literal first.
pub(super) fn table_readings(text: &str) -> Vec<String> {
    let mut readings = readings(text);
    readings.extend((text == EMPTY).then(String::new));
    readings
}

/// A name as it is shown and can be read back.
pub(super) fn shown(name: &str) -> String {
    escape_name(OsStr::new(name))
}

/// Whether a text is shown as it is.
pub(super) fn is_visible(text: &str) -> bool {
    Visible::of(text).marks == Marks::default()
}

/// The text with percent signs, and all that is not shown as it is, as `%XX`, and the ampersands for whose followers
/// `ends` is true.
pub(super) fn encoded(text: &str, ends: impl Fn(&str) -> bool) -> String {
    let mut spelled = String::with_capacity(text.len() + 16);
    for (at, character) in text.char_indices() {
        let behind = text.get(at + character.len_utf8()..).unwrap_or_default();
        let mut buffer = [0; 4];
        let one = character.encode_utf8(&mut buffer);
        if character == '%' || !is_visible(one) || (character == '&' && ends(behind)) {
            one.bytes().for_each(|byte| push_encoded(&mut spelled, byte));
        } else {
            spelled.push(character);
        }
    }
    spelled
}

fn push_encoded(spelled: &mut String, byte: u8) {
    let digit = |digit: u8| char::from_digit(u32::from(digit), 16).map(|digit| digit.to_ascii_uppercase());
    spelled.push('%');
    spelled.extend([byte >> 4, byte & 15].into_iter().filter_map(digit));
}

/// A query that was written as in a web form; there a blank is a plus sign, when nothing else is.
pub(super) fn decoded_query(text: &str) -> Option<String> {
    let has_blanks = text.bytes().any(|byte| byte.is_ascii_whitespace());
    let spaced = if has_blanks { Cow::Borrowed(text) } else { Cow::Owned(text.replace('+', "%20")) };
    Percent::of(&spaced).loose()
}

/// A key as the caller wrote it, in a form that can be shown.
pub(super) fn key_shown(text: &str) -> String {
    if is_visible(text) { text.to_owned() } else { encoded(text, |_| false) }
}

/// Pairs of hex digits as bytes.
pub(super) fn hex_bytes(text: &str) -> Option<Vec<u8>> {
    let digits = text.chars().map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok()));
    let digits = digits.collect::<Option<Vec<_>>>()?;
    let (pairs, rest) = digits.as_chunks::<2>();
    rest.is_empty().then(|| pairs.iter().map(|[high, low]| high << 4 | low).collect())
}
