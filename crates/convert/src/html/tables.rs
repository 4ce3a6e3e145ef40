//! Which tables of a page are there for its layout only.

use super::scan::{Piece, Scan, Tag};

/// A table while its cells are counted.
#[derive(Default)]
struct Table {
    cells: usize,
    /// Cells with a list or with several paragraphs.
    heavy: usize,
    /// Which cell is the last of those.
    last_heavy: usize,
    /// Paragraphs in the last cell.
    paragraphs: usize,
    /// Whether it has headings of rows or columns.
    headed: bool,
    /// Whether it has what no cell of a table in Markdown can have.
    unrolled: bool,
}

impl Table {
    fn is_layout(&self) -> bool {
        self.unrolled || (!self.headed && self.heavy > 0 && self.heavy.saturating_mul(4) >= self.cells)
    }

    fn take(&mut self, tag: Tag<'_>) {
        if tag.is("td") || tag.is("th") {
            self.cells += 1;
            self.paragraphs = 0;
            self.headed |= tag.is("th");
        } else if tag.is("caption") || tag.is("thead") {
            self.headed = true;
        } else if self.cells > 0 {
            self.paragraphs += usize::from(tag.is("p"));
            let heavy = self.paragraphs > 1 || ["ul", "ol", "dl"].iter().any(|name| tag.is(name));
            if heavy && self.last_heavy != self.cells {
                self.heavy += 1;
                self.last_heavy = self.cells;
            }
            self.unrolled |= ["h1", "h2", "h3", "h4", "h5", "h6", "pre"].iter().any(|name| tag.is(name));
        }
    }
}

/// For every table of a page, in the order of their tags, whether it is there for the layout only.
pub(crate) fn layouts(html: &str) -> Vec<bool> {
    let mut tables: Vec<Table> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for piece in Scan::new(html) {
        match piece {
            Piece::Open(tag) if tag.is("table") => {
                if let Some(outer) = open.last().and_then(|at| tables.get_mut(*at)) {
                    outer.unrolled = true;
                }
                open.push(tables.len());
                let unrolled = tag.get("role").is_some_and(|role| role.eq_ignore_ascii_case("presentation"));
                tables.push(Table { unrolled, ..Table::default() });
            }
            Piece::Open(tag) => {
                if let Some(table) = open.last().and_then(|at| tables.get_mut(*at)) {
                    table.take(tag);
                }
            }
            Piece::Close(name) if name.eq_ignore_ascii_case("table") => {
                open.pop();
            }
            Piece::Close(_) | Piece::Text(_) | Piece::Raw(_) | Piece::Data(_) => {}
        }
    }
    tables.iter().map(Table::is_layout).collect()
}
