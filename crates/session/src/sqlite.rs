//! A store in SQLite, opened when it is first needed.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use readstone_base::{Span, Tag, Version};
use readstone_host::prepare_state_file;
use readstone_source::version_of;
use rusqlite::blob::ZeroBlob;
use rusqlite::{Connection, MAIN_DB, OptionalExtension, params};

use crate::store::{MOST_NUMBERS, OVERHEAD, Place, Snapshot, Store, Text, fits, union};

/// Texts in a database of the state directory.
#[derive(Debug)]
pub struct SqliteStore {
    directory: PathBuf,
    connection: Mutex<Opening>,
}

#[derive(Debug)]
enum Opening {
    /// Not yet, after so many attempts: another process may hold it for a while.
    Unopened(u8),
    Open(Connection),
    /// The store cannot be used; reading goes on without it.
    Failed,
}

/// What is larger is written into its row piece by piece.
const LARGE: usize = 1024 * 1024;
/// Attempts to open the database before it is given up.
const MOST_TRIES: u8 = 4;
/// Which layout the database has; a text of another is forgotten.
const LAYOUT: i64 = 3;
const FILE: &str = "sessions.sqlite";
/// Another process may hold the database for a moment; waiting longer than this is not worth a snapshot.
const PATIENCE: Duration = Duration::from_secs(1);
const SCHEMA: &str = "
    DROP TABLE IF EXISTS texts;
    CREATE TABLE texts (
        id INTEGER PRIMARY KEY,
        session TEXT NOT NULL,
        path BLOB NOT NULL,
        tag INTEGER NOT NULL,
        version BLOB NOT NULL,
        size INTEGER NOT NULL,
        shown TEXT NOT NULL,
        bytes BLOB
    );
    CREATE UNIQUE INDEX IF NOT EXISTS texts_by_version ON texts (path, session, version);
    CREATE INDEX IF NOT EXISTS texts_by_tag ON texts (path, tag, session);
    CREATE INDEX IF NOT EXISTS texts_by_size ON texts (id, size);
    CREATE TABLE IF NOT EXISTS things (
        id INTEGER PRIMARY KEY,
        session TEXT NOT NULL,
        drawer TEXT NOT NULL,
        name TEXT NOT NULL,
        version BLOB NOT NULL,
        size INTEGER NOT NULL,
        bytes BLOB NOT NULL
    );
    CREATE UNIQUE INDEX IF NOT EXISTS things_by_name ON things (session, drawer, name);
    CREATE INDEX IF NOT EXISTS things_by_size ON things (drawer, id, size);
    CREATE TABLE IF NOT EXISTS numbers (
        session TEXT NOT NULL,
        drawer TEXT NOT NULL,
        last INTEGER NOT NULL,
        PRIMARY KEY (session, drawer)
    );
    PRAGMA user_version = 3;
";

impl SqliteStore {
    /// A store in this directory, which is made when it is first needed.
    pub fn new(directory: PathBuf) -> Self {
        Self { directory, connection: Mutex::new(Opening::Unopened(0)) }
    }

    fn with<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Option<T> {
        let mut opening = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        if let Opening::Unopened(tries) = *opening {
            let later = if tries < MOST_TRIES { Opening::Unopened(tries + 1) } else { Opening::Failed };
            *opening = self.open().map_or(later, Opening::Open);
        }
        match &*opening {
            Opening::Open(connection) => work(connection).ok(),
            Opening::Unopened(_) | Opening::Failed => None,
        }
    }

    fn open(&self) -> Option<Connection> {
        let path = prepare_state_file(&self.directory, FILE).ok()?;
        let connection = Connection::open(path).ok()?;
        connection.busy_timeout(PATIENCE).ok()?;
        connection.execute_batch("PRAGMA synchronous = NORMAL").ok()?;
        lay_out(&connection).ok()?;
        Some(connection)
    }
}

