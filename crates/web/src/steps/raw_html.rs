//! The source of a page.

use readstone_net::Fetched;

use super::{Page, Walk, raw};
use crate::made::Made;
use crate::sort::Sorted;
use crate::text::markup;

pub(super) const METHOD: &str = "raw-html";

/// The source, where nothing else is left to read.
#[expect(clippy::unnecessary_wraps, reason = "it is one of the steps")]
pub(super) fn take(page: &Page<'_>, _: &mut Walk<'_>) -> Option<Made> {
    Some(Made::text(METHOD, &page.html))
}

/// The source, because it is asked for.
pub(super) fn source(found: &Sorted, fetched: &mut Fetched) -> Made {
    match markup(fetched) {
        Some(decoded) => Made::bytes(METHOD, &found.name, decoded.text.into_bytes()).noting(decoded.notes),
        None => raw::take(found, fetched),
    }
}
