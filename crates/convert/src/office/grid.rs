//! The cells of a sheet as tables: a line for each row, and nothing for the emptiness between far cells.
//!
//! Repair of `office_oxide`: far cells make one table with all the empty cells between them. Shown
//! by: `fault_far_cells_make_a_table_of_everything_between`, `tests/all/office/sheets.rs`.

use std::fmt::Write as _;

use crate::markdown;

/// Empty rows or columns in a row after which a table ends.
const GAP: u32 = 16;
/// A table may have so many places for each cell that is filled; a sparser one is shown as a list.
const SPARSE: u64 = 12;
/// A small table is shown whatever its places.
const SMALL: u64 = 512;
/// Rows of tables up to this width are all as long; those of wider ones end with their last cell.
const EVEN: usize = 64;
/// More groups of columns than this are shown as a list.
const GROUPS: usize = 8;

/// The rows that a workbook stores of a sheet, in any order.
pub(super) trait Rows {
    /// How many there are.
    fn len(&self) -> usize;
    /// Where the filled cells of a stored row are, if it has any.
    fn extent(&self, index: usize) -> Option<Extent>;
    /// Tells the columns of the filled cells of a stored row.
    fn columns(&self, index: usize, tell: &mut dyn FnMut(u32));
    /// Adds the filled cells of a stored row.
    fn cells(&self, index: usize, line: &mut Line);
}

/// Where the filled cells of a stored row are.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// The row, from 0.
    pub(super) row: u32,
    /// The first column, from 0.
    pub(super) first: u32,
    /// The last column.
    pub(super) last: u32,
    /// How many cells are filled.
    pub(super) filled: u32,
}

/// The texts of the cells of one row.
#[derive(Default)]
pub(super) struct Line {
    text: String,
    cells: Vec<(u32, usize, usize)>,
}

impl Line {
    /// Adds a cell whose text `write` adds.
    pub(super) fn cell(&mut self, column: u32, write: impl FnOnce(&mut String)) {
        let start = self.text.len();
        write(&mut self.text);
        self.cells.push((column, start, self.text.len()));
    }

    fn read(&mut self, rows: &dyn Rows, index: usize) {
        self.text.clear();
        self.cells.clear();
        rows.cells(index, self);
        if !self.cells.is_sorted_by_key(|cell| cell.0) {
            self.cells.sort_by_key(|cell| cell.0);
        }
        // Of two cells that claim one place the first counts.
        self.cells.dedup_by_key(|cell| cell.0);
    }

    fn within(&self, first: u32, last: u32) -> impl Iterator<Item = (u32, &str)> {
        self.cells
            .iter()
            .filter(move |cell| cell.0 >= first && cell.0 <= last)
            .map(|&(column, start, end)| (column, self.text.get(start..end).unwrap_or_default()))
    }
}

/// A stored row that has cells.
#[derive(Clone, Copy)]
struct Stored {
    index: usize,
    at: Extent,
}

/// Adds the tables of a sheet. It stops soon after `most` bytes.
pub(super) fn push(out: &mut String, rows: &dyn Rows, most: usize) {
    let mut stored: Vec<Stored> =
        (0..rows.len()).filter_map(|index| rows.extent(index).map(|at| Stored { index, at })).collect();
    if !stored.is_sorted_by_key(|row| row.at.row) {
        stored.sort_by_key(|row| row.at.row);
    }
    let mut painter = Painter { rows, most, line: Line::default() };
    for block in stored.chunk_by(|one, next| next.at.row - one.at.row <= GAP) {
        if out.len() > most {
            return;
        }
        painter.block(out, block);
    }
}

struct Painter<'a> {
    rows: &'a dyn Rows,
    most: usize,
    line: Line,
}

