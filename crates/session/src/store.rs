//! A store keeps texts. It has few methods, because a fleet will one day put it on a shared server.

use std::path::Path;

use readstone_base::{Span, Tag, Version};
use readstone_source::Drawer;

/// A version of a file that was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The hash of its bytes.
    pub version: Version,
    /// Its bytes, where they are not too many to be kept.
    pub bytes: Option<Vec<u8>>,
    /// The lines of it that were shown.
    pub shown: Vec<Span>,
}

/// A version of a file that is shown, to be kept.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    /// The hash of its bytes.
    pub version: Version,
    /// Its bytes, where they are not too many to be kept.
    pub bytes: Option<&'a [u8]>,
    /// The lines of it that are shown.
    pub shown: &'a [Span],
}

impl Text<'_> {
    /// What it takes to keep it.
    pub(crate) fn size(&self) -> u64 {
        self.bytes.map_or(0, <[u8]>::len) as u64 + OVERHEAD
    }
}

/// All of some spans, sorted and merged.
pub(crate) fn union(some: &[Span], others: &[Span]) -> Vec<Span> {
    Span::merge(some.iter().chain(others).copied().collect())
}

/// A drawer of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// The name of the session.
    pub session: &'a str,
    /// The drawer.
    pub drawer: Drawer,
}

/// What a text takes beside its bytes.
pub(crate) const OVERHEAD: u64 = 256;

/// Drawers of which the last number is remembered, those aside that hold something.
pub(crate) const MOST_NUMBERS: usize = 4_096;

/// Whether something leaves room for others in a drawer of so many bytes.
pub(crate) fn fits(bytes: &[u8], most: u64) -> bool {
    bytes.len() as u64 + OVERHEAD <= most
}

/// Where texts are kept, by session and file. A store may forget: whatever it lost is read again.
pub trait Store: Send + Sync + std::fmt::Debug {
    /// Whether what it keeps is still there when the process has ended.
    fn lasts(&self) -> bool {
        false
    }

    /// Keeps a version, or adds to the lines of it that were shown, forgetting old ones beyond `most` bytes.
    fn keep(&self, session: &str, path: &Path, text: Text<'_>, most: u64);

    /// Puts something into a drawer of a session under a name, in the place of what was there. Beyond `most` bytes the
    /// oldest things are forgotten of the session that has most in such a drawer; what is larger is not kept.
    fn put(&self, place: Place<'_>, name: &str, bytes: &[u8], most: u64);

    /// What a drawer holds under a name.
    fn get(&self, place: Place<'_>, name: &str) -> Option<Vec<u8>>;

    /// The first bytes of what a drawer holds under a name, no more than so many.
    fn beginning(&self, place: Place<'_>, name: &str, most: usize) -> Option<Vec<u8>> {
        let mut bytes = self.get(place, name)?;
        bytes.truncate(most);
        Some(bytes)
    }

    /// Puts something into a drawer under the next number, unless the same bytes are there already; gives its number, or
    /// none when it is too large. A drawer in which nothing is left, and nothing was put for long, may begin at one again.
    fn add(&self, place: Place<'_>, bytes: &[u8], most: u64) -> Option<u64>;

    /// The names in a drawer, the oldest first.
    fn names(&self, place: Place<'_>) -> Vec<String>;

    /// The version of a file that has this tag and was shown in a session, the last one where there are several.
    fn recall(&self, session: &str, path: &Path, tag: Tag) -> Option<Snapshot>;

    /// The versions of a file that have this tag, in whichever session they were shown.
    fn versions(&self, path: &Path, tag: Tag) -> Vec<Version>;
}
