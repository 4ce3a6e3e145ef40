//! What is looked up in one element of a feed.

use std::borrow::Cow;

use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, BytesStart};
use quick_xml::{Error, XmlVersion};

/// Bytes of a document inside the feed of which the markup is taken; behind them only the words are.
pub(super) const MOST_INLINE: usize = 1024 * 1024;
/// Longer values of attributes are no use inside a text.
const LONGEST_VALUE: usize = 4096;

/// What the text of an element says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Title,
    Link,
    Id,
    Published,
    Updated,
    Author,
    Category,
    Summary,
    Content,
    Extra,
}

/// How the text of an element is marked up.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Form {
    /// Perhaps with markup; RSS does not say.
    #[default]
    Html,
    /// Without.
    Words,
    /// Elements of the feed's own document.
    Inline,
}

/// A reference as text; one that is not known stays as it is.
pub(super) fn resolve(name: &BytesRef<'_>) -> Cow<'static, str> {
    if let Ok(Some(sign)) = name.resolve_char_ref() {
        return Cow::Owned(sign.to_string());
    }
    let name: &str = name;
    resolve_xml_entity(name).map_or_else(|| Cow::Owned(format!("&{name};")), Cow::Borrowed)
}

/// The value of an attribute by its name as written.
pub(super) fn attribute(start: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut attributes = start.attributes();
    // Checking for doubles would be quadratic.
    let found = attributes.with_checks(false).flatten().find(|one| one.key.into_inner() == name)?;
    let value = found.normalized_value(XmlVersion::Implicit1_0);
    Some(value.map_or_else(|_| found.value.clone().into_owned(), Cow::into_owned))
}

/// How the text of an element is marked up, as it says or as is usual.
pub(super) fn form(field: Field, start: &BytesStart<'_>) -> Form {
    match attribute(start, "type").as_deref() {
        Some("text" | "text/plain") => Form::Words,
        Some("xhtml" | "application/xhtml+xml") => Form::Inline,
        Some("html" | "text/html") => Form::Html,
        Some(_) | None if matches!(field, Field::Title | Field::Summary | Field::Content) => Form::Html,
        Some(_) | None => Form::Words,
    }
}

/// A start tag of a document inside the feed, as HTML.
pub(super) fn push_tag(text: &mut String, start: &BytesStart<'_>) {
    let local = start.local_name();
    text.push('<');
    text.push_str(local.into_inner());
    for name in ["href", "src", "alt"] {
        if let Some(value) = attribute(start, name).filter(|value| value.len() <= LONGEST_VALUE) {
            text.push(' ');
            text.push_str(name);
            text.push_str("=\"");
            push_escaped(text, &value);
            text.push('"');
        }
    }
    text.push('>');
}

/// Text in which nothing is taken for a tag, a reference or the end of a value.
pub(super) fn push_escaped(out: &mut String, text: &str) {
    for sign in text.chars() {
        match sign {
            '&' | '<' if out.len() > MOST_INLINE => out.push(' '),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '"' if out.len() <= MOST_INLINE => out.push_str("&quot;"),
            other => out.push(other),
        }
    }
}

/// What is wrong, in a few words.
pub(super) fn damage(cause: &Error) -> &'static str {
    match cause {
        Error::Syntax(_) => "markup without an end",
        Error::IllFormed(_) => "tags that do not belong together",
        Error::Io(_) | Error::InvalidAttr(_) | Error::Encoding(_) | Error::Escape(_) | Error::Namespace(_) => {
            "no XML any more"
        }
    }
}
