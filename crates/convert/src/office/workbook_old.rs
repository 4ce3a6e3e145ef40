//! Workbooks before 2007.

use std::collections::HashMap;
use std::fmt::Write as _;

use office_oxide::Document;
use office_oxide::xls::{CellValue, Sheet};

use super::blocks::separate;
use super::grid::{self, Extent, Line, Rows};
use super::{Gathering, failure, inline, notes, number, workbook};
use crate::Refusal;
use crate::made::{Bounds, Made, Parts, Section, State, Wish};

/// The sheets asked for.
pub(super) fn made(document: &Document, wish: &Wish, bounds: &Bounds) -> Result<Made, Refusal> {
    let Some(book) = document.as_xls() else {
        return Err(failure::damaged("it holds no workbook"));
    };
    if book.sheets.is_empty() {
        return Err(failure::damaged("it has no sheet that can be read"));
    }
    let remarks = failure::damages(book.notices().iter().map(|notice| notes::one_line(notice)), 0);
    if book.chart_text().is_empty() && book.sheets.iter().all(is_blank) {
        return Err(if remarks.is_empty() { Refusal::Empty } else { failure::damaged("no cell could be read") });
    }
    let mut gathering = Gathering::new(Parts::Sheets, book.sheets.len(), wish, bounds);
    // The library does not say on which sheet a chart stands.
    let charted = book.sheets.iter().rposition(|sheet| !is_blank(sheet)).unwrap_or(0);
    for (index, sheet) in book.sheets.iter().enumerate() {
        if gathering.wants(index) {
            let charts = if index == charted { book.chart_text() } else { &[] };
            gathering.take(section(sheet, charts, bounds));
        }
    }
    let mut made = gathering.done();
    made.names = book.sheets.iter().map(|sheet| sheet.name.clone()).collect();
    made.remarks.extend(remarks);
    Ok(made)
}

fn is_blank(sheet: &Sheet) -> bool {
    sheet.comments.is_empty()
        && sheet.chart_text.is_empty()
        && !sheet.rows.iter().flatten().any(|value| !matches!(value, CellValue::Empty))
}

fn section(sheet: &Sheet, charts: &[String], bounds: &Bounds) -> Section {
    let links = sheet.hyperlinks.iter().map(|link| ((link.row_first, link.col_first), link.target.as_str())).collect();
    let cells = Cells { sheet, links };
    let mut text = String::new();
    grid::push(&mut text, &cells, usize::try_from(bounds.text_bytes).unwrap_or(usize::MAX));
    for (index, comment) in sheet.comments.iter().enumerate() {
        if index == 0 {
            separate(&mut text);
            text.push_str("### Comments\n");
        }
        let author = notes::author(comment.author.as_deref());
        let place = grid::name(u32::from(comment.col), u32::from(comment.row));
        let _ = write!(text, "\n- {place}{author}: {}", notes::one_line(&comment.text));
    }
    let state = if text.is_empty() { State::Blank } else { State::Whole };
    let mut section = Section { name: Some(sheet.name.clone()), text, state };
    workbook::charts(&mut section, &sheet.chart_text);
    workbook::charts(&mut section, charts);
    if sheet.hidden && !section.text.is_empty() {
        section.text.insert_str(0, "(hidden sheet)\n\n");
    }
    section
}

/// The cells of one sheet.
struct Cells<'a> {
    sheet: &'a Sheet,
    links: HashMap<(u16, u16), &'a str>,
}

impl Cells<'_> {
    fn filled(&self, index: usize) -> impl Iterator<Item = (u32, &CellValue)> {
        let row: &[CellValue] = self.sheet.rows.get(index).map(Vec::as_slice).unwrap_or_default();
        (0..).zip(row).filter(|(_, value)| match value {
            CellValue::Empty => false,
            CellValue::String(text) => !text.trim().is_empty(),
            CellValue::Number(_) | CellValue::Bool(_) | CellValue::Error(_) => true,
        })
    }

    /// Adds what a cell shows.
    fn push(&self, out: &mut String, index: usize, column: u32, value: &CellValue) {
        let shown = self.sheet.display_text(index, usize::try_from(column).unwrap_or(usize::MAX)).unwrap_or_default();
        match value {
            // A number without a format comes with all the digits of its binary form.
            CellValue::Number(number)
                if shown.len() > 16 && shown.parse::<f64>().is_ok_and(|same| same.to_bits() == number.to_bits()) =>
            {
                number::push(out, *number);
            }
            CellValue::Number(_)
            | CellValue::Empty
            | CellValue::String(_)
            | CellValue::Bool(_)
            | CellValue::Error(_) => out.push_str(&shown),
        }
    }
}

impl Rows for Cells<'_> {
    fn len(&self) -> usize {
        self.sheet.rows.len()
    }

    fn extent(&self, index: usize) -> Option<Extent> {
        let mut filled = self.filled(index).map(|(column, _)| column);
        let first = filled.next()?;
        let (last, more) = filled.fold((first, 0_u32), |(_, count), column| (column, count.saturating_add(1)));
        let row = u32::try_from(index).unwrap_or(u32::MAX);
        Some(Extent { row, first, last, filled: more.saturating_add(1) })
    }

    fn columns(&self, index: usize, tell: &mut dyn FnMut(u32)) {
        for (column, _) in self.filled(index) {
            tell(column);
        }
    }

    fn cells(&self, index: usize, line: &mut Line) {
        for (column, value) in self.filled(index) {
            let place = u16::try_from(index).ok().zip(u16::try_from(column).ok());
            match place.and_then(|place| self.links.get(&place)) {
                Some(target) => {
                    let mut text = String::new();
                    self.push(&mut text, index, column, value);
                    line.cell(column, |out| inline::push_link(out, text.trim(), target));
                }
                None => line.cell(column, |out| self.push(out, index, column, value)),
            }
        }
    }
}
