//! Where the links of a page lead to.

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
/// Code says which language it is in where the page says so in any way.
pub(crate) fn page(html: &str, base: Option<&Base>) -> String {
    let pieces: Vec<Piece<'_>> = Scan::new(html).collect();
    let mut page = Page { out: String::with_capacity(html.len() + html.len() / 8), base, ..Page::default() };
    let mut at = 0;
    while let Some(piece) = pieces.get(at) {
        let rest = pieces.get(at + 1..).unwrap_or_default();
        at += 1;
        match *piece {
            Piece::Open(tag) => match anchor(tag, rest) {
                Some(size) => at += size,
                None => page.open(tag, rest),
            },
            Piece::Text(text) | Piece::Raw(text) => page.out.push_str(text),
            Piece::Data(text) => page.out.extend(["<![CDATA[", text, "]]>"]),
            Piece::Close(name) => page.close(name),
        }
    }
    page.out
}

/// How many pieces behind a tag belong to a link that shows nothing to read.
fn anchor(tag: Tag<'_>, rest: &[Piece<'_>]) -> Option<usize> {
    if !tag.is("a") || tag.closed {
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

#[derive(Default)]
struct Page<'a> {
    out: String,
    base: Option<&'a Base>,
    /// How many elements are open whose text is shown as it stands.
    exact: usize,
    in_heading: bool,
    /// Whether the tag of the link that is open was left out.
    bare: bool,
    /// The language of the code that comes next, as an element around it says.
    language: Option<String>,
}

impl Page<'_> {
    fn open(&mut self, tag: Tag<'_>, rest: &[Piece<'_>]) {
        match tag.name.to_ascii_lowercase().as_str() {
            "a" => self.link(tag),
            "area" => self.point(tag, "href"),
            "img" | "iframe" | "embed" | "audio" | "video" | "source" => self.point(tag, "src"),
            "object" => self.point(tag, "data"),
            "pre" => self.code(tag, rest),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.in_heading = true;
                self.out.push_str(tag.source);
            }
            "div" | "figure" => {
                let named = tag.get("class").and_then(|class| language(class, &AROUND));
                self.language = named.or_else(|| self.language.take());
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
            "div" | "figure" => self.language = None,
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

    /// Writes a tag with an address in one of its attributes.
    fn point(&mut self, tag: Tag<'_>, name: &str) {
        let absolute = tag.get(name).and_then(|value| Some((value, self.base?.join(&resolved(value))?)));
        match absolute {
            Some((value, absolute)) => self.out.push_str(&tag.with(value, &absolute)),
            None => self.out.push_str(tag.source),
        }
    }

    fn code(&mut self, tag: Tag<'_>, rest: &[Piece<'_>]) {
        self.exact += usize::from(!tag.closed);
        let inner = rest.iter().take(2).find_map(|piece| match piece {
            Piece::Open(inner) if inner.is("code") => Some(*inner),
            Piece::Open(_) | Piece::Close(_) | Piece::Text(_) | Piece::Raw(_) | Piece::Data(_) => None,
        });
        let said = inner.and_then(|code| code.get("class")).is_some_and(|class| class.contains("lang"));
        let own = tag.get("data-lang").or_else(|| tag.get("lang")).and_then(word);
        let own = own.or_else(|| tag.get("class").and_then(|class| language(class, &WITHIN)));
        match own.or_else(|| self.language.take()).filter(|_| !said && !tag.is_hidden()) {
            Some(name) => self.out.extend(["<pre class=\"language-", &name, "\">"]),
            None => self.out.push_str(tag.source),
        }
    }
}

/// How classes around code begin that name its language, and those of code itself.
const AROUND: [&str; 4] = ["highlight-source-", "highlight-", "language-", "lang-"];
const WITHIN: [&str; 4] = ["highlight-source-", "language-", "lang-", "brush:"];
/// Classes of code that are the name of its language.
const LANGUAGES: [&str; 16] = [
    "rust",
    "python",
    "javascript",
    "typescript",
    "java",
    "ruby",
    "go",
    "cpp",
    "csharp",
    "bash",
    "sh",
    "json",
    "yaml",
    "toml",
    "html",
    "css",
];

/// The language that one of the classes of an element names.
fn language(class: &str, starts: &[&str]) -> Option<String> {
    let mut words = class.split_ascii_whitespace();
    while let Some(part) = words.next() {
        let named = starts.iter().find_map(|start| part.strip_prefix(start));
        let named = named.map(|name| if name.is_empty() { words.next().unwrap_or_default() } else { name });
        let found = named.or_else(|| LANGUAGES.contains(&part).then_some(part)).and_then(word);
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The name of a language, if it is one.
fn word(name: &str) -> Option<String> {
    let name = name.trim_end_matches(';').trim_start_matches("source-");
    let plain = name.bytes().all(|sign| sign.is_ascii_alphanumeric() || b"+-#".contains(&sign));
    let none = ["default", "none", "text", "plaintext", "notranslate"].contains(&name);
    (plain && !none && !name.is_empty() && name.len() < 20).then(|| name.to_ascii_lowercase())
}
