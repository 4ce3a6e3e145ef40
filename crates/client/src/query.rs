//! Names and values in a path or a query.

/// Writes a text so that it stands for itself in a path or a query.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            let digit = |number: u8| char::from_digit(u32::from(number), 16).unwrap_or_default().to_ascii_uppercase();
            escaped.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
    escaped
}

/// A path with a query of the pairs that have a value.
pub(crate) fn with_query<'a>(path: &str, pairs: impl IntoIterator<Item = (&'a str, Option<String>)>) -> String {
    let given = pairs.into_iter().filter_map(|(name, value)| Some(format!("{name}={}", escape(&value?))));
    format!("{path}?{}", given.collect::<Vec<_>>().join("&"))
}
