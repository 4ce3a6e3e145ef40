//! One thread of a walk: lists directories and says which of their entries are looked at.

use std::ffi::OsStr;
use std::io;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use readstone_base::{Budget, Stopped};
use readstone_host::{Directory, EntryKind, Names};

use super::ahead::{Ahead, Anchor, Nest, Rest, What};
use super::crew::{Crew, Job};
use super::ledger::Tally;
use super::{Batch, Dots, Listed};
use crate::rules::{Bad, Rules, Seen};

/// One thread, with memory that it uses again.
pub(super) struct Hand<'a> {
    crew: &'a Crew<'a>,
    budget: Budget,
    names: Names,
    path: Vec<u8>,
    /// Whether the walk goes through what git keeps.
    in_git: bool,
    /// What was counted in the directory at hand.
    pub(super) tally: Tally,
}

/// A directory that was opened.
struct Here<'a> {
    directory: Arc<Directory>,
    anchor: Anchor,
    key: Vec<u8>,
    below: &'a Path,
    /// The rules above it.
    rules: &'a Rules,
    level: usize,
}

impl Here<'_> {
    /// Its entries, for whoever has time.
    fn rest(&self, names: Names) -> Arc<Rest> {
        Arc::new(Rest::new(Arc::clone(&self.directory), self.below.to_owned(), names))
    }
}

/// Entries of one directory that are looked at; in packed form they take some thirty bytes each.
const MOST_ENTRIES: usize = 500_000;
/// A directory whose path is longer is not entered: what lies in it could not be opened by its path.
const MOST_PATH: usize = 4_096 - 256;
/// Names up to here are copied; more are handed over with their memory.
const MOST_COPIED: usize = 4_096;
/// What asking the rules may cost before the budget is looked at again.
const STRIDE: u64 = 64 * 1024;

impl<'a> Hand<'a> {
    pub(super) fn new(crew: &'a Crew<'a>, budget: Budget) -> Self {
        let in_git = crew.walk.trunk.real.iter().any(|part| part == ".git");
        Self { crew, budget, names: Names::default(), path: Vec::new(), in_git, tally: Tally::default() }
    }

    /// Lists the trunk; all of it lies ahead then.
    pub(super) fn begin(&mut self, rules: &Rules) -> Result<(), Stopped> {
        self.budget.check()?;
        let Ok(directory) = self.crew.walk.trunk.directory.descend(Path::new(".")) else {
            self.tally.unreadable += 1;
            return Ok(());
        };
        let directory = Arc::new(directory);
        let anchor = Anchor { directory: Arc::clone(&directory), path: PathBuf::new() };
        let here = Here { directory, anchor, key: Vec::new(), below: Path::new(""), rules, level: 0 };
        let mut names = Names::default();
        let rules = self.list(&here, &mut names)?;
        let nest = self.nest(&here, rules, &names);
        let rest = (!names.is_empty()).then(|| Ahead::entries(&here.rest(names), Vec::new()));
        self.crew.push(nest.into_iter().chain(rest));
        Ok(())
    }

    /// Does what lay ahead.
    pub(super) fn work(&mut self, job: Job) -> Result<(), Stopped> {
        self.budget.check()?;
        match job.what {
            What::Entries(rest) => self.share(&rest),
            What::Directories(nest, place) => {
                let Some(directory) = self.open(&nest, place, job.key.len()) else {
                    return Ok(());
                };
                let level = nest.level + 1;
                let anchor =
                    nest.anchor.inside(Path::new(job.below.file_name().unwrap_or_default()), &directory, level);
                self.enter(&Here { directory, anchor, key: job.key, below: &job.below, rules: &nest.rules, level })
            }
        }
    }

    fn open(&mut self, nest: &Nest, place: usize, length: usize) -> Option<Arc<Directory>> {
        if self.crew.walk.trunk.real.as_os_str().len() + length > MOST_PATH {
            self.tally.cut = true;
            return None;
        }
        let name = Path::new(nest.names.get(place)?);
        let opened = if nest.anchor.path.as_os_str().is_empty() {
            nest.anchor.directory.descend(name)
        } else {
            nest.anchor.directory.descend(&nest.anchor.path.join(name))
        };
        match opened {
            Ok(directory) => Some(Arc::new(directory)),
            Err(error) => {
                self.tally.unreadable += u64::from(!is_gone(&error));
                None
            }
        }
    }

    /// Lists a directory, adds what is in it to what lies ahead, and shows the first entries.
    fn enter(&mut self, here: &Here<'_>) -> Result<(), Stopped> {
        let mut names = std::mem::take(&mut self.names);
        let entered = self.list(here, &mut names).and_then(|rules| self.go_on(here, rules, &mut names));
        self.names = names;
        entered
    }

