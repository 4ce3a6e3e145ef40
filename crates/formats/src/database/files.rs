//! The files SQLite opens: a database, its log and its journal, all of them blobs, and nothing by name.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ffi::CString;
use std::io;
use std::sync::{Arc, Mutex, OnceLock};

use readstone_base::plain_words;
use readstone_source::Beside;
use sqlite_plugin::flags::{AccessFlags, LockLevel, OpenKind, OpenOpts};
use sqlite_plugin::vars;
use sqlite_plugin::vfs::{RegisterOpts, Vfs, VfsHandle, VfsResult, register_static};

use crate::database::bytes::Bytes;
use crate::database::held::Scratch;
use crate::database::locks::is_reserved;
use crate::database::watch::{Watch, lock};

/// No page is smaller.
const SMALLEST_PAGE: usize = 512;
/// The number of reads after which the budget is asked.
const READS: u32 = 64;

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

/// The file system of SQLite's that opens these files. There is one in a process.
pub(super) const FILE_SYSTEM: &str = "readstone";
/// How the names of databases begin; a number follows. Their logs and journals are called after them.
const DATABASE: &str = "database-";

thread_local! {
    /// The databases that are open on this thread, with their numbers. SQLite opens the files of a connection on the
    /// thread that uses it, and a connection of ours never leaves its thread.
    static OPEN: RefCell<Openings> = const { RefCell::new(Openings { made: 0, open: Vec::new() }) };
}

struct Openings {
    made: u64,
    open: Vec<(u64, Arc<Files>)>,
}

/// An opening that SQLite can find, until it is dropped.
#[derive(Debug)]
pub(super) struct Registered(u64);

impl Registered {
    /// Makes files known; `None` when SQLite takes no file system of ours.
    pub(super) fn new(files: &Arc<Files>) -> Option<Self> {
        static IS_KNOWN: OnceLock<bool> = OnceLock::new();
        let is_known = IS_KNOWN.get_or_init(|| {
            let Ok(name) = CString::new(FILE_SYSTEM) else { return false };
            register_static(name, Shelves, RegisterOpts { make_default: false }).is_ok()
        });
        let number = OPEN.with_borrow_mut(|openings| {
            openings.made += 1;
            openings.open.push((openings.made, Arc::clone(files)));
            openings.made
        });
        is_known.then_some(Self(number))
    }

    /// The name by which SQLite opens the database.
    pub(super) fn name(&self) -> String {
        format!("{DATABASE}{}", self.0)
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        OPEN.with_borrow_mut(|openings| openings.open.retain(|(number, _)| *number != self.0));
    }
}

/// The files and the part of them that a name means.
fn find(name: &str) -> Option<(Arc<Files>, Part)> {
    let rest = name.strip_prefix(DATABASE)?;
    let (number, suffix) = rest.find('-').map_or((rest, ""), |at| rest.split_at(at));
    let part = match suffix {
        "" => Part::Main,
        "-wal" => Part::Wal,
        "-journal" => Part::Journal,
        _ => return None,
    };
    let number = number.parse::<u64>().ok()?;
    OPEN.with_borrow(|openings| {
        let found = openings.open.iter().find(|(known, _)| *known == number);
        found.map(|(_, files)| (Arc::clone(files), part))
    })
}

/// The files of the database that was opened last, to which files without a name belong.
fn last() -> Option<Arc<Files>> {
    OPEN.with_borrow(|openings| openings.open.last().map(|(_, files)| Arc::clone(files)))
}

/// Whether the journal of a transaction over several databases exists. One that cannot be asked for counts as existing:
/// then the transaction is undone, and nothing unfinished is shown.
fn outside_exists(name: &str) -> bool {
    let own = name.rsplit('/').next().unwrap_or(name);
    let files = last();
    let suffix = files.as_ref().and_then(|files| own.strip_prefix(&files.name));
    match (files.as_ref(), suffix.filter(|suffix| suffix.starts_with("-mj"))) {
        (Some(files), Some(suffix)) => !matches!(files.beside.open(suffix), Ok(None)),
        (_, _) => own.contains("-mj"),
    }
}

struct Shelves;

impl Vfs for Shelves {
    type Handle = Handle;

