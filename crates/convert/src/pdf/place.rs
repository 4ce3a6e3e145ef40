//! Tables put where they stand among the text.
//!
//! The library puts a table behind the last text that reaches across it, so that a short heading above a narrow table
//! comes after the table. Where a page has one column, heights settle the order.
//!
//! Repair of `unpdf`: a table comes before the short heading above it. Shown by:
//! `fault_a_table_comes_before_the_heading_above_it`, `tests/all/pdf.rs`.

use unpdf::Page;
use unpdf::model::{Block, Table};
use unpdf::parser::TextSpan;

/// The part of its size by which two pieces of one row may stand higher or lower.
const LEVEL: f32 = 0.3;
/// Rows and blocks of a page that are compared at most.
const MOST: usize = 2_000;

/// What stands at one height of a page.
struct Row {
    height: f32,
    letters: String,
}

/// Whether a page has a table that may stand too early.
pub(super) fn is_doubtful(page: &Page) -> bool {
    let table = page.elements.iter().position(|block| matches!(block, Block::Table(_)));
    let behind = table.and_then(|at| page.elements.get(at..)).unwrap_or_default();
    page.column_count <= 1
        && page.elements.len() <= MOST
        && behind.iter().any(|block| matches!(block, Block::Paragraph(_)))
}

/// Moves tables behind the text that stands above them.
pub(super) fn settle(blocks: &mut [Block], spans: Vec<TextSpan>) {
    let rows = rows(spans);
    if rows.len() > MOST {
        return;
    }
    let mut end = blocks.len();
    for at in (0..blocks.len()).rev() {
        let Some(Block::Table(table)) = blocks.get(at) else {
            continue;
        };
        let next = end;
        end = at;
        let Some(height) = height_of_table(table, &rows) else {
            continue;
        };
        let behind = blocks.get(at.saturating_add(1)..next).unwrap_or_default();
        let above = |block: &Block| height_of_text(block, &rows).is_some_and(|text| text > height);
        if let Some(last) = behind.iter().rposition(above) {
            let moved = blocks.get_mut(at..next).and_then(|run| run.get_mut(..last.saturating_add(2)));
            if let Some(moved) = moved {
                moved.rotate_left(1);
                end = at.saturating_add(last).saturating_add(1);
            }
        }
    }
}

fn rows(mut spans: Vec<TextSpan>) -> Vec<Row> {
    spans.sort_by(|one, other| other.y.total_cmp(&one.y));
    let mut rows = Vec::new();
    let mut rest = spans.as_mut_slice();
    while let Some(first) = rest.first() {
        let (height, room) = (first.y, first.font_size.abs() * LEVEL);
        let count = rest.iter().take_while(|span| height - span.y <= room).count().max(1);
        let Some((row, behind)) = rest.split_at_mut_checked(count) else {
            break;
        };
        row.sort_by(|one, other| one.x.total_cmp(&other.x));
        let letters: String = row.iter().map(|span| letters(&span.text)).collect();
        if !letters.is_empty() {
            rows.push(Row { height, letters });
        }
        rest = behind;
    }
    rows
}

/// What a text has besides blanks and signs, which the library changes.
fn letters(text: &str) -> String {
    text.chars().filter(|sign| sign.is_alphanumeric()).collect()
}

/// The height of the first row of a table that stands on the page once, just so.
fn height_of_table(table: &Table, rows: &[Row]) -> Option<f32> {
    table.rows.iter().find_map(|row| {
        let wanted: String = row.cells.iter().map(|cell| letters(&cell.plain_text())).collect();
        let mut found = rows.iter().filter(|row| row.letters == wanted);
        found.next().filter(|_| found.next().is_none()).map(|row| row.height)
    })
}

/// The height of the row that a paragraph begins with, if there is only one such.
fn height_of_text(block: &Block, rows: &[Row]) -> Option<f32> {
    let Block::Paragraph(paragraph) = block else {
        return None;
    };
    let wanted = letters(&paragraph.plain_text());
    let begins = |row: &&Row| wanted.starts_with(&row.letters);
    let longest = rows.iter().filter(begins).map(|row| row.letters.len()).max()?;
    let mut found = rows.iter().filter(begins).filter(|row| row.letters.len() == longest);
    found.next().filter(|_| found.next().is_none()).map(|row| row.height)
}
