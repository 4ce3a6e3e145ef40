//! Web pages that are files: shown as Markdown, with their source at hand.

mod charset;
mod making;

use std::sync::Arc;

use readstone_address::{Mode, Selector};
use readstone_base::{Fault, Kind, Note, Spoiled};
use readstone_source::{Container, Content, Converted, Entered, Opening, Piece, Reached};

use crate::HEAD_BYTES;
use crate::document::{Error, extension};
use crate::work::{self, Bytes, Unread};

pub use charset::{PageText, page_text, plain_text};
pub use making::{MadePage, PageWish, page};
pub(crate) use making::{TASK, work};

/// What is kept of a page is kept under this name.
const KEPT: &str = "web page";
/// The same, of all of it.
const KEPT_WHOLE: &str = "whole web page";
/// A main text of fewer of a hundred letters of its page is not all of it.
const ALL: u8 = 100;
/// So many letters are worth a word when they are left out.
const WORTH: usize = 10;

pub(crate) fn container(piece: &Piece, head: &[u8]) -> Option<Arc<dyn Container>> {
    is_web_page(&piece.name, head).then(|| Arc::new(Page { piece: piece.clone() }) as Arc<dyn Container>)
}

/// Whether a file is read as a web page: it is called like one and begins like one. A template or a fragment is source
/// code.
pub fn is_web_page(name: &str, bytes: &[u8]) -> bool {
    is_called_web_page(name) && is_page(bytes.get(..HEAD_BYTES).unwrap_or(bytes))
}

/// Whether a file is called like a web page.
pub fn is_called_web_page(name: &str) -> bool {
    matches!(extension(name).as_str(), "html" | "htm" | "xhtml" | "shtml")
}

/// Whether a text begins like a whole page, behind comments and declarations, and not like a template of one.
fn is_page(head: &[u8]) -> bool {
    let text: Vec<u8> = head.iter().filter(|byte| **byte != 0).map(u8::to_ascii_lowercase).collect();
    if [b"{{".as_slice(), b"{%", b"<%", b"<?php"].iter().any(|sign| memchr::memmem::find(&text, sign).is_some()) {
        return false;
    }
    let mut rest = text.as_slice();
    loop {
        let begin = rest.iter().position(u8::is_ascii_graphic).unwrap_or(rest.len());
        rest = rest.get(begin..).unwrap_or_default();
        let (opens, closes): (&[u8], &[u8]) =
            if rest.starts_with(b"<!--") { (b"<!--", b"-->") } else { (b"<?xml", b"?>") };
        match memchr::memmem::find(rest, closes).filter(|_| rest.starts_with(opens)) {
            Some(end) => rest = rest.get(end + closes.len()..).unwrap_or_default(),
            None => return rest.starts_with(b"<!doctype html") || rest.starts_with(b"<html"),
        }
    }
}

/// The text of a page, and what must be said of it.
#[derive(Debug)]
struct Shown {
    text: Arc<Vec<u8>>,
    notes: Vec<Note>,
}

/// A web page.
#[derive(Debug)]
struct Page {
    piece: Piece,
}

impl Container for Page {
    fn is_end(&self) -> bool {
        true
    }

    fn enter(&self, tail: Option<&str>, opening: &Opening<'_>) -> Result<Entered, Fault> {
        if tail.is_some_and(Selector::is_of_bytes) {
            return Ok(Entered::Itself);
        }
        let (wish, rest) = wished(tail);
        let Some(shown) = self.text(wish, opening).map_err(|error| Box::new(error) as Fault)? else {
            return Ok(Entered::Itself);
        };
        let own = &self.piece.path;
        let note = Note::Made { from: "HTML", address: format!("{own}:source") };
        let notes = std::iter::once(note).chain(shown.notes.iter().cloned()).collect();
        let content = Content::Converted(Converted::text(Kind::Document, Arc::clone(&shown.text)));
        let path = match wish {
            PageWish::Article => own.clone(),
            // What follows a page of it must be a part of the whole too.
            PageWish::Whole => format!("{own}:all"),
        };
        Ok(Entered::Content(Box::new(Reached { content, path, rest, notes, images: Vec::new() })))
    }
}

