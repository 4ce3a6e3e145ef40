//! A directory, listed through its descriptor.

#[cfg(test)]
mod tests;

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::slice::ChunksMut;
use std::sync::{Mutex, PoisonError};

use readstone_base::{Budget, Lent, Stopped};
use rustix::fs::{AtFlags, FileType, Mode, Stat};

use crate::file::FileBlob;
use crate::names::Names;
use crate::os;
use crate::write::is_temporary_name;

/// An open directory.
#[derive(Debug)]
pub struct Directory {
    fd: OwnedFd,
}

/// The entries of a directory, packed: a million of them fit in a few dozen megabytes.
#[derive(Debug, Default)]
pub struct Entries {
    names: Vec<u8>,
    facts: Vec<Facts>,
    /// True when the directory held more than were taken.
    pub more: bool,
    /// The memory that is shared with the calls beside this one.
    room: Option<Lent>,
}

#[derive(Clone, Copy, Debug)]
struct Facts {
    name_start: u32,
    name_length: u16,
    look: Look,
}

/// One entry.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// Its name.
    pub name: &'a OsStr,
    /// What it is.
    pub kind: EntryKind,
    /// Its size in bytes.
    pub size: u64,
    /// Seconds since the epoch of its last change.
    pub modified: Option<i64>,
    /// Whether this process may read it.
    pub access: Access,
}

/// Whether this process may read an entry, as far as its mode tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It belongs to the user of this process, who may read it.
    Granted,
    /// The system must be asked.
    Unsure,
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A directory.
    Directory,
    /// A regular file.
    File,
    /// A symbolic link.
    Link,
    /// A FIFO.
    Fifo,
    /// A socket.
    Socket,
    /// A character device.
    CharacterDevice,
    /// A block device.
    BlockDevice,
    /// Something that cannot be looked at.
    Unknown,
}

/// What an entry is, as far as it was looked at.
#[derive(Clone, Copy, Debug)]
struct Look {
    size: u64,
    modified: i64,
    kind: EntryKind,
    access: Access,
}

/// Nanoseconds of a second; packed times are in nanoseconds, so that files of one second keep their order.
const NANOS: i64 = 1_000_000_000;
/// Entries between two looks at the budget.
const STRIDE: usize = 128;
/// Number of entries from which on several threads look at them: starting a thread takes as long as a few dozen looks.
const SHARED: usize = 1_024;
/// A directory with so many entries is a large one.
const LARGE: usize = 16 * 1024;
/// What the entries of a large directory take, about.
const LARGE_BYTES: u64 = 24 * 1024 * 1024;
/// Stands in a packed entry for a time that is not known.
const NO_TIME: i64 = i64::MIN;

impl Directory {
    pub(crate) fn new(fd: OwnedFd) -> Self {
        Self { fd }
    }

    /// Lists the directory with sizes and times, up to `most` entries.
    pub fn entries(&self, most: u64, budget: &Budget) -> io::Result<Entries> {
        let mut entries = self.list(most, budget, |_, kind| Some(Look::unseen(kind)))?;
        self.look_at_all(&mut entries, budget)?;
        Ok(entries)
    }

    /// Lists the names and kinds of a directory, up to `most` entries, which is several times faster.
    pub fn names(&self, most: u64, budget: &Budget) -> io::Result<Entries> {
        let own = rustix::process::geteuid().as_raw();
        self.list(most, budget, |name, kind| {
            if kind == EntryKind::Unknown { self.look_at(name, kind, own) } else { Some(Look::unseen(kind)) }
        })
    }

    fn list(
        &self,
        most: u64,
        budget: &Budget,
        look: impl Fn(&OsStr, EntryKind) -> Option<Look>,
    ) -> io::Result<Entries> {
        let mut entries = Entries::default();
        let mut count = 0;
        // Another descriptor, because where a listing stands belongs to the descriptor.
        let own = os::open_directory(&self.fd, Path::new("."))?;
        os::each_entry(&own, &mut Vec::new(), |name, kind| {
            let name = OsStr::from_bytes(name.to_bytes());
            if is_temporary_name(name) {
                return ControlFlow::Continue(());
            }
            if entries.facts.len() as u64 >= most {
                entries.more = true;
                return ControlFlow::Break(Ok(()));
            }
            if count % STRIDE == 0
                && let Err(why) = entries.go_on(count, budget)
            {
                return ControlFlow::Break(Err(stopped(why)));
            }
            count += 1;
            if let Some(look) = look(name, EntryKind::of(kind)) {
                entries.push(name.as_bytes(), look);
            }
            ControlFlow::Continue(())
        })?;
        Ok(entries)
    }

