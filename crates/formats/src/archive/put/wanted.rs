//! Which entry an address means when something is written to it.

use std::ffi::OsString;

use readstone_address::Selector;
use readstone_base::{Holds, Quoted, holds, unescape_name};
use readstone_source::Judge;

use super::super::error::Error;
use super::super::index::{Kind, is_below, odd};
use super::super::names::{self, Candidate, candidates};
use super::super::secret;

/// Longer names lead nowhere on most systems.
const LONGEST: usize = 4096;
/// So many entries of one name are told apart.
const MOST_HITS: usize = 8;

/// What the caller asks for.
#[derive(Debug)]
pub(in super::super) struct Wanted {
    text: String,
    /// The names it may spell: as it stands, without escapes, with slashes. A new entry takes the last.
    names: Vec<Vec<u8>>,
    number: Option<usize>,
    /// Ways to read it as a shorter name with something behind it.
    shorter: Vec<Candidate>,
}

impl Wanted {
    /// Takes apart what stands behind an archive in an address.
    pub(super) fn new(archive: &str, inner: &str) -> Result<Self, Error> {
        let refuse = |what: &str| Error::unwritable(archive, Some(inner), what);
        if inner.ends_with(['/', '\\']) {
            return Err(refuse("a name that ends with '/' is that of a directory"));
        }
        let unescaped = unescape_name(inner).map(OsString::into_encoded_bytes);
        let plain = unescaped.as_deref().unwrap_or(inner.as_bytes());
        if plain.len() > LONGEST {
            return Err(Error::unwritable(archive, None, "names of entries have at most 4096 bytes"));
        }
        let slashed: Vec<u8> = plain.iter().map(|byte| if *byte == b'\\' { b'/' } else { *byte }).collect();
        let ways = [inner.as_bytes(), plain, &slashed].map(|name| names::tidy(below(name)));
        if matches!(ways, [.., None]) {
            return Err(Error::BadName { archive: archive.to_owned(), name: inner.to_owned() });
        }
        let mut all: Vec<Vec<u8>> = Vec::new();
        for name in ways.into_iter().flatten() {
            if !all.contains(&name) {
                all.push(name);
            }
        }
        if all.iter().any(Vec::is_empty) {
            return Err(refuse("it names no entry"));
        }
        let mut ways = candidates(inner).into_iter();
        let number = ways.next().filter(|whole| whole.rest.is_none()).and_then(|whole| whole.number);
        Ok(Self { text: inner.to_owned(), names: all, number, shorter: ways.collect() })
    }

    /// The number that was given, unless it is the name of the entry.
    pub(super) fn number_unless(&self, name: &[u8]) -> Option<String> {
        let named = self.names.iter().any(|wanted| wanted == name);
        (self.number.is_some() && !named).then(|| self.text.clone())
    }
}

/// The name without slashes before it.
fn below(name: &[u8]) -> &[u8] {
    let start = name.iter().position(|byte| *byte != b'/').unwrap_or(name.len());
    name.get(start..).unwrap_or_default()
}

/// An entry that may be meant.
#[derive(Clone, Debug)]
pub(in super::super) struct Hit<T> {
    pub(in super::super) number: usize,
    pub(in super::super) name: Vec<u8>,
    pub(in super::super) kind: Kind,
    pub(in super::super) odd: u8,
    pub(in super::super) size: u64,
    /// Where it is; what that means is up to the kind of archive.
    pub(in super::super) place: T,
}

/// What is to be done.
#[derive(Debug)]
pub(in super::super) enum Outcome<T> {
    /// This entry gets other content; so many hard links lead to it.
    Replace(Hit<T>, u64),
    /// A new entry gets this name.
    Create(Vec<u8>),
}

impl<T> Outcome<T> {
    pub(in super::super) fn name(&self) -> &[u8] {
        match self {
            Self::Replace(hit, _) => &hit.name,
            Self::Create(name) => name,
        }
    }

    /// The same, wherever the entry is.
    pub(in super::super) fn without_place(self) -> Outcome<()> {
        match self {
            Self::Create(name) => Outcome::Create(name),
            Self::Replace(hit, links) => {
                let Hit { number, name, kind, odd, size, .. } = hit;
                Outcome::Replace(Hit { number, name, kind, odd, size, place: () }, links)
            }
        }
    }
}

/// What is found under one of the names.
#[derive(Debug)]
struct Found<T> {
    hits: Vec<Hit<T>>,
    /// Whether something says that it is a directory.
    directory: bool,
    /// What has no entries below it, and is above the name.
    above: Option<Vec<u8>>,
    links: u64,
}

/// Looks at every entry in turn.
pub(in super::super) struct Search<'w, T> {
    wanted: &'w Wanted,
    found: Vec<Found<T>>,
    numbered: Option<(Hit<T>, u64)>,
    shorter: Option<usize>,
    seen: usize,
    judge: &'w dyn Judge,
    secret: Option<String>,
}

