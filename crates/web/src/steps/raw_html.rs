//! The source of a page.

use readstone_base::WebNote;
use readstone_net::Fetched;

use super::{Page, Walk, raw};
use crate::made::{Beside, Made};
use crate::sort::Sorted;
use crate::text::markup;

pub(super) const METHOD: &str = "raw-html";

/// The source, where nothing else is left to read.
#[expect(clippy::unnecessary_wraps, reason = "it is one of the steps")]
pub(super) fn take(page: &Page<'_>, _: &mut Walk<'_>) -> Option<Made> {
    let title = page.made.caption();
    Some(Made::text(METHOD, &page.html).beside(Beside { title, ..Beside::default() }).noting(scripts(&page.html)))
}

/// What must be said of a page that shows nothing, if it has scripts.
pub(super) fn scripts(html: &str) -> Option<WebNote> {
    let what = "what its scripts would show; they are not run".to_owned();
    has_scripts(html).then_some(WebNote::LeftOut { what })
}

/// Whether a page has scripts.
pub(super) fn has_scripts(html: &str) -> bool {
    html.as_bytes().windows(7).any(|tag| tag.eq_ignore_ascii_case(b"<script"))
}

/// The source, because it is asked for.
pub(super) fn source(found: &Sorted, fetched: &mut Fetched) -> Made {
    match markup(fetched) {
        Some(decoded) => Made::bytes(METHOD, &found.name, decoded.text.into_bytes()).noting(decoded.notes),
        None => raw::take(found, fetched),
    }
}
