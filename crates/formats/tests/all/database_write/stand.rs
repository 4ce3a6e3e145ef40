//! A database on a real disk, and what came of a write.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use readstone_base::{Budget, Class, Clock, Fault, Fixed, Identity, Limits};
use readstone_formats::{RowDone, RowEffect, RowWrite, RowWritten, write_row};
use rusqlite::Connection;
use rusqlite::types::Value;

/// A database under test.
pub(crate) struct Stand {
    folder: tempfile::TempDir,
    pub(crate) limits: Limits,
    pub(crate) budget: Budget,
    pub(crate) identity: Option<Identity>,
}

/// A refusal.
#[derive(Debug, PartialEq)]
pub(crate) struct Refused {
    pub(crate) code: &'static str,
    pub(crate) class: Class,
    pub(crate) text: String,
    pub(crate) next: Vec<String>,
}

/// A clock that goes.
#[derive(Debug)]
struct Going(Instant);

impl Clock for Going {
    fn wall(&self) -> i64 {
        1_700_000_000
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A call that may take so long.
pub(crate) fn within(time: Duration) -> Budget {
    Budget::new(Arc::new(Going(Instant::now())), Some(time))
}

impl Stand {
    /// A database made by these statements.
    pub(crate) fn new(sql: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let budget = Budget::new(Arc::new(Fixed(1_700_000_000)), None);
        let stand = Self { folder, limits: Limits::default(), budget, identity: None };
        stand.connect().execute_batch(sql).unwrap();
        stand
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("d.db")
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        std::fs::read(self.path()).unwrap()
    }

    /// What stands in the folder.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>();
        names.sort();
        names
    }

    /// A connection as another program has it.
    pub(crate) fn connect(&self) -> Connection {
        Connection::open(self.folder.path().join("d.db")).unwrap()
    }

    pub(crate) fn attempt(&self, tail: &str, content: &str, effect: RowEffect) -> Result<RowWritten, Fault> {
        let (path, database, identity) = (self.path(), "d.db", self.identity);
        let write = RowWrite { path: &path, identity, database, tail, content, effect, judge: None };
        write_row(&write, &self.limits, &self.budget)
    }

    /// Writes, and looks whether the database is whole.
    pub(crate) fn write(&self, tail: &str, content: &str) -> RowWritten {
        let written = self.attempt(tail, content, RowEffect::Real);
        let written = written.unwrap_or_else(|fault| panic!("{tail}: {}: {fault}", fault.code()));
        self.check();
        written
    }

    /// Tries what cannot be done, and looks whether nothing was changed.
    pub(crate) fn refuse(&self, tail: &str, content: &str) -> Refused {
        let before = self.bytes();
        let fault = self.attempt(tail, content, RowEffect::Real).err();
        let fault = fault.unwrap_or_else(|| panic!("{tail} {content} was written"));
        assert_eq!(self.bytes(), before, "{tail} {content}");
        self.check();
        let next = fault.next().into_iter().map(|next| next.argument).collect();
        Refused { code: fault.code(), class: fault.class(), text: fault.to_string(), next }
    }

    pub(crate) fn check(&self) {
        let answer = self.connect().query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0)).unwrap();
        assert_eq!(answer, "ok");
    }

    /// All values that a query gives, row by row.
    pub(crate) fn rows(&self, sql: &str) -> Vec<Vec<Value>> {
        let connection = self.connect();
        let mut statement = connection.prepare(sql).unwrap();
        let width = statement.column_count();
        let rows = statement.query_map([], |row| (0..width).map(|index| row.get(index)).collect()).unwrap();
        rows.map(Result::unwrap).collect()
    }

    /// The same as text, with bars.
    pub(crate) fn text(&self, sql: &str) -> Vec<String> {
        let one = |value: &Value| match value {
            Value::Null => "NULL".to_owned(),
            Value::Integer(number) => number.to_string(),
            Value::Real(number) => format!("{number:?}"),
            Value::Text(text) => text.clone(),
            Value::Blob(bytes) => format!("{bytes:?}"),
        };
        self.rows(sql).iter().map(|row| row.iter().map(one).collect::<Vec<_>>().join("|")).collect()
    }
}

/// What is looked at most: what became of the row, and its key.
pub(crate) fn gist(written: &RowWritten) -> (RowDone, Option<&str>) {
    (written.done, written.key.as_deref())
}
