//! From a notebook to its text.

use readstone_base::{Image, Limits};

use super::book::{Book, Cell};
use super::error::Error;
use super::form::{Marker, push_source};
use super::output::{Extent, Sheet};

/// A notebook as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotebookText {
    /// The text.
    pub text: String,
    /// How many cells there are.
    pub cells: usize,
    /// How many outputs and attachments are cut or only named.
    pub partial: u64,
    /// The first cell that has one of those.
    pub first_partial: Option<usize>,
}

/// The text of a notebook: every cell behind its marker, and the beginnings of its outputs.
pub fn to_text(bytes: &[u8], limits: &Limits) -> Result<NotebookText, Error> {
    show(bytes, limits, |_| Ok(()))
}

/// The same, asking before each cell whether to go on.
pub(super) fn show(
    bytes: &[u8],
    limits: &Limits,
    go_on: impl Fn(usize) -> Result<(), Error>,
) -> Result<NotebookText, Error> {
    let book = Book::open(bytes)?;
    let mut sheet = Sheet::new(Extent::Cut, limits);
    let (mut cells, mut first_partial) = (0, None);
    for (number, cell) in book.cells().enumerate() {
        go_on(number)?;
        push_cell(&mut sheet, &cell?, number)?;
        cells = number + 1;
        if sheet.partial > 0 {
            first_partial.get_or_insert(number);
        }
    }
    Ok(NotebookText { text: sheet.out, cells, partial: sheet.partial, first_partial })
}

/// One cell with all of its outputs.
#[derive(Debug)]
pub(super) struct CellText {
    /// The text.
    pub(super) text: String,
    /// The pictures among the outputs and attachments.
    pub(super) images: Vec<Image>,
    /// How many outputs and attachments are only named even so.
    pub(super) named: u64,
}

/// Shows a cell; else says how many there are.
pub(super) fn show_cell(bytes: &[u8], number: usize, limits: &Limits) -> Result<Result<CellText, usize>, Error> {
    let book = Book::open(bytes)?;
    let mut count = 0;
    let mut found = None;
    // All cells are looked at, so that a notebook is sound as a whole or not at all.
    for cell in book.cells() {
        let cell = cell?;
        if count == number {
            found = Some(cell);
        }
        count += 1;
    }
    let Some(cell) = found else {
        return Ok(Err(count));
    };
    let mut sheet = Sheet::new(Extent::Whole, limits);
    push_cell(&mut sheet, &cell, number)?;
    Ok(Ok(CellText { text: sheet.out, images: sheet.images, named: sheet.left_out }))
}

fn push_cell(sheet: &mut Sheet<'_>, cell: &Cell<'_>, number: usize) -> Result<(), Error> {
    Marker::Cell(cell.kind, Some(number)).write(&mut sheet.out);
    push_source(&mut sheet.out, &cell.source_text(number)?);
    sheet.sections(cell, number)
}
