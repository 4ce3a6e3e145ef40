//! What is particular to pages that were fetched, and to what cannot be read twice.

use readstone_address::{Mode, Select};
use readstone_base::{Limits, Page};
use readstone_source::{Body, Content, Drawer, Drawers as _, Nature, Node};

use crate::call::Call;

/// What stands in the place of chance, so that two runs say the same.
pub fn fixed_seed(text: &[u8]) -> [u8; 32] {
    let mut seed = [0; 32];
    seed.iter_mut().zip(text).for_each(|(to, from)| *to = *from);
    seed
}

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
    all.then(|| Limits { page_lines: u64::MAX, page_bytes: limits.edit_bytes, ..readstone_view::limits_for(limits) })
}

/// A word that stands around text of others: it differs with every text, and nobody can know it beforehand.
pub(crate) fn fence(call: &Call<'_>, page: &Page) -> String {
    let mut hasher = blake3::Hasher::new_keyed(call.seed);
    for row in page.blocks.iter().filter_map(readstone_base::Block::rows).flat_map(readstone_base::Rows::iter) {
        hasher.update(row.text.as_bytes());
    }
    hasher.finalize().to_hex().chars().take(FENCE_CHARS).collect()
}

/// Keeps the whole text of which a page shows a part, where it could not be had again or only by asking others: gives the
/// address it is kept under.
pub(crate) fn keep(call: &Call<'_>, node: &Node, page: &Page) -> Option<String> {
    let partial = page.coverage.next.is_some() && node.selector.select == Select::All;
    let piped = node.path == "-" && call.session.lasts();
    if !partial || !(piped || page.web.is_some()) {
        return None;
    }
    let bytes = match &node.body {
        Body::Content(Content::Converted(text)) => text.text.to_vec(),
        Body::File { blob, .. } => {
            let size = blob.len().filter(|size| *size <= call.limits.spool_bytes)?;
            blob.read_range(0, size).ok()?
        }
        Body::Content(Content::Listing(_) | Content::Table(_) | Content::Document(_) | Content::Picture)
        | Body::Directory(_) => return None,
    };
    let number = call.session.add(Drawer::Artifacts, &bytes)?;
    Some(format!("artifact://{number}"))
}
