//! What sort of thing an answer is: by its bytes where they are sure, by the type the server names, by its address.

mod name;
mod signs;

use readstone_base::WebNote;
use readstone_formats::coding_of;
use readstone_net::Fetched;
use readstone_source::Head;

use crate::feed;
use crate::text::essence;

pub(crate) use name::{decoded, extension, last_segment};

/// What an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Html,
    Markdown,
    Json,
    Feed,
    Text,
    Image,
    Document,
    Archive,
    Database,
    Notebook,
    /// Something that only its bytes can show.
    Binary,
}

/// What an answer is, and what it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sorted {
    pub(crate) sort: Sort,
    /// A name by which it is known for what it is.
    pub(crate) name: String,
    /// Set when the server says that it is something else.
    pub(crate) other: Option<&'static str>,
}

impl Sorted {
    /// What must be said of the type that the server named.
    pub(crate) fn note(&self) -> Option<WebNote> {
        self.other.map(|what| WebNote::OtherType { what })
    }
}

const NO_TEXT: &str = "no text";
const JSON: &str = "JSON";
const FEED: &str = "a feed";
const PLAIN: &str = "plain text";
const PAGE: &str = "a web page";

/// So much is looked at to tell what a text is.
const LOOK: usize = 4_096;

/// Sorts an answer.
pub(crate) fn sorted(fetched: &Fetched) -> Sorted {
    let kind = essence(fetched);
    let name = name::of(fetched);
    if let Some(sign) = signs::of(&fetched.body) {
        let packed = name::packed(&kind, &name).filter(|_| sign.is_package());
        let inner = || if sign.extension == "zip" { name::office(&fetched.body) } else { None };
        let extension = packed.or_else(inner).unwrap_or(sign.extension);
        let sort = if name::is_document(extension) { Sort::Document } else { sign.sort };
        let textual = is_textual(&kind) || kind.starts_with("image/") && sort != Sort::Image;
        let name = name::called(name, extension);
        return Sorted { sort, name, other: textual.then_some(sign.what) };
    }
    let head = Head { bytes: &fetched.body, samples: &[], size: fetched.body.len() as u64 };
    if coding_of(&head).is_none() && !declares_charset(fetched) {
        let document = kind == "application/pdf" || name::is_document(&extension(&name));
        let sort = if document { Sort::Document } else { Sort::Binary };
        let name = if kind == "application/pdf" { name::called(name, "pdf") } else { name };
        let other = (is_textual(&kind) && !document).then_some(NO_TEXT);
        return Sorted { sort, name, other };
    }
    let (sort, other) = of_text(&kind, &name, fetched);
    let name = match sort {
        Sort::Json => name::called(name, "json"),
        Sort::Notebook => name::called(name, "ipynb"),
        Sort::Html => name::called(name, "html"),
        Sort::Text if other.is_some() && !kind.starts_with("text/") => name::called(name, "txt"),
        Sort::Text if kind == "text/csv" => name::called(name, "csv"),
        Sort::Text if kind == "text/tab-separated-values" => name::called(name, "tsv"),
        Sort::Markdown
        | Sort::Feed
        | Sort::Text
        | Sort::Image
        | Sort::Document
        | Sort::Archive
        | Sort::Database
        | Sort::Binary => name,
    };
    Sorted { sort, name, other }
}

/// What an answer can be against the word of its server.
pub(crate) fn whats() -> impl Iterator<Item = &'static str> {
    signs::whats().chain([NO_TEXT, JSON, FEED, PLAIN, PAGE])
}

fn declares_charset(fetched: &Fetched) -> bool {
    let named = fetched.content_type.as_deref().unwrap_or_default().to_ascii_lowercase();
    is_textual(&essence(fetched)) && named.contains("charset=utf-16")
}

/// Whether a type is one of texts.
fn is_textual(kind: &str) -> bool {
    kind.starts_with("text/") || is_json(kind) || kind.ends_with("+xml") || kind == "application/xml"
}

fn is_json(kind: &str) -> bool {
    kind.ends_with("/json") || kind.ends_with("+json")
}

