//! The main text of a web page.

use std::borrow::Cow;

use legible::{Document, Options};
use serde::{Deserialize, Serialize};

use super::links::{self, Base};
use super::{
    Body, MOST_LOOKS, Shape, WebPage, ampersands, body, bounded, code, framed, landmark, letters, levels, listing,
    math, plain, strip, unseen, unwrapped, web_page,
};
use crate::{Bounds, Refusal, Remark};

/// Levels up to which the main text is looked for: it takes the square of them.
const MOST_LEVELS: usize = 300;
/// Tags up to which the main text is looked for.
const MOST_TAGS: usize = 50_000;
/// Tags times unclosed marks of the text, up to which a tree is made: each may be repeated in every block.
const MOST_REPEATED: usize = 2_000_000;
/// Characters of a byline that are told.
const MOST_BYLINE: usize = 100;
/// A main text with fewer letters than this is doubted.
const FEW: usize = 200;

/// The main text of a web page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Article {
    /// Its text in Markdown, with LF, and no blank lines at either end.
    pub text: String,
    /// What the page is called; empty where it has no name. The text need not repeat it.
    pub title: String,
    /// Who wrote it, where that can be told and was taken from the text; else empty.
    pub byline: String,
    /// The day it was published, such as `2026-11-15`, where that can be told; else empty.
    pub published: String,
    /// What must be said of it.
    pub remarks: Vec<Remark>,
    /// How many of a hundred letters of the page are in the text.
    pub share: u8,
    /// Which part of the page it is.
    pub part: Part,
}

/// Which part of a page is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// The main text, found by its form.
    Text,
    /// What the page itself calls its main part.
    Main,
    /// All of it; why, in a few words, where that is more than that no main text was found.
    Whole(String),
}

/// Finds the main text of a web page and makes Markdown of it; where there is none, the whole page is given.
pub fn article(html: &str, address: Option<&str>, bounds: &Bounds) -> Result<Article, Refusal> {
    if ampersands(html) > MOST_LOOKS {
        // No tree is made of such a page, whatever part of it is wanted.
        let WebPage { text, remarks } = web_page(html, address, bounds)?;
        let part = Part::Whole("it is made of signs that begin nothing".to_owned());
        let (title, byline, published) = Default::default();
        return Ok(Article { text, title, byline, published, remarks, share: 100, part });
    }
    let base = Base::of(html, address);
    let html = &framed::taken_out(&unseen::marked(&code::named(&listing::lists(html))));
    let shape = Shape::of(html);
    let all = letters(&strip::text(html));
    let Choice { source, part, about, letters: had } = choice(html, &shape, all);
    let page = links::page(&math::page(&plain::page(&unwrapped(&source))), base.as_ref());
    let Body { text, bare } = body(&page, &Shape::of(&page));
    let mut text = levels::restored(text, html);
    // Where a word may be broken is of no use in lines that are as long as they need to be.
    text.retain(|sign| sign != '\u{ad}');
    let WebPage { text, remarks } = bounded(Body { text, bare }, bounds)?;
    let About { title, byline, published } = about;
    let title = one_line(if title.trim().is_empty() { &shape.title } else { &title });
    let percent = match part {
        Part::Text | Part::Main => u8::try_from((had * 100).div_ceil(all.max(1)).min(100)).unwrap_or(100),
        Part::Whole(_) => 100,
    };
    Ok(Article { text, title, byline, published, remarks, share: percent, part })
}

/// The part of a page that is worth reading.
struct Choice<'a> {
    source: Cow<'a, str>,
    part: Part,
    about: About,
    /// How many letters the part has.
    letters: usize,
}

/// What a page says of itself, beside its text.
#[derive(Default)]
struct About {
    title: String,
    byline: String,
    published: String,
}

impl About {
    fn of(found: &legible::Article) -> Self {
        let byline = one_line(found.byline.as_deref().unwrap_or_default());
        let day = found.published_time.as_deref().and_then(|time| time.trim().get(..10)).unwrap_or_default();
        let is_day = day.bytes().enumerate().all(|(at, sign)| match at {
            4 | 7 => sign == b'-',
            _ => sign.is_ascii_digit(),
        });
        Self {
            title: found.title.clone(),
            byline: byline.chars().take(MOST_BYLINE).collect(),
            published: if is_day { day.to_owned() } else { String::new() },
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl<'a> Choice<'a> {
    fn whole(html: &'a str, why: &str, letters: usize) -> Self {
        Self { source: Cow::Borrowed(html), part: Part::Whole(why.to_owned()), about: About::default(), letters }
    }
}

/// Repair of `legible`: it loses blocks of code, terms and rows that stand in boxes, and needs the
/// square of the levels of a page. Shown by: `fault_a_manual_loses_its_code`, `tests/all/article.rs`.
fn choice<'a>(html: &'a str, shape: &Shape, all: usize) -> Choice<'a> {
    if shape.levels > MOST_LEVELS || shape.tags > MOST_TAGS || shape.unclosed.saturating_mul(shape.tags) > MOST_REPEATED
    {
        return Choice::whole(html, "it has too many tags or levels to tell its main text", all);
    }
    let document = Document::new(html);
    // Most of what a page of articles leaves out is not in its main part; most of what a list of links does is.
    let least = if document.is_probably_readerable(None) { 10 } else { 2 };
    let options = Options { keep_classes: true, max_elems_to_parse: 2 * MOST_TAGS, ..Options::default() };
    let (content, about) = match document.parse(None, Some(options)) {
        Ok(found) => {
            let about = About::of(&found);
            (found.content, about)
        }
        Err(_) => (String::new(), About::default()),
    };
    let found = Amount::of(&content);
    let text = |source, letters, about| Choice { source: Cow::Owned(source), part: Part::Text, about, letters };
    if found.letters.saturating_mul(20) >= all.saturating_mul(19) && found.letters > 0 {
        return text(content, found.letters, about);
    }
    if let Some(main) = landmark::main(html).map(unseen::without_menus) {
        let amount = Amount::of(&main);
        if amount.letters >= FEW && found.has_lost(&amount, least) {
            return Choice { source: Cow::Owned(main), part: Part::Main, about, letters: amount.letters };
        }
    }
    if found.has_lost(&Amount { letters: all, ..Amount::default() }, least) {
        return Choice { about, ..Choice::whole(html, "", all) };
    }
    text(content, found.letters, about)
}

/// How much there is to read in a part of a page.
#[derive(Debug, Default)]
struct Amount {
    letters: usize,
    /// Blocks of code.
    code: usize,
    /// Terms that are explained.
    terms: usize,
    rows: usize,
}

impl Amount {
    fn of(html: &str) -> Self {
        let count = |tag: &str| html.matches(tag).count();
        Self { letters: letters(&strip::text(html)), code: count("<pre"), terms: count("<dt"), rows: count("<tr") }
    }

    /// Whether so much of a larger part is missing that this cannot be what it is about: there must be one letter left
    /// of so many.
    fn has_lost(&self, from: &Self, least: usize) -> bool {
        let most = |had: usize, has: usize, few: usize| had >= few && has.saturating_mul(2) < had;
        if self.letters < FEW && from.letters > self.letters.saturating_mul(5) {
            return true;
        }
        let parts = most(from.code, self.code, 2) || most(from.terms, self.terms, 4) || most(from.rows, self.rows, 8);
        if parts && self.letters.saturating_mul(10) < from.letters.saturating_mul(9) {
            return true;
        }
        self.letters.saturating_mul(least) < from.letters
    }
}
