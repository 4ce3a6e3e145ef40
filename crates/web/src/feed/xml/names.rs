//! Which namespace a prefix stands for, with a bound on how many are remembered.

use quick_xml::events::BytesStart;

/// The namespaces that matter in feeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    /// None, or one of those of RSS.
    Plain,
    Atom,
    Dublin,
    Content,
    /// What arXiv adds to Atom.
    Paper,
    Other,
}

/// A part of a namespace's address that tells it from the others, its usual prefix, and what it is.
const SPACES: [(&str, &str, Space); 8] = [
    ("www.w3.org/2005/Atom", "atom", Space::Atom),
    ("purl.org/atom/", "atom03", Space::Atom),
    ("purl.org/rss/1.0/modules/content", "content", Space::Content),
    ("purl.org/rss/1.0/modules/", "syn", Space::Other),
    ("purl.org/rss/", "rss", Space::Plain),
    ("my.netscape.com/rdf/simple", "rss09", Space::Plain),
    ("purl.org/dc/", "dc", Space::Dublin),
    ("arxiv.org/schemas/atom", "arxiv", Space::Paper),
];
/// Declarations that are remembered at most.
const MOST: usize = 64;
/// Longer prefixes are not remembered.
const LONGEST_PREFIX: usize = 64;

/// The declarations that hold at a place in a document.
#[derive(Default)]
pub(super) struct Names {
    known: Vec<(usize, String, Option<Space>)>,
}

impl Names {
    /// Takes the declarations of an element that opens at some depth.
    pub(super) fn learn(&mut self, start: &BytesStart<'_>, depth: usize) {
        let mut attributes = start.attributes();
        for one in attributes.with_checks(false).flatten() {
            let key = one.key.into_inner();
            let prefix = if key == "xmlns" { Some("") } else { key.strip_prefix("xmlns:") };
            let Some(prefix) = prefix.filter(|prefix| prefix.len() <= LONGEST_PREFIX) else { continue };
            if self.known.len() < MOST {
                let space = SPACES.iter().find(|(part, _, _)| one.value.contains(part)).map(|known| known.2);
                self.known.push((depth, prefix.to_owned(), space));
            }
        }
    }

    /// Drops the declarations of the element that ends at some depth.
    pub(super) fn forget(&mut self, depth: usize) {
        while self.known.pop_if(|(at, _, _)| *at >= depth).is_some() {}
    }

    /// The namespace of an element.
    pub(super) fn space(&self, start: &BytesStart<'_>) -> Space {
        let name = start.name();
        let prefix = name.prefix().map_or("", |prefix| prefix.into_inner());
        match self.known.iter().rev().find(|(_, known, _)| known == prefix) {
            Some((_, _, Some(space))) => *space,
            // Some feeds declare a namespace of their own as the usual one.
            _ if prefix.is_empty() => Space::Plain,
            Some((_, _, None)) => Space::Other,
            None => SPACES.iter().find(|(_, usual, _)| *usual == prefix).map_or(Space::Other, |known| known.2),
        }
    }
}
