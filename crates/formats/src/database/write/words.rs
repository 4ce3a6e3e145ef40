//! What the engine says when a row cannot be written, as an error of ours.

use readstone_base::Stopped;
use rusqlite::ffi;

use crate::database::engine::Engine;
use crate::database::error::Error;

/// The words for a journal or a log that SQLite cannot open.
pub(in crate::database) const SHUT_OUT: &str = "its journal or its log cannot be opened beside it";

/// Why the call was ended, if it was.
pub(super) fn stopped(engine: &Engine) -> Option<Error> {
    engine.watch.stopped().map(|why| match why {
        Stopped::Cancelled => Error::Cancelled,
        Stopped::Deadline => Error::Late { path: engine.path.clone() },
    })
}

/// An error of the engine while a database is written.
#[expect(clippy::wildcard_enum_match_arm, reason = "the binding's list of errors is open")]
pub(in crate::database) fn explain(engine: &Engine, error: rusqlite::Error) -> Error {
    let path = || engine.path.clone();
    if let Some(error) = stopped(engine) {
        return error;
    }
    if let Some(what) = engine.watch.take_refused() {
        let why = format!("a rule or a trigger in the database wants what is refused: {what}");
        return Error::Unwritable { table: path(), why };
    }
    let bad = |words: String| Error::BadRow { words, next: Some(path()) };
    let (code, words) = match error {
        rusqlite::Error::SqliteFailure(code, words) => (code, words.unwrap_or_else(|| code.to_string())),
        rusqlite::Error::SqlInputError { error, msg, .. } => (error, msg),
        other => return bad(other.to_string()),
    };
    match (code.extended_code & 0xff, code.extended_code) {
        (ffi::SQLITE_CONSTRAINT | ffi::SQLITE_MISMATCH, _) => Error::Constraint { table: path(), words },
        (ffi::SQLITE_CANTOPEN, _) | (_, ffi::SQLITE_READONLY_DIRECTORY | ffi::SQLITE_READONLY_CANTINIT) => {
            Error::Protected { path: path(), words: SHUT_OUT.to_owned() }
        }
        (ffi::SQLITE_READONLY | ffi::SQLITE_PERM | ffi::SQLITE_AUTH, _) => Error::Protected { path: path(), words },
        (ffi::SQLITE_BUSY | ffi::SQLITE_LOCKED, _) => Error::Busy { path: path(), waited: engine.numbers.lock_ms },
        (ffi::SQLITE_TOOBIG | ffi::SQLITE_NOMEM, _) | (_, ffi::SQLITE_IOERR_NOMEM) => {
            let (limit, value) = ("query_memory", engine.numbers.query_memory);
            let words = "the row, or what its triggers do, needs more memory than it may use".to_owned();
            Error::Limit { limit, value, words, next: path() }
        }
        (ffi::SQLITE_FULL, _) => Error::NoSpace { path: path() },
        (ffi::SQLITE_IOERR, _) => Error::Failed { path: path(), words },
        (ffi::SQLITE_CORRUPT | ffi::SQLITE_NOTADB, _) => Error::Corrupt { path: path(), words },
        (_, _) => bad(words),
    }
}

impl Error {
    /// The same error, said of the table that was written.
    pub(super) fn at_table(self, address: &str) -> Self {
        let mut error = self;
        if let Self::Constraint { table, .. }
        | Self::Unwritable { table, .. }
        | Self::BadRow { next: Some(table), .. } = &mut error
        {
            address.clone_into(table);
        }
        error
    }
}
