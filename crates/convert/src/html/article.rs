//! The main text of a web page.

use legible::{Document, Options};
use serde::{Deserialize, Serialize};

use super::links::{self, Base};
use super::scan::{Piece, Scan};
use super::{BARE, Body, Shape, body, landmark, letters, plain, shorten, strip, unseen, unwrapped};
use crate::{Bounds, Refusal, Remark};

/// Levels up to which the main text is looked for: it takes the square of them.
const MOST_LEVELS: usize = 300;
/// Tags up to which the main text is looked for.
const MOST_TAGS: usize = 50_000;
/// Tags times unclosed marks of the text, up to which a tree is made: each may be repeated in every block.
const MOST_REPEATED: usize = 2_000_000;
/// A main text with fewer letters than this is doubted.
const FEW: usize = 200;

/// The main text of a web page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Article {
    /// Its text in Markdown, with LF, and no blank lines at either end.
    pub text: String,
    /// What the page is called; empty where it has no name. The text need not repeat it.
    pub title: String,
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
    /// All of it; why, in a few words such as `no main text was found`.
    Whole(String),
}

/// Finds the main text of a web page and makes Markdown of it; where there is none, the whole page is given.
pub fn article(html: &str, address: Option<&str>, bounds: &Bounds) -> Result<Article, Refusal> {
    let base = Base::of(html, address);
    let html = &unseen::marked(html);
    let shape = Shape::of(html);
    let all = letters(&strip::text(html));
    let (chosen, name) = choice(html, &shape, all);
    let (source, part) = match chosen {
        Choice::Text(content) => (content, Part::Text),
        Choice::Main(content) => (content, Part::Main),
        Choice::Whole(why) => (html.clone(), Part::Whole(why.to_owned())),
    };
    let (Body { mut text, bare }, had) = markdown(&source, base.as_ref());
    if text.is_empty() {
        return Err(Refusal::Empty);
    }
    let mut remarks = Vec::new();
    if bare {
        remarks.push(Remark::LeftOut(BARE.to_owned()));
    }
    if text.len() as u64 > bounds.text_bytes {
        shorten(&mut text, usize::try_from(bounds.text_bytes).unwrap_or(usize::MAX));
        remarks.push(Remark::Cut { limit: "text_bytes".to_owned() });
    }
    let title = if name.trim().is_empty() { shape.title } else { name };
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let share = match part {
        Part::Text | Part::Main => u8::try_from((had * 100).div_ceil(all.max(1)).min(100)).unwrap_or(100),
        Part::Whole(_) => 100,
    };
    Ok(Article { text, title, remarks, share, part })
}

/// The Markdown of a part of a page, and how many letters it had.
fn markdown(source: &str, base: Option<&Base>) -> (Body, usize) {
    let had = letters(&strip::text(source));
    let html = links::page(&plain::page(&unwrapped(source)), base);
    let shape = Shape::of(&html);
    (body(&html, &shape), had)
}

enum Choice {
    Text(String),
    Main(String),
    Whole(&'static str),
}

/// The part of a page that is worth reading, and what the page is called.
fn choice(html: &str, shape: &Shape, all: usize) -> (Choice, String) {
    if shape.levels > MOST_LEVELS || shape.tags > MOST_TAGS || repeated(html, shape) > MOST_REPEATED {
        return (Choice::Whole("the page has too many tags or levels to tell its main text"), String::new());
    }
    let document = Document::new(html);
    let readable = document.is_probably_readerable(None);
    let options = Options { keep_classes: true, max_elems_to_parse: 2 * MOST_TAGS, ..Options::default() };
    let (content, title) = match document.parse(None, Some(options)) {
        Ok(found) => (found.content, found.title),
        Err(_) => (String::new(), String::new()),
    };
    let found = Amount::of(&content);
    let main = landmark::main(html).map(unseen::without_menus);
    let in_main = main.as_deref().map(Amount::of).unwrap_or_default();
    let lost = |from: &Amount| found.has_lost(from, readable);
    let choice = match main {
        Some(main) if in_main.letters >= FEW && lost(&in_main) => Choice::Main(main),
        Some(_) | None if lost(&Amount { letters: all, ..Amount::default() }) => {
            Choice::Whole("no main text was found in it")
        }
        Some(_) | None => Choice::Text(content),
    };
    (choice, title)
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
        let mut amount = Self { letters: letters(&strip::text(html)), ..Self::default() };
        for piece in Scan::new(html) {
            if let Piece::Open(tag) = piece {
                amount.code += usize::from(tag.is("pre"));
                amount.terms += usize::from(tag.is("dt"));
                amount.rows += usize::from(tag.is("tr"));
            }
        }
        amount
    }

    /// Whether so much of a larger part is missing that this cannot be what it is about.
    fn has_lost(&self, from: &Self, readable: bool) -> bool {
        let most = |had: usize, has: usize, few: usize| had >= few && has.saturating_mul(2) < had;
        if self.letters < FEW && from.letters > self.letters.saturating_mul(5) {
            return true;
        }
        let parts = most(from.code, self.code, 2) || most(from.terms, self.terms, 4) || most(from.rows, self.rows, 8);
        if parts && self.letters.saturating_mul(10) < from.letters.saturating_mul(9) {
            return true;
        }
        // Most of what a page of articles leaves out is not in its main part; most of what a list of links does is.
        let least = if readable { from.letters / 10 } else { from.letters / 2 };
        self.letters < least
    }
}

/// How often the marks of a page may be repeated because they are never closed.
fn repeated(html: &str, shape: &Shape) -> usize {
    let is_mark = |name: &str| MARKS.iter().any(|mark| name.eq_ignore_ascii_case(mark));
    let unclosed = Scan::new(html).fold(0_usize, |open, piece| match piece {
        Piece::Open(tag) if is_mark(tag.name) => open + 1,
        Piece::Close(name) if is_mark(name) => open.saturating_sub(1),
        Piece::Open(_) | Piece::Close(_) | Piece::Text(_) | Piece::Raw(_) | Piece::Data(_) => open,
    });
    unclosed.saturating_mul(shape.tags)
}

/// Elements that a parser opens again in every block until they are closed.
const MARKS: [&str; 13] = ["b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"];
