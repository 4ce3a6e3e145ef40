//! What a name in an address may mean.

use readstone_base::unescape_name;

/// The readings of a name, the literal first: as it stands, with the escapes of shown names, percent-encoded.
pub(crate) fn readings(text: &str) -> Vec<String> {
    let mut readings = vec![text.to_owned()];
    readings.extend(unescape_name(text).and_then(|name| name.into_string().ok()));
    readings.extend(decoded(text));
    readings
}

/// The text with `%XX` taken as bytes; `None` when what comes out is no text.
fn decoded(text: &str) -> Option<String> {
    if !text.contains('%') {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((plain, behind)) = rest.split_once('%') {
        bytes.extend_from_slice(plain.as_bytes());
        let digits = behind.get(..2).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(b'%'));
        rest = byte.and_then(|_| behind.get(2..)).unwrap_or(behind);
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8(bytes).ok()
}
