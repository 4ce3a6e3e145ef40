//! What holds further things: archives, databases, notebooks.

use readstone_net::Fetched;

use crate::made::Made;
use crate::sort::{Sort, Sorted};

pub(super) const ARCHIVE: &str = "archive";
pub(super) const DATABASE: &str = "database";
pub(super) const NOTEBOOK: &str = "notebook";

pub(super) fn take(found: &Sorted, fetched: &mut Fetched) -> Made {
    let method = match found.sort {
        Sort::Database => DATABASE,
        Sort::Notebook => NOTEBOOK,
        Sort::Archive
        | Sort::Html
        | Sort::Markdown
        | Sort::Json
        | Sort::Feed
        | Sort::Text
        | Sort::Image
        | Sort::Document
        | Sort::Binary => ARCHIVE,
    };
    Made::bytes(method, &found.name, std::mem::take(&mut fetched.body))
}
