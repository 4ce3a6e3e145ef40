//! Straightens the arguments of a call, which clients and models send in other shapes than the schema says.
//!
//! Seen on the wire: a text for a list, a list written as JSON inside a text, numbers and booleans as texts, a list of
//! one for a text, null for a field that is absent. The type of each field decides what is mended; what cannot be mended
//! for certain stays as it is, and is refused by its type with the name of the field. Of `path` and `paths`, one that is
//! empty next to the other counts as absent, because a model may fill every field.

use readstone_base::{Class, Failure as _};
use serde_json::{Map, Value};

use crate::call::Call;

/// A field of a tool's input.
#[derive(Debug)]
pub(crate) struct Field {
    name: String,
    kind: Kind,
}

/// What a field holds, as far as arguments for it can be bent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Text in which every byte counts: a pattern, a patch, a tag.
    Text,
    /// One address.
    Address,
    /// Several addresses.
    Addresses,
    Number,
    Flag,
}

/// The field with one address, where a tool has one.
const ADDRESS: &str = "path";
/// The field with several.
const ADDRESSES: &str = "paths";
/// The field that is never taken out of a list: a client that sends JSON content as JSON means the list too.
const CONTENT: &str = "content";

impl Field {
    /// The fields of a schema.
    pub(crate) fn all_of(schema: &Value) -> Vec<Self> {
        let Some(Value::Object(properties)) = schema.get("properties") else {
            return Vec::new();
        };
        let field = |(name, schema): (&String, &Value)| {
            let kind = match schema.get("type")?.as_str()? {
                "string" if name == ADDRESS => Kind::Address,
                "string" => Kind::Text,
                "array" => Kind::Addresses,
                "integer" | "number" => Kind::Number,
                "boolean" => Kind::Flag,
                _ => return None,
            };
            Some(Self { name: name.clone(), kind })
        };
        properties.iter().filter_map(field).collect()
    }
}

/// Straightens the arguments for these fields; an error says what is wrong, and with which field.
pub(crate) fn straighten(call: &Call<'_>, fields: &[Field], input: &mut Value) -> Result<(), String> {
    let Value::Object(arguments) = input else {
        return Ok(());
    };
    arguments.retain(|_, value| !value.is_null());
    drop_empty(fields, arguments);
    // An address may turn out to be several, which come under the name of the other field: so it goes first.
    if fields.iter().any(|field| field.kind == Kind::Address) {
        straighten_address(call, fields, arguments)?;
    }
    for field in fields {
        let Some(value) = arguments.get_mut(&field.name) else {
            continue;
        };
        match field.kind {
            Kind::Text if field.name != CONTENT => unwrap_one(value),
            Kind::Text | Kind::Address => {}
            Kind::Addresses => straighten_addresses(call, value),
            Kind::Number => straighten_number(value),
            Kind::Flag => straighten_flag(value),
        }
    }
    Ok(())
}

/// Drops the one of the two fields for addresses that is empty next to the other.
fn drop_empty(fields: &[Field], arguments: &mut Map<String, Value>) {
    let has = |kind| fields.iter().any(|field| field.kind == kind);
    if !has(Kind::Address) || !has(Kind::Addresses) {
        return;
    }
    let empty = |value: &Value| value.as_str() == Some("") || value.as_array().is_some_and(Vec::is_empty);
    for (name, other) in [(ADDRESSES, ADDRESS), (ADDRESS, ADDRESSES)] {
        if arguments.contains_key(other) && arguments.get(name).is_some_and(empty) {
            arguments.remove(name);
        }
    }
}

