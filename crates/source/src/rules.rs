//! Ignore rules: what `.gitignore` and `.ignore` hide, read through the one opener.

use std::ffi::OsStr;
use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use readstone_base::Budget;
use readstone_host::{Directory, EntryKind, Host, Object};

/// The rules in force somewhere in a tree, the outermost first.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    stack: Vec<Option<Gitignore>>,
}

/// Files that hold rules, the weaker first.
const FILES: [&str; 2] = [".gitignore", ".ignore"];
/// A rule file is read up to here.
const MOST_BYTES: u64 = 64 * 1024;
/// Rules of one directory; each costs several kilobytes once it is compiled.
const MOST_RULES: usize = 1_000;
/// Directories above whose rules are looked up.
const MOST_ANCESTORS: usize = 32;

impl Rules {
    /// The rules that hold in a directory: its own and those above it, up to the one that holds the repository.
    pub(crate) fn above(host: &Host, real: &Path, budget: &Budget) -> Self {
        let mut stack = Vec::new();
        for ancestor in real.ancestors().take(MOST_ANCESTORS) {
            let Ok(opened) = host.open(ancestor, budget) else {
                break;
            };
            let Object::Directory(directory) = opened.object else {
                break;
            };
            stack.push(read(&directory, ancestor));
            if directory.child(OsStr::new(".git")).is_ok() {
                break;
            }
        }
        stack.reverse();
        Self { stack }
    }

    /// Adds the rules of a directory that is entered.
    pub(crate) fn enter(&mut self, directory: &Directory, real: &Path) {
        self.stack.push(read(directory, real));
    }

    /// Takes away the rules of the directory entered last.
    pub(crate) fn leave(&mut self) {
        self.stack.pop();
    }

    /// Whether an entry is hidden; the innermost rule that speaks of it decides.
    pub(crate) fn hide(&self, path: &Path, kind: EntryKind) -> bool {
        if path.file_name() == Some(OsStr::new(".git")) {
            return true;
        }
        let verdicts = self.stack.iter().rev().flatten().map(|rules| rules.matched(path, kind == EntryKind::Directory));
        verdicts.into_iter().find(|verdict| !verdict.is_none()).is_some_and(|verdict| verdict.is_ignore())
    }
}

fn read(directory: &Directory, real: &Path) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new(real);
    let mut count = 0;
    for file in FILES {
        let bytes = directory.small_file(OsStr::new(file), MOST_BYTES).unwrap_or_default();
        for line in String::from_utf8_lossy(&bytes).lines().take(MOST_RULES) {
            // A rule that cannot be read hides nothing.
            drop(builder.add_line(None, line));
            count += 1;
        }
    }
    if count == 0 { None } else { builder.build().ok() }
}
