//! The policy: below which directories files may be read, and which of them are withheld.

use std::fmt;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use readstone_base::{escape_name, plain_words};

use crate::os;
use crate::secrets::{Secrets, Watch};

/// What may be read.
#[derive(Debug)]
pub struct Policy {
    pub(crate) reach: Reach,
    pub(crate) secrets: Arc<Secrets>,
}

/// How far a path may lead.
#[derive(Debug)]
pub(crate) enum Reach {
    /// Anywhere the user may; relative paths start at this directory.
    Anywhere(PathBuf),
    /// Only below these directories; relative paths start at the first that has them.
    Below(Vec<Root>),
}

/// A directory below which files may be read, held open.
#[derive(Debug)]
pub struct Root {
    /// The directory as the operator spelled it.
    pub(crate) spelled: PathBuf,
    /// Its path without symbolic links.
    pub(crate) real: PathBuf,
    pub(crate) fd: OwnedFd,
}

/// A directory that cannot serve as a root.
#[derive(Debug)]
pub struct RootError {
    path: PathBuf,
    cause: io::Error,
}

impl fmt::Display for RootError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the root {} cannot be opened: {}", escape_name(self.path.as_os_str()), plain_words(&self.cause))
    }
}

impl std::error::Error for RootError {}

impl Root {
    /// Opens a root; a relative path starts at `directory`.
    pub fn open(directory: &Path, path: &Path) -> Result<Self, RootError> {
        let spelled = directory.join(path);
        let open = || {
            let fd = os::open_root(&spelled)?;
            let real = os::real_path(&fd).unwrap_or_else(|| spelled.clone());
            Ok(Self { spelled: spelled.clone(), real, fd })
        };
        open().map_err(|cause| RootError { path: path.to_owned(), cause })
    }

    /// Whether everything lies below this root, by whichever path it was named.
    pub fn is_everything(&self) -> bool {
        self.real == Path::new("/")
    }

    /// What is left of an absolute path below this root.
    pub(crate) fn strip<'a>(&self, path: &'a Path) -> Option<&'a Path> {
        path.strip_prefix(&self.spelled).or_else(|_| path.strip_prefix(&self.real)).ok()
    }
}

impl Policy {
    /// The user's own reach, from `directory`.
    pub fn anywhere(directory: PathBuf, secrets: impl Into<Arc<Secrets>>) -> Self {
        Self { reach: Reach::Anywhere(directory), secrets: secrets.into() }
    }

    /// Only what lies below `roots`; there must be one.
    pub fn below(roots: Vec<Root>, secrets: impl Into<Arc<Secrets>>) -> Self {
        Self { reach: Reach::Below(roots), secrets: secrets.into() }
    }

    /// The rule that forbids a path, judged by every name it has.
    pub(crate) fn denies(&self, names: &[&Path]) -> Option<String> {
        self.secrets.denies(&self.with_directories(names))
    }

    /// The rule of which the caller is warned.
    pub(crate) fn warns(&self, names: &[&Path]) -> Option<String> {
        self.secrets.warns(&self.with_directories(names))
    }

    /// Whether only the content of a file decides about it: it is called like a key, and no other rule speaks of it or of a
    /// directory that it lies in.
    pub fn is_key_file(&self, names: &[&Path]) -> bool {
        let is_key = |name: &Path| self.secrets.is_key_file(name);
        names.iter().any(|name| is_key(name)) && {
            let all = self.with_directories(names);
            let above = |name: &&Path| !names.contains(name) && is_key(name);
            !self.secrets.speaks(&all) && !all.iter().any(above)
        }
    }

    /// What the rules may withhold in a directory, by its path without links.
    pub(crate) fn watch<'a>(&'a self, directory: &'a Path) -> Watch<'a> {
        let watch = self.secrets.watch(directory);
        if self.denies(&[directory]).is_some() { watch.over_withheld() } else { watch }
    }

    /// Names, and those of the directories they lie in: what is withheld is withheld with all it holds. Where reading
    /// starts nothing is judged, nor above that: whoever named the place meant it.
    fn with_directories<'a>(&self, names: &[&'a Path]) -> Vec<&'a Path> {
        let is_start = |path: &Path| match &self.reach {
            Reach::Anywhere(directory) => directory.starts_with(path),
            Reach::Below(roots) => {
                roots.iter().any(|root| root.real.starts_with(path) || root.spelled.starts_with(path))
            }
        };
        let judged = |path: &&Path| !(path.as_os_str().is_empty() || path.is_absolute() && is_start(path));
        names.iter().flat_map(|name| name.ancestors().take_while(judged)).collect()
    }

    /// The directories that a search for a missing path may walk.
    pub fn search_roots(&self) -> Vec<PathBuf> {
        match &self.reach {
            Reach::Anywhere(directory) => vec![directory.clone()],
            Reach::Below(roots) => roots.iter().map(|root| root.real.clone()).collect(),
        }
    }

    /// A name for the place of work, under which a session is kept.
    pub fn place(&self) -> PathBuf {
        self.search_roots().into_iter().next().unwrap_or_default()
    }
}
