//! One target of `read`: from an address to its page.

use std::sync::Arc;

use readstone_address::{Mode, Select, Selector, is_web, join};
use readstone_base::{Blob, Class, Coverage, Fault, Kind, Lent, Note, Page, Tag, Unit};
use readstone_source::{Body, Content, Converted, Fresh, Head, Lines, Loaded, Nature, Node, Trunk};
use readstone_view::{Ask, Room, Sheet};

use crate::beyond;
use crate::call::Call;
use crate::directory::directory_page;
use crate::error::{Error, fault};
use crate::text::{converted_page, text_page};

/// Smaller files are not counted against the memory that calls share.
const SHARED_BYTES: u64 = 256 * 1024;
/// Files up to this size are taken whole in a few milliseconds.
const QUICK_BYTES: u64 = 2 * 1024 * 1024;

/// What the call asks of every target.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wish {
    /// The tool that was called.
    pub(crate) tool: &'static str,
    pub(crate) select: Option<Select>,
    pub(crate) mode: Option<Mode>,
}

/// Finds what an address names, with the part of it that is asked for.
pub(crate) fn open(call: &Call<'_>, address: &str, wish: &Wish) -> Result<Node, Fault> {
    // A part is a part of what was shown; asked for as a whole, a page is asked for anew.
    let fresh = if wish.select.is_some() { Fresh::Keep } else { Fresh::Ask };
    let opening = call.opening(fresh);
    let locate = |address: &str| readstone_source::locate(call.host, address, &opening);
    // What is asked for verbatim is not converted first; a query takes everything behind it as its own.
    let raw = wish.mode == Some(Mode::Raw) && (is_web(address) || !address.contains('?'));
    let verbatim = raw.then(|| locate(&format!("{address}:raw")));
    let mut node = match verbatim {
        Some(Ok(node)) if node.selector.mode == Mode::Raw => node,
        // What is not there need not be looked for twice.
        Some(Err(fault)) if fault.class() == Class::Missing || is_web(address) => return Err(fault),
        Some(_) | None => locate(address)?,
    };
    node.selector = combine(&node, wish)?;
    Ok(node)
}

/// The page of what was found, within some room.
pub(crate) fn page(call: &Call<'_>, node: &Node, room: Room) -> Result<Page, Fault> {
    let own = beyond::limits_for(node, call.limits);
    let limits = own.as_ref().unwrap_or(call.limits);
    let ask = Ask { path: &node.path, selector: &node.selector, limits, room, budget: call.budget };
    let mut page = match &node.body {
        Body::Directory(directory) => {
            let trunk = Trunk { directory, path: &node.path, real: &node.real };
            directory_page(call, trunk, &ask)?
        }
        Body::File { blob, cut } => {
            refuse_bytes(node, blob.masked())?;
            let mut page = file_page(call, node, Arc::clone(blob), &ask)?;
            if let Some(limit) = cut {
                admit_more(&mut page, limit);
            }
            page.notes.extend(masked_note(&**blob));
            page
        }
        Body::Content(content) => content_page(call, node, content, &ask)?,
    };
    page.path = Some(node.path.clone());
    page.guess.clone_from(&node.guess);
    if node.literal {
        page.notes.push(Note::Literal);
    }
    if let Some(tag) = node.since.filter(|_| page.version.is_none()) {
        page.notes.push(Note::Forgotten { tag });
    }
    page.notes.extend(node.notes.iter().cloned());
    page.notes.extend(node.secret.clone().map(|rule| Note::Secret { rule }));
    page.images.clone_from(&node.images);
    beyond::finish(call, node, &mut page);
    Ok(page)
}

