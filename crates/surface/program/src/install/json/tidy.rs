//! After a removal: objects and lists that were made for us go as well, and the others look as they did before.

use super::container::{Container, Found, cut, locate};

/// The text without the objects and lists of a path that are empty now and that the original does not have. Without an
/// original the file was made by us, and so was all that is empty.
pub(super) fn tidy(text: String, path: &[String], original: Option<&str>) -> Result<String, String> {
    let mut text = text;
    for depth in (0..=path.len()).rev() {
        let here = path.get(..depth).unwrap_or_default();
        let Found::Here(now) = locate(&text, here)? else { continue };
        if !now.items.is_empty() {
            break;
        }
        let inner = inside(&text, &now);
        if let Some(original) = original
            && let Ok(Found::Here(before)) = locate(original, here)
        {
            let old = inside(original, &before);
            if before.items.is_empty() && squeeze(old) == squeeze(inner) {
                text = format!("{}{old}{}", &text[..=now.open], &text[now.close..]);
            }
            break;
        }
        if !inner.trim().is_empty() {
            // Somebody left a comment there.
            break;
        }
        text = match here.split_last() {
            None => without_root(&text, &now, original),
            Some((name, above)) => without_member(&text, above, name)?,
        };
    }
    Ok(text)
}

/// The text without a member or an element of what is at a path.
pub(super) fn without_member(text: &str, above: &[String], name: &str) -> Result<String, String> {
    let Found::Here(at) = locate(text, above)? else { return Ok(text.to_owned()) };
    let index = at.items.iter().position(|place| place.name == name);
    Ok(index.and_then(|index| cut(text, &at, index)).unwrap_or_else(|| text.to_owned()))
}

fn without_root(text: &str, root: &Container, original: Option<&str>) -> String {
    let rest = format!("{}{}", &text[..root.open], &text[root.close + 1..]);
    match original {
        Some(original) if squeeze(original) == squeeze(&rest) => original.to_owned(),
        Some(_) => rest,
        None if rest.trim().is_empty() => String::new(),
        None => text.to_owned(),
    }
}

fn inside<'a>(text: &'a str, container: &Container) -> &'a str {
    &text[container.open + 1..container.close]
}

/// A text without its blanks.
fn squeeze(text: &str) -> String {
    text.split_whitespace().collect()
}
