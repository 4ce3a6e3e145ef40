//! Escapes: how a page spells bytes and characters that a reader could not see.

use std::fmt::Write as _;

/// The bytes of an escaped text: `\n`, `\r`, `\t`, `\\`, `\"`, `\xNN` for a byte, `\u{N}` for a character.
pub(super) fn bytes(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((plain, escape)) = rest.split_once('\\') {
        bytes.extend_from_slice(plain.as_bytes());
        let mut letters = escape.chars();
        match letters.next() {
            Some('n') => bytes.push(b'\n'),
            Some('r') => bytes.push(b'\r'),
            Some('t') => bytes.push(b'\t'),
            Some(same @ ('\\' | '"')) => bytes.extend(same.to_string().bytes()),
            Some('x') => {
                let digits: String = letters.by_ref().take(2).collect();
                bytes.push(u8::from_str_radix(&digits, 16).map_err(|_| format!("\\x{digits} is no byte"))?);
            }
            Some('u') => {
                let digits: String = letters.by_ref().skip(1).take_while(|letter| *letter != '}').collect();
                let number = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                let character = number.ok_or_else(|| format!("\\u{{{digits}}} is no character"))?;
                bytes.extend(character.to_string().bytes());
            }
            Some(other) => return Err(format!("\\{other} is no escape")),
            None => return Err("a backslash escapes nothing".to_owned()),
        }
        rest = letters.as_str();
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}

/// The text of an escaped block: a backslash at the end of its last line means that no newline stands there.
pub(super) fn block(body: &str) -> Result<String, String> {
    String::from_utf8(block_bytes(body)?).map_err(|_| "an escaped text must be UTF-8".to_owned())
}

/// The bytes of an escaped block.
pub(super) fn block_bytes(body: &str) -> Result<Vec<u8>, String> {
    let body = match body.strip_suffix("\\\n") {
        Some(open) if !open.ends_with('\\') => open,
        Some(_) | None => body,
    };
    bytes(body)
}

/// The escaped block of bytes.
pub(super) fn escape_bytes(bytes: &[u8]) -> String {
    let mut escaped = String::new();
    for chunk in bytes.utf8_chunks() {
        escaped.push_str(&escape_plain(chunk.valid()));
        for byte in chunk.invalid() {
            // Writing to a String cannot fail.
            let _ = write!(escaped, "\\x{byte:02X}");
        }
    }
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        escaped.push_str("\\\n");
    }
    escaped
}

/// Whether a text can only be shown in an escaped block.
pub(super) fn is_needed(text: &str) -> bool {
    !text.ends_with('\n') || text.chars().any(|character| character != '\t' && is_hidden(character))
}

/// The escaped block of a text.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = escape_plain(text);
    if !text.ends_with('\n') {
        escaped.push_str("\\\n");
    }
    escaped
}

fn escape_plain(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '\\' => escaped.push_str("\\\\"),
            '\t' => escaped.push_str("\\t"),
            '\r' => escaped.push_str("\\r"),
            hidden if is_hidden(hidden) => escaped.extend(hidden.escape_unicode()),
            plain => escaped.push(plain),
        }
    }
    escaped
}

/// Characters that a reader of the page would not see.
fn is_hidden(character: char) -> bool {
    (character.is_control() && character != '\n')
        || matches!(
            character,
            '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}'
                | '\u{E0000}'..='\u{E007F}'
        )
}
