//! What a site says of itself to models, where its page says nothing.

use super::{Page, Walk, behind_own, elsewhere, markdown, raw_html};
use crate::made::Made;

pub(super) const METHOD: &str = "llms.txt";

/// What is asked for.
const ACCEPT: &str = "text/plain, text/markdown, */*;q=0.1";

/// Whether there is nothing to read on the page.
pub(super) fn is_bare(page: &Page<'_>) -> bool {
    page.shows_little() && (page.letters == 0 || raw_html::has_scripts(&page.html))
}

pub(super) fn take(page: &Page<'_>, walk: &mut Walk<'_>) -> Option<Made> {
    let url = page.url.join("/llms.txt").ok().filter(|_| page.whole && is_bare(page))?;
    let fetched = walk.errand.probe(page.url, &url, ACCEPT)?;
    let made = elsewhere(markdown::plain(&fetched)?, METHOD, &fetched);
    Some(behind_own(made, page).noting(raw_html::scripts(&page.html)))
}
