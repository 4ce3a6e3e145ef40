//! Rows of a table: side by side where they fit, else field by field.

use std::ffi::OsStr;

use readstone_base::{Block, Coverage, Fault, Field, Grid, Note, Record, Span, Unit, Visible, escape_name};
use readstone_source::{Shape, Table, TableRow, Take};

use crate::room::{Ask, Left};
use crate::text::Sheet;
use crate::value::{in_cell, in_lines};

/// Bytes of values that are gathered for one page.
const MOST_BYTES: usize = 2 * 1024 * 1024;
/// Characters of a field where several rows are shown field by field, in widths of a cell.
const FIELD_CELLS: u64 = 5;

/// Takes rows until there are enough for a page.
#[derive(Debug)]
struct Gather {
    /// The names by which columns are addressed.
    names: Vec<String>,
    /// The names as they are shown.
    columns: Vec<String>,
    rows: Vec<TableRow>,
    bytes: usize,
    most: u64,
    /// Characters of a name.
    width: usize,
}

impl Take for Gather {
    fn columns(&mut self, names: &[String]) {
        self.names = names.iter().map(|name| escape_name(OsStr::new(name))).collect();
        self.columns = self.names.iter().map(|name| shortened(name, self.width)).collect();
    }

    fn row(&mut self, row: &TableRow) -> bool {
        if self.rows.len() as u64 >= self.most || self.bytes > MOST_BYTES {
            return false;
        }
        self.bytes += row.cells.iter().map(|value| in_cell(value, 1).text.len() + size_of_val(value)).sum::<usize>();
        self.bytes += row.cells.iter().map(held).sum::<usize>();
        self.rows.push(row.clone());
        true
    }
}

fn held(value: &readstone_source::Value) -> usize {
    use readstone_source::Value;
    match value {
        Value::Text { head, .. } | Value::Bare { head, .. } | Value::Blob { head, .. } => head.len(),
        Value::Null | Value::Integer(_) | Value::Real(_) => 0,
    }
}

/// Shows rows of a table.
pub fn table(table: &dyn Table, ask: &Ask<'_>) -> Result<Sheet, Fault> {
    let limits = ask.limits;
    let most = ask.room.lines.map_or(limits.page_lines, |lines| lines.min(limits.page_lines)).max(1);
    let width = usize::try_from(limits.cell_width).unwrap_or(usize::MAX);
    let mut gather = Gather { names: Vec::new(), columns: Vec::new(), rows: Vec::new(), bytes: 0, most, width };
    let more = table.pull(&mut gather, ask.budget)?;
    let mut left = Left::new((most, "max_lines"), (limits.page_bytes, "page_bytes"), ask.room);
    let mut sheet = Sheet::default();
    let head = head(table, limits.page_bytes / 2, &mut left);
    sheet.notes.extend(head.note);
    if !head.lines.is_empty() {
        sheet.blocks.push(Block::Head(head.lines));
    }
    let grid = (table.shape() == Shape::Any).then(|| grid(&gather, ask)).flatten();
    let mut page = Fill { left, cut_by: None, shown: 0, cuts: Vec::new() };
    match grid {
        Some(whole) => sheet.blocks.push(Block::Grid(page.grid(whole, &gather))),
        None if gather.columns.is_empty() => {}
        None => sheet.blocks.push(Block::Records(page.records(table, &gather, ask))),
    }
    let behind = if more { Behind::Rows } else { Behind::Nothing };
    Ok(finish(table, sheet, page, behind))
}

/// Whether rows follow those that were gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behind {
    Rows,
    Nothing,
}

fn finish(table: &dyn Table, mut sheet: Sheet, page: Fill, behind: Behind) -> Sheet {
    let first = table.first();
    let mut coverage = Coverage { unit: Unit::Rows, ..Coverage::default() };
    coverage.total.rows = table.total();
    let next = first + page.shown;
    let record = table.shape() == Shape::Record;
    if page.shown > 0 && !record {
        coverage.shown = vec![Span::new(first, next - 1)];
    }
    coverage.cut_by = page.cut_by;
    if (behind == Behind::Rows || page.cut_by.is_some()) && !record {
        coverage.next = Some(table.from(next));
    }
    coverage.complete = coverage.next.is_none() && first == 1;
    let said = table.notes();
    if page.shown == 0 && first > 1 {
        sheet.notes.push(Note::PastEnd { asked: first });
    } else if page.shown == 0 && !said.iter().any(|note| matches!(note, Note::NoSample { .. })) {
        sheet.notes.push(Note::NoRows);
    }
    sheet.notes.extend(said);
    let count = page.cuts.len() as u64;
    if let Some(address) = page.cuts.into_iter().next() {
        sheet.notes.push(Note::CutCells { count, address });
    }
    Sheet { coverage, ..sheet }
}

/// A page that is being filled with rows.
#[derive(Debug)]
struct Fill {
    left: Left,
    cut_by: Option<&'static str>,
    shown: u64,
    /// The addresses of cells that are not whole.
    cuts: Vec<String>,
}

