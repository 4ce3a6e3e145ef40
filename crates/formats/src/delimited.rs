//! Rows of delimited text, such as CSV: `data.csv?limit=20&offset=40` is a table, the file itself stays text.
//!
//! Rows are found in one pass over the file that keeps no more than the beginnings of the fields on a page; where they
//! are is remembered in coarse steps, so that later pages begin near their first row.

mod cell;
mod error;
mod known;
mod machine;
mod marks;
mod params;
mod record;
mod rows;
mod walk;

use std::sync::{Arc, Mutex};

use readstone_address::cuts;
use readstone_base::{Fault, Kind, Note};
use readstone_source::{Alone, Container, Content, Converted, Entered, Opening, Piece, Reached, TableRow};

use cell::{Far, Field};
use error::Error;
use known::Known;
use params::Asked;
use record::{MOST_FIELDS, RECORD_HEAD, Record};
use rows::{One, Rows, cell_address, changes};
use walk::Walk;

/// The endings of names of files that hold rows.
const EXTENSIONS: [&str; 4] = ["csv", "tsv", "tab", "psv"];

/// A piece with the name of a file of rows, when it is asked for as such.
pub(crate) fn container(piece: &Piece, tail: Option<&str>) -> Option<Arc<dyn Container>> {
    let (_, extension) = piece.name.rsplit_once('.')?;
    let is_rows = EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known));
    (is_rows && tail?.starts_with('?')).then(|| Arc::new(Delimited { piece: piece.clone() }) as Arc<dyn Container>)
}

/// A file of rows.
#[derive(Debug)]
struct Delimited {
    piece: Piece,
}

impl Container for Delimited {
    fn enter(&self, tail: Option<&str>, opening: &Opening<'_>) -> Result<Entered, Fault> {
        let Some(query) = tail.and_then(|tail| tail.strip_prefix('?')) else { return Ok(Entered::Itself) };
        let asked = params::parse(query);
        let next = self.page(opening.limits.query_rows, 0);
        let asked = asked.map_err(|words| Error::BadQuery { words, next })?;
        let known = Known::load(&self.piece, opening)?;
        let entered = match asked {
            Asked::Rows(limit, offset) => self.rows(known, (limit, offset), opening),
            Asked::Row(row) => self.row(&known, row, opening)?,
            Asked::Cell(row, column) => self.cell(&known, row, &column, opening)?,
        };
        Ok(entered)
    }
}

impl Delimited {
    fn rows(&self, known: Arc<Known>, (limit, offset): (Option<u64>, u64), opening: &Opening<'_>) -> Entered {
        let wanted = limit.unwrap_or(opening.limits.query_rows);
        let limit = wanted.min(opening.limits.query_max_rows);
        let mut notes = encoding(&known);
        if wanted > limit {
            notes.push(Note::Clamped { limit: "query_max_rows", value: limit });
        }
        let first = offset.saturating_add(1);
        let rows = Rows { piece: self.piece.clone(), known, first, limit, notes: Mutex::default() };
        reached(Content::Table(Box::new(rows)), self.page(limit, offset), None, notes)
    }

    fn row(&self, known: &Arc<Known>, number: u64, opening: &Opening<'_>) -> Result<Entered, Fault> {
        let mut record = Record::new(RECORD_HEAD);
        let (mut walk, ended) = Walk::to(number, &self.piece, known, opening.budget)?;
        if ended.is_some() || !walk.record(&mut record)? {
            return Err(self.no_row(number, walk.records(), opening).into());
        }
        let path = format!("{}?row={number}", self.piece.path);
        if record.is_too_wide() {
            let (path, record) = (self.piece.path.clone(), number);
            return Err(Error::TooWide { path, record, most: MOST_FIELDS }.into());
        }
        let columns = known.columns(record.len());
        let row = TableRow { cells: record.into_cells(columns.len()), cell: cell_address(&self.piece.path, number) };
        let mut notes = encoding(known);
        notes.extend(changes(&self.piece));
        let one = One { path: path.clone(), number, columns, row };
        Ok(reached(Content::Table(Box::new(one)), path, None, notes))
    }

    fn cell(&self, known: &Arc<Known>, number: u64, column: &str, opening: &Opening<'_>) -> Result<Entered, Fault> {
        let found = cuts(column).find_map(|(name, rest)| known.column(name).map(|index| (name, index, rest)));
        let Some((name, index, rest)) = found else { return Err(self.no_column(known, number, column).into()) };
        let (mut walk, ended) = Walk::to(number, &self.piece, known, opening.budget)?;
        let at = (walk.mark(), number - walk.mark().records);
        let mut field = Field::new(index, opening.limits.value_bytes);
        if ended.is_some() || !walk.record(&mut field)? {
            return Err(self.no_row(number, walk.records(), opening).into());
        }
        if !field.is_there() && index >= known.columns.len() {
            return Err(self.no_column(known, number, column).into());
        }
        let path = format!("{}?row={number}&column={name}", self.piece.path);
        let rest = rest.map(str::to_owned);
        let mut notes = encoding(known);
        notes.extend(changes(&self.piece));
        if !field.is_there() {
            notes.push(Note::IsNull);
        }
        if field.length == field.bytes.len() as u64 {
            return Ok(reached(text(field.bytes), path, rest, notes));
        }
        drop(field);
        let blob = Arc::new(Far::find(&self.piece, known, at, index, opening.budget)?);
        let stamp = self.piece.stamp.map(|stamp| stamp.part(path.as_bytes()));
        let piece = Piece { blob, path, name: "cell.txt".to_owned(), stamp, beside: Arc::new(Alone) };
        Ok(Entered::Piece { piece, rest, notes })
    }

    /// The address of a page.
    fn page(&self, limit: u64, offset: u64) -> String {
        format!("{}?limit={limit}&offset={offset}", self.piece.path)
    }

    fn no_column(&self, known: &Known, row: u64, column: &str) -> Error {
        let (path, next) = (self.piece.path.clone(), format!("{}?row={row}", self.piece.path));
        Error::NoColumn { path, column: column.to_owned(), columns: known.columns.clone(), next }
    }

    fn no_row(&self, row: u64, records: u64, opening: &Opening<'_>) -> Error {
        let (total, limit) = (records.saturating_sub(1), opening.limits.query_rows);
        let next = self.page(limit, total.saturating_sub(limit));
        Error::NoRow { path: self.piece.path.clone(), row, total, next }
    }
}

fn encoding(known: &Known) -> Vec<Note> {
    let name = known.coding.name();
    if name == "utf-8" { Vec::new() } else { vec![Note::Encoding(name)] }
}

fn text(bytes: Vec<u8>) -> Content {
    Content::Converted(Converted { kind: Kind::Text, text: Arc::new(bytes), original: None, convert: |_, _| None })
}

fn reached(content: Content, path: String, rest: Option<String>, notes: Vec<Note>) -> Entered {
    Entered::Content(Box::new(Reached { content, path, rest, notes, images: Vec::new() }))
}
