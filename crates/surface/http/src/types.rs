//! Types: the media type of a file, by its extension.

use std::path::Path;

/// An extension and its media type on every line, sorted by extension. It is one text, because a table of strings would
/// be written to whenever the program starts. The types are those of the crate `mime_guess` 2.0.5 (MIT).
const TYPES: &str = include_str!("types.txt");

/// The type of bytes of which nothing is known.
const ANY: &str = "application/octet-stream";

/// The media type that a file is sent with.
pub(crate) fn media_type(path: &str) -> &'static str {
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str());
    extension.and_then(|extension| find(&extension.to_ascii_lowercase())).unwrap_or(ANY)
}

/// Searches by halves: the lines are sorted.
fn find(extension: &str) -> Option<&'static str> {
    let mut rest = TYPES;
    while !rest.is_empty() {
        let half = rest.floor_char_boundary(rest.len() / 2);
        let start = rest.get(..half)?.rfind('\n').map_or(0, |end| end + 1);
        let (before, from) = rest.split_at_checked(start)?;
        let (line, behind) = from.split_once('\n')?;
        let (known, media) = line.split_once(' ')?;
        rest = match extension.cmp(known) {
            std::cmp::Ordering::Less => before,
            std::cmp::Ordering::Equal => return Some(media),
            std::cmp::Ordering::Greater => behind,
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_found_by_its_extension() {
        let lines: Vec<_> = TYPES.lines().collect();
        assert!(lines.len() > 1_000 && lines.is_sorted());
        for line in lines {
            let (extension, media) = line.split_once(' ').expect("two words");
            assert_eq!(media_type(&format!("a/b.{}", extension.to_ascii_uppercase())), media);
        }
    }

    #[test]
    fn what_is_not_known_is_bytes() {
        for path in ["", "a", "a.", ".png", "a.nothing", "a.png/b", "a.\n", "a.png\u{e9}"] {
            assert_eq!(media_type(path), ANY, "{path}");
        }
    }
}
