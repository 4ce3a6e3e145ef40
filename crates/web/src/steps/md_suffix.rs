//! The page in Markdown, at its own address with `.md` behind it.

use readstone_net::WebUrl;

use super::{Page, Walk, elsewhere, markdown};
use crate::letters::letters;
use crate::made::{Made, Shown};
use crate::sort::{extension, last_segment};

pub(super) const METHOD: &str = "md-suffix";

/// What is asked for.
const ACCEPT: &str = "text/markdown, text/plain;q=0.8, */*;q=0.1";
/// A text with fewer letters than this may only say that there is none.
const FEW: usize = 100;
/// A page with so many times the letters of it was not what it stands for.
const FEWER: usize = 5;

pub(super) fn take(page: &Page<'_>, walk: &mut Walk<'_>) -> Option<Made> {
    let url = address(page.url).filter(|_| page.whole)?;
    let fetched = walk.errand.probe(page.url, &url, ACCEPT)?;
    let made = markdown::plain(&fetched)?;
    let count = if let Shown::Text(text) = &made.shown { letters(text) } else { 0 };
    let real = count >= FEW || page.letters <= count.saturating_mul(FEWER);
    (count > 0 && real).then(|| elsewhere(made, METHOD, &fetched))
}

/// The address, for pages without a query whose name has no other extension than a page has.
fn address(url: &WebUrl) -> Option<WebUrl> {
    let path = url.path().trim_end_matches('/');
    let name = last_segment(url);
    let end = extension(&name);
    let page = end.is_empty() && !name.contains('.') || matches!(end.as_str(), "html" | "htm");
    let fits = page && !name.is_empty() && url.query().is_none();
    if fits { url.join(&format!("{}{path}.md", url.origin())).ok() } else { None }
}
