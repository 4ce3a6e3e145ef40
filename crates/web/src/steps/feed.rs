//! Feeds: what is new, with links and dates.

use readstone_base::WebNote;
use readstone_net::Fetched;

use crate::feed::read;
use crate::made::Made;
use crate::text::markup;

pub(super) const METHOD: &str = "feed";

/// `None` when it is no feed after all.
pub(super) fn take(fetched: &Fetched) -> Option<Made> {
    let decoded = markup(fetched)?;
    let feed = read(&decoded.text, fetched.url.as_str())?;
    let left = feed.damaged.map(|damage| WebNote::LeftOut { what: format!("the rest of a damaged feed: {damage}") });
    Some(Made::text(METHOD, &feed.text).noting(decoded.notes).noting(left))
}
