//! What becomes of the text of a name.

/// How a name is made of the text of its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// As it stands, but for quotes; what stands before `::` is its owner.
    Name,
    /// As it stands, but for quotes.
    Whole,
    /// A symbol without the colon before it.
    Symbol,
    /// What stands before the body.
    Head,
    /// The text of a Markdown heading.
    Heading,
    /// The text between the tags.
    Tags,
    /// What stands behind the last `:` and `$`, as in `$global:name`.
    Last,
}

impl Shape {
    /// The shape that a query file calls so.
    pub(crate) fn named(word: &str) -> Option<Self> {
        match word {
            "whole" => Some(Self::Whole),
            "head" => Some(Self::Head),
            "symbol" => Some(Self::Symbol),
            "heading" => Some(Self::Heading),
            "tags" => Some(Self::Tags),
            "last" => Some(Self::Last),
            _ => None,
        }
    }
}

/// What stands before a body, without the sign that ends it.
pub(crate) fn head(text: &str) -> String {
    text.trim_end_matches([';', ':', '=', '{']).to_owned()
}

/// The words of a Markdown heading without signs: `The *whole* [shelf](place) ##` is `The whole shelf`.
pub(crate) fn heading(text: &str) -> String {
    let text = closed(text.trim());
    let text = without_tags(text);
    let mut words = String::new();
    let mut rest = text.as_str();
    while let Some(sign) = rest.chars().next() {
        let behind = rest.get(sign.len_utf8()..).unwrap_or_default();
        rest = match sign {
            '\\' => {
                let taken = behind.chars().next().filter(char::is_ascii_punctuation);
                words.push(taken.unwrap_or(sign));
                behind.get(taken.map_or(0, char::len_utf8)..).unwrap_or_default()
            }
            '`' | '*' => behind,
            '_' if !inside_word(&words, behind) => behind,
            '!' if behind.starts_with('[') => behind,
            '[' => {
                if let Some((shown, after)) = link(behind) {
                    words.push_str(&heading(shown));
                    after
                } else {
                    words.push(sign);
                    behind
                }
            }
            _ => {
                words.push(sign);
                behind
            }
        };
    }
    words
}

/// A heading without the `#` signs that may end it.
fn closed(text: &str) -> &str {
    let plain = text.trim_end_matches('#');
    if plain.len() < text.len() && (plain.is_empty() || plain.ends_with([' ', '\t'])) { plain.trim_end() } else { text }
}

fn inside_word(before: &str, behind: &str) -> bool {
    let word = |sign: Option<char>| sign.is_some_and(|sign| sign.is_alphanumeric() || sign == '_');
    word(before.chars().next_back()) && word(behind.chars().next())
}

/// What a link shows, and what follows it.
fn link(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    let close = text.char_indices().find_map(|(at, sign)| match sign {
        '[' => {
            depth += 1;
            None
        }
        ']' if depth == 0 => Some(at),
        ']' => {
            depth -= 1;
            None
        }
        _ => None,
    })?;
    let (shown, after) = (text.get(..close)?, text.get(close + 1..)?);
    let end = match after.chars().next()? {
        '(' => after.find(')')?,
        '[' => after.find(']')?,
        _ => return None,
    };
    Some((shown, after.get(end + 1..)?))
}

/// The text of markup without its tags, with the usual signs for signs replaced.
pub(crate) fn without_tags(text: &str) -> String {
    let mut words = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, behind) = rest.split_at(at);
        words.push_str(before);
        let tag = behind
            .get(1..)
            .is_some_and(|tag| tag.starts_with(|sign: char| sign.is_alphabetic() || "/!".contains(sign)));
        // A sign that begins no tag is itself.
        let end = behind.find('>').filter(|_| tag);
        words.push_str(if end.is_some() { "" } else { "<" });
        rest = behind.get(end.map_or(1, |end| end + 1)..).unwrap_or_default();
    }
    words.push_str(rest);
    let signs = [("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    signs.iter().fold(words, |words, (name, sign)| if words.contains('&') { words.replace(name, sign) } else { words })
}

/// A name without the signs around a text.
pub(crate) fn unquoted(name: &str) -> &str {
    let inside = |sign: char| name.strip_prefix(sign).and_then(|rest| rest.strip_suffix(sign));
    inside('"').or_else(|| inside('\'')).or_else(|| inside('`')).unwrap_or(name)
}

/// `Type::method` declared outside its type: the type, and the name.
pub(crate) fn split_owner(name: &str) -> (Option<String>, String) {
    let (plain, operator) = split_operator(name);
    let plain = if name.contains("::") { without_generics(plain) } else { plain.to_owned() };
    if !operator.is_empty() {
        let owner = plain.trim_end_matches("::");
        return ((!owner.is_empty()).then(|| owner.to_owned()), operator.to_owned());
    }
    match plain.rsplit_once("::") {
        Some((owner, own)) if !owner.is_empty() && !own.is_empty() && !plain.contains(' ') => {
            (Some(owner.to_owned()), own.to_owned())
        }
        _ => (None, plain),
    }
}

/// What stands before the name of an operator, and that name: `Type::operator bool() const` has `operator bool`.
fn split_operator(name: &str) -> (&str, &str) {
    let at = name.find("operator").filter(|at| *at == 0 || name.get(..*at).is_some_and(|own| own.ends_with("::")));
    let Some((plain, operator)) = at.map(|at| name.split_at(at)) else {
        return (name, "");
    };
    let sign = operator.strip_prefix("operator").unwrap_or_default();
    if sign.is_empty() || sign.starts_with(|sign: char| sign.is_alphanumeric() || sign == '_') {
        return (name, "");
    }
    let call = sign.starts_with("()");
    let end = sign.find('(').filter(|_| !call).map_or(operator.len(), |end| operator.len() - sign.len() + end);
    (plain, operator.get(..end).unwrap_or(operator).trim_end())
}

/// `Map<K, V>::get` as `Map::get`.
fn without_generics(name: &str) -> String {
    let mut depth = 0_usize;
    let mut kept = String::new();
    for sign in name.chars() {
        match sign {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => kept.push(sign),
            _ => {}
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_is_called_by_its_words() {
        for (text, words) in [
            ("Plain words", "Plain words"),
            ("The *whole* **shelf** ##", "The whole shelf"),
            ("`code_with_lines` and snake_case", "code_with_lines and snake_case"),
            ("_Leaning_ words", "Leaning words"),
            ("[1.0.0](https://example.org/a) - 2024", "1.0.0 - 2024"),
            ("[![sign](a.svg)](b) Shelf", "sign Shelf"),
            ("[Unreleased]", "[Unreleased]"),
            ("C# ##", "C#"),
            ("Last \\# one", "Last # one"),
            ("A < b and <a name=\"x\"></a>more &amp; more", "A < b and more & more"),
        ] {
            assert_eq!(heading(text).trim(), words);
        }
    }

    #[test]
    fn brackets_without_end_are_read_at_once() {
        assert_eq!(heading(&"[".repeat(800)).len(), 800);
    }
}
