//! Headings of Markdown, and the words in them.

/// So many bytes of a heading are read.
const MOST: usize = 1_024;

/// The words of a Markdown heading without signs: `The *whole* [shelf](place) ##` is `The whole shelf`.
pub fn heading_words(text: &str) -> String {
    let text = without_tags(closed(beginning(text).trim()));
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
                    words.push_str(&heading_words(shown));
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
    words.trim().to_owned()
}

/// As much of a heading as is read.
fn beginning(text: &str) -> &str {
    text.get(..text.floor_char_boundary(MOST)).unwrap_or(text)
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
pub fn without_tags(text: &str) -> String {
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
            ("The [shelf][place]", "The shelf"),
            (" blanks ", "blanks"),
            ("C# ##", "C#"),
            ("Last \\# one", "Last # one"),
            ("A < b and <a name=\"x\"></a>more &amp; more", "A < b and more & more"),
        ] {
            assert_eq!(heading_words(text), words);
        }
    }

    #[test]
    fn brackets_without_end_are_read_at_once() {
        assert_eq!(heading_words(&"[".repeat(800)).len(), 800);
        assert_eq!(heading_words(&"[".repeat(10_000_000)).len(), MOST);
        assert_eq!(heading_words(&"<a".repeat(10_000_000)).len(), MOST);
        assert_eq!(heading_words(&format!("{}a{}", "[".repeat(200), "](b)".repeat(200))), "a");
    }
}
