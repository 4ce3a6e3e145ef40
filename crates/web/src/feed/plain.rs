//! A fragment of HTML as text that reads well: paragraphs, lists, code and links, nothing else.

use std::fmt::Write as _;

use super::link::{Links, clean};
use super::markup::{Piece, Pieces, attribute, resolve};

/// Elements whose content is not for readers.
const UNSEEN: [&str; 10] =
    ["script", "style", "head", "noscript", "template", "iframe", "svg", "object", "math", "textarea"];
/// Lists and quotes inside one another that are still indented.
const DEEPEST: usize = 6;

/// Lists inside one another that are told apart.
const MOST_LISTS: usize = 64;
/// How many times its size a text may grow.
const MOST_GROWTH: usize = 4;
/// What a small text may grow by in any case.
const ALWAYS_ROOM: usize = 64 * 1024;
/// What any text may grow to.
const MOST: usize = 16 * 1024 * 1024;

/// HTML as text; links are made absolute with the address of the page.
pub(crate) fn plain(html: &str, address: &str) -> String {
    let room = html.len().saturating_mul(MOST_GROWTH).saturating_add(ALWAYS_ROOM).min(MOST);
    shown(html, Page::new(address, &mut Links::of(html), room))
}

/// The beginning of HTML as text, and how much more there is.
pub(crate) fn beginning(html: &str, address: &str, links: &mut Links, most: usize) -> String {
    // A sign takes four bytes at most, so there are enough of them once there is no more room.
    let page = Page::new(address, links, most.saturating_mul(4));
    shown(html, Page { most, ..page })
}

fn shown(html: &str, mut page: Page<'_>) -> String {
    let mut unseen: Option<String> = None;
    for piece in Pieces::new(html) {
        match (piece, unseen.as_deref()) {
            (Piece::Close(name), Some(hidden)) if name.eq_ignore_ascii_case(hidden) => unseen = None,
            (Piece::Text(_) | Piece::Open(..) | Piece::Close(_), Some(_)) => {}
            (Piece::Text(text), None) if page.is_full() => page.left += text.chars().count(),
            (Piece::Text(text), None) => page.text(&resolve(text)),
            (Piece::Open(name, rest), None) => {
                let name = name.to_ascii_lowercase();
                if UNSEEN.contains(&name.as_str()) {
                    unseen = (!rest.ends_with('/')).then_some(name);
                } else {
                    page.open(&name, rest);
                }
            }
            (Piece::Close(name), None) => page.close(&name.to_ascii_lowercase()),
        }
    }
    page.finish()
}

/// Text of one line: no tags, no breaks, entities resolved.
pub(crate) fn line(html: &str) -> String {
    let mut out = String::new();
    for piece in Pieces::new(html) {
        match piece {
            Piece::Text(text) => out.push_str(&resolve(text)),
            Piece::Open(name, _) | Piece::Close(name) => {
                if breaks(&name.to_ascii_lowercase()) {
                    out.push(' ');
                }
            }
        }
    }
    one_line(&out)
}

/// Text on one line, with single blanks.
pub(crate) fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split(|sign: char| sign.is_whitespace() || sign.is_control()).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Text between two fences that nothing in it can end.
pub(crate) fn fenced(text: &str, language: &str) -> String {
    let longest = text.split(|sign| sign != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}", text.trim_end_matches(['\n', '\r']))
}

fn breaks(name: &str) -> bool {
    matches!(
        name,
        "p" | "div"
            | "section"
            | "article"
            | "header"
            | "footer"
            | "main"
            | "aside"
            | "figure"
            | "figcaption"
            | "table"
            | "ul"
            | "ol"
            | "dl"
            | "blockquote"
            | "hr"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "br"
            | "li"
            | "tr"
            | "dt"
            | "dd"
            | "pre"
    )
}

struct Page<'a> {
    address: &'a str,
    links: &'a mut Links,
    out: String,
    /// Bytes after which nothing more is written.
    room: usize,
    /// Signs that are shown.
    most: usize,
    /// Signs that were not written.
    left: usize,
    /// Line breaks that come before the next word.
    breaks: usize,
    /// A blank comes before the next word.
    blank: bool,
    quotes: usize,
    /// The open lists: the number of the last element, where they are numbered.
    lists: Vec<Option<usize>>,
    /// How many more are open than are told apart.
    deeper: usize,
    /// What begins the next line.
    mark: String,
    code: Option<String>,
    /// The open link: where its words begin, and its address.
    link: Option<(usize, String)>,
}

impl<'a> Page<'a> {
    fn new(address: &'a str, links: &'a mut Links, room: usize) -> Self {
        Self {
            address,
            links,
            out: String::new(),
            room,
            most: usize::MAX,
            left: 0,
            breaks: 0,
            blank: false,
            quotes: 0,
            lists: Vec::new(),
            deeper: 0,
            mark: String::new(),
            code: None,
            link: None,
        }
    }

    fn is_full(&self) -> bool {
        self.out.len() + self.code.as_deref().map_or(0, str::len) > self.room
    }

    fn text(&mut self, text: &str) {
        if let Some(code) = &mut self.code {
            code.push_str(text);
            return;
        }
        for word in text.split_inclusive(|sign: char| sign.is_whitespace() || sign.is_control()) {
            let bare = word.trim_matches(|sign: char| sign.is_whitespace() || sign.is_control());
            if !bare.is_empty() {
                self.word(bare);
            }
            self.blank |= bare.len() < word.len();
        }
    }

