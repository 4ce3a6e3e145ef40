//! Addresses made absolute and safe to stand in Markdown.

use readstone_net::WebUrl;

/// Longer addresses are left out.
const LONGEST: usize = 4096;
/// How much more than the text itself the addresses in it may be, put together.
const MOST_GROWTH: usize = 8;
/// What the addresses of a small text may be in any case.
const ALWAYS_ROOM: usize = 256 * 1024;
/// What the addresses of any text may be.
const MOST: usize = 16 * 1024 * 1024;

/// Makes the links of one text absolute, as long as that stays in proportion to the text: a long base and a million
/// short links would be gigabytes.
pub(crate) struct Links {
    room: usize,
}

impl Links {
    /// For the links of a text.
    pub(crate) fn of(text: &str) -> Self {
        Self { room: text.len().saturating_mul(MOST_GROWTH).saturating_add(ALWAYS_ROOM).min(MOST) }
    }

    /// As [`join`]; nothing once there were too many.
    pub(crate) fn join(&mut self, base: &str, link: &str) -> Option<String> {
        self.room = self.room.checked_sub(base.len() + link.len())?;
        join(base, link)
    }
}

/// An address as it is meant on a page at `base`; nothing for what is not an address to read.
fn join(base: &str, link: &str) -> Option<String> {
    let link = link.trim();
    if link.is_empty() || link.len() > LONGEST || base.len() > LONGEST {
        return None;
    }
    if let Some(scheme) = scheme(link) {
        let known = ["http", "https", "mailto", "ftp", "magnet", "doi", "urn", "tag"];
        return known.iter().any(|one| scheme.eq_ignore_ascii_case(one)).then(|| clean(link));
    }
    let joined = WebUrl::parse(base).ok()?.join(link).ok()?;
    let mut out = clean(joined.as_str());
    if let Some(fragment) = joined.fragment() {
        out.push('#');
        out.push_str(&clean(fragment));
    }
    Some(out)
}

/// The part before the colon, if it is the name of a scheme.
fn scheme(link: &str) -> Option<&str> {
    let (before, _) = link.split_once(':')?;
    let mut signs = before.bytes();
    let begins = signs.next().is_some_and(|first| first.is_ascii_alphabetic());
    (begins && signs.all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, b'+' | b'-' | b'.'))).then_some(before)
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
    use super::{Links, encode, join};

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
    fn a_long_base_and_many_links_stay_in_proportion() {
        let base = format!("https://a.example/{}/", "b".repeat(4000));
        let mut links = Links::of("");
        let made = (0..1_000_000).take_while(|_| links.join(&base, "x").is_some()).count();
        assert!((60..70).contains(&made), "{made}");
        let mut links = Links::of(&"x".repeat(1_000_000));
        assert!((0..50_000).all(|_| links.join("https://a.example/an/honest/base/that/is/rather/long", "x").is_some()));
    }

    #[test]
    fn parts_cannot_leave_their_place() {
        assert_eq!(encode("a/b?c#d e%é"), "a%2fb%3fc%23d%20e%25%c3%a9");
    }
}