/// All rows side by side; `None` when they are too wide for that.
fn grid(gather: &Gather, ask: &Ask<'_>) -> Option<Vec<Vec<(String, bool)>>> {
    let limits = ask.limits;
    let most = usize::try_from(limits.cell_width).unwrap_or(usize::MAX);
    if gather.columns.is_empty() {
        return None;
    }
    let mut widths: Vec<usize> = gather.columns.iter().map(|name| name.chars().count()).collect();
    let mut rows = Vec::with_capacity(gather.rows.len());
    for row in &gather.rows {
        let shown: Vec<(String, bool)> =
            row.cells.iter().map(|value| in_cell(value, most)).map(|shown| (shown.text, shown.left > 0)).collect();
        for (width, (text, _)) in widths.iter_mut().zip(&shown) {
            *width = (*width).max(text.chars().count());
        }
        rows.push(shown);
    }
    let width = widths.iter().sum::<usize>() + 3 * widths.len() + 1;
    (width as u64 <= limits.table_width).then_some(rows)
}

impl Fill {
    fn grid(&mut self, rows: Vec<Vec<(String, bool)>>, gather: &Gather) -> Grid {
        let mut grid = Grid { columns: gather.columns.clone(), rows: Vec::new() };
        self.left.take(3 * grid.columns.len(), &grid.columns.concat());
        for (row, source) in rows.into_iter().zip(&gather.rows) {
            let text: String = row.iter().map(|(text, _)| text.as_str()).collect();
            if !self.takes(3 * row.len(), &text) {
                break;
            }
            for ((_, cut), name) in row.iter().zip(&gather.names) {
                if *cut {
                    self.cuts.push(address_of(source, name));
                }
            }
            grid.rows.push(row.into_iter().map(|(text, _)| text).collect());
        }
        grid
    }

    fn records(&mut self, table: &dyn Table, gather: &Gather, ask: &Ask<'_>) -> Vec<Record> {
        let alone = table.shape() == Shape::Record;
        let widest = if alone { ask.limits.line_chars } else { ask.limits.cell_width * FIELD_CELLS };
        let mut records = Vec::new();
        for (row, number) in gather.rows.iter().zip(table.first()..) {
            let mut most = usize::try_from(widest).unwrap_or(usize::MAX);
            let (mut fields, mut cuts) = fields(row, gather, most);
            let mut size = weight(&fields);
            // The first row is always shown, with less of its values if need be.
            while self.shown == 0 && most > 8 && self.left.fits(0, &size).is_err() {
                most /= 4;
                (fields, cuts) = self::fields(row, gather, most.max(8));
                size = weight(&fields);
            }
            // A row with too many columns even so is shown as far as it fits; the others are left to their addresses.
            while self.shown == 0 && fields.len() > 1 && self.left.fits(0, &size).is_err() {
                fields.truncate(fields.len() * 3 / 4);
                cuts = gather.names.iter().skip(fields.len()).map(|name| address_of(row, name)).collect();
                size = weight(&fields);
            }
            if !self.takes(8, &size) {
                break;
            }
            self.cuts.extend(cuts);
            records.push(Record { number: (!alone).then_some(number), fields });
        }
        records
    }

    /// Whether a row of this text fits; the first always does.
    fn takes(&mut self, beside: usize, text: &str) -> bool {
        let fits = self.left.line().and_then(|()| self.left.fits(beside, text));
        if let (Err(limit), true) = (fits, self.shown > 0) {
            self.cut_by = Some(limit);
            return false;
        }
        self.left.take(beside, text);
        self.left.take_line();
        self.shown += 1;
        true
    }
}

/// The lines above the rows, as far as they fit.
struct HeadLines {
    lines: Vec<String>,
    note: Option<Note>,
}

/// At most half a page is for the lines above the rows.
fn head(table: &dyn Table, most: u64, left: &mut Left) -> HeadLines {
    let mut lines = Vec::new();
    let (mut room, mut cut) = (most, 0);
    for line in table.head() {
        let line = Visible::of(line).text;
        let fits = cut == 0 && line.len() as u64 <= room && left.fits(2, &line).is_ok();
        if fits {
            left.take(2, &line);
            room -= line.len() as u64;
            lines.push(line.into_owned());
            continue;
        }
        let shown: String =
            if cut == 0 && lines.is_empty() { line.chars().take(BEGINNING).collect() } else { String::new() };
        cut += (line.len() - shown.len()) as u64;
        if !shown.is_empty() {
            left.take(2, &shown);
            lines.push(format!("{shown}…"));
        }
    }
    let address = table.head_rest().map(|next| next.argument);
    HeadLines { lines, note: (cut > 0).then_some(Note::CutHead { left: cut, address }) }
}

/// Characters shown of a statement that fits no page.
const BEGINNING: usize = 200;

/// A name, cut where it is long.
fn shortened(name: &str, most: usize) -> String {
    if name.chars().nth(most).is_none() {
        return name.to_owned();
    }
    name.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

fn fields(row: &TableRow, gather: &Gather, most: usize) -> (Vec<Field>, Vec<String>) {
    let mut cuts = Vec::new();
    let cells = gather.columns.iter().zip(&gather.names).zip(&row.cells);
    let fields = cells.map(|((shown, name), value)| {
        let (lines, left) = in_lines(value, most);
        if left > 0 {
            cuts.push(address_of(row, name));
        }
        Field { name: shown.clone(), lines }
    });
    (fields.collect(), cuts)
}

/// What fields take, as text of that size.
fn weight(fields: &[Field]) -> String {
    let mut text = String::new();
    for field in fields {
        text.push_str(&field.name);
        text.push_str("    ");
        for line in &field.lines {
            text.push_str(line);
            text.push_str("   ");
        }
    }
    text
}

fn address_of(row: &TableRow, column: &str) -> String {
    format!("{}{column}{}", row.cell.before, row.cell.behind)
}
