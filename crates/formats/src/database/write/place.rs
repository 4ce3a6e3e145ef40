//! From what stands behind a database in an address to the table and the row that are written, as reading goes it.

use readstone_address::cuts;
use rusqlite::Row as Found;

use crate::database::engine::Engine;
use crate::database::error::{Error, Result};
use crate::database::lookup::Lookup;
use crate::database::schema::{Layout, Object, ObjectKind, Schema, text_of};
use crate::database::spelling::{key_shown, quoted, shown_table};
use crate::database::write::RowWrite;
use crate::database::write::row::{Handle, Shot};

/// Where a row is written.
#[derive(Debug)]
pub(super) struct Place {
    /// The table.
    pub(super) layout: Layout,
    /// Its address.
    pub(super) table: String,
    /// The row.
    pub(super) row: Row,
}

/// Which row is written.
#[derive(Debug)]
pub(super) enum Row {
    /// A new one.
    New,
    /// One with a key that no row has.
    Missing(String),
    /// One that is there.
    There {
        /// Its key in the address.
        key: String,
        /// What leads to it.
        handle: Handle,
        /// What it holds, unless that is too large.
        before: Option<Shot>,
    },
}

impl Place {
    /// Names are taken literally first: the whole tail, then ever shorter beginnings of it.
    pub(super) fn find(engine: &Engine, schema: &Schema, write: &RowWrite<'_>) -> Result<Self> {
        let mut missing = None;
        for (name, rest) in schema.splits(write.tail) {
            let Some(object) = schema.find(name) else { continue };
            let table = format!("{}:{}", write.database, shown_table(&object.name));
            match rest.strip_prefix(':') {
                None if rest.is_empty() => return Self::new(engine, object, table, Row::New),
                None => return Err(no_parameters(&table)),
                Some("") => {
                    let words = "the key of the row is missing behind the colon".to_owned();
                    return Err(Error::BadRow { words, next: Some(table) });
                }
                Some(key) => {
                    let mut place = Self::new(engine, object, table, Row::Missing(key.to_owned()))?;
                    if let Some((handle, before)) = place.find_row(engine, key)? {
                        place.refuse_doubt(engine, key)?;
                        place.row = Row::There { key: key.to_owned(), handle, before };
                        return Ok(place);
                    }
                    missing = missing.or(Some((place, key)));
                }
            }
        }
        let (place, key) = missing.ok_or_else(|| schema.no_table(write.database, write.tail))?;
        place.check_missing(engine, key)?;
        Ok(place)
    }

    fn new(engine: &Engine, object: Object, table: String, row: Row) -> Result<Self> {
        if let Some(why) = refusal(engine, &object)? {
            return Err(Error::Unwritable { table, why });
        }
        let layout = Layout::load(engine, object)?;
        if matches!(row, Row::Missing(_)) && layout.order().is_empty() {
            let why = "its rows have no key by which one of them could be named".to_owned();
            return Err(Error::Unwritable { table, why });
        }
        Ok(Self { layout, table, row })
    }

    /// The row with a key, and what it holds, unless that is too large.
    pub(super) fn find_row(&self, engine: &Engine, key: &str) -> Result<Option<(Handle, Option<Shot>)>> {
        let layout = &self.layout;
        let all = layout.columns.iter().map(|column| quoted(column)).collect::<Vec<_>>();
        let width = all.len();
        // Behind the primary key stands the number of the row.
        let skipped = if layout.rowid.is_some() { layout.primary.len() } else { 0 };
        let handle = |row: &Found<'_>, width: usize| Handle::take(layout, row, width + skipped);
        let whole = Lookup { layout, select: all.join(", "), width };
        let found = whole.find(engine, key, |row| Ok((handle(row, width)?, Some(Shot::take(row, &layout.columns)?))));
        match found {
            Err(Error::Limit { .. }) => {
                let bare = Lookup { layout, select: "1".to_owned(), width: 1 };
                bare.find(engine, key, |row| Ok((handle(row, 1)?, None)))
            }
            other => other,
        }
    }

    /// A key may mean several rows, where a part of it holds a comma, or looks like a number and is text: none of them is
    /// changed by chance.
    fn refuse_doubt(&self, engine: &Engine, key: &str) -> Result<()> {
        let bare = Lookup { layout: &self.layout, select: "1".to_owned(), width: 1 };
        if !bare.is_ambiguous(engine, key)? {
            return Ok(());
        }
        let words = format!("the key {key} means several rows of {}; a part in quotes is text: 'a','b'", self.table);
        Err(Error::BadRow { words, next: Some(self.table.clone()) })
    }

    /// A key that no row has may be meant for something that cannot be written.
    fn check_missing(&self, engine: &Engine, key: &str) -> Result<()> {
        if key.contains('?') {
            return Err(no_parameters(&self.table));
        }
        for (before, behind) in cuts(key) {
            let Some(column) = behind.and_then(|name| self.layout.column(name)) else { continue };
            if self.find_row(engine, before)?.is_some() {
                let row = format!("{}:{}", self.table, key_shown(before));
                let words = format!("a cell is written with its row: write {{{column}: …}} to {row}");
                return Err(Error::BadRow { words, next: Some(row) });
            }
        }
        Ok(())
    }
}

fn no_parameters(table: &str) -> Error {
    let words = "a row is written without parameters: DATABASE:TABLE or DATABASE:TABLE:KEY".to_owned();
    Error::BadRow { words, next: Some(table.to_owned()) }
}

/// Why a table takes no rows from us, if it does not.
fn refusal(engine: &Engine, object: &Object) -> Result<Option<String>> {
    if object.kind == ObjectKind::View {
        return Ok(Some("it is a view, which has no rows of its own; write to a table that it reads".to_owned()));
    }
    if object.name.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("sqlite_")) {
        return Ok(Some("it belongs to SQLite itself".to_owned()));
    }
    let mut statement = engine.statement(&format!("PRAGMA main.table_list({})", quoted(&object.name)))?;
    let kind = engine.run(|| {
        let mut rows = statement.query([])?;
        rows.next()?.map(|row| row.get_ref(2).map(text_of)).transpose()
    })?;
    Ok(match kind.as_deref() {
        Some("virtual") => Some("it is a virtual table, which is written through what it is made from".to_owned()),
        Some("shadow") => Some("it belongs to a virtual table".to_owned()),
        Some(_) | None => None,
    })
}
