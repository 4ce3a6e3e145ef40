//! Addresses made absolute and safe to stand in Markdown.

/// Longer addresses are left out.
const LONGEST: usize = 4096;

/// An address as it is meant on a page at `base`; nothing for what is not an address to read.
pub(crate) fn join(base: &str, link: &str) -> Option<String> {
    let link = link.trim();
    if link.is_empty() || link.len() > LONGEST || base.len() > LONGEST {
        return None;
    }
    if let Some(scheme) = scheme(link) {
        let known = ["http", "https", "mailto", "ftp", "magnet", "doi", "urn", "tag"];
        return known.iter().any(|one| scheme.eq_ignore_ascii_case(one)).then(|| clean(link));
    }
    let (kind, rest) = base.split_once("://")?;
    if let Some(host) = link.strip_prefix("//") {
        return Some(clean(&format!("{kind}://{host}")));
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, path) = rest.split_at_checked(end)?;
    let file = path.split(['?', '#']).next().unwrap_or_default();
    let joined = if link.starts_with('#') {
        format!("{}{link}", path.split('#').next().unwrap_or_default())
    } else if link.starts_with('?') {
        format!("{file}{link}")
    } else if link.starts_with('/') {
        dotless(link)
    } else {
        let folder = file.rfind('/').and_then(|slash| file.get(..slash)).unwrap_or_default();
        dotless(&format!("{folder}/{link}"))
    };
    Some(clean(&format!("{kind}://{host}{joined}")))
}

/// The part before the colon, if it is the name of a scheme.
fn scheme(link: &str) -> Option<&str> {
    let (before, _) = link.split_once(':')?;
    let mut signs = before.bytes();
    let begins = signs.next().is_some_and(|first| first.is_ascii_alphabetic());
    (begins && signs.all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, b'+' | b'-' | b'.'))).then_some(before)
}

/// A path without `.` and `..`.
fn dotless(path: &str) -> String {
    let end = path.find(['?', '#']).unwrap_or(path.len());
    let (path, rest) = path.split_at_checked(end).unwrap_or((path, ""));
    let mut kept: Vec<&str> = Vec::new();
    let mut parts = path.strip_prefix('/').unwrap_or(path).split('/').peekable();
    while let Some(part) = parts.next() {
        let last = parts.peek().is_none();
        match part {
            "." | ".." => {
                if part == ".." {
                    kept.pop();
                }
                if last {
                    kept.push("");
                }
            }
            other => kept.push(other),
        }
    }
    format!("/{}{rest}", kept.join("/"))
}

/// An address in which nothing ends the brackets or the line it stands in.
pub(crate) fn clean(link: &str) -> String {
    let mut out = String::with_capacity(link.len());
    for sign in link.trim().chars() {
        match sign {
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '\t' | '\r' | '\n' => {}
            other if other.is_whitespace() || other.is_control() => escape(&mut out, other),
            other => out.push(other),
        }
    }
    out
}

fn escape(out: &mut String, sign: char) {
    let mut room = [0_u8; 4];
    for byte in sign.encode_utf8(&mut room).bytes() {
        out.push('%');
        out.extend([byte >> 4, byte & 15].into_iter().filter_map(|half| char::from_digit(u32::from(half), 16)));
    }
}

/// One part of a path as it stands in an address.
pub(crate) fn encode(part: &str) -> String {
    let mut out = String::with_capacity(part.len());
    for sign in part.chars() {
        if sign.is_ascii_alphanumeric() || matches!(sign, '-' | '.' | '_' | '~' | '@' | '!' | '$' | ',' | ':' | '+') {
            out.push(sign);
        } else {
            escape(&mut out, sign);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{encode, join};

    #[test]
    fn links_are_joined_as_browsers_do() {
        let base = "https://a.example/one/two.html?q=1#f";
        for (link, wanted) in [
            ("three", "https://a.example/one/three"),
            ("../x/./y", "https://a.example/x/y"),
            ("../../../..", "https://a.example/"),
            ("/root?b=..", "https://a.example/root?b=.."),
            ("//b.example/z", "https://b.example/z"),
            ("?q=2", "https://a.example/one/two.html?q=2"),
            ("#g", "https://a.example/one/two.html?q=1#g"),
            ("HTTP://c.example/(x) y", "HTTP://c.example/%28x%29%20y"),
            (" mailto:a@b ", "mailto:a@b"),
            ("a\nb", "https://a.example/one/ab"),
        ] {
            assert_eq!(join(base, link).as_deref(), Some(wanted), "{link}");
        }
        assert_eq!(join("https://a.example", "x").as_deref(), Some("https://a.example/x"));
    }

    #[test]
    fn what_is_run_or_empty_is_no_link() {
        for link in ["javascript:alert(1)", "data:text/html,x", "", " ", "vbscript:x", "file:///etc/passwd"] {
            assert_eq!(join("https://a.example/", link), None, "{link}");
        }
    }

    #[test]
    fn parts_cannot_leave_their_place() {
        assert_eq!(encode("a/b?c#d e%é"), "a%2fb%3fc%23d%20e%25%c3%a9");
    }
}
