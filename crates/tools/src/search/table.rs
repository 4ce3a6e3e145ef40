//! Values of a table that match.

use readstone_base::{Count, Fault, FoundNote, HitRow, Hits, Kind, Limits, Page, Role, Spot};
use readstone_search::Extent;
use readstone_source::{Body, CellAddress, Content, Fresh, Node, Opening, Shape, Table, TableRow, Take, Value};

use super::Job;
use super::hunt::{Hunt, Thing};
use super::page::Leaf;
use crate::target::bare;

/// Values longer than what a row hands over that are looked at one by one.
const MOST_LONG: usize = 1_000;

/// A table, and the values in it that match.
#[derive(Debug)]
pub(super) struct TableText {
    /// The address of the table.
    pub(super) address: String,
    hits: Hits,
    rows: TableRows,
}

/// Which rows of a table the matches lie in, and how the rest of the table is called.
#[derive(Debug)]
pub(super) struct TableRows {
    /// The number of the row for each match, from 1.
    numbers: Vec<u64>,
    path: String,
    node: Node,
}

impl TableRows {
    /// The address of the rows behind the first matches; a row of which not all matches are shown comes again.
    pub(super) fn behind(&self, shown: usize) -> Option<String> {
        let last = *self.numbers.get(shown.checked_sub(1)?)?;
        let again = self.numbers.get(shown) == Some(&last) && self.numbers.first() != Some(&last);
        let number = if again { last } else { last + 1 };
        let table = table_of(&self.node).filter(|table| table.shape() != Shape::Record)?;
        Some(if self.path.contains('?') {
            table.from(number).argument.replace(&format!("limit={MOST_ROWS}&"), "")
        } else {
            format!("{}?offset={}", self.path, number - 1)
        })
    }
}

fn table_of(node: &Node) -> Option<&dyn Table> {
    match &node.body {
        Body::Content(Content::Table(table)) => Some(&**table),
        Body::Directory(_) | Body::File { .. } | Body::Content(_) => None,
    }
}

/// Searches a table, or the rows of it that its address asks for.
pub(super) fn through(hunt: &mut Hunt<'_>, path: &str, shape: Shape) -> Result<(), Fault> {
    let call = hunt.job.call;
    let limits = Limits { query_max_rows: MOST_ROWS, query_rows: MOST_ROWS, ..call.limits.clone() };
    let opening = Opening { limits: &limits, ..call.opening(Fresh::Keep) };
    let whole = shape != Shape::Record && !path.contains("limit=");
    let plain = whole && !path.contains('?');
    let mut address = if plain { format!("{path}?limit={MOST_ROWS}") } else { path.to_owned() };
    let mut taker = Taker::new(hunt.job, path);
    let node = loop {
        let node = readstone_source::locate_exactly(call.host, &address, &opening)?;
        let Some(table) = table_of(&node) else { return Ok(()) };
        let first = table.first();
        taker.number = first;
        let more = match table.pull(&mut taker, call.budget) {
            Ok(more) => more,
            Err(error) if taker.number == 1 => return Err(error),
            Err(error) => {
                taker.unread = Some(error.to_string());
                break node;
            }
        };
        if !more || !whole {
            break node;
        }
        // A row that is too large ends a page; the next one begins with it.
        if taker.number == first || hunt.is_late() {
            taker.unread = Some(format!("it was read up to row {}", taker.number.saturating_sub(1)));
            break node;
        }
        address = table.from(taker.number).argument;
    };
    finish(hunt, taker, node);
    Ok(())
}

/// As many rows as SQL can count, with one more.
const MOST_ROWS: u64 = i64::MAX as u64 - 1;

/// Looks through what is longer, and notes the table when it holds matches.
fn finish(hunt: &mut Hunt<'_>, mut taker: Taker<'_>, node: Node) {
    for (number, cell, column) in std::mem::take(&mut taker.long) {
        if hunt.is_late() {
            break;
        }
        long_value(hunt, &mut taker, number, (&cell, &column));
    }
    let Taker { path, mut hits, count, left, unread, .. } = taker;
    hunt.tally().unsearched("long values", left, None);
    let all = unread.is_none() && left == 0 && !hunt.is_late();
    if let Some(why) = unread {
        hunt.note(FoundNote::Failed { address: path.to_owned(), why });
    }
    if count == 0 {
        return;
    }
    hits.sort_by_key(|(number, _)| *number);
    let (numbers, rows) = hits.into_iter().unzip();
    let matches = if all { Count::Exactly(count) } else { Count::AtLeast(count) };
    let rows = (Hits { rows, matches }, TableRows { numbers, path: path.to_owned(), node });
    hunt.push(Thing::Table(Box::new(TableText { address: path.to_owned(), hits: rows.0, rows: rows.1 })));
}