    /// Lists the entries that are looked at, in their order; gives the rules that hold among them.
    fn list(&mut self, here: &Here<'_>, names: &mut Names) -> Result<Rules, Stopped> {
        match here.directory.list_into(names, MOST_ENTRIES, &self.budget) {
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                self.budget.still_wanted()?;
                return Err(Stopped::Cancelled);
            }
            // What was listed before that is there.
            Err(error) => self.tally.unreadable += u64::from(!is_gone(&error)),
            Ok(()) => self.tally.cut |= names.more,
        }
        let seen = Seen::among(names.iter().map(|(name, _)| name));
        self.path.clear();
        self.path.extend_from_slice(self.crew.walk.trunk.real.as_os_str().as_bytes());
        if !here.below.as_os_str().is_empty() {
            if !self.path.ends_with(b"/") {
                self.path.push(b'/');
            }
            self.path.extend_from_slice(here.below.as_os_str().as_bytes());
        }
        let mut bad = Bad::default();
        let rules = here.rules.inside(&here.directory, Path::new(OsStr::from_bytes(&self.path)), seen, &mut bad);
        self.tally.bad = self.crew.seen_from_trunk(bad);
        self.sift(&rules, names)?;
        names.sort();
        Ok(rules)
    }

    /// Takes away the names that are not looked at.
    fn sift(&mut self, rules: &Rules, names: &mut Names) -> Result<(), Stopped> {
        let Self { crew, budget, path, tally, .. } = self;
        let directory = path.clone();
        let watch = crew.walk.host.watch(Path::new(OsStr::from_bytes(&directory)));
        if !path.ends_with(b"/") {
            path.push(b'/');
        }
        let start = path.len();
        let (weight, mut spent, mut wanted) = (rules.weight(), 0, Ok(()));
        names.retain(|name, kind| {
            if name.as_bytes().first() == Some(&b'.')
                && (crew.walk.keep.dots == Dots::Skip || (!self.in_git && name == ".git"))
            {
                return false;
            }
            if weight > 0 {
                spent += weight;
                if spent > STRIDE && wanted.is_ok() {
                    (spent, wanted) = (0, budget.check());
                }
                path.truncate(start);
                path.extend_from_slice(name.as_bytes());
                if wanted.is_err() || rules.hide_name(path, start, kind) {
                    tally.ignored += 1;
                    return false;
                }
            }
            let may = watch.may_name(name);
            tally.denied += u64::from(!may);
            may
        });
        wanted
    }

    /// The directories among the names, where they are entered.
    fn nest(&self, here: &Here<'_>, rules: Rules, names: &Names) -> Option<Ahead> {
        let levels = self.crew.walk.keep.levels;
        if levels.is_some_and(|levels| here.level + 2 > levels) {
            return None;
        }
        let names = names.copy(|kind| kind == EntryKind::Directory);
        let nest = Nest { anchor: here.anchor.clone(), key: here.key.clone(), rules, names, level: here.level };
        Ahead::directories(Arc::new(nest), 0)
    }

    /// Adds the directories and the entries that are left to what lies ahead, and shows the first of them.
    fn go_on(&mut self, here: &Here<'_>, rules: Rules, names: &mut Names) -> Result<(), Stopped> {
        let nest = self.nest(here, rules, names);
        if names.len() > self.crew.grain {
            let whole = names.len() > MOST_COPIED;
            let rest = here.rest(if whole { std::mem::take(names) } else { names.copy(|_| true) });
            self.crew.push(nest.into_iter().chain([Ahead::entries(&rest, here.key.clone())]));
            self.share(&rest)?;
        } else {
            if let Some(nest) = nest {
                self.crew.push(std::iter::once(nest));
            }
            self.show(&here.directory, here.below, names, 0..names.len());
        }
        Ok(())
    }

    /// Shows entries of a directory, a few at a time and perhaps beside others, until none are left.
    fn share(&mut self, rest: &Rest) -> Result<(), Stopped> {
        while let Some(places) = rest.take(self.crew.grain) {
            self.budget.check()?;
            self.show(&rest.directory, &rest.below, &rest.names, places);
        }
        Ok(())
    }

    fn show(&self, directory: &Arc<Directory>, below: &Path, names: &Names, places: Range<usize>) {
        let entries: Vec<Listed<'_>> = names.part(places).map(|(name, kind)| Listed { name, kind }).collect();
        if !entries.is_empty() {
            self.crew.visit.entries(&Batch { directory, below, entries: &entries, budget: &self.budget });
        }
    }
}

/// Whether a directory is no more, or is none any more.
fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
