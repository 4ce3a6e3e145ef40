//! A value for a configuration file, with its members in the order in which a person reads them.

use serde_json::Value;

/// A value that is written as JSON or as TOML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Text(String),
    Flag(bool),
    List(Vec<Item>),
    Table(Vec<(String, Item)>),
    /// A number, or another value that only a person writes.
    Other(Value),
}

impl Item {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A value that is in a file.
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::String(text) => Self::text(text.as_str()),
            Value::Bool(flag) => Self::Flag(*flag),
            Value::Array(items) => Self::List(items.iter().map(Self::of).collect()),
            Value::Object(members) => {
                Self::Table(members.iter().map(|(name, value)| (name.clone(), Self::of(value))).collect())
            }
            Value::Null | Value::Number(_) => Self::Other(value.clone()),
        }
    }

    pub(super) fn texts<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Self {
        Self::List(texts.into_iter().map(Self::text).collect())
    }

    /// The same value without an order, to be compared with what a file holds.
    pub(super) fn value(&self) -> Value {
        match self {
            Self::Text(text) => Value::from(text.as_str()),
            Self::Flag(flag) => Value::from(*flag),
            Self::Other(value) => value.clone(),
            Self::List(items) => items.iter().map(Self::value).collect(),
            Self::Table(members) => members.iter().map(|(name, item)| (name.clone(), item.value())).collect(),
        }
    }

    /// JSON on one line.
    pub(super) fn inline_json(&self) -> String {
        match self {
            Self::Text(_) | Self::Flag(_) | Self::Other(_) => self.value().to_string(),
            Self::List(items) => format!("[{}]", join(items.iter().map(Self::inline_json))),
            Self::Table(members) => {
                format!("{{{}}}", join(members.iter().map(|(name, item)| member(name, &item.inline_json()))))
            }
        }
    }

    /// JSON with one member on each line; the first line is not indented, because its name is before it.
    pub(super) fn json(&self, layout: &Layout, indent: &str) -> String {
        let Self::Table(members) = self else { return self.inline_json() };
        if members.is_empty() {
            return "{}".to_owned();
        }
        let inner = format!("{indent}{}", layout.unit);
        let newline = layout.newline;
        let lines = members.iter().map(|(name, item)| format!("{inner}{}", member(name, &item.json(layout, &inner))));
        let lines: Vec<String> = lines.collect();
        format!("{{{newline}{}{newline}{indent}}}", lines.join(&format!(",{newline}")))
    }

    /// A value of TOML on one line.
    pub(super) fn inline_toml(&self) -> String {
        match self {
            Self::Text(_) | Self::Flag(_) | Self::Other(_) => self.value().to_string(),
            Self::List(items) => format!("[{}]", join(items.iter().map(Self::inline_toml))),
            Self::Table(members) => {
                let pairs = members.iter().map(|(name, item)| format!("{} = {}", toml_key(name), item.inline_toml()));
                format!("{{ {} }}", join(pairs))
            }
        }
    }
}

/// How a file is laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// One step of indentation.
    pub(super) unit: String,
    pub(super) newline: &'static str,
}

impl Default for Layout {
    fn default() -> Self {
        Self { unit: "  ".to_owned(), newline: "\n" }
    }
}

/// The line ending that a text uses first.
pub(super) fn newline_of(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        Some(_) | None => "\n",
    }
}

/// A name and a value of JSON.
pub(super) fn member(name: &str, value: &str) -> String {
    format!("{}: {value}", Value::from(name))
}

/// A key of TOML, in quotes where it needs them.
pub(super) fn toml_key(name: &str) -> String {
    let bare = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if !name.is_empty() && name.bytes().all(bare) { name.to_owned() } else { Value::from(name).to_string() }
}

fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}
