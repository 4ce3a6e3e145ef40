//! A store that ends with the process.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use readstone_base::{Tag, Version};

use readstone_source::Drawer;

use crate::store::{MOST_NUMBERS, OVERHEAD, Place, Snapshot, Store, Text, fits, union};

/// Texts in memory, the oldest first.
#[derive(Debug, Default)]
pub struct MemoryStore {
    /// Whether the process ends with the call, so that nothing can be asked for again.
    brief: bool,
    kept: Mutex<Texts>,
    drawers: Mutex<VecDeque<Held>>,
    /// The last number that was given in a drawer of a session, the oldest first.
    numbers: Mutex<VecDeque<Numbered>>,
}

/// Something in a drawer.
#[derive(Debug)]
struct Held {
    session: String,
    drawer: Drawer,
    name: String,
    bytes: Vec<u8>,
}

/// A drawer and the last number that was given in it.
#[derive(Debug)]
struct Numbered {
    session: String,
    drawer: Drawer,
    last: u64,
}

#[derive(Debug, Default)]
struct Texts {
    texts: VecDeque<Kept>,
    /// What they take in all.
    size: u64,
}

#[derive(Debug)]
struct Kept {
    session: String,
    path: PathBuf,
    snapshot: Snapshot,
}

impl Kept {
    fn size(&self) -> u64 {
        let bytes = self.snapshot.bytes.as_ref().map_or(0, Vec::len);
        (bytes + self.session.len() + self.path.as_os_str().len()) as u64 + OVERHEAD
    }
}

impl MemoryStore {
    /// A store of a process that ends with its call: what it keeps gets no number, for nobody could ask for it.
    pub fn brief() -> Self {
        Self { brief: true, ..Self::default() }
    }
}

impl Held {
    fn is_in(&self, place: Place<'_>) -> bool {
        self.session == place.session && self.drawer == place.drawer
    }

    fn size(&self) -> u64 {
        (self.bytes.len() + self.name.len()) as u64 + OVERHEAD
    }
}

/// Puts something into a drawer; beyond `most` bytes the oldest are forgotten of the session that has most there.
fn push(held: &mut VecDeque<Held>, new: Held, most: u64) {
    let drawer = new.drawer;
    held.push_back(new);
    loop {
        let mut sums: HashMap<&str, u64> = HashMap::new();
        for old in held.iter().filter(|old| old.drawer == drawer) {
            *sums.entry(&old.session).or_default() += old.size();
        }
        let largest = sums.iter().max_by_key(|(name, sum)| (**sum, **name)).map(|(name, _)| (*name).to_owned());
        let Some(session) = largest.filter(|_| sums.values().sum::<u64>() > most) else {
            return;
        };
        let oldest = held.iter().position(|old| old.drawer == drawer && old.session == session);
        held.remove(oldest.unwrap_or(0));
    }
}

/// Forgets the oldest number; not one of a drawer that holds something, lest it be replaced.
fn forget_oldest(numbers: &mut VecDeque<Numbered>, held: &VecDeque<Held>) {
    let full: HashSet<(&str, Drawer)> = held.iter().map(|held| (held.session.as_str(), held.drawer)).collect();
    let oldest = numbers.iter().position(|old| !full.contains(&(old.session.as_str(), old.drawer)));
    if let Some(oldest) = oldest {
        numbers.remove(oldest);
    }
}

impl Store for MemoryStore {
    fn keep(&self, session: &str, path: &Path, text: Text<'_>, most: u64) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |old: &Kept| old.snapshot.version == text.version && old.path == path && old.session == session;
        // What was shown last is most likely to be shown again, and is what its tag means.
        let known = kept.texts.iter().rposition(same).and_then(|at| kept.texts.remove(at));
        if let Some(mut old) = known {
            old.snapshot.shown = union(&old.snapshot.shown, text.shown);
            kept.texts.push_back(old);
            return;
        }
        let (bytes, shown) = (text.bytes.map(<[u8]>::to_vec), union(text.shown, &[]));
        let snapshot = Snapshot { version: text.version, bytes, shown };
        let new = Kept { session: session.to_owned(), path: path.to_owned(), snapshot };
        kept.size += new.size();
        kept.texts.push_back(new);
        while kept.size > most && kept.texts.len() > 1 {
            let old = kept.texts.pop_front().map_or(0, |old| old.size());
            kept.size -= old;
        }
    }

    fn put(&self, place: Place<'_>, name: &str, bytes: &[u8], most: u64) {
        let mut held = self.drawers.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|old| !(old.is_in(place) && old.name == name));
        if fits(bytes, most) {
            let (session, name) = (place.session.to_owned(), name.to_owned());
            push(&mut held, Held { session, drawer: place.drawer, name, bytes: bytes.to_vec() }, most);
        }
    }

    fn get(&self, place: Place<'_>, name: &str) -> Option<Vec<u8>> {
        let held = self.drawers.lock().unwrap_or_else(PoisonError::into_inner);
        held.iter().rev().find(|held| held.is_in(place) && held.name == name).map(|held| held.bytes.clone())
    }

    fn beginning(&self, place: Place<'_>, name: &str, most: usize) -> Option<Vec<u8>> {
        let held = self.drawers.lock().unwrap_or_else(PoisonError::into_inner);
        let held = held.iter().rev().find(|held| held.is_in(place) && held.name == name)?;
        Some(held.bytes.iter().take(most).copied().collect())
    }

    fn add(&self, place: Place<'_>, bytes: &[u8], most: u64) -> Option<u64> {
        let mut held = self.drawers.lock().unwrap_or_else(PoisonError::into_inner);
        if self.brief || !fits(bytes, most) {
            return None;
        }
        let same = |old: &&Held| old.is_in(place) && old.bytes == bytes;
        if let Some(old) = held.iter().find(same) {
            return old.name.parse().ok();
        }
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        let known = numbers.iter().rposition(|old| old.session == place.session && old.drawer == place.drawer);
        let last = known.and_then(|at| numbers.remove(at)).map_or(0, |old| old.last) + 1;
        numbers.push_back(Numbered { session: place.session.to_owned(), drawer: place.drawer, last });
        let (session, name) = (place.session.to_owned(), last.to_string());
        push(&mut held, Held { session, drawer: place.drawer, name, bytes: bytes.to_vec() }, most);
        if numbers.len() > MOST_NUMBERS {
            forget_oldest(&mut numbers, &held);
        }
        Some(last)
    }

    fn names(&self, place: Place<'_>) -> Vec<String> {
        let held = self.drawers.lock().unwrap_or_else(PoisonError::into_inner);
        held.iter().filter(|held| held.is_in(place)).map(|held| held.name.clone()).collect()
    }

    fn recall(&self, session: &str, path: &Path, tag: Tag) -> Option<Snapshot> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |old: &&Kept| old.session == session && old.path == path && Tag::of(&old.snapshot.version) == tag;
        kept.texts.iter().rev().find(fits).map(|old| old.snapshot.clone())
    }

    fn versions(&self, path: &Path, tag: Tag) -> Vec<Version> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |old: &&Kept| old.path == path && Tag::of(&old.snapshot.version) == tag;
        let mut versions = Vec::new();
        for old in kept.texts.iter().filter(fits) {
            if !versions.contains(&old.snapshot.version) {
                versions.push(old.snapshot.version);
            }
        }
        versions
    }
}
