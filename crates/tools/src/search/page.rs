//! The page of one thing that holds matches.

use std::sync::Arc;

use readstone_base::{Block, Count, Coverage, Fault, Hits, Kind, Page, Span};
use readstone_host::{Object, Opened};
use readstone_search::{Scanned, Scanner};
use readstone_source::{Body, Content, Fresh, Head, Lines, Nature, version_of};
use readstone_view::Sheet;

use super::hunt::{FileThing, Thing};
use super::text::Text;
use super::{Job, table};
use crate::beyond;
use crate::error::fault;
use crate::target::{bare, room_for};

/// The page with the first matches of a thing; `None` when it has none.
pub(super) fn page(
    job: &Job<'_>,
    thing: &Thing,
    (within, most): (Option<&[Span]>, u64),
) -> Result<Option<Page>, Fault> {
    match thing {
        Thing::Table(found) => Ok(Some(table::page(found, most))),
        Thing::Text(text) => text_page(job, text, (within, most)),
        Thing::File(file) => text_page(job, &opened(job, file)?, (within, most)),
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
                secret: secret.is_some(),
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

fn text_page(job: &Job<'_>, text: &Text, (within, most): (Option<&[Span]>, u64)) -> Result<Option<Page>, Fault> {
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
            Err(_) => return Ok(None),
        }
    };
    let encoding = coding.name();
    let lines = Lines { blob: Arc::clone(&loaded.blob), coding };
    let mut scanner = Scanner::new(job.pattern, call.limits);
    let Scanned { mut hits, stopped, .. } = scanner.hits(&lines, within, most, call.budget).map_err(failed)?;
    if stopped.is_some() {
        hits.matches = Count::AtLeast(hits.matches.number());
    }
    if hits.rows.is_empty() {
        return Ok(None);
    }
    let version = match &text.original {
        Some(bytes) => Some(version_of(bytes)),
        None => loaded.version.filter(|_| loaded.lasting && text.coding.is_none()),
    };
    let editable = version.is_some() && text.nature == Nature::Editable && text.address != "-";
    if let Some(version) = version.filter(|_| editable && !text.secret) {
        call.session.keep(&text.real, version, text.original.as_deref().unwrap_or(&loaded.head));
    }
    let mut page = Page {
        tool: "search",
        address: text.address.clone(),
        path: Some(text.address.clone()),
        version,
        editable,
        encoding: Some(encoding),
        ..bare(text.kind, sheet(hits))
    };
    page.web.clone_from(&text.web);
    beyond::put_fence(call, &mut page);
    Ok(Some(page))
}

pub(super) fn sheet(hits: Hits) -> Sheet {
    Sheet { blocks: vec![Block::Hits(hits)], coverage: Coverage::default(), ..Sheet::default() }
}
