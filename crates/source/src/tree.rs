//! A directory as a tree of rows, newest first.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use readstone_base::{Budget, Limits, Span, TreeRow, TreeSize, When, escape_name};
use readstone_host::{Access, Directory, Entries, Entry, EntryKind, Host};

use crate::rules::{Bad, Rules, Seen};
use crate::walk::Git;

/// A directory and what lies in it.
#[derive(Debug, Default)]
pub struct Tree {
    /// The rows of the window, in their order.
    pub rows: Vec<TreeRow>,
    /// How many rows there are in all.
    pub total: u64,
    /// How many entries the directory itself has, shown or not.
    pub entries: u64,
    /// How many directories below were not opened because too many were.
    pub unopened: u64,
    /// How many entries ignore rules hide, here and below.
    pub ignored: u64,
    /// How many entries the policy hides, here and below.
    pub denied: u64,
    /// How many entries could not be looked at.
    pub unreadable: u64,
    /// True when the directory has more entries than are looked at.
    pub more: bool,
}

/// The directory a tree is made of.
#[derive(Clone, Copy, Debug)]
pub struct Trunk<'a> {
    /// The open directory.
    pub directory: &'a Directory,
    /// Its address.
    pub path: &'a str,
    /// Its path without links.
    pub real: &'a Path,
}

#[derive(Debug)]
struct Planting<'a> {
    host: &'a Host,
    limits: &'a Limits,
    budget: &'a Budget,
    now: i64,
    window: Span,
    opened: u64,
}

/// Whether ignore rules shape a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// They do.
    Unignored,
    /// They do not.
    Everything,
}

/// Characters of a link's target that a row shows.
const MOST_TARGET: usize = 200;

/// What is asked of a tree.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// Whether ignore rules shape it.
    pub show: Show,
    /// The rows to make; all are counted.
    pub window: Span,
}

/// Lists a directory and, one level down, the directories in it.
pub fn tree(trunk: Trunk<'_>, wish: Wish, host: &Host, limits: &Limits, budget: &Budget) -> io::Result<Tree> {
    let now = budget.clock().wall();
    let Wish { show, window } = wish;
    let rules = match show {
        Show::Unignored => Some(Rules::above(trunk, Git::Obey, host, budget).0),
        Show::Everything => None,
    };
    Planting { host, limits, budget, now, window, opened: 0 }.grow(trunk, rules)
}

