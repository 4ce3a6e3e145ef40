//! Values on their way out of the engine.

use readstone_source::Value;
use rusqlite::Row;
use rusqlite::types::ValueRef;

use crate::database::cell::Cell;
use crate::database::spelling::quoted;

/// Bytes of a value that are handed over when rows stand side by side.
pub(super) const HEAD: usize = 4 * 1024;
/// Bytes of a value that are handed over when one row is shown.
pub(super) const RECORD_HEAD: usize = 64 * 1024;

/// The first `count` values of a row, each with its beginning.
pub(super) fn cells(row: &Row<'_>, count: usize, head: usize) -> rusqlite::Result<Vec<Value>> {
    (0..count).map(|index| row.get_ref(index).map(|value| of(value, head))).collect()
}

fn of(value: ValueRef<'_>, most: usize) -> Value {
    let beginning = |bytes: &[u8]| bytes.get(..most).unwrap_or(bytes).to_vec();
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(bytes) => Value::Text { head: beginning(bytes), length: bytes.len() as u64 },
        ValueRef::Blob(bytes) => Value::Blob { head: beginning(bytes), length: bytes.len() as u64 },
    }
}

/// Selects columns so that values beyond the limit are not touched: each is followed by its type and its length.
pub(super) fn careful_select(columns: &[String], most: u64) -> String {
    // The engine tells both without reading the value. A little below the limit there is room for the rest of the row.
    let one = |name: &String| {
        let name = quoted(name);
        format!("CASE WHEN octet_length({name}) <= {} THEN {name} END, typeof({name}), octet_length({name})", most / 2)
    };
    columns.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The first `count` values of a row that was selected with care.
pub(super) fn careful_cells(row: &Row<'_>, count: usize, head: usize) -> rusqlite::Result<Vec<Value>> {
    let one = |index: usize| {
        let (value, kind) = (row.get_ref(3 * index)?, row.get_ref(3 * index + 1)?);
        let length = row.get::<_, Option<i64>>(3 * index + 2)?.and_then(|length| u64::try_from(length).ok());
        let missing = (value == ValueRef::Null && kind != ValueRef::Text(b"null")).then_some(length).flatten();
        Ok(match missing {
            Some(length) if kind == ValueRef::Text(b"text") => Value::Text { head: Vec::new(), length },
            Some(length) => Value::Blob { head: Vec::new(), length },
            None => of(value, head),
        })
    };
    (0..count).map(one).collect()
}

/// How much memory a row takes.
pub(super) fn weight(cells: &[Value]) -> usize {
    let one = |value: &Value| match value {
        Value::Text { head, .. } | Value::Bare { head, .. } | Value::Blob { head, .. } => head.len(),
        Value::Null | Value::Integer(_) | Value::Real(_) => 0,
    };
    cells.iter().map(|value| one(value) + 48).sum()
}

/// A value as a cell.
pub(super) fn whole(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Null => Cell::Nothing,
        ValueRef::Integer(number) => Cell::Text(number.to_string().into_bytes()),
        ValueRef::Real(number) => Cell::Text(real(number).into_bytes()),
        ValueRef::Text(bytes) if std::str::from_utf8(bytes).is_ok() => Cell::Text(bytes.to_vec()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Cell::Bytes(bytes.to_vec()),
    }
}

/// A number as the shortest text that reads back as the same number.
fn real(number: f64) -> String {
    if number.is_infinite() {
        return if number > 0.0 { "Inf".to_owned() } else { "-Inf".to_owned() };
    }
    format!("{number:?}")
}

/// What a part of a key is called; `None` for what cannot be written as text.
fn part_text(value: ValueRef<'_>) -> Option<String> {
    match value {
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) if number.is_finite() => Some(real(number)),
        ValueRef::Text(bytes) => std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0')).map(str::to_owned),
        ValueRef::Null | ValueRef::Real(_) | ValueRef::Blob(_) => None,
    }
}

/// Whether a value is what a part of a key says, exactly.
#[expect(clippy::float_cmp, reason = "a key is the same number or another one")]
pub(super) fn is_part(value: ValueRef<'_>, part: &str) -> bool {
    match value {
        ValueRef::Real(number) => {
            part.parse::<i64>().is_err() && part.parse::<f64>().is_ok_and(|asked| asked == number)
        }
        ValueRef::Integer(_) | ValueRef::Text(_) => part_text(value).as_deref() == Some(part),
        ValueRef::Null | ValueRef::Blob(_) => false,
    }
}
