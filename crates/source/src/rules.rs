//! Ignore rules: what `.gitignore` and the files like it leave out, read through the one opener.
//!
//! They mean what git makes of them. Of two that speak of an entry, the one in the deeper directory decides; of two in
//! one directory, the one in the file that stands later in [`FILES`]; of two in one file, the later.

mod bytes;
mod glob;
mod line;
mod set;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use readstone_base::{Blob, Budget};
use readstone_host::{Directory, EntryKind, Host, Names, Object};

use crate::tree::Trunk;
use crate::walk::Git;
use line::Verdict;
use set::{Asked, Set};

/// The rules in force somewhere in a tree. A clone is another handle on the same.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    git: Git,
    innermost: Option<Arc<Layer>>,
}

/// The rules of one directory.
#[derive(Debug)]
struct Layer {
    /// How many bytes of a path lead to the directory, with the slash behind it.
    base: usize,
    /// Rules of git; they end where a repository begins.
    git: Set,
    /// The repository that begins here, with the rules that it keeps for itself.
    repository: Option<Set>,
    /// Rules for others than git.
    others: Set,
    weight: u64,
    outer: Option<Arc<Layer>>,
}

/// Which of the names that matter to rules a directory holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen(u32);

/// Lines of rule files that are no rules, or too many.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bad {
    /// How many.
    pub(crate) lines: u64,
    /// The first file with such lines, by its path.
    pub(crate) file: Option<PathBuf>,
}

/// Files that hold rules, the weaker first; the first is git's own.
const FILES: [&str; 24] = [
    ".gitignore",
    ".ignore",
    ".rgignore",
    ".fdignore",
    ".aiexclude",
    ".aiignore",
    ".aiderignore",
    ".augmentignore",
    ".claudeignore",
    ".clineignore",
    ".codeiumignore",
    ".codexignore",
    ".continueignore",
    ".copilotignore",
    ".crushignore",
    ".cursorignore",
    ".geminiignore",
    ".gooseignore",
    ".kilocodeignore",
    ".llmignore",
    ".qwenignore",
    ".rooignore",
    ".tabnineignore",
    ".windsurfignore",
];
/// The directory or the file by which a repository is known.
const REPOSITORY: &str = ".git";
/// A rule file is read up to here.
const MOST_BYTES: u64 = 256 * 1024;
/// The lines behind that are counted up to here.
const MOST_COUNTED: u64 = 16 * 1024 * 1024;
/// Entries up to which a directory above is listed to find rules in it.
const MOST_LISTED: usize = 256;
/// Directories above whose rules are looked up.
const MOST_ANCESTORS: usize = 32;

impl Rules {
    /// The rules that hold in a directory from above it. Those of git are looked up to the directory that holds the
    /// repository, the others as far up as anything may be opened.
    pub(crate) fn above(trunk: Trunk<'_>, git: Git, host: &Host, budget: &Budget) -> (Self, Bad) {
        let mut found: Vec<(PathBuf, Directory, Seen)> = Vec::new();
        // Rules of git that lie outside of a repository say nothing about what lies in it.
        let begins = |directory: &Directory| directory.holds(OsStr::new(REPOSITORY));
        let is_own = |path: &Path| path.file_name() == Some(OsStr::new(REPOSITORY));
        let mut inside = git == Git::Pass || begins(trunk.directory) || is_own(trunk.real);
        let mut names = Names::default();
        for ancestor in trunk.real.ancestors().skip(1).take(MOST_ANCESTORS) {
            let Some(directory) = open(host, ancestor, budget) else {
                break;
            };
            let mut seen = Seen::there(&directory, &mut names, budget);
            if inside {
                seen = seen.without_git();
            }
            inside |= seen.has(FILES.len()) || is_own(ancestor);
            found.push((ancestor.to_owned(), directory, seen));
        }
        let mut rules = Self { git, innermost: None };
        let mut bad = Bad::default();
        for (real, directory, seen) in found.into_iter().rev() {
            rules = rules.inside(&directory, &real, seen, &mut bad);
        }
        (rules, bad)
    }

    /// The rules that hold in a directory below, by what its listing showed.
    #[must_use]
    pub(crate) fn inside(&self, directory: &Directory, real: &Path, seen: Seen, bad: &mut Bad) -> Self {
        let seen = if self.git == Git::Pass { seen.without_git() } else { seen };
        if seen == Seen::default() {
            return self.clone();
        }
        let (mut git, mut others) = (Set::default(), Set::default());
        let mut note = |lines: u64, file: &str| {
            bad.lines += lines;
            if lines > 0 && bad.file.is_none() {
                bad.file = Some(real.join(file));
            }
        };
        for (number, file) in FILES.into_iter().enumerate().filter(|(number, _)| seen.has(*number)) {
            let set = if number == 0 { &mut git } else { &mut others };
            note(read(directory, Path::new(file), set), file);
        }
        let repository = seen.has(FILES.len()).then(|| {
            let mut own = Set::default();
            if let Ok(info) = directory.descend(&Path::new(REPOSITORY).join("info")) {
                note(read(&info, Path::new("exclude"), &mut own), ".git/info/exclude");
            }
            own
        });
        if git.is_empty() && others.is_empty() && repository.is_none() {
            return self.clone();
        }
        let outer = self.innermost.clone();
        let own: u64 = [Some(&git), Some(&others), repository.as_ref()].into_iter().flatten().map(Set::weight).sum();
        let weight = own + outer.as_ref().map_or(0, |outer| outer.weight);
        // The root itself ends with its slash.
        let real = real.as_os_str().as_bytes();
        let base = real.len() + usize::from(!real.ends_with(b"/"));
        Self { git: self.git, innermost: Some(Arc::new(Layer { base, git, repository, others, weight, outer })) }
    }

