//! By what the cells of a row are called: an address that surely leads back to this row and no other.

use std::cell::RefCell;

use readstone_source::{CellAddress, Value};
use rusqlite::types::{Value as Bound, ValueRef};
use rusqlite::{Row, Statement, params_from_iter};

use crate::database::cell::Far;
use crate::database::engine::Engine;
use crate::database::params::condition;
use crate::database::schema::{KeyColumn, KeyKind, Layout, Schema};
use crate::database::spelling::{literal, quoted, shown};
use crate::database::values::HEAD;

/// A key in an address has at most this many bytes.
const KEY_BYTES: usize = 400;

/// How the cells of rows are called.
#[derive(Clone, Debug)]
pub(super) struct Calls {
    /// What tells rows apart by what they hold.
    pub(super) keys: Option<Keys>,
    /// What stands before the number of the row, where nothing else tells it apart.
    pub(super) numbered: String,
    /// What stands behind the name of the column then.
    pub(super) behind: String,
}

/// What tells the rows of a table apart.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    /// The address of the table.
    path: String,
    /// Its name.
    table: String,
    /// The columns of its primary key.
    columns: Vec<KeyColumn>,
    /// A name under which its rows have a number.
    rowid: Option<&'static str>,
    /// Whether a key behind the name of the table may be taken for the name of another table.
    is_ambiguous: bool,
}

impl Calls {
    /// How the cells of a table are called.
    pub(super) fn of_table(path: &str, layout: &Layout, schema: &Schema) -> Self {
        let keys = (!layout.primary.is_empty() || layout.rowid.is_some()).then(|| Keys {
            path: path.to_owned(),
            table: layout.object.name.clone(),
            columns: layout.primary.clone(),
            rowid: layout.rowid,
            is_ambiguous: schema.holds_name_beyond(&layout.object.name),
        });
        Self { keys, numbered: format!("{path}?row="), behind: String::new() }
    }

    /// What is selected behind the columns of a table, so that its rows can be called.
    pub(super) fn select(&self) -> Vec<String> {
        let Some(keys) = &self.keys else { return Vec::new() };
        let columns = keys.columns.iter().map(|column| quoted(&column.name));
        columns.chain(keys.rowid.map(str::to_owned)).collect()
    }

    /// Where a value of so many bytes lies, in a row whose key begins at column `first`.
    pub(super) fn far(&self, (row, first): (&Row<'_>, usize), column: &str, length: u64) -> Option<Far> {
        let rowid = self.rowid(row, first)?;
        let table = self.keys.as_ref()?.table.clone();
        Some(Far { table, column: column.to_owned(), rowid, length })
    }

    /// The number of a row whose key begins at column `first`.
    fn rowid(&self, row: &Row<'_>, first: usize) -> Option<i64> {
        let keys = self.keys.as_ref().filter(|keys| keys.rowid.is_some())?;
        row.get_ref(first + keys.columns.len()).ok()?.as_i64().ok()
    }

    fn by_number(&self, number: u64) -> CellAddress {
        CellAddress { before: format!("{}{number}&column=", self.numbered), behind: self.behind.clone() }
    }
}

/// Calls the cells of rows by their names.
pub(super) struct Namer<'a> {
    engine: &'a Engine,
    calls: &'a Calls,
    probe: RefCell<Option<Statement<'a>>>,
}

impl<'a> Namer<'a> {
    /// For rows that are read by an engine.
    pub(super) fn new(engine: &'a Engine, calls: &'a Calls) -> Self {
        Self { engine, calls, probe: RefCell::new(None) }
    }

    /// How the cells of a row are called whose key begins at column `first`, and which has this number.
    pub(super) fn call(&self, row: &Row<'_>, first: usize, number: u64) -> rusqlite::Result<CellAddress> {
        let Some(keys) = &self.calls.keys else { return Ok(self.calls.by_number(number)) };
        let parts = parts(keys, row, first)?;
        let rowid = self.calls.rowid(row, first);
        let before = match self.key(keys, &parts, rowid) {
            Some(key) => format!("{}:{key}:", keys.path),
            None => match self.condition(keys, &parts, rowid) {
                Some(text) => format!("{}?{}&row=1&column=", keys.path, condition(&text)),
                None => return Ok(self.calls.by_number(number)),
            },
        };
        Ok(CellAddress { before, behind: String::new() })
    }

    /// The key of a row in which it begins at column `first`, where it can mean nothing else.
    pub(super) fn key_of(&self, row: &Row<'_>, first: usize) -> rusqlite::Result<Option<String>> {
        let Some(keys) = &self.calls.keys else { return Ok(None) };
        Ok(self.key(keys, &parts(keys, row, first)?, self.calls.rowid(row, first)))
    }

