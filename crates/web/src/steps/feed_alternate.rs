//! The feed of a page that itself has little to read.

use super::{Page, Walk, elsewhere, feed};
use crate::feed::is_feed;
use crate::made::Made;
use crate::sort::beginning;
use crate::text::essence;

pub(super) const METHOD: &str = "feed-alternate";

/// A page with fewer letters than this has little to read.
const LITTLE: usize = 250;
/// What is asked for.
const ACCEPT: &str =
    "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.8, */*;q=0.1";

pub(super) fn take(page: &Page<'_>, walk: &mut Walk<'_>) -> Option<Made> {
    if page.letters >= LITTLE || !page.whole {
        return None;
    }
    let feed = page.made.facts.alternates.iter().find(|alternate| alternate.is_feed())?;
    let url = page.url.join(&feed.href).ok()?;
    let fetched = walk.errand.probe(&url, ACCEPT)?;
    if !is_feed(&essence(&fetched), &beginning(&fetched.body)) {
        return None;
    }
    Some(elsewhere(feed::take(&fetched)?, METHOD, &fetched))
}