impl<T: Clone> Search<'_, T> {
    /// Sees the next entry, under the name it has in the archive.
    pub(in super::super) fn see(&mut self, raw: &[u8], mut hit: Hit<T>) {
        self.seen += 1;
        if self.secret.is_none() {
            self.secret = secret(self.judge, raw);
        }
        let tidy = names::tidy(raw).filter(|tidy| !tidy.is_empty() || hit.kind == Kind::Directory);
        if tidy.is_none() {
            hit.odd |= odd::UNSAFE;
        }
        hit.name = tidy.clone().unwrap_or_else(|| raw.to_vec());
        if self.wanted.number == Some(hit.number) {
            self.numbered = Some((hit.clone(), 0));
        }
        let Some(name) = tidy else { return };
        let directory = hit.kind == Kind::Directory;
        for (wanted, found) in self.wanted.names.iter().zip(&mut self.found) {
            found.directory |= if name == *wanted { directory } else { is_below(&name, wanted) };
            if !directory && name == *wanted && found.hits.len() < MOST_HITS {
                found.hits.push(hit.clone());
            }
            if !directory && name != *wanted && is_below(wanted, &name) {
                found.above = Some(name.clone());
            }
        }
        if !directory && self.shorter.is_none() {
            let meant = |way: &Candidate| way.spells(&name) || way.number == Some(hit.number);
            self.shorter = self.wanted.shorter.iter().position(meant);
        }
    }
}

impl<'w, T> Search<'w, T> {
    pub(in super::super) fn new(wanted: &'w Wanted, judge: &'w dyn Judge) -> Self {
        let found = || Found { hits: Vec::new(), directory: false, above: None, links: 0 };
        let found = wanted.names.iter().map(|_| found()).collect();
        Self { wanted, found, numbered: None, shorter: None, seen: 0, judge, secret: None }
    }

    /// The rule for secrets that speaks of one of the entries that were seen.
    pub(super) fn secret(&self) -> Option<&str> {
        self.secret.as_deref()
    }

    /// How many entries were seen.
    pub(in super::super) fn seen(&self) -> usize {
        self.seen
    }

    /// Sees a hard link, and where it leads.
    pub(in super::super) fn see_link(&mut self, target: &[u8]) {
        let Some(target) = names::tidy(target) else { return };
        for (wanted, found) in self.wanted.names.iter().zip(&mut self.found) {
            found.links += u64::from(target == *wanted);
        }
        if let Some((hit, links)) = &mut self.numbered {
            *links += u64::from(target == hit.name);
        }
    }

    /// What is to be done, once every entry was seen.
    pub(super) fn outcome(self, archive: &str) -> Result<Outcome<T>, Error> {
        let text = self.wanted.text.clone();
        let unwritable = |name: &[u8], what: &str| Error::unwritable(archive, Some(&names::show(name)), what);
        if let Some((hit, links)) = self.numbered {
            return regular(hit, archive).map(|hit| Outcome::Replace(hit, links));
        }
        let mut above = None;
        for (name, mut found) in self.wanted.names.iter().zip(self.found) {
            if found.hits.len() > 1 {
                let numbers = found.hits.iter().map(|hit| hit.number as u64 + 1).collect();
                return Err(Error::Ambiguous { archive: archive.to_owned(), name: text, numbers });
            }
            if let Some(hit) = found.hits.pop() {
                return regular(hit, archive).map(|hit| Outcome::Replace(hit, found.links));
            }
            if found.directory {
                return Err(unwritable(name, "it is a directory"));
            }
            above = found.above;
        }
        if self.wanted.number.is_some() {
            let (archive, near) = (archive.to_owned(), Vec::new());
            return Err(Error::NotFound { archive, name: text, near, instead: None, damaged: false, hurried: false });
        }
        if let Some(way) = self.shorter.and_then(|at| self.wanted.shorter.get(at)) {
            let what = format!("{} is an entry of it, and entries are written whole", Quoted(&way.text));
            return Err(Error::unwritable(archive, Some(&text), what));
        }
        let selects = |way: &Candidate| way.rest.as_deref().is_some_and(|rest| Selector::parse(rest).is_ok());
        if self.wanted.shorter.iter().any(selects) {
            let what = "it selects a part, and entries are written whole; in a name, ':' is spelled '\\x3a'";
            return Err(Error::unwritable(archive, Some(&text), what));
        }
        let inside = |way: &&Candidate| way.rest.is_some() && holds(&way.text).is_some_and(has_members);
        if let Some(way) = self.wanted.shorter.iter().find(inside) {
            let what = format!("{} is no entry of it yet; in a name, ':' is spelled '\\x3a'", Quoted(&way.text));
            return Err(Error::unwritable(archive, Some(&text), what));
        }
        let fresh = self.wanted.names.last().cloned().unwrap_or_default();
        if let Some(above) = above {
            let what = format!("{} above it is no directory", Quoted(&names::show(&above)));
            return Err(unwritable(&fresh, &what));
        }
        Ok(Outcome::Create(fresh))
    }
}

/// Whether an address may lead into what is called so.
fn has_members(holds: Holds) -> bool {
    matches!(holds, Holds::Package | Holds::Archive | Holds::Compressed | Holds::Database)
}

/// The entry, when it is a file that can be written.
fn regular<T>(hit: Hit<T>, archive: &str) -> Result<Hit<T>, Error> {
    let address = format!("{archive}:{}", names::show(&hit.name));
    if hit.odd & odd::UNSAFE != 0 {
        return Err(Error::BadName { archive: archive.to_owned(), name: names::show(&hit.name) });
    }
    if let Some(what) = hit.kind.special() {
        return Err(Error::NotRegular { address, what });
    }
    let what = match hit.kind {
        Kind::Directory => "it is a directory",
        Kind::Symlink | Kind::HardLink => "it is a link, which is never followed inside an archive",
        Kind::File | Kind::Fifo | Kind::CharacterDevice | Kind::BlockDevice | Kind::Socket => {
            return if hit.odd & odd::ENCRYPTED == 0 { Ok(hit) } else { Err(Error::Encrypted { address }) };
        }
    };
    Err(Error::unwritable(archive, Some(&names::show(&hit.name)), what))
}
