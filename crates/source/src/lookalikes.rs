//! Lookalikes: what a missing path may have meant, judged by one measure in directory trees and in what files hold.
//!
//! A directory tree is searched by `missing`; the names inside an archive, a database or a workbook are passed one by one.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::likeness;

/// Candidates kept of any search.
pub(crate) const MOST_CANDIDATES: usize = 16;
/// Names that are offered.
const MOST_NEAR: usize = 3;

/// A missing path, and the forms of it that others are compared with.
#[derive(Debug)]
pub(crate) struct Wanted {
    path: PathBuf,
    folded: Option<PathBuf>,
    name: String,
}

/// Paths that are like a missing one.
#[derive(Debug, Default)]
pub(crate) struct Finds {
    pub(crate) exact: Vec<PathBuf>,
    pub(crate) folded: Vec<PathBuf>,
    pub(crate) near: Vec<(usize, PathBuf)>,
    /// Whether everything was searched.
    pub(crate) whole: bool,
}

/// How a path is like the missing one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Likeness {
    /// It ends with the missing path.
    Exact,
    /// It ends with it in another case or Unicode spelling.
    Folded,
    /// Its last name is this far from the missing one.
    Near(usize),
}

impl Wanted {
    /// A path to look for; `None` when its last name is missing or not text.
    pub(crate) fn new(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_owned();
        Some(Self { folded: fold(path), name, path: path.to_owned() })
    }

    /// How a path is like the missing one; `None` when it is not.
    pub(crate) fn judge(&self, path: &Path) -> Option<Likeness> {
        if path.ends_with(&self.path) {
            return Some(Likeness::Exact);
        }
        let other = path.file_name()?.to_str()?;
        match likeness::distance(&self.name, other)? {
            0 | 1 if fold(path)?.ends_with(self.folded.as_ref()?) => Some(Likeness::Folded),
            distance => Some(Likeness::Near(distance)),
        }
    }
}

impl Finds {
    /// Keeps a path if it is among the best. Two are enough to know that none is certain; a few more are worth showing.
    pub(crate) fn keep(&mut self, path: &Path, likeness: Likeness) {
        match likeness {
            Likeness::Exact => insert(&mut self.exact, path.to_owned()),
            Likeness::Folded => insert(&mut self.folded, path.to_owned()),
            Likeness::Near(distance) => insert(&mut self.near, (distance, path.to_owned())),
        }
    }
}

/// Adds to a short sorted list what it does not hold yet.
fn insert<T: Ord>(list: &mut Vec<T>, item: T) {
    if let Err(at) = list.binary_search(&item) {
        list.insert(at, item);
        list.truncate(MOST_CANDIDATES);
    }
}

fn fold(path: &Path) -> Option<PathBuf> {
    path.to_str().map(|text| PathBuf::from(likeness::folded(text)))
}

/// Whether a path is in the same directory and its name differs by one letter.
pub(crate) fn is_one_letter_away(path: &Path, other: &Path) -> bool {
    let names = path.file_name().and_then(OsStr::to_str).zip(other.file_name().and_then(OsStr::to_str));
    path.parent() == other.parent() && names.is_some_and(|(asked, other)| likeness::letters_apart(asked, other) == 1)
}

/// The path that a slip of the finger missed. One slip away is certain only where nothing else is one letter away.
pub(crate) fn certain_slip<'p>(path: &Path, beside: &[&'p PathBuf]) -> Option<&'p PathBuf> {
    let [other] = beside else { return None };
    let names = path.file_name().and_then(OsStr::to_str).zip(other.file_name().and_then(OsStr::to_str));
    names.is_some_and(|(asked, other)| likeness::is_slip(asked, other)).then_some(*other)
}

/// Compares a missing path with the paths that something holds.
#[derive(Debug)]
pub struct Lookalikes {
    wanted: Option<Wanted>,
    finds: Finds,
    /// The same path in another Unicode spelling.
    spelled: Vec<PathBuf>,
    /// The same path in another case.
    cased: Vec<PathBuf>,
    /// The longest path with which the missing one ends.
    shorter: Option<PathBuf>,
    /// Paths in the same directory whose names are one letter away.
    beside: Vec<PathBuf>,
}

