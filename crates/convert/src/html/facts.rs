//! What a web page says of itself.

use serde::{Deserialize, Serialize};

use super::links::{Base, resolved};
use super::scan::{Hidden, Piece, Scan, Tag};

/// The ends of the addresses of documents.
const DOCUMENTS: [&str; 13] =
    ["pdf", "docx", "doc", "pptx", "ppt", "xlsx", "xls", "epub", "odt", "odp", "ods", "rtf", "docm"];
/// A page with fewer letters than this beside its links says hardly anything itself.
const LITTLE: usize = 200;
/// A page with more links than this is there for more than one of them.
const FEW_LINKS: usize = 2;
/// Headings whose anchors are told at most, and letters of each.
const MOST_ANCHORS: usize = 1_000;
const MOST_HEADING: usize = 200;
/// Alternates that are told at most.
const MOST: usize = 64;
/// Letters from which a paragraph counts, and what all of them must come to.
const PARAGRAPH: usize = 140;
const ENOUGH: f64 = 20.0;

/// What a web page says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageFacts {
    /// Its title; empty where it has none.
    pub title: String,
    /// What its links are relative to; none where no address was given.
    pub base: Option<String>,
    /// The address it wants to be known by.
    pub canonical: Option<String>,
    /// The same in other forms, and what it feeds.
    pub alternates: Vec<Alternate>,
    /// The document that the page is only a frame of, or a way to.
    pub document: Option<String>,
    /// Letters that it shows.
    pub letters: usize,
    /// Where it wants to lead without being asked.
    pub refresh: Option<String>,
    /// Names that addresses may have behind the sign `#`, and the heading that each means.
    pub anchors: Vec<(String, String)>,
    /// Whether it probably is an article.
    pub readable: bool,
}

/// Something that can be read instead of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alternate {
    /// Its address, absolute where the address of the page is known.
    pub href: String,
    /// Its type in small letters without parameters, such as `text/markdown`; empty where the page does not say.
    pub kind: String,
    /// What it is called; empty where it has no name.
    pub title: String,
    /// The language it is in, where it is a translation.
    pub language: Option<String>,
}

impl Alternate {
    /// Whether it is Markdown.
    pub fn is_markdown(&self) -> bool {
        matches!(self.kind.as_str(), "text/markdown" | "text/x-markdown")
    }

    /// Whether it is a feed.
    pub fn is_feed(&self) -> bool {
        matches!(self.kind.as_str(), "application/rss+xml" | "application/atom+xml" | "application/feed+json")
    }
}

/// Tells what a web page says of itself, in one pass and without making a tree of it.
pub fn page_facts(html: &str, address: Option<&str>) -> PageFacts {
    let mut look = Look { base: Base::of(html, address), ..Look::default() };
    for piece in Scan::new(html) {
        match piece {
            Piece::Open(tag) => look.open(tag),
            Piece::Close(name) => look.close(name),
            Piece::Text(text) => look.text(text),
            Piece::Raw(text) if look.in_title => look.facts.title = words(text),
            Piece::Raw(_) | Piece::Data(_) => {}
        }
    }
    look.end()
}

#[derive(Default)]
struct Look<'a> {
    facts: PageFacts,
    base: Option<Base>,
    hidden: Hidden<'a>,
    in_title: bool,
    in_drawing: bool,
    letters: usize,
    /// Letters of links, and of the one that is open.
    linked_letters: usize,
    link: Option<usize>,
    links: usize,
    /// Names that the next heading may be meant by, and the heading that is open.
    names: Vec<String>,
    heading: Option<String>,
    /// Letters of the paragraph that is open.
    paragraph: Option<usize>,
    score: f64,
    /// Documents that the page shows in a frame, and those that it leads to.
    framed: Vec<String>,
    linked: Vec<String>,
}

