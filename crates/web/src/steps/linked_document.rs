//! The document that a page is little more than a frame of.

use super::{Page, Walk, behind_own, document, elsewhere};
use crate::made::Made;
use crate::sort::{Sort, sorted};

pub(super) const METHOD: &str = "linked-document";

/// A page with fewer letters than this says little beside what it leads to.
const LITTLE: usize = 400;

/// Whether the page is there for a document.
pub(super) fn is_frame(page: &Page<'_>) -> bool {
    page.whole && page.letters < LITTLE && page.made.facts.document.is_some()
}

pub(super) fn take(page: &Page<'_>, walk: &mut Walk<'_>) -> Option<Made> {
    let address = page.made.facts.document.as_ref().filter(|_| is_frame(page))?;
    let url = page.url.join(address).ok()?;
    let mut fetched = walk.errand.probe(page.url, &url, "*/*")?;
    let found = sorted(&fetched);
    if found.sort != Sort::Document {
        return None;
    }
    let made = document::take(&found, &mut fetched);
    Some(behind_own(elsewhere(made, METHOD, &fetched), page))
}
