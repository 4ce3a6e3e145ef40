//! The main text of a page.

use readstone_base::WebNote;

use super::{Page, Walk, linked_document, llms, raw_html, whole_page};
use crate::made::{Beside, Made, told};
use crate::sections::unlike;

pub(super) const METHOD: &str = "main-text";

/// A text of fewer of a hundred letters of its page is not all of it.
const ALL: u64 = 100;
/// So many letters are worth a word when they are left out.
const WORTH: u64 = 10;

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
    let method = if page.made.whole.is_some() { whole_page::METHOD } else { METHOD };
    let why = page.made.whole.iter().filter(|why| !why.is_empty()).cloned().map(WebNote::Said);
    let scripts = if page.shows_little() { raw_html::scripts(&page.html) } else { None };
    let anchors = unlike(&page.made.facts.anchors);
    let beside = Beside { title: page.made.caption(), own: None, anchors };
    let percent = u64::from(page.made.share);
    let left = (page.letters as u64 * 100 / percent.max(1)).saturating_sub(page.letters as u64);
    let less = percent < ALL && left >= WORTH;
    let part = WebNote::MainText { percent, address: walk.asked.whole() };
    let made = Made::text(method, text).beside(beside).noting(why).noting(scripts);
    Some(made.noting(told(&page.made.notes)).noting(less.then_some(part)))
}
