//! A tree to walk through, and what a walk through it came to.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use readstone_base::{Budget, Fixed};
use readstone_host::{EntryKind, Host, Object, Policy, Secrets, Stance};
use readstone_source::{Batch, Dots, Git, Keep, Trunk, Visit, Walk, Walked, walk};

/// A tree in a directory of its own.
pub(crate) struct Tree {
    directory: tempfile::TempDir,
}

impl Tree {
    pub(crate) fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap() }
    }

    /// A tree of these files; a name that ends with a slash is a directory.
    pub(crate) fn of(names: &[&str]) -> Self {
        let tree = Self::new();
        for name in names {
            match name.strip_suffix('/') {
                Some(name) => fs::create_dir_all(tree.path().join(name)).unwrap(),
                None => tree.file(name, "x\n"),
            }
        }
        tree
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn file(&self, name: impl AsRef<Path>, text: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// How to walk.
#[derive(Clone)]
pub(crate) struct Way {
    pub(crate) keep: Keep,
    pub(crate) threads: usize,
    pub(crate) budget: Budget,
    pub(crate) stance: Stance,
    /// From where in the tree.
    pub(crate) from: PathBuf,
}

impl Default for Way {
    fn default() -> Self {
        Self {
            keep: Keep { dots: Dots::Show, git: Git::Obey, levels: None },
            threads: 2,
            budget: Budget::new(Arc::new(Fixed(0)), None),
            stance: Stance::Warn,
            from: PathBuf::from("."),
        }
    }
}

impl Way {
    pub(crate) fn threads(threads: usize) -> Self {
        Self { threads, ..Self::default() }
    }

    pub(crate) fn from(from: &str) -> Self {
        Self { from: from.into(), ..Self::default() }
    }

    pub(crate) fn git(git: Git) -> Self {
        let way = Self::default();
        Self { keep: Keep { git, ..way.keep }, ..way }
    }

    pub(crate) fn go(&self, root: &Path, visit: &dyn Visit) -> Walked {
        let secrets = Secrets::new(self.stance, &[]).unwrap();
        let host = Host::new(Policy::anywhere(root.to_owned(), secrets), None, 0);
        let opened = host.open(&self.from, &self.budget).unwrap();
        let Object::Directory(directory) = &opened.object else {
            panic!("not a directory: {}", self.from.display());
        };
        let trunk = Trunk { directory, path: ".", real: &opened.real };
        walk(&Walk { host: &host, trunk, budget: &self.budget, keep: self.keep, threads: self.threads }, visit)
    }
}

/// Takes down all entries as they come.
#[derive(Default)]
pub(crate) struct Scribe {
    pub(crate) grain: Option<usize>,
    pub(crate) seen: Mutex<Vec<(PathBuf, EntryKind)>>,
}

impl Visit for Scribe {
    fn grain(&self) -> usize {
        self.grain.unwrap_or(64)
    }

    fn entries(&self, batch: &Batch<'_>) {
        let entries = batch.entries.iter().map(|entry| (batch.below.join(entry.name), entry.kind));
        self.seen.lock().unwrap().extend(entries);
    }
}

/// The entries of a walk in the order in which they came, and what it came to.
pub(crate) fn walked(root: &Path, way: &Way) -> (Vec<String>, Walked) {
    let scribe = Scribe::default();
    let walked = way.go(root, &scribe);
    let show = |(path, kind): (PathBuf, EntryKind)| {
        let mark = if kind == EntryKind::Directory { "/" } else { "" };
        format!("{}{mark}", path.to_str().unwrap())
    };
    (scribe.seen.into_inner().unwrap().into_iter().map(show).collect(), walked)
}

/// Walks on one thread and checks which entries come, in which order.
#[track_caller]
pub(crate) fn check(tree: &Tree, way: &Way, expected: &[&str]) -> Walked {
    let (seen, walked) = walked(tree.path(), &Way { threads: 1, ..way.clone() });
    assert_eq!(seen, expected);
    walked
}

/// A budget that ends after so long by the clock of the system.
pub(crate) fn within(time: Duration) -> Budget {
    Budget::new(Arc::new(readstone_host::SystemClock::new(None)), Some(time))
}
