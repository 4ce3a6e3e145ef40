//! Values of a table that match.

use readstone_base::{Count, Fault, HitRow, Hits, Kind, Limits, Page, Role, Spot};
use readstone_source::{Body, CellAddress, Content, Fresh, Node, TableRow, Take, Value};

use super::hunt::Hunt;
use super::inside::push_table;
use crate::target::bare;

/// Values longer than what a row hands over that are looked at one by one.
const MOST_LONG: usize = 1_000;

/// A table, and the values in it that match.
#[derive(Debug)]
pub(super) struct TableText {
    /// The address of the table.
    pub(super) address: String,
    hits: Hits,
}

/// Searches a table.
pub(super) fn through(hunt: &mut Hunt<'_>, path: &str) -> Result<(), Fault> {
    let call = hunt.job.call;
    let limits = Limits { query_max_rows: MOST_ROWS, query_rows: MOST_ROWS, ..call.limits.clone() };
    let address = if path.contains('?') { path.to_owned() } else { format!("{path}?limit={MOST_ROWS}") };
    let opening = readstone_source::Opening { limits: &limits, ..call.opening(Fresh::Keep) };
    let node = readstone_source::locate_exactly(call.host, &address, &opening)?;
    let Body::Content(Content::Table(table)) = &node.body else {
        return Ok(());
    };
    let most = call.limits.search_matches;
    let mut taker =
        Taker { hunt, path, columns: Vec::new(), hits: Hits::default(), count: 0, most, long: Vec::new(), left: 0 };
    let more = table.pull(&mut taker, call.budget)?;
    let Taker { mut hits, mut count, long, left, .. } = taker;
    for (cell, column) in long {
        if hunt.is_late() {
            break;
        }
        long_value(hunt, (path, &cell, &column), &mut hits, &mut count);
    }
    hunt.tally().unsearched("long values", left, None);
    if count > 0 {
        hits.matches = if more || left > 0 { Count::AtLeast(count) } else { Count::Exactly(count) };
        push_table(hunt, TableText { address: path.to_owned(), hits });
    }
    Ok(())
}

/// As many rows as SQL can count, with one more.
const MOST_ROWS: u64 = i64::MAX as u64 - 1;

struct Taker<'h, 'a> {
    hunt: &'h mut Hunt<'a>,
    path: &'h str,
    columns: Vec<String>,
    hits: Hits,
    count: u64,
    most: u64,
    /// Values of which only the beginning was handed over and does not match.
    long: Vec<(CellAddress, String)>,
    /// More of these than are looked at.
    left: u64,
}

impl Take for Taker<'_, '_> {
    fn columns(&mut self, names: &[String]) {
        self.columns = names.to_vec();
    }

    fn row(&mut self, row: &TableRow) -> bool {
        for (column, value) in self.columns.iter().zip(&row.cells) {
            let (head, length) = match value {
                Value::Text { head, length } | Value::Bare { head, length } => (head.as_slice(), *length),
                Value::Integer(_) | Value::Real(_) | Value::Null | Value::Blob { .. } => continue,
            };
            let found = find(self.hunt, head);
            if found.is_none() && length > head.len() as u64 {
                if self.long.len() < MOST_LONG {
                    self.long.push((row.cell.clone(), column.clone()));
                } else {
                    self.left += 1;
                }
            }
            let Some(excerpt) = found else { continue };
            self.count += 1;
            if self.count <= self.most {
                push(&mut self.hits, spot(self.path, &row.cell, column), &excerpt);
            }
        }
        true
    }
}

/// The part of a value around its first match.
fn find(hunt: &Hunt<'_>, value: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(value);
    let found = hunt.job.pattern.find(&text)?;
    let most = usize::try_from(hunt.job.call.limits.search_chars).unwrap_or(usize::MAX);
    Some(readstone_search::excerpt(text.as_bytes(), Some(found), most).text)
}

/// What leads to a cell behind the address of its table.
fn spot(path: &str, cell: &CellAddress, column: &str) -> Spot {
    let address = format!("{}{column}{}", cell.before, cell.behind);
    let behind = address.strip_prefix(path).and_then(|rest| rest.strip_prefix(':').or(Some(rest)));
    Spot::Cell(behind.map_or_else(|| address.clone(), str::to_owned))
}

fn push(hits: &mut Hits, spot: Spot, text: &str) {
    hits.rows.push(HitRow { spot, role: Role::Match, text: text.replace(['\n', '\r'], " "), cut: false });
}

/// Looks through the whole of a value.
fn long_value(
    hunt: &mut Hunt<'_>,
    (path, place, column): (&str, &CellAddress, &str),
    hits: &mut Hits,
    count: &mut u64,
) {
    let address = format!("{}{column}{}", place.before, place.behind);
    let call = hunt.job.call;
    let opened = readstone_source::locate_exactly(call.host, &address, &call.opening(Fresh::Keep));
    let text = match &opened {
        Ok(Node { body: Body::Content(Content::Converted(made)), .. }) => Some(made.text.as_slice()),
        Ok(_) | Err(_) => None,
    };
    let Some(text) = text else {
        hunt.tally().unsearched("long values", 1, Some(address));
        return;
    };
    if let Some(excerpt) = find(hunt, text) {
        *count += 1;
        if *count <= call.limits.search_matches {
            push(hits, spot(path, place, column), &excerpt);
        }
    }
}

/// The page of a table.
pub(super) fn page(table: &TableText, most: u64) -> Page {
    let mut hits = table.hits.clone();
    hits.rows.truncate(usize::try_from(most).unwrap_or(usize::MAX));
    Page {
        address: table.address.clone(),
        path: Some(table.address.clone()),
        tool: "search",
        ..bare(Kind::Table, super::page::sheet(hits))
    }
}