    /// Looks at every entry, on several threads where there are many: a large directory costs a system call for each of
    /// its entries. Those that went away since they were listed are left out.
    fn look_at_all(&self, entries: &mut Entries, budget: &Budget) -> io::Result<()> {
        let Entries { names, facts, .. } = entries;
        let helpers = if facts.len() < SHARED { 0 } else { os::cores() - 1 };
        let pieces = Mutex::new(facts.chunks_mut(STRIDE));
        let (lead, helper) = budget.shared_out();
        let work = |budget: &Budget| self.look_at_pieces(&pieces, names, budget);
        std::thread::scope(|scope| {
            let helpers: Vec<_> = (0..helpers).map(|_| scope.spawn(|| work(&helper.clone()))).collect();
            let own = work(&lead);
            let failed = |_| Err(io::Error::other("a thread failed"));
            helpers.into_iter().fold(own, |done, helper| done.and(helper.join().unwrap_or_else(failed)))
        })?;
        facts.retain(|facts| facts.name_length > 0);
        Ok(())
    }

    /// Takes pieces of a listing and looks at their entries until no piece is left. An entry that went away loses its name.
    fn look_at_pieces(&self, pieces: &Mutex<ChunksMut<'_, Facts>>, names: &[u8], budget: &Budget) -> io::Result<()> {
        let own = rustix::process::geteuid().as_raw();
        let next = || pieces.lock().unwrap_or_else(PoisonError::into_inner).next();
        while let Some(piece) = next() {
            budget.check().map_err(stopped)?;
            for facts in piece {
                match self.look_at(OsStr::from_bytes(facts.name(names)), facts.look.kind, own) {
                    Some(look) => facts.look = look,
                    None => facts.name_length = 0,
                }
            }
        }
        Ok(())
    }

    /// What an entry is, its size and its time, for a process of this user; `None` when it went away since it was listed.
    fn look_at(&self, name: &OsStr, kind: EntryKind, own: u32) -> Option<Look> {
        match rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(facts) => Some(Look::of(&facts, own)),
            Err(rustix::io::Errno::NOENT) => None,
            Err(_) => Some(Look::unseen(kind)),
        }
    }

    /// Lists names and kinds into memory that is used again. It reads from the descriptor itself: one thread at a time may.
    pub fn list_into(&self, names: &mut Names, most: usize, budget: &Budget) -> io::Result<()> {
        names.fill(&self.fd, most, budget)
    }

    /// Opens a directory some levels below this one, without following a link on the way.
    pub fn descend(&self, path: &Path) -> io::Result<Self> {
        Ok(Self { fd: os::open_directory(&self.fd, path)? })
    }

    /// Opens a directory below this one, without following a link.
    pub fn child(&self, name: &OsStr) -> io::Result<Self> {
        let fd = os::open_child(&self.fd, Path::new(name))?;
        Ok(Self { fd })
    }

    /// Opens a regular file in this directory, without following a link and without ever waiting; it is judged by what was
    /// opened.
    pub fn file(&self, name: &OsStr) -> io::Result<FileBlob> {
        let fd = os::open_child(&self.fd, Path::new(name))?;
        let facts = rustix::fs::fstat(&fd)?;
        if FileType::from_raw_mode(facts.st_mode) != FileType::RegularFile {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        Ok(FileBlob::known(File::from(fd), &facts))
    }

    /// When an entry was last changed, in nanoseconds since the epoch; that of a link is its own.
    pub fn modified(&self, name: &OsStr) -> io::Result<i64> {
        Ok(nanos(&rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW)?))
    }

    /// Whether there is an entry of this name, whatever it is.
    pub fn holds(&self, name: &OsStr) -> bool {
        rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    /// Whether this process may read an entry.
    pub fn is_readable(&self, name: &OsStr) -> bool {
        rustix::fs::accessat(&self.fd, name, rustix::fs::Access::READ_OK, AtFlags::EACCESS).is_ok()
    }

    /// The target of a link in this directory.
    pub fn link_target(&self, name: &OsStr) -> Option<PathBuf> {
        os::read_link(&self.fd, name).ok()
    }
}

