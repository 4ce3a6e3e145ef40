//! Workbooks since 2007.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use office_oxide::Document;
use office_oxide::xlsx::{Cell, CellRef, CellValue, HyperlinkTarget, SheetState, Worksheet, XlsxDocument};

use super::blocks::separate;
use super::grid::{self, Extent, Line, Rows};
use super::{Gathering, blocks, failure, inline, notes, number};
use crate::Refusal;
use crate::made::{Bounds, Made, Parts, Remark, Section, State, Wish};

/// The sheets asked for.
pub(super) fn made(document: &Document, wish: &Wish, bounds: &Bounds) -> Result<Made, Refusal> {
    let Some(book) = document.as_xlsx() else {
        return Err(failure::damaged("it holds no workbook"));
    };
    let remarks = losses(book);
    if book.worksheets.is_empty() {
        return Err(failure::damaged("it has no sheet that can be read"));
    }
    if book.chart_text.is_empty() && book.worksheets.iter().all(|sheet| is_blank(book, sheet)) {
        return Err(if remarks.is_empty() { Refusal::Empty } else { failure::damaged("no cell could be read") });
    }
    let dates = book.date_style_indices();
    let mut gathering = Gathering::new(Parts::Sheets, book.worksheets.len(), wish, bounds);
    // The library does not say on which sheet a chart stands.
    let charted = book.worksheets.iter().rposition(|sheet| !is_blank(book, sheet)).unwrap_or(0);
    for (index, sheet) in book.worksheets.iter().enumerate() {
        if !gathering.wants(index) {
            continue;
        }
        let cells = Cells { book, sheet, dates: &dates, links: links(sheet) };
        let mut section = section(&cells, bounds);
        if index == charted {
            charts(&mut section, &book.chart_text);
        }
        gathering.take(section);
    }
    let mut made = gathering.done();
    made.names = book.worksheets.iter().map(|sheet| sheet.name.clone()).collect();
    made.remarks.extend(remarks);
    Ok(made)
}

fn losses(book: &XlsxDocument) -> Vec<Remark> {
    let sheets = book.unreadable_sheets.iter().map(|(name, _)| format!("sheet {name}"));
    let parts = book.unreadable_parts.iter().map(|(name, _)| name.clone());
    let torn =
        book.worksheets.iter().filter(|sheet| sheet.damage.is_some()).map(|sheet| format!("sheet {}", sheet.name));
    sheets.chain(torn).chain(parts).take(8).map(Remark::Damaged).collect()
}

fn is_blank(book: &XlsxDocument, sheet: &Worksheet) -> bool {
    sheet.comments.is_empty()
        && sheet.text_shapes.is_empty()
        && sheet.chart_text.is_empty()
        && sheet.images.is_empty()
        && !sheet.rows.iter().any(|row| row.cells.iter().any(|cell| is_filled(book, cell)))
}

fn is_filled(book: &XlsxDocument, cell: &Cell) -> bool {
    let shown = match &cell.value {
        CellValue::Empty => false,
        CellValue::String(text) | CellValue::Error(text) => !text.trim().is_empty(),
        CellValue::SharedString(index) => book.shared_strings.get(*index).is_some_and(|text| !text.trim().is_empty()),
        CellValue::Number(_) | CellValue::Boolean(_) | CellValue::Date(_) => true,
    };
    shown || cell.formula().is_some()
}

fn links(sheet: &Worksheet) -> HashMap<(u32, u32), String> {
    let mut links = HashMap::new();
    for link in &sheet.hyperlinks {
        let first = link.cell_ref.split(':').next().unwrap_or_default();
        let target = match &link.target {
            HyperlinkTarget::External(target) => target.to_string(),
            HyperlinkTarget::Internal(place) if !place.is_empty() => format!("#{place}"),
            HyperlinkTarget::Internal(_) => continue,
        };
        if let Some(at) = CellRef::parse(first) {
            links.insert((at.row, at.col), target);
        }
    }
    links
}

fn section(cells: &Cells<'_>, bounds: &Bounds) -> Section {
    let sheet = cells.sheet;
    let mut text = String::new();
    grid::push(&mut text, cells, usize::try_from(bounds.text_bytes).unwrap_or(usize::MAX));
    for shape in sheet.text_shapes.iter().filter(|shape| !shape.text.trim().is_empty()) {
        separate(&mut text);
        inline::push_clean(&mut text, shape.text.trim());
    }
    for (index, comment) in sheet.comments.iter().enumerate() {
        if index == 0 {
            separate(&mut text);
            text.push_str("### Comments\n");
        }
        let author = notes::author(comment.author.as_deref());
        let _ = write!(text, "\n- {}{author}: {}", comment.cell_ref, notes::one_line(&comment.text));
    }
    for picture in sheet.images.iter() {
        if let Some(words) = picture.alt_text.as_deref().map(notes::one_line).filter(|words| !words.is_empty()) {
            separate(&mut text);
            blocks::push_image(&mut text, &words);
        }
    }
    let mut section = Section { name: Some(sheet.name.clone()), text, state: State::Whole };
    let own: Vec<String> = sheet.chart_text.iter().map(ToString::to_string).collect();
    charts(&mut section, &own);
    section.state = match (&sheet.damage, section.text.is_empty()) {
        (Some(_), _) => State::Lacking("the sheet is damaged".to_owned()),
        (None, false) => State::Whole,
        (None, true) if sheet.images.is_empty() => State::Blank,
        (None, true) => State::NoText,
    };
    if sheet.state != SheetState::Visible && !section.text.is_empty() {
        section.text.insert_str(0, "(hidden sheet)\n\n");
    }
    section
}

