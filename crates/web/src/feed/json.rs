//! JSON Feed, versions 1 and 1.1.

use serde_json::Value;

use super::date::iso;
use super::link::join;
use super::plain::{one_line, plain};
use super::{Entry, Feed, MOST_ENTRIES, add_name};

/// What a JSON Feed holds; nothing if the text is none.
pub(super) fn read(text: &str, address: &str) -> Option<Feed> {
    let whole: Value = serde_json::from_str(text).ok()?;
    if !get(&whole, "version").contains("jsonfeed.org/version/1") {
        return None;
    }
    let items = whole.get("items").and_then(Value::as_array)?;
    Some(Feed {
        title: one_line(get(&whole, "title")),
        link: join(address, get(&whole, "home_page_url")),
        description: get(&whole, "description").trim().to_owned(),
        entries: items.iter().take(MOST_ENTRIES).map(|item| entry(item, address)).collect(),
        more: items.len().saturating_sub(MOST_ENTRIES),
        ..Feed::default()
    })
}

fn entry(item: &Value, address: &str) -> Entry {
    let mut entry = Entry {
        id: one_line(get(item, "id")),
        title: one_line(get(item, "title")),
        link: join(address, get(item, "url")).or_else(|| join(address, get(item, "external_url"))),
        published: iso(get(item, "date_published")),
        updated: iso(get(item, "date_modified")),
        ..Entry::default()
    };
    let authors = item.get("authors").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for author in authors.iter().chain(item.get("author")) {
        add_name(&mut entry.authors, get(author, "name"));
    }
    for tag in item.get("tags").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default() {
        add_name(&mut entry.categories, tag.as_str().unwrap_or_default());
    }
    let words = [get(item, "content_text"), get(item, "summary")];
    let marked = get(item, "content_html");
    entry.text = if words[0].trim().is_empty() && !marked.is_empty() {
        plain(marked, entry.link.as_deref().unwrap_or(address))
    } else {
        words.into_iter().map(str::trim).find(|text| !text.is_empty()).unwrap_or_default().to_owned()
    };
    entry
}

fn get<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}
