//! A walk through a tree, directory by directory below the root, without what ignore rules hide.

use std::path::{Path, PathBuf};

use readstone_base::Budget;
use readstone_host::{Directory, EntryKind, Host, Object};

use crate::rules::Rules;

/// Levels below the root that are walked; every level holds a descriptor.
const MOST_LEVELS: usize = 64;
/// Entries of one directory that are looked at.
const MOST_ENTRIES: u64 = 200_000;

/// How far a walk came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walked {
    /// Everywhere.
    All,
    /// Not everywhere: time ran out, or a level or a directory was too large.
    Part,
}

/// Visits every entry below a root, by its path relative to the root, until the budget ends.
pub(crate) fn walk(host: &Host, root: &Path, budget: &Budget, visit: &mut dyn FnMut(&Path)) -> Walked {
    let Ok(opened) = host.open(root, budget) else {
        return Walked::Part;
    };
    let Object::Directory(directory) = opened.object else {
        return Walked::Part;
    };
    let rules = Rules::above(host, &opened.real, budget);
    let mut walk = Walk { budget, root: opened.real, rules, visit, walked: Walked::All };
    walk.descend(&directory, Path::new(""), 0);
    walk.walked
}

struct Walk<'a> {
    budget: &'a Budget,
    root: PathBuf,
    rules: Rules,
    visit: &'a mut dyn FnMut(&Path),
    walked: Walked,
}

impl Walk<'_> {
    fn descend(&mut self, directory: &Directory, below: &Path, level: usize) {
        // A directory that cannot be listed hides nothing that could be opened by name.
        let mut entries = directory.names(MOST_ENTRIES, self.budget).unwrap_or_default();
        if entries.more {
            self.walked = Walked::Part;
        }
        entries.retain(|entry| !self.rules.hide(&self.root.join(below).join(entry.name), entry.kind));
        for entry in entries.iter() {
            (self.visit)(&below.join(entry.name));
        }
        for entry in entries.iter().filter(|entry| entry.kind == EntryKind::Directory) {
            if level == MOST_LEVELS || self.budget.check().is_err() {
                self.walked = Walked::Part;
                return;
            }
            let Ok(child) = directory.child(entry.name) else {
                continue;
            };
            let inside = below.join(entry.name);
            self.rules.enter(&child, &self.root.join(&inside));
            self.descend(&child, &inside, level + 1);
            self.rules.leave();
        }
    }
}
