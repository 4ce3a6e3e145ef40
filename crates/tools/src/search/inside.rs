//! What is searched by naming it: a file, what an archive or a database holds, a document, an internal address.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use readstone_address::{Mode, Select};
use readstone_base::{Blob, Class, Fault, FoundNote, Kind, Mark, Memory, Span, TreeRow, TreeSize};
use readstone_formats::is_called_web_page;
use readstone_host::EntryKind;
use readstone_search::Globs;
use readstone_source::{Body, Content, Converted, Document, Fresh, Listing, Node};
use readstone_view::{Ask, Room};

use super::hunt::{Hunt, text_of};
use super::scope::{Scope, Tree, not_one_file};
use super::table;
use super::text::Text;
use crate::call::Call;
use crate::error::{Error, fault};

/// Entries of an archive that are listed at a time.
const STEP: u64 = 1_000;
/// Levels of directories in an archive that are entered.
const MOST_LEVELS: usize = 64;

/// Files that hold texts; they are searched by naming them.
pub(super) const CLOSED: &str = "documents/archives/databases to search by name";

/// Searches what was named.
pub(super) fn through(hunt: &mut Hunt<'_>, scope: Scope) -> Result<(), Fault> {
    let Scope { address, node, globs } = scope;
    let within = lines(&node)?;
    let several = match &node.body {
        Body::Directory(_) | Body::Content(Content::Listing(_)) => Some("a directory"),
        Body::Content(Content::Converted(_)) if node.path.ends_with("://") => Some("a list"),
        Body::Content(Content::Table(_)) => Some("a table"),
        Body::File { .. } | Body::Content(Content::Converted(_) | Content::Document(_) | Content::Picture) => None,
    };
    if let Some(what) = several.filter(|_| within.is_some()) {
        return Err(not_one_file(&node.path, what));
    }
    match &node.body {
        Body::Directory(_) => {
            if let Some(tree) = Tree::of(node, globs) {
                hunt.tree(&tree);
            }
        }
        Body::File { blob, cut } => {
            let text = Text { within, ..text_of(&node, blob) };
            if let Some(limit) = cut {
                let why = format!("it goes on behind limit {limit}");
                hunt.note(FoundNote::Failed { address: node.path.clone(), why });
            }
            hunt.take(text);
        }
        Body::Content(Content::Converted(made)) if several.is_some() => list(hunt, &node, made),
        Body::Content(Content::Converted(made)) => hunt.take(Text { within, ..made_text(&node, made) }),
        Body::Content(Content::Document(document)) => {
            let text = document_text(hunt.job.call, &node, &**document)?;
            hunt.take(Text { within, ..text });
        }
        Body::Content(Content::Table(table)) => {
            hunt.take_alone();
            // The path of the node says how many rows a reply shows.
            table::through(hunt, &address, table.shape())?;
        }
        Body::Content(Content::Listing(listing)) => {
            members(hunt, &Inner { path: &node.path, below: Path::new(""), globs: globs.as_ref() }, &**listing)?;
        }
        Body::Content(Content::Picture) => hunt.tally().unsearched("pictures", 1, Some(node.path.clone())),
    }
    Ok(())
}

/// The lines that an address asks for.
fn lines(node: &Node) -> Result<Option<Vec<Span>>, Fault> {
    let unfit = |why| Err(fault(Error::BadSelection { path: node.path.clone(), why }));
    match node.selector.mode {
        Mode::Plain | Mode::Raw | Mode::Source | Mode::Everything => {}
        Mode::Hex | Mode::Conflicts | Mode::Outline => {
            return unfit("is searched as text; behind it stand lines such as :50-100, or nothing");
        }
    }
    match &node.selector.select {
        Select::All => Ok(None),
        Select::From(first) => Ok(Some(vec![Span::new(*first, u64::MAX)])),
        Select::Range(span) => Ok(Some(vec![*span])),
        Select::Many(spans) => Ok(Some(spans.clone())),
        Select::Last(_)
        | Select::Around { .. }
        | Select::Window { .. }
        | Select::Symbol(_)
        | Select::Block { .. }
        | Select::Rest { .. } => unfit("is searched by lines; behind it stand some such as :50-100 or :5-16,960-973"),
    }
}

fn made_text(node: &Node, made: &Converted) -> Text {
    let blob: Arc<dyn Blob> = Arc::new(Memory::new(Arc::clone(&made.text)));
    let coding = Some(readstone_formats::utf8());
    Text { kind: made.kind, coding, original: made.original.clone(), ..Text::of(node, blob) }
}

