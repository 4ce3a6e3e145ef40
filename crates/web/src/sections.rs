//! Sections that a fragment of an address means.

use readstone_formats::headings;

/// The name under which the section can be asked for that a fragment means; `None` where no heading, or more than one,
/// is called so.
pub(crate) fn named(text: &str, anchors: &[(String, String)], fragment: &str) -> Option<String> {
    if is_one(text, |heading| is_meant(heading, fragment)) {
        return Some(fragment.to_owned());
    }
    let (_, heading) = anchors.iter().find(|(name, _)| name == fragment)?;
    is_one(text, |own| folded(own) == folded(heading)).then(|| heading.clone())
}

/// The names that do not follow from their headings.
pub(crate) fn unlike(anchors: &[(String, String)]) -> Vec<(String, String)> {
    anchors.iter().filter(|(name, heading)| !is_meant(heading, name)).take(MOST).cloned().collect()
}

/// Names that are kept of a page.
const MOST: usize = 300;

fn is_one(text: &str, fits: impl Fn(&str) -> bool) -> bool {
    headings(text).filter(|heading| fits(&plain(heading))).take(2).count() == 1
}

/// Whether a section of this name is found by what stands behind the sign `#`.
fn is_meant(heading: &str, fragment: &str) -> bool {
    let kept = |sign: &char| sign.is_alphanumeric() || matches!(sign, ' ' | '-' | '_');
    let (heading, fragment) = (folded(heading), folded(fragment));
    let mut anchor = heading.chars().filter(kept).map(|sign| if sign == ' ' { '-' } else { sign });
    heading == fragment || anchor.by_ref().eq(fragment.chars())
}

fn folded(text: &str) -> String {
    text.to_lowercase()
}

/// The words of a heading without the signs of Markdown.
fn plain(heading: &str) -> String {
    let mut words = String::new();
    let mut rest = heading;
    while let Some(sign) = rest.chars().next() {
        let behind = rest.get(sign.len_utf8()..).unwrap_or_default();
        rest = match sign {
            '\\' => {
                let taken = behind.chars().next().filter(char::is_ascii_punctuation);
                words.push(taken.unwrap_or(sign));
                behind.get(taken.map_or(0, char::len_utf8)..).unwrap_or_default()
            }
            '`' | '*' => behind,
            '!' if behind.starts_with('[') => behind,
            '[' => {
                let link = behind.split_once("](").and_then(|(shown, after)| Some((shown, after.split_once(')')?.1)));
                words.push_str(&link.map_or_else(|| "[".to_owned(), |(shown, _)| plain(shown)));
                link.map_or(behind, |(_, after)| after)
            }
            _ => {
                words.push(sign);
                behind
            }
        };
    }
    words.trim().to_owned()
}
