//! A store keeps texts. It has few methods, because a fleet will one day put it on a shared server.

use std::path::Path;

use readstone_base::{Tag, Version};
use readstone_source::Drawer;

/// A text that was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The hash of its bytes.
    pub version: Version,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// A text that is shown, to be kept.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    /// The hash of its bytes.
    pub version: Version,
    /// Its bytes.
    pub bytes: &'a [u8],
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

    /// Keeps a text, forgetting old ones beyond `most` bytes.
    fn keep(&self, session: &str, path: &Path, text: Text<'_>, most: u64);

    /// Puts something into a drawer of a session under a name, in the place of what was there. Beyond `most` bytes the
    /// oldest things are forgotten of the session that has most in such a drawer; what is larger is not kept.
    fn put(&self, place: Place<'_>, name: &str, bytes: &[u8], most: u64);

    /// What a drawer holds under a name.
    fn get(&self, place: Place<'_>, name: &str) -> Option<Vec<u8>>;

    /// Puts something into a drawer under the next number, unless the same bytes are there already; gives its number, or
    /// none when it is too large.
    fn add(&self, place: Place<'_>, bytes: &[u8], most: u64) -> Option<u64>;

    /// The names in a drawer, the oldest first.
    fn names(&self, place: Place<'_>) -> Vec<String>;

    /// The newest text of a file that has this tag.
    fn recall(&self, session: &str, path: &Path, tag: Tag) -> Option<Snapshot>;
}
