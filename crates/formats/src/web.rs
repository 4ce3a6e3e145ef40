//! Web pages that are files: shown as Markdown, with their source at hand.

use std::sync::Arc;

use readstone_address::Selector;
use readstone_base::{Blob, Fault, Kind, Lend, Memory, Note, Spoiled};
use readstone_convert::{Bounds, Refusal};
use readstone_source::{Container, Content, Converted, Entered, Head, Opening, Piece, Reached};
use serde::{Deserialize, Serialize};

use crate::document::{Error, bounds, extension};
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
    match readstone_convert::web_page(&html, &bounds) {
        Ok(text) => pack(&Ok::<(), Refusal>(()), text.as_bytes()),
        Err(refusal) => pack(&Err::<(), Refusal>(refusal), &[]),
    }
}

/// A piece as a web page, when it is called like one and begins like one: a template or a fragment is source code.
pub(crate) fn container(piece: &Piece, head: &[u8]) -> Option<Arc<dyn Container>> {
    let named = matches!(extension(&piece.name).as_str(), "html" | "htm" | "xhtml" | "shtml");
    (named && is_page(head)).then(|| Arc::new(Page { piece: piece.clone() }) as Arc<dyn Container>)
}

fn is_page(head: &[u8]) -> bool {
    let text: Vec<u8> = head.iter().filter(|byte| **byte != 0).map(u8::to_ascii_lowercase).collect();
    ["<!doctype html", "<html"].iter().any(|start| memchr::memmem::find(&text, start.as_bytes()).is_some())
}

/// A web page.
#[derive(Debug)]
struct Page {
    piece: Piece,
}

impl Container for Page {
    fn enter(&self, tail: Option<&str>, opening: &Opening<'_>) -> Result<Entered, Fault> {
        if tail.is_some_and(Selector::is_of_bytes) {
            return Ok(Entered::Itself);
        }
        let Some(text) = self.text(opening).map_err(|error| Box::new(error) as Fault)? else {
            return Ok(Entered::Itself);
        };
        let path = self.piece.path.clone();
        let note = Note::Made { from: "HTML", address: format!("{path}:source") };
        let content = Content::Converted(Converted::text(Kind::Document, text));
        let rest = tail.filter(|tail| !tail.is_empty()).map(str::to_owned);
        Ok(Entered::Content(Box::new(Reached { content, path, rest, notes: vec![note], images: Vec::new() })))
    }
}

impl Page {
    /// The page as Markdown; `None` when it shows no text, or its bytes are no text or too many: then its source is all
    /// there is.
    fn text(&self, opening: &Opening<'_>) -> Result<Option<Arc<Vec<u8>>>, Error> {
        if let Some(text) = opening.known::<Vec<u8>>(self.piece.stamp, KEPT) {
            return Ok(Some(text));
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
        let Some(coding) = crate::detect::coding(&head) else {
            return Ok(None);
        };
        let marked = usize::try_from(coding.mark()).unwrap_or(0);
        let html = coding.decode(bytes.get(marked..).unwrap_or_default()).text.into_owned();
        let blob: Arc<dyn Blob> = Arc::new(Memory::new(html.into_bytes()));
        let asked = Asked { bounds: bounds(opening.limits) };
        let answer = work::ask::<Result<(), Refusal>>(TASK, &asked, blob, (&**opening.works, opening.budget));
        let Pair { head: made, body } = answer.map_err(spoiled)?;
        match made {
            Ok(()) => {}
            Err(Refusal::Empty) => return Ok(None),
            Err(refusal) => return Err(Error::Refused { path: path(), extension: "html", refusal }),
        }
        let text = Arc::new(body);
        opening.keep(self.piece.stamp, KEPT, Arc::clone(&text), text.len() as u64);
        Ok(Some(text))
    }
}
