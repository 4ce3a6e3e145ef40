//! Workbooks since 2007.

use std::collections::HashMap;
use std::fmt::Write as _;

use office_oxide::Document;
use office_oxide::xlsx::{Cell, CellRef, CellValue, HyperlinkTarget, SheetState, Worksheet, XlsxDocument};

use super::blocks::separate;
use super::grid::{self, Extent, Line, Rows};
use super::number::{self, Epoch, Formats};
use super::{Gathering, blocks, failure, inline, notes, sheets};
use crate::Refusal;
use crate::made::{Bounds, Made, Parts, Section, State, Wish};

/// The sheets asked for.
pub(super) fn made(document: &Document, wish: &Wish, bounds: &Bounds) -> Result<Made, Refusal> {
    let Some(book) = document.as_xlsx() else {
        return Err(failure::damaged("it holds no workbook"));
    };
    let remarks = sheets::losses(book);
    if book.worksheets.is_empty() {
        return Err(failure::damaged("it has no sheet that can be read"));
    }
    if book.chart_text.is_empty() && book.worksheets.iter().all(|sheet| is_blank(book, sheet)) {
        return Err(if remarks.is_empty() { Refusal::Empty } else { failure::damaged("no cell could be read") });
    }
    let formats = formats(book);
    let sheets = sheets::of(book);
    let mut gathering = Gathering::new(Parts::Sheets, sheets.len(), wish, bounds);
    // The library does not say on which sheet a chart stands.
    let is_charted = |sheet: &sheets::Sheet<'_>| sheet.read.is_ok_and(|sheet| !is_blank(book, sheet));
    let charted = sheets.iter().rposition(is_charted).unwrap_or(0);
    for (index, sheet) in sheets.iter().enumerate() {
        if !gathering.wants(index) {
            continue;
        }
        let mut section = match sheet.read {
            Ok(sheet) => section(&Cells { book, sheet, formats: &formats, links: links(sheet) }, bounds),
            Err(reason) => Section {
                name: Some(sheet.name.to_owned()),
                text: String::new(),
                state: State::Lacking(reason.to_owned()),
            },
        };
        if index == charted {
            charts(&mut section, &book.chart_text);
        }
        gathering.take(section);
    }
    let mut made = gathering.done();
    made.names = sheets.iter().map(|sheet| sheet.name.to_owned()).collect();
    made.remarks.extend(remarks);
    Ok(made)
}

fn formats(book: &XlsxDocument) -> Formats {
    let epoch = if book.workbook.date1904 { Epoch::Of1904 } else { Epoch::Of1900 };
    let used = book.styles.iter().flat_map(|styles| {
        let cells = styles.cell_formats.iter().map(|cell| cell.number_format_id);
        cells.map(|format| (format, styles.number_formats.get(&format).map(String::as_str)))
    });
    Formats::new(epoch, used)
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
    formats: &'a Formats,
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
            CellValue::Number(value) => {
                let styles = cell.style_index.zip(self.book.styles.as_ref());
                match styles.and_then(|(style, styles)| styles.number_format_id_for(style)) {
                    Some(format) => self.formats.push(out, format, *value),
                    None => number::push(out, *value),
                }
            }
            // The library cuts long texts here.
            CellValue::SharedString(index) => push_text(out, self.book.shared_strings.get(*index).unwrap_or_default()),
            CellValue::String(text) => push_text(out, text),
            CellValue::Empty | CellValue::Boolean(_) | CellValue::Error(_) | CellValue::Date(_) => {
                self.book.write_cell_value(cell, out);
            }
        }
    }
}

/// Adds a text, in which `_xHHHH_` stands for a character that XML cannot hold, or that would be taken for one.
///
/// Repair of `office_oxide`: escaped characters such as `_x000D_` stay escaped. Shown by:
/// `fault_escaped_characters_stay_escaped`, `tests/all/office/sheets.rs`.
fn push_text(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("_x") {
        out.push_str(before);
        let code = behind.get(..4).filter(|code| code.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let sign = code.and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32);
        let whole = behind.get(4..).and_then(|behind| behind.strip_prefix('_'));
        rest = if let (Some(sign), Some(behind)) = (sign, whole) {
            out.push(sign);
            behind
        } else {
            out.push_str("_x");
            behind
        };
    }
    out.push_str(rest);
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
