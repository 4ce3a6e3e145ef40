//! Where the links of a page lead to.
//!
//! Repair of `html-to-markdown-rs`: headings keep the links to themselves, empty links stay, and
//! code has links in Markdown. Shown by: `fault_headings_lead_to_themselves`,
//! `fault_code_holds_links_as_markdown`, `tests/all/article.rs`.

use url::Url;

use super::entity;
use super::scan::{Piece, Scan, Tag, quoted};

/// Signs that lead from a heading to itself.
const ANCHORS: [&str; 6] = ["¶", "§", "#", "🔗", "ⓘ", ""];
/// Schemes of links that lead nowhere.
const NOWHERE: [&str; 2] = ["javascript:", "vbscript:"];

/// What the links of a page are relative to.
#[derive(Clone, Debug)]
pub(crate) struct Base {
    url: Url,
    /// The address of the page without a place in it.
    page: String,
    /// Whether the page says so itself, so that even its links to places in it lead elsewhere.
    own: bool,
}

impl Base {
    /// The base of a page that was found at an address; none where the address is no absolute one.
    pub(crate) fn of(html: &str, address: Option<&str>) -> Option<Self> {
        let address = Url::parse(address?).ok()?;
        let own = own(html).and_then(|href| address.join(&href).ok()).filter(|url| !url.cannot_be_a_base());
        let elsewhere = own.as_ref().is_some_and(|url| *url != address);
        let page = address.as_str().split('#').next().unwrap_or_default().to_owned();
        Some(Self { url: own.unwrap_or(address), page, own: elsewhere })
    }

    /// The address itself.
    pub(crate) fn as_str(&self) -> &str {
        self.url.as_str()
    }

    /// The address that a link leads to.
    pub(crate) fn absolute(&self, href: &str) -> Option<String> {
        self.url.join(href).ok().map(String::from)
    }

    /// A link made absolute; one that is no address stays, and one to a place in the page itself is only that place.
    pub(crate) fn join(&self, href: &str) -> Option<String> {
        let href = href.trim();
        if href.is_empty() || (href.starts_with('#') && !self.own) {
            return None;
        }
        let absolute = self.absolute(href)?;
        let place = absolute.strip_prefix(&self.page).filter(|place| place.starts_with('#'));
        Some(place.map(str::to_owned).unwrap_or(absolute))
    }
}

/// What a page says its links are relative to.
fn own(html: &str) -> Option<String> {
    let named = |(at, _)| html.get(at + 1..at + 5).is_some_and(|name: &str| name.eq_ignore_ascii_case("base"));
    if !html.match_indices('<').any(named) {
        return None;
    }
    let mut drawing = false;
    for piece in Scan::new(html) {
        match piece {
            Piece::Open(tag) if tag.is("svg") => drawing = !tag.closed,
            Piece::Close(name) if name.eq_ignore_ascii_case("svg") => drawing = false,
            Piece::Open(tag) if tag.is("base") && !drawing => {
                if let Some(href) = tag.get("href") {
                    return Some(resolved(href));
                }
            }
            Piece::Open(_) | Piece::Close(_) | Piece::Text(_) | Piece::Raw(_) | Piece::Data(_) => {}
        }
    }
    None
}

/// The value of an attribute with its references resolved.
pub(crate) fn resolved(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    entity::push(&mut out, value);
    out
}

/// A page whose links and pictures are absolute, without links that lead nowhere, in code, or from a heading to itself.
pub(crate) fn page(html: &str, base: Option<&Base>) -> String {
    let mut page = Page { out: String::with_capacity(html.len() + html.len() / 8), base, ..Page::default() };
    let mut scan = Scan::new(html);
    while let Some(piece) = scan.next() {
        match piece {
            Piece::Open(tag) => match past_anchor(tag, &scan) {
                Some(rest) => scan = rest,
                None => page.open(tag),
            },
            Piece::Text(text) | Piece::Raw(text) => page.out.push_str(text),
            Piece::Data(text) => page.out.extend(["<![CDATA[", text, "]]>"]),
            Piece::Close(name) => page.close(name),
        }
    }
    page.out
}

