//! The resources of a server, as far as it lists them.

use readstone_base::Visible;
use rmcp::model::{Resource, ResourceTemplate};

/// What a server lists.
#[derive(Clone, Debug, Default)]
pub(super) struct Catalog {
    /// Its resources, and behind them the templates of their names.
    pub(super) entries: Vec<Entry>,
    /// Whether there are more.
    pub(super) cut: bool,
}

/// A resource, or a template of the names of some.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) uri: String,
    is_template: bool,
    name: String,
    mime: Option<String>,
    size: Option<u64>,
    about: String,
}

/// Entries of a list.
const MOST_ENTRIES: usize = 10_000;
/// Bytes of the name of a resource; one that is longer is not listed.
const MOST_URI: usize = 2_048;
/// Characters shown of what a server tells of a resource.
const MOST_ABOUT: usize = 200;
/// Addresses that are called like one that does not exist.
const MOST_NEAR: usize = 3;

impl Entry {
    pub(super) fn of(resource: Resource) -> Self {
        Self {
            uri: resource.uri,
            is_template: false,
            name: short(resource.title.as_deref().unwrap_or(&resource.name)),
            mime: resource.mime_type.as_deref().map(short),
            size: resource.size,
            about: short(resource.description.as_deref().unwrap_or_default()),
        }
    }

    pub(super) fn of_template(template: ResourceTemplate) -> Self {
        Self {
            uri: template.uri_template,
            is_template: true,
            name: short(template.title.as_deref().unwrap_or(&template.name)),
            mime: template.mime_type.as_deref().map(short),
            size: None,
            about: short(template.description.as_deref().unwrap_or_default()),
        }
    }

    /// One line: the address, and what the server tells of it.
    fn line(&self, server: &str) -> String {
        let mut line = format!("mcp://{server}/{}", self.uri);
        let size = self.size.map(|size| format!("{size} bytes"));
        let template = self.is_template.then_some("template");
        let name = Some(self.name.as_str()).filter(|name| !self.uri.ends_with(name));
        let parts = [template, name, self.mime.as_deref(), size.as_deref(), Some(self.about.as_str())];
        let told: Vec<&str> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        if !told.is_empty() {
            line.push_str("  ");
            line.push_str(&told.join(" · "));
        }
        line
    }
}

/// The beginning of what a server tells, on one line.
pub(super) fn short(text: &str) -> String {
    let line: String = text.split_whitespace().flat_map(|word| [word, " "]).take(MOST_ABOUT).collect();
    let line = line.trim_end();
    let cut = line.char_indices().nth(MOST_ABOUT).map(|(at, _)| at);
    let head = cut.and_then(|at| line.get(..at)).unwrap_or(line);
    let dots = if cut.is_some() { "…" } else { "" };
    format!("{}{dots}", Visible::of(head).text)
}

impl Catalog {
    pub(super) fn is_full(&self) -> bool {
        self.entries.len() >= MOST_ENTRIES
    }

    /// Adds an entry, unless there are too many or nobody could name it.
    pub(super) fn add(&mut self, entry: Entry) {
        let odd = entry.uri.len() > MOST_URI || entry.uri.contains(char::is_control);
        if odd || self.is_full() {
            self.cut = true;
        } else {
            self.entries.push(entry);
        }
    }

    /// The list as text, a line for each.
    pub(super) fn text(&self, server: &str) -> String {
        self.entries.iter().flat_map(|entry| [entry.line(server), "\n".to_owned()]).collect()
    }

    /// Whether a resource of this name is listed.
    pub(super) fn lists(&self, uri: &str) -> bool {
        self.entries.iter().any(|entry| !entry.is_template && entry.uri == uri)
    }

    /// Whether a resource may be called so.
    pub(super) fn fits(&self, uri: &str) -> bool {
        self.lists(uri) || self.entries.iter().any(|entry| entry.is_template && fits(&entry.uri, uri))
    }

    /// Names that are most like one that does not exist, the best first.
    pub(super) fn near(&self, uri: &str) -> Vec<&str> {
        let mut rated: Vec<(usize, &str)> = self
            .entries
            .iter()
            .filter(|entry| !entry.is_template)
            .map(|entry| (likeness(uri, &entry.uri), entry.uri.as_str()))
            .filter(|(rate, _)| *rate > 0)
            .collect();
        rated.sort_by_key(|(rate, _)| std::cmp::Reverse(*rate));
        let best = rated.first().map_or(0, |(rate, _)| *rate);
        rated.into_iter().take(MOST_NEAR).take_while(|(rate, _)| rate * 2 > best).map(|(_, uri)| uri).collect()
    }
}

/// How much two names have in common beyond the scheme: the same last part most of all, then beginning and end.
fn likeness(asked: &str, other: &str) -> usize {
    let body = |uri: &str| uri.split_once("://").map_or(0, |(scheme, _)| scheme.len() + 3);
    let begin = asked.bytes().zip(other.bytes()).take_while(|(one, two)| one.eq_ignore_ascii_case(two)).count();
    let end =
        asked.bytes().rev().zip(other.bytes().rev()).take_while(|(one, two)| one.eq_ignore_ascii_case(two)).count();
    let last = |uri: &str| uri.rsplit('/').next().unwrap_or(uri).to_ascii_lowercase();
    let same = if last(asked) == last(other) { MOST_URI } else { 0 };
    same + begin.saturating_sub(body(other)) + end
}

/// Whether a name can be made from a template. What stands in braces may be anything; the server knows better.
fn fits(template: &str, uri: &str) -> bool {
    let mut literals = template.split('{').enumerate().map(|(at, part)| {
        // All parts but the first begin with the inside of braces.
        if at == 0 { part } else { part.split_once('}').map_or("", |(_, literal)| literal) }
    });
    let first = literals.next().unwrap_or_default();
    let Some(mut rest) = uri.strip_prefix(first) else { return false };
    let middle: Vec<&str> = literals.collect();
    let Some((last, middle)) = middle.split_last() else { return rest.is_empty() };
    for literal in middle {
        let Some((_, behind)) = rest.split_once(literal) else { return false };
        rest = behind;
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_fits_the_names_that_can_be_made_from_it() {
        assert!(fits("demo://text/{id}", "demo://text/5"));
        assert!(fits("file:///{+path}", "file:///a/b.md"));
        assert!(fits("db://{table}/rows/{row}.json", "db://users/rows/7.json"));
        assert!(!fits("db://{table}/rows/{row}.json", "db://users/cells/7.json"));
        assert!(!fits("demo://text/{id}", "demo://blob/5"));
        assert!(!fits("demo://text", "demo://text/5"));
    }

    #[test]
    fn what_a_server_tells_is_one_short_line() {
        assert_eq!(short("one\ntwo\t three"), "one two three");
        assert_eq!(short(&"x".repeat(5000)).chars().count(), MOST_ABOUT + 1);
    }
}
