//! A folder that is read through a host of its own.

use std::cell::OnceCell;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use readstone_base::{Class, Fault, Limits, escape_name};
use readstone_host::{Entries, Entry, EntryKind, Host, Object, Opened, Policy, Root};
use readstone_source::{Finding, Nature, Opening, Sourced};

use crate::asked::Asked;
use crate::near::missing;
use crate::places::Guarded;

/// Entries of a folder that are looked at.
pub(crate) const MOST_ENTRIES: u64 = 20_000;

/// What is said where something else stands in the place of a folder.
pub(crate) const NO_DIRECTORY: &str = "what should be its folder is none";

/// A folder out of which nothing leads.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    host: Host,
    /// Where it lies below the root of its host.
    prefix: PathBuf,
}

impl Folder {
    /// A folder that the user or the operator named; `None` when there is none.
    pub(crate) fn named(places: &Guarded, path: &Path, limits: &Limits) -> Option<Self> {
        let root = Root::open(&places.project, path).ok()?;
        let secrets = places.secrets.clone()?;
        let host = Host::new(Policy::below(vec![root], secrets), None, limits.spool_bytes);
        Some(Self { host, prefix: PathBuf::new() })
    }

    /// A folder that need not be there yet; anything else that is wrong with it is told.
    pub(crate) fn perhaps(
        places: &Guarded,
        path: &Path,
        asked: &Asked<'_>,
        opening: &Opening<'_>,
    ) -> Result<Option<Self>, Fault> {
        if let Some(folder) = Self::named(places, path, opening.limits) {
            return Ok(Some(folder));
        }
        let Some(secrets) = places.secrets.clone() else {
            return Err(asked.no_folder("the globs of what is withheld cannot be read"));
        };
        let anywhere = Policy::anywhere(places.project.clone(), secrets);
        match Host::new(anywhere, None, opening.limits.spool_bytes).open(path, opening.budget) {
            Err(error) if error.is_missing() => Ok(None),
            Err(error) => Err(asked.refused(error)),
            Ok(_) => Err(asked.no_folder(NO_DIRECTORY)),
        }
    }

    /// What opens it.
    pub(crate) fn into_host(self) -> Host {
        self.host
    }

    /// A folder below this one; links in the way lead anywhere below the root of the host.
    pub(crate) fn below(&self, path: &Path) -> Self {
        Self { host: self.host.clone(), prefix: self.prefix.join(path) }
    }

    /// Opens something in it.
    pub(crate) fn open(&self, path: &Path, opening: &Opening<'_>) -> Result<Opened, readstone_host::Error> {
        // A slash at the end would ask for a directory where something else may stand.
        let path = if path.as_os_str().is_empty() { self.prefix.clone() } else { self.prefix.join(path) };
        self.host.open(if path.as_os_str().is_empty() { Path::new(".") } else { &path }, opening.budget)
    }

    /// Opens the first of some paths that is there; `None` when none is.
    pub(crate) fn first(
        &self,
        asked: &Asked<'_>,
        paths: impl IntoIterator<Item = PathBuf>,
        opening: &Opening<'_>,
    ) -> Result<Option<(PathBuf, Opened)>, Fault> {
        for path in paths {
            match self.open(&path, opening) {
                Ok(opened) => return Ok(Some((path, opened))),
                Err(error) if error.is_missing() && !error.is_broken_link() => {}
                Err(error) => return Err(asked.refused(error)),
            }
        }
        Ok(None)
    }

    /// The first bytes of a file in it, as text.
    pub(crate) fn head(&self, path: &Path, most: u64, opening: &Opening<'_>) -> Option<String> {
        let Ok(Opened { object: Object::File { blob, .. }, .. }) = self.open(path, opening) else {
            return None;
        };
        let size = blob.len().unwrap_or(most).min(most);
        Some(String::from_utf8_lossy(&blob.read_range(0, size).ok()?).into_owned())
    }

    /// Whether what is really called so may be named.
    pub(crate) fn may_name(&self, real: &Path) -> bool {
        self.host.may_name(real)
    }

