//! JSON, with a value a line.

use readstone_net::Fetched;

use crate::json::pretty;
use crate::made::Made;
use crate::sort::Sorted;
use crate::text::plain;

pub(super) const METHOD: &str = "json";

/// `None` when it is no JSON after all.
pub(super) fn take(found: &Sorted, fetched: &Fetched) -> Option<Made> {
    let decoded = plain(fetched)?;
    Some(Made::bytes(METHOD, &found.name, pretty(&decoded.text)?.into_bytes()).noting(decoded.notes))
}