/// What a text is, and what it is against the word of its server.
fn of_text(kind: &str, name: &str, fetched: &Fetched) -> (Sort, Option<&'static str>) {
    let extension = extension(name);
    let head = beginning(&fetched.body);
    if extension == "ipynb" && head.starts_with('{') {
        return (Sort::Notebook, None);
    }
    let no_text = kind == "application/pdf" || kind.starts_with("image/") && !kind.ends_with("+xml");
    if is_page(&head) && (no_text || is_json(kind)) {
        return (Sort::Html, Some(PAGE));
    }
    match kind {
        _ if no_text => (Sort::Text, Some(PLAIN)),
        "text/html" | "application/xhtml+xml" => of_html(&head, fetched),
        "text/markdown" | "text/x-markdown" => (Sort::Markdown, None),
        "text/plain" | "text/x-web-markdown" if is_markdown(&extension) => (Sort::Markdown, None),
        "text/plain" if is_json_name(&extension) && is_json_text(&head) => (Sort::Json, None),
        "text/plain" => (Sort::Text, None),
        kind if feed::is_feed(kind, &head) => (Sort::Feed, None),
        kind if is_json(kind) && !is_lines(kind, &extension) => (Sort::Json, None),
        "application/xml" | "text/xml" if is_page(&head) => (Sort::Html, None),
        "" | "application/octet-stream" | "binary/octet-stream" | "application/unknown" => {
            (by_look(&head, &extension), None)
        }
        _ if is_markdown(&extension) && !kind.starts_with("text/") => (Sort::Markdown, None),
        _ => (Sort::Text, None),
    }
}

/// What something is that its server calls a page.
fn of_html(head: &str, fetched: &Fetched) -> (Sort, Option<&'static str>) {
    if is_json_text(head) && serde_json::from_slice::<serde::de::IgnoredAny>(&fetched.body).is_ok() {
        return (Sort::Json, Some(JSON));
    }
    let markup = head.starts_with("<?xml") || head.starts_with("<rss") || head.starts_with("<feed");
    if markup && feed::is_feed("application/xml", head) {
        return (Sort::Feed, Some(FEED));
    }
    if fetched.body.contains(&b'<') { (Sort::Html, None) } else { (Sort::Text, Some(PLAIN)) }
}

fn by_look(head: &str, extension: &str) -> Sort {
    if is_page(head) {
        Sort::Html
    } else if is_markdown(extension) {
        Sort::Markdown
    } else if feed::is_feed("", head) {
        Sort::Feed
    } else if is_json_text(head) && (is_json_name(extension) || extension.is_empty()) {
        Sort::Json
    } else {
        Sort::Text
    }
}

fn is_markdown(extension: &str) -> bool {
    matches!(extension, "md" | "markdown" | "mdx" | "mkd" | "mdown")
}

fn is_json_name(extension: &str) -> bool {
    matches!(extension, "json" | "geojson" | "webmanifest" | "map")
}

/// Whether each line is a value of its own.
fn is_lines(kind: &str, extension: &str) -> bool {
    kind.contains("ndjson") || kind.contains("jsonl") || matches!(extension, "jsonl" | "ndjson")
}

fn is_json_text(head: &str) -> bool {
    head.starts_with(['{', '['])
}

/// Whether a text begins like a page.
pub(crate) fn is_page(head: &str) -> bool {
    let begins = |with: &str| head.get(..with.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(with));
    begins("<!doctype html") || begins("<html") || begins("<head") || begins("<body")
}

/// The beginning of a text behind blanks, marks and comments.
pub(crate) fn beginning(bytes: &[u8]) -> String {
    let bytes = bytes.get(..bytes.len().min(LOOK)).unwrap_or_default();
    let text: String = String::from_utf8_lossy(bytes).chars().filter(|character| *character != '\0').collect();
    let blank = |character: char| character.is_whitespace() || character == '\u{FEFF}';
    let mut rest = text.trim_start_matches(blank);
    while let Some(comment) = rest.strip_prefix("<!--") {
        rest = comment.split_once("-->").map_or("", |(_, rest)| rest).trim_start_matches(blank);
    }
    rest.to_owned()
}
