//! Making Markdown of a page, where its failure costs only the work.

use std::sync::Arc;

use readstone_base::{Blob, Fault, Lend, Memory, Note, Spoiled};
use readstone_convert::{Article, Bounds, PageFacts, Part, Refusal, Remark};
use readstone_source::Opening;
use serde::{Deserialize, Serialize};

use crate::document::{Error, bounds, note};
use crate::work::{self, Pair, pack, whole};

/// What this kind of work is called.
pub(crate) const TASK: &str = "web page";
/// So many things are said of a page.
const MOST_REMARKS: usize = 32;

/// What of a page is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PageWish {
    /// Its main text.
    Article,
    /// All that it shows.
    Whole,
}

/// A page as Markdown, and what it says of itself.
#[derive(Clone, Debug, Default)]
pub struct MadePage {
    /// The text, with LF; empty when the page shows none.
    pub text: String,
    /// What the page is called; empty where it has no name.
    pub title: String,
    /// Who wrote it; empty where that cannot be told.
    pub byline: String,
    /// The day it was published; empty where that cannot be told.
    pub published: String,
    /// Set where all of the page is given: why, or nothing where no main text was found.
    pub whole: Option<String>,
    /// What must be said of it.
    pub notes: Vec<Note>,
    /// How many of a hundred letters of the page are in the text.
    pub share: u8,
    /// What the page says of itself.
    pub facts: PageFacts,
}

/// What a worker is asked.
#[derive(Serialize, Deserialize)]
struct Asked {
    address: Option<String>,
    wish: PageWish,
    bounds: Bounds,
}

/// What a worker answers, with the text behind it.
#[derive(Default, Serialize, Deserialize)]
struct Answer {
    title: String,
    byline: String,
    published: String,
    whole: Option<String>,
    remarks: Vec<Remark>,
    share: u8,
    facts: PageFacts,
    refusal: Option<Refusal>,
}

/// Does the work: the answer is the Markdown of a page in UTF-8, or why there is none.
pub(crate) fn work(ask: &[u8], lend: &Arc<dyn Lend>) -> Result<Vec<u8>, String> {
    let Asked { address, wish, bounds } = serde_json::from_slice(ask).map_err(|error| error.to_string())?;
    let html = String::from_utf8(whole(lend)?).map_err(|error| error.to_string())?;
    let address = address.as_deref();
    let facts = address.map(|address| readstone_convert::page_facts(&html, Some(address))).unwrap_or_default();
    let made = match wish {
        PageWish::Article => readstone_convert::article(&html, address, &bounds).map(of_article),
        PageWish::Whole => readstone_convert::web_page(&html, address, &bounds).map(|made| {
            let (title, whole) = (facts.title.clone(), Some(String::new()));
            (made.text, Answer { share: 100, title, whole, remarks: made.remarks, ..Answer::default() })
        }),
    };
    let title = facts.title.clone();
    let refused = |refusal| (String::new(), Answer { refusal: Some(refusal), title, ..Answer::default() });
    let (text, answer) = made.unwrap_or_else(refused);
    pack(&Answer { facts, ..answer }, text.as_bytes())
}

fn of_article(made: Article) -> (String, Answer) {
    let Article { text, title, byline, published, remarks, share, part } = made;
    let whole = match part {
        Part::Text | Part::Main => None,
        Part::Whole(why) => Some(why),
    };
    (text, Answer { title, byline, published, whole, remarks, share, ..Answer::default() })
}

/// Makes Markdown of a page that was fetched from an address; its links are made absolute.
pub fn page(html: String, address: &str, wish: PageWish, opening: &Opening<'_>) -> Result<MadePage, Fault> {
    make(html, address, (Some(address), wish), opening).map_err(|error| Box::new(error) as Fault)
}

/// Makes Markdown of a page at `path`.
pub(super) fn make(
    html: String,
    path: &str,
    (address, wish): (Option<&str>, PageWish),
    opening: &Opening<'_>,
) -> Result<MadePage, Error> {
    let blob: Arc<dyn Blob> = Arc::new(Memory::new(html.into_bytes()));
    let asked = Asked { address: address.map(str::to_owned), wish, bounds: bounds(opening.limits) };
    let answer = work::ask::<Answer>(TASK, &asked, blob, (&**opening.works, opening.budget));
    let Pair { head, body } = answer.map_err(|cause| spoiled(path.to_owned(), cause))?;
    let Answer { title, byline, published, whole, mut remarks, share, facts, refusal } = head;
    if let Some(refusal) = refusal.filter(|refusal| *refusal != Refusal::Empty) {
        return Err(Error::Refused { path: path.to_owned(), extension: "html", refusal });
    }
    // What a worker says is checked: the page it works on may have taken it over.
    let text = String::from_utf8(body).map_err(|_| spoiled(path.to_owned(), work::nonsense()))?;
    remarks.truncate(MOST_REMARKS);
    let notes = remarks.iter().map(note).collect();
    Ok(MadePage { text, title, byline, published, whole, notes, share: share.min(100), facts })
}

pub(super) fn spoiled(path: String, spoiled: Spoiled) -> Error {
    Error::Spoiled { path, extension: "html", spoiled }
}
