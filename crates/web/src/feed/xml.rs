//! RSS 0.9x, 1.0 and 2.0 and Atom, read once from beginning to end. Entities of a document are never expanded.

mod element;
mod names;

use std::rc::Rc;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use self::element::{Field, Form, MOST_INLINE, attribute, damage, form, push_escaped, push_tag, resolve};
use self::names::{Names, Space};
use super::date::iso;
use super::link::Links;
use super::plain::{beginning, line, one_line};
use super::{Channel, Entry, MOST_ENCLOSURES, MOST_ENTRIES, MOST_TEXT, shortened};

/// What an open element is to the feed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Around channel and items.
    Root,
    Channel,
    Entry,
    /// An entry that is only counted.
    Passed,
    /// A person, of whom only the name matters.
    Person,
    /// An element whose text is taken.
    Taken(Field),
    Other,
}

/// An element whose text is being taken.
struct Taking {
    field: Field,
    form: Form,
    /// How many elements were open around it.
    depth: usize,
    name: String,
    text: String,
}

/// Changes of what links are relative to, one inside the other, that are followed.
const MOST_BASES: usize = 32;
/// Elements inside one another that are followed.
const DEEPEST: usize = 10_000;
/// What arXiv tells beside the rest.
const OF_PAPER: [&str; 4] = ["primary_category", "comment", "journal_ref", "doi"];

/// What a feed holds; nothing if the text is no feed.
pub(super) fn read(text: &str, address: &str) -> Option<Channel> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.expand_empty_elements = true;
    config.allow_dangling_amp = true;
    let mut walk = Walk::new(text, address);
    loop {
        match reader.read_event() {
            Ok(Event::Start(start)) => walk.open(&start)?,
            Ok(Event::End(end)) => walk.close(end.local_name().into_inner()),
            Ok(Event::Text(text)) => walk.text(&text.xml10_content()),
            Ok(Event::CData(text)) => walk.text(&text.xml10_content()),
            Ok(Event::GeneralRef(name)) => walk.text(&resolve(&name)),
            Ok(Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_)) => {}
            Ok(Event::Eof) if walk.places.is_empty() => break,
            Ok(Event::Eof) => {
                walk.feed.damaged = Some(format!("cut off at byte {}", reader.buffer_position()));
                break;
            }
            Err(cause) => {
                walk.feed.damaged = Some(format!("{} at byte {}", damage(&cause), reader.error_position()));
                break;
            }
        }
        if walk.places.len() > DEEPEST {
            walk.feed.damaged = Some(format!("elements too deep at byte {}", reader.buffer_position()));
            break;
        }
    }
    walk.finish()
}

struct Walk {
    places: Vec<Place>,
    names: Names,
    /// What links are relative to outside of all elements that say something else.
    address: Rc<str>,
    /// The addresses that links are relative to, with the depth of the element that says so.
    bases: Vec<(usize, Rc<str>)>,
    links: Links,
    feed: Channel,
    entry: Option<Raw>,
    taking: Option<Taking>,
    /// The root is that of Atom.
    is_atom: bool,
    /// There was a root, and it was that of a feed.
    is_feed: bool,
}

/// An entry while it is read.
#[derive(Default)]
struct Raw {
    entry: Entry,
    summary: String,
    content: String,
    /// The identifier may serve as a link.
    id_is_link: bool,
}

impl Walk {
    fn new(text: &str, address: &str) -> Self {
        Self {
            places: Vec::new(),
            names: Names::default(),
            address: address.into(),
            bases: Vec::new(),
            links: Links::of(text),
            feed: Channel::default(),
            entry: None,
            taking: None,
            is_atom: false,
            is_feed: false,
        }
    }

    fn base(&self) -> Rc<str> {
        Rc::clone(self.bases.last().map_or(&self.address, |(_, base)| base))
    }

    fn join(&mut self, link: &str) -> Option<String> {
        self.links.join(&self.base(), link)
    }

    /// Nothing if the root shows that this is no feed.
    fn open(&mut self, start: &BytesStart<'_>) -> Option<()> {
        let depth = self.places.len();
        self.names.learn(start, depth);
        if self.bases.len() < MOST_BASES
            && let Some(base) = attribute(start, "xml:base").and_then(|base| self.join(&base))
        {
            self.bases.push((depth, base.into()));
        }
        if let Some(taking) = &mut self.taking {
            if taking.form == Form::Inline && taking.text.len() < MOST_INLINE {
                push_tag(&mut taking.text, start);
            }
            self.places.push(Place::Other);
            return Some(());
        }
        let space = self.names.space(start);
        let local = start.local_name();
        let place = self.place(space, local.into_inner(), start)?;
        if let Place::Taken(field) = place {
            let form = form(field, start);
            let name = local.into_inner().to_owned();
            self.taking = Some(Taking { field, form, depth, name, text: String::new() });
        }
        self.places.push(place);
        self.is_feed = true;
        Some(())
    }

