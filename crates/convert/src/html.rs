//! Web pages.

mod article;
mod code;
mod entity;
mod facts;
mod framed;
mod landmark;
mod levels;
mod links;
mod listing;
mod math;
mod plain;
mod scan;
mod strip;
mod tables;
mod unseen;

use html_to_markdown_rs::options::{PreprocessingOptions, PreprocessingPreset};
use html_to_markdown_rs::{ConversionOptions, HiddenContent, InlineDataMedia, WarningKind, convert};

use serde::{Deserialize, Serialize};

use crate::{Bounds, Refusal, Remark};
pub use article::{Article, Part, article};
pub use facts::{Alternate, PageFacts, page_facts};
use scan::{Piece, Scan, Tag, is_void};

/// Levels up to which the library gives all text.
const MOST_LEVELS: usize = 900;
/// Bytes that may be looked at for the ampersands of a page.
const MOST_LOOKS: u64 = 500_000_000;
/// Tags up to which a tree is made: it takes about a kilobyte for each.
const MOST_TAGS: usize = 150_000;

/// How far behind its beginning the mark of a note ends.
const NEAR: usize = 1_024;

/// What is said where a page is given without its marks.
pub(crate) const BARE: &str = "links, tables and emphasis: the page has too many tags or levels";

/// The text of a web page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebPage {
    /// Its text in Markdown, with LF, and no blank lines at either end.
    pub text: String,
    /// What must be said of it.
    pub remarks: Vec<Remark>,
}

/// The Markdown of what a page shows.
pub(crate) struct Body {
    pub(crate) text: String,
    /// Whether only headings and list items are marked: no tree could be made of the page.
    pub(crate) bare: bool,
}

/// Makes Markdown of a whole web page: all that it shows, with its title as a heading if it has no other. Its links are
/// made absolute where the address of the page is known.
pub fn web_page(html: &str, address: Option<&str>, bounds: &Bounds) -> Result<WebPage, Refusal> {
    let base = links::Base::of(html, address);
    let page = plain::page(&unwrapped(&unseen::marked(&listing::lists(html))));
    let html = &match &base {
        Some(base) => links::page(&page, Some(base)),
        None => page,
    };
    let shape = Shape::of(html);
    let Body { text, bare } = body(html, &shape);
    let title = shape.title.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = match title.is_empty() || shape.has_heading || text.starts_with("# ") {
        true => text,
        false if text.is_empty() => format!("# {title}"),
        false => format!("# {title}\n\n{text}"),
    };
    bounded(Body { text, bare }, bounds)
}

/// A text within its bounds, and what must be said of it.
fn bounded(Body { mut text, bare }: Body, bounds: &Bounds) -> Result<WebPage, Refusal> {
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
    Ok(WebPage { text, remarks })
}

/// Cuts a text to a number of bytes, at the end of a line where one is near.
pub(crate) fn shorten(text: &mut String, most: usize) {
    if text.len() <= most {
        return;
    }
    let mut end = most;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let line = text.get(..end).and_then(|head| head.rfind('\n')).filter(|line| *line > end / 2);
    text.truncate(line.unwrap_or(end));
}

/// The Markdown of what a page shows, without its title.
#[cfg(feature = "open")]
pub(crate) fn chapter(xhtml: &str) -> Body {
    let html = plain::page(&unwrapped(&unseen::opened(&plain_tags(xhtml))));
    body(&html, &Shape::of(&html))
}

/// Whether a page of XHTML breaks off before its end.
#[cfg(feature = "open")]
pub(crate) fn breaks_off(xhtml: &str) -> bool {
    let (mut open, mut inside) = (0_i64, false);
    for piece in Scan::new(xhtml) {
        let outer = |name: &str| ["html", "body"].iter().any(|outer| name.eq_ignore_ascii_case(outer));
        // A tag without an end is text.
        inside = matches!(piece, Piece::Text(text) if text.len() > 1 && text.starts_with('<'));
        match piece {
            Piece::Open(tag) if !tag.closed && outer(tag.name) => open += 1,
            Piece::Close(name) if outer(name) => open -= 1,
            Piece::Open(_) | Piece::Close(_) | Piece::Text(_) | Piece::Raw(_) | Piece::Data(_) => {}
        }
    }
    inside || open > 0
}

