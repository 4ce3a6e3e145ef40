//! What a site says of itself to models, where its page says nothing.

use super::{Page, Walk, elsewhere, markdown};
use crate::made::Made;

pub(super) const METHOD: &str = "llms.txt";

/// A page of scripts with fewer letters than this only says that it needs them.
const BARE: usize = 120;
/// What is asked for.
const ACCEPT: &str = "text/plain, text/markdown, */*;q=0.1";

/// Whether there is nothing to read on the page.
pub(super) fn is_bare(page: &Page<'_>) -> bool {
    page.letters == 0 || page.letters < BARE && page.html.contains("<script")
}

pub(super) fn take(page: &Page<'_>, walk: &mut Walk<'_>) -> Option<Made> {
    let url = page.url.join("/llms.txt").ok().filter(|_| page.whole && is_bare(page))?;
    let fetched = walk.errand.probe(&url, ACCEPT)?;
    Some(elsewhere(markdown::plain(&fetched)?, METHOD, &fetched))
}