    fn place(&mut self, space: Space, local: &str, start: &BytesStart<'_>) -> Option<Place> {
        let Some(parent) = self.places.last() else {
            self.is_atom = local == "feed";
            return match local {
                "rss" | "RDF" => Some(Place::Root),
                "feed" | "channel" => Some(Place::Channel),
                _ => None,
            };
        };
        Some(match parent {
            Place::Root if local == "channel" => Place::Channel,
            Place::Root | Place::Channel if is_core(space) && matches!(local, "item" | "entry") => {
                if self.feed.entries.len() >= MOST_ENTRIES {
                    return Some(Place::Passed);
                }
                self.entry = Some(Raw { id_is_link: true, ..Raw::default() });
                if let Some(about) = attribute(start, "rdf:about") {
                    self.take_id(&about);
                }
                Place::Entry
            }
            Place::Channel | Place::Entry => self.child(space, local, start),
            Place::Person if local == "name" => Place::Taken(Field::Author),
            Place::Root | Place::Passed | Place::Person | Place::Taken(_) | Place::Other => Place::Other,
        })
    }

    /// What an element directly inside the feed or an entry is.
    fn child(&mut self, space: Space, local: &str, start: &BytesStart<'_>) -> Place {
        match space {
            Space::Plain | Space::Atom => self.core(space, local, start),
            Space::Dublin => match local {
                "date" => Place::Taken(Field::Published),
                "creator" => Place::Taken(Field::Author),
                "subject" => Place::Taken(Field::Category),
                _ => Place::Other,
            },
            Space::Content if local == "encoded" => Place::Taken(Field::Content),
            Space::Paper if self.entry.is_some() => self.extra(local, start),
            Space::Content | Space::Paper | Space::Other => Place::Other,
        }
    }

    fn core(&mut self, space: Space, local: &str, start: &BytesStart<'_>) -> Place {
        match local {
            "title" => Place::Taken(Field::Title),
            "link" => self.link(start),
            "guid" | "id" => {
                let permanent = attribute(start, "isPermaLink").is_none_or(|value| value != "false");
                if let Some(raw) = &mut self.entry {
                    raw.id_is_link = permanent && local == "guid";
                }
                Place::Taken(Field::Id)
            }
            "pubDate" | "published" | "issued" | "created" => Place::Taken(Field::Published),
            "updated" | "modified" | "lastBuildDate" => Place::Taken(Field::Updated),
            // Atom says with elements who wrote something, RSS with text.
            "author" if space == Space::Atom || self.is_atom => Place::Person,
            "author" => Place::Taken(Field::Author),
            "category" => match (attribute(start, "label").or_else(|| attribute(start, "term")), &mut self.entry) {
                (Some(term), Some(raw)) => {
                    raw.entry.categories.add(&term);
                    Place::Other
                }
                (Some(_), None) => Place::Other,
                (None, _) => Place::Taken(Field::Category),
            },
            "description" | "summary" | "subtitle" | "tagline" => Place::Taken(Field::Summary),
            "content" => Place::Taken(Field::Content),
            "enclosure" => self.enclosure(start),
            _ => Place::Other,
        }
    }

    fn extra(&mut self, local: &str, start: &BytesStart<'_>) -> Place {
        match attribute(start, "term") {
            Some(term) => {
                self.add_extra(local, &term);
                Place::Other
            }
            None => Place::Taken(Field::Extra),
        }
    }

    /// Keeps the first that is said under a name of use.
    fn add_extra(&mut self, name: &str, said: &str) {
        let Some(raw) = &mut self.entry else { return };
        if OF_PAPER.contains(&name) && raw.entry.extra.iter().all(|(known, _)| known != name) {
            raw.entry.extra.push((name.to_owned(), one_line(said)));
        }
    }

    fn link(&mut self, start: &BytesStart<'_>) -> Place {
        let Some(target) = attribute(start, "href") else { return Place::Taken(Field::Link) };
        let what = attribute(start, "rel").unwrap_or_else(|| "alternate".to_owned());
        let what = attribute(start, "title").filter(|_| what == "related").unwrap_or(what);
        if let Some(link) = self.join(&target) {
            self.add_link(&what, link);
        }
        Place::Other
    }