/// Refuses the bytes of a file in which credentials are masked; its lines are shown.
fn refuse_bytes(node: &Node, masked: u64) -> Result<(), Fault> {
    let bytes = match &node.selector.select {
        Select::Window { .. } => true,
        Select::Rest { slices, .. } => !slices.is_empty(),
        Select::All
        | Select::From(_)
        | Select::Range(_)
        | Select::Many(_)
        | Select::Last(_)
        | Select::Around { .. }
        | Select::Symbol(_)
        | Select::Block { .. } => false,
    };
    if masked > 0 && (bytes || matches!(node.selector.mode, Mode::Raw | Mode::Hex)) {
        return Err(fault(readstone_host::Error::Masked { path: node.path.clone(), count: masked }));
    }
    Ok(())
}

/// That credentials in some bytes are masked, where some are.
pub(crate) fn masked_note(blob: &dyn Blob) -> Option<Note> {
    let count = blob.masked();
    (count > 0).then_some(Note::Masked { count })
}

/// The address's own selector, or the one given beside it.
fn combine(node: &Node, wish: &Wish) -> Result<Selector, Fault> {
    let own = &node.selector;
    if node.nature == Nature::Value && wish.select.is_some() {
        return Err(fault(readstone_resource::Error::Combined { address: node.path.clone() }));
    }
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
    let selector = Selector { select, mode };
    match unfit_selection(&selector, node.since) {
        Some(why) => Err(fault(Error::BadSelection { path: node.path.clone(), why })),
        None => Ok(selector),
    }
}

/// Why a selection makes no sense, whatever it selects from.
fn unfit_selection(selector: &Selector, since: Option<Tag>) -> Option<&'static str> {
    let lines = selector.select.span().is_some();
    let bytes = matches!(selector.select, Select::All | Select::Window { .. });
    match selector.mode {
        Mode::Hex if !bytes => Some("in hex takes a byte window such as :hex:b0+4096, not lines"),
        Mode::Conflicts if !lines => Some("with :conflicts takes lines :N- or :A-B only"),
        Mode::Plain if since.is_some() && !lines => Some("with a tag shows changes, which take rows :N- or :A-B only"),
        Mode::Raw if since.is_some() => Some("with a tag shows changes, which have no verbatim form"),
        Mode::Outline if !lines && !selector.select.is_structural() => {
            Some("with :outline takes lines :N- or :A-B, a name as in :@Type:outline, or a block as in :^12:outline")
        }
        Mode::Outline if since.is_some() => Some("with a tag shows changes, which have no outline"),
        Mode::Plain | Mode::Raw | Mode::Hex | Mode::Conflicts | Mode::Everything | Mode::Source | Mode::Outline => None,
    }
}

/// A stream that was not kept whole: its totals are not known.
fn admit_more(page: &mut Page, limit: &'static str) {
    let kept = page.coverage.total.bytes.unwrap_or(0);
    page.coverage.total = readstone_base::Totals::default();
    page.coverage.complete = false;
    page.editable = false;
    // Where the kept part ends, the stream does not.
    page.notes.retain(|note| *note != Note::NoFinalNewline);
    page.notes.push(Note::Endless { kept, limit });
}

