//! Changes of JSON files that keep every other byte: comments, commas, indentation, line endings.

mod container;
mod tidy;

use serde_json::Value;

use super::item::{Item, Layout, member, newline_of};
use super::wish::{Content, Owner, Wish};
use container::{Found, Place, insert, locate, own_line};
use tidy::{tidy, without_member};

/// The value of a file; that of an empty one is null.
pub(super) fn parse(text: &str) -> Result<Value, String> {
    jsonc_parser::parse_to_serde_value(text, &container::options()).map_err(|error| error.to_string())
}

/// The text with what is wished for. What is there already stays as it is, but for an entry of ours with other values.
pub(super) fn add(text: &str, wish: &Wish) -> Result<String, String> {
    let mut text = text.to_owned();
    let document = parse(&text)?;
    match &wish.content {
        Content::Elements(elements) => {
            let present = wish.present_in(&document);
            for element in elements.iter().filter(|element| !present.contains(&element.as_str())) {
                text = put(&text, &wish.path, &New { name: None, item: Item::text(element.as_str()) })?;
            }
        }
        Content::Members(members) => {
            let present = wish.present_in(&document);
            for (name, item) in members {
                let replace = wish.owner == Owner::Entry && !wish.holds(&document, name);
                if replace || !present.contains(&name.as_str()) {
                    text = put(&text, &wish.path, &New { name: Some(name), item: item.clone() })?;
                }
            }
        }
    }
    Ok(text)
}

/// A member, or without a name an element.
struct New<'a> {
    name: Option<&'a str>,
    item: Item,
}

impl New<'_> {
    fn write(&self, layout: &Layout, indent: Option<&str>) -> String {
        let value = match indent {
            Some(indent) => self.item.json(layout, indent),
            None => self.item.inline_json(),
        };
        self.name.map_or(value.clone(), |name| member(name, &value))
    }

    /// The same in the objects of a path.
    fn within(self, path: &[String]) -> Item {
        let innermost = match self.name {
            Some(name) => Item::Table(vec![(name.to_owned(), self.item)]),
            None => Item::List(vec![self.item]),
        };
        path.iter().rev().fold(innermost, |item, key| Item::Table(vec![(key.clone(), item)]))
    }
}

fn put(text: &str, path: &[String], new: &New<'_>) -> Result<String, String> {
    let layout = layout_of(text);
    let copy = || New { name: new.name, item: new.item.clone() };
    match locate(text, path)? {
        Found::Nothing => {
            let object = copy().within(path).json(&layout, "");
            let gap = if text.is_empty() || text.ends_with('\n') { "" } else { layout.newline };
            Ok(format!("{text}{gap}{object}{}", layout.newline))
        }
        Found::Above(above, depth) => {
            let (key, rest) = path.get(depth..).and_then(<[String]>::split_first).ok_or("its path is empty")?;
            let new = New { name: Some(key), item: copy().within(rest) };
            Ok(insert(text, &above, &layout, &|indent| new.write(&layout, indent)))
        }
        Found::Here(at) => {
            let is_object = text[at.open..].starts_with('{');
            if is_object != new.name.is_some() {
                return Err(format!("{:?} in it is not what it should be", path.join(".")));
            }
            match at.items.iter().find(|place| new.name == Some(place.name.as_str())) {
                Some(place) => {
                    let value = replaced(text, place, new, &layout);
                    Ok(format!("{}{value}{}", &text[..place.value], &text[place.end..]))
                }
                None => Ok(insert(text, &at, &layout, &|indent| new.write(&layout, indent))),
            }
        }
    }
}

fn replaced(text: &str, place: &Place, new: &New<'_>, layout: &Layout) -> String {
    match own_line(text, place.start) {
        Some(indent) => new.item.json(layout, indent),
        None => new.item.inline_json(),
    }
}

/// How a file is indented: as its first member is.
fn layout_of(text: &str) -> Layout {
    let unit = match locate(text, &[]) {
        Ok(Found::Here(root)) => root.items.first().and_then(|place| own_line(text, place.start)).map(str::to_owned),
        Ok(Found::Nothing | Found::Above(..)) | Err(_) => None,
    };
    let unit = unit.filter(|unit| !unit.is_empty()).unwrap_or_else(|| Layout::default().unit);
    Layout { unit, newline: newline_of(text) }
}

/// The text without what is wished for, as far as it is ours. `original` is the file as it was before us.
pub(super) fn remove(text: &str, wish: &Wish, original: Option<&str>) -> Result<String, String> {
    let document = parse(text)?;
    let names = match wish.owner {
        Owner::Entry => wish.present_in(&document),
        Owner::Named => wish.names().into_iter().filter(|name| wish.holds(&document, name)).collect(),
        Owner::Together => {
            // Without the file as it was before, a person may have written the names.
            let before = original.and_then(|text| parse(text).ok());
            let before = before.as_ref().map(|before| wish.present_in(before));
            let is_new = |name: &&str| before.as_ref().is_some_and(|before| !before.contains(name));
            let added: Vec<&str> = wish.names().into_iter().filter(is_new).collect();
            if are_together(text, wish, (&document, &added))? { added } else { Vec::new() }
        }
    };
    if names.is_empty() {
        return Ok(text.to_owned());
    }
    let mut text = text.to_owned();
    for name in names {
        text = without_member(&text, &wish.path, name)?;
    }
    tidy(text, &wish.path, original)
}

/// Whether these names follow each other in the file, in our order and with our values.
fn are_together(text: &str, wish: &Wish, (document, names): (&Value, &[&str])) -> Result<bool, String> {
    let Found::Here(at) = locate(text, &wish.path)? else { return Ok(false) };
    let there: Vec<&str> = at.items.iter().map(|place| place.name.as_str()).collect();
    let in_order = there.windows(names.len().max(1)).any(|window| window == names);
    Ok(in_order && names.iter().all(|name| wish.holds(document, name)))
}