impl Painter<'_> {
    /// Adds rows that stand near each other: a table for each group of columns.
    fn block(&mut self, out: &mut String, block: &[Stored]) {
        let groups = self.groups(block);
        if groups.len() > GROUPS {
            self.list(out, block, (0, u32::MAX));
            return;
        }
        for columns in groups {
            let inside: Vec<Stored> = if columns.2 {
                block.to_vec()
            } else {
                block.iter().filter(|row| self.reaches(row, columns)).copied().collect()
            };
            self.table(out, &inside, (columns.0, columns.1));
        }
    }

    /// The groups of columns of a block; the last part says whether a group is the only one.
    fn groups(&self, block: &[Stored]) -> Vec<(u32, u32, bool)> {
        let first = block.iter().map(|row| row.at.first).min().unwrap_or(0);
        let last = block.iter().map(|row| row.at.last).max().unwrap_or(0);
        if last - first <= GAP {
            return vec![(first, last, true)];
        }
        let columns = self.used(block, first, last);
        let mut groups: Vec<(u32, u32, bool)> = columns
            .chunk_by(|one, next| next - one <= GAP)
            .filter_map(|group| Some((*group.first()?, *group.last()?, false)))
            .collect();
        if let [only] = groups.as_mut_slice() {
            only.2 = true;
        }
        groups
    }

    /// The columns from `first` to `last` in which a block has cells.
    fn used(&self, block: &[Stored], first: u32, last: u32) -> Vec<u32> {
        let filled: u64 = block.iter().map(|row| u64::from(row.at.filled)).sum();
        let mut columns = Vec::new();
        if filled <= u64::from(last - first) {
            for row in block {
                self.rows.columns(row.index, &mut |column| columns.push(column));
            }
            columns.sort_unstable();
            columns.dedup();
            return columns;
        }
        let mut used = vec![false; usize::try_from(last - first).unwrap_or(0) + 1];
        for row in block {
            self.rows.columns(row.index, &mut |column| {
                let place = column.checked_sub(first).and_then(|place| usize::try_from(place).ok());
                if let Some(place) = place.and_then(|place| used.get_mut(place)) {
                    *place = true;
                }
            });
        }
        columns.extend((first..=last).zip(used).filter_map(|(column, used)| used.then_some(column)));
        columns
    }

    fn reaches(&self, row: &Stored, columns: (u32, u32, bool)) -> bool {
        if row.at.last < columns.0 || row.at.first > columns.1 {
            return false;
        }
        let mut met = false;
        self.rows.columns(row.index, &mut |column| met |= column >= columns.0 && column <= columns.1);
        met
    }

    fn table(&mut self, out: &mut String, block: &[Stored], columns: (u32, u32)) {
        let (Some(head), Some(foot)) = (block.first(), block.last()) else { return };
        let places = u64::from(foot.at.row - head.at.row + 1) * u64::from(columns.1 - columns.0 + 1);
        let filled: u64 = block.iter().map(|row| u64::from(row.at.filled)).sum();
        let first = head.at.row == 0 && columns.0 == 0;
        if places > SMALL.max(filled.saturating_mul(SPARSE)) || (places == 1 && !first) {
            self.list(out, block, columns);
            return;
        }
        super::blocks::separate(out);
        if !first {
            let _ = write!(out, "**{}:{}**\n\n", name(columns.0, head.at.row), name(columns.1, foot.at.row));
        }
        let width = usize::try_from(columns.1 - columns.0).unwrap_or(0) + 1;
        let even = if width <= EVEN { width } else { 1 };
        let mut next = head.at.row;
        for row in block {
            while next < row.at.row {
                push_places(out, even);
                next += 1;
            }
            let length = self.row(out, row, columns, even);
            if row.at.row == head.at.row && next == head.at.row {
                markdown::push_rule(out, length);
            }
            next = row.at.row.saturating_add(1);
            if out.len() > self.most {
                return;
            }
        }
        out.pop();
    }

    /// Adds a row with at least so many places, and gives how many it has.
    fn row(&mut self, out: &mut String, row: &Stored, columns: (u32, u32), least: usize) -> usize {
        self.line.read(self.rows, row.index);
        out.push('|');
        let mut done = 0;
        for (column, text) in self.line.within(columns.0, columns.1) {
            let place = usize::try_from(column - columns.0).unwrap_or(0);
            for _ in done..place {
                out.push_str("  |");
            }
            out.push(' ');
            push_cell(out, text);
            out.push_str(" |");
            done = place + 1;
        }
        for _ in done..least {
            out.push_str("  |");
        }
        out.push('\n');
        done.max(least)
    }

    /// Adds rows whose cells stand far apart: each cell with its name.
    fn list(&mut self, out: &mut String, block: &[Stored], columns: (u32, u32)) {
        super::blocks::separate(out);
        for row in block {
            self.line.read(self.rows, row.index);
            out.push_str("- ");
            for (index, (column, text)) in self.line.within(columns.0, columns.1).enumerate() {
                if index > 0 {
                    out.push_str("; ");
                }
                out.push_str(&name(column, row.at.row));
                out.push_str(": ");
                push_cell(out, text);
            }
            out.push('\n');
            if out.len() > self.most {
                return;
            }
        }
        out.pop();
    }
}

fn push_places(out: &mut String, width: usize) {
    out.push('|');
    for _ in 0..width {
        out.push_str("  |");
    }
    out.push('\n');
}

fn push_cell(out: &mut String, text: &str) {
    let plain = !text.bytes().any(|byte| byte < b' ' || byte == b'|' || byte == b'\\');
    if plain {
        out.push_str(text.trim());
        return;
    }
    let mut clean = String::with_capacity(text.len());
    super::inline::push_clean(&mut clean, text);
    out.push_str(&markdown::cell(&clean));
}

/// The name of a cell, such as `B7`.
pub(super) fn name(column: u32, row: u32) -> String {
    let mut letters = Vec::new();
    let mut left = column;
    loop {
        letters.push(char::from(b'A' + u8::try_from(left % 26).unwrap_or(0)));
        if left < 26 {
            break;
        }
        left = left / 26 - 1;
    }
    let mut out: String = letters.iter().rev().collect();
    out.push_str(&u64::from(row).saturating_add(1).to_string());
    out
}