/// The whole text of a document.
fn document_text(call: &Call<'_>, node: &Node, document: &dyn Document) -> Result<Text, Fault> {
    let selector = readstone_address::Selector::default();
    let ask =
        Ask { path: &node.path, selector: &selector, limits: call.limits, room: Room::default(), budget: call.budget };
    let text = readstone_view::document_text(document, &ask)?;
    Ok(made_text(node, &Converted::text(Kind::Document, text)))
}

/// A file whose text must be made: it is looked into as if it had been named.
pub(super) fn made(hunt: &mut Hunt<'_>, address: &str) {
    match open(hunt, address) {
        Ok(Node { body: Body::Content(Content::Converted(ref made)), .. }) if made.text.is_empty() => {}
        Ok(node) => match &node.body {
            Body::Content(Content::Converted(made)) => {
                let text = made_text(&node, made);
                hunt.look(text);
            }
            Body::File { blob, .. } => {
                let text = text_of(&node, blob);
                hunt.look(text);
            }
            Body::Directory(_) | Body::Content(_) => hunt.tally().unsearched("unreadable", 1, None),
        },
        Err(_) => hunt.tally().unsearched("unreadable", 1, None),
    }
}

pub(super) fn open(hunt: &Hunt<'_>, address: &str) -> Result<Node, Fault> {
    let call = hunt.job.call;
    readstone_source::locate_exactly(call.host, address, &call.opening(Fresh::Keep))
}

/// A list of internal addresses: each begins a line.
fn list(hunt: &mut Hunt<'_>, node: &Node, made: &Converted) {
    let text = String::from_utf8_lossy(&made.text).into_owned();
    let named = |line: &str| {
        let address = line.split("  ").next().unwrap_or_default().trim_end();
        address.starts_with(&node.path).then(|| address.to_owned())
    };
    for address in text.lines().filter_map(named) {
        if hunt.has_enough() || hunt.is_late() {
            return;
        }
        if let Err(error) = member(hunt, &address) {
            hunt.note(FoundNote::Failed { address, why: error.to_string() });
        }
    }
}

/// Searches something that a list names.
fn member(hunt: &mut Hunt<'_>, address: &str) -> Result<(), Fault> {
    let node = open(hunt, address)?;
    match &node.body {
        Body::Directory(_) => {
            if let Some(tree) = Tree::of(node, None) {
                hunt.tree(&tree);
            }
        }
        Body::File { blob, .. } => {
            let text = text_of(&node, blob);
            hunt.look(text);
        }
        Body::Content(Content::Converted(made)) => {
            let text = made_text(&node, made);
            hunt.look(text);
        }
        Body::Content(Content::Table(table)) => table::through(hunt, &node.path, table.shape())?,
        Body::Content(Content::Listing(_) | Content::Document(_)) => {
            hunt.tally().unsearched(CLOSED, 1, Some(node.path.clone()));
        }
        Body::Content(Content::Picture) => hunt.tally().unsearched("binary", 1, None),
    }
    Ok(())
}

/// A directory in an archive.
#[derive(Clone, Copy)]
struct Inner<'a> {
    /// Its address.
    path: &'a str,
    /// Its path from where globs start.
    below: &'a Path,
    globs: Option<&'a Globs>,
}

/// Searches the entries of an archive or the tables of a database, and the directories in it.
fn members(hunt: &mut Hunt<'_>, inner: &Inner<'_>, listing: &dyn Listing) -> Result<(), Fault> {
    let mut first = 1;
    let mut joint = None;
    for hidden in listing.hidden() {
        hunt.tally().hidden(hidden.reason, hidden.count);
    }
    loop {
        let rows = listing.rows(Span::new(first, first + STEP - 1), hunt.job.call.budget)?;
        if rows.is_empty() {
            return Ok(());
        }
        for row in rows.iter().filter(|row| row.depth == 0) {
            if hunt.has_enough() || hunt.is_late() {
                return Ok(());
            }
            entry(hunt, (inner, &mut joint), row);
        }
        first += STEP;
    }
}

/// Whether what a listing names stands behind a colon or a slash.
type Joint = Option<&'static str>;