/// Gives the database its layout. Of several processes that begin together one does, and the others find it done.
fn lay_out(connection: &Connection) -> rusqlite::Result<()> {
    let layout = || connection.query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0));
    if layout()? == LAYOUT {
        return Ok(());
    }
    connection.execute_batch("PRAGMA journal_mode = WAL")?;
    let transaction = rusqlite::Transaction::new_unchecked(connection, rusqlite::TransactionBehavior::Immediate)?;
    if layout()? != LAYOUT {
        transaction.execute_batch(SCHEMA)?;
    }
    transaction.commit()
}

impl Store for SqliteStore {
    fn lasts(&self) -> bool {
        true
    }

    fn keep(&self, session: &str, path: &Path, text: Text<'_>, most: u64) {
        // A text that cannot be kept only costs a later full read.
        self.with(|connection| {
            // Mostly it is there already. Nobody can know without asking: another process may have forgotten it.
            if is_kept(connection, (session, path), text)? {
                Ok(())
            } else {
                keep(connection, (session, path), text, most)
            }
        });
    }

    fn put(&self, place: Place<'_>, name: &str, bytes: &[u8], most: u64) {
        if !fits(bytes, most) {
            return;
        }
        self.with(|connection| {
            let transaction = connection.unchecked_transaction()?;
            insert(&transaction, place, name, bytes)?;
            forget_things(&transaction, place, most)?;
            transaction.commit()
        });
    }

    fn get(&self, place: Place<'_>, name: &str) -> Option<Vec<u8>> {
        let query = "SELECT bytes FROM things WHERE session = ?1 AND drawer = ?2 AND name = ?3";
        let key = params![place.session, place.drawer.name(), name];
        self.with(|connection| connection.query_row(query, key, |row| row.get(0)).optional()).flatten()
    }

    fn beginning(&self, place: Place<'_>, name: &str, most: usize) -> Option<Vec<u8>> {
        let query = "SELECT id FROM things WHERE session = ?1 AND drawer = ?2 AND name = ?3";
        let key = params![place.session, place.drawer.name(), name];
        let read = |connection: &Connection| {
            let Some(id) = connection.query_row(query, key, |row| row.get(0)).optional()? else {
                return Ok(None);
            };
            let blob = connection.blob_open(MAIN_DB, "things", "bytes", id, true)?;
            let mut bytes = vec![0; blob.len().min(most)];
            blob.read_at_exact(&mut bytes, 0)?;
            Ok(Some(bytes))
        };
        self.with(read).flatten()
    }

    fn add(&self, place: Place<'_>, bytes: &[u8], most: u64) -> Option<u64> {
        if !fits(bytes, most) {
            return None;
        }
        let key = params![place.session, place.drawer.name()];
        self.with(|connection| {
            // Two processes must not give the same number.
            let transaction =
                rusqlite::Transaction::new_unchecked(connection, rusqlite::TransactionBehavior::Immediate)?;
            let same = "SELECT name FROM things WHERE session = ?1 AND drawer = ?2 AND version = ?3";
            let version = version_of(bytes);
            let known = params![place.session, place.drawer.name(), version.as_bytes().as_slice()];
            if let Some(name) = transaction.query_row(same, known, |row| row.get::<_, String>(0)).optional()? {
                return Ok(name.parse().ok());
            }
            // The row becomes the newest one.
            let next = "INSERT OR REPLACE INTO numbers SELECT ?1, ?2,
                1 + coalesce((SELECT last FROM numbers WHERE session = ?1 AND drawer = ?2), 0) RETURNING last";
            let number: i64 = transaction.query_row(next, key, |row| row.get(0))?;
            insert(&transaction, place, &number.to_string(), bytes)?;
            if number == 1 {
                forget_numbers(&transaction)?;
            }
            forget_things(&transaction, place, most)?;
            transaction.commit()?;
            Ok(u64::try_from(number).ok())
        })
        .flatten()
    }