    /// What is in a folder below it, as far as it may be named.
    pub(crate) fn entries(&self, path: &Path, opening: &Opening<'_>) -> Entries {
        let Ok(Opened { object: Object::Directory(directory), real, .. }) = self.open(path, opening) else {
            return Entries::default();
        };
        let mut entries = directory.entries(MOST_ENTRIES, opening.budget).unwrap_or_default();
        entries.retain(|entry| self.host.may_name(&real.join(entry.name)));
        entries
    }

    /// The files in a folder below it that end in one of these ways, with their sizes, in order: each by the name without
    /// the ending, spelled so that an address opens it. A link is listed where it leads to a file.
    pub(crate) fn stems(&self, path: &Path, endings: &[&str], opening: &Opening<'_>) -> Vec<(String, u64)> {
        let entries = self.entries(path, opening);
        let stem = |entry: Entry<'_>| {
            let size = self.size_of(path, &entry, opening)?;
            Some((spelled(stem_of(entry.name, endings)?), size))
        };
        let mut stems: Vec<_> = entries.iter().filter_map(stem).collect();
        stems.sort();
        stems
    }

    /// The size of an entry that is a file or a link to one that may be read.
    fn size_of(&self, path: &Path, entry: &Entry<'_>, opening: &Opening<'_>) -> Option<u64> {
        match entry.kind {
            EntryKind::File => Some(entry.size),
            EntryKind::Link => match self.open(&path.join(entry.name), opening).ok()?.object {
                Object::File { blob, .. } => blob.len(),
                Object::Directory(_) => None,
            },
            EntryKind::Directory
            | EntryKind::Fifo
            | EntryKind::Socket
            | EntryKind::CharacterDevice
            | EntryKind::BlockDevice
            | EntryKind::Unknown => None,
        }
    }
}

/// A name without the first of some endings that it has; `None` when it has none. What would lead elsewhere without its
/// ending keeps it.
pub(crate) fn stem_of<'a>(name: &'a OsStr, endings: &[&str]) -> Option<&'a OsStr> {
    let bytes = name.as_bytes();
    let stem =
        endings.iter().find_map(|ending| bytes.strip_suffix(ending.as_bytes()).filter(|stem| !stem.is_empty()))?;
    Some(if matches!(stem, b"." | b"..") { name } else { OsStr::from_bytes(stem) })
}

/// A name in the spelling of an address that asks no question: `?` begins one, and a colon in front is a selector.
fn spelled(name: &OsStr) -> String {
    let shown = escape_name(name);
    let asks = shown.contains('?') || shown.starts_with(':');
    match (asks, name == OsStr::new(&shown)) {
        (false, _) => shown,
        (true, true) => shown.replace('%', "%25").replace('?', "%3F").replace(':', "%3A"),
        (true, false) => shown.replace('?', "\\x3f").replace(':', "\\x3a"),
    }
}

/// Whether an entry may be a file.
pub(crate) fn is_file(kind: EntryKind) -> bool {
    matches!(kind, EntryKind::File | EntryKind::Link)
}

/// Whether an entry may be a directory.
pub(crate) fn is_directory(kind: EntryKind) -> bool {
    matches!(kind, EntryKind::Directory | EntryKind::Link)
}

/// What a path in a folder leads to. Where there is nothing called so, the endings are tried; `before` is what stands
/// before the path in its address.
pub(crate) struct Step<'a> {
    pub(crate) before: &'a str,
    pub(crate) path: &'a str,
    pub(crate) endings: &'a [&'a str],
    pub(crate) nature: Nature,
}

impl Folder {
    /// Follows a path.
    pub(crate) fn follow(&self, asked: &Asked<'_>, step: &Step<'_>, opening: &Opening<'_>) -> Result<Sourced, Fault> {
        match self.find(asked, step, opening)? {
            Some(found) => Ok(found),
            None => Err(missing(asked, asked.path, || self.beside(step, opening))),
        }
    }

    /// Follows a path; `None` when there is nothing.
    pub(crate) fn find(
        &self,
        asked: &Asked<'_>,
        step: &Step<'_>,
        opening: &Opening<'_>,
    ) -> Result<Option<Sourced>, Fault> {
        for ending in std::iter::once(&"").chain(step.endings) {
            let paths = asked.paths(step.path)?.into_iter().map(|path| with_ending(path, ending));
            if let Some((_, opened)) = self.first(asked, paths, opening)? {
                let path = format!("{}{}{ending}", step.before, step.path);
                let found = asked.found(&path, Finding::Opened(opened), step.nature);
                return Ok(Some(Sourced { host: Some(self.host.clone()), ..found }));
            }
        }
        Ok(None)
    }

