//! Objects and lists in the text of a JSON file: where they are, and texts with one item more or one less.
//!
//! The parser says where things are; everything between them (comments, blank lines, commas) is copied as it is.

use jsonc_parser::ast::{ObjectPropName, Value};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::super::item::Layout;

/// An object or a list.
#[derive(Debug)]
pub(super) struct Container {
    /// Where the opening bracket is.
    pub(super) open: usize,
    /// Where the closing bracket is.
    pub(super) close: usize,
    pub(super) items: Vec<Place>,
}

/// A member of an object, or an element of a list.
#[derive(Debug)]
pub(super) struct Place {
    /// The name of a member; the text of an element, empty when it is not a string.
    pub(super) name: String,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Where the value starts.
    pub(super) value: usize,
}

/// The end of a path of keys.
#[derive(Debug)]
pub(super) enum Found {
    /// The file has no value at all.
    Nothing,
    Here(Container),
    /// The path ends in this object, after so many of its keys.
    Above(Container, usize),
}

/// JSON with comments and commas at the end, and no further liberties.
pub(super) fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

/// Follows a path of keys.
pub(super) fn locate(text: &str, path: &[String]) -> Result<Found, String> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options()).map_err(|error| error.to_string())?;
    let Some(mut value) = parsed.value.as_ref() else { return Ok(Found::Nothing) };
    for (depth, key) in path.iter().enumerate() {
        let Some(object) = value.as_object() else { return Err(not_an_object(path, depth)) };
        let mut named = object.properties.iter().filter(|property| property.name.as_str() == key);
        match (named.next(), named.next()) {
            (None, _) => return Ok(Found::Above(container(value).ok_or_else(|| not_an_object(path, depth))?, depth)),
            (Some(property), None) => value = &property.value,
            (Some(_), Some(_)) => return Err(format!("it has {key:?} twice")),
        }
    }
    container(value).map(Found::Here).ok_or_else(|| not_an_object(path, path.len()))
}

fn not_an_object(path: &[String], depth: usize) -> String {
    match path.get(..depth).unwrap_or_default().join(".") {
        place if place.is_empty() => "it does not hold an object".to_owned(),
        place => format!("{place:?} in it is not what it should be"),
    }
}

fn container(value: &Value<'_>) -> Option<Container> {
    let range = value.range();
    let (open, close) = (range.start, range.end.checked_sub(1)?);
    let items = if let Some(object) = value.as_object() {
        let place = |property: &jsonc_parser::ast::ObjectProp<'_>| {
            let name = match &property.name {
                ObjectPropName::String(name) => name.value.to_string(),
                ObjectPropName::Word(word) => word.value.to_owned(),
            };
            Place { name, start: property.range.start, end: property.range.end, value: property.value.start() }
        };
        object.properties.iter().map(place).collect()
    } else {
        let place = |element: &Value<'_>| Place {
            name: element.as_string_lit().map(|text| text.value.to_string()).unwrap_or_default(),
            start: element.start(),
            end: element.end(),
            value: element.start(),
        };
        value.as_array()?.elements.iter().map(place).collect()
    };
    Some(Container { open, close, items })
}

/// The text with one item more at the end of a container. `write` gives the item: for a line with that indentation, or for a
/// place within a line.
pub(super) fn insert(text: &str, at: &Container, layout: &Layout, write: &dyn Fn(Option<&str>) -> String) -> String {
    let Some(last) = at.items.last() else { return fill(text, at, layout, write) };
    let comma = find_comma(text, last.end, at.close);
    let after = comma.map_or(last.end, |comma| comma + 1);
    let (before, between) = if comma.is_some() { ("", ",") } else { (",", "") };
    let newline = layout.newline;
    let (place, item) = match own_line(text, last.start) {
        Some(indent) => (end_of_remarks(text, after), format!("{newline}{indent}{}", write(Some(indent)))),
        None => (after, format!(" {}", write(None))),
    };
    format!("{}{before}{}{item}{between}{}", &text[..last.end], &text[last.end..place], &text[place..])
}

/// The first item of a container.
fn fill(text: &str, at: &Container, layout: &Layout, write: &dyn Fn(Option<&str>) -> String) -> String {
    let start = text[..at.open].rfind('\n').map_or(0, |newline| newline + 1);
    let line = &text[start..at.open];
    let base = &line[..line.len() - line.trim_start().len()];
    let indent = format!("{base}{}", layout.unit);
    let inner = &text[at.open + 1..at.close];
    // Remarks stay before the item.
    let place = at.open + 1 + inner.trim_end().len();
    let newline = layout.newline;
    let item = format!("{newline}{indent}{}", write(Some(&indent)));
    if text[place..at.close].contains('\n') {
        return format!("{}{item}{}", &text[..place], &text[place..]);
    }
    format!("{}{item}{newline}{base}{}", &text[..place], &text[at.close..])
}

