//! Missing paths: what the caller may have meant.
//!
//! First the path is followed component by component, taking names that differ only in Unicode spelling or case.
//! Then the tree is searched for the one path that ends like it. What is merely similar is offered, not opened,
//! except for a single slip of the finger beside the file.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use readstone_base::{Budget, escape_name};
use readstone_host::{Host, Object};

use crate::likeness;
use crate::lookalikes::{Finds, MOST_CANDIDATES, Wanted, certain_slip, is_one_letter_away};
use crate::tree::Trunk;
use crate::walk::{Batch, Dots, Git, Keep, Visit, Walk, walk};

/// What a missing path may have meant.
#[derive(Debug)]
pub(crate) enum Missing {
    /// Only this can be meant.
    One { path: String, how: &'static str },
    /// Each of these can be meant.
    Several(Vec<String>),
    /// Nothing can be meant for certain; these come near.
    None { near: Vec<String>, above: String, hurried: bool },
}

/// Entries looked at in a directory when names are compared.
const MOST_SIBLINGS: u64 = 100_000;

/// Makes names comparable.
type Key = fn(&str) -> String;

/// Looks for what a missing path may have meant.
pub(crate) fn look(host: &Host, asked: &str, budget: &Budget) -> Missing {
    let tidy = asked.trim().trim_matches(['"', '\'', '`']);
    let path = Path::new(if tidy.is_empty() { asked } else { tidy });
    // A file that may hold a secret is never opened by a guess.
    let opens =
        |path: &PathBuf| host.may_name(path) && host.open(path, budget).is_ok_and(|opened| opened.secret.is_none());
    for (key, how) in [(likeness::spelling as Key, "Unicode match"), (likeness::folded, "case match")] {
        let beside = respell(host, path, budget, key).into_iter().filter(opens).collect();
        let tidied = path.as_os_str() != asked || asked.ends_with('/');
        let how = if tidied { "spelling match" } else { how };
        if let Some(found) = decide(beside, how) {
            return found;
        }
    }
    let finds = search(host, path, budget);
    let below = shorter(host, path, budget);
    for (paths, how) in [(&finds.exact, "suffix match"), (&below, "suffix match"), (&finds.folded, "case match")] {
        let certain = paths.iter().filter(|path| opens(path)).cloned().collect();
        match decide(certain, how) {
            // After a search that did not end, the only find need not be the only one; two are several anyway.
            Some(Missing::One { .. }) if !finds.whole => {}
            Some(found) => return found,
            None => {}
        }
    }
    let near = near_names(host, path, &finds, budget);
    let beside: Vec<&PathBuf> = near.iter().filter(|other| is_one_letter_away(path, other)).collect();
    if let Some(other) = certain_slip(path, &beside).filter(|other| opens(other)) {
        return Missing::One { path: show(other), how: "spelling match" };
    }
    let shown = near.into_iter().filter(opens).take(3).map(|path| show(&path)).collect();
    Missing::None { near: shown, above: above(host, path, budget), hurried: !finds.whole }
}

/// The nearest path above a missing one that exists; the root when there is none.
fn above(host: &Host, path: &Path, budget: &Budget) -> String {
    let parents = path.ancestors().skip(1).filter(|path| !path.as_os_str().is_empty());
    parents.into_iter().find(|path| host.open(path, budget).is_ok()).map_or_else(|| ".".to_owned(), show)
}

fn decide(mut paths: Vec<PathBuf>, how: &'static str) -> Option<Missing> {
    paths.sort();
    paths.dedup();
    match paths.as_slice() {
        [] => None,
        [one] => Some(Missing::One { path: show(one), how }),
        several => Some(Missing::Several(several.iter().map(|path| show(path)).collect())),
    }
}

fn show(path: &Path) -> String {
    escape_name(path.as_os_str())
}

/// Follows a path, taking at each step the names that have the same `key`.
fn respell(host: &Host, path: &Path, budget: &Budget, key: Key) -> Vec<PathBuf> {
    let mut here = vec![PathBuf::new()];
    for component in path.components() {
        let mut further = Vec::new();
        for base in &here {
            let exact = base.join(component);
            let is_name = matches!(component, Component::Normal(_));
            if is_name && host.open(&exact, budget).is_err() {
                further.extend(alike(host, &exact, budget, key));
            } else {
                further.push(exact);
            }
        }
        further.truncate(MOST_CANDIDATES);
        here = further;
    }
    here
}

/// The paths beside `path` whose names have the same key.
fn alike(host: &Host, path: &Path, budget: &Budget, key: Key) -> Vec<PathBuf> {
    let base = path.parent().unwrap_or(Path::new(""));
    let Some(wanted) = path.file_name().and_then(OsStr::to_str).map(key) else {
        return Vec::new();
    };
    let same = |other: &OsStr| other.to_str().is_some_and(|other| key(other) == wanted);
    siblings(host, base, budget, same).into_iter().map(|name| base.join(name)).collect()
}

/// The names in a directory that `keep` wants.
fn siblings(host: &Host, base: &Path, budget: &Budget, keep: impl Fn(&OsStr) -> bool) -> Vec<PathBuf> {
    let here = if base.as_os_str().is_empty() { Path::new(".") } else { base };
    let Ok(opened) = host.open(here, budget) else {
        return Vec::new();
    };
    let Object::Directory(directory) = opened.object else {
        return Vec::new();
    };
    let entries = directory.entries(MOST_SIBLINGS, budget).unwrap_or_default();
    entries
        .iter()
        .filter(|entry| keep(entry.name))
        .take(MOST_CANDIDATES)
        .map(|entry| PathBuf::from(entry.name))
        .collect()
}

/// The path without its first components, where at least a directory and a name remain and exist.
fn shorter(host: &Host, path: &Path, budget: &Budget) -> Vec<PathBuf> {
    let names: Vec<&OsStr> = normal_names(path);
    let tails = (1..names.len().saturating_sub(1)).filter_map(|skip| names.get(skip..));
    tails
        .map(|tail| tail.iter().collect::<PathBuf>())
        .find(|path| host.open(path, budget).is_ok())
        .into_iter()
        .collect()
}

fn normal_names(path: &Path) -> Vec<&OsStr> {
    path.components()
        .filter_map(|component| match component {
            Component::Normal(name) => Some(name),
            Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => None,
        })
        .collect()
}

/// Names like the missing one, the most alike first; among equals, those beside it.
fn near_names(host: &Host, path: &Path, finds: &Finds, budget: &Budget) -> Vec<PathBuf> {
    let Some(asked) = path.file_name().and_then(OsStr::to_str) else {
        return Vec::new();
    };
    let base = path.parent().unwrap_or(Path::new(""));
    let far = |name: &OsStr| name.to_str().and_then(|name| likeness::distance(asked, name));
    let beside = siblings(host, base, budget, |name| far(name).is_some());
    let beside = beside.into_iter().filter_map(|name| Some((far(name.as_os_str())?, 0, base.join(name))));
    let found = finds.exact.iter().chain(&finds.folded).map(|path| (0, 1, path.clone()));
    let walked = finds.near.iter().map(|(distance, path)| (*distance, 1, path.clone()));
    let mut near: Vec<(usize, u8, PathBuf)> = beside.chain(found).chain(walked).collect();
    near.sort();
    let mut paths: Vec<PathBuf> = Vec::new();
    for (_, _, path) in near {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}

/// Searches the tree for paths that end like the missing one.
fn search(host: &Host, path: &Path, budget: &Budget) -> Finds {
    let path: PathBuf = normal_names(path).into_iter().collect();
    let mut finds = Finds { whole: true, ..Finds::default() };
    if let Some(wanted) = Wanted::new(&path) {
        let seeker = Seeker { wanted, finds: Mutex::new(finds) };
        let unfinished = host.policy().search_roots().iter().filter(|root| !seeker.seek(host, root, budget)).count();
        finds = seeker.finds.into_inner().unwrap_or_else(PoisonError::into_inner);
        finds.whole = unfinished == 0;
    }
    finds
}

/// Looks for a path while trees are walked.
struct Seeker {
    wanted: Wanted,
    finds: Mutex<Finds>,
}

impl Seeker {
    /// Walks a tree; false when that did not reach its end.
    fn seek(&self, host: &Host, root: &Path, budget: &Budget) -> bool {
        let Ok(opened) = host.open(root, budget) else {
            return false;
        };
        let Object::Directory(directory) = &opened.object else {
            return false;
        };
        let trunk = Trunk { directory, path: ".", real: &opened.real };
        let keep = Keep { dots: Dots::Show, git: Git::Obey, levels: None };
        let walked = walk(&Walk { host, trunk, budget, keep, threads: readstone_host::cores() }, self);
        walked.stopped.is_none() && !walked.cut
    }
}

impl Visit for Seeker {
    fn entries(&self, batch: &Batch<'_>) {
        for entry in batch.entries {
            let path = batch.below.join(entry.name);
            if let Some(likeness) = self.wanted.judge(&path) {
                self.finds.lock().unwrap_or_else(PoisonError::into_inner).keep(&path, likeness);
            }
        }
    }
}
