//! The feed of a page that itself shows nothing to read.

use super::{Page, Walk, behind_own, elsewhere, feed, raw_html};
use crate::feed::is_feed;
use crate::made::Made;
use crate::sort::beginning;
use crate::text::essence;

pub(super) const METHOD: &str = "feed-alternate";

/// What is asked for.
const ACCEPT: &str =
    "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.8, */*;q=0.1";

pub(super) fn take(page: &Page<'_>, walk: &mut Walk<'_>) -> Option<Made> {
    if !page.shows_little() || !page.whole {
        return None;
    }
    let feed = page.made.facts.alternates.iter().find(|alternate| alternate.is_feed())?;
    let url = page.url.join(&feed.href).ok()?;
    let fetched = walk.errand.probe(page.url, &url, ACCEPT)?;
    if !is_feed(&essence(&fetched), &beginning(&fetched.body)) {
        return None;
    }
    let scripts = raw_html::scripts(&page.html);
    Some(behind_own(elsewhere(feed::take(&fetched)?, METHOD, &fetched), page).noting(scripts))
}