/// The text without an item, without the comma that it no longer needs, and without the line that it had for itself.
pub(super) fn cut(text: &str, at: &Container, index: usize) -> Option<String> {
    let item = at.items.get(index)?;
    let following = at.items.get(index + 1);
    let previous = index.checked_sub(1).and_then(|index| at.items.get(index));
    let after = find_comma(text, item.end, following.map_or(at.close, |next| next.start));
    let before =
        previous.filter(|_| after.is_none()).and_then(|item_before| find_comma(text, item_before.end, item.start));
    let gap = previous.map_or(at.open + 1, |item_before| item_before.end);
    let (start, mut end) = (start_of_cut(text, item, (gap, after)), item.end);
    if previous.is_none() && following.is_some() && own_line(text, item.start).is_none() {
        // The item after it takes its place.
        let comma = after?;
        let rest = &text[comma + 1..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        return Some(format!("{}{}{}", &text[..item.start], &text[end..comma], &text[comma + 1 + blank..]));
    }
    let mut rest = String::new();
    if let Some(comma) = after {
        rest.push_str(&text[end..comma]);
        end = comma + 1;
    }
    rest.push_str(&text[end..]);
    let head = match before {
        Some(comma) => format!("{}{}", &text[..comma], text.get(comma + 1..start).unwrap_or_default()),
        None => text[..start].to_owned(),
    };
    Some(format!("{head}{rest}"))
}

/// The start of a cut: the end of the line before, or the blanks before an item within a line. The item follows a gap that
/// begins after the item before it.
fn start_of_cut(text: &str, item: &Place, (gap, comma): (usize, Option<usize>)) -> usize {
    if own_line(text, item.start).is_none() {
        return text[..item.start].trim_end_matches([' ', '\t']).len();
    }
    let Some(newline) = text[..item.start].rfind('\n') else { return item.start };
    let end = comma.map_or(item.end, |comma| comma + 1);
    let rest = text[end..].lines().next().unwrap_or_default();
    if !rest.trim().is_empty() && ends_in_comment(text, gap, newline) {
        // The rest of the line would become part of a comment.
        return item.start;
    }
    if text[..newline].ends_with('\r') { newline - 1 } else { newline }
}

/// The indentation of an item that is the first on its line.
pub(super) fn own_line(text: &str, start: usize) -> Option<&str> {
    let line = text[..start].rfind('\n')? + 1;
    let indent = &text[line..start];
    indent.chars().all(|c| c == ' ' || c == '\t').then_some(indent)
}

/// The first comma of a piece of text that holds nothing but blanks, comments and commas.
fn find_comma(text: &str, from: usize, to: usize) -> Option<usize> {
    let mut at = from;
    while at < to {
        let rest = text.get(at..to)?;
        at += if rest.starts_with("//") {
            rest.find('\n')?
        } else if rest.starts_with("/*") {
            rest.find("*/")? + 2
        } else if rest.starts_with(',') {
            return Some(at);
        } else {
            rest.chars().next()?.len_utf8()
        };
    }
    None
}

/// Whether a gap between items, up to the end of a line, ends in a comment that goes as far as the line.
fn ends_in_comment(text: &str, from: usize, to: usize) -> bool {
    let mut at = from;
    while let Some(rest) = text.get(at..to).filter(|rest| !rest.is_empty()) {
        let step = if rest.starts_with("//") {
            rest.find('\n')
        } else if rest.starts_with("/*") {
            rest.find("*/").map(|end| end + 2)
        } else {
            rest.chars().next().map(char::len_utf8)
        };
        match step {
            Some(step) => at += step,
            None => return true,
        }
    }
    false
}

/// The end of the line, when nothing but blanks and comments is on the rest of it.
fn end_of_remarks(text: &str, from: usize) -> usize {
    let line = text[from..].find('\n').map_or(text.len(), |newline| from + newline);
    let end = if text[from..line].ends_with('\r') { line - 1 } else { line };
    let mut rest = text[from..end].trim_start();
    while !rest.is_empty() {
        if rest.starts_with("//") {
            return end;
        }
        let Some(close) = rest.strip_prefix("/*").and_then(|comment| comment.find("*/")) else { return from };
        rest = rest[close + 4..].trim_start();
    }
    end
}
