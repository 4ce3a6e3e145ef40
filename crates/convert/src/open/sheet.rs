//! Sheets of a workbook: every row that has something is a row of a table.

use super::grid::Grid;
use super::out::Out;
use super::reading::Reading;
use super::table::tight;
use super::xml::{Element, Space, Step};
use crate::Refusal;
use crate::markdown::cell;

/// Columns that a sheet has at most.
const MOST_COLUMNS: usize = 16_384;
/// Rows that a sheet has at most.
const MOST_ROWS: usize = 1_048_576;
/// A row with text is repeated so often at most.
const MOST_REPEATS: usize = 1000;

/// A sheet while it is read.
#[derive(Default)]
struct Sheet {
    grid: Grid,
    row: usize,
    shapes: Out,
    /// Rows that are there more often than is shown.
    shortened: u64,
}

/// The text of a sheet.
pub(crate) struct SheetText {
    pub(crate) text: String,
    /// Rows that repeat the one before and are not shown.
    pub(crate) shortened: u64,
}

impl Reading<'_, '_, '_> {
    /// The text of the sheet that was opened last.
    pub(crate) fn sheet(&mut self) -> Result<SheetText, Refusal> {
        let mut sheet = Sheet::default();
        self.sheet_rows(&mut sheet)?;
        let mut out = Out::default();
        out.put(&sheet.grid.written(self.most));
        out.append(sheet.shapes);
        Ok(SheetText { text: out.finish(), shortened: sheet.shortened })
    }

    fn sheet_rows(&mut self, sheet: &mut Sheet) -> Result<(), Refusal> {
        loop {
            match self.walk.next()? {
                Step::Open(element) => match (element.space, element.local()) {
                    (Space::Table, "table-row") => {
                        let repeats = element.number("number-rows-repeated", MOST_ROWS).unwrap_or(1);
                        self.sheet_row(repeats, sheet)?;
                    }
                    (Space::Table, "shapes") => self.blocks(&mut sheet.shapes)?,
                    (Space::Table, "table-row-group" | "table-rows" | "table-header-rows") => self.sheet_rows(sheet)?,
                    (_, _) => self.walk.skip()?,
                },
                Step::Text(_) => {}
                Step::Close | Step::End => return Ok(()),
            }
        }
    }

    fn sheet_row(&mut self, repeats: usize, sheet: &mut Sheet) -> Result<(), Refusal> {
        let first = sheet.grid.len();
        let mut column = 0;
        loop {
            match self.walk.next()? {
                Step::Open(element) => {
                    let wide = element.number("number-columns-repeated", MOST_COLUMNS).unwrap_or(1);
                    let text = self.value(&element)?;
                    let times = if text.is_empty() { 0 } else { wide.min(MOST_COLUMNS.saturating_sub(column)) };
                    // Not more of them than there is room for.
                    let fits = (self.most.saturating_sub(self.made) / (text.len() + 3)).saturating_add(1);
                    (column..column + times.min(fits)).for_each(|at| sheet.grid.push(sheet.row, at, &text));
                    self.count((text.len() + 3).saturating_mul(times));
                    column = (column + wide).min(MOST_COLUMNS);
                }
                Step::Text(_) => {}
                Step::Close | Step::End => break,
            }
        }
        let row: Vec<(u32, String)> = if repeats > 1 { sheet.grid.copy(first) } else { Vec::new() };
        if !row.is_empty() {
            sheet.shortened += repeats.saturating_sub(MOST_REPEATS) as u64;
            for more in 1..repeats.min(MOST_REPEATS) {
                for (column, text) in &row {
                    sheet.grid.push(sheet.row + more, *column as usize, text);
                }
                self.count(row.iter().map(|(_, text)| text.len() + 3).sum());
                if self.is_cut() {
                    break;
                }
            }
        }
        sheet.row = (sheet.row + repeats).min(MOST_ROWS);
        Ok(())
    }

    /// What a cell shows.
    fn value(&mut self, element: &Element<'_>) -> Result<String, Refusal> {
        if element.local() != "table-cell" {
            self.walk.skip()?;
            return Ok(String::new());
        }
        let mut out = Out::default();
        self.cells += 1;
        self.blocks(&mut out)?;
        self.cells -= 1;
        let shown = cell(&tight(&out.finish()));
        if let Some(date) = element.get("date-value") {
            return Ok(dated(&shown, &date));
        }
        if !shown.is_empty() {
            return Ok(shown);
        }
        let value = ["string-value", "value", "boolean-value", "time-value"].iter().find_map(|name| element.get(name));
        // A formula that was never computed is better than nothing.
        let formula = || element.get("formula").map(|formula| formula.replacen("of:", "", 1));
        Ok(cell(&value.or_else(formula).unwrap_or_default()))
    }
}

/// A date as it is shown where that can be read in one way only, and else, or beside it, as year, month and day.
fn dated(shown: &str, value: &str) -> String {
    let (day, time) = value.split_once('T').unwrap_or((value, ""));
    let time = time.split('.').next().unwrap_or_default();
    let midnight = time.is_empty() || time.starts_with("00:00:00");
    let exact = if midnight { day.to_owned() } else { format!("{day} {time}") };
    let year = day.split('-').next().unwrap_or_default();
    let named = shown.chars().any(char::is_alphabetic);
    if shown.contains(day) || (named && !year.is_empty() && shown.contains(year)) {
        shown.to_owned()
    } else if named {
        format!("{shown} ({exact})")
    } else {
        cell(&exact)
    }
}