/// What a container holds beside files.
fn content_page(call: &Call<'_>, node: &Node, content: &Content, ask: &Ask<'_>) -> Result<Page, Fault> {
    let plain = matches!(ask.selector.mode, Mode::Plain | Mode::Raw | Mode::Everything);
    match content {
        Content::Listing(list) if !plain => Err(unfit(ask, list_takes(list.kind()))),
        Content::Listing(list) if ask.selector.select.span().is_none() => Err(unfit(ask, list_takes(list.kind()))),
        Content::Listing(list) => Ok(bare(list.kind(), readstone_view::contents(&**list, ask)?)),
        Content::Table(_) if ask.selector != &Selector::default() => {
            Err(unfit(ask, "is a table; its rows take ?limit=, ?offset=, ?order= and ?where="))
        }
        Content::Table(table) => {
            let mut page = bare(Kind::Table, readstone_view::table(&**table, ask)?);
            // Rows that cannot be read are not none.
            if node.notes.iter().any(|note| matches!(note, Note::NoSample { .. })) {
                page.notes.retain(|note| *note != Note::NoRows);
            }
            Ok(page)
        }
        Content::Converted(text) => converted_page(call, node, text, ask),
        Content::Document(document) if ask.selector.is_by_meaning() => {
            let text = readstone_view::document_text(&**document, ask)?;
            converted_page(call, node, &Converted::text(Kind::Document, text), ask)
        }
        Content::Document(_) if ask.selector.mode != Mode::Plain => Err(unfit(ask, DOCUMENT_TAKES)),
        Content::Document(document) => {
            let sheet = readstone_view::document(&**document, &readstone_formats::utf8(), ask)?;
            Ok(Page { encoding: Some("utf-8"), ..bare(Kind::Document, sheet) })
        }
        Content::Picture if ask.selector != &Selector::default() => {
            Err(unfit(ask, "is a picture; it takes :info, :crop=X,Y,WIDTH,HEIGHT and :hex"))
        }
        Content::Picture => {
            let coverage = Coverage { complete: true, unit: Unit::Bytes, ..Coverage::default() };
            Ok(bare(Kind::Image, Sheet { coverage, ..Sheet::default() }))
        }
    }
}

/// What stands behind the address of a document.
const DOCUMENT_TAKES: &str = "is a document; it takes pages such as :p3-5, lines of its text such as :10-80, \
                              :outline and headings such as :@Results";

fn list_takes(kind: Kind) -> &'static str {
    if kind == Kind::Database {
        "is a database; its list of tables takes :N- and one range :A-B"
    } else {
        "is a directory in an archive; its listing takes :N- and one range :A-B"
    }
}

pub(crate) fn failed(ask: &Ask<'_>, cause: std::io::Error) -> Fault {
    readstone_formats::unreadable(ask.path, cause)
}

pub(crate) fn unfit(ask: &Ask<'_>, why: &'static str) -> Fault {
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
    let failed = |cause| failed(ask, cause);
    if blob.len().is_some_and(|size| size > call.limits.edit_bytes)
        && let Some(stamp) = blob.stamp().map_err(failed)?
        && let Some(coding) = call.session.coding(stamp)
    {
        let lines = Lines { blob: Arc::clone(&blob), coding };
        return text_page(call, node, &Loaded::known(blob, stamp), lines, ask);
    }
    let _room = room_for(call, &*blob, (ask.path, call.limits.edit_bytes))?;
    let mut loaded = readstone_source::load(blob, call.limits.edit_bytes).map_err(failed)?;
    let head = Head { bytes: &loaded.head, samples: &loaded.samples, size: loaded.size };
    let content = readstone_formats::open(&head, &loaded.blob);
    loaded.samples = Vec::new();
    match content {
        Err(opaque) => Ok(bare(Kind::Binary, readstone_view::notice(opaque.what, loaded.size, ask))),
        Ok(lines) => text_page(call, node, &loaded, lines, ask),
    }
}

/// Room for a file that is taken whole; memory is shared with the calls beside this one.
pub(crate) fn room_for(call: &Call<'_>, blob: &dyn Blob, (path, most): (&str, u64)) -> Result<Option<Lent>, Fault> {
    let stopped = |_| fault(readstone_host::Error::TimedOut { path: path.to_owned() });
    let Some(whole) = blob.len().filter(|size| (SHARED_BYTES..=most).contains(size)) else {
        return Ok(None);
    };
    if whole > QUICK_BYTES {
        call.budget.check_heavy().map_err(stopped)?;
    }
    call.budget.lend(whole).map_err(stopped)
}

/// A page that holds a sheet and nothing else yet.
pub(crate) fn bare(kind: Kind, sheet: Sheet) -> Page {
    let Sheet { blocks, coverage, notes } = sheet;
    Page { blocks, coverage, notes, ..Page::bare(kind) }
}
