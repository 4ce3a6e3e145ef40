//! Selectors that stand behind a database itself.

/// Whether a tail asks for the bytes of the file: `hex`, `raw`, and these with lines or bytes before or behind them.
pub(super) fn is_of_bytes(tail: &str) -> bool {
    let is_word = |word: &str| ["hex", "raw"].contains(&word);
    let is_part = |part: &str| is_word(part) || is_of_rows(part.strip_prefix('b').unwrap_or(part));
    tail.split(':').any(is_word) && tail.split(':').all(is_part)
}

/// Whether a tail names rows of a list, such as `501-`, `1-50,90` or `-20`.
pub(super) fn is_of_rows(tail: &str) -> bool {
    let has_digit = tail.bytes().any(|byte| byte.is_ascii_digit());
    has_digit && tail.bytes().all(|byte| byte.is_ascii_digit() || b"-+,.L".contains(&byte))
}

/// Whether what stands behind a table is meant for its rows: a selector or a parameter in the wrong place.
pub(super) fn is_misplaced(text: &str) -> bool {
    is_of_bytes(text) || is_of_rows(text) && text.contains(['-', '+']) || text.contains('?')
}