    fn names(&self, place: Place<'_>) -> Vec<String> {
        let names = self.with(|connection| {
            let query = "SELECT name FROM things WHERE session = ?1 AND drawer = ?2 ORDER BY id";
            let mut statement = connection.prepare(query)?;
            let rows = statement.query_map(params![place.session, place.drawer.name()], |row| row.get(0))?;
            rows.collect()
        });
        names.unwrap_or_default()
    }

    fn recall(&self, session: &str, path: &Path, tag: Tag) -> Option<Snapshot> {
        let path = path.as_os_str().as_bytes();
        let found = self.with(|connection| {
            let query = "SELECT version, bytes, shown FROM texts WHERE session = ?1 AND path = ?2 AND tag = ?3 ORDER BY id DESC LIMIT 1";
            let row = |row: &rusqlite::Row<'_>| {
                Ok((row.get::<_, [u8; 32]>(0)?, row.get(1)?, row.get::<_, String>(2)?))
            };
            connection.query_row(query, params![session, path, tag.number()], row).optional()
        });
        let (version, bytes, shown) = found.flatten()?;
        Some(Snapshot { version: Version::from_bytes(version), bytes, shown: spans(&shown) })
    }

    fn versions(&self, path: &Path, tag: Tag) -> Vec<Version> {
        let path = path.as_os_str().as_bytes();
        let found = self.with(|connection| {
            let query = "SELECT DISTINCT version FROM texts WHERE path = ?1 AND tag = ?2";
            let mut statement = connection.prepare(query)?;
            let rows = statement.query_map(params![path, tag.number()], |row| row.get::<_, [u8; 32]>(0))?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        });
        found.unwrap_or_default().into_iter().map(Version::from_bytes).collect()
    }
}

/// Whether a version is kept, with all these lines shown, and is what its tag means.
fn is_kept(connection: &Connection, (session, path): (&str, &Path), text: Text<'_>) -> rusqlite::Result<bool> {
    let path = path.as_os_str().as_bytes();
    let version = text.version.as_bytes().as_slice();
    let query = "SELECT shown FROM texts AS own WHERE path = ?1 AND session = ?2 AND version = ?3 AND NOT EXISTS (
        SELECT 1 FROM texts WHERE path = ?1 AND session = ?2 AND tag = own.tag AND id > own.id)";
    let row = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
    let known = connection.query_row(query, params![path, session, version], row).optional()?;
    let held = |known: &[Span], span: &Span| known.iter().any(|own| own.first <= span.first && span.last <= own.last);
    Ok(known.map(|known| spans(&known)).is_some_and(|known| text.shown.iter().all(|span| held(&known, span))))
}

/// Keeps a version, or adds to the lines of it that were shown.
fn keep(connection: &Connection, (session, path): (&str, &Path), text: Text<'_>, most: u64) -> rusqlite::Result<()> {
    let path = path.as_os_str().as_bytes();
    let version = text.version.as_bytes().as_slice();
    let tag = Tag::of(&text.version).number();
    let transaction = rusqlite::Transaction::new_unchecked(connection, rusqlite::TransactionBehavior::Immediate)?;
    let known = "SELECT id, shown FROM texts WHERE path = ?1 AND session = ?2 AND version = ?3";
    let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?));
    if let Some((id, before)) = transaction.query_row(known, params![path, session, version], row).optional()? {
        let before = spans(&before);
        let shown = union(&before, text.shown);
        if shown != before {
            transaction.execute("UPDATE texts SET shown = ?1 WHERE id = ?2", params![written(&shown), id])?;
        }
        // It is the last one with its tag again.
        let last = "UPDATE texts SET id = (SELECT max(id) + 1 FROM texts) WHERE id = ?1 AND EXISTS (
            SELECT 1 FROM texts WHERE path = ?2 AND session = ?3 AND tag = ?4 AND id > ?1)";
        transaction.execute(last, params![id, path, session, tag])?;
        return transaction.commit();
    }
    let size = i64::try_from(text.size()).unwrap_or(i64::MAX);
    let shown = union(text.shown, &[]);
    transaction.execute(
        "INSERT INTO texts (session, path, tag, version, size, shown, bytes) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![session, path, tag, version, size, written(&shown), text.bytes],
    )?;
    forget_oldest(&transaction, most)?;
    transaction.commit()
}

