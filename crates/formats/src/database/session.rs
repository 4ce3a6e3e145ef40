//! One use of a database: opened over its blobs, bounded, watched, and thrown away.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use readstone_base::{Blob, Budget, Class, Note, Stamp};
use rusqlite::config::DbConfig;
use rusqlite::fallible_iterator::FallibleIterator as _;
use rusqlite::hooks::{AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::{Batch, Connection, OpenFlags, Statement, ffi};

use crate::database::bytes::Bytes;
use crate::database::cell::Far;
use crate::database::error::{Error, Result};
use crate::database::files::{DATABASE, Files, Registered};
use crate::database::source::Source;
use crate::database::watch::{Scope, Watch, lock};
use crate::database::{clock, rules};

/// A statement has at most this many bytes.
const SQL_BYTES: u64 = 100_000;
/// The budget is asked once in so many steps of the engine.
const STEPS: i32 = 1_000;

/// One part in so many of the memory of queries is for files that are kept in memory, the rest for the engine itself.
const SCRATCH: u64 = 3;

/// Whether the memory of the engine is bounded, which holds for the whole process.
static HEAP_IS_BOUNDED: AtomicBool = AtomicBool::new(false);

/// An open database.
pub(super) struct Session {
    // Dropped before the files it reads.
    connection: Connection,
    files: Arc<Files>,
    watch: Arc<Watch>,
    _registered: Registered,
    path: String,
    numbers: Numbers,
    before: Marks,
}

/// The limits that errors name.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    value_bytes: u64,
    query_memory: u64,
    unpack_memory: u64,
    lock_ms: u64,
}

