//! The tables and views of a database, their columns and their keys.

use std::path::{Path, PathBuf};

use readstone_base::{Guess, Instead, Visible};
use readstone_source::{Lookalikes, Meant};
use rusqlite::types::ValueRef;
use serde::{Deserialize, Serialize};

use crate::database::clock;
use crate::database::engine::Engine;
use crate::database::error::{Error, Result};
use crate::database::spelling::{literal, quoted, shown_table, table_readings};
use crate::readings::readings;

/// Everything in a database that has rows.
#[derive(Debug)]
pub(super) struct Schema {
    /// Tables and views, by name.
    pub(super) objects: Vec<Object>,
    /// Whether a name in it is no text, so that names of columns must not be asked of the engine.
    pub(super) is_odd: bool,
    /// Whether a view asks for the time.
    pub(super) asks_time: bool,
}

/// A table or view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Object {
    /// Its name.
    pub(super) name: String,
    /// Which of both.
    pub(super) kind: ObjectKind,
}

/// Table or view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ObjectKind {
    /// Rows that are stored.
    Table,
    /// A stored query.
    View,
}

/// The columns and the key of a table or view.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The table.
    pub(super) object: Object,
    /// Its columns.
    pub(super) columns: Vec<String>,
    /// The columns of its primary key, in their order in the key.
    pub(super) primary: Vec<KeyColumn>,
    /// A name under which its rows have a number.
    pub(super) rowid: Option<&'static str>,
}

/// A column of a primary key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KeyColumn {
    /// Its name.
    pub(super) name: String,
    /// What it holds.
    pub(super) kind: KeyKind,
}

/// What a column of a key holds, unless it is told otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyKind {
    /// Whole numbers: text that looks like one becomes one.
    Number,
    /// Text: numbers become text.
    Text,
    /// Anything, and what looks alike may differ.
    Other,
}

impl KeyKind {
    /// What a column of this declared type holds, as the engine has it.
    fn of(declared: &str) -> Self {
        let declared = declared.to_ascii_uppercase();
        let has = |word: &str| declared.contains(word);
        if has("INT") {
            Self::Number
        } else if has("CHAR") || has("CLOB") || has("TEXT") {
            Self::Text
        } else {
            Self::Other
        }
    }
}

/// Text of the database; what is no text in it is marked.
pub(super) fn text_of(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => String::new(),
    }
}

