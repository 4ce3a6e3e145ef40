//! Directories as pages: what lies in them, or what their files declare.

use std::path::Path;

use readstone_address::{Mode, Select, Selector, join};
use readstone_base::{Fault, Hidden, Kind, Next, NoOutline, Note, Page, escape_name};
use readstone_host::{Object, Opened};
use readstone_outline::Language;
use readstone_source::{Head, Show, Trunk, Wanted, version_of};
use readstone_view::{Ask, Sheet, Sketch};

use crate::call::Call;
use crate::structure::{Characters, Whole, outline_of};
use crate::target::{bare, failed, room_for, unfit};

/// A directory's entries, or the outlines of its files.
pub(crate) fn directory_page(call: &Call<'_>, trunk: Trunk<'_>, ask: &Ask<'_>) -> Result<Page, Fault> {
    let show = match ask.selector.mode {
        Mode::Everything => Show::Everything,
        Mode::Plain | Mode::Raw => Show::Unignored,
        Mode::Outline => {
            if ask.selector.select.span().is_none() {
                return Err(unfit(ask, "is a directory; its outline takes :outline:N- and names are found in files"));
            }
            return Ok(bare(Kind::Directory, outlines(call, trunk, ask)));
        }
        Mode::Hex | Mode::Conflicts | Mode::Source => {
            return Err(unfit(ask, "is a directory; it has neither bytes nor conflicts"));
        }
    };
    let Some(window) = readstone_view::listing_window(ask) else {
        return Err(unfit(ask, "is a directory; its listing takes :N-, one range :A-B, :all and :outline"));
    };
    let wish = readstone_source::Wish { show, window };
    let tree = readstone_source::tree(trunk, wish, call.host, call.limits, call.budget);
    let tree = tree.map_err(|cause| failed(ask, cause))?;
    Ok(bare(Kind::Directory, readstone_view::listing(tree, ask)))
}

/// What the files below a directory declare. No more files are looked into than could have a row on the page.
fn outlines(call: &Call<'_>, trunk: Trunk<'_>, ask: &Ask<'_>) -> Sheet {
    let named = |path: &Path| path.file_name().is_some_and(|name| Language::of(&name.to_string_lossy(), "").is_some());
    let wanted = Wanted { name: &named, most: (call.limits.outline_files, "outline_files") };
    let files = readstone_source::files(trunk, call.host, &wanted, call.budget);
    let shown = files.paths.iter().map(|path| escape_name(path.as_os_str()));
    let mut sketches: Vec<Sketch> = shown.map(Sketch::bare).collect();
    let page = readstone_view::files_on_page(&sketches, ask);
    let mut late = None;
    for at in page.clone() {
        if call.budget.check_heavy().is_err() {
            late = Some(at).filter(|at| *at > page.start);
            break;
        }
        if let (Some(path), Some(sketch)) = (files.paths.get(at), sketches.get_mut(at)) {
            look(call, trunk, path, sketch);
        }
    }
    // What was not looked into is left to the next page.
    let shown = late.and_then(|at| sketches.get(..at)).unwrap_or(&sketches);
    let mut sheet = readstone_view::files(shown, ask);
    if let Some(at) = late {
        sheet.coverage.cut_by = Some("call_ms");
        sheet.coverage.total.entries = Some(sketches.len() as u64);
        sheet.coverage.complete = false;
        let from = Selector { select: Select::From(at as u64 + 1), mode: Mode::Outline };
        sheet.coverage.next = Some(Next::read(join(ask.path, &from)));
    }
    if sketches.is_empty() {
        sheet.notes.push(Note::NoOutline(NoOutline::Bare));
    }
    let hidden = [("ignored", files.ignored), ("denied", files.denied), ("unreadable", files.unreadable)];
    let hidden = hidden.into_iter().filter(|(_, count)| *count > 0);
    sheet.coverage.hidden = hidden.map(|(reason, count)| Hidden { reason, count, address: None }).collect();
    if files.cut_by.is_some() {
        // The page may end by itself before the files that were found do.
        sheet.coverage.cut_by = sheet.coverage.cut_by.or(files.cut_by);
        sheet.coverage.total.entries = None;
        sheet.coverage.complete = false;
    }
    sheet
}

/// Looks what a file below a directory declares; what cannot be read or has no structure stays a name.
fn look(call: &Call<'_>, trunk: Trunk<'_>, path: &Path, sketch: &mut Sketch) {
    let Ok(Opened { object: Object::File { blob, .. }, .. }) = call.host.open(&trunk.real.join(path), call.budget)
    else {
        return;
    };
    let most = call.limits.summary_file_bytes;
    let Ok(_room) = room_for(call, &*blob, (&sketch.name, most)) else {
        return;
    };
    let Some(bytes) = blob.len().filter(|size| *size <= most).and_then(|_| blob.read_range(0, most).ok()) else {
        return;
    };
    let head = Head { bytes: &bytes, samples: &[], size: bytes.len() as u64 };
    let Ok(lines) = readstone_formats::open(&head, &blob) else {
        return;
    };
    let characters = Characters::of(&*lines.coding, &bytes);
    // A web page is read as Markdown, which has other lines.
    if readstone_formats::is_web_page(&sketch.name, &bytes) {
        return;
    }
    let whole = Whole { name: &sketch.name, kind: Kind::Text, bytes: &bytes, version: version_of(&bytes) };
    if let Ok(outline) = outline_of(call, &lines.coding, &whole) {
        sketch.fill(&characters.structure(&outline));
    }
}
