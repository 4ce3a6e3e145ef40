//! Writing one row of a database: inserting, updating and deleting, in one transaction or not at all.
//!
//! Here SQLite opens the file itself, for only then do its locks, its journal and its log do what other programs rely
//! on. The caller says what the row is to hold and never writes SQL: names are quoted and values are bound. What runs
//! beside that are the triggers and rules of the database itself, which are bounded, watched and counted.

mod apart;
mod open;
mod payload;
mod place;
mod row;
mod words;

use std::path::Path;

use readstone_base::{Budget, Fault, Identity, Limits, Version};
use rusqlite::types::Value;

use crate::database::error::{Error, Result};
use crate::database::keys::{Calls, Namer};
use crate::database::schema::{Layout, Schema};
use crate::database::spelling::key_shown;

use open::Live;
use payload::Payload;
use place::{Place, Row};
use row::{Handle, Shot};

pub use apart::write_row_apart;
pub(crate) use apart::{TASK, prepare_writing, work};
pub(super) use words::{SHUT_OUT, explain};

/// A row that is to be written.
#[derive(Clone, Copy, Debug)]
pub struct RowWrite<'a> {
    /// The real path of the database, absolute and without links; the host has opened and judged what is there.
    pub path: &'a Path,
    /// What was judged, so that nothing else is written when the path leads elsewhere by now.
    pub identity: Option<Identity>,
    /// The database as the caller spells it.
    pub database: &'a str,
    /// What stands behind it and a colon in the address: `users`, or `users:42`.
    pub tail: &'a str,
    /// A JSON5 object; nothing deletes the row.
    pub content: &'a str,
    /// Whether it is really done.
    pub effect: RowEffect,
    /// Who decides whether it is, by what the row is.
    pub judge: Option<&'a dyn RowJudge>,
}

/// Decides whether a row may be written, while nobody else can.
pub trait RowJudge: std::fmt::Debug {
    /// Whether a row that is now so may be written; nothing when there is none.
    fn accepts(&self, before: Option<&RowText>) -> bool;
}

/// Whether a row is really written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowEffect {
    /// It is.
    Real,
    /// Everything is tried, and then taken back.
    Dry,
}

/// What became of a row, or would.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowDone {
    /// It is new.
    Inserted,
    /// It has other values.
    Updated,
    /// No row has the key; nothing changed.
    NoneUpdated,
    /// It is gone.
    Deleted,
    /// No row has the key; nothing changed.
    NoneDeleted,
    /// A trigger of the table decided that nothing happens.
    Ignored,
    /// It is not what the caller said; nothing changed.
    Refused,
}

/// A row that was written, or would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowWritten {
    /// What became of it.
    pub done: RowDone,
    /// The address of the table.
    pub table: String,
    /// The key of the row as an address takes it behind the table, where it can be told; of a deleted one, what it was.
    pub key: Option<String>,
    /// What a key of the table looks like, when no row had the one that was given.
    pub expected: Option<String>,
    /// The columns that were given for a new row, or that have another value now, by what the table calls them.
    pub columns: Vec<String>,
    /// What the row was.
    pub before: Option<RowText>,
    /// What the row is.
    pub after: Option<RowText>,
    /// How many further rows were changed by triggers, and by rules for rows that refer to this one.
    pub triggered_rows: u64,
    /// In which tables, and how many in each, as far as that is known.
    pub triggered: Vec<(String, u64)>,
}

/// A row as a JSON5 object in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowText {
    /// The object; it can be written back if it is whole.
    pub json: String,
    /// Whether nothing of the row is left out.
    pub whole: bool,
    /// The hash of all its values.
    pub version: Version,
}

/// Writes a row in this process.
pub fn write_row(write: &RowWrite<'_>, limits: &Limits, budget: &Budget) -> std::result::Result<RowWritten, Fault> {
    Ok(perform(write, limits, budget)?)
}

/// What is to be done.
#[derive(Debug)]
enum Order {
    Put(Payload),
    Delete,
}

