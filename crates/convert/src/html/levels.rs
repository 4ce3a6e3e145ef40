//! The levels of headings: whoever looks for the main text takes the first level from all of them.
//!
//! Repair of `legible`: it makes every first heading a second one. Shown by:
//! `fault_first_headings_become_second_ones`, `tests/all/article.rs`.

use super::entity;
use super::scan::{Piece, Scan};

/// A text in Markdown whose headings of the first level are of it again.
pub(crate) fn restored(text: String, html: &str) -> String {
    let (first, second) = headings(html);
    if first.is_empty() {
        return text;
    }
    let mut code = false;
    let raised: Vec<&str> = text
        .split('\n')
        .map(|line| {
            code ^= line.trim_start().starts_with("```");
            let words = line.strip_prefix("## ").filter(|_| !code).map(shown);
            let is_first =
                words.is_some_and(|words| first.binary_search(&words).is_ok() && second.binary_search(&words).is_err());
            if is_first { line.get(1..).unwrap_or(line) } else { line }
        })
        .collect();
    raised.join("\n")
}

/// The letters of the headings of the first level of a page, and of those of the second.
fn headings(html: &str) -> (Vec<String>, Vec<String>) {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    let mut open: Option<(bool, String)> = None;
    for piece in Scan::new(html) {
        match piece {
            Piece::Open(tag) if tag.is("h1") || tag.is("h2") => open = Some((tag.is("h1"), String::new())),
            Piece::Close(name) if name.eq_ignore_ascii_case("h1") || name.eq_ignore_ascii_case("h2") => {
                if let Some((is_first, words)) = open.take() {
                    let words = letters(&words);
                    if is_first { first.push(words) } else { second.push(words) }
                }
            }
            Piece::Text(text) => {
                if let Some((_, words)) = &mut open {
                    entity::push(words, text);
                }
            }
            Piece::Open(_) | Piece::Close(_) | Piece::Raw(_) | Piece::Data(_) => {}
        }
    }
    first.sort_unstable();
    second.sort_unstable();
    (first, second)
}

/// The letters of a line of Markdown without the addresses of its links.
fn shown(line: &str) -> String {
    let mut words = String::new();
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once("](") {
        words.push_str(before);
        rest = behind.split_once(')').map_or("", |(_, rest)| rest);
    }
    words.push_str(rest);
    letters(&words)
}

fn letters(text: &str) -> String {
    text.chars().filter(|sign| sign.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
