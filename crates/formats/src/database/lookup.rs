//! Finding a row by its key, exactly: no value is taken for another because the engine could convert it.

use readstone_base::Percent;
use rusqlite::Row;
use rusqlite::types::Value;

use crate::database::engine::Engine;
use crate::database::error::Result;
use crate::database::schema::Layout;
use crate::database::spelling::quoted;
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
        for reading in std::iter::once(text.to_owned()).chain(Percent::of(text).loose()) {
            for (names, parts) in self.splits(&reading) {
                if let Some(found) = self.try_parts(engine, (&names, &parts), &mut take)? {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    /// Whether a key means several rows: one of its parts may hold what separates them.
    pub(super) fn is_ambiguous(&self, engine: &Engine, text: &str) -> Result<bool> {
        let mut found = 0;
        for (names, parts) in self.splits(text) {
            found += usize::from(self.try_parts(engine, (&names, &parts), &mut |_| Ok(()))?.is_some());
        }
        Ok(found > 1)
    }

    /// The ways in which a text can be a key: as the primary key, or as the number of the row where there is none.
    fn splits(&self, text: &str) -> Vec<(Vec<String>, Vec<String>)> {
        let primary = self.layout.primary.iter().map(|column| quoted(&column.name)).collect::<Vec<_>>();
        if !primary.is_empty() {
            let mut splits = Vec::new();
            split(text, primary.len(), &mut Vec::new(), &mut splits);
            return splits.into_iter().map(|parts| (primary.clone(), parts)).collect();
        }
        let rowid = self.layout.rowid.filter(|_| integer(text).is_some());
        rowid.map(|rowid| (vec![rowid.to_owned()], vec![text.to_owned()])).into_iter().collect()
    }

    fn try_parts<T>(
        &self,
        engine: &Engine,
        (names, parts): (&[String], &[String]),
        take: &mut dyn FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>> {
        let conditions = names.iter().map(|name| format!("{name} IN (?, ?, ?)")).collect::<Vec<_>>().join(" AND ");
        let rowid = self.layout.rowid.filter(|_| !self.layout.primary.is_empty()).map(str::to_owned);
        let keys = names.iter().cloned().chain(rowid).collect::<Vec<_>>().join(", ");
        let (select, table) = (&self.select, self.layout.quoted());
        let sql = format!("SELECT {select}, {keys} FROM {table} WHERE {conditions}");
        let mut statement = engine.statement(&sql)?;
        let values = parts.iter().flat_map(|part| forms(part)).collect::<Vec<_>>();
        engine.run(|| {
            let mut rows = statement.query(rusqlite::params_from_iter(values))?;
            while let Some(row) = rows.next()? {
                let mut exact = true;
                for (index, part) in parts.iter().enumerate() {
                    exact &= is_part(row.get_ref(self.width + index)?, part);
                }
                if exact {
                    return take(row).map(Some);
                }
            }
            Ok(None)
        })
    }
}

/// What a part of a key may be: text, a whole number, a number.
fn forms(part: &str) -> [Value; 3] {
    let whole = integer(part).map_or(Value::Null, Value::Integer);
    let real = match part.parse::<f64>() {
        Ok(number) if whole == Value::Null && number.is_finite() => Value::Real(number),
        Ok(_) | Err(_) => Value::Null,
    };
    [Value::Text(part.to_owned()), whole, real]
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
