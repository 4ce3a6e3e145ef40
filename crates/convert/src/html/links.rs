//! Where the links of a page lead to.

use url::Url;

use super::entity;
use super::scan::{Piece, Scan, Tag, quoted};

/// Signs that lead from a heading to itself.
const ANCHORS: [&str; 5] = ["¶", "§", "#", "🔗", ""];
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

/// A page whose links and pictures are absolute, without links that lead nowhere and without the signs by which
/// headings lead to themselves.
pub(crate) fn page(html: &str, base: Option<&Base>) -> String {
    let pieces: Vec<Piece<'_>> = Scan::new(html).collect();
    let mut out = String::with_capacity(html.len() + html.len() / 8);
    let mut at = 0;
    while let Some(piece) = pieces.get(at) {
        let rest = pieces.get(at + 1..).unwrap_or_default();
        at += 1;
        match *piece {
            Piece::Open(tag) => match anchor(tag, rest) {
                Some(size) => at += size,
                None => open(&mut out, tag, base),
            },
            Piece::Text(text) | Piece::Raw(text) => out.push_str(text),
            Piece::Data(text) => out.extend(["<![CDATA[", text, "]]>"]),
            Piece::Close(name) => out.extend(["</", name, ">"]),
        }
    }
    out
}

/// How many pieces behind a tag belong to a link that shows nothing to read.
fn anchor(tag: Tag<'_>, rest: &[Piece<'_>]) -> Option<usize> {
    if !tag.is("a") || tag.closed || tag.get("name").or_else(|| tag.get("id")).is_some() {
        return None;
    }
    let inside = tag.get("href").is_some_and(|href| href.trim_start().starts_with('#'));
    match rest {
        [Piece::Close(end), ..] if end.eq_ignore_ascii_case("a") => Some(1),
        [Piece::Text(text), Piece::Close(end), ..] if end.eq_ignore_ascii_case("a") && inside => {
            ANCHORS.contains(&resolved(text).trim()).then_some(2)
        }
        _ => None,
    }
}

fn open(out: &mut String, tag: Tag<'_>, base: Option<&Base>) {
    let name = match tag.name.to_ascii_lowercase().as_str() {
        "a" | "area" => "href",
        "img" | "iframe" | "embed" | "audio" | "video" | "source" => "src",
        "object" => "data",
        _ => return out.push_str(tag.source),
    };
    let Some(value) = tag.get(name) else { return out.push_str(tag.source) };
    let wanted = resolved(value);
    let begins = |scheme: &str| wanted.trim().get(..scheme.len()).is_some_and(|s| s.eq_ignore_ascii_case(scheme));
    if NOWHERE.iter().any(|nowhere| begins(nowhere)) {
        return out.extend(["<", tag.name, ">"]);
    }
    let absolute = base.and_then(|base| base.join(&wanted));
    if tag.is("a") && tag.get("title").is_some() && !tag.is_hidden() {
        // What is shown over a link repeats it, or says less.
        let href = absolute.as_deref().unwrap_or(&wanted);
        return out.extend(["<a href=\"", &quoted(href), "\">"]);
    }
    match absolute {
        Some(absolute) => out.push_str(&tag.with(value, &absolute)),
        None => out.push_str(tag.source),
    }
}
