//! Feeds as Markdown: RSS of every version, Atom and JSON Feed.

pub(crate) mod date;
mod json;
pub(crate) mod link;
mod listed;
pub(crate) mod markup;
pub(crate) mod plain;
mod xml;

#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use self::listed::Listed;

/// Entries that are shown.
const MOST_ENTRIES: usize = 100;
/// Signs of the text of one entry that are shown.
const MOST_TEXT: usize = 20_000;
/// Names and categories of one entry that are shown.
const MOST_NAMES: usize = 20;
/// Signs of a title that are shown.
const MOST_TITLE: usize = 500;

/// Enclosures of one entry that are shown.
const MOST_ENCLOSURES: usize = 16;

/// A feed as Markdown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Feed {
    /// What it says.
    pub(crate) text: String,
    /// Where and why reading stopped before the end, in a few words.
    pub(crate) damaged: Option<String>,
}

/// What a feed says of itself and of its newest entries.
#[derive(Debug, Default)]
pub(crate) struct Channel {
    pub(crate) title: String,
    pub(crate) link: Option<String>,
    pub(crate) description: String,
    pub(crate) updated: String,
    pub(crate) entries: Vec<Entry>,
    /// Entries that were left out.
    pub(crate) more: usize,
    /// Where and why reading stopped, if the feed is damaged.
    pub(crate) damaged: Option<String>,
}

/// One entry of a feed.
#[derive(Debug, Default)]
pub(crate) struct Entry {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) link: Option<String>,
    /// The first link that is for something else and may stand in for the link.
    pub(crate) other: Option<String>,
    /// Files that belong to it.
    pub(crate) enclosures: Vec<String>,
    /// Files that were left out.
    pub(crate) more_enclosures: usize,
    pub(crate) published: String,
    pub(crate) updated: String,
    pub(crate) authors: Listed,
    pub(crate) categories: Listed,
    /// As much of its text as is shown.
    pub(crate) text: String,
    /// What a site adds in a namespace of its own.
    pub(crate) extra: Vec<(String, String)>,
}

/// Whether a body is a feed, by its type and its beginning.
pub(crate) fn is_feed(content_type: &str, head: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match kind.as_str() {
        "application/rss+xml" | "application/atom+xml" => root(head).is_none_or(|name| name != "html"),
        "application/feed+json" => true,
        "application/json" | "text/json" => head.contains("jsonfeed.org/version/1"),
        "application/rdf+xml" | "application/xml" | "text/xml" | "text/html" | "application/xhtml+xml" | "" => {
            has_feed_root(head)
        }
        other => other.ends_with("+xml") && has_feed_root(head),
    }
}

fn has_feed_root(head: &str) -> bool {
    match root(head) {
        Some("rss") => true,
        Some("feed") => head.contains("www.w3.org/2005/Atom") || head.contains("purl.org/atom/"),
        Some("RDF") => head.contains("purl.org/rss/") || head.contains("my.netscape.com/rdf/simple"),
        Some(_) | None => false,
    }
}

/// The name of the first element without its prefix.
fn root(head: &str) -> Option<&str> {
    let mut rest = head.strip_prefix('\u{feff}').unwrap_or(head).trim_start();
    while let Some(after) = rest.strip_prefix('<') {
        let end = if after.starts_with("!--") {
            "-->"
        } else if after.starts_with('?') {
            "?>"
        } else if after.starts_with('!') && after.split('>').next().is_some_and(|kind| kind.contains('[')) {
            "]>"
        } else if after.starts_with('!') {
            ">"
        } else {
            let name = after.split(|sign: char| sign.is_whitespace() || matches!(sign, '>' | '/')).next()?;
            return Some(name.rsplit(':').next().unwrap_or(name));
        };
        rest = after.split_once(end)?.1.trim_start();
    }
    None
}

/// A feed as Markdown; nothing if the text is no feed.
#[cfg(test)]
pub(crate) fn markdown(text: &str, address: &str) -> Option<String> {
    read(text, address).map(|feed| feed.text)
}

/// A feed as Markdown, and whether it is damaged; nothing if the text is no feed.
pub(crate) fn read(text: &str, address: &str) -> Option<Feed> {
    let channel = channel(text, address)?;
    Some(Feed { text: write(&channel), damaged: channel.damaged })
}

/// What a feed holds; nothing if the text is no feed.
pub(crate) fn channel(text: &str, address: &str) -> Option<Channel> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim_start();
    if text.starts_with('{') { json::read(text, address) } else { xml::read(text, address) }
}

fn write(feed: &Channel) -> String {
    let mut out = String::new();
    let title = if feed.title.is_empty() { "Feed" } else { &feed.title };
    let _ = writeln!(out, "# {}", shortened(title, MOST_TITLE));
    let mut facts = Vec::new();
    facts.extend(feed.link.clone());
    facts.extend((!feed.updated.is_empty()).then(|| format!("Updated: {}", feed.updated)));
    if !facts.is_empty() {
        let _ = writeln!(out, "\n{}", facts.join(" · "));
    }
    if !feed.description.is_empty() {
        let _ = writeln!(out, "\n{}", feed.description);
    }
    for entry in &feed.entries {
        write_entry(&mut out, entry);
    }
    if feed.more > 0 {
        let _ = writeln!(out, "\n({} more entries)", feed.more);
    }
    out
}

fn write_entry(out: &mut String, entry: &Entry) {
    let title = if entry.title.is_empty() { "(no title)" } else { &entry.title };
    let title = shortened(title, MOST_TITLE);
    let _ = match &entry.link {
        Some(link) => writeln!(out, "\n## [{}]({link})", title.replace('[', "\\[").replace(']', "\\]")),
        None => writeln!(out, "\n## {title}"),
    };
    let date = if entry.published.is_empty() { &entry.updated } else { &entry.published };
    let facts = [date.clone(), entry.authors.joined(MOST_NAMES), entry.categories.joined(MOST_NAMES)];
    let facts: Vec<&str> = facts.iter().map(String::as_str).filter(|fact| !fact.is_empty()).collect();
    if !facts.is_empty() {
        let _ = writeln!(out, "\n{}", facts.join(" · "));
    }
    for link in &entry.enclosures {
        let _ = writeln!(out, "\nenclosure: {link}");
    }
    if entry.more_enclosures > 0 {
        let _ = writeln!(out, "\n({} more enclosures)", entry.more_enclosures);
    }
    if !entry.text.is_empty() {
        let _ = writeln!(out, "\n{}", entry.text);
    }
}

/// A text up to a bound, with what is left out.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((at, _)) => {
            let kept = text.get(..at).unwrap_or_default();
            let left = text.get(at..).unwrap_or_default().chars().count();
            format!("{kept}… ({left} more characters)")
        }
    }
}
