//! Credentials in a git configuration: where they are in its bytes.
//!
//! The search goes by lines and words rather than by git's grammar, so that a comment, a broken file or a key in an
//! unusual section hides nothing from it. It rather finds too much than too little.

use std::ops::Range;

/// Schemes whose URLs name a user that is not a secret, as `ssh://git@host` does.
const NAMED_USERS: [&[u8]; 4] = [b"ssh", b"git", b"git+ssh", b"ssh+git"];
/// Endings of keys whose values are credentials, in lower case.
const SECRET_KEYS: [&[u8]; 9] =
    [b"extraheader", b"password", b"passwd", b"passphrase", b"smtppass", b"token", b"secret", b"apikey", b"api_key"];
/// The header that carries credentials, wherever it is written.
const AUTHORIZATION: &[u8] = b"authorization:";

/// The ranges of bytes that belong to credentials, sorted and apart from each other.
pub(crate) fn find_credentials(bytes: &[u8]) -> Vec<Range<usize>> {
    let text = Joined::of(bytes);
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.bytes.split(|byte| *byte == b'\n') {
        let mut spans = find_users(line);
        spans.extend(find_value(line));
        found.extend(spans.into_iter().filter_map(|span| text.place(start + span.start..start + span.end)));
        start += line.len() + 1;
    }
    merge(found)
}

/// A text without NUL bytes and without the line endings after a backslash, so that neither a wide encoding nor a
/// continued line parts a credential.
struct Joined {
    bytes: Vec<u8>,
    /// The offset of each byte in the file.
    places: Vec<usize>,
}

impl Joined {
    fn of(bytes: &[u8]) -> Self {
        let mut plain = bytes.iter().copied().enumerate().filter(|(_, byte)| *byte != 0).peekable();
        let mut joined = Self { bytes: Vec::with_capacity(bytes.len()), places: Vec::with_capacity(bytes.len()) };
        while let Some((place, byte)) = plain.next() {
            if byte == b'\\' {
                let carriage = plain.next_if(|(_, next)| *next == b'\r');
                if plain.next_if(|(_, next)| *next == b'\n').is_some() {
                    continue;
                }
                joined.push(place, byte);
                if let Some((place, byte)) = carriage {
                    joined.push(place, byte);
                }
            } else {
                joined.push(place, byte);
            }
        }
        joined
    }

    fn push(&mut self, place: usize, byte: u8) {
        self.bytes.push(byte);
        self.places.push(place);
    }

    /// Where a range of the text is in the file.
    fn place(&self, range: Range<usize>) -> Option<Range<usize>> {
        let last = range.end.checked_sub(1)?;
        Some(*self.places.get(range.start)?..*self.places.get(last)? + 1)
    }
}

