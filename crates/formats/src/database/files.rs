//! The files SQLite opens: a database, its log and its journal, all of them blobs, and nothing by name.

use std::borrow::Cow;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use readstone_base::plain_words;
use readstone_source::Beside;
use sqlite_vfs::{DatabaseHandle, LockKind, OpenKind, OpenOptions, Vfs};

use crate::database::bytes::Bytes;
use crate::database::held::Scratch;
use crate::database::locks::Locks;
use crate::database::watch::{Watch, lock};

/// No page is smaller.
const SMALLEST_PAGE: usize = 512;

/// What one opening of a database consists of.
pub(super) struct Files {
    /// The database.
    pub(super) main: Mutex<Bytes>,
    /// Its write-ahead log.
    pub(super) wal: Mutex<Option<Bytes>>,
    /// Its rollback journal.
    pub(super) journal: Mutex<Option<Bytes>>,
    /// Who asks whether to go on.
    pub(super) watch: Arc<Watch>,
    /// Milliseconds to wait for a writer.
    pub(super) patience: u64,
    /// Bytes of memory that changes of this database may take.
    pub(super) room: u64,
    /// Bytes of memory that whatever is written may take, in all databases.
    pub(super) shared_room: u64,
    /// The own name of the database, and what stands beside it.
    pub(super) name: String,
    /// Opens what stands beside it.
    pub(super) beside: Arc<dyn Beside>,
}

impl std::fmt::Debug for Files {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Files").field("name", &self.name).finish_non_exhaustive()
    }
}

/// One of the files of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Main,
    Wal,
    Journal,
}

/// The name of every database; its log and its journal are called after it.
pub(super) const DATABASE: &str = "database";

/// A file system of SQLite's that serves one opening at a time, since those of the kit are not made for several
/// threads.
#[derive(Debug)]
struct Slot {
    name: String,
    files: Mutex<Option<Arc<Files>>>,
}

/// The file systems that serve nobody. There are as many as databases were ever open at once.
static FREE: Mutex<Vec<Arc<Slot>>> = Mutex::new(Vec::new());
static MADE: AtomicU64 = AtomicU64::new(0);

/// An opening that SQLite can find, until it is dropped.
#[derive(Debug)]
pub(super) struct Registered(Arc<Slot>);

impl Registered {
    /// Makes files known; `None` when SQLite takes no files of ours.
    pub(super) fn new(files: &Arc<Files>) -> Option<Self> {
        let free = lock(&FREE).pop();
        let slot = match free {
            Some(slot) => slot,
            None => Slot::make()?,
        };
        *lock(&slot.files) = Some(Arc::clone(files));
        Some(Self(slot))
    }

    /// The name of the file system in which SQLite opens [`DATABASE`].
    pub(super) fn name(&self) -> &str {
        &self.0.name
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        *lock(&self.0.files) = None;
        lock(&FREE).push(Arc::clone(&self.0));
    }
}

impl Slot {
    fn make() -> Option<Arc<Self>> {
        let name = format!("readstone-{}", MADE.fetch_add(1, Ordering::Relaxed));
        let slot = Arc::new(Self { name, files: Mutex::default() });
        sqlite_vfs::register(&slot.name, Shelves(Arc::clone(&slot)), false).ok()?;
        Some(slot)
    }

    /// The files and the part of them that a name means.
    fn find(&self, name: &str) -> Option<(Arc<Files>, Part)> {
        let part = match name.strip_prefix(DATABASE)? {
            "" => Part::Main,
            "-wal" => Part::Wal,
            "-journal" => Part::Journal,
            _ => return None,
        };
        Some((lock(&self.files).clone()?, part))
    }

    /// Whether the journal of a transaction over several databases exists. One that cannot be asked for counts as
    /// existing: then the transaction is undone, and nothing unfinished is shown.
    fn outside_exists(&self, name: &str) -> bool {
        let own = name.rsplit('/').next().unwrap_or(name);
        let files = lock(&self.files).clone();
        let suffix = files.as_ref().and_then(|files| own.strip_prefix(&files.name));
        match (files.as_ref(), suffix.filter(|suffix| suffix.starts_with("-mj"))) {
            (Some(files), Some(suffix)) => !matches!(files.beside.open(suffix), Ok(None)),
            (_, _) => own.contains("-mj"),
        }
    }
}

struct Shelves(Arc<Slot>);

impl Vfs for Shelves {
    type Handle = Handle;

    fn open(&self, name: &str, options: OpenOptions) -> io::Result<Handle> {
        match (self.0.find(name), options.kind) {
            (Some((files, part)), OpenKind::MainDb | OpenKind::MainJournal | OpenKind::Wal) => {
                files.prepare(part);
                Ok(Handle { file: File::Part(files, part), locks: Locks::default() })
            }
            (None, OpenKind::MainDb | OpenKind::MainJournal | OpenKind::Wal) => Err(io::ErrorKind::NotFound.into()),
            _ => {
                let files = lock(&self.0.files).clone().ok_or(io::ErrorKind::NotFound)?;
                Ok(Handle { file: File::Loose(files, Scratch::default()), locks: Locks::default() })
            }
        }
    }

    fn delete(&self, name: &str) -> io::Result<()> {
        if let Some((files, part)) = self.0.find(name)
            && let Some(slot) = files.slot(part)
        {
            *lock(slot) = None;
        }
        Ok(())
    }

