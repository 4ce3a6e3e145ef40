//! Web pages that are files: shown as Markdown, with their source at hand.

use std::sync::Arc;

use readstone_address::Selector;
use readstone_base::{Fault, Kind, Lend, Note, Spoiled, Task};
use readstone_convert::{Bounds, Refusal};
use readstone_source::{Container, Content, Converted, Entered, Head, Opening, Piece, Reached};
use serde::{Deserialize, Serialize};

use crate::document::{Error, extension};
use crate::work::{pack, unpack, whole};

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
        let content =
            Content::Converted(Converted { kind: Kind::Document, text, original: None, convert: |_, _| None });
        let rest = tail.filter(|tail| !tail.is_empty()).map(str::to_owned);
        Ok(Entered::Content(Box::new(Reached { content, path, rest, notes: vec![note], images: Vec::new() })))
    }
}

impl Page {
    /// The page as Markdown; `None` when its bytes are no text or too many.
    fn text(&self, opening: &Opening<'_>) -> Result<Option<Arc<Vec<u8>>>, Error> {
        if let Some(text) = opening.known::<Vec<u8>>(self.piece.stamp, KEPT) {
            return Ok(Some(text));
        }
        let path = || self.piece.path.clone();
        let most = opening.limits.document_text;
        let bytes = self.piece.blob.read_range(0, most + 1).map_err(|cause| Error::Io { path: path(), cause })?;
        if bytes.len() as u64 > most {
            return Ok(None);
        }
        let head = Head { bytes: &bytes, samples: &[], size: bytes.len() as u64 };
        let Some(coding) = crate::detect::coding(&head) else {
            return Ok(None);
        };
        let marked = usize::try_from(coding.mark()).unwrap_or(0);
        let html = coding.decode(bytes.get(marked..).unwrap_or_default()).text.into_owned();
        let limits = opening.limits;
        let (text_bytes, parts_bytes, depth) = (limits.document_text, limits.document_parts, limits.document_depth);
        let ask = serde_json::to_vec(&Asked { bounds: Bounds { text_bytes, parts_bytes, depth } }).unwrap_or_default();
        let blob: Arc<dyn readstone_base::Blob> = Arc::new(readstone_base::Memory::new(html.into_bytes()));
        let spoiled = |spoiled| Error::Spoiled { path: path(), extension: "html", spoiled };
        let task = Task { what: TASK, ask: &ask, lend: Arc::new(Arc::clone(&blob)) };
        let answer = opening.works.work(&task, opening.budget).map_err(spoiled)?;
        let nonsense = || spoiled(Spoiled::Crashed("its answer makes no sense".to_owned()));
        let (made, text) = unpack::<Result<(), Refusal>>(&answer).ok_or_else(nonsense)?;
        made.map_err(|refusal| Error::Refused { path: path(), extension: "html", refusal })?;
        let text = Arc::new(text.to_vec());
        opening.keep(self.piece.stamp, KEPT, Arc::clone(&text), text.len() as u64);
        Ok(Some(text))
    }
}
