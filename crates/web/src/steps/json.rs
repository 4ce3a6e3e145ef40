//! JSON, with a value a line.

use readstone_formats::pretty_json;
use readstone_net::Fetched;

use crate::made::Made;
use crate::sort::Sorted;
use crate::text::plain;

pub(super) const METHOD: &str = "json";

/// `None` when it is no JSON after all.
pub(super) fn take(found: &Sorted, fetched: &Fetched) -> Option<Made> {
    let decoded = plain(fetched)?;
    Some(Made::bytes(METHOD, &found.name, pretty_json(&decoded.text)?.into_bytes()).noting(decoded.notes))
}
