//! JSON Feed, versions 1 and 1.1, read once from beginning to end: one entry is in memory at a time.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::date::iso;
use super::link::Links;
use super::plain::{beginning, one_line};
use super::{Channel, Entry, MOST_ENTRIES, MOST_TEXT, shortened};
use crate::json::{Limited, Members};

/// The members of an entry that are of use.
const OF_ENTRY: &[&str] = &[
    "id",
    "url",
    "external_url",
    "title",
    "content_html",
    "content_text",
    "summary",
    "date_published",
    "date_modified",
    "authors",
    "author",
    "tags",
];

/// What a JSON Feed holds; nothing if the text is none.
pub(super) fn read(text: &str, address: &str) -> Option<Channel> {
    let mut whole =
        Whole { address, links: Links::of(text), channel: Channel::default(), is_feed: false, has_items: false };
    let mut reader = serde_json::Deserializer::from_str(text);
    let ended = reader.deserialize_map(&mut whole).and_then(|()| reader.end());
    if let Err(cause) = ended {
        if cause.is_data() || whole.channel.entries.is_empty() {
            return None;
        }
        let what = if cause.is_eof() { "cut off" } else { "no JSON any more" };
        whole.channel.damaged = Some(format!("{what} at line {}, column {}", cause.line(), cause.column()));
    }
    (whole.is_feed && whole.has_items).then_some(whole.channel)
}

struct Whole<'a> {
    address: &'a str,
    links: Links,
    channel: Channel,
    is_feed: bool,
    has_items: bool,
}

impl<'de> Visitor<'de> for &mut Whole<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a feed")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let mut room = Limited::room();
        while let Some(key) = members.next_key::<String>()? {
            match key.as_str() {
                "items" => {
                    self.has_items = true;
                    members.next_value_seed(Items(self))?;
                }
                "version" | "title" | "home_page_url" | "description" => {
                    let said = members.next_value_seed(Limited::new(&mut room, Members::All))?;
                    self.take(&key, said.as_str().unwrap_or_default());
                }
                _ => drop(members.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

impl Whole<'_> {
    fn take(&mut self, key: &str, said: &str) {
        match key {
            "version" => self.is_feed = said.contains("jsonfeed.org/version/1"),
            "title" => self.channel.title = one_line(said),
            "home_page_url" => self.channel.link = self.links.join(self.address, said),
            _ => self.channel.description = shortened(said.trim(), MOST_TEXT),
        }
    }
}

/// The entries: those that are shown are taken, the others counted.
struct Items<'w, 'a>(&'w mut Whole<'a>);

impl<'de> DeserializeSeed<'de> for Items<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Items<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("entries")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Whole { address, links, channel, .. } = self.0;
        while channel.entries.len() < MOST_ENTRIES {
            let mut room = Limited::room();
            let item = list.next_element_seed(Limited::new(&mut room, Members::Only(OF_ENTRY)))?;
            let Some(item) = item else { return Ok(()) };
            channel.entries.push(entry(&item, address, links));
        }
        while list.next_element::<IgnoredAny>()?.is_some() {
            channel.more += 1;
        }
        Ok(())
    }
}

fn entry(item: &Value, address: &str, links: &mut Links) -> Entry {
    let mut entry = Entry {
        id: one_line(get(item, "id")),
        title: one_line(get(item, "title")),
        link: links.join(address, get(item, "url")).or_else(|| links.join(address, get(item, "external_url"))),
        published: iso(get(item, "date_published")),
        updated: iso(get(item, "date_modified")),
        ..Entry::default()
    };
    let authors = item.get("authors").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for author in authors.iter().chain(item.get("author")) {
        entry.authors.add(get(author, "name"));
    }
    for tag in item.get("tags").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default() {
        entry.categories.add(tag.as_str().unwrap_or_default());
    }
    let words = [get(item, "content_text"), get(item, "summary")];
    let marked = get(item, "content_html");
    entry.text = if words[0].trim().is_empty() && !marked.is_empty() {
        beginning(marked, entry.link.as_deref().unwrap_or(address), links, MOST_TEXT)
    } else {
        shortened(words.into_iter().map(str::trim).find(|text| !text.is_empty()).unwrap_or_default(), MOST_TEXT)
    };
    entry
}

fn get<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}
