//! The page of one thing that holds matches.

use std::path::Path;
use std::sync::Arc;

use readstone_base::{Backing, Block, Count, Coverage, Fault, Hits, Kind, Note, Page, Span, Version};
use readstone_host::{Object, Opened};
use readstone_search::{Extent, Scanned, Scanner};
use readstone_source::{Body, Content, Fresh, Head, Lines, Nature, version_of};
use readstone_view::Sheet;

use super::Job;
use super::hunt::{FileThing, Thing};
use super::table::{self, TableRows};
use super::text::Text;
use crate::beyond;
use crate::call::Call;
use crate::error::fault;
use crate::shown;
use crate::target::{bare, masked_note, room_for};

/// What became of something that was to be shown.
pub(super) enum Made {
    /// Its page, and what leads on from there.
    Page(Box<Leaf>),
    /// It has no matches; whether some can have been missed.
    Nothing(Extent),
    /// It is no text.
    Binary,
    /// The call ended before a match was found.
    Stopped,
}

/// A page with matches.
pub(super) struct Leaf {
    pub(super) page: Page,
    /// The lines that were asked for.
    pub(super) within: Option<Vec<Span>>,
    /// Which rows of a table the matches lie in.
    pub(super) rows: Option<TableRows>,
    pub(super) extent: Extent,
}

/// The page with the first matches of a thing.
pub(super) fn page(job: &Job<'_>, thing: Thing, most: u64) -> Result<Made, Fault> {
    match thing {
        Thing::Table(found) => Ok(Made::Page(Box::new(table::page(*found, most)))),
        Thing::Text(text) => text_page(job, &text, most),
        Thing::File(file) => text_page(job, &opened(job, &file)?, most),
    }
}

/// Opens a file that was found below a directory.
fn opened(job: &Job<'_>, file: &FileThing) -> Result<Text, Fault> {
    let call = job.call;
    if let Some(real) = &file.real {
        let Opened { object, real, secret } = call.host.open(real, call.budget).map_err(fault)?;
        if let Object::File { blob, .. } = object {
            return Ok(Text {
                address: file.address.clone(),
                real,
                kind: Kind::Text,
                blob,
                coding: None,
                original: None,
                nature: Nature::Editable,
                secret,
                notes: Vec::new(),
                within: None,
                web: None,
            });
        }
    }
    let node = readstone_source::locate_exactly(call.host, &file.address, &call.opening(Fresh::Keep))?;
    match &node.body {
        Body::File { blob, .. } => Ok(Text { address: file.address.clone(), ..Text::of(&node, Arc::clone(blob)) }),
        Body::Directory(_)
        | Body::Content(
            Content::Converted(_) | Content::Listing(_) | Content::Table(_) | Content::Document(_) | Content::Picture,
        ) => Err(fault(readstone_host::Error::NotFound { path: file.address.clone(), why: "" })),
    }
}

/// The page with the first matches of a text.
pub(super) fn text_page(job: &Job<'_>, text: &Text, most: u64) -> Result<Made, Fault> {
    let call = job.call;
    let failed = |cause| readstone_formats::unreadable(&text.address, cause);
    let _room = room_for(call, &*text.blob, (&text.address, call.limits.edit_bytes))?;
    let loaded = readstone_source::load(Arc::clone(&text.blob), call.limits.edit_bytes).map_err(failed)?;
    let coding = if let Some(coding) = &text.coding {
        Arc::clone(coding)
    } else {
        let head = Head { bytes: &loaded.head, samples: &loaded.samples, size: loaded.size };
        match readstone_formats::open(&head, &loaded.blob) {
            Ok(lines) => lines.coding,
            Err(_) => return Ok(Made::Binary),
        }
    };
    let encoding = coding.name();
    let lines = Lines { blob: Arc::clone(&loaded.blob), coding };
    let mut scanner = Scanner::new(job.pattern, call.limits);
    let within = text.within.as_deref();
    let Scanned { mut hits, stopped, extent } = scanner.hits(&lines, within, most, call.budget).map_err(failed)?;
    if stopped.is_some() {
        hits.matches = Count::AtLeast(hits.matches.number());
    }
    if hits.rows.is_empty() {
        return Ok(if stopped.is_some() { Made::Stopped } else { Made::Nothing(extent) });
    }
    let version = match &text.original {
        Some(bytes) => Some(version_of(bytes)),
        None => loaded.version.filter(|_| loaded.lasting && text.coding.is_none()),
    };
    let editable = version.is_some() && text.nature == Nature::Editable && text.address != "-";
    let backing = version.filter(|_| editable && text.secret.is_none()).map(|version| {
        let bytes = text.original.as_ref().unwrap_or(&loaded.head);
        backing(call, &text.real, version, bytes)
    });
    let mut page = Page {
        tool: "search",
        address: text.address.clone(),
        path: Some(text.address.clone()),
        version,
        editable,
        encoding: Some(encoding),
        notes: notes(text),
        backing,
        ..bare(text.kind, sheet(hits))
    };
    page.coverage.cut_by = stopped.map(|_| "call_ms");
    page.web.clone_from(&text.web);
    beyond::put_fence(call, &mut page);
    Ok(Made::Page(Box::new(Leaf { page, within: text.within.clone(), rows: None, extent })))
}

/// What is kept of a text once it is known which of its matches are shown. Of large ones the text is kept at once, for many
/// of them may be waiting for that.
fn backing(call: &Call<'_>, real: &Path, version: Version, bytes: &Arc<Vec<u8>>) -> Backing {
    let path = real.to_owned();
    if bytes.len() <= SMALL {
        return Backing { path, bytes: Some(Arc::clone(bytes)), known: Vec::new() };
    }
    let whole = Backing { path, bytes: Some(Arc::clone(bytes)), known: Vec::new() };
    shown::keep_lines(call, version, &whole, Vec::new());
    Backing { bytes: None, ..whole }
}

/// Texts up to this size are held until a reply is made.
const SMALL: usize = 256 * 1024;

fn notes(text: &Text) -> Vec<Note> {
    let secret = text.secret.clone().map(|rule| Note::Secret { rule });
    text.notes.iter().cloned().chain(secret).chain(masked_note(&*text.blob)).collect()
}

pub(super) fn sheet(hits: Hits) -> Sheet {
    Sheet { blocks: vec![Block::Hits(hits)], coverage: Coverage::default(), ..Sheet::default() }
}
