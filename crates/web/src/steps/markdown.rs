//! Markdown that the server gave for the address itself.

use readstone_net::Fetched;

use crate::made::Made;
use crate::sort::{Sorted, beginning, extension, is_page};
use crate::text::{essence, plain as decoded};

pub(super) const METHOD: &str = "markdown";
/// The same, where the address is that of a page.
pub(super) const NEGOTIATED: &str = "content-negotiation";

pub(super) fn take(found: &Sorted, fetched: &Fetched) -> Option<Made> {
    let own = matches!(extension(&found.name).as_str(), "md" | "markdown" | "mdx" | "mkd" | "mdown" | "txt");
    let method = if own { METHOD } else { NEGOTIATED };
    let text = decoded(fetched)?;
    Some(Made::text(method, &text.text).noting(text.notes))
}

/// The text of an answer that stands for a page: Markdown or plain text, and no page that says there is none.
pub(super) fn plain(fetched: &Fetched) -> Option<Made> {
    let kind = essence(fetched);
    let named = matches!(kind.as_str(), "text/markdown" | "text/x-markdown" | "text/plain");
    let head = beginning(&fetched.body);
    if !named || head.is_empty() || is_page(&head) || head.starts_with("<?xml") {
        return None;
    }
    let text = decoded(fetched)?;
    Some(Made::text(METHOD, &text.text).noting(text.notes))
}