/// A page whose paragraphs are lines: where its source breaks a line, outside of what is shown as it stands, means
/// nothing.
///
/// Repair of `html-to-markdown-rs`: line breaks of the source stay in paragraphs. Shown by:
/// `fault_lines_of_the_source_stay_lines`, `tests/all/html.rs`.
fn unwrapped(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut kept: Option<&str> = None;
    for (at, sign) in html.char_indices() {
        if sign == '<' {
            let behind = html.as_bytes().get(at + 1..).unwrap_or_default();
            kept = match kept {
                Some(name) if behind.first() == Some(&b'/') && is_tag(behind.get(1..).unwrap_or_default(), name) => {
                    None
                }
                None => ["pre", "textarea"].into_iter().find(|name| is_tag(behind, name)),
                open => open,
            };
        }
        let breaks = matches!(sign, '\n' | '\r') && kept.is_none();
        out.push(if breaks { ' ' } else { sign });
    }
    out
}

/// Whether a tag of this name stands here, in any case.
fn is_tag(text: &[u8], name: &str) -> bool {
    let named = text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()));
    named && text.get(name.len()).is_none_or(|behind| !behind.is_ascii_alphanumeric())
}

/// Repair of `html-to-markdown-rs`: it loses the text of pages with very many levels. Shown by:
/// `fault_deep_pages_lose_their_text`, `tests/all/html.rs`.
fn body(html: &str, shape: &Shape) -> Body {
    let stripped = || Body { text: tidy(&strip::text(html)), bare: true };
    if shape.levels > MOST_LEVELS || shape.tags > MOST_TAGS || ampersands(html) > MOST_LOOKS {
        return stripped();
    }
    match markdown(html) {
        Some(text) => {
            let plain = stripped();
            // Half of the text would not be lost to marks: the library lost its way.
            if letters(&text) < letters(&plain.text) / 2 { plain } else { Body { text, bare: false } }
        }
        None => stripped(),
    }
}

fn markdown(html: &str) -> Option<String> {
    let preprocessing = PreprocessingOptions {
        enabled: true,
        preset: PreprocessingPreset::Minimal,
        remove_navigation: false,
        remove_forms: false,
    };
    let options = ConversionOptions::builder()
        .compact_tables(true)
        .br_in_tables(true)
        .extract_metadata(false)
        .hidden_content(HiddenContent::Drop)
        .inline_data_media(InlineDataMedia::AltTextOnly)
        .bullets("-")
        .preprocessing(preprocessing);
    // Pages without these can be converted in one pass.
    let raised = html.contains("<sup") || html.contains("<sub");
    let options = if raised { options.sup_symbol("<sup>").sub_symbol("<sub>") } else { options };
    let result = convert(html, options.build()).ok()?;
    let cut = result.warnings.iter().any(|warning| warning.kind == WarningKind::DepthLimitExceeded);
    result.content.filter(|_| !cut).map(|text| tidy(&if raised { lowered(&text) } else { text }))
}

/// A raised link is the mark of a note: the link is enough.
fn lowered(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((head, tail)) = rest.split_once("<sup>") {
        out.push_str(head);
        let near = tail.as_bytes().get(..NEAR).unwrap_or(tail.as_bytes());
        let end = near.windows(6).position(|six| six == b"</sup>");
        match end.and_then(|end| Some((tail.get(..end)?, tail.get(end + 6..)?))) {
            Some((inner, after)) if inner.contains('[') => {
                out.push_str(inner);
                rest = after;
            }
            Some(_) | None => {
                out.push_str("<sup>");
                rest = tail;
            }
        }
    }
    out.push_str(rest);
    out
}

/// What the library looks at to write the ampersands of a page: for each, everything up to the next angle.
fn ampersands(html: &str) -> u64 {
    let (mut angle, mut looks) = (html.len(), 0_u64);
    for (at, byte) in html.bytes().enumerate().rev() {
        match byte {
            b'<' | b'>' => angle = at,
            b'&' => looks = looks.saturating_add((angle - at) as u64),
            _ => {}
        }
    }
    looks
}

fn letters(text: &str) -> usize {
    text.chars().filter(|sign| sign.is_alphanumeric()).count()
}

