//! All that a page shows.

use readstone_base::{Class, Fault, WebNote};
use readstone_formats::PageWish;
use readstone_net::Fetched;

use super::{Walk, raw, raw_html};
use crate::made::{Made, told};
use crate::sort::sorted;
use crate::text::markup;

pub(super) const METHOD: &str = "whole-page";

pub(super) fn take(fetched: &mut Fetched, walk: &Walk<'_>) -> Result<Made, Fault> {
    let Some(decoded) = markup(fetched) else {
        let found = sorted(fetched);
        return Ok(raw::take(&found, fetched));
    };
    let html = decoded.text.clone();
    let made = match readstone_formats::page(html, fetched.url.as_str(), PageWish::Whole, walk.opening) {
        Ok(made) if made.text.is_empty() => Made::text(raw_html::METHOD, &decoded.text),
        Ok(made) => Made::text(METHOD, &made.text).noting(told(&made.notes)),
        Err(fault) if fault.class() == Class::Stopped => return Err(fault),
        Err(fault) => Made::text(raw_html::METHOD, &decoded.text).noting([WebNote::Said(fault.to_string())]),
    };
    Ok(made.noting(decoded.notes))
}
