//! One target of `read`: from an address to its page.

use std::sync::Arc;

use readstone_address::{Mode, Select, Selector, join};
use readstone_base::{Blob, Class, Coverage, Fault, Kind, Lent, Memory, Note, Page, Tag, Unit, Version};
use readstone_session::Snapshot;
use readstone_source::{Body, Content, Converted, Head, LineIndex, Lines, Loaded, Node, Show, Trunk};
use readstone_view::{Ask, Room, Sheet, Text, Then};

use crate::call::Call;
use crate::error::{Error, fault};

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
    let opening = call.opening();
    let locate = |address: &str| readstone_source::locate(call.host, address, &opening);
    // What is asked for verbatim is not converted first; a query takes everything behind it as its own.
    let verbatim = (wish.mode == Some(Mode::Raw) && !address.contains('?')).then(|| locate(&format!("{address}:raw")));
    let mut node = match verbatim {
        Some(Ok(node)) if node.selector.mode == Mode::Raw => node,
        // What is not there need not be looked for twice.
        Some(Err(fault)) if fault.class() == Class::Missing => return Err(fault),
        Some(_) | None => locate(address)?,
    };
    node.selector = combine(&node, wish)?;
    Ok(node)
}

/// The page of what was found, within some room.
pub(crate) fn page(call: &Call<'_>, node: &Node, room: Room) -> Result<Page, Fault> {
    let ask = Ask { path: &node.path, selector: &node.selector, limits: call.limits, room, budget: call.budget };
    let mut page = match &node.body {
        Body::Directory(directory) => {
            let trunk = Trunk { directory, path: &node.path, real: &node.real };
            directory_page(call, trunk, &ask)?
        }
        Body::File { blob, cut } => {
            let mut page = file_page(call, node, Arc::clone(blob), &ask)?;
            if let Some(limit) = cut {
                admit_more(&mut page, limit);
            }
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
        Mode::Plain | Mode::Raw | Mode::Hex | Mode::Conflicts | Mode::Everything | Mode::Source => None,
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
const DOCUMENT_TAKES: &str = "is a document; it takes pages such as :p3-5 and lines of its text such as :10-80";

fn list_takes(kind: Kind) -> &'static str {
    if kind == Kind::Database {
        "is a database; its list of tables takes :N- and one range :A-B"
    } else {
        "is a directory in an archive; its listing takes :N- and one range :A-B"
    }
}

/// Text that was made from a file; its tag is that of the file.
fn converted_page(call: &Call<'_>, node: &Node, made: &Converted, ask: &Ask<'_>) -> Result<Page, Fault> {
    let text: Arc<dyn Blob> = Arc::new(Memory::new(Arc::clone(&made.text)));
    if ask.selector.mode == Mode::Hex {
        let sheet = readstone_view::dump(&*text, made.text.len() as u64, ask).map_err(fault)?;
        return Ok(bare(Kind::Binary, sheet));
    }
    let limits;
    let ask = if made.kind == Kind::Document {
        limits = readstone_view::limits_for(ask.limits);
        &Ask { limits: &limits, ..*ask }
    } else {
        ask
    };
    let coding = readstone_formats::utf8();
    let size = made.text.len() as u64;
    let mut index = LineIndex::new(coding.newline(), size);
    drop(index.count_all(&*text, call.budget));
    let mut shown = Text { blob: text, coding, size, index: &mut index };
    let original = made.original.as_ref();
    let version = original.map(|bytes| readstone_source::version_of(bytes));
    let sheet = match node.since.zip(version) {
        Some((tag, version)) => {
            let then = call.session.recall(&node.real, tag).map(|then| Snapshot {
                bytes: (made.convert)(&then.bytes, call.limits).unwrap_or(then.bytes),
                version: then.version,
            });
            since((tag, then), (version, &made.text), &mut shown, ask)?
        }
        None => readstone_view::show(&mut shown, ask).map_err(fault)?,
    };
    let mut page = Page { encoding: Some("utf-8"), version, ..bare(made.kind, sheet) };
    // The text ends as its last cell or its value does; that is nothing to be told.
    page.notes.retain(|note| *note != Note::NoFinalNewline);
    if made.kind == Kind::Text {
        let null = node.notes.contains(&Note::IsNull);
        page.notes.retain(|note| *note != Note::Empty);
        page.notes.extend((made.text.is_empty() && !null).then_some(Note::Blank));
    }
    page.editable = version.is_some() && !node.inside && node.path != "-";
    if let Some((version, bytes)) = version.zip(original).filter(|_| page.editable && node.secret.is_none()) {
        call.session.keep(&node.real, version, bytes);
    }
    Ok(page)
}

fn failed(ask: &Ask<'_>, cause: std::io::Error) -> Fault {
    readstone_formats::unreadable(ask.path, cause)
}

fn directory_page(call: &Call<'_>, trunk: Trunk<'_>, ask: &Ask<'_>) -> Result<Page, Fault> {
    let show = match ask.selector.mode {
        Mode::Everything => Show::Everything,
        Mode::Plain | Mode::Raw => Show::Unignored,
        Mode::Hex | Mode::Conflicts | Mode::Source => {
            return Err(unfit(ask, "is a directory; it has neither bytes nor conflicts"));
        }
    };
    let Some(window) = readstone_view::listing_window(ask) else {
        return Err(unfit(ask, "is a directory; its listing takes :N-, one range :A-B, and :all"));
    };
    let wish = readstone_source::Wish { show, window };
    let tree = readstone_source::tree(trunk, wish, call.host, call.limits, call.budget);
    let tree = tree.map_err(|cause| failed(ask, cause))?;
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

fn text_page(call: &Call<'_>, node: &Node, loaded: &Loaded, lines: Lines, ask: &Ask<'_>) -> Result<Page, Fault> {
    let coding = Arc::clone(&lines.coding);
    let newline = coding.newline();
    // A file that grew since it was opened is not the one its stamp describes.
    let stamp = loaded.stamp.filter(|stamp| stamp.size == loaded.size);
    let mut index = match stamp {
        Some(stamp) => call.session.index(&*loaded.blob, stamp, newline),
        None => LineIndex::new(newline, loaded.size),
    };
    let encoding = coding.name();
    let mut text = Text { blob: lines.blob, coding: lines.coding, size: loaded.size, index: &mut index };
    if loaded.version.is_some() {
        // What was taken whole is counted whole; the time for that is a part of taking it.
        drop(text.index.count_all(&*text.blob, call.budget));
    }
    let sheet = match node.since.zip(loaded.version) {
        Some((tag, version)) => {
            let then = call.session.recall(&node.real, tag);
            since((tag, then), (version, &loaded.head), &mut text, ask)
        }
        None => readstone_view::show(&mut text, ask).map_err(fault),
    };
    // What was found out about the lines counts, even if the time ended before there was a page.
    if let Some(stamp) = stamp {
        call.session.remember(&*loaded.blob, stamp, coding, index);
    }
    let sheet = sheet?;
    let mut page = Page { encoding: Some(encoding), version: loaded.version, ..bare(Kind::Text, sheet) };
    page.editable = loaded.version.is_some()
        && loaded.lasting
        && ask.selector.mode != Mode::Raw
        && !node.inside
        && node.path != "-";
    if let Some(version) = loaded.version.filter(|_| page.editable && node.secret.is_none()) {
        call.session.keep(&node.real, version, &loaded.head);
    }
    page.notes.extend(misnamed(&node.path));
    let mut changed = loaded.changed;
    if let Some(stamp) = loaded.stamp {
        changed |= loaded.blob.stamp().ok().flatten().is_some_and(|now| now != stamp);
        if ask.selector.mode != Mode::Raw && !node.inside {
            page.notes.push(Note::NoTag { limit: call.limits.edit_bytes });
        }
    }
    if changed {
        page.notes.push(Note::Changed);
    }
    Ok(page)
}

/// That a text is called like something else.
fn misnamed(path: &str) -> Option<Note> {
    let (_, extension) = path.rsplit_once('.')?;
    let extension = extension.to_ascii_lowercase();
    let others = [
        "png", "jpg", "jpeg", "gif", "webp", "bmp", "tif", "tiff", "ico", "avif", "heic", "pdf", "docx", "xlsx",
        "pptx", "doc", "xls", "ppt", "odt", "ods", "odp", "epub",
    ];
    others.contains(&extension.as_str()).then_some(Note::OtherType { extension, what: "text" })
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
        tool: "read",
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
        images: Vec::new(),
    }
}
