//! The steps from an answer to something to read, in their order.

mod alternate_markdown;
mod document;
mod empty;
mod failed;
mod feed;
mod feed_alternate;
mod image;
mod json;
mod linked_document;
mod llms;
mod main_text;
mod markdown;
mod md_suffix;
mod packed;
mod raw;
mod raw_html;
mod site;
mod text;
mod whole_page;

use readstone_base::{Class, Fault, WebNote};
use readstone_formats::{MadePage, PageWish};
use readstone_net::{Ending, Fetched, WebUrl};
use readstone_source::Opening;

use crate::asked::{Asked, Mode};
use crate::errand::Errand;
use crate::letters::letters;
use crate::made::{Made, Shown};
use crate::sort::{Sort, Sorted, sorted};
use crate::text::markup;

pub(crate) use site::from_site;

/// Every method that a step of ours has.
pub(crate) const METHODS: &[&str] = &[
    alternate_markdown::METHOD,
    document::METHOD,
    failed::METHOD,
    feed::METHOD,
    feed_alternate::METHOD,
    image::METHOD,
    json::METHOD,
    linked_document::METHOD,
    llms::METHOD,
    main_text::METHOD,
    markdown::METHOD,
    markdown::NEGOTIATED,
    md_suffix::METHOD,
    packed::ARCHIVE,
    packed::DATABASE,
    packed::NOTEBOOK,
    raw::METHOD,
    raw_html::METHOD,
    text::METHOD,
    whole_page::METHOD,
];

/// What a step works with.
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    pub(crate) asked: &'a Asked,
    pub(crate) opening: &'a Opening<'a>,
    pub(crate) errand: Errand<'a>,
}

/// A page in HTML, and what is known of it.
#[derive(Debug)]
pub(crate) struct Page<'a> {
    /// Where it came from.
    url: &'a WebUrl,
    html: String,
    made: MadePage,
    /// Letters of its main text.
    letters: usize,
    links: &'a [String],
    /// Whether all of it came.
    whole: bool,
}

/// What a page in HTML is turned into.
type Step = fn(&Page<'_>, &mut Walk<'_>) -> Option<Made>;

/// The steps for HTML; what the server gave as Markdown never comes here.
const OF_HTML: &[Step] = &[
    alternate_markdown::take,
    md_suffix::take,
    feed_alternate::take,
    main_text::take,
    linked_document::take,
    llms::take,
    main_text::take_little,
    raw_html::take,
];

/// Makes something to read of an answer.
pub(crate) fn make(fetched: &mut Fetched, walk: &mut Walk<'_>) -> Result<Made, Fault> {
    if !(200..300).contains(&fetched.status) {
        return failed::take(fetched, walk);
    }
    if fetched.body.is_empty() {
        return Ok(empty::take());
    }
    let found = sorted(fetched);
    let made = match walk.asked.mode {
        Mode::Raw => raw::take(&found, fetched),
        Mode::Source if found.sort == Sort::Html => raw_html::source(&found, fetched),
        Mode::Whole if found.sort == Sort::Html => whole_page::take(fetched, walk)?,
        Mode::Read if found.sort == Sort::Html => of_html(fetched, walk)?,
        Mode::Read | Mode::Whole | Mode::Source => of_other(&found, fetched, walk),
    };
    let made = if made.content_type.is_some() { made } else { made.typed(fetched.content_type.as_deref()) };
    Ok(made.noting(found.note()))
}

/// What is no HTML. Bytes are moved, for there may be many.
fn of_other(found: &Sorted, fetched: &mut Fetched, walk: &Walk<'_>) -> Made {
    let made = match found.sort {
        Sort::Image => Some(image::take(found, fetched)),
        Sort::Document => Some(document::take(found, fetched)),
        Sort::Archive | Sort::Database | Sort::Notebook => Some(packed::take(found, fetched)),
        Sort::Json => json::take(found, fetched),
        Sort::Feed => feed::take(fetched),
        Sort::Markdown => markdown::take(found, fetched),
        Sort::Html | Sort::Text | Sort::Binary => None,
    };
    // A name behind it can only be followed in what it is itself.
    let made = made.filter(|made| !walk.asked.is_name() || matches!(made.shown, Shown::Bytes { .. }));
    if made.is_none() && found.sort == Sort::Binary {
        return raw::take(found, fetched);
    }
    made.or_else(|| text::take(found, fetched)).unwrap_or_else(|| raw::take(found, fetched))
}

fn of_html(fetched: &mut Fetched, walk: &mut Walk<'_>) -> Result<Made, Fault> {
    let Some(decoded) = markup(fetched) else {
        let found = sorted(fetched);
        return Ok(raw::take(&found, fetched));
    };
    let notes = decoded.notes;
    let made =
        match readstone_formats::page(decoded.text.clone(), fetched.url.as_str(), PageWish::Article, walk.opening) {
            Ok(made) => made,
            Err(fault) if fault.class() == Class::Stopped => return Err(fault),
            Err(fault) => {
                let said = WebNote::Said(fault.to_string());
                return Ok(Made::text(raw_html::METHOD, &decoded.text).noting(notes).noting([said]));
            }
        };
    let page = Page {
        url: &fetched.url,
        html: decoded.text,
        letters: letters(&made.text),
        made,
        links: &fetched.links,
        whole: fetched.ending == Ending::Whole,
    };
    let taken = OF_HTML.iter().find_map(|step| step(&page, walk));
    // The last step always gives something.
    let made = taken.unwrap_or_else(|| Made::text(raw_html::METHOD, &page.html));
    let own = made.content_type.is_none();
    Ok(if own { made.noting(notes) } else { made })
}

/// What was found at another address than that of the page.
fn elsewhere(made: Made, method: &'static str, fetched: &Fetched) -> Made {
    let address = fetched.url.as_str().to_owned();
    let content_type = fetched.content_type.as_deref().unwrap_or("unknown");
    made.by(method).typed(Some(content_type)).noting([WebNote::TakenFrom { address }])
}
