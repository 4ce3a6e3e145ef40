//! The page in Markdown, at an address that the page or its server names.

use readstone_net::WebUrl;

use super::{Page, Walk, elsewhere, markdown};
use crate::made::Made;

pub(super) const METHOD: &str = "alternate-markdown";

/// What is asked for.
const ACCEPT: &str = "text/markdown, text/plain;q=0.8, */*;q=0.1";

pub(super) fn take(page: &Page<'_>, walk: &mut Walk<'_>) -> Option<Made> {
    let address = declared(page)?;
    let url = page.url.join(&address).ok().filter(|url| url != page.url && page.whole)?;
    let fetched = walk.errand.probe(page.url, &url, ACCEPT)?;
    Some(elsewhere(markdown::plain(&fetched)?, METHOD, &fetched))
}

fn declared(page: &Page<'_>) -> Option<String> {
    let alternates = || page.made.facts.alternates.iter().filter(|alternate| alternate.is_markdown());
    // A translation is not the page.
    let own = alternates().find(|alternate| alternate.language.is_none());
    let in_page = own.or_else(|| alternates().next()).map(|alternate| alternate.href.clone());
    in_page.or_else(|| page.links.iter().find_map(|line| linked(line, page.url)))
}

/// The address of Markdown in a `Link` header.
fn linked(line: &str, base: &WebUrl) -> Option<String> {
    for link in links(line) {
        let (address, rest) = link.trim().strip_prefix('<')?.split_once('>')?;
        let has = |name: &str, wanted: &str| {
            rest.split(';').filter_map(|parameter| parameter.split_once('=')).any(|(key, value)| {
                let value = value.trim().trim_matches('"').to_ascii_lowercase();
                key.trim().eq_ignore_ascii_case(name) && value.split_ascii_whitespace().any(|word| word == wanted)
            })
        };
        let kind = has("type", "text/markdown") || has("type", "text/x-markdown");
        if kind && has("rel", "alternate") {
            return base.join(address).ok().map(|url| url.as_str().to_owned());
        }
    }
    None
}

/// The links of one header: a comma parts them where an address follows.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let starts: Vec<usize> = line.match_indices('<').map(|(at, _)| at).collect();
    let ends = starts.clone().into_iter().skip(1).chain([line.len()]);
    starts.into_iter().zip(ends).filter_map(|(start, end)| line.get(start..end))
}