    /// The key, where it can mean nothing else.
    fn key(&self, keys: &Keys, parts: &[ValueRef<'_>], rowid: Option<i64>) -> Option<String> {
        if keys.is_ambiguous {
            return None;
        }
        if parts.is_empty() {
            return rowid.map(|rowid| rowid.to_string());
        }
        let plain = keys.columns.iter().zip(parts).map(|(column, part)| plain(column.kind, *part));
        let plain = plain.collect::<Option<Vec<_>>>()?;
        let unclear = plain.len() > 1 && plain.iter().any(|part| part.contains(','));
        (!unclear && !self.is_beginning(keys, &plain)).then(|| plain.join(","))
    }

    /// Whether another key begins with this one and a colon, so that it could be meant; where that cannot be told, it
    /// does.
    fn is_beginning(&self, keys: &Keys, parts: &[String]) -> bool {
        if !self.is_comparable(keys) {
            return true;
        }
        let mut probe = self.probe.borrow_mut();
        let (Some(statement), Some((last, others))) = (probe.as_mut(), parts.split_last()) else { return true };
        // The sign behind the colon is the semicolon.
        let ends = [format!("{last}:"), format!("{last};")];
        let values = others.iter().cloned().chain(ends).map(Bound::Text);
        statement.exists(params_from_iter(values)).unwrap_or(true)
    }

    /// Whether the engine can compare keys: it does not know every way to compare text that a table may name.
    fn is_comparable(&self, keys: &Keys) -> bool {
        let mut probe = self.probe.borrow_mut();
        if probe.is_none() {
            *probe = self.engine.statement(&keys.probe()).ok();
        }
        probe.is_some()
    }

    /// A condition that is true for this row alone.
    fn condition(&self, keys: &Keys, parts: &[ValueRef<'_>], rowid: Option<i64>) -> Option<String> {
        let exact = keys.columns.iter().zip(parts).map(|(column, part)| {
            let value = exact(*part)?;
            Some(format!("{} = {value}", quoted(&column.name)))
        });
        let exact = exact.collect::<Option<Vec<_>>>().filter(|_| !parts.is_empty() && self.is_comparable(keys));
        if let Some(conditions) = exact {
            return Some(conditions.join(" AND "));
        }
        if let (Some(name), Some(rowid)) = (keys.rowid, rowid) {
            return Some(format!("{name} = {rowid}"));
        }
        let quoted_parts = keys.columns.iter().zip(parts).map(|(column, part)| {
            let value = exact_or_real(self.engine, *part)?;
            Some(format!("{} IS {value}", quoted(&column.name)))
        });
        quoted_parts.collect::<Option<Vec<_>>>().map(|conditions| conditions.join(" AND "))
    }
}

/// The parts of the key of a row in which it begins at column `first`.
fn parts<'r>(keys: &Keys, row: &'r Row<'_>, first: usize) -> rusqlite::Result<Vec<ValueRef<'r>>> {
    (0..keys.columns.len()).map(|index| row.get_ref(first + index)).collect()
}

impl Namer<'_> {
    /// Reads the beginnings of values that were left alone because they are beyond the limit.
    pub(super) fn begin(&self, at: (&Row<'_>, usize), columns: &[String], cells: &mut [Value]) {
        let is_utf8 = self.engine.is_utf8;
        for (cell, column) in cells.iter_mut().zip(columns) {
            let (head, length) = match cell {
                Value::Text { head, length } if is_utf8 => (head, *length),
                Value::Blob { head, length } => (head, *length),
                Value::Text { .. } | Value::Bare { .. } | Value::Null | Value::Integer(_) | Value::Real(_) => continue,
            };
            let Some(far) = self.calls.far(at, column, length).filter(|_| head.is_empty() && length > 0) else {
                continue;
            };
            let mut bytes = vec![0; HEAD.min(usize::try_from(length).unwrap_or(HEAD))];
            // What cannot be read so is shown by its length alone.
            if let Ok(count) = self.engine.read_value(&far, 0, &mut bytes) {
                bytes.truncate(count);
                *head = bytes;
            }
        }
    }
}

impl Keys {
    /// Finds a key of which all parts but the last are given, and the last lies between two.
    fn probe(&self) -> String {
        let names = self.columns.iter().map(|column| quoted(&column.name)).collect::<Vec<_>>();
        let conditions = names.split_last().map(|(last, others)| {
            let others = others.iter().map(|name| format!("{name} = ?"));
            let ends = [format!("{last} >= ?"), format!("{last} < ?")];
            others.chain(ends).collect::<Vec<_>>().join(" AND ")
        });
        format!("SELECT 1 FROM {} WHERE {}", quoted(&self.table), conditions.unwrap_or_default())
    }
}

/// A part of a key as it stands in an address, where it is what columns of its kind hold and needs no escape.
fn plain(kind: KeyKind, part: ValueRef<'_>) -> Option<String> {
    match (kind, part) {
        (KeyKind::Number, ValueRef::Integer(number)) => Some(number.to_string()),
        (KeyKind::Text, ValueRef::Text(bytes)) => {
            let text = std::str::from_utf8(bytes).ok().filter(|text| !text.is_empty() && text.len() <= KEY_BYTES)?;
            let is_plain = !text.contains([':', '?', '#', '%', '\\']) && shown(text) == text;
            is_plain.then(|| text.to_owned())
        }
        (KeyKind::Number | KeyKind::Text | KeyKind::Other, _) => None,
    }
}

/// A value as SQL that equals it and nothing else.
fn exact(part: ValueRef<'_>) -> Option<String> {
    match part {
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Text(bytes) if bytes.len() <= KEY_BYTES => {
            let text = std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))?;
            Some(literal(text))
        }
        ValueRef::Blob(bytes) if bytes.len() <= KEY_BYTES => {
            Some(format!("x'{}'", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()))
        }
        // Several rows may have nothing for a key; numbers are better left to the engine's own spelling.
        ValueRef::Null | ValueRef::Real(_) | ValueRef::Text(_) | ValueRef::Blob(_) => None,
    }
}

fn exact_or_real(engine: &Engine, part: ValueRef<'_>) -> Option<String> {
    match part {
        ValueRef::Real(number) => {
            let mut statement = engine.statement("SELECT quote(?1)").ok()?;
            statement.query_row([number], |row| row.get(0)).ok()
        }
        ValueRef::Null => Some("NULL".to_owned()),
        ValueRef::Integer(_) | ValueRef::Text(_) | ValueRef::Blob(_) => exact(part),
    }
}