/// The users, passwords and tokens before the `@` of URLs.
fn find_users(line: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut at, mut quoted) = (0, false);
    while let Some(byte) = line.get(at) {
        let rest = line.get(at + 1..).unwrap_or_default();
        match byte {
            b'\\' if matches!(rest.first(), Some(b'"' | b'\\')) => at += 1,
            b'"' => quoted = !quoted,
            b':' if rest.starts_with(b"//") => {
                let mut within = quoted;
                // Only a slash or a blank ends the part before the path: a password may hold any other character.
                let ends = |byte: &u8| {
                    within ^= *byte == b'"';
                    *byte == b'/' || byte.is_ascii_control() || (byte.is_ascii_whitespace() && !within)
                };
                let rest = rest.get(2..).unwrap_or_default();
                let end = rest.iter().position(ends).unwrap_or(rest.len());
                let authority = rest.get(..end).unwrap_or_default();
                let user = authority.iter().rposition(|byte| *byte == b'@').and_then(|end| authority.get(..end));
                let scheme = scheme(line.get(..at).unwrap_or_default());
                if let Some(user) = user.filter(|user| is_secret_user(scheme, user)) {
                    found.push(at + 3..at + 3 + user.len());
                }
                at += 2;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// The scheme that ends these bytes.
fn scheme(before: &[u8]) -> &[u8] {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let start = before.iter().rposition(|byte| !is_part(byte)).map_or(0, |at| at + 1);
    before.get(start..).unwrap_or_default()
}

/// Whether what a URL has before its `@` lets anyone in: a password, or a name where tokens take its place.
fn is_secret_user(scheme: &[u8], user: &[u8]) -> bool {
    let named = NAMED_USERS.iter().any(|known| known.eq_ignore_ascii_case(scheme));
    !user.is_empty() && (!named || user.contains(&b':'))
}

/// The value of a key that holds a credential, or of the header `Authorization`: everything up to the end of the line.
fn find_value(line: &[u8]) -> Option<Range<usize>> {
    let header = line.windows(AUTHORIZATION.len()).position(|part| part.eq_ignore_ascii_case(AUTHORIZATION));
    let header = header.map(|at| at + AUTHORIZATION.len());
    let is_key = |at: &usize| line.get(*at) == Some(&b'=') && is_secret_key(line.get(..*at).unwrap_or_default());
    let key = (0..line.len()).find(is_key).map(|at| at + 1);
    let start = header.into_iter().chain(key).min()?;
    let is_edge = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'"';
    let value = line.get(start..).unwrap_or_default();
    let first = start + value.iter().position(|byte| !is_edge(byte))?;
    let last = start + value.iter().rposition(|byte| !is_edge(byte))?;
    Some(first..last + 1)
}

/// Whether a line before its `=` ends with a key whose value is a credential.
fn is_secret_key(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let start = before.iter().rposition(|byte| !is_part(byte)).map_or(0, |at| at + 1);
    let key = before.get(start..).unwrap_or_default();
    let ends = |end: &&[u8]| {
        key.len().checked_sub(end.len()).and_then(|at| key.get(at..)).is_some_and(|part| part.eq_ignore_ascii_case(end))
    };
    key.eq_ignore_ascii_case(b"pass") || SECRET_KEYS.iter().any(ends)
}

/// Sorted, with those that overlap as one.
fn merge(mut spans: Vec<Range<usize>>) -> Vec<Range<usize>> {
    spans.sort_unstable_by_key(|span| span.start);
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => merged.push(span),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with each credential in angle brackets.
    fn marked(text: &str) -> String {
        let mut marked = text.as_bytes().to_vec();
        for span in find_credentials(text.as_bytes()).into_iter().rev() {
            marked.insert(span.end, b'>');
            marked.insert(span.start, b'<');
        }
        String::from_utf8(marked).unwrap()
    }

    fn check(texts: &[&str]) {
        for text in texts {
            assert_eq!(marked(&text.replace(['<', '>'], "")), *text);
        }
    }

    #[test]
    fn users_and_passwords_of_urls_are_credentials() {
        check(&[
            "\turl = https://<me:pw>@host/x.git",
            "url=https://<token>@host/x",
            "pushurl = \"https://<me:p w;#'>@host/x\" ; a comment",
            "[url \"https://<token>@host/\"] insteadOf = https://host/",
            "  # url = HTTPS://<me:pw>@host/x",
            "proxy = http://<me:p@w>@proxy:3128",
            "url = ssh://<git:pw>@host/x",
            "url = https://<me:p\\\nw>@host/x",
            "a = https://<one>@host/ https://<two>@host/",
            "url = https://<me:p?w>@host",
        ]);
    }

    #[test]
    fn values_of_headers_and_passwords_are_credentials() {
        check(&[
            "\textraheader = <AUTHORIZATION: basic abc>",
            "\tExtraHeader=\"<x: y>\"",
            "[http \"https://host/\"] extraheader = <x: y ; z>\t",
            "extraheader = <X: \\\n  abc\\\r\n def>\nname = me",
            "helper = \"!f() { echo username=me; echo password=<xyz; }; f>\"",
            "smtpPass = <abc>",
            "; oauth_token = <abc>",
            "helper = !curl -H 'Authorization: <Bearer abc'>",
        ]);
    }

    #[test]
    fn what_lets_nobody_in_is_none() {
        for text in [
            "url = https://host/x.git",
            "url = ssh://git@host/x",
            "url = git@host:x",
            "url = https://host/@scope/x",
            "extraheader =",
            "extraheader = \"\"",
            "askpass = /bin/x",
            "bypass = true",
            "helper = store",
            "email = me@host",
            "[user] name = https://host me@host",
        ] {
            assert_eq!(marked(text), text);
        }
    }

    #[test]
    fn a_wide_encoding_hides_none() {
        let wide: Vec<u8> = "url = https://me:pw@host/".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let [span] = find_credentials(&wide).try_into().unwrap();
        assert_eq!(String::from_utf8_lossy(&wide[span]).replace('\0', ""), "me:pw");
    }
}
