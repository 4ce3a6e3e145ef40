//! The main text of a page.

use readstone_base::WebNote;
use readstone_formats::untold;

use super::{Page, Walk, linked_document, llms};
use crate::made::{Made, told};

pub(super) const METHOD: &str = "main-text";

/// A text that is at least so many of a hundred letters of its page is as good as all of it.
const NEARLY_ALL: u64 = 90;
/// So many letters are worth a word when they are left out.
const WORTH: u64 = 60;

/// The main text, where it is what the page is there for.
pub(super) fn take(page: &Page<'_>, walk: &mut Walk<'_>) -> Option<Made> {
    let other = linked_document::is_frame(page) || llms::is_bare(page);
    if other { None } else { take_little(page, walk) }
}

/// The main text, however little it is.
pub(super) fn take_little(page: &Page<'_>, walk: &mut Walk<'_>) -> Option<Made> {
    if page.made.text.is_empty() {
        return None;
    }
    let text = &page.made.text;
    let title = untold(text, &page.made.title).map(WebNote::Titled);
    let percent = u64::from(page.made.share);
    let left = (page.letters as u64 * 100 / percent.max(1)).saturating_sub(page.letters as u64);
    let less = percent < NEARLY_ALL && left >= WORTH;
    let part = WebNote::MainText { percent, address: walk.asked.whole() };
    Some(Made::text(METHOD, text).noting(title).noting(told(&page.made.notes)).noting(less.then_some(part)))
}
