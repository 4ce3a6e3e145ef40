//! Directories as pages: what lies in them, or what their files declare.

use std::path::Path;
use std::sync::Arc;

use readstone_address::Mode;
use readstone_base::{Fault, Hidden, Kind, NoOutline, Note, Page, escape_name};
use readstone_host::{Object, Opened};
use readstone_outline::Language;
use readstone_source::{Head, Show, Trunk, Wanted, version_of};
use readstone_view::{Ask, Sheet, Sketch};

use crate::call::Call;
use crate::structure::{Characters, Whole, outline_of};
use crate::target::{bare, failed, unfit};

/// Where a web page says that it is one.
const PAGE_BYTES: usize = 1_024;

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

/// What the files below a directory declare.
fn outlines(call: &Call<'_>, trunk: Trunk<'_>, ask: &Ask<'_>) -> Sheet {
    let named = |path: &Path| path.file_name().is_some_and(|name| Language::of(&name.to_string_lossy(), "").is_some());
    let wanted = Wanted { name: &named, most: (call.limits.outline_files, "outline_files") };
    let mut files = readstone_source::files(trunk, call.host, &wanted, call.budget);
    let (mut sketches, mut bare) = (Vec::new(), 0);
    for path in &files.paths {
        if call.budget.check_heavy().is_err() {
            files.cut_by = Some("call_ms");
            break;
        }
        match sketch(call, trunk, path) {
            Some(sketch) => sketches.push(sketch),
            None => bare += 1,
        }
    }
    let mut sheet = readstone_view::files(&sketches, ask);
    if sketches.is_empty() {
        sheet.notes.push(Note::NoOutline(NoOutline::Bare));
    }
    let hidden = [("ignored", files.ignored), ("denied", files.denied), ("without an outline", bare)];
    let hidden = hidden.into_iter().filter(|(_, count)| *count > 0);
    sheet.coverage.hidden = hidden.map(|(reason, count)| Hidden { reason, count, address: None }).collect();
    if files.cut_by.is_some() {
        sheet.coverage.cut_by = files.cut_by;
        sheet.coverage.total.entries = None;
        sheet.coverage.complete = false;
    }
    sheet
}

/// What a file below a directory declares; `None` when that is nothing, or it cannot be read.
fn sketch(call: &Call<'_>, trunk: Trunk<'_>, path: &Path) -> Option<Sketch> {
    let opened = call.host.open(&trunk.real.join(path), call.budget).ok()?;
    let Opened { object: Object::File { blob, .. }, .. } = opened else {
        return None;
    };
    if blob.len().is_none_or(|size| size > call.limits.summary_file_bytes) {
        return None;
    }
    let bytes = blob.read_range(0, call.limits.summary_file_bytes).ok()?;
    let head = Head { bytes: &bytes, samples: &[], size: bytes.len() as u64 };
    let coding = readstone_formats::open(&head, &blob).ok()?.coding;
    let name = escape_name(path.as_os_str());
    let whole = Whole { name: &name, kind: Kind::Text, bytes: &bytes, version: version_of(&bytes) };
    let outline = outline_of(call, &Arc::clone(&coding), &whole).ok().filter(|outline| !outline.items.is_empty())?;
    let characters = Characters::of(&*coding, &bytes);
    let text = &characters.text;
    // A web page is read as Markdown, which has other lines.
    let beginning = text.get(..text.floor_char_boundary(PAGE_BYTES)).unwrap_or_default().to_ascii_lowercase();
    if name.to_ascii_lowercase().ends_with("ml") && beginning.contains("<html") {
        return None;
    }
    Some(readstone_view::sketch(name.clone(), &characters.structure(&outline)))
}
