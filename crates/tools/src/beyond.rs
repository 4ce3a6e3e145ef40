//! What is particular to pages that were fetched, and to what cannot be read twice.

use readstone_address::{Mode, Select};
use readstone_base::{Block, Limits, Page, Rows};
use readstone_resource::{ArtifactRecord, Provenance};
use readstone_source::{Body, Content, Drawer, Drawers as _, Nature, Node};

use crate::call::Call;

/// What stands in the place of chance, so that two runs say the same.
pub fn fixed_seed(text: &[u8]) -> [u8; 32] {
    let mut seed = [0; 32];
    seed.iter_mut().zip(text).for_each(|(to, from)| *to = *from);
    seed
}

/// Bytes of a fetched text that is kept as an artifact beside the copy of its page.
const MOST_FETCHED: u64 = 4 * 1024 * 1024;
/// Characters of the word around third-party text.
const FENCE_CHARS: usize = 12;

/// The limits for a page of what was found.
pub(crate) fn limits_for(node: &Node, limits: &Limits) -> Option<Limits> {
    let asked = &node.selector;
    if node.web.is_some() {
        let lines = limits.web_lines.min(limits.page_lines);
        return Some(Limits { page_lines: lines, ..readstone_view::limits_for(limits) });
    }
    let all = matches!(node.nature, Nature::Whole | Nature::Value)
        && asked.select == Select::All
        && asked.mode == Mode::Plain;
    let limits = Limits { page_lines: u64::MAX, page_bytes: limits.skill_bytes, ..readstone_view::limits_for(limits) };
    all.then_some(limits)
}

/// What a page of something beyond files has that others have not: where it came from, the word around text of others,
/// the limits by their own names, the address of a copy.
pub(crate) fn finish(call: &Call<'_>, node: &Node, page: &mut Page) {
    page.web.clone_from(&node.web);
    put_fence(call, page);
    page.coverage.cut_by = match page.coverage.cut_by {
        Some("page_lines") if page.web.is_some() => Some("web_lines"),
        Some("page_bytes") if page.web.is_none() && limits_for(node, call.limits).is_some() => Some("skill_bytes"),
        other => other,
    };
    keep(call, node, page);
}

/// Puts the word around text of others.
pub(crate) fn put_fence(call: &Call<'_>, page: &mut Page) {
    let word = page.web.is_some().then(|| fence(call, page));
    if let Some((web, word)) = page.web.as_mut().zip(word) {
        web.fence = word;
    }
}

/// A word that stands around text of others: it differs with every text, and nobody can know it beforehand.
fn fence(call: &Call<'_>, page: &Page) -> String {
    let mut hasher = blake3::Hasher::new_keyed(call.seed);
    for block in &page.blocks {
        // Tables, listings and bytes have no numbers that a forged word would stand behind.
        let unnumbered = if block.rows().is_some() { String::new() } else { format!("{block:?}") };
        hasher.update(unnumbered.as_bytes());
        for row in block.rows().into_iter().flat_map(Rows::iter) {
            hasher.update(row.text.as_bytes());
        }
    }
    for image in &page.images {
        hasher.update(&image.bytes);
    }
    hasher.finalize().to_hex().chars().take(FENCE_CHARS).collect()
}

/// Keeps the whole of which a page shows a part, where it could not be had again or only by asking others. What cannot be
/// read on under its own address is read on under that of the copy.
fn keep(call: &Call<'_>, node: &Node, page: &mut Page) {
    let cut = |block: &Block| block.rows().is_some_and(|rows| rows.iter().any(|row| row.cut.is_some()));
    let partial = page.coverage.next.is_some() || page.blocks.iter().any(cut);
    let alone = node.nature == Nature::Value || node.piped.is_some() && call.session.lasts();
    let copied = node.path.starts_with("artifact://");
    let fetched = page.web.is_some() && node.selector.select == Select::All && !copied;
    if !partial || !(alone || fetched) {
        return;
    }
    let from = page.web.as_ref().map(|web| Provenance {
        url: web.final_url.clone(),
        origin: web.origin.clone(),
        content_type: web.content_type.clone(),
    });
    let record = whole(call, node).map(|text| ArtifactRecord { text, from });
    // What is large is read on from the copy of its page.
    let record = record.filter(|record| alone || record.text.len() as u64 <= MOST_FETCHED);
    let kept = record.and_then(|record| call.session.add(Drawer::Artifacts, &record.into_bytes()));
    page.artifact = kept.map(|number| format!("artifact://{number}"));
    match page.artifact.clone().filter(|_| alone) {
        Some(address) => page.readdress(&node.path, &address),
        // A value has no lines of its own to go on with.
        None if node.nature == Nature::Value => page.coverage.next = None,
        None => {}
    }
}

/// All bytes of which a page shows a part.
fn whole(call: &Call<'_>, node: &Node) -> Option<Vec<u8>> {
    let blob = match (&node.piped, &node.body) {
        (None, Body::Content(Content::Converted(text))) => return Some(text.text.to_vec()),
        (Some(blob), _) | (None, Body::File { blob, .. }) => blob,
        (
            None,
            Body::Directory(_)
            | Body::Content(Content::Listing(_) | Content::Table(_) | Content::Document(_) | Content::Picture),
        ) => return None,
    };
    let size = blob.len().filter(|size| *size <= call.limits.kept_bytes)?;
    blob.read_range(0, size).ok()
}
