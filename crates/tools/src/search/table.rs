//! Values of a table that match.

use std::ops::Range;

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
    // All rows come in one go: each page of a query would run the query again.
    let query = path.contains("?q=");
    let limits = Limits { query_rows: MOST_ROWS, query_max_rows: MOST_ROWS, ..call.limits.clone() };
    let opening = Opening { limits: &limits, ..call.opening(Fresh::Keep) };
    let whole = shape != Shape::Record && (query || !path.contains("limit="));
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
    let Taker { path, mut hits, count, left, blobs, blob, unread, .. } = taker;
    hunt.tally().unsearched("long values", left, None);
    hunt.tally().unsearched("blobs", blobs, blob);
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
    /// Values that are bytes and no text, in which nothing is searched.
    blobs: u64,
    /// The address of the first of them.
    blob: Option<String>,
    /// Why not all rows were read.
    unread: Option<String>,
}

impl<'t> Taker<'t> {
    fn new(job: &'t Job<'t>, path: &'t str) -> Self {
        let (columns, hits, long) = (Vec::new(), Vec::new(), Vec::new());
        Self { job, path, columns, number: 1, hits, count: 0, long, left: 0, blobs: 0, blob: None, unread: None }
    }

    /// Looks whether a text matches, and notes it when it does.
    fn look(&mut self, number: u64, place: Place<'_>, text: &[u8]) -> Look {
        let text = String::from_utf8_lossy(text);
        let Some(found) = self.job.pattern.find(&text) else { return Look::NoMatch };
        self.count += 1;
        if self.count <= self.job.call.limits.search_matches {
            let text = excerpt(self.job, &text, found);
            let spot = spot(self.path, place);
            self.hits.push((number, HitRow { spot, role: Role::Match, text, cut: false }));
        }
        Look::Match
    }

    /// Looks at a text of which perhaps only the beginning is there.
    fn text(&mut self, number: u64, place: Place<'_>, (head, length): (&[u8], u64)) {
        if self.look(number, place, head) == Look::Match || length <= head.len() as u64 {
            return;
        }
        if self.long.len() < MOST_LONG {
            self.long.push((number, place.0.clone(), place.1.to_owned()));
        } else {
            self.left += 1;
        }
    }
}

/// How the cells of a row are called, and a column.
type Place<'p> = (&'p CellAddress, &'p str);

/// Whether a value matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Match,
    NoMatch,
}

impl Take for Taker<'_> {
    fn columns(&mut self, names: &[String]) {
        self.columns = names.to_vec();
    }

    fn row(&mut self, row: &TableRow) -> bool {
        let number = self.number;
        self.number += 1;
        let columns = std::mem::take(&mut self.columns);
        let mut shown = String::new();
        for (column, value) in columns.iter().zip(&row.cells) {
            let place = (&row.cell, column.as_str());
            match value {
                Value::Text { head, length } | Value::Bare { head, length } => {
                    self.text(number, place, (head, *length));
                }
                // A number matches as it is shown.
                Value::Integer(_) | Value::Real(_) => {
                    shown.clear();
                    readstone_view::push_number(&mut shown, value);
                    self.look(number, place, shown.as_bytes());
                }
                Value::Blob { .. } => {
                    self.blobs += 1;
                    self.blob.get_or_insert_with(|| address(place));
                }
                Value::Null => {}
            }
        }
        self.columns = columns;
        true
    }
}

/// The part of a value around its first match, in one line.
fn excerpt(job: &Job<'_>, text: &str, found: Range<usize>) -> String {
    let most = usize::try_from(job.call.limits.search_chars).unwrap_or(usize::MAX);
    let shown = readstone_search::excerpt(text.as_bytes(), Some(found), most).text;
    shown.replace("\\x0d", "").replace("\\x0a", "\\n")
}

/// The address of a cell.
fn address((cell, column): Place<'_>) -> String {
    format!("{}{column}{}", cell.before, cell.behind)
}

/// What leads to a cell behind the address of its table.
fn spot(path: &str, place: Place<'_>) -> Spot {
    let address = address(place);
    let behind = address.strip_prefix(path).and_then(|rest| rest.strip_prefix(':').or(Some(rest)));
    Spot::Cell(behind.map_or_else(|| address.clone(), str::to_owned))
}

/// Looks through the whole of a value.
fn long_value(hunt: &mut Hunt<'_>, taker: &mut Taker<'_>, number: u64, place: Place<'_>) {
    let address = address(place);
    let call = hunt.job.call;
    let opened = readstone_source::locate_exactly(call.host, &address, &call.opening(Fresh::Keep));
    match &opened {
        Ok(Node { body: Body::Content(Content::Converted(made)), .. }) => {
            taker.look(number, place, &made.text);
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