impl Planting<'_> {
    fn grow(&mut self, trunk: Trunk<'_>, mut rules: Option<Rules>) -> io::Result<Tree> {
        let mut tree = Tree::default();
        let mut entries = self.sorted(trunk.directory, trunk.real, rules.as_mut(), &mut tree)?;
        entries.give_back();
        tree.entries = entries.len() as u64;
        tree.more = entries.more;
        for entry in entries.iter() {
            let branch = entry.kind == EntryKind::Directory && self.limits.tree_depth > 1;
            if branch && self.opened < self.limits.tree_directories {
                self.opened += 1;
                self.branch(trunk, rules.clone(), entry, &mut tree);
            } else {
                tree.unopened += u64::from(branch);
                self.push(&mut tree, |planting| planting.row(trunk.directory, entry, 0));
            }
        }
        Ok(tree)
    }

    /// Adds a row, made only when it lies in the window.
    fn push(&self, tree: &mut Tree, row: impl FnOnce(&Self) -> TreeRow) {
        tree.total += 1;
        if self.window.contains(tree.total) {
            let row = row(self);
            tree.unreadable += u64::from(matches!(row.size, TreeSize::Unreadable(_) | TreeSize::Closed(_)));
            tree.rows.push(row);
        }
    }

    /// Adds a directory below the one named, with its children.
    fn branch(&mut self, trunk: Trunk<'_>, mut rules: Option<Rules>, entry: Entry<'_>, tree: &mut Tree) {
        let inside = trunk.real.join(entry.name);
        let child = trunk.directory.child(entry.name);
        let listed = child.and_then(|child| Ok((self.sorted(&child, &inside, rules.as_mut(), tree)?, child)));
        let (entries, child) = match listed {
            Ok(listed) => listed,
            Err(error) => {
                let closed = TreeSize::Closed(reason(&error));
                return self.push(tree, |planting| TreeRow { size: closed, ..planting.row(trunk.directory, entry, 0) });
            }
        };
        self.push(tree, |planting| planting.row(trunk.directory, entry, 0));
        let most = usize::try_from(self.limits.tree_children).unwrap_or(usize::MAX);
        for entry in entries.iter().take(most) {
            self.push(tree, |planting| planting.row(&child, entry, 1));
        }
        let count = entries.len().saturating_sub(most) as u64;
        if count > 0 {
            let size = TreeSize::More { count, address: child_address(trunk.path, entry.name) };
            self.push(tree, |_| TreeRow {
                depth: 1,
                name: String::new(),
                size,
                when: When::Unknown,
                marks: Vec::new(),
            });
        }
    }

    /// The entries of a directory that are shown, the newest first; adds its own rules to those above it.
    fn sorted(
        &self,
        directory: &Directory,
        real: &Path,
        rules: Option<&mut Rules>,
        tree: &mut Tree,
    ) -> io::Result<Entries> {
        let mut entries = directory.entries(self.limits.directory_entries, self.budget)?;
        if let Some(rules) = rules {
            let seen = Seen::among(entries.iter().map(|entry| entry.name));
            *rules = rules.inside(directory, real, seen, &mut Bad::default());
            let mut path = real.as_os_str().as_bytes().to_vec();
            if !path.ends_with(b"/") {
                path.push(b'/');
            }
            entries.retain(|entry| {
                let hidden = rules.hide_entry(&mut path, entry.name, entry.kind);
                tree.ignored += u64::from(hidden);
                !hidden
            });
        }
        let watch = self.host.watch(real);
        entries.retain(|entry| {
            let named = watch.may_name(entry.name);
            tree.denied += u64::from(!named);
            named
        });
        entries.sort_newest();
        Ok(entries)
    }

    fn row(&self, directory: &Directory, entry: Entry<'_>, depth: usize) -> TreeRow {
        let size = match entry.kind {
            _ if entry.modified.is_none() => TreeSize::Unreadable("no permission"),
            EntryKind::Directory => TreeSize::Directory,
            EntryKind::File if entry.access == Access::Unsure && !directory.is_readable(entry.name) => {
                TreeSize::Unreadable("not readable")
            }
            EntryKind::File => TreeSize::File(entry.size),
            EntryKind::Link => {
                let target = directory.link_target(entry.name).unwrap_or_else(|| PathBuf::from("?"));
                TreeSize::Link(shortened(&escape_name(target.as_os_str())))
            }
            EntryKind::Fifo => TreeSize::Special("FIFO"),
            EntryKind::Socket => TreeSize::Special("socket"),
            EntryKind::CharacterDevice => TreeSize::Special("character device"),
            EntryKind::BlockDevice => TreeSize::Special("block device"),
            EntryKind::Unknown => TreeSize::Unreadable("of an unknown kind"),
        };
        let when = entry.modified.map_or(When::Unknown, |modified| When::Ago(self.now.saturating_sub(modified)));
        TreeRow { depth, name: escape_name(entry.name), size, when, marks: Vec::new() }
    }
}

fn reason(error: &io::Error) -> &'static str {
    let kind = error.kind();
    if kind == io::ErrorKind::PermissionDenied {
        "not readable"
    } else if kind == io::ErrorKind::TimedOut {
        "not read in time"
    } else {
        "cannot be listed"
    }
}

/// The target of a link as far as a row shows it.
fn shortened(target: &str) -> String {
    match target.char_indices().nth(MOST_TARGET) {
        Some((end, _)) => format!("{}…", target.get(..end).unwrap_or(target)),
        None => target.to_owned(),
    }
}

/// The address of an entry of the directory at `path`.
fn child_address(path: &str, name: &OsStr) -> String {
    let name = escape_name(name);
    match path {
        // Alone, this name would be standard input.
        "." | "/" if name == "-" => format!("./{name}"),
        "." | "/" => name,
        path if path.ends_with('/') => format!("{path}{name}"),
        path => format!("{path}/{name}"),
    }
}