impl<'a> Look<'a> {
    fn open(&mut self, tag: Tag<'a>) {
        self.anchor(tag);
        self.in_title = tag.is("title") && !self.in_drawing && self.facts.title.is_empty();
        if self.hidden.opens(tag, &["template", "noscript"]) {
            return;
        }
        match tag.name.to_ascii_lowercase().as_str() {
            "svg" => self.in_drawing = !tag.closed,
            "p" | "pre" | "li" => {
                self.end_paragraph();
                self.paragraph = (!tag.is("li")).then_some(0);
            }
            "link" => self.link(tag),
            "meta" => self.meta(tag),
            "embed" | "iframe" => self.frame(tag, tag.get("src")),
            "object" => self.frame(tag, tag.get("data")),
            "a" => {
                let href = tag.get("href");
                self.end_link();
                self.link = href.map(|_| 0);
                self.links += usize::from(href.is_some());
                let address = self.absolute(href.unwrap_or_default()).filter(|href| is_document(href));
                add(&mut self.linked, address);
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        if self.hidden.closes(name) {
            return;
        }
        if name.eq_ignore_ascii_case("a") {
            self.end_link();
        }
        if is_heading(name) {
            self.end_heading();
        }
        if name.eq_ignore_ascii_case("svg") {
            self.in_drawing = false;
        }
        if name.eq_ignore_ascii_case("p") || name.eq_ignore_ascii_case("pre") {
            self.end_paragraph();
        }
    }

    fn text(&mut self, text: &str) {
        if !self.hidden.is_open() {
            let letters = super::letters(text);
            self.letters += letters;
            self.link = self.link.map(|count| count + letters);
            if letters > 0 && self.heading.is_none() {
                self.names.clear();
            }
            if let Some(heading) = self.heading.as_mut().filter(|heading| heading.len() < MOST_HEADING) {
                heading.push_str(text);
            }
            self.paragraph = self.paragraph.map(|count| count + letters);
        }
    }

    /// Takes note of a name that a heading may be meant by: its own, one in it, or one of what begins with it.
    fn anchor(&mut self, tag: Tag<'_>) {
        if self.hidden.is_open() || self.facts.anchors.len() >= MOST_ANCHORS {
            return;
        }
        if is_heading(tag.name) {
            self.end_heading();
            self.heading = Some(String::new());
        }
        let own = tag.get("id").or_else(|| tag.get("name").filter(|_| tag.is("a")));
        self.names.extend(own.filter(|name| self.names.len() < 8 && name.len() < MOST_HEADING).map(resolved));
    }

    fn end_link(&mut self) {
        self.linked_letters += self.link.take().unwrap_or(0);
    }

    fn end_heading(&mut self) {
        let Some(heading) = self.heading.take() else { return };
        let heading = words(&heading);
        let names = std::mem::take(&mut self.names);
        if !heading.is_empty() {
            self.facts.anchors.extend(names.into_iter().map(|name| (name, heading.clone())));
        }
    }

    fn meta(&mut self, tag: Tag<'_>) {
        let is = |name: &str, value: &str| tag.get(name).is_some_and(|own| own.trim().eq_ignore_ascii_case(value));
        let content = resolved(tag.get("content").unwrap_or_default());
        if is("name", "citation_pdf_url") {
            let address = self.absolute(&content);
            add(&mut self.framed, address);
        }
        let target = content.split_once([';', ',']).map(|(_, target)| target.trim());
        if let Some(target) = target.filter(|_| is("http-equiv", "refresh") && self.facts.refresh.is_none()) {
            let named = target.get(..3).is_some_and(|begin| begin.eq_ignore_ascii_case("url"));
            let behind = target.get(3..).filter(|_| named).map(str::trim_start).and_then(|rest| rest.strip_prefix('='));
            let address = behind.unwrap_or(target).trim().trim_matches(['"', '\'']);
            self.facts.refresh = self.absolute(address);
        }
    }

    fn end_paragraph(&mut self) {
        let over = self.paragraph.take().and_then(|count| count.checked_sub(PARAGRAPH)).unwrap_or(0);
        self.score += f64::from(u32::try_from(over).unwrap_or(u32::MAX)).sqrt();
    }

    fn absolute(&self, href: &str) -> Option<String> {
        let href = resolved(href);
        let href = href.trim();
        let absolute = self.base.as_ref().and_then(|base| base.absolute(href));
        absolute.or_else(|| (!href.is_empty()).then(|| href.to_owned()))
    }

    fn link(&mut self, tag: Tag<'_>) {
        let rel = tag.get("rel").unwrap_or_default();
        let is = |name: &str| rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(name));
        let Some(href) = tag.get("href").and_then(|href| self.absolute(href)) else { return };
        if is("canonical") && self.facts.canonical.is_none() {
            self.facts.canonical = Some(href);
        } else if is("alternate") && !is("stylesheet") && self.facts.alternates.len() < MOST {
            let kind = tag.get("type").unwrap_or_default().split(';').next().unwrap_or_default();
            let language = tag.get("hreflang").map(str::trim).filter(|language| !language.is_empty());
            self.facts.alternates.push(Alternate {
                href,
                kind: kind.trim().to_ascii_lowercase(),
                title: words(tag.get("title").unwrap_or_default()),
                language: language.map(str::to_ascii_lowercase),
            });
        }
    }

    fn frame(&mut self, tag: Tag<'_>, source: Option<&str>) {
        let is_pdf = tag.get("type").is_some_and(|kind| kind.eq_ignore_ascii_case("application/pdf"));
        let address = source.and_then(|source| self.absolute(source)).filter(|source| is_pdf || is_document(source));
        add(&mut self.framed, address);
    }

    fn end(mut self) -> PageFacts {
        self.end_paragraph();
        self.end_heading();
        self.end_link();
        self.facts.letters = self.letters;
        let only = |mut documents: Vec<String>| if documents.len() == 1 { documents.pop() } else { None };
        self.facts.document = if self.letters.saturating_sub(self.linked_letters) >= LITTLE {
            None
        } else if self.framed.is_empty() {
            only(self.linked).filter(|_| self.links <= FEW_LINKS)
        } else {
            only(self.framed)
        };
        self.facts.readable = self.score > ENOUGH;
        self.facts.base = self.base.map(|base| base.as_str().to_owned());
        self.facts
    }
}

fn add(to: &mut Vec<String>, address: Option<String>) {
    let new = address.filter(|address| to.len() < MOST && !to.contains(address));
    to.extend(new);
}

fn is_heading(name: &str) -> bool {
    matches!(name.as_bytes(), [b'h' | b'H', b'1'..=b'6'])
}

/// A text in one line, with its references resolved.
fn words(text: &str) -> String {
    resolved(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether an address is that of a document, by its name.
fn is_document(address: &str) -> bool {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map(|(_, extension)| extension).unwrap_or_default();
    DOCUMENTS.iter().any(|known| extension.eq_ignore_ascii_case(known))
}
