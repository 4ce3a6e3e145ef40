//! The text of a web page without a tree: for pages that no tree should be made of.

use super::entity;
use super::scan::{Hidden, Piece, Scan, Tag};

/// Elements that begin and end lines.
const BLOCKS: [&str; 43] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "header",
    "hgroup",
    "hr",
    "html",
    "legend",
    "li",
    "main",
    "menu",
    "nav",
    "ol",
    "option",
    "p",
    "pre",
    "search",
    "section",
    "select",
    "summary",
    "table",
    "tbody",
    "textarea",
    "tfoot",
    "thead",
    "tr",
    "ul",
];
/// Elements of which nothing is shown.
const UNSEEN: [&str; 6] = ["script", "style", "template", "noscript", "iframe", "noembed"];

/// All text that a page shows: blocks on lines of their own, headings and list items marked.
pub(crate) fn text(html: &str) -> String {
    let mut strip = Strip::default();
    for piece in Scan::new(html) {
        strip.take(piece);
    }
    strip.out.trim().to_owned()
}

#[derive(Default)]
struct Strip<'a> {
    out: String,
    hidden: Hidden<'a>,
    /// The element whose content is no markup, where it is shown.
    shown: bool,
    exact: u64,
    /// Bytes of marks at the end that have no text yet.
    mark: usize,
}

impl<'a> Strip<'a> {
    fn take(&mut self, piece: Piece<'a>) {
        match piece {
            Piece::Text(text) => self.text(text),
            Piece::Raw(text) => {
                if std::mem::take(&mut self.shown) {
                    self.text(text);
                }
            }
            Piece::Data(text) => self.text(&text.replace('&', "&amp;")),
            Piece::Open(tag) => self.open(tag),
            Piece::Close(name) => self.close(name),
        }
    }

    fn open(&mut self, tag: Tag<'a>) {
        if self.hidden.opens(tag, &UNSEEN) {
            return;
        }
        self.shown = ["textarea", "xmp", "noframes"].iter().any(|name| tag.is(name));
        if tag.is("br") {
            self.line();
        } else if tag.is("td") || tag.is("th") {
            self.push_mark(" | ");
        } else if let Some(level) = heading(tag.name) {
            self.block();
            self.push_mark(&format!("{} ", "#".repeat(level)));
        } else if is_block(tag.name) {
            self.block();
            if tag.is("li") {
                self.push_mark("- ");
            }
        } else if tag.is("img") {
            self.text(tag.get("alt").unwrap_or_default());
        }
        self.exact += u64::from(tag.is("pre"));
    }

    fn close(&mut self, name: &str) {
        if self.hidden.closes(name) {
            return;
        }
        if name.eq_ignore_ascii_case("pre") {
            self.exact = self.exact.saturating_sub(1);
        }
        if is_block(name) || heading(name).is_some() {
            self.block();
        }
    }

    fn text(&mut self, text: &str) {
        if self.hidden.is_open() {
            return;
        }
        if self.exact > 0 {
            self.mark = 0;
            return entity::push(&mut self.out, text);
        }
        for (index, word) in text.split([' ', '\t', '\n', '\r', '\u{c}']).enumerate() {
            if index > 0 && !self.out.is_empty() && !self.out.ends_with([' ', '\n']) {
                self.out.push(' ');
            }
            if !word.is_empty() {
                entity::push(&mut self.out, word);
                self.mark = 0;
            }
        }
    }

    fn push_mark(&mut self, mark: &str) {
        if self.out.ends_with('\n') || self.out.is_empty() {
            let mark = mark.trim_start();
            self.out.push_str(mark);
            self.mark += mark.len();
        } else {
            self.out.push_str(mark);
        }
    }

    fn line(&mut self) {
        self.out.truncate(self.out.trim_end_matches([' ', '\t']).len());
        if !self.out.is_empty() {
            self.out.push('\n');
        }
    }

    fn block(&mut self) {
        // A mark without text is none.
        self.out.truncate(self.out.len() - std::mem::take(&mut self.mark));
        if self.out.ends_with("\n\n") || self.out.is_empty() {
            return;
        }
        self.line();
        self.line();
        while self.out.ends_with("\n\n\n") {
            self.out.pop();
        }
    }
}

fn is_block(name: &str) -> bool {
    BLOCKS.iter().any(|block| name.eq_ignore_ascii_case(block))
}

fn heading(name: &str) -> Option<usize> {
    match name.as_bytes() {
        [b'h' | b'H', level @ b'1'..=b'6'] => Some(usize::from(level - b'0')),
        _ => None,
    }
}