    /// The names beside a path that is not there.
    fn beside(&self, step: &Step<'_>, opening: &Opening<'_>) -> Vec<String> {
        let above = step.path.rsplit_once('/').map_or("", |(above, _)| above);
        let slash = if above.is_empty() { "" } else { "/" };
        let entries = self.entries(Path::new(above), opening);
        let shown = |name: &OsStr| format!("{}{above}{slash}{}", step.before, escape_name(name));
        let mut names: Vec<String> =
            entries.iter().filter(|entry| !is_hidden(entry.name)).map(|entry| shown(entry.name)).collect();
        names.sort();
        names
    }
}

/// Whether a name is one that programs keep for themselves.
pub(crate) fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// A path with something behind its last name.
pub(crate) fn with_ending(path: PathBuf, ending: &str) -> PathBuf {
    let mut text = path.into_os_string();
    text.push(ending);
    PathBuf::from(text)
}

/// Where things of one kind are looked for.
#[derive(Clone, Debug)]
pub(crate) enum Ground {
    /// Below the working root, whose files may be anybody's: links lead nowhere outside of it.
    Project(PathBuf),
    /// A folder of the user or the operator, whose own links are followed.
    Own(PathBuf),
}

/// Opens grounds, the working root once for all of them.
#[derive(Debug)]
pub(crate) struct Grounds<'a> {
    places: &'a Guarded,
    opening: &'a Opening<'a>,
    asked: &'a Asked<'a>,
    project: OnceCell<Option<Folder>>,
    /// Why one of them, or something in one, could not be opened although it is there.
    refused: OnceCell<Fault>,
}

impl<'a> Grounds<'a> {
    pub(crate) fn new(places: &'a Guarded, asked: &'a Asked<'a>, opening: &'a Opening<'a>) -> Self {
        Self { places, opening, asked, project: OnceCell::new(), refused: OnceCell::new() }
    }

    /// Passes over what may not be opened or leads nowhere, so that the next ground counts; anything else that is wrong
    /// ends the search. The first that was passed over is told where nothing else is found.
    pub(crate) fn pass<T>(&self, opened: Result<Option<T>, Fault>) -> Result<Option<T>, Fault> {
        match opened {
            Err(fault) if matches!(fault.class(), Class::Denied | Class::Missing) => {
                drop(self.refused.set(fault));
                Ok(None)
            }
            other => other,
        }
    }

    /// The folder that a ground is. One that may not be opened hides none of the others.
    pub(crate) fn folder(&self, ground: &Ground) -> Option<Folder> {
        match ground {
            Ground::Project(path) => {
                let project = || Folder::named(self.places, Path::new(""), self.opening.limits);
                let folder = self.project.get_or_init(project).as_ref()?.below(path);
                match folder.open(Path::new(""), self.opening) {
                    Ok(_) => Some(folder),
                    Err(error) if error.is_missing() => None,
                    Err(error) => {
                        drop(self.refused.set(self.asked.refused(error)));
                        None
                    }
                }
            }
            Ground::Own(path) => Folder::named(self.places, path, self.opening.limits),
        }
    }

    /// The folder called so in a ground.
    pub(crate) fn inside(&self, ground: &Ground, name: &Path) -> Option<Folder> {
        match ground {
            Ground::Project(_) => self.folder(ground).map(|folder| folder.below(name)),
            Ground::Own(path) => self.folder(&Ground::Own(path.join(name))),
        }
    }

    /// That nothing was found: because a ground may not be opened, or because there is nothing.
    pub(crate) fn nothing(self, missing: impl FnOnce(&Self) -> Fault) -> Fault {
        // Another way to read the address is tried only where something is missing.
        if self.refused.get().is_none() || !self.asked.is_last() {
            return missing(&self);
        }
        let asked = self.asked;
        self.refused.into_inner().unwrap_or_else(|| asked.bad("it leads nowhere"))
    }
}
