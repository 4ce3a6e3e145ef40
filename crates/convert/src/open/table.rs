//! Tables in a text or on a slide.

use std::mem;

use super::out::Out;
use super::reading::Reading;
use super::xml::{Element, Space, Step};
use crate::Refusal;
use crate::markdown::{cell, push_row, push_rule};

/// Columns that a table has at most.
const MOST_COLUMNS: usize = 1024;
/// A cell with text, or a row, is repeated so often at most.
const MOST_REPEATS: usize = 64;
/// Tables up to so many cells have rows of one length.
const MOST_PADDED: usize = 100_000;

impl Reading<'_, '_, '_> {
    /// Writes the table that was opened last.
    pub(crate) fn table(&mut self, out: &mut Out) -> Result<(), Refusal> {
        let lists = mem::take(&mut self.lists);
        self.cells += 1;
        let mut rows = Vec::new();
        self.rows(&mut rows)?;
        self.cells -= 1;
        self.lists = lists;
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        match (rows.as_slice(), width) {
            (_, 0) => {}
            // One cell is a frame around text.
            ([only], 1) => only.iter().for_each(|text| out.put(text)),
            (rows, _) if self.cells > 0 => {
                out.put(&rows.iter().map(|row| row.join(" | ")).collect::<Vec<_>>().join("\n"));
            }
            (rows, _) => out.put(&written(rows, width)),
        }
        Ok(())
    }

    /// Takes rows, also from groups of rows.
    fn rows(&mut self, rows: &mut Vec<Vec<String>>) -> Result<(), Refusal> {
        loop {
            match self.walk.next()? {
                Step::Open(element) => match (element.space, element.local()) {
                    (Space::Table, "table-row") => {
                        let repeats = element.number("number-rows-repeated", MOST_REPEATS).unwrap_or(1);
                        let row = self.row()?;
                        let times = if row.is_empty() { 1 } else { repeats };
                        self.count(row.iter().map(String::len).sum::<usize>() * (times - times.min(1)));
                        rows.extend(std::iter::repeat_n(row, times));
                    }
                    (Space::Table, "title" | "desc" | "shapes") | (Space::Office, _) => self.walk.skip()?,
                    (_, _) => self.rows(rows)?,
                },
                Step::Text(_) => {}
                Step::Close | Step::End => return Ok(()),
            }
        }
    }

    /// The cells of a row up to the last that has text.
    fn row(&mut self) -> Result<Vec<String>, Refusal> {
        let mut row: Vec<String> = Vec::new();
        let mut empty = 0;
        loop {
            match self.walk.next()? {
                Step::Open(element) => {
                    let repeats = element.number("number-columns-repeated", MOST_COLUMNS).unwrap_or(1);
                    let text = self.cell_text(&element)?;
                    if text.is_empty() {
                        empty = (empty + repeats).min(MOST_COLUMNS);
                        continue;
                    }
                    let room = MOST_COLUMNS.saturating_sub(row.len());
                    row.extend(std::iter::repeat_n(String::new(), mem::take(&mut empty).min(room)));
                    row.extend(std::iter::repeat_n(text, repeats.min(MOST_REPEATS)));
                }
                Step::Text(_) => {}
                Step::Close | Step::End => return Ok(row),
            }
        }
    }

    fn cell_text(&mut self, element: &Element<'_>) -> Result<String, Refusal> {
        // What a merged cell covers is not shown.
        if element.local() == "covered-table-cell" {
            self.walk.skip()?;
            return Ok(String::new());
        }
        let mut out = Out::default();
        self.blocks(&mut out)?;
        Ok(out.finish())
    }
}

fn written(rows: &[Vec<String>], width: usize) -> String {
    let mut text = String::new();
    // Short rows of a large table stay short: a few wide ones could make it many times larger.
    let large = rows.len().saturating_mul(width) > MOST_PADDED;
    for (index, row) in rows.iter().enumerate() {
        let columns = if large { row.len().max(1) } else { width };
        let cells = (0..columns).map(|at| row.get(at).map(|text| cell(&tight(text))).unwrap_or_default());
        push_row(&mut text, &cells.collect::<Vec<_>>());
        if index == 0 {
            push_rule(&mut text, width);
        }
    }
    text
}

/// Blocks on lines without blank ones between.
pub(crate) fn tight(text: &str) -> String {
    text.lines().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n")
}