    /// Writes something that belongs on the line, with what has to come before it.
    fn word(&mut self, word: &str) {
        if self.is_full() {
            self.left += word.chars().count();
            return;
        }
        self.settle();
        self.out.push_str(word);
    }

    fn settle(&mut self) {
        if self.breaks > 0 || self.out.is_empty() {
            let quote = "> ".repeat(self.quotes.min(DEEPEST));
            for _ in 0..self.breaks.min(2) {
                let kept = self.out.trim_end_matches(' ').len();
                self.out.truncate(kept);
                if !self.out.is_empty() {
                    self.out.push('\n');
                    self.out.push_str(&quote);
                }
            }
            if self.out.is_empty() {
                self.out.push_str(&quote);
            }
            let mark = std::mem::take(&mut self.mark);
            self.out.push_str(&mark);
        } else if self.blank {
            self.out.push(' ');
        }
        self.breaks = 0;
        self.blank = false;
    }

    fn end_line(&mut self, breaks: usize) {
        self.breaks = self.breaks.max(breaks);
    }

    fn open(&mut self, name: &str, rest: &str) {
        if self.code.is_some() || self.is_full() {
            return;
        }
        match name {
            "br" | "tr" | "dt" | "dd" => self.end_line(1),
            "li" => self.item(),
            "ul" | "ol" => {
                self.end_line(if self.lists.is_empty() { 2 } else { 1 });
                if self.lists.len() < MOST_LISTS {
                    self.lists.push((name == "ol").then_some(0));
                } else {
                    self.deeper += 1;
                }
            }
            "pre" => {
                self.end_line(2);
                self.code = Some(String::new());
            }
            "code" | "kbd" | "samp" | "tt" => self.word("`"),
            "a" => {
                self.end_link();
                if let Some(link) = attribute(rest, "href").and_then(|link| self.links.join(self.address, &link)) {
                    self.word("[");
                    self.link = Some((self.out.len(), link));
                }
            }
            "img" => {
                let words = attribute(rest, "alt").map(|words| one_line(&words)).filter(|words| !words.is_empty());
                let source = words.is_some().then(|| attribute(rest, "src")).flatten();
                let source = source.and_then(|link| self.links.join(self.address, &link));
                if let (Some(words), Some(source)) = (words, source) {
                    self.word(&format!("![{}]({})", words.replace(['[', ']'], ""), clean(&source)));
                }
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.end_line(2);
                "### ".clone_into(&mut self.mark);
            }
            "blockquote" => {
                self.end_line(2);
                self.quotes += 1;
            }
            "td" | "th" if self.breaks == 0 && !self.out.is_empty() => self.word(" | "),
            other if breaks(other) => self.end_line(2),
            _ => {}
        }
    }

    fn item(&mut self) {
        self.end_line(1);
        let indent = "  ".repeat(self.lists.len().saturating_sub(1).min(DEEPEST));
        self.mark = match self.lists.last_mut() {
            Some(Some(number)) => {
                *number += 1;
                format!("{indent}{number}. ")
            }
            Some(None) | None => format!("{indent}- "),
        };
    }

    fn close(&mut self, name: &str) {
        if self.code.is_some() && name != "pre" {
            return;
        }
        match name {
            "pre" => self.end_code(),
            "code" | "kbd" | "samp" | "tt" => {
                // The blank belongs behind the mark.
                self.out.push('`');
            }
            "a" => self.end_link(),
            "ul" | "ol" => {
                match self.deeper.checked_sub(1) {
                    Some(deeper) => self.deeper = deeper,
                    None => drop(self.lists.pop()),
                }
                self.end_line(if self.lists.is_empty() { 2 } else { 1 });
            }
            "blockquote" => {
                self.quotes = self.quotes.saturating_sub(1);
                self.end_line(2);
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.mark.clear();
                self.end_line(2);
            }
            "li" | "tr" | "dt" | "dd" => self.end_line(1),
            "br" => {}
            other if breaks(other) => self.end_line(2),
            _ => {}
        }
    }

    fn end_code(&mut self) {
        let Some(code) = self.code.take() else { return };
        let code = code.strip_prefix('\n').unwrap_or(&code);
        if code.trim().is_empty() {
            return;
        }
        self.settle();
        let quote = "> ".repeat(self.quotes.min(DEEPEST));
        for (at, line) in fenced(code, "").lines().enumerate() {
            if self.is_full() {
                self.left += line.chars().count() + 1;
                continue;
            }
            if at > 0 {
                self.out.push('\n');
                self.out.push_str(&quote);
            }
            self.out.push_str(line);
        }
        self.end_line(2);
    }

    fn end_link(&mut self) {
        let Some((start, link)) = self.link.take() else { return };
        let words = self.out.get(start..).unwrap_or_default().trim();
        if words.is_empty() {
            // A link around nothing, or around a picture without words, leaves nothing.
            self.out.truncate(start.saturating_sub(1));
        } else if words == link {
            self.out.truncate(start.saturating_sub(1));
            self.out.push_str(&link);
        } else {
            self.out.push_str("](");
            self.out.push_str(&link);
            self.out.push(')');
        }
    }

    fn finish(mut self) -> String {
        self.end_code();
        self.end_link();
        let kept = self.out.trim_end().len();
        self.out.truncate(kept);
        if let Some((at, _)) = self.out.char_indices().nth(self.most) {
            self.left += self.out.get(at..).unwrap_or_default().chars().count();
            self.out.truncate(at);
        }
        if self.left > 0 {
            let _ = write!(self.out, "… ({} more characters)", self.left);
        }
        self.out
    }
}
