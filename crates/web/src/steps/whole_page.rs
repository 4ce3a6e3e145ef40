//! All that a page shows.

use readstone_base::Fault;
use readstone_formats::PageWish;
use readstone_net::Fetched;

use super::{Walk, converted, raw, raw_html, refresh};
use crate::made::{Beside, Made, told};
use crate::sort::sorted;
use crate::text::markup;

pub(super) const METHOD: &str = "whole-page";

pub(super) fn take(fetched: &mut Fetched, walk: &Walk<'_>) -> Result<Made, Fault> {
    let Some(decoded) = markup(fetched) else {
        let found = sorted(fetched);
        return Ok(raw::take(&found, fetched));
    };
    let made = match converted(&decoded.text, &fetched.url, PageWish::Whole, walk)? {
        Ok(made) if made.text.is_empty() => {
            Made::text(raw_html::METHOD, &decoded.text).noting(raw_html::scripts(&decoded.text))
        }
        Ok(made) => {
            let beside = Beside { title: made.caption(), ..Beside::default() };
            Made::text(METHOD, &made.text).beside(beside).noting(told(&made.notes)).noting(refresh(&made, &fetched.url))
        }
        Err(why) => Made::text(raw_html::METHOD, &decoded.text).noting([why]),
    };
    Ok(made.noting(decoded.notes))
}
