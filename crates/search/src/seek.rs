//! The files below a directory that hold a match, in the order of the walk.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use readstone_base::{Holds, Limits, escape_name};
use readstone_host::{EntryKind, may_show_less};
use readstone_source::{Batch, Turn, Visit, Walk, Walked, walk};

use crate::glob::Globs;
use crate::pattern::Pattern;
use crate::scan::{Extent, Look, Scanner};

/// What is sought.
#[derive(Clone, Copy)]
pub struct Seek<'a> {
    /// What a file must hold.
    pub pattern: &'a Pattern,
    /// The limits in force.
    pub limits: &'a Limits,
    /// Which files below the trunk are meant; all when there are none.
    pub globs: Option<&'a Globs>,
    /// With so many files the search ends.
    pub enough: usize,
}

impl std::fmt::Debug for Seek<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Seek").field("enough", &self.enough).finish_non_exhaustive()
    }
}

/// What was found.
#[derive(Debug, Default)]
pub struct Sought {
    /// Files that hold a match, and those that only others can look into, in the order of the walk. There may be more
    /// of them than are enough.
    pub files: Vec<Candidate>,
    /// How many files were looked into.
    pub looked: u64,
    /// Files that are no text.
    pub binary: u64,
    /// Documents, archives and databases, which are searched by naming them.
    pub closed: u64,
    /// The first of these.
    pub closed_path: Option<PathBuf>,
    /// Files that could not be read.
    pub unreadable: u64,
    /// Symbolic links, which are not followed.
    pub links: u64,
    /// Named pipes, sockets and devices, which are never opened.
    pub special: u64,
    /// A file that was searched in pieces, where there is one.
    pub in_pieces: Option<PathBuf>,
    /// How the walk went.
    pub walked: Walked,
}

/// A file that holds a match, or may hold one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its path, from the trunk on.
    pub path: PathBuf,
    /// Whether it was looked into.
    pub certain: Certain,
}

/// Whether a file was looked into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certain {
    /// It holds a match.
    Yes,
    /// Its text must be made first.
    Unknown,
}

/// Files that a thread takes at once: large ones are shared, and small ones cost more than taking them.
const GRAIN: usize = 2;

/// Seeks files.
pub fn seek(trees: &Walk<'_>, seek: &Seek<'_>) -> Sought {
    let seeker = Seeker { seek: *seek, trees, state: Mutex::default(), spare: Mutex::default() };
    let walked = walk(trees, &seeker);
    let State { found, tally, .. } = seeker.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    let files = found.into_values().collect();
    let closed_path = tally.closed_path.map(|(_, path)| path);
    let in_pieces = tally.in_pieces.map(|(_, path)| path);
    let Tally { looked, binary, closed, unreadable, links, special, .. } = tally;
    Sought { files, looked, binary, closed, closed_path, unreadable, links, special, in_pieces, walked }
}

struct Seeker<'a> {
    seek: Seek<'a>,
    trees: &'a Walk<'a>,
    state: Mutex<State>,
    /// Scanners that no thread uses right now.
    spare: Mutex<Vec<Scanner<'a>>>,
}

#[derive(Default)]
struct State {
    found: BTreeMap<Turn, Candidate>,
    /// How many of them are certain.
    certain: usize,
    tally: Tally,
}

/// What one batch of files came to.
#[derive(Default)]
struct Tally {
    looked: u64,
    binary: u64,
    closed: u64,
    closed_path: Option<(Turn, PathBuf)>,
    unreadable: u64,
    links: u64,
    special: u64,
    in_pieces: Option<(Turn, PathBuf)>,
}

impl Tally {
    /// Counts a file that is searched by naming it.
    fn close(&mut self, batch: &Batch<'_>, name: &OsStr) -> Option<Certain> {
        self.closed += 1;
        earlier(&mut self.closed_path, Some(spot(batch, name)));
        None
    }

    fn add(&mut self, other: Self) {
        self.looked += other.looked;
        self.binary += other.binary;
        self.closed += other.closed;
        self.unreadable += other.unreadable;
        self.links += other.links;
        self.special += other.special;
        earlier(&mut self.closed_path, other.closed_path);
        earlier(&mut self.in_pieces, other.in_pieces);
    }
}

/// Where a file comes in the walk, and its path.
fn spot(batch: &Batch<'_>, name: &OsStr) -> (Turn, PathBuf) {
    (Turn::of(batch.below, name), batch.below.join(name))
}

/// Keeps the one that comes first in the walk.
fn earlier(kept: &mut Option<(Turn, PathBuf)>, other: Option<(Turn, PathBuf)>) {
    if let Some(other) = other
        && kept.as_ref().is_none_or(|kept| other.0 < kept.0)
    {
        *kept = Some(other);
    }
}

