//! A walk through a tree: every entry that is looked at, in one order, without what rules and the policy leave out.
//!
//! The entries of a directory come in the order of their names, before everything that lies in its directories; then its
//! directories, in the order of their names: `a/z` comes before `a/b/c`.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use readstone_base::{Budget, Stopped};
use readstone_host::{Directory, EntryKind, Host};

use crate::rules::Rules;
use crate::tree::Trunk;

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

/// Levels below the trunk that are walked; every level holds a descriptor.
const MOST_LEVELS: usize = 64;
/// Entries of one directory that are looked at.
const MOST_ENTRIES: u64 = 200_000;

/// Walks.
pub fn walk(walk: &Walk<'_>, visit: &dyn Visit) -> Walked {
    let rules = Rules::above(walk.host, walk.trunk.real, walk.budget);
    let mut way = Way { walk, visit, rules, walked: Walked::default() };
    if let Ok(trunk) = walk.trunk.directory.child(OsStr::new(".")) {
        way.descend(&Arc::new(trunk), Path::new(""), 0);
    } else {
        way.walked.unreadable = 1;
    }
    way.walked
}

struct Way<'a> {
    walk: &'a Walk<'a>,
    visit: &'a dyn Visit,
    rules: Rules,
    walked: Walked,
}

impl Way<'_> {
    fn descend(&mut self, directory: &Arc<Directory>, below: &Path, level: usize) {
        if let Err(stopped) = self.walk.budget.check() {
            self.walked.stopped = Some(stopped);
        }
        if self.walked.stopped.is_some() || !self.visit.wants(below) {
            return;
        }
        let Ok(listed) = directory.names(MOST_ENTRIES, self.walk.budget) else {
            self.walked.unreadable += 1;
            return;
        };
        self.walked.cut |= listed.more;
        let mut entries: Vec<Listed<'_>> = Vec::new();
        for entry in listed.iter() {
            let path = self.walk.trunk.real.join(below).join(entry.name);
            let skipped = self.walk.keep.dots == Dots::Skip && entry.name.as_bytes().first() == Some(&b'.');
            if skipped || entry.name == ".git" {
            } else if self.rules.hide(&path, entry.kind) {
                self.walked.ignored += 1;
            } else if !self.walk.host.may_name(&path) {
                self.walked.denied += 1;
            } else {
                entries.push(Listed { name: entry.name, kind: entry.kind });
            }
        }
        entries.sort_unstable_by_key(|entry| entry.name);
        self.visit.entries(&Batch { directory, below, entries: &entries, budget: self.walk.budget });
        if self.walk.keep.levels.is_some_and(|levels| level + 1 >= levels) {
            return;
        }
        for entry in entries.iter().filter(|entry| entry.kind == EntryKind::Directory) {
            self.enter(directory, &below.join(entry.name), level + 1);
        }
    }

    fn enter(&mut self, parent: &Directory, below: &Path, level: usize) {
        if level > MOST_LEVELS {
            self.walked.cut = true;
            return;
        }
        let Ok(child) = parent.child(below.file_name().unwrap_or_default()) else {
            self.walked.unreadable += 1;
            return;
        };
        self.rules.enter(&child, &self.walk.trunk.real.join(below));
        self.descend(&Arc::new(child), below, level);
        self.rules.leave();
    }
}
