//! Text as a page: a file's own, or what was made from one.

use std::sync::Arc;

use readstone_address::{Mode, Select};
use readstone_base::{Backing, Blob, Fault, Holds, Kind, Memory, Note, Page, Version, ending};
use readstone_session::Snapshot;
use readstone_source::{Converted, LineIndex, Lines, Loaded, Nature, Node};
use readstone_view::{Ask, Text};

use crate::call::Call;
use crate::change::{Form, form_of};
use crate::conflicts;
use crate::error::fault;
use crate::since::{recall, since};
use crate::structure::{Characters, Whole, shown};
use crate::target::bare;

pub(crate) fn text_page(
    call: &Call<'_>,
    node: &Node,
    loaded: &Loaded,
    lines: Lines,
    ask: &Ask<'_>,
) -> Result<Page, Fault> {
    let coding = Arc::clone(&lines.coding);
    let newline = coding.newline();
    // A file that grew since it was opened is not the one its stamp describes.
    let stamp = loaded.stamp.filter(|stamp| stamp.size == loaded.size);
    let mut index = match stamp {
        Some(stamp) => call.session.index(&*loaded.blob, stamp, newline),
        None => LineIndex::new(newline, loaded.size),
    };
    let encoding = coding.name();
    let conflicting =
        (ask.selector.mode == Mode::Conflicts).then(|| Characters::of(&*coding, &loaded.head).text.into_owned());
    let mut text = Text { blob: lines.blob, coding: lines.coding, size: loaded.size, index: &mut index };
    if loaded.version.is_some() {
        // What was taken whole is counted whole; the time for that is a part of taking it.
        drop(text.index.count_all(&*text.blob, call.budget));
    }
    // Whoever names a version wants to know whether it still is the one.
    let compared =
        node.since.and_then(|tag| Some((tag, loaded.version.or_else(|| version_of_large(call, node, loaded))?)));
    let sheet = if let Some((tag, version)) = compared {
        let then = recall(call, &node.real, tag);
        since((tag, then), (version, loaded.version.map(|_| loaded.head.as_slice())), &mut text, ask)
    } else {
        let by_meaning = ask.selector.is_by_meaning();
        let whole = |version| Whole { name: &node.path, kind: Kind::Text, bytes: &loaded.head, version };
        let whole = loaded.version.map(whole);
        // What was fetched is shown from its beginning; nobody is asked to summarise it.
        let sheet = if node.web.is_some() && !by_meaning {
            readstone_view::show(&mut text, ask).map_err(fault)
        } else {
            shown(call, &mut text, whole.as_ref(), ask)
        };
        sheet.map(|sheet| (sheet, Vec::new()))
    };
    // What was found out about the lines counts, even if the time ended before there was a page.
    if let Some(stamp) = stamp {
        call.session.remember(&*loaded.blob, stamp, coding, index);
    }
    let (sheet, known) = sheet?;
    let version = compared.map(|(_, version)| version).or(loaded.version);
    let version = version.or_else(|| version_of_lines(call, node, loaded, ask));
    let mut page = Page { encoding: Some(encoding), version, ..bare(Kind::Text, sheet) };
    let changeable = version.is_some() && loaded.lasting && node.nature == Nature::Editable && node.path != "-";
    page.editable = changeable && ask.selector.mode != Mode::Raw;
    // The lines of a notebook are those of its text, not of what it is stored as.
    let other_lines = ask.selector.mode == Mode::Raw && form_of(&node.path) == Form::Notebook;
    if changeable && node.secret.is_none() && !other_lines {
        let bytes = loaded.version.map(|_| Arc::clone(&loaded.head));
        page.backing = Some(Backing { path: node.real.clone(), bytes, known });
    }
    if let Some(text) = conflicting.filter(|_| page.editable && node.secret.is_none()) {
        conflicts::keep(call, &node.path, &text, &mut page);
    }
    page.notes.extend(misnamed(&node.path));
    let mut changed = loaded.changed;
    if let Some(stamp) = loaded.stamp {
        changed |= loaded.blob.stamp().ok().flatten().is_some_and(|now| now != stamp);
        if ask.selector.mode != Mode::Raw && node.nature == Nature::Editable && !page.editable {
            page.notes.push(no_tag(call, stamp.size));
        }
    }
    if changed {
        page.notes.push(Note::Changed);
    }
    Ok(page)
}