impl Seeker<'_> {
    /// Looks into one file.
    fn look(&self, scanner: &mut Scanner<'_>, batch: &Batch<'_>, name: &OsStr, tally: &mut Tally) -> Option<Certain> {
        let inside = by_name(name);
        match inside {
            Inside::Made => return Some(Certain::Unknown),
            Inside::Written => return tally.close(batch, name),
            Inside::Packed | Inside::Plain => {}
        }
        let looked = batch.directory.file(name).and_then(|file| match self.judged_by_content(batch, name) {
            Some(path) => scanner.look(&*self.trees.host.shown(&path, Arc::new(file))?, batch.budget),
            None => scanner.look(&file, batch.budget),
        });
        tally.looked += 1;
        let Ok(looked) = looked else {
            tally.unreadable += 1;
            return None;
        };
        match looked {
            Look::Match => Some(Certain::Yes),
            Look::NoMatch(Extent::Whole) | Look::Stopped(_) => None,
            Look::NoMatch(Extent::InPieces) => {
                earlier(&mut tally.in_pieces, Some(spot(batch, name)));
                None
            }
            Look::Binary if inside == Inside::Packed => tally.close(batch, name),
            Look::Binary => {
                tally.binary += 1;
                None
            }
        }
    }

    /// The path of a file of which less may be shown than it holds.
    fn judged_by_content(&self, batch: &Batch<'_>, name: &OsStr) -> Option<PathBuf> {
        may_show_less(name).then(|| self.trees.trunk.real.join(batch.below).join(name))
    }

    /// Whether enough files that come before this entry are known.
    fn has_enough(&self, below: &Path, name: &OsStr) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.certain >= self.seek.enough
            && state
                .found
                .range(..Turn::of(below, name))
                .filter(|(_, file)| file.certain == Certain::Yes)
                .nth(self.seek.enough - 1)
                .is_some()
    }
}

impl Visit for Seeker<'_> {
    fn grain(&self) -> usize {
        GRAIN
    }

    fn wants(&self, below: &Path) -> bool {
        !self.has_enough(below, OsStr::new(""))
    }

    fn entries(&self, batch: &Batch<'_>) {
        let Some(first) = batch.entries.first() else { return };
        if self.has_enough(batch.below, first.name) {
            return;
        }
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut scanner = spare.unwrap_or_else(|| Scanner::new(self.seek.pattern, self.seek.limits));
        let mut tally = Tally::default();
        let mut found = Vec::new();
        let mut within = self.seek.globs.map(|globs| globs.within(batch.below));
        for entry in batch.entries {
            let mut meant = || within.as_mut().is_none_or(|within| within.matches(entry.name, entry.kind));
            match entry.kind {
                // The walk has asked the budget before this batch, and the scanner asks it while it reads a large file.
                EntryKind::File if meant() => {
                    found
                        .extend(self.look(&mut scanner, batch, entry.name, &mut tally).map(|certain| (entry, certain)));
                }
                EntryKind::Link if meant() => tally.links += 1,
                EntryKind::Fifo
                | EntryKind::Socket
                | EntryKind::CharacterDevice
                | EntryKind::BlockDevice
                | EntryKind::Unknown
                    if meant() =>
                {
                    tally.special += 1;
                }
                EntryKind::File
                | EntryKind::Link
                | EntryKind::Directory
                | EntryKind::Fifo
                | EntryKind::Socket
                | EntryKind::CharacterDevice
                | EntryKind::BlockDevice
                | EntryKind::Unknown => {}
            }
        }
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).push(scanner);
        let progress = batch.budget.progress();
        progress.look(tally.looked);
        progress.find(found.len() as u64);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.tally.add(tally);
        for (entry, certain) in found {
            state.certain += usize::from(certain == Certain::Yes);
            let candidate = Candidate { path: batch.below.join(entry.name), certain };
            if progress.wants_names() {
                progress.name(escape_name(candidate.path.as_os_str()));
            }
            state.found.insert(Turn::of(batch.below, entry.name), candidate);
        }
    }
}

/// How the text of a file is come by, as far as its name tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    /// It is its own.
    Plain,
    /// It is made of the file, cheaply.
    Made,
    /// The file looks like text and means another.
    Written,
    /// The file holds texts, unless it is one.
    Packed,
}

fn by_name(name: &OsStr) -> Inside {
    let bytes = name.as_bytes();
    let dot = bytes.iter().rposition(|byte| *byte == b'.').unwrap_or(bytes.len());
    let ending = bytes.get(dot + 1..).and_then(|ending| std::str::from_utf8(ending).ok()).unwrap_or_default();
    match Holds::of_ending(ending) {
        Some((_, Holds::Notebook)) => Inside::Made,
        Some(("pdf" | "rtf", _)) => Inside::Written,
        // They are searched by naming them.
        Some((_, Holds::Package | Holds::Archive | Holds::Compressed | Holds::Database | Holds::Document)) => {
            Inside::Packed
        }
        Some((_, Holds::Picture | Holds::Rows | Holds::Json)) | None => Inside::Plain,
    }
}
