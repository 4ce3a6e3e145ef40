//! How names and keys are written in addresses, and read back.

use std::ffi::OsStr;

use readstone_base::{escape_name, unescape_name};

/// A name of a table or column in quotes, as SQL wants it.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A name as it is shown and can be read back.
pub(super) fn shown(name: &str) -> String {
    escape_name(OsStr::new(name))
}

/// What a name in an address may mean, the literal first.
pub(super) fn readings(text: &str) -> Vec<String> {
    let mut readings = vec![text.to_owned()];
    readings.extend(unescape_name(text).and_then(|name| name.into_string().ok()));
    readings.extend(decoded(text));
    readings
}

/// The text with `%XX` taken as bytes; `None` when there is none, or what comes out is no text.
pub(super) fn decoded(text: &str) -> Option<String> {
    if !text.contains('%') {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    let mut found = false;
    while let Some((first, behind)) = rest.split_first() {
        let pair = behind.get(..2).and_then(hex_pair).filter(|_| *first == b'%');
        bytes.push(pair.unwrap_or(*first));
        found |= pair.is_some();
        rest = if pair.is_some() { behind.get(2..).unwrap_or_default() } else { behind };
    }
    if found { String::from_utf8(bytes).ok() } else { None }
}

/// A query that was written as in a web form; there a blank is a plus sign, when nothing else is.
pub(super) fn decoded_query(text: &str) -> Option<String> {
    let has_blanks = text.bytes().any(|byte| byte.is_ascii_whitespace());
    if has_blanks || !text.contains('+') { decoded(text) } else { decoded(&text.replace('+', "%20")) }
}

fn hex_pair(pair: &[u8]) -> Option<u8> {
    let [high, low] = pair else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()
}

/// A key as it stands in an address; only what would be taken for something else is encoded.
pub(super) fn key(text: &str, among_others: Among) -> String {
    let comma = among_others == Among::Several && text.contains(',');
    let plain = !text.contains(':') && !comma && shown(text) == text && decoded(text).is_none() && !text.is_empty();
    if plain {
        return text.to_owned();
    }
    let mut spelled = String::with_capacity(text.len() + 8);
    for byte in text.bytes() {
        match byte {
            b':' | b'%' | b'\\' | b',' | 0..=b' ' | 0x7F..=0xFF => {
                spelled.push('%');
                spelled
                    .extend([byte >> 4, byte & 15].iter().filter_map(|digit| char::from_digit(u32::from(*digit), 16)));
            }
            _ => spelled.push(char::from(byte)),
        }
    }
    spelled
}

/// Whether a key has several parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Among {
    /// It is all there is.
    Alone,
    /// Others stand beside it.
    Several,
}
