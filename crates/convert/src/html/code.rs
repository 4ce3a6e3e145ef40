//! In which language the code of a page is.
//!
//! Repair of `html-to-markdown-rs`: code keeps only a language that is named as `language-…`. Shown
//! by: `fault_code_loses_the_language_of_its_frame`,
//! `fault_code_loses_the_language_that_its_class_names`, `tests/all/article.rs`.

use std::borrow::Cow;

use super::scan::{Piece, Scan, Tag};

/// How classes around code begin that name its language, and those of code itself.
const AROUND: [&str; 4] = ["highlight-source-", "highlight-", "language-", "lang-"];
const WITHIN: [&str; 4] = ["highlight-source-", "language-", "lang-", "brush:"];

/// What a maker of manuals called all code for years, of whatever language.
const GUESSED: &str = "highlight-python";

/// The page with its code marked with its language in one way, where the page says it in some other.
pub(crate) fn named(html: &str) -> Cow<'_, str> {
    if !html.contains("<pre") {
        return Cow::Borrowed(html);
    }
    let mut out = String::with_capacity(html.len() + 256);
    let mut around: Option<String> = None;
    let mut scan = Scan::new(html);
    while let Some(piece) = scan.next() {
        match piece {
            Piece::Text(text) | Piece::Raw(text) => out.push_str(text),
            Piece::Data(text) => out.extend(["<![CDATA[", text, "]]>"]),
            Piece::Open(tag) if tag.is("pre") => match of(tag, &scan).or_else(|| around.take()) {
                Some(name) if !tag.is_hidden() => out.extend(["<pre class=\"language-", &name, "\">"]),
                Some(_) | None => out.push_str(tag.source),
            },
            Piece::Open(tag) => {
                if tag.is("div") || tag.is("figure") {
                    let class = tag.get("class").filter(|class| !class.contains(GUESSED));
                    around = class.and_then(|class| language(class, &AROUND)).or(around);
                }
                out.push_str(tag.source);
            }
            Piece::Close(name) => {
                if name.eq_ignore_ascii_case("div") || name.eq_ignore_ascii_case("figure") {
                    around = None;
                }
                out.extend(["</", name, ">"]);
            }
        }
    }
    Cow::Owned(out)
}

/// The language that a block of code names itself.
fn of(tag: Tag<'_>, behind: &Scan<'_>) -> Option<String> {
    let inner = behind.clone().take(2).find_map(|piece| match piece {
        Piece::Open(inner) if inner.is("code") => inner.get("class"),
        Piece::Open(_) | Piece::Close(_) | Piece::Text(_) | Piece::Raw(_) | Piece::Data(_) => None,
    });
    let own = || tag.get("data-lang").or_else(|| tag.get("lang")).and_then(word);
    let class = || tag.get("class").and_then(|class| language(class, &WITHIN));
    inner.and_then(|class| language(class, &WITHIN)).or_else(own).or_else(class)
}

/// The language that one of the classes of an element names.
fn language(class: &str, starts: &[&str]) -> Option<String> {
    let mut words = class.split_ascii_whitespace();
    while let Some(part) = words.next() {
        let named = starts.iter().find_map(|start| part.strip_prefix(start));
        let named = named.map(|name| if name.is_empty() { words.next().unwrap_or_default() } else { name });
        // What documents Rust says no more than this.
        let found = named.or_else(|| (part == "rust").then_some(part)).and_then(word);
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The name of a language, if it is one.
fn word(name: &str) -> Option<String> {
    let name = name.trim_end_matches(';');
    let plain = name.bytes().all(|sign| sign.is_ascii_alphanumeric() || b"+-#".contains(&sign));
    let none = ["default", "none", "text", "plaintext", "notranslate"].contains(&name);
    (plain && !none && !name.is_empty() && name.len() < 20).then(|| name.to_ascii_lowercase())
}
