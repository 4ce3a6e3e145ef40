//! Feeds: what is new, with links and dates.

use readstone_net::Fetched;

use crate::feed::markdown;
use crate::made::Made;
use crate::text::markup;

pub(super) const METHOD: &str = "feed";

/// `None` when it is no feed after all.
pub(super) fn take(fetched: &Fetched) -> Option<Made> {
    let decoded = markup(fetched)?;
    Some(Made::text(METHOD, &markdown(&decoded.text, fetched.url.as_str())?).noting(decoded.notes))
}
