//! The characters of an answer.

use readstone_base::WebNote;
use readstone_formats::{PageText, page_text, plain_text};
use readstone_net::Fetched;

/// Signs of a type and of an encoding that are told.
const MOST_TYPE: usize = 120;
const MOST_CHARSET: usize = 40;

/// Text in characters, and what must be said of how it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) text: String,
    pub(crate) notes: Vec<WebNote>,
}

/// The characters of markup, which may say itself what it is in; `None` when it is no text.
pub(crate) fn markup(fetched: &Fetched) -> Option<Text> {
    page_text(&fetched.body, charset(fetched).as_deref()).map(noted)
}

/// The characters of any other text; `None` when it is none.
pub(crate) fn plain(fetched: &Fetched) -> Option<Text> {
    plain_text(&fetched.body, charset(fetched).as_deref()).map(noted)
}

fn noted(page: PageText) -> Text {
    let PageText { text, encoding, replaced, unknown } = page;
    let plain = encoding == "utf-8" && replaced == 0 || unknown.is_some();
    let charset = (!plain).then(|| WebNote::Charset { name: encoding.to_owned(), replaced });
    let notes = unknown.map(|name| WebNote::UnknownCharset { name, replaced }).into_iter().chain(charset).collect();
    Text { text, notes }
}

/// The type of an answer in small letters, without its parameters; empty when the server names none.
pub(crate) fn essence(fetched: &Fetched) -> String {
    let named = fetched.content_type.as_deref().unwrap_or_default();
    named.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// A type as it may be shown: its name and its encoding, made of nothing but the signs that these have.
pub(crate) fn plainly(content_type: &str) -> String {
    let named = content_type.split(';').next().unwrap_or_default().trim();
    let kind: String = named.chars().filter(|sign| is_of_token(*sign) || *sign == '/').take(MOST_TYPE).collect();
    match charset_in(content_type) {
        Some(charset) => format!("{kind}; charset={charset}"),
        None => kind,
    }
}

fn is_of_token(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || "!#$&^_.+-".contains(sign)
}

/// The encoding that the server names.
fn charset(fetched: &Fetched) -> Option<String> {
    charset_in(fetched.content_type.as_deref()?)
}

fn charset_in(content_type: &str) -> Option<String> {
    let parameters = content_type.split(';').skip(1);
    let mut pairs = parameters.filter_map(|parameter| parameter.split_once('='));
    let (_, value) = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
    let plain = |sign: &char| sign.is_ascii_alphanumeric() || "_.:-".contains(*sign);
    let value: String = value.chars().filter(plain).take(MOST_CHARSET).collect();
    (!value.is_empty()).then_some(value)
}
