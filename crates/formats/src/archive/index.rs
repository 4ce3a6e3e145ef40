//! What an archive holds, in few bytes an entry.

use std::cmp::Ordering;
use std::sync::OnceLock;

use readstone_base::Note;

use super::names::{self, compare};

/// Up to this many entries are looked through rather than sorted, when only one is wanted.
const FEW: usize = 20_000;

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Directory,
    Symlink,
    HardLink,
    Fifo,
    CharacterDevice,
    BlockDevice,
    Socket,
}

impl Kind {
    const ALL: [Self; 8] = [
        Self::File,
        Self::Directory,
        Self::Symlink,
        Self::HardLink,
        Self::Fifo,
        Self::CharacterDevice,
        Self::BlockDevice,
        Self::Socket,
    ];

    /// What it is called, when it holds nothing.
    pub(super) fn special(self) -> Option<&'static str> {
        match self {
            Self::File | Self::Directory | Self::Symlink | Self::HardLink => None,
            Self::Fifo => Some("fifo"),
            Self::CharacterDevice => Some("character device"),
            Self::BlockDevice => Some("block device"),
            Self::Socket => Some("socket"),
        }
    }
}

/// What is odd about an entry.
pub(super) mod odd {
    /// Its name leads out of the archive.
    pub(in super::super) const UNSAFE: u8 = 1;
    /// It is encrypted.
    pub(in super::super) const ENCRYPTED: u8 = 2;
    /// It is packed in a way that cannot be read.
    pub(in super::super) const UNSUPPORTED: u8 = 4;
    /// It shares bytes with another.
    pub(in super::super) const OVERLAPS: u8 = 8;
    /// It is not all there.
    pub(in super::super) const DAMAGED: u8 = 16;
}

/// An entry on its way into the index.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) kind: Kind,
    pub(super) odd: u8,
    pub(super) size: u64,
    /// Where to find it; what that means is up to the kind of archive.
    pub(super) offset: u64,
    pub(super) time: Option<i64>,
}

/// Everything an archive holds, or what was found of it so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// Bytes that names and targets may take.
    room: u64,
    names: Vec<u8>,
    ends: Vec<u32>,
    offsets: Vec<u64>,
    sizes: Vec<u64>,
    times: Vec<u32>,
    kinds: Vec<u8>,
    odds: Vec<u8>,
    /// Which entries are links, and where the target of each ends.
    links: Vec<(u32, u32)>,
    targets: Vec<u8>,
    order: OnceLock<Vec<u32>>,
    /// How many bytes stand before the archive.
    pub(super) base: u64,
    /// What must be said of the archive.
    pub(super) notes: Vec<Note>,
}

impl Index {
    /// An index whose names and targets may take so many bytes.
    pub(super) fn within(room: u64) -> Self {
        // They are counted in four bytes.
        Self { room: room.min(u64::from(u32::MAX)), ..Self::default() }
    }