    fn exists(&self, name: &str) -> io::Result<bool> {
        match self.0.find(name) {
            Some((files, part)) => Ok(files.slot(part).is_none_or(|slot| lock(slot).is_some())),
            None => Ok(self.0.outside_exists(name)),
        }
    }

    fn temporary_name(&self) -> String {
        "temporary".to_owned()
    }

    fn random(&self, buffer: &mut [i8]) {
        // The engine takes its randomness from the system's files; ours are asked only when something
        // is written.
        buffer.fill(7);
    }

    fn sleep(&self, duration: Duration) -> Duration {
        std::thread::sleep(duration);
        duration
    }

    fn full_pathname<'a>(&self, name: &'a str) -> io::Result<Cow<'a, str>> {
        Ok(name.into())
    }
}

impl Files {
    /// The place of a file that may be absent.
    fn slot(&self, part: Part) -> Option<&Mutex<Option<Bytes>>> {
        match part {
            Part::Main => None,
            Part::Wal => Some(&self.wal),
            Part::Journal => Some(&self.journal),
        }
    }

    /// A file that is opened exists from then on.
    fn prepare(&self, part: Part) {
        if let Some(slot) = self.slot(part) {
            lock(slot).get_or_insert_default();
        }
    }

    /// Notes that there is no memory left for what is written.
    fn note_full(&self, cause: &io::Error) {
        if cause.kind() == io::ErrorKind::WriteZero {
            self.watch.note_full();
        }
    }

    fn with<T>(&self, part: Part, work: impl FnOnce(&mut Bytes) -> T) -> T {
        match self.slot(part) {
            None => work(&mut lock(&self.main)),
            Some(slot) => work(lock(slot).get_or_insert_default()),
        }
    }
}

/// A file that SQLite has open.
pub(super) struct Handle {
    file: File,
    locks: Locks,
}

enum File {
    Part(Arc<Files>, Part),
    Loose(Arc<Files>, Scratch),
}

impl Handle {
    fn read(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let File::Part(files, part) = &self.file else {
            return match &self.file {
                File::Loose(_, scratch) => Ok(scratch.read(offset, buffer)),
                File::Part(..) => Ok(0),
            };
        };
        if self.locks.is_time_to_ask() && files.watch.must_stop() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let read = files.with(*part, |bytes| bytes.read(offset, buffer));
        let count = read.inspect_err(|cause| files.watch.note_trouble(plain_words(cause)))?;
        // The engine would take the missing part of a page for zeros, and show rows that never were.
        if *part == Part::Main && offset > 0 && count > 0 && count < buffer.len() && buffer.len() >= SMALLEST_PAGE {
            files.watch.note_torn();
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(count)
    }
}

impl DatabaseHandle for Handle {
    type WalIndex = NoIndex;

    fn size(&self) -> io::Result<u64> {
        match &self.file {
            File::Part(files, part) => files.with(*part, |bytes| bytes.size()),
            File::Loose(_, scratch) => Ok(scratch.size()),
        }
    }

    fn read_exact_at(&mut self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let count = self.read(offset, buffer)?;
        if count < buffer.len() { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }

    fn write_all_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<()> {
        match &mut self.file {
            File::Part(files, part) => files.with(*part, |file| {
                // Told apart from other failures: SQLite says then that the disk is full.
                if file.taken() >= files.room {
                    return Err(io::ErrorKind::WriteZero.into());
                }
                let written = file.write(offset, bytes, files.shared_room);
                written.inspect_err(|cause| files.note_full(cause))
            }),
            File::Loose(files, scratch) => {
                let written = scratch.write(offset, bytes, files.shared_room);
                written.inspect_err(|cause| files.note_full(cause))
            }
        }
    }

    fn sync(&mut self, _: bool) -> io::Result<()> {
        Ok(())
    }

    fn set_len(&mut self, size: u64) -> io::Result<()> {
        match &mut self.file {
            File::Part(files, part) => files.with(*part, |file| file.resize(size)),
            File::Loose(_, scratch) => scratch.resize(size),
        }
        Ok(())
    }

    fn lock(&mut self, kind: LockKind) -> io::Result<bool> {
        match &self.file {
            File::Part(files, Part::Main) => self.locks.set(kind, files),
            File::Part(..) | File::Loose(..) => Ok(true),
        }
    }

    fn reserved(&mut self) -> io::Result<bool> {
        match &self.file {
            File::Part(files, Part::Main) => Locks::is_reserved(files),
            File::Part(..) | File::Loose(..) => Ok(false),
        }
    }

    fn current_lock(&self) -> io::Result<LockKind> {
        Ok(self.locks.kind())
    }

    fn wal_index(&self, _: bool) -> io::Result<NoIndex> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        if let File::Part(files, Part::Main) = &self.file {
            self.locks.release(files);
        }
    }
}

/// The index of a log is kept on the heap by SQLite itself; none is ever shared.
pub(super) struct NoIndex;

impl sqlite_vfs::wip::WalIndex for NoIndex {
    fn enabled() -> bool {
        false
    }

    fn map(&mut self, _: u32) -> io::Result<[u8; 32768]> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn lock(&mut self, _: std::ops::Range<u8>, _: sqlite_vfs::wip::WalIndexLock) -> io::Result<bool> {
        Ok(false)
    }

    fn delete(self) -> io::Result<()> {
        Ok(())
    }
}
