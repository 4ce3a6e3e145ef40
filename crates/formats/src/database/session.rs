//! One use of a database: opened over its blobs, bounded, watched, and thrown away.

use std::io;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use readstone_base::{Blob, Budget, Class, Note, Stamp, plain_words};
use rusqlite::config::DbConfig;
use rusqlite::hooks::AuthContext;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};

use crate::database::bytes::Bytes;
use crate::database::engine::{Engine, Numbers, Purpose, SCRATCH, STEPS, out_of_memory};
use crate::database::error::{Error, Result};
use crate::database::files::{FILE_SYSTEM, Files, Registered};
use crate::database::rules;
use crate::database::source::Source;
use crate::database::watch::{Watch, lock};

/// An open database.
pub(super) struct Session {
    // Dropped before the files it reads.
    engine: Engine,
    files: Arc<Files>,
    _registered: Registered,
    before: Marks,
    /// Whether the caller looks for changes of the files.
    is_watched: bool,
}

impl Deref for Session {
    type Target = Engine;

    fn deref(&self) -> &Engine {
        &self.engine
    }
}

impl DerefMut for Session {
    fn deref_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }
}

/// What tells whether the files changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Marks {
    /// The database.
    pub(super) main: Option<Stamp>,
    /// The header of its log.
    pub(super) wal: Vec<u8>,
}

/// How a damaged list of tables is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Damage {
    /// As an error.
    Told,
    /// What can be read of it is read.
    Passed,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Session {
    /// Opens a database.
    pub(super) fn open(source: &Source, budget: &Budget, damage: Damage) -> Result<Self> {
        let main = source.main(budget)?;
        let (wal, journal) = (source.beside("-wal")?, source.beside("-journal")?);
        let unread = |cause: io::Error| source.unreadable(plain_words(&cause));
        let opened = |blob: Option<Arc<dyn Blob>>| blob.map(Bytes::of).transpose();
        let (mut main, mut wal) = (Bytes::of(main).map_err(unread)?, opened(wal).map_err(unread)?);
        let before = Marks { main: main.stamp(), wal: wal.as_mut().map(log_header).unwrap_or_default() };
        let mut header = [0; HEADER];
        main.read(0, &mut header).map_err(unread)?;
        let logged = wal.is_some() || header.get(18..20).is_some_and(|versions| versions.contains(&2));
        let is_utf8 = header.get(59).is_some_and(|encoding| *encoding < 2);
        let limits = source.limits();
        let watch = Arc::new(Watch::new(budget));
        let writable = journal.is_some();
        let files = Arc::new(Files {
            main: Mutex::new(main),
            wal: Mutex::new(wal),
            journal: Mutex::new(opened(journal).map_err(unread)?),
            watch: Arc::clone(&watch),
            room: limits.unpack_memory,
            shared_room: limits.query_memory / SCRATCH,
            name: source.name().to_owned(),
            beside: source.neighbours(),
        });
        let path = source.path().to_owned();
        let unable =
            |words: &str| Error::Unreadable { path: path.clone(), words: words.to_owned(), class: Class::Broken };
        let registered = Registered::new(&files).ok_or_else(|| unable("SQLite takes no files"))?;
        let access = if writable { OpenFlags::SQLITE_OPEN_READ_WRITE } else { OpenFlags::SQLITE_OPEN_READ_ONLY };
        let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection =
            Connection::open_with_flags_and_vfs(registered.name(), flags, FILE_SYSTEM).map_err(|error| {
                match error.sqlite_error_code() {
                    // Queries beside this one have all that there is.
                    Some(rusqlite::ErrorCode::OutOfMemory) => out_of_memory(limits.query_memory, &path),
                    _ => unable(&error.to_string()),
                }
            })?;
        let (numbers, purpose) = (Numbers::of(limits), Purpose::Reading);
        let engine = Engine { connection, watch, path, numbers, purpose, is_utf8 };
        let mut session = Self { engine, files, _registered: registered, before, is_watched: source.is_watched() };
        // In a log's exclusive mode the index of the log lives on the heap, and no file is shared with anybody.
        let mode = if logged { "PRAGMA locking_mode = EXCLUSIVE;" } else { "" };
        session.prepare(mode, damage).map_err(|error| session.explain(error))?;
        Ok(session)
    }

    /// Bounds the connection before it reads its first page.
    fn prepare(&mut self, mode: &str, damage: Damage) -> rusqlite::Result<()> {
        let (heap, numbers) = (self.numbers.heap_limit(), self.numbers);
        let watch = Arc::clone(&self.watch);
        let connection = &mut self.connection;
        connection.busy_timeout(Duration::ZERO)?;
        if damage == Damage::Passed {
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_WRITABLE_SCHEMA, true)?;
        }
        // A defensive connection trusts no list of tables that is damaged, and no file that lacks pages.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, damage == Damage::Told)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        let length = i32::try_from(numbers.value_bytes).unwrap_or(i32::MAX);
        connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, length)?;
        connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
        connection.set_limit(Limit::SQLITE_LIMIT_VDBE_OP, 1_000_000)?;
        connection.execute_batch(&format!(
            "{heap}{mode}PRAGMA temp_store = FILE; PRAGMA cell_size_check = 1; PRAGMA query_only = 1; BEGIN;"
        ))?;
        let asked = Arc::clone(&watch);
        connection.progress_handler(STEPS, Some(move || asked.must_stop()))?;
        connection.authorizer(Some(move |context: AuthContext<'_>| rules::judge(&watch, &context)))
    }

    /// Whether the files are others than those that were opened.
    pub(super) fn is_changed(&self) -> bool {
        let main = lock(&self.files.main).base().cloned();
        let wal = lock(&self.files.wal).as_ref().and_then(|wal| wal.base().cloned());
        let log = wal.map(|wal| now(wal.as_ref(), "-wal").wal).unwrap_or_default();
        main.is_some_and(|main| now(main.as_ref(), "").main != self.before.main || log != self.before.wal)
    }

    /// Whether the files are others than those that were opened, where the caller does not find that out by itself.
    pub(super) fn is_changed_unseen(&self) -> bool {
        !self.is_watched && self.is_changed()
    }

    /// What told the files apart when they were opened.
    pub(super) fn marks(&self) -> &Marks {
        &self.before
    }

    /// What must be said of how it was opened.
    pub(super) fn notes(&self) -> Vec<Note> {
        if lock(&self.files.main).is_changed() { vec![Note::RolledBack] } else { Vec::new() }
    }

    /// Whether the database alone tells who it is: beside a log or a journal it does not.
    pub(super) fn is_alone(&self) -> bool {
        lock(&self.files.wal).as_ref().and_then(Bytes::base).is_none() && !lock(&self.files.main).is_changed()
    }
}

/// The bytes at the beginning of a database that tell how it is stored.
const HEADER: usize = 60;
/// The bytes of the header of a log, which changes when the log starts anew. What is appended behind what was there is
/// not read.
const LOG_HEADER: usize = 32;

fn log_header(wal: &mut Bytes) -> Vec<u8> {
    let mut header = vec![0; LOG_HEADER];
    let count = wal.read(0, &mut header).unwrap_or(0);
    header.truncate(count);
    header
}

/// What tells a file apart, as it is now: the log, whose name ends with `-wal`, or the database.
pub(super) fn now(blob: &dyn Blob, name: &str) -> Marks {
    if name.is_empty() {
        return Marks { main: blob.stamp().ok().flatten(), wal: Vec::new() };
    }
    Marks { main: None, wal: blob.read_range(0, LOG_HEADER as u64).unwrap_or_default() }
}
