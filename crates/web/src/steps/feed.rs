//! Feeds: what is new, with links and dates.

use readstone_base::WebNote;
use readstone_net::Fetched;

use crate::feed::written;
use crate::made::Made;
use crate::text::markup;

pub(super) const METHOD: &str = "feed";

/// `None` when it is no feed after all.
pub(super) fn take(fetched: &Fetched) -> Option<Made> {
    let decoded = markup(fetched)?;
    let (text, damaged) = written(&decoded.text, fetched.url.as_str())?;
    let left = damaged.map(|at| format!("what stands behind byte {at}: the feed is damaged or cut off there"));
    let left = left.map(|what| WebNote::LeftOut { what });
    Some(Made::text(METHOD, &text).noting(decoded.notes).noting(left))
}