/// No blanks at the end of lines, and not more than one blank line outside of code.
///
/// Repair of `html-to-markdown-rs`: lines end with spaces. Shown by: `fault_lines_end_with_spaces`,
/// `tests/all/html.rs`.
fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut fence: Option<String> = None;
    let mut blank = false;
    for line in text.lines() {
        let line = line.trim_end();
        if line.is_empty() && fence.is_none() {
            blank = true;
            continue;
        }
        if !out.is_empty() {
            out.push_str(if blank { "\n\n" } else { "\n" });
        }
        blank = false;
        out.push_str(line);
        let start = line.trim_start();
        match &fence {
            Some(open) if start == *open => fence = None,
            Some(_) => {}
            None => {
                let ticks: String = start.chars().take_while(|sign| *sign == '`').collect();
                fence = (ticks.len() > 2 && !start.trim_start_matches('`').contains('`')).then_some(ticks);
            }
        }
    }
    out
}

/// What can be told of a page without making a tree of it.
#[derive(Default)]
struct Shape {
    title: String,
    /// Whether it has a first heading.
    has_heading: bool,
    levels: usize,
    /// Tags, and signs that would begin one: a parser notes each.
    tags: usize,
    /// Marks of the text that are opened and never closed.
    unclosed: usize,
}

impl Shape {
    fn of(html: &str) -> Self {
        let mut shape = Self::default();
        let mut open: Vec<&str> = Vec::new();
        let mut titled = false;
        for piece in Scan::new(html) {
            match piece {
                Piece::Open(tag) => {
                    titled = tag.is("title") && shape.title.is_empty() && !open.contains(&"svg");
                    shape.open(tag, &mut open);
                }
                Piece::Raw(text) if titled => entity::push(&mut shape.title, text),
                Piece::Text(text) => shape.tags += usize::from(text.starts_with('<')),
                Piece::Raw(_) | Piece::Data(_) => {}
                Piece::Close(name) => {
                    shape.unclosed = shape.unclosed.saturating_sub(usize::from(is_mark(name)));
                    close(name, &mut open);
                }
            }
        }
        shape
    }

    fn open<'a>(&mut self, tag: Tag<'a>, open: &mut Vec<&'a str>) {
        self.tags += 1;
        self.has_heading |= tag.is("h1");
        self.unclosed += usize::from(is_mark(tag.name));
        if tag.closed || is_void(tag.name) {
            return;
        }
        // Ends that are left out.
        let again = ["p", "li", "td", "th", "tr", "dt", "dd", "option"].iter().any(|name| tag.is(name));
        if again && open.last().is_some_and(|last| tag.is(last)) {
            open.pop();
        }
        if open.len() <= MOST_LEVELS {
            open.push(tag.name);
        }
        self.levels = self.levels.max(open.len());
    }
}

/// Elements that a parser opens again in every block until they are closed.
const MARKS: [&str; 13] = ["b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"];

fn is_mark(name: &str) -> bool {
    MARKS.iter().any(|mark| name.eq_ignore_ascii_case(mark))
}

/// Closes the nearest element of a name, if there is one near.
fn close(name: &str, open: &mut Vec<&str>) {
    let near = open.iter().rev().take(64).position(|last| last.eq_ignore_ascii_case(name));
    if let Some(above) = near {
        open.truncate(open.len() - above - 1);
    }
}

/// XHTML as HTML: `<a/>` is an empty element there, and only the beginning of one here.
///
/// Repair of `html-to-markdown-rs`: it reads XHTML as HTML, where `<title/>` swallows the page.
/// Shown by: `fault_an_empty_title_of_xhtml_swallows_the_page`, `tests/all/open/book.rs`.
#[cfg(feature = "open")]
fn plain_tags(xhtml: &str) -> String {
    let mut html = String::with_capacity(xhtml.len());
    for piece in Scan::new(xhtml) {
        match piece {
            Piece::Text(text) | Piece::Raw(text) => html.push_str(text),
            Piece::Data(text) => html.push_str(&text.replace('&', "&amp;").replace('<', "&lt;")),
            Piece::Open(tag) if tag.closed && !is_void(tag.name) => {
                html.push_str(tag.source.trim_end_matches("/>"));
                html.extend(["></", tag.name, ">"]);
            }
            Piece::Open(tag) => html.push_str(tag.source),
            Piece::Close(name) => html.extend(["</", name, ">"]),
        }
    }
    html
}