struct Taker<'t> {
    job: &'t Job<'t>,
    path: &'t str,
    columns: Vec<String>,
    /// The number of the next row.
    number: u64,
    /// Matches, with the numbers of their rows.
    hits: Vec<(u64, HitRow)>,
    count: u64,
    /// Values of which only the beginning was handed over and does not match.
    long: Vec<(u64, CellAddress, String)>,
    /// More of these than are looked at.
    left: u64,
    /// Why not all rows were read.
    unread: Option<String>,
}

impl<'t> Taker<'t> {
    fn new(job: &'t Job<'t>, path: &'t str) -> Self {
        let (columns, hits, long) = (Vec::new(), Vec::new(), Vec::new());
        Self { job, path, columns, number: 1, hits, count: 0, long, left: 0, unread: None }
    }

    /// Notes a value that matches.
    fn push(&mut self, number: u64, (cell, column): (&CellAddress, &str), text: String) {
        self.count += 1;
        if self.count <= self.job.call.limits.search_matches {
            let spot = spot(self.path, cell, column);
            self.hits.push((number, HitRow { spot, role: Role::Match, text, cut: false }));
        }
    }
}

impl Take for Taker<'_> {
    fn columns(&mut self, names: &[String]) {
        self.columns = names.to_vec();
    }

    fn row(&mut self, row: &TableRow) -> bool {
        let number = self.number;
        self.number += 1;
        for (column, value) in self.columns.clone().iter().zip(&row.cells) {
            let (head, length) = match value {
                Value::Text { head, length } | Value::Bare { head, length } => (head.as_slice(), *length),
                Value::Integer(_) | Value::Real(_) | Value::Null | Value::Blob { .. } => continue,
            };
            if let Some(excerpt) = find(self.job, head) {
                self.push(number, (&row.cell, column), excerpt);
            } else if length > head.len() as u64 && self.long.len() < MOST_LONG {
                self.long.push((number, row.cell.clone(), column.clone()));
            } else if length > head.len() as u64 {
                self.left += 1;
            }
        }
        true
    }
}

/// The part of a value around its first match, in one line.
fn find(job: &Job<'_>, value: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(value);
    let found = job.pattern.find(&text)?;
    let most = usize::try_from(job.call.limits.search_chars).unwrap_or(usize::MAX);
    let shown = readstone_search::excerpt(text.as_bytes(), Some(found), most).text;
    Some(shown.replace("\\x0d", "").replace("\\x0a", "\\n"))
}

/// What leads to a cell behind the address of its table.
fn spot(path: &str, cell: &CellAddress, column: &str) -> Spot {
    let address = format!("{}{column}{}", cell.before, cell.behind);
    let behind = address.strip_prefix(path).and_then(|rest| rest.strip_prefix(':').or(Some(rest)));
    Spot::Cell(behind.map_or_else(|| address.clone(), str::to_owned))
}

/// Looks through the whole of a value.
fn long_value(hunt: &mut Hunt<'_>, taker: &mut Taker<'_>, number: u64, (place, column): (&CellAddress, &str)) {
    let address = format!("{}{column}{}", place.before, place.behind);
    let call = hunt.job.call;
    let opened = readstone_source::locate_exactly(call.host, &address, &call.opening(Fresh::Keep));
    match &opened {
        Ok(Node { body: Body::Content(Content::Converted(made)), .. }) => {
            if let Some(excerpt) = find(hunt.job, &made.text) {
                taker.push(number, (place, column), excerpt);
            }
        }
        Ok(_) | Err(_) => hunt.tally().unsearched("long values", 1, Some(address)),
    }
}

/// The page of a table.
pub(super) fn page(table: TableText, most: u64) -> Leaf {
    let TableText { address, mut hits, rows } = table;
    hits.rows.truncate(usize::try_from(most).unwrap_or(usize::MAX));
    let page = Page {
        address: address.clone(),
        path: Some(address),
        tool: "search",
        ..bare(Kind::Table, super::page::sheet(hits))
    };
    Leaf { page, within: None, rows: Some(rows), extent: Extent::Whole }
}