/// Adds what charts say in words.
pub(super) fn charts(section: &mut Section, lines: &[String]) {
    let mut begun = false;
    for line in
        lines.iter().map(|line| notes::one_line(&line.trim().replace('\n', "; "))).filter(|line| !line.is_empty())
    {
        if !begun {
            separate(&mut section.text);
            section.text.push_str("### Charts\n");
            begun = true;
        }
        section.text.push_str("\n- ");
        section.text.push_str(&line);
    }
    if begun && section.state == State::Blank {
        section.state = State::Whole;
    }
}

/// The cells of one sheet.
struct Cells<'a> {
    book: &'a XlsxDocument,
    sheet: &'a Worksheet,
    dates: &'a HashSet<u32>,
    links: HashMap<(u32, u32), String>,
}

impl Cells<'_> {
    fn filled(&self, index: usize) -> impl Iterator<Item = &Cell> {
        self.sheet.rows.get(index).into_iter().flat_map(|row| &row.cells).filter(|cell| is_filled(self.book, cell))
    }

    /// Adds what a cell shows.
    fn push(&self, out: &mut String, cell: &Cell) {
        let start = out.len();
        self.push_value(out, cell);
        // A formula that was never calculated is at least shown itself.
        if let (true, Some(formula)) = (out.len() == start, cell.formula()) {
            out.push('=');
            out.push_str(formula);
        }
    }

    fn push_value(&self, out: &mut String, cell: &Cell) {
        match &cell.value {
            CellValue::Number(value) if self.is_general(cell) => number::push(out, *value),
            CellValue::Number(value) if self.is_time(cell) => number::push_time(out, *value),
            // The library cuts long texts here.
            CellValue::SharedString(index) => out.push_str(self.book.shared_strings.get(*index).unwrap_or_default()),
            CellValue::Number(_)
            | CellValue::Empty
            | CellValue::String(_)
            | CellValue::Boolean(_)
            | CellValue::Error(_)
            | CellValue::Date(_) => self.book.write_cell_value_fast(cell, out, self.dates),
        }
    }

    /// Whether a cell shows a time of the day or a span of time.
    fn is_time(&self, cell: &Cell) -> bool {
        let Some(style) = cell.style_index.filter(|style| self.dates.contains(style)) else { return false };
        let Some(styles) = self.book.styles.as_ref() else { return false };
        match styles.number_format_override_for(style) {
            Some(code) => number::is_time_code(code),
            None => styles.number_format_id_for(style).is_some_and(|format| matches!(format, 18..=21 | 45..=47)),
        }
    }

    fn is_general(&self, cell: &Cell) -> bool {
        let Some(style) = cell.style_index else { return true };
        let format = self.book.styles.as_ref().and_then(|styles| styles.number_format_id_for(style));
        format.is_none_or(|format| format == 0) && !self.dates.contains(&style)
    }
}

impl Rows for Cells<'_> {
    fn len(&self) -> usize {
        self.sheet.rows.len()
    }

    fn extent(&self, index: usize) -> Option<Extent> {
        let row = self.sheet.rows.get(index)?;
        let mut extent: Option<Extent> = None;
        for cell in self.filled(index) {
            let column = cell.reference.col;
            let extent = extent.get_or_insert(Extent {
                row: row.index.saturating_sub(1),
                first: column,
                last: column,
                filled: 0,
            });
            extent.first = extent.first.min(column);
            extent.last = extent.last.max(column);
            extent.filled = extent.filled.saturating_add(1);
        }
        extent
    }

    fn columns(&self, index: usize, tell: &mut dyn FnMut(u32)) {
        for cell in self.filled(index) {
            tell(cell.reference.col);
        }
    }

    fn cells(&self, index: usize, line: &mut Line) {
        for cell in self.filled(index) {
            let at = &cell.reference;
            match self.links.get(&(at.row, at.col)) {
                Some(target) => {
                    let mut text = String::new();
                    self.push(&mut text, cell);
                    line.cell(at.col, |out| inline::push_link(out, text.trim(), target));
                }
                None => line.cell(at.col, |out| self.push(out, cell)),
            }
        }
    }
}
