//! File names as text that can be read back: a shown name opens the file it names.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use crate::visible;

/// Shows a name. A name of plain characters that does not itself spell an escape is shown as it is; control characters and bytes that are not UTF-8
/// become `\xNN`, bidi, tag and invisible characters `\u{NNNN}`, blanks at either end `\x20`, and then a backslash is
/// doubled, so that [`unescape_name`] gives the same bytes again.
pub fn escape_name(name: &OsStr) -> String {
    // Nearly every name is printable ASCII, which is recognised without decoding it.
    let is_bare = |byte: &u8| matches!(byte, b'!'..=b'~') && *byte != b'\\';
    if name.as_bytes().iter().all(is_bare)
        && let Some(text) = name.to_str()
    {
        return text.to_owned();
    }
    if let Some(text) = name.to_str()
        && !text.chars().any(needs_escape)
        && text.trim_matches(' ') == text
        && unescape_name(text).is_none()
    {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(name.len() + 16);
    for chunk in name.as_bytes().utf8_chunks() {
        for character in chunk.valid().chars() {
            push_escaped(&mut shown, character);
        }
        for byte in chunk.invalid() {
            let _ = write!(shown, "\\x{byte:02x}");
        }
    }
    escape_blanks(&shown)
}

fn escape_blanks(shown: &str) -> String {
    let inner = shown.trim_matches(' ');
    let leading = shown.len() - shown.trim_start_matches(' ').len();
    let trailing = if inner.is_empty() { 0 } else { shown.len() - shown.trim_end_matches(' ').len() };
    format!("{}{inner}{}", "\\x20".repeat(leading), "\\x20".repeat(trailing))
}

/// Reads a name shown by [`escape_name`]; `None` when it holds no escape, or a broken one.
pub fn unescape_name(shown: &str) -> Option<OsString> {
    if !shown.contains('\\') {
        return None;
    }
    let mut bytes = Vec::with_capacity(shown.len());
    let mut rest = shown;
    while let Some((plain, escape)) = rest.split_once('\\') {
        bytes.extend_from_slice(plain.as_bytes());
        rest = take_escape(escape, &mut bytes)?;
    }
    bytes.extend_from_slice(rest.as_bytes());
    // No file has a NUL in its name.
    (!bytes.contains(&0)).then(|| OsString::from_vec(bytes))
}

fn take_escape<'a>(escape: &'a str, bytes: &mut Vec<u8>) -> Option<&'a str> {
    if let Some(rest) = escape.strip_prefix('\\') {
        bytes.push(b'\\');
        Some(rest)
    } else if let Some(hex) = escape.strip_prefix('x') {
        bytes.push(u8::try_from(hex_number(hex.get(..2)?)?).ok()?);
        hex.get(2..)
    } else {
        let (digits, rest) = escape.strip_prefix("u{")?.split_once('}')?;
        let character = char::from_u32(hex_number(digits)?)?;
        let mut buffer = [0; 4];
        bytes.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
        Some(rest)
    }
}

/// A number of hex digits alone; the standard parser would take a sign.
fn hex_number(digits: &str) -> Option<u32> {
    let plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| plain)
}

fn needs_escape(character: char) -> bool {
    character == '\t' || visible::class(character) != visible::CharClass::Plain
}

fn push_escaped(shown: &mut String, character: char) {
    match visible::class(character) {
        _ if character == '\t' => shown.push_str("\\x09"),
        visible::CharClass::Plain if character == '\\' => shown.push_str("\\\\"),
        visible::CharClass::Plain => shown.push(character),
        visible::CharClass::Control if character.is_ascii() => {
            let _ = write!(shown, "\\x{:02x}", u32::from(character));
        }
        visible::CharClass::Control
        | visible::CharClass::Bidi
        | visible::CharClass::Tag
        | visible::CharClass::Invisible => {
            let _ = write!(shown, "\\u{{{:04X}}}", u32::from(character));
        }
    }
}
