//! The sheets that a workbook names, read or not.
//!
//! Repair of `office_oxide`: a sheet that cannot be read is left out, so that later sheets move up.
//! Shown by: `fault_an_unreadable_sheet_loses_its_place`, `tests/all/office/sheets.rs`.

use office_oxide::xlsx::{Worksheet, XlsxDocument};

use super::failure;
use crate::made::Remark;

/// A sheet in its place.
pub(super) struct Sheet<'a> {
    /// Its name.
    pub(super) name: &'a str,
    /// Its cells, or why there are none.
    pub(super) read: Result<&'a Worksheet, &'static str>,
}

/// The sheets in their order. The library leaves out those it cannot read; here they keep their places.
pub(super) fn of(book: &XlsxDocument) -> Vec<Sheet<'_>> {
    let mut read = book.worksheets.iter().peekable();
    let mut sheets = Vec::new();
    for named in &book.workbook.sheets {
        if let Some(sheet) = read.next_if(|sheet| sheet.name == named.name) {
            sheets.push(Sheet { name: &sheet.name, read: Ok(sheet) });
            continue;
        }
        // The library cuts names that are far too long.
        let lost = book.unreadable_sheets.iter().any(|(name, _)| {
            *name == named.name || (name.len() > 200 && named.name.starts_with(name.trim_end_matches(['.', '…'])))
        });
        // What has no part of its own is no sheet.
        if lost || book.unreadable_sheets_omitted > 0 {
            sheets.push(Sheet { name: &named.name, read: Err("the sheet is damaged or missing") });
        }
    }
    sheets.extend(read.map(|sheet| Sheet { name: &sheet.name, read: Ok(sheet) }));
    sheets
}

/// What of a workbook could not be read.
pub(super) fn losses(book: &XlsxDocument) -> Vec<Remark> {
    let sheets = book.unreadable_sheets.iter().map(|(name, _)| format!("sheet {name}"));
    let torn =
        book.worksheets.iter().filter(|sheet| sheet.damage.is_some()).map(|sheet| format!("sheet {}", sheet.name));
    let parts = book.unreadable_parts.iter().map(|(name, _)| name.clone());
    let unnamed = book.unreadable_sheets_omitted.saturating_add(book.unreadable_parts_omitted);
    failure::damages(sheets.chain(torn).chain(parts), unnamed)
}
