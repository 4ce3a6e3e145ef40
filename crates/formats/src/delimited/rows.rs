//! Rows of delimited text as a table.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use readstone_base::{Budget, Class, Fault, Next, Note};
use readstone_source::{CellAddress, Piece, Shape, Table, TableRow, Take};

use crate::delimited::error::Error;
use crate::delimited::known::Known;
use crate::delimited::marks::Mark;
use crate::delimited::record::{HEAD, MOST_FIELDS, Record};
use crate::delimited::walk::Walk;

/// So many bytes of rows make a page, whatever the limit.
const MOST_BYTES: usize = 3 * 1024 * 1024;
/// So much is read on to count the rows.
const COUNT_BYTES: u64 = 256 * 1024 * 1024;
/// So long, at most.
const COUNT_TIME: Duration = Duration::from_millis(150);

/// Rows of a file.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) piece: Piece,
    pub(super) known: Arc<Known>,
    /// The number of the first, from 1.
    pub(super) first: u64,
    pub(super) limit: u64,
    /// What was seen while they were read.
    pub(super) notes: Mutex<Vec<Note>>,
}

/// Rows that were read, and whether more follow.
struct Gathered {
    records: Vec<Record>,
    more: bool,
    /// Whether the last of them ends within quotes.
    open: bool,
}

impl Rows {
    fn gather(&self, budget: &Budget) -> Result<Gathered, Fault> {
        let (mut walk, ended) = Walk::to(self.first, &self.piece, &self.known, budget)?;
        let mut gathered = Gathered { records: Vec::new(), more: false, open: false };
        let mut weight = 0;
        while ended.is_none() {
            let mut record = Record::new(HEAD);
            match walk.record(&mut record) {
                Ok(false) => break,
                Ok(true) if record.is_too_wide() && gathered.records.is_empty() => {
                    let (path, record) = (self.piece.path.clone(), self.first);
                    return Err(Error::TooWide { path, record, most: MOST_FIELDS }.into());
                }
                // The page ends before what cannot be shown; the next page begins with it.
                Err(fault) if gathered.records.is_empty() || fault.class() == Class::Stopped => return Err(fault),
                Ok(true) if !record.is_too_wide() && (gathered.records.len() as u64) < self.limit => {
                    weight += record.weight();
                    gathered.records.push(record);
                }
                Ok(true) | Err(_) => gathered.more = true,
            }
            gathered.more |= weight > MOST_BYTES;
            if gathered.more {
                self.count(walk.mark(), budget)?;
                break;
            }
        }
        gathered.open = walk.is_open() && !gathered.more;
        Ok(gathered)
    }

    /// Reads on, for a while, to count the rows.
    fn count(&self, from: Mark, budget: &Budget) -> Result<(), Fault> {
        let known = &self.known;
        if known.total().is_some() {
            return Ok(());
        }
        let short = budget.within(COUNT_TIME);
        // Earlier pages may have come further.
        let last = known.marks().last().filter(|last| last.offset > from.offset);
        let from = last.unwrap_or(from);
        let counted = Walk::from(from, &self.piece, known, &short).count(COUNT_BYTES);
        match counted {
            Err(fault) if fault.class() == Class::Stopped => {
                budget.still_wanted().map_err(|why| Error::stopped(why, &self.piece.path))?;
                Ok(())
            }
            // What is damaged further on is said where it is read.
            Ok(()) | Err(_) => Ok(()),
        }
    }

    fn cell(&self, number: u64) -> CellAddress {
        cell_address(&self.piece.path, number)
    }
}

/// How the cells of a row are called.
pub(super) fn cell_address(path: &str, number: u64) -> CellAddress {
    CellAddress { before: format!("{path}?row={number}&column="), behind: String::new() }
}

/// Whether a file changed since it was opened.
pub(super) fn changes(piece: &Piece) -> Option<Note> {
    let now = piece.blob.stamp().ok()?;
    let then = piece.blob.stamp_when_opened().ok()?;
    (now != then).then_some(Note::Changed)
}

impl Table for Rows {
    fn head(&self) -> &[String] {
        &[]
    }

    fn head_rest(&self) -> Option<Next> {
        None
    }

    fn shape(&self) -> Shape {
        Shape::Any
    }

    fn first(&self) -> u64 {
        self.first
    }

    fn pull(&self, take: &mut dyn Take, budget: &Budget) -> Result<bool, Fault> {
        let Gathered { records, more, open } = self.gather(budget)?;
        let notes = changes(&self.piece).into_iter().chain(open.then_some(Note::OpenQuote)).collect();
        *self.notes.lock().unwrap_or_else(PoisonError::into_inner) = notes;
        let widest = records.iter().map(Record::len).max().unwrap_or(0);
        let columns = self.known.columns(widest);
        take.columns(&columns);
        for (record, number) in records.into_iter().zip(self.first..) {
            let row = TableRow { cells: record.into_cells(columns.len()), cell: self.cell(number) };
            if !take.row(&row) {
                return Ok(true);
            }
        }
        Ok(more)
    }

    fn from(&self, number: u64) -> Next {
        Next::read(format!("{}?limit={}&offset={}", self.piece.path, self.limit, number.saturating_sub(1)))
    }

    fn total(&self) -> Option<u64> {
        self.known.total()
    }

    fn notes(&self) -> Vec<Note> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// One row, field by field.
#[derive(Debug)]
pub(super) struct One {
    /// The address of the row.
    pub(super) path: String,
    /// Its number.
    pub(super) number: u64,
    /// The names of its columns.
    pub(super) columns: Vec<String>,
    /// The row.
    pub(super) row: TableRow,
}

impl Table for One {
    fn head(&self) -> &[String] {
        &[]
    }

    fn head_rest(&self) -> Option<Next> {
        None
    }

    fn shape(&self) -> Shape {
        Shape::Record
    }

    fn first(&self) -> u64 {
        self.number
    }

    fn pull(&self, take: &mut dyn Take, _: &Budget) -> Result<bool, Fault> {
        take.columns(&self.columns);
        Ok(!take.row(&self.row))
    }

    fn from(&self, _: u64) -> Next {
        Next::read(self.path.clone())
    }

    fn total(&self) -> Option<u64> {
        None
    }

    fn notes(&self) -> Vec<Note> {
        Vec::new()
    }
}
