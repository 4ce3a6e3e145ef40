//! One target of `read`: from an address to its page.

use std::sync::{Arc, Mutex, PoisonError};

use readstone_address::{Mode, Select, Selector, join};
use readstone_base::{Blob, Fault, Kind, Note, Page, Tag, Version};
use readstone_session::Snapshot;
use readstone_source::{Body, Content, Head, LineIndex, Lines, Loaded, Node, Show, Trunk};
use readstone_view::{Ask, Room, Sheet, Text, Then};

use crate::call::Call;
use crate::error::{Error, fault};

/// What the call asks of every target.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wish {
    pub(crate) select: Option<Select>,
    pub(crate) mode: Option<Mode>,
}

/// The page of an address.
pub(crate) fn page(call: &Call<'_>, address: &str, wish: &Wish, room: Room) -> Result<Page, Fault> {
    let mut node = readstone_source::locate(call.host, address, call.limits, call.budget).map_err(fault)?;
    node.selector = combine(&node, wish)?;
    let path = node.path.clone();
    let selector = node.selector.clone();
    let ask = Ask { path: &path, selector: &selector, limits: call.limits, room, budget: call.budget };
    let mut page = match &node.body {
        Body::Directory(directory) => {
            let trunk = Trunk { directory, path: &path, real: &node.real };
            directory_page(call, trunk, &ask)?
        }
        Body::File { blob, more } => {
            let mut page = file_page(call, &node, Arc::clone(blob), &ask)?;
            if *more {
                admit_more(&mut page, call);
            }
            page
        }
    };
    address.clone_into(&mut page.address);
    page.path = Some(path);
    page.guess = node.guess;
    if node.literal {
        page.notes.push(Note::Literal);
    }
    page.notes.extend(node.secret.map(|rule| Note::Secret { rule }));
    Ok(page)
}

/// The address's own selector, or the one given beside it.
fn combine(node: &Node, wish: &Wish) -> Result<Selector, Fault> {
    let own = &node.selector;
    let twice = || fault(Error::SelectedTwice { address: join(&node.path, own) });
    let select = match (&own.select, &wish.select) {
        (own, None) => own.clone(),
        (Select::All, Some(given)) => given.clone(),
        (_, Some(_)) => return Err(twice()),
    };
    let mode = match (own.mode, wish.mode) {
        (own, None) => own,
        (Mode::Plain | Mode::Raw, Some(given)) => given,
        (_, Some(_)) => return Err(twice()),
    };
    Ok(Selector { select, mode })
}

/// A stream that was not kept whole: its totals are not known.
fn admit_more(page: &mut Page, call: &Call<'_>) {
    let kept = page.coverage.total.bytes.unwrap_or(0);
    page.coverage.total = readstone_base::Totals::default();
    page.coverage.complete = false;
    page.editable = false;
    let cause = format!("more follows than spool_bytes {} allows", call.limits.spool_bytes);
    page.notes.push(Note::Partial { offset: kept, cause });
}

fn directory_page(call: &Call<'_>, trunk: Trunk<'_>, ask: &Ask<'_>) -> Result<Page, Fault> {
    let show = match ask.selector.mode {
        Mode::Everything => Show::Everything,
        Mode::Plain | Mode::Raw => Show::Unignored,
        Mode::Hex | Mode::Conflicts => return Err(unfit(ask, "is a directory; it has neither bytes nor conflicts")),
    };
    let Some(window) = readstone_view::listing_window(ask) else {
        return Err(unfit(ask, "is a directory; its listing takes :N-, one range :A-B, and :all"));
    };
    let wish = readstone_source::Wish { show, window };
    let tree = readstone_source::tree(trunk, wish, call.host, call.limits, call.budget);
    let tree = tree.map_err(|cause| fault(Error::Io { path: ask.path.to_owned(), cause }))?;
    Ok(bare(Kind::Directory, readstone_view::listing(tree, ask)))
}

fn unfit(ask: &Ask<'_>, why: &'static str) -> Fault {
    fault(Error::BadSelection { path: ask.path.to_owned(), why })
}