/// What comes behind a link that shows nothing to read.
fn past_anchor<'a>(tag: Tag<'_>, behind: &Scan<'a>) -> Option<Scan<'a>> {
    if !tag.is("a") || tag.closed {
        return None;
    }
    let mut rest = behind.clone();
    let is_end = |piece: &Piece<'_>| matches!(piece, Piece::Close(end) if end.eq_ignore_ascii_case("a"));
    let first = rest.next()?;
    if is_end(&first) {
        return Some(rest);
    }
    let inside = tag.get("href").is_some_and(|href| href.trim_start().starts_with('#'));
    let is_sign = matches!(first, Piece::Text(text) if inside && ANCHORS.contains(&resolved(text).trim()));
    (is_sign && is_end(&rest.next()?)).then_some(rest)
}

#[derive(Default)]
struct Page<'a> {
    out: String,
    base: Option<&'a Base>,
    /// How many elements are open whose text is shown as it stands.
    exact: usize,
    in_heading: bool,
    /// Whether the tag of the link that is open was left out.
    bare: bool,
}

impl Page<'_> {
    fn open(&mut self, tag: Tag<'_>) {
        match tag.name.to_ascii_lowercase().as_str() {
            "a" => self.link(tag),
            "area" => self.point(tag, "href"),
            "img" if !tag.is_hidden() => self.picture(tag),
            "img" | "iframe" | "embed" | "audio" | "video" | "source" => self.point(tag, "src"),
            "object" => self.point(tag, "data"),
            "pre" => {
                self.exact += usize::from(!tag.closed);
                self.out.push_str(tag.source);
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.in_heading = true;
                self.out.push_str(tag.source);
            }
            _ => self.out.push_str(tag.source),
        }
    }

    fn close(&mut self, name: &str) {
        let lower = name.to_ascii_lowercase();
        match lower.as_str() {
            "a" if std::mem::take(&mut self.bare) => return,
            "pre" => self.exact = self.exact.saturating_sub(1),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.in_heading = false,
            _ => {}
        }
        self.out.extend(["</", name, ">"]);
    }

    fn link(&mut self, tag: Tag<'_>) {
        let href = tag.get("href").map(resolved);
        let target = href.as_deref().map(str::trim).unwrap_or_default();
        let begins = |scheme: &&str| target.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme));
        let nowhere = matches!(target, "" | "#") || NOWHERE.iter().any(begins);
        self.bare = nowhere || self.exact > 0 || (self.in_heading && target.starts_with('#'));
        if self.bare {
            return;
        }
        if tag.is_hidden() {
            return self.out.push_str(tag.source);
        }
        let absolute = self.base.and_then(|base| base.join(target));
        // What is shown over a link repeats it, or says less: only where it leads to is kept.
        self.out.extend(["<a href=\"", &quoted(absolute.as_deref().unwrap_or(target)), "\">"]);
    }

    /// Writes a picture with where it is and what it shows; one that is loaded late names its address elsewhere.
    fn picture(&mut self, tag: Tag<'_>) {
        let late = ["data-src", "data-original", "data-lazy-src"].iter().find_map(|name| tag.get(name));
        let source = tag.get("src").map(str::trim).filter(|src| !src.is_empty() && !src.starts_with("data:"));
        let source = source.or(late).or_else(|| tag.get("src")).map(resolved).unwrap_or_default();
        let absolute = self.base.and_then(|base| base.join(&source)).unwrap_or(source);
        let shows = resolved(tag.get("alt").unwrap_or_default()).replace(['[', ']'], "");
        self.out.extend(["<img src=\"", &quoted(&absolute), "\" alt=\"", &quoted(&shows), "\">"]);
    }

    /// Writes a tag with an address in one of its attributes.
    fn point(&mut self, tag: Tag<'_>, name: &str) {
        let absolute = tag.get(name).and_then(|value| Some((value, self.base?.join(&resolved(value))?)));
        match absolute {
            Some((value, absolute)) => self.out.push_str(&tag.with(value, &absolute)),
            None => self.out.push_str(tag.source),
        }
    }
}
