//! The files below a directory, in the order of their names, without what ignore rules hide.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use readstone_base::Budget;
use readstone_host::{Directory, EntryKind, Host};

use crate::rules::{Bad, Rules, Seen};
use crate::tree::Trunk;
use crate::walk::Git;

/// The files below a directory.
#[derive(Debug, Default)]
pub struct Files {
    /// Their paths, from the directory on.
    pub paths: Vec<PathBuf>,
    /// How many entries ignore rules hide.
    pub ignored: u64,
    /// How many entries the policy hides.
    pub denied: u64,
    /// How many directories could not be listed, or not all of them.
    pub unreadable: u64,
    /// Whether there are more than were looked for, by this limit.
    pub cut_by: Option<&'static str>,
}

/// Which files are wanted, and how many at most.
pub struct Wanted<'a> {
    /// Whether a file of this name is.
    pub name: &'a dyn Fn(&Path) -> bool,
    /// How many, and the limit that says so.
    pub most: (u64, &'static str),
}

impl std::fmt::Debug for Wanted<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Wanted").field("most", &self.most).finish_non_exhaustive()
    }
}

/// Levels below the directory that are entered; every level holds a descriptor.
const MOST_LEVELS: usize = 64;
/// Entries of one directory that are looked at.
const MOST_ENTRIES: u64 = 200_000;

/// Finds the files below a directory.
pub fn files(trunk: Trunk<'_>, host: &Host, wanted: &Wanted<'_>, budget: &Budget) -> Files {
    let (rules, _) = Rules::above(trunk, Git::Obey, host, budget);
    let mut search = Search { host, budget, wanted, real: trunk.real, files: Files::default() };
    search.enter(trunk.directory, &rules, Path::new(""), 0);
    search.files
}

struct Search<'a> {
    host: &'a Host,
    budget: &'a Budget,
    wanted: &'a Wanted<'a>,
    real: &'a Path,
    files: Files,
}

impl Search<'_> {
    fn enter(&mut self, directory: &Directory, above: &Rules, below: &Path, level: usize) {
        let mut entries: Vec<(OsString, EntryKind)> = Vec::new();
        let listed = directory.names(MOST_ENTRIES, self.budget);
        self.files.unreadable += u64::from(listed.as_ref().map_or(true, |listed| listed.more));
        let listed = listed.unwrap_or_default();
        let real = self.real.join(below);
        let seen = Seen::among(listed.iter().map(|entry| entry.name));
        let rules = above.inside(directory, &real, seen, &mut Bad::default());
        let watch = self.host.watch(&real);
        for entry in listed.iter() {
            if rules.hide(&real.join(entry.name), entry.kind) {
                self.files.ignored += 1;
            } else if !watch.may_name(entry.name) {
                self.files.denied += 1;
            } else {
                entries.push((entry.name.to_owned(), entry.kind));
            }
        }
        drop(listed);
        entries.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        for (name, kind) in entries {
            if self.files.cut_by.is_some() {
                return;
            }
            let path = below.join(&name);
            if kind == EntryKind::Directory {
                self.descend(directory, &rules, &path, level);
            } else if kind == EntryKind::File && (self.wanted.name)(&path) {
                self.push(path);
            }
        }
    }

    fn descend(&mut self, directory: &Directory, rules: &Rules, path: &Path, level: usize) {
        if self.budget.check().is_err() {
            self.files.cut_by = Some("call_ms");
            return;
        }
        let name = path.file_name().unwrap_or_default();
        let Some(child) = directory.child(name).ok().filter(|_| level < MOST_LEVELS) else {
            self.files.unreadable += 1;
            return;
        };
        self.enter(&child, rules, path, level + 1);
    }

    fn push(&mut self, path: PathBuf) {
        let (most, limit) = self.wanted.most;
        if self.files.paths.len() as u64 == most {
            self.files.cut_by = Some(limit);
        } else {
            self.files.paths.push(path);
        }
    }
}