/// Spans as they are written in a row.
fn written(spans: &[Span]) -> String {
    let parts: Vec<String> = spans.iter().map(|span| format!("{}-{}", span.first, span.last)).collect();
    parts.join(",")
}

/// Spans as they are written in a row; what is not one is left out.
fn spans(text: &str) -> Vec<Span> {
    let span = |part: &str| {
        let (first, last) = part.split_once('-')?;
        Some(Span::new(first.parse().ok()?, last.parse().ok()?))
    };
    text.split(',').filter_map(span).collect()
}

/// Puts something into a drawer, in the place of what has its name.
fn insert(connection: &Connection, place: Place<'_>, name: &str, bytes: &[u8]) -> rusqlite::Result<()> {
    let size = i64::try_from(bytes.len() as u64 + OVERHEAD).unwrap_or(i64::MAX);
    let (drawer, version) = (place.drawer.name(), version_of(bytes));
    let statement =
        "INSERT OR REPLACE INTO things (session, drawer, name, version, size, bytes) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let version = version.as_bytes().as_slice();
    if bytes.len() <= LARGE {
        connection.execute(statement, params![place.session, drawer, name, version, size, bytes])?;
        return Ok(());
    }
    let room = ZeroBlob(bytes.len() as u64);
    // The library would hold it twice while it makes a row of it.
    connection.execute(statement, params![place.session, drawer, name, version, size, room])?;
    let mut blob = connection.blob_open(MAIN_DB, "things", "bytes", connection.last_insert_rowid(), false)?;
    blob.write_at(bytes, 0)?;
    blob.close()
}

/// Beyond `most` bytes, forgets the oldest things of the session that has most in such a drawer.
fn forget_things(connection: &Connection, place: Place<'_>, most: u64) -> rusqlite::Result<()> {
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let drawer = place.drawer.name();
    let sum = "SELECT coalesce(sum(size), 0) FROM things WHERE drawer = ?1";
    let oldest = "DELETE FROM things WHERE id = (SELECT min(id) FROM things WHERE drawer = ?1 AND session = (
        SELECT session FROM things WHERE drawer = ?1 GROUP BY session ORDER BY sum(size) DESC, session LIMIT 1))";
    while connection.query_row(sum, params![drawer], |row| row.get::<_, i64>(0))? > most {
        if connection.execute(oldest, params![drawer])? == 0 {
            return Ok(());
        }
    }
    Ok(())
}

/// Forgets the oldest numbers beyond the most there are; not those of drawers that hold something, lest it be replaced.
fn forget_numbers(connection: &Connection) -> rusqlite::Result<()> {
    let oldest = "DELETE FROM numbers WHERE rowid IN (
        SELECT rowid FROM numbers AS empty
        WHERE NOT EXISTS (SELECT 1 FROM things WHERE things.session = empty.session AND things.drawer = empty.drawer)
        ORDER BY rowid LIMIT max(0, (SELECT count(*) FROM numbers) - ?1))";
    connection.execute(oldest, params![i64::try_from(MOST_NUMBERS).unwrap_or(i64::MAX)])?;
    Ok(())
}

/// Forgets the oldest texts of all sessions beyond `most` bytes.
fn forget_oldest(connection: &Connection, most: u64) -> rusqlite::Result<()> {
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let size: i64 = connection.query_row("SELECT coalesce(sum(size), 0) FROM texts", [], |row| row.get(0))?;
    if size <= most {
        return Ok(());
    }
    // Keep the newest texts whose sizes add up to no more than the limit.
    let oldest = "DELETE FROM texts WHERE id IN (
        SELECT id FROM (SELECT id, sum(size) OVER (ORDER BY id DESC) AS total FROM texts) WHERE total > ?1)";
    connection.execute(oldest, params![most])?;
    Ok(())
}
