//! The part of a page that says of itself that it is the main one.

use std::ops::Range;

use super::scan::{Piece, Scan, Tag};

/// The source of the main part of a page, without its own tags: the largest `main`, or an `article` that is the only one.
pub(crate) fn main(html: &str) -> Option<&str> {
    let mut largest = "";
    let (mut mains, mut articles) = (Part::default(), Part::default());
    let mut lone = Vec::new();
    let mut scan = Scan::new(html);
    loop {
        let before = html.len() - scan.left();
        let Some(piece) = scan.next() else { break };
        let at = before..html.len() - scan.left();
        let main = mains.take(piece, is_main, &at).and_then(|part| html.get(part));
        largest = main.filter(|part| part.len() > largest.len()).unwrap_or(largest);
        lone.extend(articles.take(piece, |tag| tag.is("article"), &at).and_then(|part| html.get(part)));
    }
    let rest = |part: Part<'_>| part.open.and_then(|(_, start, _)| html.get(start..));
    largest = rest(mains).filter(|part| part.len() > largest.len()).unwrap_or(largest);
    lone.extend(rest(articles));
    match (largest, lone.as_slice()) {
        ("", [only]) => Some(*only),
        ("", _) => None,
        (largest, _) => Some(largest),
    }
}

fn is_main(tag: &Tag<'_>) -> bool {
    tag.is("main") || tag.get("role").is_some_and(|role| role.eq_ignore_ascii_case("main"))
}

/// An element that is open: its name, where its content begins, and how many of its name are open.
#[derive(Default)]
struct Part<'a> {
    open: Option<(&'a str, usize, u64)>,
}

impl<'a> Part<'a> {
    /// Goes on by a piece at a place; gives where the content of an element is that ends with it.
    fn take(
        &mut self,
        piece: Piece<'a>,
        is_wanted: impl Fn(&Tag<'_>) -> bool,
        at: &Range<usize>,
    ) -> Option<Range<usize>> {
        match (&mut self.open, piece) {
            (None, Piece::Open(tag)) if !tag.closed && is_wanted(&tag) => self.open = Some((tag.name, at.end, 1)),
            (Some((name, _, depth)), Piece::Open(tag)) if !tag.closed && tag.is(name) => *depth += 1,
            (Some((name, start, depth)), Piece::Close(end)) if end.eq_ignore_ascii_case(name) => {
                *depth -= 1;
                if *depth == 0 {
                    let part = *start..at.start;
                    self.open = None;
                    return Some(part);
                }
            }
            (Some(_) | None, _) => {}
        }
        None
    }
}
