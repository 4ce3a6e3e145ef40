//! A walk through a tree: every entry that is looked at, in one order, without what rules and the policy leave out.
//!
//! Several threads walk; each takes the foremost of what lies ahead, so that a visitor who has enough can end the walk and
//! has missed nothing. The entries of a directory come in the order of their names, before everything that lies in its directories; then its
//! directories, in the order of their names: `a/z` comes before `a/b/c`.

mod ahead;
mod crew;
mod hand;
mod ledger;

use std::cmp::Ordering;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use readstone_base::{Budget, Stopped};
use readstone_host::{Directory, EntryKind, Host};

use crate::rules::Rules;
use crate::tree::Trunk;
use crew::Crew;

/// A walk that can be made.
#[derive(Clone, Copy, Debug)]
pub struct Walk<'a> {
    /// The world.
    pub host: &'a Host,
    /// Where it begins.
    pub trunk: Trunk<'a>,
    /// The budget of the call.
    pub budget: &'a Budget,
    /// What is looked at.
    pub keep: Keep,
    /// How many threads walk, the caller's among them.
    pub threads: usize,
}

/// What is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Keep {
    /// Names that begin with a dot.
    pub dots: Dots,
    /// Rules of git.
    pub git: Git,
    /// How many levels below the trunk entries are looked at: 1 are its own entries, none is all.
    pub levels: Option<usize>,
}

/// What becomes of names that begin with a dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dots {
    /// They are entries like others.
    Show,
    /// They are left out.
    Skip,
}

/// Whether the rules of git hold: `.gitignore` and `.git/info/exclude`. Rules of other names always do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Git {
    /// They do.
    Obey,
    /// They do not.
    Pass,
}

/// Whoever looks at the entries of a walk, on several threads at once.
pub trait Visit: Sync {
    /// Whether any entry of this directory (its path from the trunk), or of a directory behind it in the order of the walk,
    /// is still wanted. Whoever said no to a directory says no to all behind it.
    fn wants(&self, below: &Path) -> bool {
        let _ = below;
        true
    }

    /// How many entries a thread takes at once: few where each of them takes long.
    fn grain(&self) -> usize {
        64
    }

    /// Entries of one directory that are looked at, in the order of their names; a large directory comes in several batches.
    fn entries(&self, batch: &Batch<'_>);
}

/// Entries of one directory.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The open directory.
    pub directory: &'a Arc<Directory>,
    /// Its path from the trunk; empty for the trunk itself.
    pub below: &'a Path,
    /// The entries.
    pub entries: &'a [Listed<'a>],
    /// What this thread asks whether to go on.
    pub budget: &'a Budget,
}

/// One entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed<'a> {
    /// Its name.
    pub name: &'a OsStr,
    /// What it is.
    pub kind: EntryKind,
}

/// What a walk came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// How many entries ignore rules hide.
    pub ignored: u64,
    /// How many entries the policy hides.
    pub denied: u64,
    /// How many directories could not be listed.
    pub unreadable: u64,
    /// How many lines of rule files are no rules, or too many.
    pub bad_rules: u64,
    /// The first file with such lines, by its path from the trunk.
    pub bad_rules_in: Option<PathBuf>,
    /// Why it ended before its end.
    pub stopped: Option<Stopped>,
    /// Whether a directory has too many entries or lies too deep to be looked at.
    pub cut: bool,
}

/// Walks. What a walk comes to is the same however many threads make it, unless it is stopped.
pub fn walk(walk: &Walk<'_>, visit: &dyn Visit) -> Walked {
    let (rules, bad) = Rules::above(walk.trunk, walk.keep.git, walk.host, walk.budget);
    let crew = Crew::new(walk, visit);
    crew.go(&rules, bad)
}

/// In which order a walk comes to two entries, by their paths from the trunk.
pub fn walk_order(one: &Path, other: &Path) -> Ordering {
    let turn = |path: &Path| Turn::of(path.parent().unwrap_or(Path::new("")), path.file_name().unwrap_or_default());
    turn(one).cmp(&turn(other))
}

/// When a walk comes to an entry: turns have the order of the walk.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Turn {
    directory: Vec<u8>,
    name: Vec<u8>,
}

impl Turn {
    /// The turn of an entry, by the path of its directory from the trunk and by its name. An empty name comes before all others.
    pub fn of(below: &Path, name: &OsStr) -> Self {
        Self { directory: key_of(below), name: name.as_bytes().to_vec() }
    }
}

/// The key of a directory: keys have the order of the walk. No name holds a zero.
fn key_of(below: &Path) -> Vec<u8> {
    below.as_os_str().as_bytes().iter().map(|byte| if *byte == b'/' { 0 } else { *byte }).collect()
}

/// The directory that has a key.
fn path_of(key: &[u8]) -> PathBuf {
    let bytes = key.iter().map(|byte| if *byte == 0 { b'/' } else { *byte }).collect();
    PathBuf::from(OsString::from_vec(bytes))
}
