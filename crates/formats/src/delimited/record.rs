//! One record, of which only the beginnings of its fields are kept.

use readstone_source::Value;

use crate::delimited::machine::{Go, Sink};

/// Fields of a record; what has more is no table.
pub(super) const MOST_FIELDS: usize = 16_384;
/// Bytes of a field that are kept when rows stand side by side.
pub(super) const HEAD: usize = 4 * 1024;
/// Bytes of a field that are kept when one row is shown.
pub(super) const RECORD_HEAD: usize = 64 * 1024;
/// Once so much of a record is kept, its further fields are kept in few bytes.
const MOST_KEPT: usize = 512 * 1024;
/// Few bytes.
const FEW: usize = 64;

/// One record.
#[derive(Debug)]
pub(super) struct Record {
    fields: Vec<(Vec<u8>, u64)>,
    head: Vec<u8>,
    length: u64,
    most: usize,
    kept: usize,
    beyond: usize,
}

impl Record {
    /// An empty record that keeps so many bytes of each field.
    pub(super) fn new(most: usize) -> Self {
        Self { fields: Vec::new(), head: Vec::new(), length: 0, most, kept: 0, beyond: 0 }
    }

    /// How many fields it has.
    pub(super) fn len(&self) -> usize {
        self.fields.len()
    }

    /// Whether it has more fields than are kept.
    pub(super) fn is_too_wide(&self) -> bool {
        self.beyond > 0
    }

    /// The beginnings of its fields.
    pub(super) fn heads(&self) -> impl Iterator<Item = &[u8]> {
        self.fields.iter().map(|(head, _)| head.as_slice())
    }

    /// How much memory it takes.
    pub(super) fn weight(&self) -> usize {
        self.kept + self.fields.len() * size_of::<Value>()
    }

    /// Its values in so many columns; what is missing at its end is nothing.
    pub(super) fn into_cells(self, width: usize) -> Vec<Value> {
        let mut cells: Vec<Value> =
            self.fields.into_iter().map(|(head, length)| Value::Bare { head, length }).collect();
        cells.resize(width.max(cells.len()), Value::Null);
        cells
    }
}

impl Sink for Record {
    fn text(&mut self, part: &[u8]) -> Go {
        let most = if self.kept > MOST_KEPT { FEW.min(self.most) } else { self.most };
        let room = most.saturating_sub(self.head.len());
        self.head.extend_from_slice(part.get(..room).unwrap_or(part));
        self.length += part.len() as u64;
        Go::On
    }

    fn field(&mut self) -> Go {
        let field = (std::mem::take(&mut self.head), std::mem::take(&mut self.length));
        if self.fields.len() == MOST_FIELDS {
            self.beyond += 1;
        } else {
            self.kept += field.0.len();
            self.fields.push(field);
        }
        Go::On
    }

    fn record(&mut self) -> Go {
        Go::Stop
    }
}
