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

use readstone_base::{Class, Fault, Stopped, WebNote};
use readstone_formats::{MadePage, PageWish};
use readstone_net::{Ending, Fetched, WebUrl};
use readstone_source::Opening;

use crate::asked::{Asked, Mode};
use crate::errand::Errand;
use crate::letters::letters;
use crate::made::{Beside, Made, Shown};
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

/// The method that gives the source of a page.
pub(crate) const SOURCE: &str = raw_html::METHOD;

/// Methods that give something which holds further things.
pub(crate) const HOLDERS: &[&str] = &[document::METHOD, packed::ARCHIVE, packed::DATABASE, packed::NOTEBOOK];

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

/// A page that shows fewer letters than this has nothing to read.
const NOTHING: usize = 40;
/// Letters of a text that nobody sees who runs scripts.
const INSTEAD: usize = 200;

impl Page<'_> {
    /// Whether all of the page shows nothing worth reading.
    fn shows_little(&self) -> bool {
        self.made.facts.letters < NOTHING && self.letters < INSTEAD
    }
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
        return Ok(empty::take(fetched));
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
    let made = match converted(&decoded.text, &fetched.url, PageWish::Article, walk)? {
        Ok(made) => made,
        Err(why) => return Ok(Made::text(raw_html::METHOD, &decoded.text).noting(notes).noting([why])),
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
    let made = made.noting(refresh(&page.made, page.url));
    Ok(if own { made.noting(notes) } else { made })
}

/// Makes Markdown of a page, or tells why not, while there is still time to show the page itself.
fn converted(html: &str, url: &WebUrl, wish: PageWish, walk: &Walk<'_>) -> Result<Result<MadePage, WebNote>, Fault> {
    let whole = walk.opening.budget;
    let budget = whole.left().map_or_else(|| whole.clone(), |left| whole.within(left / 5 * 4));
    let opening = Opening { budget: &budget, ..*walk.opening };
    Ok(match readstone_formats::page(html.to_owned(), url.as_str(), wish, &opening) {
        Ok(made) => Ok(made),
        Err(fault) if whole.still_wanted() == Err(Stopped::Cancelled) => return Err(fault),
        Err(fault) if fault.class() == Class::Stopped => {
            Err(WebNote::Said("no time was left to make a text of it".to_owned()))
        }
        Err(fault) => Err(WebNote::Said(fault.to_string())),
    })
}

/// Where a page wants to lead.
fn refresh(made: &MadePage, url: &WebUrl) -> Option<WebNote> {
    let target = made.facts.refresh.as_ref().filter(|target| target.as_str() != url.as_str())?;
    Some(WebNote::LeadsOn { address: target.clone() })
}

/// What stands for a page, behind the few lines that the page has itself.
fn behind_own(made: Made, page: &Page<'_>) -> Made {
    let own = page.made.text.trim();
    let title = page.made.caption();
    let (shown, own) = match made.shown {
        Shown::Text(text) if !own.is_empty() => (Shown::Text(format!("{own}\n\n---\n\n{text}")), None),
        shown @ Shown::Text(_) => (shown, None),
        shown @ Shown::Bytes { .. } => {
            let line = own.split_whitespace().collect::<Vec<_>>().join(" ");
            (shown, (!line.is_empty()).then_some(line))
        }
    };
    Made { shown, ..made }.beside(Beside { title, own, anchors: Vec::new() })
}

/// What was found at another address than that of the page.
fn elsewhere(made: Made, method: &'static str, fetched: &Fetched) -> Made {
    let address = fetched.url.as_str().to_owned();
    let content_type = fetched.content_type.as_deref().unwrap_or("unknown");
    made.by(method).typed(Some(content_type)).noting([WebNote::TakenFrom { address }])
}