fn entry(hunt: &mut Hunt<'_>, (inner, joint): (&Inner<'_>, &mut Joint), row: &TreeRow) {
    let name = row.name.trim_end_matches('/');
    let kind = if is_directory(row) { EntryKind::Directory } else { EntryKind::File };
    let meant = |globs: &Globs| globs.within(inner.below).matches(OsStr::new(name), kind);
    if !is_directory(row) && !inner.globs.is_none_or(meant) {
        return;
    }
    let closed = row.marks.iter().any(|mark| matches!(mark, Mark::Encrypted | Mark::Unsupported(_) | Mark::Damaged));
    let own = row.marks.iter().find_map(|mark| match mark {
        Mark::SameName(address) | Mark::UnsafeName(address) => Some(address.clone()),
        Mark::LongName(address) => address.clone(),
        Mark::Encrypted | Mark::Unsupported(_) | Mark::Overlaps | Mark::Damaged => None,
    });
    match row.size {
        _ if closed => return hunt.tally().unsearched("unreadable", 1, None),
        TreeSize::Link(_) => return hunt.tally().unsearched("links", 1, None),
        TreeSize::Special(_) | TreeSize::Unreadable(_) | TreeSize::More { .. } | TreeSize::Closed(_) => {
            return hunt.tally().unsearched("unreadable", 1, None);
        }
        TreeSize::Directory
        | TreeSize::File(_)
        | TreeSize::Rows(_)
        | TreeSize::AtLeast(_)
        | TreeSize::Uncounted(_)
        | TreeSize::View => {}
    }
    let opened = match own {
        Some(address) => open(hunt, &address),
        // A directory may be called like a file beside it.
        None if is_directory(row) => joined(hunt, inner.path, &format!("{name}/"), joint),
        None => joined(hunt, inner.path, name, joint),
    };
    let done = opened.and_then(|node| match &node.body {
        Body::Content(Content::Listing(listing)) if listing.kind() == Kind::Archive && is_directory(row) => {
            let below = inner.below.join(name);
            let deep = below.components().count() > MOST_LEVELS;
            let inner = Inner { path: node.path.trim_end_matches('/'), below: &below, globs: inner.globs };
            if deep { Ok(()) } else { members(hunt, &inner, &**listing) }
        }
        Body::Content(Content::Table(table)) => table::through(hunt, &node.path, table.shape()),
        Body::File { .. } | Body::Directory(_) | Body::Content(_) => {
            take(hunt, node);
            Ok(())
        }
    });
    if let Err(error) = done {
        match error.class() {
            Class::Denied => hunt.tally().hidden("denied", 1),
            Class::Request
            | Class::Missing
            | Class::TooBig
            | Class::Stale
            | Class::Broken
            | Class::Outside
            | Class::Stopped
            | Class::Bug => hunt.tally().unsearched("unreadable", 1, None),
        }
    }
}

fn is_directory(row: &TreeRow) -> bool {
    matches!(row.size, TreeSize::Directory)
}

/// Opens what stands behind a path, by a slash or else by a colon: the colon may stand in a name.
fn joined(hunt: &Hunt<'_>, path: &str, name: &str, joint: &mut Joint) -> Result<Node, Fault> {
    let known = *joint;
    let mut refusal = None;
    for with in known.map_or_else(|| vec!["/", ":"], |known| vec![known]) {
        match open(hunt, &format!("{path}{with}{name}")) {
            Ok(node) => {
                *joint = Some(with);
                return Ok(node);
            }
            Err(error) => refusal = refusal.or(Some(error)),
        }
    }
    Err(refusal.unwrap_or_else(|| fault(readstone_host::Error::NotFound { path: path.to_owned(), why: "" })))
}

/// Looks into an entry of an archive.
fn take(hunt: &mut Hunt<'_>, node: Node) {
    let node = if is_called_web_page(&node.path) {
        open(hunt, &super::hunt::as_text(node.path.clone())).unwrap_or(node)
    } else {
        node
    };
    match &node.body {
        Body::File { blob, .. } => {
            let text = Text { real: PathBuf::new(), ..text_of(&node, blob) };
            hunt.look(text);
        }
        Body::Content(Content::Converted(made)) => {
            let text = made_text(&node, made);
            hunt.look(text);
        }
        Body::Content(Content::Listing(_) | Content::Document(_) | Content::Table(_)) => {
            hunt.tally().unsearched(CLOSED, 1, Some(node.path.clone()));
        }
        Body::Directory(_) | Body::Content(Content::Picture) => hunt.tally().unsearched("binary", 1, None),
    }
}