    /// How much it can cost to ask them once; nothing when there are none.
    pub(crate) fn weight(&self) -> u64 {
        self.innermost.as_ref().map_or(0, |layer| layer.weight)
    }

    /// Whether an entry is left out, by its real path; the innermost rule that speaks of it decides.
    pub(crate) fn hide(&self, path: &Path, kind: EntryKind) -> bool {
        let bytes = path.as_os_str().as_bytes();
        let name = path.file_name().map_or(bytes.len(), |name| bytes.len().saturating_sub(name.len()));
        bytes.get(name..) == Some(REPOSITORY.as_bytes()) || self.hide_name(bytes, name, kind)
    }

    /// The same for an entry of the directory whose path, with a slash after it, is in `path`; the path is left as it was.
    pub(crate) fn hide_entry(&self, path: &mut Vec<u8>, entry: &OsStr, kind: EntryKind) -> bool {
        if entry == REPOSITORY {
            return true;
        }
        // Without rules, no path is built.
        if self.weight() == 0 {
            return false;
        }
        let start = path.len();
        path.extend_from_slice(entry.as_bytes());
        let hidden = self.hide_name(path, start, kind);
        path.truncate(start);
        hidden
    }

    /// The same for a path whose name begins at `name`.
    pub(crate) fn hide_name(&self, path: &[u8], name: usize, kind: EntryKind) -> bool {
        let name = path.get(name..).unwrap_or_default();
        let directory = kind == EntryKind::Directory;
        let mut git = self.git;
        let mut layer = self.innermost.as_deref();
        while let Some(here) = layer {
            let asked = Asked { name, path: path.get(here.base..).unwrap_or_default(), directory };
            let from_git = || {
                let own = here.repository.as_ref().and_then(|own| own.verdict(&asked));
                here.git.verdict(&asked).or(own)
            };
            let verdict = here.others.verdict(&asked).or_else(|| if git == Git::Obey { from_git() } else { None });
            if let Some(verdict) = verdict {
                return verdict == Verdict::Ignore;
            }
            if here.repository.is_some() {
                git = Git::Pass;
            }
            layer = here.outer.as_deref();
        }
        false
    }
}

impl Drop for Layer {
    /// A chain of thousands is let go link by link, not by as many calls within each other.
    fn drop(&mut self) {
        let mut next = self.outer.take();
        while let Some(layer) = next {
            next = Arc::into_inner(layer).and_then(|mut layer| layer.outer.take());
        }
    }
}

impl Seen {
    /// Those of a directory above. A small one is listed, which costs less than asking for each of them.
    fn there(directory: &Directory, names: &mut Names, budget: &Budget) -> Self {
        let listed = directory.list_into(names, MOST_LISTED, budget);
        if listed.is_ok() && !names.more {
            return Self::among(names.iter().map(|(name, _)| name));
        }
        let there = FILES.iter().filter(|file| directory.holds(OsStr::new(file)));
        let repository = directory.holds(OsStr::new(REPOSITORY)).then_some(REPOSITORY);
        Self::among(there.copied().chain(repository).map(OsStr::new))
    }

    fn without_git(self) -> Self {
        Self(self.0 & !1 & !(1 << FILES.len()))
    }

    /// Those of a listing.
    pub(crate) fn among<'a>(names: impl Iterator<Item = &'a OsStr>) -> Self {
        let mut seen = Self::default();
        names.for_each(|name| seen.note(name));
        seen
    }

    fn note(&mut self, name: &OsStr) {
        let bytes = name.as_bytes();
        // Most names begin with something else.
        if bytes.first() != Some(&b'.') {
            return;
        }
        let place = FILES.iter().position(|file| file.as_bytes() == bytes);
        if let Some(place) = place.or_else(|| (bytes == REPOSITORY.as_bytes()).then_some(FILES.len())) {
            self.0 |= 1 << place;
        }
    }

    fn has(self, place: usize) -> bool {
        self.0 >> place & 1 == 1
    }
}

fn open(host: &Host, path: &Path, budget: &Budget) -> Option<Directory> {
    match host.open(path, budget).ok()?.object {
        Object::Directory(directory) => Some(directory),
        Object::File { .. } => None,
    }
}

/// Reads the rules of a file, as far as it is one; gives the number of lines that are no rules, or too many.
fn read(directory: &Directory, file: &Path, set: &mut Set) -> u64 {
    let Ok(blob) = directory.file(file.as_os_str()) else {
        return 0;
    };
    let mut text = blob.read_range(0, MOST_BYTES.min(blob.len().unwrap_or(0))).unwrap_or_default();
    let mut left_out = 0;
    if blob.len() > Some(MOST_BYTES) {
        // The line that is cut counts with those behind it.
        text.truncate(memchr::memrchr(b'\n', &text).map_or(0, |end| end + 1));
        left_out = count_lines(&blob, text.len() as u64);
    }
    set.read(&text) + left_out
}

/// The lines from an offset on, as far as they are counted.
fn count_lines(blob: &dyn Blob, start: u64) -> u64 {
    let (mut lines, mut at, mut open) = (0, start, false);
    while at < start + MOST_COUNTED {
        let piece = blob.read_range(at, at + MOST_BYTES).unwrap_or_default();
        let Some(last) = piece.last() else {
            break;
        };
        open = *last != b'\n';
        lines += memchr::memchr_iter(b'\n', &piece).count() as u64;
        at += piece.len() as u64;
    }
    lines + u64::from(open)
}
