//! A database that is open for writing, in one transaction.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use readstone_base::{Budget, Limits};
use readstone_host::KeptOpen;
use rusqlite::config::DbConfig;
use rusqlite::hooks::{Action, AuthContext};
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags, ffi};

use crate::database::engine::{Engine, Numbers, Purpose, STEPS};
use crate::database::error::{Error, Result};
use crate::database::rules;
use crate::database::schema::{Layout, text_of};
use crate::database::watch::{Watch, lock};
use crate::database::write::{RowEffect, RowWrite, words};

/// The longest wait before another attempt, in milliseconds.
const LONGEST: u64 = 10;

/// A database in the middle of a transaction.
#[derive(Debug)]
pub(super) struct Live {
    // Closed before others may close the same file.
    pub(super) engine: Engine,
    tally: Arc<Mutex<BTreeMap<String, u64>>>,
    kept: KeptOpen,
}

impl Live {
    /// Opens a database and begins.
    pub(super) fn open(write: &RowWrite<'_>, limits: &Limits, budget: &Budget) -> Result<Self> {
        let path = write.database.to_owned();
        let replaced = || Error::Replaced { path: path.clone() };
        let failed = |words: String| Error::Failed { path: path.clone(), words };
        if !write.path.is_absolute() {
            return Err(failed("its path is not a whole one".to_owned()));
        }
        let kept = KeptOpen::database(write.path).map_err(|_| replaced())?;
        if write.identity.is_some_and(|judged| judged != kept.identity()) {
            return Err(replaced());
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_NOFOLLOW
            | OpenFlags::SQLITE_OPEN_EXRESCODE;
        let connection = Connection::open_with_flags(write.path, flags).map_err(|error| failed(error.to_string()))?;
        let (watch, numbers) = (Arc::new(Watch::new(budget)), Numbers::of(limits));
        // How text is stored matters only where values are read in pieces.
        let engine =
            Engine { connection, watch, path: path.clone(), numbers, purpose: Purpose::Writing, is_utf8: true };
        let mut live = Self { engine, tally: Arc::default(), kept };
        live.prepare().map_err(|error| live.engine.explain(error))?;
        if live.engine.connection.is_readonly("main").map_err(|error| live.engine.explain(error))? {
            return Err(Error::Protected { path, words: "the file is read-only".to_owned() });
        }
        live.begin().map_err(|error| live.engine.explain(error))?;
        if live.kept.is_there() { Ok(live) } else { Err(replaced()) }
    }

    /// Bounds the connection.
    fn prepare(&mut self) -> rusqlite::Result<()> {
        let (heap, numbers) = (self.engine.numbers.heap_limit(), self.engine.numbers);
        let connection = &mut self.engine.connection;
        let (mut waited, watch) = (0, Arc::clone(&self.engine.watch));
        connection.busy_handler(Some(move |tries: i32| {
            waited = if tries == 0 { 0 } else { waited };
            wait(&watch, &mut waited, numbers.lock_ms)
        }))?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, true)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, true)?;
        // What is in double quotes is a name, and never text.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
        let length = i32::try_from(numbers.query_memory).unwrap_or(i32::MAX);
        connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, length)?;
        connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
        // No file but those of the database is written. What does not fit the cache waits for the commit, since readers
        // would have to leave for it.
        connection.execute_batch(&format!(
            "{heap}PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = 1; PRAGMA cache_spill = 0;
             PRAGMA synchronous = EXTRA;"
        ))
    }

    fn begin(&mut self) -> rusqlite::Result<()> {
        let connection = &mut self.engine.connection;
        connection.execute_batch("BEGIN IMMEDIATE")?;
        // The index of the log is there now, if there is a log.
        self.kept.renew();
        let watch = Arc::clone(&self.engine.watch);
        connection.progress_handler(STEPS, Some(move || watch.is_unwanted()))?;
        let tally = Arc::clone(&self.tally);
        connection.update_hook(Some(move |_: Action, _: &str, table: &str, _: i64| {
            *lock(&tally).entry(table.to_owned()).or_default() += 1;
        }))?;
        let watch = Arc::clone(&self.engine.watch);
        connection.authorizer(Some(move |context: AuthContext<'_>| rules::judge_writing(&watch, &context)))
    }

    /// How many rows were changed beside the one that was meant, and in which tables, as far as that is known.
    pub(super) fn triggered(&self, own: &Layout, direct: u64) -> Result<(u64, Vec<(String, u64)>)> {
        let mut total = self.engine.connection.total_changes().saturating_sub(direct);
        let mut tables = std::mem::take(&mut *lock(&self.tally));
        // The engine does not tell of rows without a number.
        if let Some(count) = tables.get_mut(&own.object.name) {
            *count = count.saturating_sub(direct);
        }
        tables.retain(|_, count| *count > 0);
        if total > 0 {
            // What a virtual table keeps its rows in says nothing to whoever wrote a row.
            for inner in self.shadows()? {
                total = total.saturating_sub(tables.remove(&inner).unwrap_or(0));
            }
        }
        Ok((total, tables.into_iter().collect()))
    }

    /// The tables in which virtual ones keep their rows.
    fn shadows(&self) -> Result<Vec<String>> {
        let mut statement = self.engine.statement("PRAGMA main.table_list")?;
        let mut names = Vec::new();
        self.engine.run(|| {
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                if text_of(row.get_ref(2)?) == "shadow" {
                    names.push(text_of(row.get_ref(1)?));
                }
            }
            Ok(())
        })?;
        Ok(names)
    }

    /// Ends the transaction: what was changed is kept, or taken back.
    pub(super) fn finish(mut self, effect: Option<RowEffect>) -> Result<()> {
        if self.engine.watch.is_unwanted()
            && let Some(error) = words::stopped(&self.engine)
        {
            return Err(error);
        }
        let end = |live: &Self, sql: &str| live.engine.run(|| live.engine.connection.execute_batch(sql));
        match effect {
            None => end(&self, "ROLLBACK"),
            Some(RowEffect::Real) => end(&self, "COMMIT"),
            Some(RowEffect::Dry) => {
                // All that a commit checks is checked, and at the last moment it is called off.
                let set = self.engine.connection.commit_hook(Some(|| true));
                set.map_err(|error| self.engine.explain(error))?;
                match self.engine.connection.execute_batch("COMMIT") {
                    Err(error) if is_called_off(&error) => Ok(()),
                    Err(error) => Err(self.engine.explain(error)),
                    Ok(()) => Ok(()),
                }
            }
        }
    }
}

fn is_called_off(error: &rusqlite::Error) -> bool {
    error.sqlite_error().is_some_and(|code| code.extended_code == ffi::SQLITE_CONSTRAINT_COMMITHOOK)
}

/// Waits a little for another program; false when that was enough.
fn wait(watch: &Watch, waited: &mut u64, patience: u64) -> bool {
    if *waited >= patience || watch.is_unwanted() {
        return false;
    }
    let time = LONGEST.min(*waited + 1).min(patience - *waited);
    std::thread::sleep(Duration::from_millis(time));
    *waited += time;
    true
}
