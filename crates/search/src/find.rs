//! Finding: the newest of the paths that match, and how many do.
//!
//! Only the names of a directory are read, and only of what matches the time of its last change is asked. No more is held than what is
//! shown and what comes before it, however much there is.

mod listed;
mod newest;
mod overlap;

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use readstone_base::{Fault, unescape_name};
use readstone_host::{Directory, EntryKind, Host};
use readstone_source::{Batch, Dots, Git, Keep, Opening, Trunk, Visit, Walk, Walked, walk};

use crate::glob::{Glob, Globs};
use newest::{Hit, Newest};
use overlap::Overlap;

/// What is looked for, and where. What is named twice is found once.
#[derive(Debug, Default)]
pub struct Quest {
    scopes: Vec<Scope>,
    listings: Vec<Listed>,
    files: Vec<Named>,
}

/// A directory, and what is looked for below it.
#[derive(Debug)]
struct Scope {
    /// Its address, behind which what is found stands.
    shown: String,
    directory: Directory,
    /// Its path without links.
    real: PathBuf,
    globs: Globs,
}

/// A directory that only a listing tells of, and what is looked for below it.
#[derive(Debug)]
struct Listed {
    address: String,
    globs: Globs,
}

/// A file that was named.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its address.
    pub shown: String,
    /// Its path without links; empty for what is not on disk.
    pub real: PathBuf,
    /// When it was changed, in nanoseconds since the epoch, where that is known.
    pub modified: Option<i64>,
}

impl Quest {
    /// Looks for a glob below a directory, which is shown by its address and known by its path without links.
    pub fn below(&mut self, shown: &str, directory: Directory, real: PathBuf, glob: Glob) {
        if let Some(scope) = self.scopes.iter_mut().find(|scope| scope.real == real) {
            scope.globs.push(glob);
        } else {
            let globs = Globs::from(glob);
            self.scopes.push(Scope { shown: shown.to_owned(), directory, real, globs });
        }
    }

    /// Looks for a glob below a directory that only a listing tells of, such as one of an archive.
    pub fn inside(&mut self, address: &str, glob: Glob) {
        if let Some(listing) = self.listings.iter_mut().find(|listing| listing.address == address) {
            listing.globs.push(glob);
        } else {
            self.listings.push(Listed { address: address.to_owned(), globs: Globs::from(glob) });
        }
    }

    /// Names a file.
    pub fn file(&mut self, file: Named) {
        let same = |known: &Named| {
            (&known.real, file.real.as_os_str().is_empty() && known.shown != file.shown) == (&file.real, false)
        };
        if !self.files.iter().any(same) {
            self.files.push(file);
        }
    }

    /// The only thing that is looked for, when that is a file.
    pub fn only_file(&self) -> Option<&Named> {
        match self.files.as_slice() {
            [file] if self.scopes.is_empty() && self.listings.is_empty() => Some(file),
            _ => None,
        }
    }
}

/// How it is looked for.
#[derive(Clone, Copy, Debug)]
pub struct How<'a> {
    /// The world.
    pub host: &'a Host,
    /// What is at hand while something is opened; its budget is that of the whole work.
    pub opening: &'a Opening<'a>,
    /// Whether names that begin with a dot are looked at.
    pub dots: Dots,
    /// Whether the rules of git hold.
    pub git: Git,
    /// How many threads walk.
    pub threads: usize,
}

/// Which of the results are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// How many come before them.
    pub skip: u64,
    /// How many.
    pub most: u64,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Finds {
    /// The paths that are wanted, the newest first; directories end with a slash.
    pub paths: Vec<String>,
    /// How many paths match.
    pub total: u64,
    /// What was left out on the way, and why it ended.
    pub walked: Walked,
}

/// So many paths are held at once. Whoever skips more walks again from there on.
const MOST_HELD: u64 = 100_000;

/// Finds the newest paths that match.
pub fn find(quest: &Quest, how: &How<'_>, page: Page) -> Result<Finds, Fault> {
    in_rounds(page, MOST_HELD, |newest| look(quest, how, newest))
}

/// Looks as often as it takes to come to a page without holding more than so many paths.
fn in_rounds(
    page: Page,
    held: u64,
    mut look: impl FnMut(&Newest) -> Result<(u64, Walked), Fault>,
) -> Result<Finds, Fault> {
    let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let mut skip = page.skip;
    let mut behind = None;
    let mut total = None;
    loop {
        let last = skip.saturating_add(page.most) <= held;
        let room = if last { skip + page.most } else { held };
        let newest = Newest::new(size(room), behind);
        let (count, walked) = look(&newest)?;
        let total = *total.get_or_insert(count);
        let mut hits = newest.into_sorted();
        if last || (hits.len() as u64) < room || walked.stopped.is_some() {
            let paths = hits.iter().skip(size(skip)).take(size(page.most)).map(Hit::shown).collect();
            return Ok(Finds { paths, total, walked });
        }
        // Another round begins behind what is skipped by now.
        let passed = skip.min(held);
        skip -= passed;
        hits.truncate(size(passed));
        behind = hits.pop();
    }
}

