//! Near paths: what a missing path may have meant, as far as the directory tells in which it would be.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use readstone_base::{Budget, escape_name};
use readstone_host::{Host, Object};

use crate::likeness;

/// Entries looked at in a directory.
const MOST_ENTRIES: u64 = 20_000;
/// Paths that are given.
const MOST_PATHS: usize = 3;

/// Paths that exist and are like a missing one, the most alike first: its first name that is missing is spelled otherwise. Nothing is
/// walked, and nothing of what is withheld is named.
pub fn near_paths(host: &Host, missing: &str, budget: &Budget) -> Vec<String> {
    let names: Vec<Component<'_>> = Path::new(missing).components().collect();
    let start = |count: usize| names.iter().take(count).collect::<PathBuf>();
    let there = |path: &Path| host.open(if path.as_os_str().is_empty() { Path::new(".") } else { path }, budget);
    let Some(known) = (0..names.len()).rev().find(|count| there(&start(*count)).is_ok()) else {
        return Vec::new();
    };
    let base = start(known);
    let Some(wanted) = names.get(known).and_then(|name| name.as_os_str().to_str()) else {
        return Vec::new();
    };
    let Ok(Object::Directory(directory)) = there(&base).map(|opened| opened.object) else {
        return Vec::new();
    };
    let rest: PathBuf = names.iter().skip(known + 1).collect();
    let far = |name: &OsStr| name.to_str().and_then(|name| likeness::distance(wanted, name));
    // Behind a file, even an empty rest would ask for a directory.
    let below = |name: &OsStr| if rest.as_os_str().is_empty() { base.join(name) } else { base.join(name).join(&rest) };
    let entries = directory.names(MOST_ENTRIES, budget).unwrap_or_default();
    let mut alike: Vec<(usize, PathBuf)> =
        entries.iter().filter_map(|entry| Some((far(entry.name)?, below(entry.name)))).collect();
    alike.sort();
    let opens = |path: &PathBuf| host.may_name(path) && there(path).is_ok_and(|opened| opened.secret.is_none());
    let paths = alike.into_iter().map(|(_, path)| path).filter(opens).take(MOST_PATHS);
    paths.map(|path| escape_name(path.as_os_str()).trim_end_matches('/').to_owned()).collect()
}
