//! Sheets of a workbook: every row that has something is a row of a table.

use std::collections::BTreeSet;

use super::out::Out;
use super::reading::Reading;
use super::styles::letters;
use super::table::tight;
use super::xml::{Element, Space, Step};
use crate::Refusal;
use crate::markdown::{cell, push_row, push_rule};

/// Columns that a sheet has at most.
const MOST_COLUMNS: usize = 16_384;
/// Rows that a sheet has at most.
const MOST_ROWS: usize = 1_048_576;
/// A row with text is repeated so often at most.
const MOST_REPEATS: usize = 1000;
/// A table with more cells than this, of which few have text, is written cell by cell.
const MOST_PADDED: usize = 10_000;

/// The cells of a sheet that have text.
#[derive(Default)]
struct Sheet {
    text: String,
    /// Row, column and the end of the text of each.
    cells: Vec<(u32, u32, usize)>,
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
        out.put(&sheet.written());
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
        let first = sheet.cells.len();
        let from = sheet.text.len();
        let mut column = 0;
        loop {
            match self.walk.next()? {
                Step::Open(element) => {
                    let wide = element.number("number-columns-repeated", MOST_COLUMNS).unwrap_or(1);
                    let text = self.value(&element)?;
                    let times = if text.is_empty() { 0 } else { wide.min(MOST_COLUMNS.saturating_sub(column)) };
                    // Not more of them than there is room for.
                    let fits = (self.most.saturating_sub(self.made) / (text.len() + 3)).saturating_add(1);
                    (column..column + times.min(fits)).for_each(|at| sheet.push(sheet.row, at, &text));
                    self.count((text.len() + 3).saturating_mul(times));
                    column = (column + wide).min(MOST_COLUMNS);
                }
                Step::Text(_) => {}
                Step::Close | Step::End => break,
            }
        }
        let row: Vec<(u32, String)> = if repeats > 1 { sheet.copy(first, from) } else { Vec::new() };
        if !row.is_empty() {
            sheet.shortened += repeats.saturating_sub(MOST_REPEATS) as u64;
            for more in 1..repeats.min(MOST_REPEATS) {
                for (column, text) in &row {
                    sheet.push(sheet.row + more, *column as usize, text);
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

impl Sheet {
    fn push(&mut self, row: usize, column: usize, text: &str) {
        self.text.push_str(text);
        let place = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        self.cells.push((place(row), place(column), self.text.len()));
    }

    fn copy(&self, first: usize, from: usize) -> Vec<(u32, String)> {
        let mut start = from;
        let mut row = Vec::new();
        for (_, column, end) in self.cells.get(first..).unwrap_or_default() {
            row.push((*column, self.text.get(start..*end).unwrap_or_default().to_owned()));
            start = *end;
        }
        row
    }

    /// The rows and the columns that have something.
    fn written(&self) -> String {
        let columns: BTreeSet<u32> = self.cells.iter().map(|(_, column, _)| *column).collect();
        let columns: Vec<u32> = columns.into_iter().collect();
        let rows = self.cells.chunk_by(|one, two| one.0 == two.0).count();
        let padded = rows.saturating_mul(columns.len());
        if padded > MOST_PADDED && padded / 20 > self.cells.len() {
            return self.listed();
        }
        let mut out = String::new();
        let mut start = 0;
        for (index, row) in self.cells.chunk_by(|one, two| one.0 == two.0).enumerate() {
            let mut cells: Vec<&str> = Vec::with_capacity(columns.len());
            for (_, column, end) in row {
                let at = columns.partition_point(|known| known < column);
                cells.resize(at.max(cells.len()), "");
                cells.push(self.text.get(start..*end).unwrap_or_default());
                start = *end;
            }
            cells.resize(columns.len(), "");
            push_row(&mut out, &cells);
            if index == 0 {
                push_rule(&mut out, columns.len());
            }
        }
        out
    }

    /// Cells that are far from each other, each with its name.
    fn listed(&self) -> String {
        let mut out = String::new();
        push_row(&mut out, &["Cell", "Value"]);
        push_rule(&mut out, 2);
        let mut start = 0;
        for (row, column, end) in &self.cells {
            let name = format!("{}{}", letters(*column as usize + 1).to_uppercase(), *row as usize + 1);
            push_row(&mut out, &[name.as_str(), self.text.get(start..*end).unwrap_or_default()]);
            start = *end;
        }
        out
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