/// Looks everywhere once; gives how many match.
fn look(quest: &Quest, how: &How<'_>, newest: &Newest) -> Result<(u64, Walked), Fault> {
    let count = AtomicU64::new(0);
    for file in &quest.files {
        count.fetch_add(1, Ordering::Relaxed);
        newest.add(vec![Hit::at(file.shown.clone(), file.modified, EntryKind::File)]);
    }
    let mut all = Walked::default();
    for scope in &quest.scopes {
        let overlap = Overlap::of(scope, quest);
        let finder = Finder { scope, overlap, start: start(&scope.shown), newest, count: &count };
        let keep = Keep { dots: how.dots, git: how.git, levels: scope.globs.levels() };
        let trunk = Trunk { directory: &scope.directory, path: &scope.shown, real: &scope.real };
        let budget = how.opening.budget;
        let walked = walk(&Walk { host: how.host, trunk, budget, keep, threads: how.threads }, &finder);
        add(&mut all, walked, scope);
        if all.stopped.is_some() {
            return Ok((count.into_inner(), all));
        }
    }
    for listing in &quest.listings {
        listed::look(listing, how, &mut all, &mut |hit| {
            count.fetch_add(1, Ordering::Relaxed);
            newest.add(vec![hit]);
        })?;
    }
    Ok((count.into_inner(), all))
}

/// Adds what one walk left out to what others did.
fn add(all: &mut Walked, one: Walked, scope: &Scope) {
    all.ignored += one.ignored;
    all.denied += one.denied;
    all.unreadable += one.unreadable;
    all.bad_rules += one.bad_rules;
    let file = |file: PathBuf| [start(&scope.shown), file.into_os_string().into_vec()].concat();
    let first = one.bad_rules_in.map(|path| PathBuf::from(OsString::from_vec(file(path))));
    all.bad_rules_in = all.bad_rules_in.take().or(first);
    all.stopped = all.stopped.or(one.stopped);
    all.cut |= one.cut;
}

/// Looks at the entries of a walk.
struct Finder<'a> {
    scope: &'a Scope,
    overlap: Overlap<'a>,
    /// What stands before the paths that are found.
    start: Vec<u8>,
    newest: &'a Newest,
    count: &'a AtomicU64,
}

impl Visit for Finder<'_> {
    fn entries(&self, batch: &Batch<'_>) {
        let mut within = self.scope.globs.within(batch.below);
        let mut elsewhere = self.overlap.within(batch.below);
        let (mut count, mut hits) = (0, Vec::new());
        for entry in batch.entries {
            if !within.matches(entry.name, entry.kind) || elsewhere.has(entry.name, entry.kind) {
                continue;
            }
            let modified = match batch.directory.modified(entry.name) {
                Ok(modified) => Some(modified),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(_) => None,
            };
            count += 1;
            if self.newest.may_take(modified) {
                hits.push(Hit::new(modified, self.path(batch, entry.name.as_bytes()), entry.kind));
            }
        }
        self.tell(batch, count, &hits);
        self.newest.add(hits);
    }
}

impl Finder<'_> {
    fn path(&self, batch: &Batch<'_>, name: &[u8]) -> Vec<u8> {
        let below = batch.below.as_os_str().as_bytes();
        let slash: &[u8] = if below.is_empty() { b"" } else { b"/" };
        [&self.start, below, slash, name].concat()
    }

    fn tell(&self, batch: &Batch<'_>, count: u64, hits: &[Hit]) {
        let progress = batch.budget.progress();
        progress.look(batch.entries.len() as u64);
        if count > 0 {
            self.count.fetch_add(count, Ordering::Relaxed);
            progress.find(count);
        }
        for hit in hits {
            if !progress.wants_names() {
                break;
            }
            progress.name(hit.shown());
        }
    }
}

/// What stands before a path below a directory, as it is spelled.
fn start(shown: &str) -> Vec<u8> {
    let mut start = bytes_of(shown);
    if start == b"." {
        start.clear();
    } else if !start.ends_with(b"/") {
        start.push(b'/');
    }
    start
}

/// The bytes of a path that is shown.
fn bytes_of(shown: &str) -> Vec<u8> {
    unescape_name(shown).map_or_else(|| shown.as_bytes().to_vec(), |name| name.as_bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Paths of a few times, some of them equal.
    fn hits(count: u64) -> Vec<Hit> {
        let hit = |number: u64| {
            let time = i64::try_from(number * 7 % 5).unwrap();
            Hit::new(Some(time), format!("{number:03}").into_bytes(), EntryKind::File)
        };
        (0..count).map(hit).collect()
    }

    #[test]
    fn pages_are_the_same_however_little_is_held() {
        let all = hits(60);
        let mut right = all.clone();
        right.sort();
        for held in [4, 7, 20, 59, 60, 1_000] {
            for skip in 0..70 {
                let mut rounds = 0;
                let page = Page { skip, most: 4 };
                let finds = in_rounds(page, held, |newest| {
                    rounds += 1;
                    all.chunks(9).for_each(|some| newest.add(some.to_vec()));
                    Ok((60, Walked::default()))
                });
                let finds = finds.unwrap();
                let skip = usize::try_from(skip).unwrap();
                let expected: Vec<String> = right.iter().skip(skip).take(4).map(Hit::shown).collect();
                assert_eq!((finds.paths, finds.total), (expected, 60), "{skip} held {held}");
                assert!(rounds <= 60 / held + 2, "{rounds} rounds");
            }
        }
    }

    #[test]
    fn a_walk_that_was_stopped_is_not_made_again() {
        let all = hits(60);
        let finds = in_rounds(Page { skip: 50, most: 5 }, 10, |newest| {
            newest.add(all.clone());
            Ok((60, Walked { stopped: Some(readstone_base::Stopped::Deadline), ..Walked::default() }))
        });
        assert!(finds.unwrap().paths.is_empty());
    }
}