impl Schema {
    /// Reads the list of tables and views.
    pub(super) fn load(engine: &Engine) -> Result<Self> {
        // Sorted here: the engine would hold all statements in memory meanwhile.
        let sql = "SELECT type, name, sql FROM sqlite_schema";
        let mut statement = engine.statement(sql)?;
        let mut schema = Self { objects: Vec::new(), is_odd: false, asks_time: false };
        engine.run(|| {
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let (kind, name, sql) = (row.get_ref(0)?, text_of(row.get_ref(1)?), row.get_ref(2)?);
                schema.is_odd |= matches!(sql, ValueRef::Text(text) if std::str::from_utf8(text).is_err());
                if kind == ValueRef::Text(b"table") {
                    schema.objects.push(Object { name, kind: ObjectKind::Table });
                } else if kind == ValueRef::Text(b"view") {
                    schema.asks_time |= clock::is_asked(&text_of(sql));
                    schema.objects.push(Object { name, kind: ObjectKind::View });
                }
            }
            Ok(())
        })?;
        schema.objects.sort_by(|one, other| one.name.cmp(&other.name));
        if schema.is_odd {
            engine.take_quotes_for_names()?;
        }
        Ok(schema)
    }

    /// The tables and views that are listed.
    pub(super) fn listed(&self) -> Vec<Object> {
        let own = |object: &&Object| !object.name.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("sqlite_"));
        self.objects.iter().filter(own).cloned().collect()
    }

    /// What a name in an address means, the literal first. Names differ in more than case, as the engine has it.
    pub(super) fn find(&self, text: &str) -> Option<Object> {
        let readings = table_readings(text);
        let exact = |name: &String| self.objects.iter().find(|object| object.name == *name).cloned();
        let alike = |name: &String| self.objects.iter().find(|object| object.name.eq_ignore_ascii_case(name)).cloned();
        let own = |name: &String| {
            let is_own = ["sqlite_schema", "sqlite_master"].iter().any(|own| own.eq_ignore_ascii_case(name));
            is_own.then(|| Object { name: name.clone(), kind: ObjectKind::Table })
        };
        readings.iter().find_map(exact).or_else(|| readings.iter().find_map(|name| alike(name).or_else(|| own(name))))
    }

    /// The length of the longest name, as long as it can be written.
    fn longest(&self) -> usize {
        self.objects.iter().map(|object| object.name.len()).max().unwrap_or(0).max(13) * 8
    }

    /// The names that may stand at the beginning of a tail, the longest first, each with what follows it.
    pub(super) fn splits<'t>(&self, tail: &'t str) -> Vec<(&'t str, &'t str)> {
        let longest = self.longest();
        let ends = tail.match_indices([':', '?']).map(|(at, _)| at).chain([tail.len()]);
        let mut splits =
            ends.filter(|at| *at <= longest).filter_map(|at| tail.split_at_checked(at)).collect::<Vec<_>>();
        splits.reverse();
        splits
    }

    /// What is said of a tail, behind the database at `path`, that begins with no table.
    pub(super) fn no_table(&self, path: &str, tail: &str) -> Error {
        let name = tail.split([':', '?']).next().filter(|name| !name.is_empty()).unwrap_or(tail);
        let rest = tail.strip_prefix(name).unwrap_or_default();
        let mut alike = Lookalikes::new(Path::new(name));
        for object in self.listed() {
            alike.pass(Path::new(&object.name), &|_| true);
        }
        let address = |table: &PathBuf| format!("{path}:{}", shown_table(&table.to_string_lossy()));
        let (near, instead) = match alike.decide() {
            Meant::One { path: table, how } => {
                let found = address(&table);
                let whole = format!("{found}{rest}");
                let guess = Guess { asked: format!("{path}:{name}"), found, how };
                (vec![whole.clone()], Some(Box::new(Instead { address: whole, guess })))
            }
            // A key or a column of one table need not be there in another.
            Meant::Near(tables) => (tables.iter().map(address).collect(), None),
        };
        Error::NoTable { path: path.to_owned(), name: name.to_owned(), near, instead }
    }

    /// Whether a table is called like another with a colon behind it.
    pub(super) fn holds_name_beyond(&self, name: &str) -> bool {
        let beyond = format!("{name}:");
        let begins = |other: &str| other.get(..beyond.len()).is_some_and(|start| start.eq_ignore_ascii_case(&beyond));
        self.objects.iter().any(|object| begins(&object.name))
    }
}

impl Layout {
    /// Reads the columns and the key of a table or view.
    pub(super) fn load(engine: &Engine, object: Object) -> Result<Self> {
        let (columns, primary) = columns(engine, &object.name)?;
        let mut layout = Self { object, columns, primary, rowid: None };
        if layout.object.kind == ObjectKind::Table {
            layout.rowid = layout.find_rowid(engine)?;
        }
        Ok(layout)
    }