fn perform(write: &RowWrite<'_>, limits: &Limits, budget: &Budget) -> Result<RowWritten> {
    let next = || Some(write.database.to_owned());
    if write.tail.is_empty() || write.tail.starts_with('?') {
        let words =
            "a row is written to a table: DATABASE:TABLE for a new one, DATABASE:TABLE:KEY for one that is there";
        return Err(Error::BadRow { words: words.to_owned(), next: next() });
    }
    let order = if write.content.trim().is_empty() {
        Order::Delete
    } else {
        let parsed = payload::parse(write.content);
        let cell = if write.tail.matches(':').count() > 1 {
            "; a value is written to its row, as {column: value}"
        } else {
            ""
        };
        let words = |words| format!("the content is no JSON5 object of plain values: {words}{cell}");
        Order::Put(parsed.map_err(|wrong| Error::BadRow { words: words(wrong), next: None })?)
    };
    let mut live = Live::open(write, limits, budget)?;
    let written = live.carry_out(write, &order)?;
    let changed =
        !matches!(written.done, RowDone::NoneUpdated | RowDone::NoneDeleted | RowDone::Ignored | RowDone::Refused);
    live.finish(if changed { Some(write.effect) } else { None }).map_err(|error| error.at_table(&written.table))?;
    Ok(written)
}

impl Live {
    fn carry_out(&mut self, write: &RowWrite<'_>, order: &Order) -> Result<RowWritten> {
        let schema = Schema::load(&self.engine)?;
        if schema.is_odd {
            let why = "the names of its tables or columns are no text".to_owned();
            return Err(Error::Unwritable { table: write.database.to_owned(), why });
        }
        let place = Place::find(&self.engine, &schema, write)?;
        let task = Task { live: self, schema: &schema, place: &place };
        let before =
            if let Row::There { before, .. } = &place.row { before.as_ref().map(|shot| &shot.text) } else { None };
        if write.judge.is_some_and(|judge| !judge.accepts(before)) {
            return Ok(RowWritten { before: before.cloned(), ..task.written(RowDone::Refused, None) });
        }
        let mut written = task.run(order).map_err(|error| error.at_table(&place.table))?;
        let direct = u64::from(matches!(written.done, RowDone::Inserted | RowDone::Updated | RowDone::Deleted));
        (written.triggered_rows, written.triggered) = self.triggered(&place.layout, direct)?;
        Ok(written)
    }
}

/// One order at one place.
struct Task<'a> {
    live: &'a Live,
    schema: &'a Schema,
    place: &'a Place,
}

