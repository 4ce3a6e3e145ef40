//! Swift for its grammar: where a directive is followed by a zero or by nothing, the scanner of the grammar reads on
//! behind the end of the words that it compares with.

use std::borrow::Cow;

/// The directives, the longer ones first.
const DIRECTIVES: [&str; 4] = ["#elseif", "#endif", "#else", "#if"];

/// The text for the grammar: without zeros, and with blanks for a directive that nothing follows.
pub(crate) fn with_ends(text: &str) -> Cow<'_, str> {
    let sound = sound(text);
    if sound.len() == text.len() && !text.contains('\0') {
        return Cow::Borrowed(text);
    }
    Cow::Owned(sound.replace('\0', " ") + &" ".repeat(text.len() - sound.len()))
}

/// A text without the directive that it ends with.
pub(crate) fn sound(text: &str) -> &str {
    DIRECTIVES.iter().find_map(|word| text.strip_suffix(word)).unwrap_or(text)
}
