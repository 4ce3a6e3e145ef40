//! Plain text and source code, as they are.

use readstone_net::Fetched;

use crate::made::Made;
use crate::sort::{Sorted, extension};
use crate::text::{markup, plain};

pub(super) const METHOD: &str = "text";

/// `None` when it is no text.
pub(super) fn take(found: &Sorted, fetched: &Fetched) -> Option<Made> {
    let is_markup = fetched.body.trim_ascii_start().starts_with(b"<?xml");
    let decoded = if is_markup { markup(fetched) } else { plain(fetched) }?;
    // What is called like a page would be shown as one.
    let page = matches!(extension(&found.name).as_str(), "html" | "htm" | "xhtml" | "shtml");
    let name = if page { format!("{}.txt", found.name) } else { found.name.clone() };
    Some(Made::bytes(METHOD, &name, decoded.text.into_bytes()).noting(decoded.notes))
}
