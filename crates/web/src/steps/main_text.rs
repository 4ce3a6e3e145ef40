//! The main text of a page.

use readstone_base::WebNote;
use readstone_formats::entitled;

use super::{Page, Walk, linked_document, llms};
use crate::made::{Made, told};

pub(super) const METHOD: &str = "main-text";

/// A text that is at least so many of a hundred letters of its page is as good as all of it.
const NEARLY_ALL: u8 = 90;

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
    let text = entitled(page.made.text.clone(), &page.made.title);
    let less = page.made.share < NEARLY_ALL;
    let part = WebNote::MainText { percent: u64::from(page.made.share), address: walk.asked.whole() };
    Some(Made::text(METHOD, &text).noting(told(&page.made.notes)).noting(less.then_some(part)))
}
