//! Sections that a fragment of an address means.

use readstone_base::heading_words;
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
    headings(text).filter(|heading| fits(&heading_words(heading))).take(2).count() == 1
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

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn a_section_is_meant_by_its_words_as_an_outline_says_them() {
        let text = "# _Leaning_ words\n\n## The [shelf][place] ##\n\n## A <a name=\"x\"></a>snake_case &amp; more\n";
        for fragment in ["leaning-words", "the-shelf", "a-snake_case--more"] {
            assert_eq!(named(text, &[], fragment).as_deref(), Some(fragment));
        }
    }
}
