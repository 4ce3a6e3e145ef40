//! Lists of files as servers write them: preformatted lines that begin with a link each.
//!
//! Repair of `html-to-markdown-rs`: a preformatted list of files becomes a block of code. Shown by:
//! `fault_lists_of_files_become_code`, `tests/all/article.rs`.

use std::borrow::Cow;

use super::is_tag;

/// Lines from which on something can be a list.
const FEWEST: usize = 2;

/// A page whose preformatted lists of links are lists, so that their links stay.
pub(crate) fn lists(html: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut rest = html;
    while let Some((before, inner, behind)) = block(rest) {
        out.push_str(before);
        match listed(inner) {
            Some(list) => out.push_str(&list),
            None => out.push_str(rest.get(before.len()..rest.len() - behind.len()).unwrap_or_default()),
        }
        rest = behind;
    }
    if rest.len() == html.len() {
        return Cow::Borrowed(html);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The next preformatted block: what stands before it, in it, and behind it.
fn block(html: &str) -> Option<(&str, &str, &str)> {
    let tag = |at: usize, name: &str| is_tag(html.as_bytes().get(at..).unwrap_or_default(), name);
    let mut angles = html.match_indices('<').map(|(at, _)| at);
    let start = angles.find(|at| tag(at + 1, "pre"))?;
    let inner = start + html.get(start..)?.find('>')? + 1;
    let end = angles.find(|at| *at >= inner && html.as_bytes().get(at + 1) == Some(&b'/') && tag(at + 2, "pre"))?;
    let behind = end + html.get(end..)?.find('>')? + 1;
    Some((html.get(..start)?, html.get(inner..end)?, html.get(behind..)?))
}

/// The same lines as a list, when nearly all of them begin with a link.
fn listed(inner: &str) -> Option<String> {
    let lines: Vec<String> = inner.lines().map(without_icons).filter(|line| !line.trim().is_empty()).collect();
    let linked =
        lines.iter().filter(|line| line.trim_start().get(..3).is_some_and(|tag| tag.eq_ignore_ascii_case("<a ")));
    let linked = linked.count();
    if linked < FEWEST || linked * 4 < lines.len() * 3 {
        return None;
    }
    let mut list = "<ul>".to_owned();
    for line in lines {
        list.extend(["<li>", line.trim(), "</li>"]);
    }
    list.push_str("</ul>");
    Some(list)
}

/// A line without its pictures and rules.
fn without_icons(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once('<') {
        out.push_str(before);
        let dropped = is_tag(behind.as_bytes(), "img") || is_tag(behind.as_bytes(), "hr");
        if let Some((_, after)) = behind.split_once('>').filter(|_| dropped) {
            rest = after;
        } else {
            out.push('<');
            rest = behind;
        }
    }
    out.push_str(rest);
    out
}
