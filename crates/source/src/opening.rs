//! What is at hand while something is opened: limits, time, what was found out before.

use std::any::Any;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use readstone_base::{Blob, Budget, Fault, Limits, Stamp, Workshop};

use crate::container::Container;
use crate::scheme::{Drawers, Fresh, NoDrawers, NoSources, Sources};

/// What a container works with while it is opened and entered.
#[derive(Clone, Copy)]
pub struct Opening<'a> {
    /// The limits in force.
    pub limits: &'a Limits,
    /// The time of the call.
    pub budget: &'a Budget,
    /// What was found out before.
    pub shelf: &'a dyn Shelf,
    /// The formats there are.
    pub formats: &'a dyn Formats,
    /// What the policy says of names inside containers.
    pub judge: &'a dyn Judge,
    /// Where documents and pictures are worked on.
    pub works: &'a Arc<dyn Workshop>,
    /// How pictures are shown.
    pub pictures: Pictures,
    /// What lies beyond files.
    pub beyond: Beyond<'a>,
}

/// What lies beyond files: the web, and what a session holds.
#[derive(Clone, Copy)]
pub struct Beyond<'a> {
    /// Where addresses with a scheme lead.
    pub sources: &'a dyn Sources,
    /// What the session keeps by name.
    pub drawers: &'a dyn Drawers,
    /// Whether a copy of what was fetched will do.
    pub fresh: Fresh,
}

impl Beyond<'_> {
    /// Nothing lies there.
    pub fn nothing() -> Self {
        Self { sources: &NoSources, drawers: &NoDrawers, fresh: Fresh::Ask }
    }
}

/// How pictures are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pictures {
    /// As pictures, with a line about them.
    #[default]
    Shown,
    /// By a line about them alone.
    Described,
}

impl fmt::Debug for Opening<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opening").field("budget", self.budget).finish_non_exhaustive()
    }
}

/// The formats that hold further things.
pub trait Formats: Send + Sync {
    /// Opens a piece as a container, when it is one. `tail` is what the address says behind it; it matters only for
    /// bytes that are something else at first sight and hold an archive at their end.
    fn container(
        &self,
        piece: &Piece,
        tail: Option<&str>,
        opening: &Opening<'_>,
    ) -> Result<Option<Arc<dyn Container>>, Fault>;

    /// An error of reading bytes that a format gave, as the failure of whoever asked for `path`.
    fn unreadable(&self, path: &str, cause: io::Error) -> Fault {
        Box::new(readstone_host::Error::from_io(path, cause))
    }
}

/// What the policy says of names inside containers.
pub trait Judge: Send + Sync {
    /// The rule that withholds a name.
    fn denies(&self, name: &Path) -> Option<String>;

    /// The rule for secrets of which whoever reads something called so must be warned.
    fn warns(&self, _name: &Path) -> Option<String> {
        None
    }

    /// Whether a name is withheld only because it is that of a key; `shown` tells whether the key is public.
    fn is_key_file(&self, _name: &Path) -> bool {
        false
    }

    /// Whether credentials are masked in something called so.
    fn masks(&self, _name: &Path) -> bool {
        false
    }

    /// The bytes of something called so as they are shown: credentials in a git configuration are covered.
    fn shown(&self, _name: &Path, blob: Arc<dyn Blob>) -> io::Result<Arc<dyn Blob>> {
        Ok(blob)
    }
}

/// Keeps what was found out about bytes that have not changed since. It may forget anything at any time.
pub trait Shelf: Send + Sync {
    /// What is kept of these bytes under a name.
    fn take(&self, of: Stamp, what: &'static str) -> Option<Arc<dyn Any + Send + Sync>>;

    /// Keeps something that takes about so many bytes, forgetting older things if need be. Kept again, it replaces
    /// what was kept before.
    fn put(&self, of: Stamp, what: &'static str, thing: Arc<dyn Any + Send + Sync>, bytes: u64);
}

/// Keeps nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoShelf;

impl Shelf for NoShelf {
    fn take(&self, _: Stamp, _: &'static str) -> Option<Arc<dyn Any + Send + Sync>> {
        None
    }

    fn put(&self, _: Stamp, _: &'static str, _: Arc<dyn Any + Send + Sync>, _: u64) {}
}

/// Withholds nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoJudge;

impl Judge for NoJudge {
    fn denies(&self, _: &Path) -> Option<String> {
        None
    }
}

/// Knows no format.
#[derive(Clone, Copy, Debug)]
pub struct NoFormats;

impl Formats for NoFormats {
    fn container(&self, _: &Piece, _: Option<&str>, _: &Opening<'_>) -> Result<Option<Arc<dyn Container>>, Fault> {
        Ok(None)
    }
}

/// Bytes on the way from an address to its content: a file, or something inside one.
#[derive(Clone)]
pub struct Piece {
    /// The bytes.
    pub blob: Arc<dyn Blob>,
    /// The address that leads to them.
    pub path: String,
    /// Their own name, without what leads to it.
    pub name: String,
    /// Who they are, where that can be told; what is found out about them is kept under it.
    pub stamp: Option<Stamp>,
    /// Opens what stands beside them under their name with something behind it, as the log of a database does.
    pub beside: Arc<dyn Beside>,
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Piece").field("path", &self.path).field("blob", &self.blob).finish_non_exhaustive()
    }
}

/// Opens what stands beside a piece.
pub trait Beside: Send + Sync {
    /// The bytes called like the piece with `suffix` behind its name; `None` when there are none.
    fn open(&self, suffix: &str) -> Result<Option<Arc<dyn Blob>>, Fault>;
}

/// Nothing stands beside it.
#[derive(Clone, Copy, Debug)]
pub struct Alone;

impl Beside for Alone {
    fn open(&self, _: &str) -> Result<Option<Arc<dyn Blob>>, Fault> {
        Ok(None)
    }
}

impl Piece {
    /// The piece called `name` inside this one, at the address `path`.
    #[must_use]
    pub fn inner(&self, blob: Arc<dyn Blob>, path: String, name: &str) -> Self {
        let stamp = self.stamp.map(|stamp| stamp.part(name.as_bytes()));
        let own = name.rsplit('/').next().unwrap_or(name).to_owned();
        Self { blob, path, name: own, stamp, beside: Arc::new(Alone) }
    }
}

impl<'a> Opening<'a> {
    /// With nothing at hand but limits, time and where work is done.
    pub fn bare(limits: &'a Limits, budget: &'a Budget, works: &'a Arc<dyn Workshop>) -> Self {
        let (pictures, beyond) = (Pictures::default(), Beyond::nothing());
        Self { limits, budget, shelf: &NoShelf, formats: &NoFormats, judge: &NoJudge, works, pictures, beyond }
    }

    /// What is kept of a piece under a name, when it is of this type.
    pub fn known<T: Any + Send + Sync>(&self, of: Option<Stamp>, what: &'static str) -> Option<Arc<T>> {
        self.shelf.take(of?, what)?.downcast().ok()
    }

    /// Keeps something about a piece.
    pub fn keep<T: Any + Send + Sync>(&self, of: Option<Stamp>, what: &'static str, thing: Arc<T>, bytes: u64) {
        if let Some(of) = of {
            self.shelf.put(of, what, thing, bytes);
        }
    }
}