    fn find_rowid(&self, engine: &Engine) -> Result<Option<&'static str>> {
        let free = |name: &&str| !self.columns.iter().any(|column| column.eq_ignore_ascii_case(name));
        let Some(name) = ["rowid", "_rowid_", "oid"].into_iter().find(free) else { return Ok(None) };
        match engine.statement(&format!("SELECT {name} FROM {}", self.quoted())) {
            Ok(_) => Ok(Some(name)),
            Err(Error::BadQuery { .. } | Error::BadRow { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The name, as SQL wants it.
    pub(super) fn quoted(&self) -> String {
        quoted(&self.object.name)
    }

    /// What tells the rows apart and puts them in order: the number of the row, or the primary key.
    pub(super) fn order(&self) -> Vec<String> {
        match self.rowid {
            Some(rowid) => vec![rowid.to_owned()],
            None => self.primary.iter().map(|column| quoted(&column.name)).collect(),
        }
    }

    /// What a key of the table looks like.
    pub(super) fn expected_key(&self) -> String {
        match (self.primary.as_slice(), self.rowid, self.object.kind) {
            (_, _, ObjectKind::View) => "none, a view's rows go by number: ?row=1".to_owned(),
            ([], None, ObjectKind::Table) => "none, rows go by number: ?row=1".to_owned(),
            ([], Some(rowid), ObjectKind::Table) => rowid.to_owned(),
            ([only], _, ObjectKind::Table) => only.name.clone(),
            (several, _, ObjectKind::Table) => {
                let names = several.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ");
                let letters = ('A'..='Z').take(several.len()).map(String::from).collect::<Vec<_>>().join(",");
                format!("the columns ({names}), written {letters}")
            }
        }
    }

    /// The column that a name in an address means.
    pub(super) fn column(&self, text: &str) -> Option<&String> {
        column_in(&self.columns, text).and_then(|index| self.columns.get(index))
    }
}

/// The place of the column that a name in an address means, the literal first, then `#2` for the second.
pub(super) fn column_in(columns: &[String], text: &str) -> Option<usize> {
    let readings = readings(text);
    let exact = |name: &String| columns.iter().position(|column| column == name);
    let alike = |name: &String| columns.iter().position(|column| column.eq_ignore_ascii_case(name));
    let numbered = || {
        let number = text.strip_prefix('#')?.parse::<usize>().ok()?;
        (1..=columns.len()).contains(&number).then(|| number - 1)
    };
    readings.iter().find_map(exact).or_else(|| readings.iter().find_map(alike)).or_else(numbered)
}

fn columns(engine: &Engine, table: &str) -> Result<(Vec<String>, Vec<KeyColumn>)> {
    let mut statement = engine.statement(&format!("PRAGMA table_xinfo({})", quoted(table)))?;
    let (mut columns, mut primary) = (Vec::new(), Vec::new());
    engine.run(|| {
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (name, place, hidden) = (text_of(row.get_ref(1)?), row.get::<_, i64>(5)?, row.get::<_, i64>(6)?);
            if place > 0 {
                let kind = KeyKind::of(&text_of(row.get_ref(2)?));
                primary.push((place, KeyColumn { name: name.clone(), kind }));
            }
            if hidden != 1 {
                columns.push(name);
            }
        }
        Ok(())
    })?;
    primary.sort_by_key(|(place, _)| *place);
    Ok((columns, primary.into_iter().map(|(_, column)| column).collect()))
}

/// Which statements belong to a table whose name, as SQL, stands before this, and in which order.
const OF_TABLE: &str = " COLLATE NOCASE AND sql IS NOT NULL ORDER BY type NOT IN ('table', 'view'), type, name";

/// The query whose only value is all statements that belong to a table. Only their places are sorted, since they may be
/// long.
pub(super) fn statements_query(table: &str) -> String {
    let (table, of_table) = (literal(table), OF_TABLE);
    format!(
        "SELECT group_concat((SELECT sql || ';' FROM sqlite_schema WHERE rowid = place), char(10)) AS schema \
         FROM (SELECT rowid AS place FROM sqlite_schema WHERE tbl_name = {table}{of_table})"
    )
}

/// The statements that made a table, its indexes and its triggers, line by line.
pub(super) fn statements(engine: &Engine, table: &str) -> Result<Vec<String>> {
    let mut places = engine.statement(&format!("SELECT rowid FROM sqlite_schema WHERE tbl_name = ?1{OF_TABLE}"))?;
    let mut statement = engine.statement("SELECT sql FROM sqlite_schema WHERE rowid = ?1")?;
    let mut lines = Vec::new();
    engine.run(|| {
        let mut rows = places.query([table])?;
        while let Some(row) = rows.next()? {
            let text = statement.query_row([row.get::<_, i64>(0)?], |row| row.get_ref(0).map(text_of))?;
            let visible = |line: &str| Visible::of(line.trim_end_matches('\r')).text.into_owned();
            lines.extend(text.split('\n').map(visible));
            if let Some(last) = lines.last_mut() {
                last.push(';');
            }
        }
        Ok(())
    })?;
    Ok(lines)
}
