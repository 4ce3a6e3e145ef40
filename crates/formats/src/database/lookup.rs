//! Finding a row by its key, exactly: no value is taken for another because the engine could convert it.

use std::ops::ControlFlow;

use readstone_base::Percent;
use rusqlite::Row;
use rusqlite::types::{Value, ValueRef};

use crate::database::engine::Engine;
use crate::database::error::Result;
use crate::database::schema::Layout;
use crate::database::spelling::{hex_bytes, quoted};
use crate::database::values::is_part;

/// A key of several parts is split in at most this many ways.
const MOST_SPLITS: usize = 64;

/// Finds a row and takes something from it. `select` is what is taken; it is followed by the key, which begins at
/// column `width`, and by the number of the row, where it has one.
pub(super) struct Lookup<'a> {
    /// The table.
    pub(super) layout: &'a Layout,
    /// What is selected.
    pub(super) select: String,
    /// How many columns that are.
    pub(super) width: usize,
}

impl Lookup<'_> {
    /// The row that a key in an address means, the literal first.
    pub(super) fn find<T>(
        &self,
        engine: &Engine,
        text: &str,
        mut take: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>> {
        let mut found = None;
        for reading in readings(text) {
            for (names, parts) in self.splits(&reading) {
                self.each(engine, (&names, &parts), &mut |row| {
                    found = Some(take(row)?);
                    Ok(ControlFlow::Break(()))
                })?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }

    /// Whether a key means several rows: one of its parts may hold what separates them, or look like a number and be text.
    pub(super) fn is_ambiguous(&self, engine: &Engine, text: &str) -> Result<bool> {
        for reading in readings(text) {
            let mut found = 0_usize;
            for (names, parts) in self.splits(&reading) {
                self.each(engine, (&names, &parts), &mut |_| {
                    found += 1;
                    Ok(ControlFlow::Continue(()))
                })?;
            }
            if found > 0 {
                return Ok(found > 1);
            }
        }
        Ok(false)
    }

    /// The ways in which a text can be a key: as the primary key, or as the number of the row where there is none.
    fn splits(&self, text: &str) -> Vec<(Vec<String>, Vec<Part>)> {
        let primary = self.layout.primary.iter().map(|column| quoted(&column.name)).collect::<Vec<_>>();
        if !primary.is_empty() {
            let mut splits = Vec::new();
            split(text, primary.len(), &mut Vec::new(), &mut splits);
            let spelled: Vec<_> = splits.iter().filter_map(|parts| spelled(parts)).collect();
            let bare = splits.into_iter().map(|parts| parts.into_iter().map(Part::Bare).collect());
            return bare.chain(spelled).map(|parts| (primary.clone(), parts)).collect();
        }
        let rowid = self.layout.rowid.filter(|_| integer(text).is_some());
        rowid.map(|rowid| (vec![rowid.to_owned()], vec![Part::Bare(text.to_owned())])).into_iter().collect()
    }

    /// Goes through the rows that have these parts for a key.
    fn each(
        &self,
        engine: &Engine,
        (names, parts): (&[String], &[Part]),
        see: &mut dyn FnMut(&Row<'_>) -> rusqlite::Result<ControlFlow<()>>,
    ) -> Result<()> {
        let conditions = names.iter().map(|name| format!("{name} IN (?, ?, ?)")).collect::<Vec<_>>().join(" AND ");
        let rowid = self.layout.rowid.filter(|_| !self.layout.primary.is_empty()).map(str::to_owned);
        let keys = names.iter().cloned().chain(rowid).collect::<Vec<_>>().join(", ");
        let (select, table) = (&self.select, self.layout.quoted());
        let sql = format!("SELECT {select}, {keys} FROM {table} WHERE {conditions}");
        let mut statement = engine.statement(&sql)?;
        let values = parts.iter().flat_map(forms).collect::<Vec<_>>();
        engine.run(|| {
            let mut rows = statement.query(rusqlite::params_from_iter(values))?;
            while let Some(row) = rows.next()? {
                let mut exact = true;
                for (index, part) in parts.iter().enumerate() {
                    exact &= part.is(row.get_ref(self.width + index)?);
                }
                if exact && see(row)?.is_break() {
                    break;
                }
            }
            Ok(())
        })
    }
}

/// A part of a key in an address.
#[derive(Clone, Debug)]
enum Part {
    /// As it is: text or a number.
    Bare(String),
    /// Text, in quotes.
    Text(String),
    /// Bytes, as pairs of hex digits.
    Blob(Vec<u8>),
}

impl Part {
    /// What is written as a value is shown among others, if it is.
    fn spelled(text: &str) -> Option<Self> {
        if let Some(digits) = text.strip_prefix(['x', 'X']).and_then(within_quotes) {
            return hex_bytes(digits).map(Self::Blob);
        }
        let inner = within_quotes(text)?;
        let is_sound = !inner.replace("''", "").contains('\'');
        is_sound.then(|| Self::Text(inner.replace("''", "'")))
    }

    /// Whether a value is what this says, exactly.
    fn is(&self, value: ValueRef<'_>) -> bool {
        match self {
            Self::Bare(text) => is_part(value, text),
            Self::Text(text) => value == ValueRef::Text(text.as_bytes()),
            Self::Blob(bytes) => value == ValueRef::Blob(bytes),
        }
    }
}

fn within_quotes(text: &str) -> Option<&str> {
    text.strip_prefix('\'')?.strip_suffix('\'')
}

/// The parts of a key with those as values that are written so; none where none is.
fn spelled(parts: &[String]) -> Option<Vec<Part>> {
    let known: Vec<_> = parts.iter().map(|part| Part::spelled(part)).collect();
    let bare = |(known, part): (Option<Part>, &String)| known.unwrap_or_else(|| Part::Bare(part.clone()));
    let some = known.iter().any(Option::is_some);
    some.then(|| known.into_iter().zip(parts).map(bare).collect())
}

/// What a key in an address may say, the literal first.
fn readings(text: &str) -> impl Iterator<Item = String> {
    std::iter::once(text.to_owned()).chain(Percent::of(text).loose())
}

/// What a part of a key may be: text, a whole number, a number; or what it says it is.
fn forms(part: &Part) -> [Value; 3] {
    let part = match part {
        Part::Bare(text) => text,
        Part::Text(text) => return [Value::Text(text.clone()), Value::Null, Value::Null],
        Part::Blob(bytes) => return [Value::Blob(bytes.clone()), Value::Null, Value::Null],
    };
    let whole = integer(part).map_or(Value::Null, Value::Integer);
    let real = match part.parse::<f64>() {
        Ok(number) if whole == Value::Null && number.is_finite() => Value::Real(number),
        Ok(_) | Err(_) => Value::Null,
    };
    [Value::Text(part.clone()), whole, real]
}

/// A whole number in its only spelling.
fn integer(text: &str) -> Option<i64> {
    text.parse::<i64>().ok().filter(|number| number.to_string() == text)
}

/// Every way to cut a text into so many parts at commas.
fn split(text: &str, count: usize, before: &mut Vec<String>, ways: &mut Vec<Vec<String>>) {
    if ways.len() >= MOST_SPLITS {
        return;
    }
    if count <= 1 {
        let mut way = before.clone();
        way.push(text.to_owned());
        ways.push(way);
        return;
    }
    for (at, _) in text.match_indices(',') {
        before.push(text.get(..at).unwrap_or_default().to_owned());
        split(text.get(at + 1..).unwrap_or_default(), count - 1, before, ways);
        before.pop();
    }
}
