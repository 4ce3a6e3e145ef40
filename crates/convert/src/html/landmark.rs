//! The part of a page that says of itself that it is the main one.

use super::scan::{Piece, Scan, Tag};

/// The source of the main part of a page, without its own tags: the largest `main`, or an `article` that is the only one.
pub(crate) fn main(html: &str) -> Option<&str> {
    let mains =
        parts(html, |tag| tag.is("main") || tag.get("role").is_some_and(|role| role.eq_ignore_ascii_case("main")));
    let largest = mains.into_iter().max_by_key(|part| part.len());
    largest.or_else(|| match parts(html, |tag| tag.is("article")).as_slice() {
        [only] => Some(*only),
        _ => None,
    })
}

/// The sources of the elements of a kind that are in no other of it.
fn parts<'a>(html: &'a str, is_wanted: impl Fn(&Tag<'_>) -> bool) -> Vec<&'a str> {
    let mut found = Vec::new();
    let mut open: Option<(&str, usize, u64)> = None;
    let mut scan = Scan::new(html);
    loop {
        let before = html.len() - scan.left();
        let Some(piece) = scan.next() else { break };
        match (&mut open, piece) {
            (None, Piece::Open(tag)) if !tag.closed && is_wanted(&tag) => {
                open = Some((tag.name, html.len() - scan.left(), 1));
            }
            (Some((name, _, depth)), Piece::Open(tag)) if !tag.closed && tag.is(name) => *depth += 1,
            (Some((name, start, depth)), Piece::Close(end)) if end.eq_ignore_ascii_case(name) => {
                *depth -= 1;
                if *depth == 0 {
                    found.extend(html.get(*start..before));
                    open = None;
                }
            }
            (Some(_) | None, _) => {}
        }
    }
    found.extend(open.and_then(|(_, start, _)| html.get(start..)));
    found
}