impl Task<'_> {
    fn run(&self, order: &Order) -> Result<RowWritten> {
        match (&self.place.row, order) {
            (Row::New, Order::Put(payload)) => self.insert(payload),
            (Row::New, Order::Delete) => Err(self.bad(
                "there is no content: a new row is a JSON5 object, {} for one of defaults; with a key behind the table \
                 the row is deleted",
            )),
            (Row::Missing(_) | Row::There { .. }, Order::Put(payload)) if payload.0.is_empty() => {
                Err(self.bad("the object is empty: name the columns that are to change, as in {name: 'Ada'}"))
            }
            (Row::Missing(key), Order::Put(payload)) => {
                self.columns(payload)?;
                Ok(self.none(RowDone::NoneUpdated, key))
            }
            (Row::Missing(key), Order::Delete) => Ok(self.none(RowDone::NoneDeleted, key)),
            (Row::There { key, handle, before }, Order::Put(payload)) => {
                self.update(payload, (key, handle), before.as_ref())
            }
            (Row::There { key, handle, before }, Order::Delete) => {
                let sql = format!("DELETE FROM {} WHERE {} RETURNING 1", self.table(), handle.condition);
                let gone = handle.clone().change(&self.live.engine, &sql, Vec::new(), |_| Ok(()))?;
                let done = if gone.is_some() { RowDone::Deleted } else { RowDone::Ignored };
                let before = before.as_ref().map(|shot| shot.text.clone());
                Ok(RowWritten { before, ..self.written(done, Some(key_shown(key))) })
            }
        }
    }

    fn insert(&self, payload: &Payload) -> Result<RowWritten> {
        let names = self.columns(payload)?;
        let what = if names.is_empty() {
            "DEFAULT VALUES".to_owned()
        } else {
            let places = vec!["?"; names.len()].join(", ");
            format!("({}) VALUES ({places})", self.quoted(&names))
        };
        let sql = format!("INSERT INTO {} {what} RETURNING {}", self.table(), self.handle_names());
        let (engine, layout) = (&self.live.engine, &self.place.layout);
        let nowhere = Handle::nowhere();
        let Some(handle) = nowhere.change(engine, &sql, values(payload), |row| Handle::take(layout, row, 0))? else {
            return Ok(self.written(RowDone::Ignored, None));
        };
        let (after, key) = self.look(&handle)?;
        let after = after.map(|shot| shot.text);
        Ok(RowWritten { columns: names, after, ..self.written(RowDone::Inserted, key) })
    }

    fn update(&self, payload: &Payload, (key, old): (&str, &Handle), before: Option<&Shot>) -> Result<RowWritten> {
        let names = self.columns(payload)?;
        let settings = names.iter().map(|name| format!("{} = ?", self.quoted(std::slice::from_ref(name))));
        let settings = settings.collect::<Vec<_>>().join(", ");
        let (table, condition) = (self.table(), &old.condition);
        let sql = format!("UPDATE {table} SET {settings} WHERE {condition} RETURNING {}", self.handle_names());
        let (engine, layout) = (&self.live.engine, &self.place.layout);
        let changed = old.clone().change(engine, &sql, values(payload), |row| Handle::take(layout, row, 0))?;
        let text = before.map(|shot| shot.text.clone());
        let Some(handle) = changed else {
            return Ok(RowWritten { before: text, ..self.written(RowDone::Ignored, Some(key_shown(key))) });
        };
        let (after, own) = self.look(&handle)?;
        // The caller's own spelling, where it still leads there.
        let still = self.place.find_row(engine, key)?.is_some_and(|(found, _)| found == handle);
        let key = if still { Some(key_shown(key)) } else { own };
        let columns = match (before, &after) {
            (Some(before), Some(after)) => before.differences(after, &layout.columns),
            (None, _) | (_, None) => names,
        };
        let after = after.map(|shot| shot.text);
        Ok(RowWritten { columns, before: text, after, ..self.written(RowDone::Updated, key) })
    }

    /// What a row is now, and by which key it is called.
    fn look(&self, handle: &Handle) -> Result<(Option<Shot>, Option<String>)> {
        let (engine, layout) = (&self.live.engine, &self.place.layout);
        let calls = Calls::of_table(&self.place.table, layout, self.schema);
        let namer = Namer::new(engine, &calls);
        let width = layout.columns.len();
        let selected = calls.select();
        let found = handle
            .look(engine, layout, &selected, |row| Ok((Shot::take(row, &layout.columns)?, namer.key_of(row, width)?)));
        match found {
            Ok(found) => Ok(found.map_or((None, None), |(shot, key)| (Some(shot), key))),
            // It is too large to be shown.
            Err(Error::Limit { .. }) => Ok((None, None)),
            Err(error) => Err(error),
        }
    }

    /// The columns that are given, by what the table calls them.
    fn columns(&self, payload: &Payload) -> Result<Vec<String>> {
        let mut names = Vec::<String>::with_capacity(payload.0.len());
        for (given, _) in &payload.0 {
            let name = column(&self.place.layout, given).ok_or_else(|| Error::NotInTable {
                table: self.place.table.clone(),
                column: given.clone(),
                columns: self.place.layout.columns.clone(),
            })?;
            if names.contains(&name) {
                return Err(self.bad(&format!("the column {name} is given twice")));
            }
            names.push(name);
        }
        Ok(names)
    }

    fn written(&self, done: RowDone, key: Option<String>) -> RowWritten {
        RowWritten {
            done,
            table: self.place.table.clone(),
            key,
            expected: None,
            columns: Vec::new(),
            before: None,
            after: None,
            triggered_rows: 0,
            triggered: Vec::new(),
        }
    }

    fn none(&self, done: RowDone, key: &str) -> RowWritten {
        let expected = Some(self.place.layout.expected_key());
        RowWritten { expected, ..self.written(done, Some(key_shown(key))) }
    }

    fn bad(&self, words: &str) -> Error {
        Error::BadRow { words: words.to_owned(), next: Some(self.place.table.clone()) }
    }

    fn table(&self) -> String {
        self.place.layout.quoted()
    }

    fn handle_names(&self) -> String {
        Handle::names(&self.place.layout).join(", ")
    }

    /// Names of columns as SQL wants them.
    fn quoted(&self, names: &[String]) -> String {
        names.iter().map(|name| row::column_name(&self.place.layout, name)).collect::<Vec<_>>().join(", ")
    }
}

fn values(payload: &Payload) -> Vec<Value> {
    payload.0.iter().map(|(_, value)| value.clone()).collect()
}

/// The column of a table that is meant, or the number of its rows.
fn column(layout: &Layout, given: &str) -> Option<String> {
    let exact = || layout.columns.iter().find(|column| *column == given).cloned();
    let alike = || layout.columns.iter().find(|column| column.eq_ignore_ascii_case(given)).cloned();
    let number = || layout.rowid.filter(|rowid| rowid.eq_ignore_ascii_case(given)).map(str::to_owned);
    exact().or_else(alike).or_else(number)
}