    fn canonical_path<'a>(&self, path: Cow<'a, str>) -> VfsResult<Cow<'a, str>> {
        Ok(path)
    }

    fn open(&self, path: Option<&str>, options: OpenOpts) -> VfsResult<Handle> {
        let is_own = matches!(options.kind(), OpenKind::MainDb | OpenKind::MainJournal | OpenKind::Wal);
        match path.and_then(find) {
            Some((files, part)) if is_own => {
                files.prepare(part);
                Ok(Handle { file: File::Part(files, part), reads: 0 })
            }
            None if is_own => Err(vars::SQLITE_CANTOPEN),
            Some(_) | None => {
                let files = last().ok_or(vars::SQLITE_CANTOPEN)?;
                Ok(Handle { file: File::Loose(files, Scratch::default()), reads: 0 })
            }
        }
    }

    fn delete(&self, path: &str) -> VfsResult<()> {
        if let Some((files, part)) = find(path)
            && let Some(slot) = files.slot(part)
        {
            *lock(slot) = None;
        }
        Ok(())
    }

    fn access(&self, path: &str, _: AccessFlags) -> VfsResult<bool> {
        Ok(match find(path) {
            Some((files, part)) => files.slot(part).is_none_or(|slot| lock(slot).is_some()),
            None => outside_exists(path),
        })
    }

    fn file_size(&self, handle: &mut Handle) -> VfsResult<usize> {
        usize::try_from(handle.size()).map_err(|_| vars::SQLITE_IOERR_FSTAT)
    }

    fn truncate(&self, handle: &mut Handle, size: usize) -> VfsResult<()> {
        handle.resize(size as u64);
        Ok(())
    }

    fn write(&self, handle: &mut Handle, offset: usize, data: &[u8]) -> VfsResult<usize> {
        match handle.write(offset as u64, data) {
            Ok(()) => Ok(data.len()),
            Err(cause) if cause.kind() == io::ErrorKind::WriteZero => Err(vars::SQLITE_FULL),
            Err(_) => Err(vars::SQLITE_IOERR_WRITE),
        }
    }

    fn read(&self, handle: &mut Handle, offset: usize, data: &mut [u8]) -> VfsResult<usize> {
        handle.read(offset as u64, data).map_err(|_| vars::SQLITE_IOERR_READ)
    }

    /// Writers were held off before the database was opened, and what is written here stays in memory.
    fn lock(&self, _: &mut Handle, _: LockLevel) -> VfsResult<()> {
        Ok(())
    }

    fn unlock(&self, _: &mut Handle, _: LockLevel) -> VfsResult<()> {
        Ok(())
    }

    fn check_reserved_lock(&self, handle: &mut Handle) -> VfsResult<bool> {
        match &handle.file {
            File::Part(files, Part::Main) => {
                let main = lock(&files.main).base().cloned();
                main.map_or(Ok(false), |blob| is_reserved(blob.as_ref())).map_err(|_| vars::SQLITE_IOERR)
            }
            File::Part(..) | File::Loose(..) => Ok(false),
        }
    }

    fn close(&self, handle: Handle) -> VfsResult<()> {
        drop(handle);
        Ok(())
    }

    fn sector_size(&self, _: &mut Handle) -> VfsResult<i32> {
        Ok(SECTOR)
    }

    /// Nothing is promised: what is written stays in memory and is never read after a crash.
    fn device_characteristics(&self, _: &mut Handle) -> VfsResult<i32> {
        Ok(0)
    }
}

/// The size of a sector, as SQLite has it for files of which nothing else is known.
const SECTOR: i32 = 512;

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
    reads: u32,
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
        self.reads = self.reads.wrapping_add(1);
        if self.reads.is_multiple_of(READS) && files.watch.must_stop() {
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

    fn size(&self) -> u64 {
        match &self.file {
            File::Part(files, part) => files.with(*part, |bytes| bytes.size()),
            File::Loose(_, scratch) => scratch.size(),
        }
    }

    fn write(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
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

    fn resize(&mut self, size: u64) {
        match &mut self.file {
            File::Part(files, part) => files.with(*part, |file| file.resize(size)),
            File::Loose(_, scratch) => scratch.resize(size),
        }
    }
}

impl VfsHandle for Handle {
    fn readonly(&self) -> bool {
        false
    }

    fn in_memory(&self) -> bool {
        false
    }
}