/// What tells whether the files changed.
#[derive(Debug, PartialEq, Eq)]
struct Marks {
    main: Option<Stamp>,
    wal: Vec<u8>,
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
        let marks = marks(main.as_ref(), wal.as_deref());
        let logged = wal.is_some() || is_logged(main.as_ref());
        let limits = source.limits();
        let watch = Arc::new(Watch::new(budget));
        let writable = journal.is_some();
        let files = Arc::new(Files {
            main: Mutex::new(Bytes::of(main)),
            wal: Mutex::new(wal.map(Bytes::of)),
            journal: Mutex::new(journal.map(Bytes::of)),
            watch: Arc::clone(&watch),
            patience: limits.lock_ms,
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
        let connection = Connection::open_with_flags_and_vfs(DATABASE, flags, registered.name()).map_err(|error| {
            match error.sqlite_error_code() {
                // Queries beside this one have all that there is.
                Some(rusqlite::ErrorCode::OutOfMemory) => out_of_memory(limits.query_memory, &path),
                _ => unable(&error.to_string()),
            }
        })?;
        let numbers = Numbers {
            value_bytes: limits.value_bytes,
            query_memory: limits.query_memory,
            unpack_memory: limits.unpack_memory,
            lock_ms: limits.lock_ms,
        };
        let mut session = Self { connection, files, watch, _registered: registered, path, numbers, before: marks };
        // In a log's exclusive mode the index of the log lives on the heap, and no file is shared with anybody.
        let mode = if logged { "PRAGMA locking_mode = EXCLUSIVE;" } else { "" };
        session.prepare(mode, damage).map_err(|error| session.explain(error))?;
        Ok(session)
    }

    /// Bounds the connection before it reads its first page.
    fn prepare(&mut self, mode: &str, damage: Damage) -> rusqlite::Result<()> {
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
        let length = i32::try_from(self.numbers.value_bytes).unwrap_or(i32::MAX);
        connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, length)?;
        connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
        connection.set_limit(Limit::SQLITE_LIMIT_VDBE_OP, 1_000_000)?;
        let first = !HEAP_IS_BOUNDED.swap(true, Ordering::Relaxed);
        // The rest is for what is written to files that are kept in memory.
        let heap = first.then(|| format!("PRAGMA hard_heap_limit = {};", heap_of(self.numbers.query_memory)));
        connection.execute_batch(&format!(
            "{}{mode}PRAGMA temp_store = FILE; PRAGMA cell_size_check = 1; PRAGMA query_only = 1; BEGIN;",
            heap.unwrap_or_default()
        ))?;
        let watch = Arc::clone(&self.watch);
        connection.progress_handler(STEPS, Some(move || watch.must_stop()))?;
        let watch = Arc::clone(&self.watch);
        connection.authorizer(Some(move |context: AuthContext<'_>| rules::judge(&watch, &context)))
    }

    /// Goes on under another budget.
    pub(super) fn renew(&self, budget: &Budget) {
        self.watch.renew(budget);
    }

    /// Bounds what the caller's own SQL may look like; the tables' own statements are older than the bounds.
    pub(super) fn tighten(&self, text: &str) -> Result<()> {
        if text.len() as u64 > SQL_BYTES {
            let (bytes, path) = (text.len() as u64, self.path.clone());
            return Err(Error::LongStatement { bytes, most: SQL_BYTES, path });
        }
        let set = |limit, value| self.connection.set_limit(limit, value).map(drop);
        set(Limit::SQLITE_LIMIT_EXPR_DEPTH, 100)
            .and_then(|()| set(Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100))
            .and_then(|()| set(Limit::SQLITE_LIMIT_COMPOUND_SELECT, 50))
            .map_err(|error| self.explain(error))
    }

    /// Takes what stands in double quotes for a name and nothing else, where a name may have been read wrongly; else
    /// the engine takes it for text when there is no such name.
    pub(super) fn take_quotes_for_names(&self) -> Result<()> {
        let set = self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false);
        set.map(drop).map_err(|error| self.explain(error))
    }

    /// Judges no statement any more, where none of the caller's own will be run: the judge cannot be told of names that
    /// are no text. Writing stays impossible, and a view still runs none but harmless functions.
    pub(super) fn trust_own_statements(&mut self) -> Result<()> {
        let none = None::<fn(AuthContext<'_>) -> Authorization>;
        self.connection.authorizer(none).map_err(|error| self.explain(error))
    }

    /// Lets the date functions know what time it is.
    pub(super) fn tell_time(&self, budget: &Budget) -> Result<()> {
        clock::tell(&self.connection, budget.clock().wall()).map_err(|error| self.explain(error))
    }

    /// Compiles one statement.
    pub(super) fn compile<'a>(&'a self, sql: &str) -> Result<Statement<'a>> {
        let mut batch = Batch::new(&self.connection, sql);
        let first = batch.next().map_err(|error| self.explain(error))?;
        let Some(statement) = first else { return Err(Error::bad("there is no statement")) };
        if !matches!(batch.next(), Ok(None)) {
            self.watch.take_refused();
            return Err(Error::bad("only one statement can be run at a time"));
        }
        if statement.parameter_count() > 0 {
            return Err(Error::bad("parameters such as ?1 or :name have no values here; write the values themselves"));
        }
        Ok(statement)
    }

