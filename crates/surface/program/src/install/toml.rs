//! Changes of TOML files: a section is added at the end, and cut with the lines it has, wherever it is by then.

use std::ops::Range;

use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::item::{Item, newline_of, toml_key};
use super::wish::{Content, Wish};

/// The value of a file.
pub(super) fn parse(text: &str) -> Result<Value, String> {
    toml::from_str(text).map_err(|error: toml::de::Error| error.message().to_owned())
}

/// Sections as they are written.
pub(super) fn print(wish: &Wish, newline: &str) -> String {
    let Content::Members(members) = &wish.content else { return String::new() };
    let sections = members.iter().map(|(name, item)| {
        let path: Vec<String> = wish.path.iter().chain([name]).map(|key| toml_key(key)).collect();
        let settings = match item {
            Item::Table(settings) => settings.as_slice(),
            Item::Text(_) | Item::Flag(_) | Item::List(_) | Item::Other(_) => &[],
        };
        let line = |(key, value): &(String, Item)| format!("{} = {}{newline}", toml_key(key), value.inline_toml());
        format!("[{}]{newline}{}", path.join("."), settings.iter().map(line).collect::<String>())
    });
    sections.collect::<Vec<_>>().join(newline)
}

/// The text with the sections that are wished for.
pub(super) fn add(text: &str, wish: &Wish) -> Result<String, String> {
    let document = parse(text)?;
    let newline = newline_of(text);
    let section = print(wish, newline);
    let [name] = wish.names()[..] else { return Err("one section at a time can be added".to_owned()) };
    if wish.holds(&document, name) {
        return Ok(text.to_owned());
    }
    if wish.present_in(&document).is_empty() {
        if text.is_empty() {
            return Ok(section);
        }
        // A file without an end of its last line keeps it so, and the section shows it: it has none either.
        let (gap, section) = if text.ends_with('\n') {
            (newline.to_owned(), section.as_str())
        } else {
            (newline.repeat(2), section.trim_end())
        };
        return Ok(format!("{text}{gap}{section}"));
    }
    let mut places = sections(text, wish, name)?;
    let first = places.remove(0);
    let section = if text[first.clone()].ends_with('\n') { section.as_str() } else { section.trim_end() };
    let rest = without(
        &text[first.end..],
        &places.iter().map(|place| place.start - first.end..place.end - first.end).collect::<Vec<_>>(),
    );
    Ok(format!("{}{section}{rest}", &text[..first.start]))
}

/// The text without the sections that are wished for.
pub(super) fn remove(text: &str, wish: &Wish) -> Result<String, String> {
    let document = parse(text)?;
    let [name] = wish.present_in(&document)[..] else { return Ok(text.to_owned()) };
    let places: Vec<Range<usize>> =
        sections(text, wish, name)?.into_iter().map(|place| with_gap(text, place)).collect();
    Ok(without(text, &places))
}

fn without(text: &str, places: &[Range<usize>]) -> String {
    let mut rest = String::with_capacity(text.len());
    let mut at = 0;
    for place in places {
        rest.push_str(text.get(at..place.start).unwrap_or_default());
        at = at.max(place.end);
    }
    rest.push_str(text.get(at..).unwrap_or_default());
    rest
}

/// A section with the empty line before it; at the end of a file that does not end its last line, with that end as well.
fn with_gap(text: &str, place: Range<usize>) -> Range<usize> {
    let newline = newline_of(text);
    let before = |end: usize| text[..end].strip_suffix(newline).map(str::len);
    let ended = text[place.clone()].ends_with('\n');
    let mut start = place.start;
    if let Some(line) = before(start)
        && (line == 0 || text[..line].ends_with('\n'))
    {
        start = line;
    }
    if !ended {
        start = before(start).unwrap_or(start);
    }
    start..place.end
}

/// The lines of a table and of the tables in it, in the order of the file.
fn sections(text: &str, wish: &Wish, name: &str) -> Result<Vec<Range<usize>>, String> {
    let strange = || {
        format!(
            "{} in it is not a section of its own",
            wish.path.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join(".")
        )
    };
    let root = DeTable::parse(text).map_err(|error| error.message().to_owned())?;
    let mut marks = Marks::default();
    marks.table(text, root.get_ref());
    let mut table = root.get_ref();
    for key in &wish.path {
        table = table.get(key.as_str()).and_then(|value| value.get_ref().as_table()).ok_or_else(strange)?;
    }
    let (key, value) = table.iter().find(|(key, _)| key.get_ref() == name).ok_or_else(strange)?;
    let mut own = Marks::default();
    own.value(text, value);
    let is_header = |at: usize| text[at..].starts_with('[');
    let line_start = |at: usize| text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    if own.headers.is_empty() || !is_header(value.span().start) {
        // A line such as `readstone = { … }` below the header of all servers.
        let start = line_start(key.span().start);
        let alone = text[start..key.span().start].trim().is_empty() && text[value.span()].starts_with('{');
        let line = start..end_of_line(text, value.span().end);
        return if alone { Ok(Vec::from([line])) } else { Err(strange()) };
    }
    marks.headers.sort_unstable();
    own.headers.sort_unstable();
    let section = |header: usize| {
        let next = marks.headers.iter().copied().find(|other| *other > header).unwrap_or(text.len());
        let last = own.ends.iter().copied().filter(|end| *end > header && *end <= next).max();
        let end = last.unwrap_or_else(|| text[header..].find(']').map_or(next, |bracket| header + bracket));
        line_start(header)..end_of_line(text, end)
    };
    Ok(own.headers.iter().map(|header| section(*header)).collect())
}

fn end_of_line(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |newline| at + newline + 1)
}

/// Where headers begin and values end.
#[derive(Debug, Default)]
struct Marks {
    headers: Vec<usize>,
    ends: Vec<usize>,
}

impl Marks {
    fn table(&mut self, text: &str, table: &DeTable<'_>) {
        table.iter().for_each(|(_, value)| self.value(text, value));
    }

    fn value(&mut self, text: &str, value: &Spanned<DeValue<'_>>) {
        let span = value.span();
        match value.get_ref() {
            DeValue::Table(table) => {
                if text[span.start..].starts_with('[') {
                    self.headers.push(span.start);
                } else if text[span.clone()].starts_with('{') {
                    self.ends.push(span.end);
                }
                self.table(text, table);
            }
            DeValue::Array(array) => {
                // The parts of an array of tables begin with headers; any other array is a value.
                if text[span.start..].starts_with("[[") && array.iter().any(|value| value.get_ref().is_table()) {
                    array.iter().for_each(|value| self.value(text, value));
                } else {
                    self.ends.push(span.end);
                }
            }
            DeValue::String(_)
            | DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_) => {
                self.ends.push(span.end);
            }
        }
    }
}
