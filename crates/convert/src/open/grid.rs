//! The cells of a sheet as tables, and nothing for the emptiness between far ones.

use std::collections::BTreeSet;

use super::styles::letters;
use crate::markdown::{push_row, push_rule};

/// A step of more rows or columns than this ends a table.
const GAP: u32 = 16;
/// A table may have so many places for each cell that has text; a sparser one is a list.
const SPARSE: u64 = 12;
/// A small table is one whatever its places.
const SMALL: u64 = 512;
/// More tables than this beside each other are a list.
const MOST_GROUPS: usize = 8;

/// The cells of a sheet that have text, row by row.
#[derive(Default)]
pub(super) struct Grid {
    text: String,
    cells: Vec<Cell>,
}

/// Where a cell is, from 0, and where its text is.
#[derive(Clone, Copy)]
struct Cell {
    row: u32,
    column: u32,
    start: u32,
    end: u32,
}

impl Grid {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Adds one behind all others.
    pub(super) fn push(&mut self, row: usize, column: usize, text: &str) {
        let place = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let start = place(self.text.len());
        self.text.push_str(text);
        self.cells.push(Cell { row: place(row), column: place(column), start, end: place(self.text.len()) });
    }

    /// The columns and the texts of all from this one on.
    pub(super) fn copy(&self, first: usize) -> Vec<(u32, String)> {
        let cells = self.cells.get(first..).unwrap_or_default();
        cells.iter().map(|cell| (cell.column, self.of(cell).to_owned())).collect()
    }

    fn of(&self, cell: &Cell) -> &str {
        self.text.get(cell.start as usize..cell.end as usize).unwrap_or_default()
    }

    /// All as tables, each under the names of its corners unless it begins where the sheet does. It stops soon after
    /// so many bytes.
    pub(super) fn written(&self, most: usize) -> String {
        let mut out = String::new();
        for block in self.cells.chunk_by(|one, two| two.row - one.row <= GAP) {
            if out.len() > most {
                break;
            }
            let columns: BTreeSet<u32> = block.iter().map(|cell| cell.column).collect();
            let columns: Vec<u32> = columns.into_iter().collect();
            let groups: Vec<&[u32]> = columns.chunk_by(|one, two| two - one <= GAP).collect();
            if groups.len() == 1 {
                self.table(&mut out, block, most);
            } else if groups.len() > MOST_GROUPS {
                self.list(&mut out, block);
            } else {
                for group in groups {
                    let last = group.last().copied().unwrap_or_default();
                    let first = group.first().copied().unwrap_or_default();
                    let inside = block.iter().filter(|cell| (first..=last).contains(&cell.column));
                    self.table(&mut out, &inside.copied().collect::<Vec<_>>(), most);
                }
            }
        }
        out
    }

    fn table(&self, out: &mut String, cells: &[Cell], most: usize) {
        let (Some(head), Some(foot)) = (cells.first(), cells.last()) else { return };
        let left = cells.iter().map(|cell| cell.column).min().unwrap_or_default();
        let right = cells.iter().map(|cell| cell.column).max().unwrap_or_default();
        let places = u64::from(foot.row - head.row + 1) * u64::from(right - left + 1);
        let first = head.row == 0 && left == 0;
        if places > SMALL.max((cells.len() as u64).saturating_mul(SPARSE)) || (places == 1 && !first) {
            return self.list(out, cells);
        }
        if !out.is_empty() {
            out.push('\n');
        }
        if !first {
            out.extend(["**", &name(left, head.row), ":", &name(right, foot.row), "**\n\n"]);
        }
        let width = (right - left) as usize + 1;
        let mut next = head.row;
        for row in cells.chunk_by(|one, two| one.row == two.row) {
            let at = row.first().map_or(next, |cell| cell.row);
            for _ in next..at {
                push_row(out, &vec![""; width]);
            }
            let mut line = vec![""; width];
            for cell in row {
                line.get_mut((cell.column - left) as usize).into_iter().for_each(|place| *place = self.of(cell));
            }
            push_row(out, &line);
            if at == head.row {
                push_rule(out, width);
            }
            next = at.saturating_add(1);
            if out.len() > most {
                return;
            }
        }
    }

    /// Cells that are far from each other, each with its name.
    fn list(&self, out: &mut String, cells: &[Cell]) {
        if !out.is_empty() {
            out.push('\n');
        }
        for row in cells.chunk_by(|one, two| one.row == two.row) {
            out.push_str("- ");
            for (index, cell) in row.iter().enumerate() {
                out.push_str(if index > 0 { "; " } else { "" });
                out.extend([&name(cell.column, cell.row), ": ", self.of(cell)]);
            }
            out.push('\n');
        }
    }
}

/// The name of a cell, such as `B7`.
fn name(column: u32, row: u32) -> String {
    format!("{}{}", letters(column as usize + 1).to_uppercase(), u64::from(row) + 1)
}