    /// Compiles a statement of our own, which may have parameters.
    pub(super) fn statement<'a>(&'a self, sql: &str) -> Result<Statement<'a>> {
        self.connection.prepare(sql).map_err(|error| self.explain(error))
    }

    /// Does something with the engine; where memory is so short that the binding gives up, that is an error too.
    pub(super) fn run<T>(&self, work: impl FnOnce() -> rusqlite::Result<T>) -> Result<T> {
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(result) => result.map_err(|error| self.explain(error)),
            Err(_) => Err(self.out_of_memory()),
        }
    }

    /// Reads a part of a value, whatever its size, and says how many bytes that is.
    pub(super) fn read_value(&self, far: &Far, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        self.run(|| {
            let blob = self.connection.blob_open("main", far.table.as_str(), far.column.as_str(), far.rowid, true)?;
            blob.read_at(buffer, usize::try_from(offset).unwrap_or(usize::MAX))
        })
    }

    /// Whether text is stored in UTF-8.
    pub(super) fn is_utf8(&self) -> bool {
        let main = lock(&self.files.main).base().cloned();
        main.is_some_and(|main| {
            main.read_range(56, 60).is_ok_and(|encoding| encoding.last().is_some_and(|last| *last < 2))
        })
    }

    /// Sets which tables may be read.
    pub(super) fn set_scope(&self, scope: Scope) -> Scope {
        self.watch.set_scope(scope)
    }

    /// Whether the files are others than those that were opened.
    pub(super) fn is_changed(&self) -> bool {
        let main = lock(&self.files.main).base().cloned();
        let wal = lock(&self.files.wal).as_ref().and_then(|wal| wal.base().cloned());
        main.is_some_and(|main| marks(main.as_ref(), wal.as_deref()) != self.before)
    }

    /// What must be said of how it was opened.
    pub(super) fn notes(&self) -> Vec<Note> {
        if lock(&self.files.main).is_changed() { vec![Note::RolledBack] } else { Vec::new() }
    }

    /// Whether the database alone tells who it is: beside a log or a journal it does not.
    pub(super) fn is_alone(&self) -> bool {
        lock(&self.files.wal).as_ref().and_then(Bytes::base).is_none() && !lock(&self.files.main).is_changed()
    }

    /// An error of the engine as one of ours.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the binding's list of errors is open")]
    pub(super) fn explain(&self, error: rusqlite::Error) -> Error {
        let path = || self.path.clone();
        if let Some(why) = self.watch.stopped() {
            return Error::stopped(why, &self.path);
        }
        if let Some(words) = self.watch.trouble() {
            return Error::Unreadable { path: path(), words, class: Class::Broken };
        }
        if self.watch.is_torn() {
            return Error::Corrupt { path: path(), words: "the file ends in the middle of a page".to_owned() };
        }
        let refused = self.watch.take_refused();
        let (code, words) = match error {
            rusqlite::Error::SqliteFailure(code, words) => (code, words.unwrap_or_else(|| code.to_string())),
            rusqlite::Error::SqlInputError { error, msg, .. } => (error, msg),
            rusqlite::Error::MultipleStatement => return Error::bad("only one statement can be run at a time"),
            other => return Error::bad(other.to_string()),
        };
        match (refused, code.extended_code & 0xff) {
            (Some(what), _) => Error::ReadOnly { what, path: path() },
            (None, ffi::SQLITE_READONLY | ffi::SQLITE_AUTH | ffi::SQLITE_PERM) => {
                Error::ReadOnly { what: words, path: path() }
            }
            (None, ffi::SQLITE_BUSY | ffi::SQLITE_LOCKED) => {
                Error::Locked { path: path(), waited: self.numbers.lock_ms }
            }
            (None, ffi::SQLITE_TOOBIG) => {
                Error::Limit { limit: "value_bytes", value: self.numbers.value_bytes, words, next: path() }
            }
            (None, ffi::SQLITE_NOMEM) => self.out_of_memory(),
            (None, ffi::SQLITE_FULL) if self.watch.is_full() => self.out_of_memory(),
            (None, ffi::SQLITE_FULL) => {
                Error::TooBig { path: path(), limit: "unpack_memory", value: self.numbers.unpack_memory }
            }
            (None, ffi::SQLITE_CORRUPT | ffi::SQLITE_NOTADB | ffi::SQLITE_IOERR | ffi::SQLITE_CANTOPEN) => {
                Error::Corrupt { path: path(), words }
            }
            (None, _) => Error::bad(words),
        }
    }

    fn out_of_memory(&self) -> Error {
        out_of_memory(self.numbers.query_memory, &self.path)
    }
}

fn out_of_memory(value: u64, path: &str) -> Error {
    let words = "the query needs more memory than it may use".to_owned();
    Error::Limit { limit: "query_memory", value, words, next: path.to_owned() }
}

/// How much memory the engine itself may use.
fn heap_of(query_memory: u64) -> u64 {
    query_memory - query_memory / SCRATCH
}

fn marks(main: &dyn Blob, wal: Option<&dyn Blob>) -> Marks {
    // The header of a log changes when it starts anew; what is appended behind what was there is not read.
    let header = |wal: &dyn Blob| wal.read_range(0, 32).unwrap_or_default();
    Marks { main: main.stamp().ok().flatten(), wal: wal.map(header).unwrap_or_default() }
}

/// Whether the database keeps a write-ahead log.
fn is_logged(main: &dyn Blob) -> bool {
    main.read_range(18, 20).is_ok_and(|bytes| bytes.contains(&2))
}