    fn enclosure(&mut self, start: &BytesStart<'_>) -> Place {
        if let Some(link) = attribute(start, "url").and_then(|link| self.join(&link)) {
            self.add_link("enclosure", link);
        }
        Place::Other
    }

    fn add_link(&mut self, what: &str, link: String) {
        let Some(raw) = &mut self.entry else {
            if what == "alternate" && self.feed.link.is_none() {
                self.feed.link = Some(link);
            }
            return;
        };
        let entry = &mut raw.entry;
        match what {
            "alternate" if entry.link.is_none() => entry.link = Some(link),
            "enclosure" if entry.enclosures.len() < MOST_ENCLOSURES => entry.enclosures.push(link),
            "enclosure" => entry.more_enclosures += 1,
            "self" | "via" | "related" if entry.other.is_none() => entry.other = Some(link),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        let Some(taking) = &mut self.taking else { return };
        if taking.form == Form::Inline {
            push_escaped(&mut taking.text, text);
        } else {
            taking.text.push_str(text);
        }
    }

    fn close(&mut self, name: &str) {
        let Some(place) = self.places.pop() else { return };
        let depth = self.places.len();
        self.names.forget(depth);
        if let Some(taking) = self.taking.take_if(|taking| taking.depth == depth) {
            self.take(&taking);
        } else if let Some(taking) = &mut self.taking
            && taking.form == Form::Inline
            && taking.text.len() < MOST_INLINE
        {
            taking.text.push_str("</");
            taking.text.push_str(name);
            taking.text.push('>');
        }
        if place == Place::Entry {
            self.end_entry();
        } else if place == Place::Passed {
            self.feed.more += 1;
        }
        self.bases.pop_if(|(at, _)| *at == depth);
    }

    fn take_id(&mut self, id: &str) {
        let link = self.join(id).filter(|link| link.starts_with("http") && id.contains("://"));
        let Some(raw) = &mut self.entry else { return };
        raw.entry.id = one_line(id);
        if raw.id_is_link && raw.entry.link.is_none() && raw.entry.other.is_none() {
            raw.entry.other = link;
        }
    }

    fn take(&mut self, taking: &Taking) {
        let base = self.base();
        let words = |text: &str| if taking.form == Form::Words { one_line(text) } else { line(text) };
        let mut long = |text: &str| match taking.form {
            Form::Words => shortened(text.trim(), MOST_TEXT),
            Form::Html | Form::Inline => beginning(text, &base, &mut self.links, MOST_TEXT),
        };
        let text = taking.text.as_str();
        let Some(raw) = &mut self.entry else {
            match taking.field {
                Field::Title if self.feed.title.is_empty() => self.feed.title = words(text),
                Field::Link if self.feed.link.is_none() => self.feed.link = self.links.join(&base, text),
                Field::Summary if self.feed.description.is_empty() => self.feed.description = long(text),
                Field::Updated | Field::Published if self.feed.updated.is_empty() => self.feed.updated = iso(text),
                Field::Title
                | Field::Link
                | Field::Id
                | Field::Published
                | Field::Updated
                | Field::Author
                | Field::Category
                | Field::Summary
                | Field::Content
                | Field::Extra => {}
            }
            return;
        };
        match taking.field {
            Field::Title => raw.entry.title = words(text),
            Field::Link => raw.entry.link = self.links.join(&base, text).or(raw.entry.link.take()),
            Field::Id => self.take_id(text.trim()),
            Field::Published => raw.entry.published = iso(text),
            Field::Updated => raw.entry.updated = iso(text),
            Field::Author => raw.entry.authors.add(&words(text)),
            Field::Category => raw.entry.categories.add(&words(text)),
            Field::Summary => raw.summary = long(text),
            Field::Content => raw.content = long(text),
            Field::Extra => self.add_extra(&taking.name, text),
        }
    }

    fn end_entry(&mut self) {
        let Some(raw) = self.entry.take() else { return };
        let mut entry = raw.entry;
        entry.text = if raw.content.is_empty() { raw.summary } else { raw.content };
        entry.link = entry.link.or(entry.other.take());
        self.feed.entries.push(entry);
    }

    fn finish(mut self) -> Option<Channel> {
        // What a cut off entry holds is shown too.
        if let Some(taking) = self.taking.take() {
            self.take(&taking);
        }
        self.end_entry();
        self.is_feed.then_some(self.feed)
    }
}

fn is_core(space: Space) -> bool {
    matches!(space, Space::Plain | Space::Atom)
}
