//! Tables of documents and slides.
//!
//! Repair of `office_oxide`: a merged cell shifts the cells after it by a column, and a table in a
//! cell breaks the row. Shown by: `fault_merged_cells_shift_the_columns`, `tests/all/office/flow.rs`.

use office_oxide::ir::{Table, TableRow};

use super::blocks::{Writer, separate};
use crate::markdown;

/// Columns that a cell may span; word processors stop at 63.
const SPAN: u32 = 256;

/// Adds a table. One of a single cell is a frame around its content.
pub(super) fn push(writer: &mut Writer, out: &mut String, table: &Table) {
    if let [TableRow { cells, .. }] = table.rows.as_slice()
        && let [only] = cells.as_slice()
    {
        writer.blocks(out, &only.content);
        return;
    }
    let mut carried: Vec<u32> = Vec::new();
    let mut rows: Vec<Vec<String>> = Vec::new();
    for row in &table.rows {
        let cells = grid_row(writer, row, &mut carried);
        if cells.iter().any(|cell| !cell.is_empty()) {
            rows.push(cells);
        }
    }
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    if columns == 0 {
        return;
    }
    separate(out);
    for (index, row) in rows.iter_mut().enumerate() {
        row.resize(columns, String::new());
        markdown::push_row(out, row);
        if index == 0 {
            markdown::push_rule(out, columns);
        }
    }
    out.pop();
}

/// The cells of a row in their columns: where a cell from above or from the left reaches in, an empty one stands.
fn grid_row(writer: &mut Writer, row: &TableRow, carried: &mut Vec<u32>) -> Vec<String> {
    let mut cells: Vec<String> = Vec::new();
    for cell in &row.cells {
        while take_carried(carried, cells.len()) {
            cells.push(String::new());
        }
        let text = writer.cell(cell);
        let first = cells.len();
        let span = usize::try_from(cell.col_span.clamp(1, SPAN)).unwrap_or(1);
        cells.push(markdown::cell(&text));
        cells.resize(first + span, String::new());
        if carried.len() < cells.len() {
            carried.resize(cells.len(), 0);
        }
        for below in carried.iter_mut().skip(first).take(span) {
            *below = cell.row_span.saturating_sub(1);
        }
    }
    while cells.len() < carried.len() {
        let _ = take_carried(carried, cells.len());
        cells.push(String::new());
    }
    cells
}

fn take_carried(carried: &mut [u32], column: usize) -> bool {
    match carried.get_mut(column) {
        Some(left) if *left > 0 => {
            *left -= 1;
            true
        }
        Some(_) | None => false,
    }
}

/// Whether a line is the one between the head of a table and its rows.
pub(super) fn is_rule(line: &str) -> bool {
    line.starts_with("| ---") && line.chars().all(|sign| matches!(sign, '|' | '-' | ' '))
}

/// A line of a cell; a row of a table inside loses its outer bars.
pub(super) fn inner(line: &str) -> &str {
    let line = line.trim();
    line.strip_prefix("| ").and_then(|rest| rest.strip_suffix(" |")).unwrap_or(line).trim()
}
