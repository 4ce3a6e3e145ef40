//! File URLs, and the schemes that are not files.

use std::borrow::Cow;

use readstone_base::Percent;

/// The path of a `file:` URL, still percent-encoded; `None` for anything else.
pub(crate) fn file_path(text: &str) -> Option<Result<&str, &'static str>> {
    let (scheme, rest) = text.split_once(':')?;
    if !scheme.eq_ignore_ascii_case("file") || !rest.starts_with('/') {
        return None;
    }
    let Some(authority) = rest.strip_prefix("//") else {
        return Some(Ok(rest));
    };
    let path = authority.find('/').map_or("", |at| authority.split_at(at).1);
    let host = authority.strip_suffix(path).unwrap_or(authority);
    Some(match host {
        _ if path.is_empty() => Err("a file URL needs a path"),
        host if host.is_empty() || host.eq_ignore_ascii_case("localhost") => Ok(path),
        _ => Err("a file URL names this machine only; its host must be empty or localhost"),
    })
}

/// Takes the percent-encoding away, once.
pub(crate) fn decode(text: &str) -> Result<String, &'static str> {
    let bytes = Percent::of(text).bytes().ok_or("its percent-encoding is broken")?;
    if bytes.contains(&0) {
        return Err("it holds a NUL character");
    }
    // A name that is not UTF-8 keeps the escape under which listings show it.
    Ok(String::from_utf8(bytes).unwrap_or_else(|error| {
        use std::os::unix::ffi::OsStringExt;
        readstone_base::escape_name(&std::ffi::OsString::from_vec(error.into_bytes()))
    }))
}

/// Whether an address is one of the web, as it stands.
pub fn is_web(text: &str) -> bool {
    let scheme = text.split_once("://").map_or("", |(scheme, _)| scheme);
    is_bare_web(text) || scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
}

/// A web address without the user name and the password in it, so that it can be repeated.
pub fn without_secrets(text: &str) -> Cow<'_, str> {
    let start = text.find("://").map_or(0, |at| at + 3);
    let host = text.get(start..).unwrap_or_default();
    let end = host.find(['/', '?', '#', '\\']).unwrap_or(host.len());
    match host.get(..end).and_then(|host| host.rfind('@')) {
        Some(at) if is_web(text) => {
            let (scheme, rest) = (text.get(..start).unwrap_or_default(), host.get(at..).unwrap_or_default());
            Cow::Owned(format!("{scheme}…{rest}"))
        }
        Some(_) | None => Cow::Borrowed(text),
    }
}

/// Where the part of a web address begins that may have a tail: behind its host, so that a port is none.
pub(crate) fn behind_host(text: &str) -> usize {
    let host = text.find("://").map_or(0, |at| at + 3);
    text.get(host..).and_then(|rest| rest.find('/')).map_or(text.len(), |at| host + at)
}

/// Whether the text begins like a web address without its scheme.
pub(crate) fn is_bare_web(text: &str) -> bool {
    text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."))
}

/// Whether the text begins with the scheme of the web or of an internal address. None of these has a dot, and what has
/// one is a file with something behind it.
pub(crate) fn has_scheme(text: &str) -> bool {
    let Some((scheme, _)) = text.split_once("://") else {
        return false;
    };
    let mut letters = scheme.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|letter| letter.is_ascii_alphanumeric() || "+-".contains(letter))
}
