//! One row: what leads to it alone, and what it holds.

use std::hash::{DefaultHasher, Hash, Hasher};

use readstone_base::{Version, size_text};
use readstone_source::version_of;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Row, params_from_iter};

use crate::database::engine::Engine;
use crate::database::error::Result;
use crate::database::schema::Layout;
use crate::database::spelling::quoted;
use crate::database::write::RowText;

/// A value of more bytes is not written out.
const VALUE_BYTES: usize = 4 * 1024;
/// A row of more bytes is not written out to its end.
const ROW_BYTES: usize = 64 * 1024;

/// What leads to one row and no other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Handle {
    /// The condition that is true for this row alone.
    pub(super) condition: String,
    values: Vec<Value>,
}

impl Handle {
    /// What leads to no row that is there.
    pub(super) fn nowhere() -> Self {
        Self { condition: String::new(), values: Vec::new() }
    }

    /// What must be selected so that the row can be found again: its number, or its primary key.
    pub(super) fn names(layout: &Layout) -> Vec<String> {
        let names = layout.order();
        if names.is_empty() { vec!["1".to_owned()] } else { names }
    }

    /// What leads to a row in which that begins at column `first`.
    pub(super) fn take(layout: &Layout, row: &Row<'_>, first: usize) -> rusqlite::Result<Self> {
        let names = layout.order();
        let mut values = Vec::with_capacity(names.len());
        for index in 0..names.len() {
            values.push(row.get::<_, Value>(first + index)?);
        }
        let conditions = names.iter().map(|name| format!("{name} IS ?")).collect::<Vec<_>>();
        let condition = if conditions.is_empty() { "0".to_owned() } else { conditions.join(" AND ") };
        Ok(Self { condition, values })
    }

    /// Runs a statement that changes this row and gives back what it is then; nothing, when nothing was changed. The
    /// values for the statement stand before those of the condition.
    pub(super) fn change<T>(
        self,
        engine: &Engine,
        sql: &str,
        values: Vec<Value>,
        take: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>> {
        let mut statement = engine.statement(sql)?;
        engine.run(|| {
            let mut rows = statement.query(params_from_iter(values.into_iter().chain(self.values)))?;
            let mut taken = None;
            // The statement is done only when there is no further row.
            while let Some(row) = rows.next()? {
                taken = Some(take(row)?);
            }
            Ok(taken)
        })
    }

    /// Looks at the row: all its columns, and then `more`.
    pub(super) fn look<T>(
        &self,
        engine: &Engine,
        layout: &Layout,
        more: &[String],
        take: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>> {
        let columns = layout.columns.iter().map(|column| quoted(column)).chain(more.iter().cloned());
        let columns = columns.collect::<Vec<_>>().join(", ");
        let sql = format!("SELECT {columns} FROM {} WHERE {}", layout.quoted(), self.condition);
        let mut statement = engine.statement(&sql)?;
        engine.run(|| {
            let mut rows = statement.query(params_from_iter(&self.values))?;
            rows.next()?.map(take).transpose()
        })
    }
}

/// A column as SQL wants it; the number of a row has no quotes, for in quotes it may be taken for text.
pub(super) fn column_name(layout: &Layout, name: &str) -> String {
    let is_column = layout.columns.iter().any(|column| column == name);
    if is_column { quoted(name) } else { name.to_owned() }
}

/// What a row holds at one time.
#[derive(Clone, Debug)]
pub(super) struct Shot {
    /// Its values, written out.
    pub(super) text: RowText,
    /// What tells each value from any other.
    prints: Vec<u64>,
}

impl Shot {
    /// The first columns of a row.
    pub(super) fn take(row: &Row<'_>, columns: &[String]) -> rusqlite::Result<Self> {
        let mut text = Text { json: String::from("{"), whole: true, left: 0 };
        let mut hashes = Vec::with_capacity(columns.len() * 33);
        let mut prints = Vec::with_capacity(columns.len());
        for (index, column) in columns.iter().enumerate() {
            let value = row.get_ref(index)?;
            prints.push(print(value));
            text.add(column, value);
            add_hash(&mut hashes, value);
        }
        Ok(Self { text: text.finish(version_of(&hashes)), prints })
    }

    /// The columns that have another value in another one of the same row.
    pub(super) fn differences(&self, other: &Self, columns: &[String]) -> Vec<String> {
        let pairs = self.prints.iter().zip(&other.prints).zip(columns);
        pairs.filter(|((one, other), _)| one != other).map(|(_, column)| column.clone()).collect()
    }
}

/// Adds what tells a value from any other for certain.
fn add_hash(hashes: &mut Vec<u8>, value: ValueRef<'_>) {
    let (kind, hash) = match value {
        ValueRef::Null => (0, version_of(b"")),
        ValueRef::Integer(number) => (1, version_of(&number.to_be_bytes())),
        ValueRef::Real(number) => (2, version_of(&number.to_bits().to_be_bytes())),
        ValueRef::Text(bytes) => (3, version_of(bytes)),
        ValueRef::Blob(bytes) => (4, version_of(bytes)),
    };
    hashes.push(kind);
    hashes.extend(hash.as_bytes());
}

fn print(value: ValueRef<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    match value {
        ValueRef::Null => 0_u8.hash(&mut hasher),
        ValueRef::Integer(number) => (1_u8, number).hash(&mut hasher),
        ValueRef::Real(number) => (2_u8, number.to_bits()).hash(&mut hasher),
        ValueRef::Text(bytes) => (3_u8, bytes).hash(&mut hasher),
        ValueRef::Blob(bytes) => (4_u8, bytes).hash(&mut hasher),
    }
    hasher.finish()
}

/// A row that is being written out.
struct Text {
    json: String,
    whole: bool,
    /// How many columns were left out.
    left: usize,
}

impl Text {
    fn add(&mut self, column: &str, value: ValueRef<'_>) {
        if self.json.len() > ROW_BYTES {
            self.left += 1;
            return;
        }
        if self.json.len() > 1 {
            self.json.push_str(", ");
        }
        let value = self.value(value);
        self.json.push_str(&string(column));
        self.json.push_str(": ");
        self.json.push_str(&value);
    }

    fn value(&mut self, value: ValueRef<'_>) -> String {
        match value {
            ValueRef::Null => "null".to_owned(),
            ValueRef::Integer(number) => number.to_string(),
            ValueRef::Real(number) if number.is_infinite() => {
                if number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned()
            }
            ValueRef::Real(number) => format!("{number:?}"),
            ValueRef::Text(bytes) if bytes.len() <= VALUE_BYTES => {
                let text = String::from_utf8_lossy(bytes);
                self.whole &= text.as_bytes() == bytes;
                string(&text)
            }
            ValueRef::Blob(bytes) if bytes.len() <= VALUE_BYTES => {
                let digits = bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
                format!("{{\"$hex\": \"{digits}\"}}")
            }
            ValueRef::Text(bytes) => self.large("text", bytes.len()),
            ValueRef::Blob(bytes) => self.large("blob", bytes.len()),
        }
    }

    fn large(&mut self, what: &str, length: usize) -> String {
        self.whole = false;
        format!("\"<{what} {}>\"", size_text(length as u64))
    }

    fn finish(mut self, version: Version) -> RowText {
        if self.left > 0 {
            self.json.push_str(", …");
        }
        self.json.push('}');
        RowText { version, json: self.json, whole: self.whole && self.left == 0 }
    }
}

/// A text in quotes, as JSON has it.
fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
