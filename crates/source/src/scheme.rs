//! Addresses with a scheme: the web, and what a session holds.

use std::path::PathBuf;

use readstone_address::Reading;
use readstone_base::{Fault, Note, Web};
use readstone_host::{Host, Opened};

use crate::content::Content;
use crate::opening::{Opening, Piece};

/// Where addresses with a scheme lead.
pub trait Sources: Send + Sync + std::fmt::Debug {
    /// Opens what a reading of such an address names.
    fn open(&self, reading: &Reading, opening: &Opening<'_>) -> Result<Sourced, Fault>;

    /// Where something is put that is written under such an address; none where nothing can be written.
    fn ground(&self, _address: &str, _opening: &Opening<'_>) -> Result<Option<Ground>, Fault> {
        Ok(None)
    }
}

/// Where something is put that is written under an address with a scheme.
#[derive(Debug)]
pub struct Ground {
    /// What opens it there.
    pub host: Host,
    /// The path there.
    pub path: PathBuf,
}

/// One scheme of addresses.
pub trait Scheme: Send + Sync + std::fmt::Debug {
    /// Its name, as it stands before `://`.
    fn name(&self) -> &'static str;

    /// The forms of its addresses, for whoever got one wrong: `skill://NAME[/PATH]`.
    fn form(&self) -> &'static str;

    /// Opens what an address names. `rest` is what stands behind `://`, without the tail of the reading.
    fn open(&self, rest: &str, reading: &Reading, opening: &Opening<'_>) -> Result<Sourced, Fault>;

    /// Where something is put that is written under an address; none where nothing can be written.
    fn ground(&self, _rest: &str, _opening: &Opening<'_>) -> Result<Option<Ground>, Fault> {
        Ok(None)
    }
}

/// What an address with a scheme led to.
#[derive(Debug)]
pub struct Sourced {
    /// The address that opens it again, without a selector.
    pub path: String,
    /// What it is.
    pub found: Finding,
    /// What of the address is still to be followed.
    pub tail: Option<String>,
    /// What can be done with it.
    pub nature: Nature,
    /// What must be said of it.
    pub notes: Vec<Note>,
    /// Where it came from, when others wrote it.
    pub web: Option<Web>,
    /// What opened it, and opens what stands beside it; none when that is the host of all files.
    pub host: Option<Host>,
}

impl Sourced {
    /// Something that cannot be changed, with all of its tail still to be followed.
    pub fn fixed(path: String, found: Finding, reading: &Reading) -> Self {
        let tail = reading.tail.clone();
        Self { path, found, tail, nature: Nature::Fixed, notes: Vec::new(), web: None, host: None }
    }
}

/// What an address with a scheme can be.
#[derive(Debug)]
pub enum Finding {
    /// A file or a directory.
    Opened(Opened),
    /// Bytes, which may hold further things.
    Piece(Piece),
    /// Something that is shown as it is.
    Content(Content),
}

/// What can be done with what was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// It can be edited under its tag.
    Editable,
    /// It cannot be changed, and has no tag.
    Fixed,
    /// The same, and it is shown whole unless a part is asked for.
    Whole,
    /// A value taken out of something: it is shown whole, and no part of it can be asked for.
    Value,
}

/// What a session keeps by name. It may forget the oldest things of a drawer.
pub trait Drawers: Send + Sync {
    /// The name of the session.
    fn session(&self) -> &str;

    /// Puts something under a name, in the place of what was there.
    fn put(&self, drawer: Drawer, name: &str, bytes: &[u8]);

    /// What is kept under a name.
    fn get(&self, drawer: Drawer, name: &str) -> Option<Vec<u8>>;

    /// The first bytes of what is kept under a name, no more than so many; who wants only these need not wait for all.
    fn beginning(&self, drawer: Drawer, name: &str, most: usize) -> Option<Vec<u8>> {
        let mut bytes = self.get(drawer, name)?;
        bytes.truncate(most);
        Some(bytes)
    }

    /// Keeps something under the next number from 1 on, or gives the number under which the same bytes are kept already.
    fn add(&self, drawer: Drawer, bytes: &[u8]) -> Option<u64>;

    /// The names of what is kept, the oldest first.
    fn names(&self, drawer: Drawer) -> Vec<String>;
}

/// Where a session keeps things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Drawer {
    /// What was fetched.
    Pages,
    /// Texts of which a reply showed a part.
    Artifacts,
    /// Merge conflicts that were shown.
    Conflicts,
    /// What edits and writes replaced.
    Changes,
}

impl Drawer {
    /// The word under which a store keeps it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pages => "pages",
            Self::Artifacts => "artifacts",
            Self::Conflicts => "conflicts",
            Self::Changes => "changes",
        }
    }
}

/// Nothing is kept.
#[derive(Clone, Copy, Debug)]
pub struct NoDrawers;

impl Drawers for NoDrawers {
    fn session(&self) -> &'static str {
        ""
    }

    fn put(&self, _: Drawer, _: &str, _: &[u8]) {}

    fn get(&self, _: Drawer, _: &str) -> Option<Vec<u8>> {
        None
    }

    fn add(&self, _: Drawer, _: &[u8]) -> Option<u64> {
        None
    }

    fn names(&self, _: Drawer) -> Vec<String> {
        Vec::new()
    }
}

/// Whether a copy that is kept will do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fresh {
    /// The source is asked whether it changed.
    #[default]
    Ask,
    /// A part of what was shown is asked for: the copy is what it is a part of.
    Keep,
}

/// No address with a scheme leads anywhere.
#[derive(Clone, Copy, Debug)]
pub struct NoSources;

impl Sources for NoSources {
    fn open(&self, reading: &Reading, _: &Opening<'_>) -> Result<Sourced, Fault> {
        let address = reading.place.as_str().to_owned();
        Err(Box::new(crate::error::Error::Unsupported { address }))
    }
}