    fn has_room(&self, bytes: usize) -> bool {
        (self.names.len() + self.targets.len() + self.links.len() * 8 + bytes) as u64 <= self.room
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Makes room for so many entries and names, but not for any number that a file declares.
    pub(super) fn reserve(&mut self, entries: usize, names: usize) {
        const MOST_ENTRIES: usize = 16 * 1024;
        const MOST_NAMES: usize = 1024 * 1024;
        let entries = entries.min(MOST_ENTRIES);
        self.names.reserve(names.min(MOST_NAMES));
        self.ends.reserve(entries);
        self.offsets.reserve(entries);
        self.sizes.reserve(entries);
        self.times.reserve(entries);
        self.kinds.reserve(entries);
        self.odds.reserve(entries);
    }

    /// About how many bytes it takes, order included.
    pub(super) fn cost(&self) -> u64 {
        let targets = self.targets.capacity() + self.links.capacity() * 8;
        (self.names.capacity() + self.ends.capacity() * 30 + targets + 256) as u64
    }

    /// Adds an entry under the name it has in the archive; false when there is no room for it.
    pub(super) fn push(&mut self, raw: &[u8], mut entry: Entry) -> bool {
        if !self.has_room(raw.len()) {
            return false;
        }
        let trimmed = raw.strip_suffix(b"/").unwrap_or(raw);
        if names::is_tidy(trimmed) {
            self.names.extend_from_slice(trimmed);
        } else {
            let tidy = names::tidy(raw).filter(|tidy| !tidy.is_empty() || entry.kind == Kind::Directory);
            if tidy.is_none() {
                entry.odd |= odd::UNSAFE;
            }
            self.names.extend_from_slice(tidy.as_deref().unwrap_or(raw));
        }
        self.ends.push(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        self.offsets.push(entry.offset);
        self.sizes.push(entry.size);
        // Zero is as good as any other second to stand for none.
        self.times.push(entry.time.and_then(|time| u32::try_from(time).ok()).unwrap_or(0));
        self.kinds.push(
            Kind::ALL.iter().position(|kind| *kind == entry.kind).and_then(|at| u8::try_from(at).ok()).unwrap_or(0),
        );
        self.odds.push(entry.odd);
        self.order.take();
        true
    }

    /// Says where the last entry leads; false when there is no room for it.
    pub(super) fn lead(&mut self, target: &[u8]) -> bool {
        let Some(last) = self.len().checked_sub(1).and_then(|last| u32::try_from(last).ok()) else { return true };
        if !self.has_room(target.len() + 8) {
            return false;
        }
        self.targets.extend_from_slice(target);
        self.links.push((last, u32::try_from(self.targets.len()).unwrap_or(u32::MAX)));
        true
    }

    /// Says that something is odd about an entry.
    pub(super) fn mark(&mut self, number: usize, odd: u8) {
        if let Some(odds) = self.odds.get_mut(number) {
            *odds |= odd;
        }
    }

    /// Gives back room that was not needed.
    pub(super) fn shrink(&mut self) {
        self.names.shrink_to_fit();
        self.targets.shrink_to_fit();
        self.links.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.offsets.shrink_to_fit();
        self.sizes.shrink_to_fit();
        self.times.shrink_to_fit();
        self.kinds.shrink_to_fit();
        self.odds.shrink_to_fit();
    }

    pub(super) fn name(&self, number: usize) -> &[u8] {
        let start = number.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(number).copied().unwrap_or(start);
        self.names.get(start as usize..end as usize).unwrap_or_default()
    }

    pub(super) fn kind(&self, number: usize) -> Kind {
        let at = self.kinds.get(number).copied().unwrap_or(0);
        Kind::ALL.get(usize::from(at)).copied().unwrap_or(Kind::File)
    }

    pub(super) fn is(&self, number: usize, odd: u8) -> bool {
        self.odds.get(number).is_some_and(|own| own & odd != 0)
    }

    pub(super) fn size(&self, number: usize) -> u64 {
        self.sizes.get(number).copied().unwrap_or(0)
    }

    pub(super) fn offset(&self, number: usize) -> u64 {
        self.offsets.get(number).copied().unwrap_or(0)
    }

    pub(super) fn time(&self, number: usize) -> Option<i64> {
        self.times.get(number).copied().filter(|time| *time > 0).map(i64::from)
    }

    pub(super) fn target(&self, number: usize) -> Option<&[u8]> {
        let number = u32::try_from(number).ok()?;
        let at = self.links.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        let start = at.checked_sub(1).and_then(|before| self.links.get(before)).map_or(0, |(_, end)| *end);
        let (_, end) = *self.links.get(at)?;
        self.targets.get(start as usize..end as usize)
    }

    /// Numbers of the entries by path, those that lead out of the archive last.
    pub(super) fn order(&self) -> &[u32] {
        self.order.get_or_init(|| {
            let count = u32::try_from(self.len()).unwrap_or(u32::MAX);
            let mut order: Vec<u32> = (0..count).collect();
            order.sort_unstable_by(|one, other| self.rank(*one, *other));
            order
        })
    }

    fn rank(&self, one: u32, other: u32) -> Ordering {
        let (first, second) = (one as usize, other as usize);
        let unsafely = self.is(first, odd::UNSAFE).cmp(&self.is(second, odd::UNSAFE));
        let paths = || compare(self.name(first), self.name(second));
        unsafely.then_with(paths).then(one.cmp(&other))
    }

    /// How many entries of the order do not lead out of the archive.
    pub(super) fn safe(&self) -> usize {
        self.order().partition_point(|number| !self.is(*number as usize, odd::UNSAFE))
    }

    /// Whether a name begins so.
    pub(super) fn begins(&self, beginning: &[u8]) -> bool {
        if self.order.get().is_none() && self.len() <= FEW {
            return (0..self.len()).any(|number| self.name(number).starts_with(beginning));
        }
        let name = |number: &u32| self.name(*number as usize);
        let safe = self.order().get(..self.safe()).unwrap_or_default();
        let at = safe.partition_point(|number| super::names::compare(name(number), beginning).is_lt());
        safe.get(at).is_some_and(|number| name(number).starts_with(beginning))
    }

    /// The entries with this path, in their order in the archive, and whether something lies below it.
    pub(super) fn find(&self, path: &[u8]) -> (Vec<usize>, bool) {
        if self.order.get().is_none() && self.len() <= FEW {
            return self.look_through(path);
        }
        let order = self.order();
        let safe = order.get(..self.safe()).unwrap_or_default();
        let start = safe.partition_point(|number| compare(self.name(*number as usize), path).is_lt());
        let rest = safe.get(start..).unwrap_or_default();
        let equal = rest.iter().take_while(|number| self.name(**number as usize) == path);
        let found: Vec<usize> = equal.map(|number| *number as usize).collect();
        let below = rest.get(found.len()).is_some_and(|number| is_below(self.name(*number as usize), path));
        (found, below || path.is_empty())
    }

    fn look_through(&self, path: &[u8]) -> (Vec<usize>, bool) {
        let (mut found, mut below) = (Vec::new(), path.is_empty());
        let mut start = 0;
        for (number, end) in self.ends.iter().enumerate() {
            let end = *end as usize;
            let name = self.names.get(start..end).unwrap_or_default();
            start = end;
            if !name.starts_with(path) || self.is(number, odd::UNSAFE) {
                continue;
            }
            if name.len() == path.len() {
                found.push(number);
            } else {
                below |= is_below(name, path);
            }
        }
        (found, below)
    }
}

/// Whether a name lies below a directory.
pub(super) fn is_below(name: &[u8], directory: &[u8]) -> bool {
    directory.is_empty() || (name.starts_with(directory) && name.get(directory.len()) == Some(&b'/'))
}