fn file_page(call: &Call<'_>, node: &Node, blob: Arc<dyn Blob>, ask: &Ask<'_>) -> Result<Page, Fault> {
    if ask.selector.mode == Mode::Hex {
        let size = blob.len().unwrap_or(0);
        let sheet = readstone_view::dump(&*blob, size, ask).map_err(fault)?;
        return Ok(bare(Kind::Binary, sheet));
    }
    if ask.selector.mode == Mode::Everything {
        return Err(unfit(ask, "is a file; :all is for directories"));
    }
    let failed = |cause| fault(readstone_host::Error::from_io(ask.path, cause));
    let loaded = readstone_source::load(blob, call.limits.edit_bytes).map_err(failed)?;
    let head = Head { bytes: &loaded.head, samples: &loaded.samples, size: loaded.size };
    match readstone_formats::open(&head, &loaded.blob) {
        Content::Opaque(opaque) => Ok(bare(Kind::Binary, readstone_view::notice(opaque.what, loaded.size, ask))),
        Content::Lines(lines) => text_page(call, node, &loaded, lines, ask),
    }
}

fn text_page(call: &Call<'_>, node: &Node, loaded: &Loaded, lines: Lines, ask: &Ask<'_>) -> Result<Page, Fault> {
    let newline = lines.coding.newline();
    let index = match loaded.stamp {
        Some(stamp) => call.session.index(&*loaded.blob, stamp, newline),
        None => Arc::new(Mutex::new(LineIndex::new(newline, loaded.size))),
    };
    let mut held = index.lock().unwrap_or_else(PoisonError::into_inner);
    let encoding = lines.coding.name();
    let mut text = Text { blob: lines.blob, coding: lines.coding, size: loaded.size, index: &mut held };
    if loaded.version.is_some() {
        // What was taken whole is counted whole; the time for that is a part of taking it.
        drop(text.index.count_all(&*text.blob, call.budget));
    }
    let sheet = match node.since.zip(loaded.version) {
        Some((tag, version)) => {
            let then = call.session.recall(&node.real, tag);
            since((tag, then), (version, &loaded.head), &mut text, ask)?
        }
        None => readstone_view::show(&mut text, ask).map_err(fault)?,
    };
    drop(held);
    let mut page = Page { encoding: Some(encoding), version: loaded.version, ..bare(Kind::Text, sheet) };
    page.editable = loaded.version.is_some() && loaded.lasting && ask.selector.mode != Mode::Raw && node.path != "-";
    if let Some(version) = loaded.version.filter(|_| page.editable && node.secret.is_none()) {
        call.session.keep(&node.real, version, &loaded.head);
    }
    let mut changed = loaded.changed;
    if let Some(stamp) = loaded.stamp {
        changed |= loaded.blob.stamp().ok().flatten().is_some_and(|now| now != stamp);
        call.session.remember(&*loaded.blob, stamp, newline, index);
        if ask.selector.mode != Mode::Raw {
            page.notes.push(Note::NoTag { limit: call.limits.edit_bytes });
        }
    }
    if changed {
        page.notes.push(Note::Changed);
    }
    Ok(page)
}

/// What changed since the version with this tag, or all of it when that version is not held.
fn since(
    then: (Tag, Option<Snapshot>),
    now: (Version, &[u8]),
    text: &mut Text<'_>,
    ask: &Ask<'_>,
) -> Result<Sheet, Fault> {
    let ((tag, held), (version, bytes)) = (then, now);
    // Where the text is held, its full hash decides; else the tag is all there is to go by.
    let same = held.as_ref().map_or(Tag::of(&version) == tag, |then| then.version == version);
    if same {
        let mut sheet = Sheet::default();
        sheet.coverage.total.bytes = Some(text.size);
        sheet.coverage.total.lines = text.index.total();
        sheet.notes.push(Note::Unchanged { tag });
        return Ok(sheet);
    }
    if let Some(then) = held {
        let beginning = Head { bytes: &then.bytes, samples: &[], size: then.bytes.len() as u64 };
        let coding = readstone_formats::coding_of(&beginning).unwrap_or_else(|| Arc::clone(&text.coding));
        let then = Then { tag, bytes: &then.bytes, coding: &*coding };
        return Ok(readstone_view::changes(text, then, bytes, ask));
    }
    let mut sheet = readstone_view::show(text, ask).map_err(fault)?;
    sheet.notes.insert(0, Note::Forgotten { tag });
    Ok(sheet)
}

/// A page that holds a sheet and nothing else yet.
fn bare(kind: Kind, sheet: Sheet) -> Page {
    Page {
        address: String::new(),
        kind,
        path: None,
        version: None,
        editable: false,
        encoding: None,
        guess: None,
        blocks: sheet.blocks,
        coverage: sheet.coverage,
        notes: sheet.notes,
    }
}
