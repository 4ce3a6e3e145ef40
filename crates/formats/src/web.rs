//! Web pages that are files: shown as Markdown, with their source at hand.

use std::sync::Arc;

use readstone_address::Selector;
use readstone_base::{Blob, Fault, Kind, Lend, Memory, Note, Spoiled};
use readstone_convert::{Bounds, Refusal, Remark, WebPage};
use readstone_source::{Coding, Container, Content, Converted, Entered, Head, Opening, Piece, Reached};
use serde::{Deserialize, Serialize};

use crate::coding::Legacy;
use crate::document::{Error, bounds, extension, note};
use crate::work::{self, Bytes, Pair, Unread, pack, whole};

/// What this kind of work is called.
pub(crate) const TASK: &str = "web page";
/// What is kept of a page is kept under this name.
const KEPT: &str = "web page";

/// What a worker is asked.
#[derive(Serialize, Deserialize)]
struct Asked {
    bounds: Bounds,
}

/// Does the work: the answer is the Markdown of a page in UTF-8, or why there is none.
pub(crate) fn work(ask: &[u8], lend: &Arc<dyn Lend>) -> Result<Vec<u8>, String> {
    let Asked { bounds } = serde_json::from_slice(ask).map_err(|error| error.to_string())?;
    let html = String::from_utf8(whole(lend)?).map_err(|error| error.to_string())?;
    match readstone_convert::web_page(&html, None, &bounds) {
        Ok(WebPage { text, remarks }) => pack(&Ok::<Vec<Remark>, Refusal>(remarks), text.as_bytes()),
        Err(refusal) => pack(&Err::<Vec<Remark>, Refusal>(refusal), &[]),
    }
}

/// A piece as a web page, when it is called like one and begins like one: a template or a fragment is source code.
pub(crate) fn container(piece: &Piece, head: &[u8]) -> Option<Arc<dyn Container>> {
    let named = matches!(extension(&piece.name).as_str(), "html" | "htm" | "xhtml" | "shtml");
    (named && is_page(head)).then(|| Arc::new(Page { piece: piece.clone() }) as Arc<dyn Container>)
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

/// The encoding that a page says it is in, where its bytes fit.
fn declared(bytes: &[u8]) -> Option<Legacy> {
    let head = bytes.get(..DECLARED_BYTES).unwrap_or(bytes).to_ascii_lowercase();
    let sign = [b"charset=".as_slice(), b"encoding="].into_iter();
    let at = sign.filter_map(|sign| Some(memchr::memmem::find(&head, sign)? + sign.len())).min()?;
    let label = head.get(at..)?.iter().copied().skip_while(|byte| matches!(byte, b'"' | b'\'' | b' '));
    let label: Vec<u8> = label.take_while(|byte| byte.is_ascii_alphanumeric() || b"-_:".contains(byte)).collect();
    let encoding = encoding_rs::Encoding::for_label(&label)?;
    let single =
        encoding != encoding_rs::UTF_16LE && encoding != encoding_rs::UTF_16BE && encoding != encoding_rs::UTF_8;
    let fits = || std::str::from_utf8(bytes).is_err() && !encoding.decode_without_bom_handling(bytes).1;
    (single && fits()).then_some(Legacy { encoding, mark: 0 })
}

/// Where a page says which encoding it is in.
const DECLARED_BYTES: usize = 2_048;

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
        let Some(shown) = self.text(opening).map_err(|error| Box::new(error) as Fault)? else {
            return Ok(Entered::Itself);
        };
        let path = self.piece.path.clone();
        let note = Note::Made { from: "HTML", address: format!("{path}:source") };
        let notes = std::iter::once(note).chain(shown.notes.iter().cloned()).collect();
        let content = Content::Converted(Converted::text(Kind::Document, Arc::clone(&shown.text)));
        let rest = tail.filter(|tail| !tail.is_empty()).map(str::to_owned);
        Ok(Entered::Content(Box::new(Reached { content, path, rest, notes, images: Vec::new() })))
    }
}

impl Page {
    /// The page as Markdown; `None` when it shows no text, or its bytes are no text or too many: then its source is all
    /// there is.
    fn text(&self, opening: &Opening<'_>) -> Result<Option<Arc<Shown>>, Error> {
        if let Some(shown) = opening.known::<Shown>(self.piece.stamp, KEPT) {
            return Ok(Some(shown));
        }
        let path = || self.piece.path.clone();
        let spoiled = |spoiled| Error::Spoiled { path: path(), extension: "html", spoiled };
        let read = work::bytes(&self.piece, opening.limits.document_text, opening).map_err(|unread| match unread {
            Unread::Stopped(why) => spoiled(Spoiled::Stopped(why)),
            Unread::Io(cause) => Error::Io { path: path(), cause },
        })?;
        let Some(Bytes { bytes, lent: _lent }) = read else {
            return Ok(None);
        };
        let head = Head { bytes: &bytes, samples: &[], size: bytes.len() as u64 };
        let declared = declared(&bytes).map(|coding| Arc::new(coding) as Arc<dyn Coding>);
        let Some(coding) = declared.or_else(|| crate::detect::coding(&head)) else {
            return Ok(None);
        };
        let marked = usize::try_from(coding.mark()).unwrap_or(0);
        let decoded = coding.decode(bytes.get(marked..).unwrap_or_default());
        let replaced = decoded.replaced.len() as u64;
        let html = decoded.text.into_owned();
        let blob: Arc<dyn Blob> = Arc::new(Memory::new(html.into_bytes()));
        let asked = Asked { bounds: bounds(opening.limits) };
        let answer = work::ask::<Result<Vec<Remark>, Refusal>>(TASK, &asked, blob, (&**opening.works, opening.budget));
        let Pair { head: made, body } = answer.map_err(spoiled)?;
        let remarks = match made {
            Ok(remarks) => remarks,
            Err(Refusal::Empty) => return Ok(None),
            Err(refusal) => return Err(Error::Refused { path: path(), extension: "html", refusal }),
        };
        let mut notes: Vec<Note> = remarks.iter().map(note).collect();
        notes.extend((coding.name() != "utf-8").then(|| Note::Encoding(coding.name())));
        notes.extend((replaced > 0).then(|| Note::Replaced { count: replaced, offsets: Vec::new() }));
        let shown = Arc::new(Shown { text: Arc::new(body), notes });
        opening.keep(self.piece.stamp, KEPT, Arc::clone(&shown), shown.text.len() as u64 + 256);
        Ok(Some(shown))
    }
}
