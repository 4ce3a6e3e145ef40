//! What a database needs around it, and what its answers are turned into so that they can be compared.

use std::sync::Arc;
use std::time::Duration;

use readstone_base::{Blob, Budget, Clock, Fault, Fixed, Limits, Memory, Note, Span, TreeSize, escape_name};
use readstone_formats::Standard;
use readstone_source::{Alone, Beside, Content, Entered, Formats, Opening, Piece, Shape, Table, TableRow, Take, Value};

/// A clock that goes.
#[derive(Debug)]
pub(crate) struct Going(std::time::Instant);

impl Clock for Going {
    fn wall(&self) -> i64 {
        1_700_000_000
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Files beside a database.
pub(crate) struct Neighbours(pub(crate) Vec<(&'static str, Vec<u8>)>);

impl Beside for Neighbours {
    fn open(&self, suffix: &str) -> Result<Option<Arc<dyn Blob>>, Fault> {
        let found = self.0.iter().find(|(name, _)| *name == suffix);
        Ok(found.map(|(_, bytes)| Arc::new(Memory::new(bytes.clone())) as Arc<dyn Blob>))
    }
}

/// A database under test.
pub(crate) struct Stand {
    pub(crate) piece: Piece,
    pub(crate) limits: Limits,
    pub(crate) budget: Budget,
}

/// What an address led to.
#[derive(Debug, PartialEq)]
pub(crate) enum Seen {
    Tables(Vec<(String, String)>, Option<String>),
    Rows(Box<Page>),
    Cell { bytes: Vec<u8>, path: String, rest: Option<String> },
    Itself,
    Failed { code: &'static str, text: String, next: Vec<String> },
}

/// Rows that were read.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Page {
    pub(crate) head: Vec<String>,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
    pub(crate) cells: Vec<String>,
    pub(crate) record: bool,
    pub(crate) next: Option<String>,
    pub(crate) total: Option<u64>,
    pub(crate) notes: Vec<Note>,
}

/// A database made by these statements.
pub(crate) fn made(sql: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("made.db");
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch(sql).unwrap();
    connection.close().unwrap();
    std::fs::read(path).unwrap()
}

pub(crate) fn going() -> Budget {
    Budget::new(Arc::new(Going(std::time::Instant::now())), Some(Duration::from_secs(20)))
}

impl Stand {
    pub(crate) fn new(sql: &str) -> Self {
        Self::of(Arc::new(Memory::new(made(sql))))
    }

    pub(crate) fn of(blob: Arc<dyn Blob>) -> Self {
        let (path, name) = ("d.db".to_owned(), "d.db".to_owned());
        let piece = Piece { blob, path, name, stamp: None, beside: Arc::new(Alone) };
        let budget = Budget::new(Arc::new(Fixed(1_700_000_000)), None);
        Self { piece, limits: Limits::default(), budget }
    }

    pub(crate) fn beside(mut self, files: Vec<(&'static str, Vec<u8>)>) -> Self {
        self.piece.beside = Arc::new(Neighbours(files));
        self
    }

    pub(crate) fn enter(&self, tail: Option<&str>) -> Result<Entered, Fault> {
        let works: std::sync::Arc<dyn readstone_base::Workshop> = std::sync::Arc::new(readstone_formats::InPlace);
        let opening = Opening::bare(&self.limits, &self.budget, &works);
        Standard.container(&self.piece, tail, &opening)?.expect("a database").enter(tail, &opening)
    }

    /// Follows an address that begins with the path of the database.
    pub(crate) fn follow(&self, address: &str) -> Seen {
        let tail = address.strip_prefix("d.db").expect("an address of this database");
        self.see(if tail.is_empty() { None } else { Some(tail.strip_prefix(':').unwrap_or(tail)) })
    }

    pub(crate) fn see(&self, tail: Option<&str>) -> Seen {
        let entered = self.enter(tail);
        match entered.and_then(|entered| self.seen(entered)) {
            Ok(seen) => seen,
            Err(fault) => Seen::Failed {
                code: fault.code(),
                text: fault.to_string(),
                next: fault.next().into_iter().map(|next| next.argument).collect(),
            },
        }
    }

    fn seen(&self, entered: Entered) -> Result<Seen, Fault> {
        match entered {
            Entered::Itself => Ok(Seen::Itself),
            Entered::Piece { piece, rest, .. } => {
                let bytes = piece.blob.read_range(0, piece.blob.len().unwrap()).unwrap();
                Ok(Seen::Cell { bytes, path: piece.path, rest })
            }
            Entered::Content(reached) => match reached.content {
                Content::Listing(listing) => {
                    let rows = listing.rows(Span::new(1, listing.total().unwrap().max(1)), &self.budget)?;
                    let rows = rows.into_iter().map(|row| (row.name, size(&row.size))).collect();
                    Ok(Seen::Tables(rows, reached.rest))
                }
                Content::Table(table) => {
                    let mut page = self.page(table.as_ref())?;
                    page.notes.extend(reached.notes);
                    Ok(Seen::Rows(Box::new(page)))
                }
                Content::Converted(made) => {
                    let (bytes, path, rest) = (made.text.to_vec(), reached.path, reached.rest);
                    Ok(Seen::Cell { bytes, path, rest })
                }
                Content::Document(_) | Content::Picture => panic!("no part of a database"),
            },
        }
    }

    fn page(&self, table: &dyn Table) -> Result<Page, Fault> {
        let mut page = Page { head: table.head().to_vec(), record: table.shape() == Shape::Record, ..Page::default() };
        let more = table.pull(&mut Taking(&mut page), &self.budget)?;
        page.next = more.then(|| table.from(table.first() + page.rows.len() as u64).argument);
        page.total = table.total();
        page.notes = table.notes();
        Ok(page)
    }

    /// The page of an address that leads to rows.
    pub(crate) fn rows(&self, tail: &str) -> Page {
        match self.see(Some(tail)) {
            Seen::Rows(page) => *page,
            other => panic!("{tail} led to {other:?}"),
        }
    }

    /// The bytes of an address that leads to a cell.
    pub(crate) fn cell(&self, tail: &str) -> Vec<u8> {
        match self.see(Some(tail)) {
            Seen::Cell { bytes, .. } => bytes,
            other => panic!("{tail} led to {other:?}"),
        }
    }

    /// The code and the words of an address that leads nowhere.
    pub(crate) fn fails(&self, tail: &str) -> (&'static str, String) {
        match self.see(Some(tail)) {
            Seen::Failed { code, text, .. } => (code, text),
            other => panic!("{tail} led to {other:?}"),
        }
    }
}

struct Taking<'a>(&'a mut Page);

impl Take for Taking<'_> {
    fn columns(&mut self, names: &[String]) {
        self.0.columns = names.to_vec();
    }

    fn row(&mut self, row: &TableRow) -> bool {
        self.0.rows.push(row.cells.iter().map(text).collect());
        let name = self.0.columns.last().map(|name| escape_name(name.as_ref())).unwrap_or_default();
        self.0.cells.push(format!("{}{name}{}", row.cell.before, row.cell.behind));
        true
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => format!("real {number:?}"),
        Value::Text { head, length } if head.len() as u64 == *length => {
            format!("'{}'", head.escape_ascii())
        }
        Value::Text { head, length } | Value::Bare { head, length } => format!("text {} of {length}", head.len()),
        Value::Blob { head, length } if head.len() as u64 == *length => format!("x'{}'", head.escape_ascii()),
        Value::Blob { head, length } => format!("blob {} of {length}", head.len()),
    }
}

fn size(size: &TreeSize) -> String {
    match size {
        TreeSize::Rows(count) => count.to_string(),
        TreeSize::AtLeast(count) => format!("at least {count}"),
        TreeSize::Uncounted(why) => (*why).to_owned(),
        TreeSize::View => "view".to_owned(),
        other => panic!("{other:?}"),
    }
}
