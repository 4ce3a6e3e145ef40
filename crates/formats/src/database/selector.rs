//! Selectors that stand behind a database itself.

/// Whether a tail asks for the bytes of the file: `hex`, `raw`, and these with something before or behind them.
pub(super) fn is_of_bytes(tail: &str) -> bool {
    let is_word = |word: &str| ["hex", "raw"].contains(&word);
    tail.split(':').next().is_some_and(is_word) || tail.rsplit(':').next().is_some_and(is_word)
}

/// Whether a tail names rows of a list, such as `501-`, `1-50,90` or `-20`.
pub(super) fn is_of_rows(tail: &str) -> bool {
    let has_digit = tail.bytes().any(|byte| byte.is_ascii_digit());
    has_digit && tail.bytes().all(|byte| byte.is_ascii_digit() || b"-+,.L".contains(&byte))
}
