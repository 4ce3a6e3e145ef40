//! A store keeps texts. It has few methods, because a fleet will one day put it on a shared server.

use std::path::Path;

use readstone_base::{Tag, Version};

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

/// What a text takes beside its bytes.
pub(crate) const OVERHEAD: u64 = 256;

/// Where texts are kept, by session and file. A store may forget: whatever it lost is read again.
pub trait Store: Send + Sync + std::fmt::Debug {
    /// Keeps a text, forgetting old ones beyond `most` bytes.
    fn keep(&self, session: &str, path: &Path, text: Text<'_>, most: u64);

    /// The newest text of a file that has this tag.
    fn recall(&self, session: &str, path: &Path, tag: Tag) -> Option<Snapshot>;
}
