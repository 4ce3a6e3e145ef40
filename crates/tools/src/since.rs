//! What changed since a version that the caller has seen, and what it knows of this one by that.

use std::path::Path;
use std::sync::Arc;

use readstone_base::{Fault, Note, Span, Tag, Version};
use readstone_edit::{carry_spans, differences};
use readstone_host::{Mask, is_git_config};
use readstone_session::Snapshot;
use readstone_source::Head;
use readstone_view::{Ask, Sheet, Text, Then};

use crate::call::Call;
use crate::error::fault;
use crate::lined::Lined;

/// What the session holds of a version. What it kept of a git configuration before credentials were masked is masked here.
pub(crate) fn recall(call: &Call<'_>, real: &Path, tag: Tag) -> Option<Snapshot> {
    let then = call.session.recall(real, tag)?;
    if !is_git_config(real) {
        return Some(then);
    }
    Some(Snapshot { bytes: then.bytes.map(|bytes| Mask::of(bytes).shown().to_vec()), ..then })
}

/// What changed since the version with this tag, or all of it when that version is not held; with the lines that are still
/// those that were shown then. Of a file that is not taken whole there are no bytes to compare, only its version.
pub(crate) fn since(
    then: (Tag, Option<Snapshot>),
    now: (Version, Option<&[u8]>),
    text: &mut Text<'_>,
    ask: &Ask<'_>,
) -> Result<(Sheet, Vec<Span>), Fault> {
    let ((tag, held), (version, bytes)) = (then, now);
    // Where the version is held, its full hash decides; else the tag is all there is to go by.
    let same = held.as_ref().map_or(Tag::of(&version) == tag, |then| then.version == version);
    if same {
        let mut sheet = Sheet::default();
        sheet.coverage.total.bytes = Some(text.size);
        sheet.coverage.total.lines = text.index.total();
        sheet.notes.push(Note::Unchanged { tag });
        return Ok((sheet, Vec::new()));
    }
    if let (Some(Snapshot { bytes: Some(held), shown, .. }), Some(bytes)) = (held, bytes) {
        let beginning = Head { bytes: &held, samples: &[], size: held.len() as u64 };
        let coding = readstone_formats::coding_of(&beginning).unwrap_or_else(|| Arc::clone(&text.coding));
        let (old, new) = (Lined::of(&held, &*coding), Lined::of(bytes, &*text.coding));
        let known = carry_spans(&shown, &differences(&old.texts(), &new.texts()));
        let then = Then { tag, bytes: &held, coding: &*coding };
        return Ok((readstone_view::changes(text, then, bytes, ask), known));
    }
    let mut sheet = readstone_view::show(text, ask).map_err(fault)?;
    sheet.notes.insert(0, Note::Forgotten { tag });
    Ok((sheet, Vec::new()))
}