/// What of a page a tail asks for, and what is left of the tail.
pub fn wished(tail: Option<&str>) -> (PageWish, Option<String>) {
    let Some(tail) = tail.filter(|tail| !tail.is_empty()) else {
        return (PageWish::Article, None);
    };
    if let Some(rest) = tail.strip_prefix("all").filter(|rest| rest.is_empty() || rest.starts_with(':')) {
        let rest = rest.trim_start_matches(':');
        return (PageWish::Whole, (!rest.is_empty()).then(|| rest.to_owned()));
    }
    match Selector::parse(tail) {
        Ok(Selector { select, mode: Mode::Everything }) => {
            (PageWish::Whole, Some(Selector { select, mode: Mode::Plain }.to_string()))
        }
        Ok(_) | Err(_) => (PageWish::Article, Some(tail.to_owned())),
    }
}

impl Page {
    /// The page as Markdown; `None` when it shows no text, or its bytes are no text or too many: then its source is all
    /// there is.
    fn text(&self, wish: PageWish, opening: &Opening<'_>) -> Result<Option<Arc<Shown>>, Error> {
        let kept = match wish {
            PageWish::Article => KEPT,
            PageWish::Whole => KEPT_WHOLE,
        };
        if let Some(shown) = opening.known::<Shown>(self.piece.stamp, kept) {
            return Ok(Some(shown));
        }
        let path = || self.piece.path.clone();
        let read = work::bytes(&self.piece, opening.limits.document_text, opening).map_err(|unread| match unread {
            Unread::Stopped(why) => making::spoiled(path(), Spoiled::Stopped(why)),
            Unread::Io(cause) => Error::Io { path: path(), cause },
        })?;
        let Some(Bytes { bytes, lent: _lent }) = read else {
            return Ok(None);
        };
        let Some(decoded) = charset::page_text(&bytes, None) else {
            return Ok(None);
        };
        let made = making::make(decoded.text, &path(), (None, wish), opening)?;
        if made.text.is_empty() {
            return Ok(None);
        }
        let mut notes = made.notes;
        let count = made.text.chars().filter(|character| character.is_alphanumeric()).count();
        let left_out = (count * 100 / usize::from(made.share.max(1))).saturating_sub(count);
        if made.share < ALL && left_out >= WORTH {
            notes.push(Note::MainText { percent: u64::from(made.share), address: format!("{}:all", path()) });
        }
        notes.extend((decoded.encoding != "utf-8").then_some(Note::Encoding(decoded.encoding)));
        notes.extend((decoded.replaced > 0).then(|| Note::Replaced { count: decoded.replaced, offsets: Vec::new() }));
        notes.extend(untold(&made.text, &made.title).map(Note::Titled));
        let shown = Arc::new(Shown { text: Arc::new(made.text.into_bytes()), notes });
        opening.keep(self.piece.stamp, kept, Arc::clone(&shown), shown.text.len() as u64 + 256);
        Ok(Some(shown))
    }
}

/// What a page is called, where no heading of its text says so.
pub fn untold(text: &str, title: &str) -> Option<String> {
    let words = words_of(title);
    let told = || headings(text).any(|heading| words_of(heading).contains(&words));
    (!words.trim().is_empty() && !told()).then(|| title.to_owned())
}

/// The headings of a text in Markdown, as they are written.
pub fn headings(text: &str) -> impl Iterator<Item = &str> {
    let mut code = false;
    text.lines().filter_map(move |line| {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        let heading = line.trim_start_matches('#');
        let level = line.len() - heading.len();
        ((1..=6).contains(&level) && heading.starts_with(' ') && !code && !fence).then(|| heading.trim())
    })
}

/// The words of a text in small letters, each between blanks.
fn words_of(text: &str) -> String {
    let words = text.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut all = " ".to_owned();
    for word in words {
        all.push_str(&word.to_lowercase());
        all.push(' ');
    }
    all
}

impl MadePage {
    /// What it is called, and by whom and when it was written, where its text does not say so.
    pub fn caption(&self) -> Option<String> {
        let Self { text, title, byline, published, .. } = self;
        let by = Some(byline).filter(|by| !by.is_empty() && !text.contains(by.as_str()));
        let day = Some(published).filter(|day| !day.is_empty() && !text.contains(day.as_str()));
        let begins = |by: &str| by.get(..3).is_some_and(|begin| begin.eq_ignore_ascii_case("by "));
        let by = by.map(|by| if begins(by) { by.clone() } else { format!("by {by}") });
        let about: Vec<String> = by.into_iter().chain(day.cloned()).collect();
        match (untold(text, title), about.as_slice()) {
            (None, []) => None,
            (Some(title), []) => Some(title),
            (None, about) if title.is_empty() => Some(about.join(", ")),
            (_, about) => Some(format!("{title} — {}", about.join(", "))),
        }
    }
}