/// What a missing path may have meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meant {
    /// Only this.
    One {
        /// The path.
        path: PathBuf,
        /// What the two share: `suffix match`, `case match`, `Unicode match`, `spelling match`.
        how: &'static str,
    },
    /// Nothing for certain; at most three that fit or come near, the best first.
    Near(Vec<PathBuf>),
}

impl Lookalikes {
    /// Looks for a missing path.
    pub fn new(asked: &Path) -> Self {
        let finds = Finds { whole: true, ..Finds::default() };
        let wanted = Wanted::new(asked);
        Self { wanted, finds, spelled: Vec::new(), cased: Vec::new(), shorter: None, beside: Vec::new() }
    }

    /// Compares one path. Only those that `allowed` lets pass are kept.
    pub fn pass(&mut self, path: &Path, allowed: &dyn Fn(&Path) -> bool) {
        let Some(wanted) = &self.wanted else { return };
        if path == wanted.path {
            return;
        }
        let ends_it = path.components().nth(1).is_some() && wanted.path.ends_with(path);
        let likeness = wanted.judge(path);
        if !ends_it && likeness.is_none() || !allowed(path) {
            return;
        }
        if ends_it && self.shorter.as_ref().is_none_or(|known| known.as_os_str().len() < path.as_os_str().len()) {
            self.shorter = Some(path.to_owned());
        }
        let Some(likeness) = likeness else { return };
        match likeness {
            Likeness::Folded if has_form(path, &wanted.path, likeness::spelling) => {
                insert(&mut self.spelled, path.to_owned());
            }
            Likeness::Folded if has_form(path, &wanted.path, likeness::folded) => {
                insert(&mut self.cased, path.to_owned());
            }
            Likeness::Exact | Likeness::Folded => self.finds.keep(path, likeness),
            Likeness::Near(distance) => {
                if is_one_letter_away(&wanted.path, path) {
                    insert(&mut self.beside, path.to_owned());
                }
                // Among names that are equally far, those in the same directory come first.
                let elsewhere = usize::from(path.parent() != wanted.path.parent());
                self.finds.keep(path, Likeness::Near(2 * distance + elsewhere));
            }
        }
    }

    /// Says that not everything was passed, so that nothing is certain.
    pub fn miss(&mut self) {
        self.finds.whole = false;
    }

    /// What the path may have meant.
    pub fn decide(self) -> Meant {
        let shorter: Vec<PathBuf> = self.shorter.into_iter().collect();
        let Finds { exact, folded, near, whole } = self.finds;
        let ways = [
            (&self.spelled, "Unicode match"),
            (&self.cased, "case match"),
            (&exact, "suffix match"),
            (&shorter, "suffix match"),
            (&folded, "case match"),
        ];
        for (paths, how) in ways {
            match paths.as_slice() {
                [] => {}
                [one] if whole => return Meant::One { path: one.clone(), how },
                several => return Meant::Near(several.iter().take(MOST_NEAR).cloned().collect()),
            }
        }
        let beside: Vec<&PathBuf> = self.beside.iter().collect();
        let slip = self.wanted.as_ref().and_then(|wanted| certain_slip(&wanted.path, &beside)).filter(|_| whole);
        match slip {
            Some(other) => Meant::One { path: other.clone(), how: "spelling match" },
            None => Meant::Near(near.into_iter().map(|(_, path)| path).take(MOST_NEAR).collect()),
        }
    }
}

/// Whether two paths have the same form.
fn has_form(path: &Path, other: &Path, form: fn(&str) -> String) -> bool {
    path.to_str().zip(other.to_str()).is_some_and(|(path, other)| form(path) == form(other))
}

/// At most three of these names that come near one that is not among them, the nearest first.
pub fn near_names(asked: &str, names: &[String]) -> Vec<String> {
    let mut near: Vec<(usize, &String)> =
        names.iter().filter_map(|name| Some((likeness::distance(asked, name)?, name))).collect();
    near.sort();
    near.into_iter().take(MOST_NEAR).map(|(_, name)| name.clone()).collect()
}