/// The version of a file that is not taken whole, for whoever asks for lines by their numbers: they may mean to change them.
fn version_of_lines(call: &Call<'_>, node: &Node, loaded: &Loaded, ask: &Ask<'_>) -> Option<Version> {
    let known = || loaded.stamp.is_some_and(|stamp| call.session.version(stamp).is_some());
    let numbered = match ask.selector.select {
        Select::Range(_) | Select::Many(_) | Select::Around { .. } => true,
        Select::All
        | Select::From(_)
        | Select::Last(_)
        | Select::Window { .. }
        | Select::Symbol(_)
        | Select::Block { .. }
        | Select::Rest { .. } => false,
    };
    let wanted = numbered && ask.selector.mode == Mode::Plain;
    if wanted || known() { version_of_large(call, node, loaded) } else { None }
}

/// The version of a file that is not taken whole, unless it is too large even for that.
fn version_of_large(call: &Call<'_>, node: &Node, loaded: &Loaded) -> Option<Version> {
    let stamp = loaded.stamp.filter(|stamp| stamp.size == loaded.size && stamp.size <= call.limits.tag_bytes)?;
    if node.nature != Nature::Editable || node.path == "-" {
        return None;
    }
    if let Some(version) = call.session.version(stamp) {
        return Some(version);
    }
    let version = readstone_source::version_of_blob(&*loaded.blob, call.budget).ok()?.ok()?;
    let same = loaded.blob.stamp().ok().flatten() == Some(stamp);
    same.then(|| call.session.remember_version(stamp, version));
    same.then_some(version)
}

/// That a file is too large for a tag, or for one that was not asked for.
fn no_tag(call: &Call<'_>, size: u64) -> Note {
    let limits = call.limits;
    if size > limits.tag_bytes {
        return Note::NoTag { limit: limits.tag_bytes, name: "tag_bytes" };
    }
    Note::NoTag { limit: limits.edit_bytes, name: "edit_bytes" }
}

/// That a text is called like something else.
fn misnamed(path: &str) -> Option<Note> {
    let (extension, holds) = Holds::of_ending(ending(path))?;
    // The source of RTF is text.
    let other = matches!(holds, Holds::Picture | Holds::Document) && extension != "rtf";
    other.then(|| Note::OtherType { extension: extension.to_owned(), what: "text" })
}

/// Text that was made from a file; its tag is that of the file.
pub(crate) fn converted_page(call: &Call<'_>, node: &Node, made: &Converted, ask: &Ask<'_>) -> Result<Page, Fault> {
    let text: Arc<dyn Blob> = Arc::new(Memory::new(Arc::clone(&made.text)));
    if ask.selector.mode == Mode::Hex {
        let sheet = readstone_view::dump(&*text, made.text.len() as u64, ask).map_err(fault)?;
        return Ok(bare(Kind::Binary, sheet));
    }
    let limits;
    // A page that was fetched brings its own limits.
    let ask = if made.kind == Kind::Document && node.web.is_none() {
        limits = readstone_view::limits_for(ask.limits);
        &Ask { limits: &limits, ..*ask }
    } else {
        ask
    };
    let coding = readstone_formats::utf8();
    let size = made.text.len() as u64;
    let mut index = LineIndex::new(coding.newline(), size);
    drop(index.count_all(&*text, call.budget));
    let mut text = Text { blob: text, coding, size, index: &mut index };
    let original = made.original.as_ref();
    let version = original.map(|bytes| readstone_source::version_of(bytes));
    let (sheet, known) = if let Some((tag, version)) = node.since.zip(version) {
        let shown = |bytes: Vec<u8>| (made.convert)(&bytes, call.limits).unwrap_or(bytes);
        let then = call.session.recall(&node.real, tag);
        let then = then.map(|then| Snapshot { bytes: then.bytes.map(shown), ..then });
        since((tag, then), (version, Some(&made.text)), &mut text, ask)?
    } else {
        // The structure is that of the text as it is shown, whatever it was made from.
        let meant = ask.selector.is_by_meaning();
        let version = meant.then(|| readstone_source::version_of(&made.text));
        let whole = |version| Whole { name: &node.path, kind: made.kind, bytes: &made.text, version };
        (shown(call, &mut text, version.map(whole).as_ref(), ask)?, Vec::new())
    };
    let mut page = Page { encoding: Some("utf-8"), version, ..bare(made.kind, sheet) };
    // The text ends as its last cell or its value does; that is nothing to be told.
    page.notes.retain(|note| *note != Note::NoFinalNewline);
    if made.kind == Kind::Text {
        let null = node.notes.iter().any(|note| matches!(note, Note::IsNull | Note::NoneListed { .. }));
        page.notes.retain(|note| *note != Note::Empty);
        page.notes.extend((made.text.is_empty() && !null).then_some(Note::Blank));
    }
    page.editable = version.is_some() && node.nature == Nature::Editable && node.path != "-";
    if let Some(bytes) = original.filter(|_| page.editable && node.secret.is_none()) {
        page.backing = Some(Backing { path: node.real.clone(), bytes: Some(Arc::clone(bytes)), known });
    }
    Ok(page)
}
