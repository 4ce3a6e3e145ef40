//! SQLite at work: statements run, bounded and watched, and what it says when it cannot.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use readstone_base::{Budget, Class, Limits};
use rusqlite::config::DbConfig;
use rusqlite::fallible_iterator::FallibleIterator as _;
use rusqlite::hooks::{AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::{Batch, Connection, Statement, ffi};

use crate::database::cell::Far;
use crate::database::clock;
use crate::database::error::{Error, Result};
use crate::database::watch::{Scope, Watch};
use crate::database::write;

/// A statement has at most this many bytes.
const SQL_BYTES: u64 = 100_000;
/// The budget is asked once in so many steps of the engine.
pub(super) const STEPS: i32 = 1_000;

/// One part in so many of the memory of queries is for files that are kept in memory, the rest for the engine itself.
pub(super) const SCRATCH: u64 = 3;

/// Whether the memory of the engine is bounded, which holds for the whole process.
static HEAP_IS_BOUNDED: AtomicBool = AtomicBool::new(false);

/// A connection, and who watches it.
pub(super) struct Engine {
    /// The connection.
    pub(super) connection: Connection,
    /// Who is asked whether to go on.
    pub(super) watch: Arc<Watch>,
    /// The address of the database.
    pub(super) path: String,
    /// The limits.
    pub(super) numbers: Numbers,
    /// What it is open for.
    pub(super) purpose: Purpose,
    /// Whether text is stored in UTF-8.
    pub(super) is_utf8: bool,
}

/// What a database is open for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To be read.
    Reading,
    /// To be written.
    Writing,
}

/// The limits that errors name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers {
    pub(super) value_bytes: u64,
    pub(super) query_memory: u64,
    pub(super) unpack_memory: u64,
    pub(super) lock_ms: u64,
}

impl Numbers {
    /// Those of the limits in force.
    pub(super) fn of(limits: &Limits) -> Self {
        Self {
            value_bytes: limits.value_bytes,
            query_memory: limits.query_memory,
            unpack_memory: limits.unpack_memory,
            lock_ms: limits.lock_ms,
        }
    }

    /// The statement that bounds the memory of the engine, for the first that opens a database. The rest is for what is
    /// written to files that are kept in memory.
    pub(super) fn heap_limit(&self) -> String {
        let first = !HEAP_IS_BOUNDED.swap(true, Ordering::Relaxed);
        let heap = self.query_memory - self.query_memory / SCRATCH;
        if first { format!("PRAGMA hard_heap_limit = {heap};") } else { String::new() }
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Engine {
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

    /// Sets which tables may be read.
    pub(super) fn set_scope(&self, scope: Scope) -> Scope {
        self.watch.set_scope(scope)
    }

    /// An error of the engine as one of ours.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the binding's list of errors is open")]
    pub(super) fn explain(&self, error: rusqlite::Error) -> Error {
        let path = || self.path.clone();
        if self.purpose == Purpose::Writing {
            return write::explain(self, error);
        }
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

/// What is said when the engine has no memory left.
pub(super) fn out_of_memory(value: u64, path: &str) -> Error {
    let words = "the query needs more memory than it may use".to_owned();
    Error::Limit { limit: "query_memory", value, words, next: path.to_owned() }
}
