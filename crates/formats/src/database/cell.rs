//! One cell: its value, or where it lies when it is too large to be handed over whole.

use rusqlite::Row;
use rusqlite::types::ValueRef;
use serde::{Deserialize, Serialize};

use crate::database::values::whole;

/// The value of a cell.
#[derive(Debug)]
pub(super) enum Cell {
    /// Nothing.
    Nothing,
    /// Text, in UTF-8.
    Text(Vec<u8>),
    /// Bytes, or text that is none.
    Bytes(Vec<u8>),
    /// A value beyond the limit.
    Far(Far),
}

/// Where a value lies.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Far {
    /// The table.
    pub(super) table: String,
    /// The column.
    pub(super) column: String,
    /// The number of the row.
    pub(super) rowid: i64,
    /// How many bytes the value has.
    pub(super) length: u64,
}

/// A value that may be beyond the limit.
#[derive(Debug)]
pub(super) enum Large {
    /// It is not.
    Whole(Cell),
    /// It is; where it lies, where that can be told, and how many bytes it has.
    Beyond(Option<Far>, u64),
}

impl Large {
    /// The value at `index` of a row that was selected with care.
    pub(super) fn of(row: &Row<'_>, index: usize, far: impl FnOnce(u64) -> Option<Far>) -> rusqlite::Result<Self> {
        let (value, kind) = (row.get_ref(3 * index)?, row.get_ref(3 * index + 1)?);
        if value != ValueRef::Null || kind == ValueRef::Text(b"null") {
            return Ok(Self::Whole(whole(value)));
        }
        let length = u64::try_from(row.get::<_, i64>(3 * index + 2)?).unwrap_or(0);
        Ok(Self::Beyond(far(length), length))
    }
}