/// Straightens the field with one address. Several addresses move to the other field, where the tool has it.
fn straighten_address(call: &Call<'_>, fields: &[Field], arguments: &mut Map<String, Value>) -> Result<(), String> {
    let Some(value) = arguments.get_mut(ADDRESS) else {
        return Ok(());
    };
    unwrap_one(value);
    let texts = |items: &Vec<Value>| items.iter().map(|item| item.as_str().map(str::to_owned)).collect();
    let found = match value.as_str() {
        Some(text) => listed(call, text),
        None => value.as_array().filter(|items| !items.is_empty()).and_then(texts),
    };
    let Some(mut list): Option<Vec<String>> = found else {
        return Ok(());
    };
    let several = fields.iter().any(|field| field.kind == Kind::Addresses);
    match list.len() {
        1 => *value = Value::from(list.remove(0)),
        _ if several && !arguments.contains_key(ADDRESSES) => {
            arguments.remove(ADDRESS);
            arguments.insert(ADDRESSES.to_owned(), Value::from(list));
        }
        count => {
            let instead = if several { "; give several in `paths`" } else { "" };
            return Err(format!("{ADDRESS}: expected one address, not a list of {count}{instead}"));
        }
    }
    Ok(())
}

/// Straightens a field with several addresses: a text is a list of one, and a list that is written as JSON in a text is
/// that list.
fn straighten_addresses(call: &Call<'_>, value: &mut Value) {
    if value.is_string() {
        *value = Value::Array(vec![value.take()]);
    }
    let Value::Array(items) = value else {
        return;
    };
    // The tool refuses more than these, and each may cost a look at the disk.
    if items.len() as u64 > call.limits.targets {
        return;
    }
    let expand = |item: Value| match item.as_str().and_then(|text| listed(call, text)) {
        Some(list) => list.into_iter().map(Value::from).collect(),
        None => vec![item],
    };
    *items = std::mem::take(items).into_iter().flat_map(expand).collect();
}

/// The addresses of a list that is written as JSON, unless something is called so.
fn listed(call: &Call<'_>, text: &str) -> Option<Vec<String>> {
    json_list(text).filter(|_| !exists(call, text))
}

/// Whether there is something of exactly this name. What may not be seen counts as there: the tool refuses it by this
/// name, as it does any other.
fn exists(call: &Call<'_>, name: &str) -> bool {
    match readstone_source::open_path(call.host, name, call.budget) {
        Ok(_) => true,
        Err(readstone_source::Error::Host(error)) => !error.is_outside() && error.class() == Class::Denied,
        Err(_) => false,
    }
}

/// The texts of a list that is written as JSON, such as `["a.rs", "b.rs"]`. `None` for any other text, and for a list
/// without texts.
pub fn json_list(text: &str) -> Option<Vec<String>> {
    let text = text.trim();
    if !text.starts_with('[') || !text.ends_with(']') {
        return None;
    }
    serde_json::from_str(text).ok().filter(|list: &Vec<String>| !list.is_empty())
}

/// Takes a text out of a list of one.
fn unwrap_one(value: &mut Value) {
    if let Value::Array(items) = value
        && let [Value::String(text)] = items.as_mut_slice()
    {
        *value = Value::String(std::mem::take(text));
    }
}

/// Reads a number that is written as text; 5.0 is the whole number 5, because some clients know no others.
fn straighten_number(value: &mut Value) {
    if let Some(whole) = value.as_str().filter(|text| is_number(text)).and_then(|text| text.parse::<u64>().ok()) {
        *value = Value::from(whole);
        return;
    }
    let float = match value.as_str() {
        Some(text) if is_number(text) => text.parse::<f64>().ok(),
        Some(_) => None,
        None => value.as_f64().filter(|_| value.is_f64()),
    };
    // JSON knows no infinite number, and a null would be none at all.
    let Some(float) = float.filter(|float| float.is_finite()) else {
        return;
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it was just checked to be whole")]
    let number = match float {
        whole if whole.fract() == 0.0 && (0.0..=9e15).contains(&whole) => Value::from(whole as u64),
        other => Value::from(other),
    };
    *value = number;
}

/// Whether a text is a number and nothing else: digits, perhaps with a sign and a fraction.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    [whole, fraction].iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

fn straighten_flag(value: &mut Value) {
    let Value::String(text) = value else {
        return;
    };
    if text.eq_ignore_ascii_case("true") {
        *value = Value::Bool(true);
    } else if text.eq_ignore_ascii_case("false") {
        *value = Value::Bool(false);
    }
}