impl Look {
    /// What the system says of an entry to a process of this user.
    fn of(facts: &Stat, own: u32) -> Self {
        let mode = Mode::from_raw_mode(facts.st_mode);
        // Whatever rules of access there are beside the mode, those of the owner are in it.
        let granted = facts.st_uid == own && mode.contains(Mode::RUSR);
        Self {
            size: u64::try_from(facts.st_size).unwrap_or(0),
            modified: nanos(facts),
            kind: EntryKind::of(FileType::from_raw_mode(facts.st_mode)),
            access: if granted { Access::Granted } else { Access::Unsure },
        }
    }

    /// An entry of which only the kind is known.
    fn unseen(kind: EntryKind) -> Self {
        Self { size: 0, modified: NO_TIME, kind, access: Access::Unsure }
    }
}

/// The time of the last change, in nanoseconds.
fn nanos(facts: &Stat) -> i64 {
    let nanos = facts.st_mtime.saturating_mul(NANOS).saturating_add(i64::try_from(facts.st_mtime_nsec).unwrap_or(0));
    nanos.max(NO_TIME + 1)
}

pub(crate) fn stopped(why: Stopped) -> io::Error {
    let words = match why {
        Stopped::Cancelled => "cancelled",
        Stopped::Deadline => "the deadline passed",
    };
    io::Error::new(io::ErrorKind::TimedOut, words)
}

impl Entries {
    /// Checks the budget, and takes shared memory for a large listing.
    fn go_on(&mut self, count: usize, budget: &Budget) -> Result<(), Stopped> {
        budget.check()?;
        if count >= LARGE && self.room.is_none() {
            self.room = budget.lend(LARGE_BYTES)?;
        }
        Ok(())
    }

    fn push(&mut self, name: &[u8], look: Look) {
        let (Ok(name_start), Ok(name_length)) = (u32::try_from(self.names.len()), u16::try_from(name.len())) else {
            self.more = true;
            return;
        };
        self.names.extend_from_slice(name);
        self.facts.push(Facts { name_start, name_length, look });
    }

    /// Gives the shared memory back for whoever must ask for more while it holds these: a call that waits for memory
    /// while it holds some may wait for ever.
    pub fn give_back(&mut self) {
        self.room = None;
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// Keeps the entries that `keep` wants.
    pub fn retain(&mut self, mut keep: impl FnMut(Entry<'_>) -> bool) {
        let names = std::mem::take(&mut self.names);
        self.facts.retain(|facts| keep(facts.entry(&names)));
        self.names = names;
    }

    /// Puts the newest first; equal times by name.
    pub fn sort_newest(&mut self) {
        let names = std::mem::take(&mut self.names);
        self.facts.sort_unstable_by(|one, other| {
            other.look.modified.cmp(&one.look.modified).then_with(|| one.name(&names).cmp(other.name(&names)))
        });
        self.names = names;
    }

    /// The entries in their order.
    pub fn iter(&self) -> impl Iterator<Item = Entry<'_>> {
        self.facts.iter().map(|facts| facts.entry(&self.names))
    }
}

impl Facts {
    fn name<'a>(&self, names: &'a [u8]) -> &'a [u8] {
        let start = self.name_start as usize;
        names.get(start..start + usize::from(self.name_length)).unwrap_or_default()
    }

    fn entry<'a>(&self, names: &'a [u8]) -> Entry<'a> {
        let Look { size, modified, kind, access } = self.look;
        let modified = (modified != NO_TIME).then_some(modified.div_euclid(NANOS));
        Entry { name: OsStr::from_bytes(self.name(names)), kind, size, modified, access }
    }
}

impl EntryKind {
    pub(crate) fn of(kind: FileType) -> Self {
        match kind {
            FileType::Directory => Self::Directory,
            FileType::RegularFile => Self::File,
            FileType::Symlink => Self::Link,
            FileType::Fifo => Self::Fifo,
            FileType::Socket => Self::Socket,
            FileType::CharacterDevice => Self::CharacterDevice,
            FileType::BlockDevice => Self::BlockDevice,
            FileType::Unknown => Self::Unknown,
        }
    }
}
