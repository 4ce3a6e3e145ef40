//! Rows of a listing: a directory on disk or in an archive, the tables of a database.

/// A row of a directory tree.
#[derive(Clone, Debug)]
pub struct TreeRow {
    /// 0 for a child of the directory itself, 1 for its children.
    pub depth: usize,
    /// The name, shown so that it can be read back.
    pub name: String,
    /// What the entry is.
    pub size: TreeSize,
    /// When it was changed.
    pub when: When,
    /// What is odd about it.
    pub marks: Vec<Mark>,
}

/// When an entry was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// That is not known.
    Unknown,
    /// So many seconds ago; negative for a time in the future.
    Ago(i64),
    /// At this moment, in seconds since the epoch, by the clock of whoever made the entry.
    At(i64),
}

/// What is odd about an entry of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Several entries have this name; this one opens by this address.
    SameName(String),
    /// The name leads out of the archive; the entry opens by this address.
    UnsafeName(String),
    /// The name is cut; the entry opens by this address, where there is one.
    LongName(Option<String>),
    /// It is encrypted.
    Encrypted,
    /// It is packed in a way that cannot be read.
    Unsupported(String),
    /// Its bytes are those of another entry too.
    Overlaps,
    /// It cannot be read.
    Damaged,
}

/// What an entry of a directory tree is, as far as it is shown.
#[derive(Clone, Debug)]
pub enum TreeSize {
    /// A directory.
    Directory,
    /// A directory that was not opened, and why.
    Closed(&'static str),
    /// A regular file of this many bytes.
    File(u64),
    /// A symbolic link to this target.
    Link(String),
    /// A table with so many rows.
    Rows(u64),
    /// A table with at least so many rows.
    AtLeast(u64),
    /// A table whose rows were not counted, and why.
    Uncounted(&'static str),
    /// A stored query.
    View,
    /// Something else: `fifo`, `socket`, `character device`, `block device`.
    Special(&'static str),
    /// An entry that cannot be looked at, and why.
    Unreadable(&'static str),
    /// Entries that are not shown here, and the address that shows them.
    More {
        /// How many there are.
        count: u64,
        /// The address that shows them.
        address: String,
    },
}
