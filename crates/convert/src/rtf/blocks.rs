//! Paragraphs, headings, items and tables, written one below the other.

use super::lists::Marker;
use crate::markdown;

/// What a paragraph is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A paragraph that is indented so far.
    Plain(i32),
    /// A heading of this level, from 1.
    Heading(u8),
    /// An item of a list.
    Item(Item),
}

/// An item of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// The list it is in; 0 if it is one by its looks only.
    pub(super) list: i32,
    /// How deep it is in that list.
    pub(super) level: i32,
    /// How far it is indented.
    pub(super) indent: i32,
    pub(super) marker: Marker,
}

/// Where blocks are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    /// In the document.
    Page,
    /// In a cell of a table, one line a block.
    Cell,
}

/// Blocks that are being written.
#[derive(Debug)]
pub(super) struct Blocks {
    out: String,
    room: Room,
    /// The items that the next one may be inside of.
    items: Vec<Open>,
    last: Kind,
}

/// Whether blocks stand close to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// With an empty line between.
    Block,
    /// As items of one list do.
    Item,
}

/// An item that others may be inside of.
#[derive(Clone, Copy, Debug)]
struct Open {
    list: i32,
    level: i32,
    indent: i32,
    /// How far what belongs to it is moved to the right.
    column: usize,
}

/// Differences of indents that nobody sees, in twentieths of a point.
const SAME_INDENT: i32 = 90;
/// Items inside of each other; deeper ones are written at this depth.
const ITEMS: usize = 12;
/// A table as wide as this gets no empty cells added.
const COLUMNS: usize = 64;

impl Blocks {
    pub(super) fn new(room: Room) -> Self {
        Self { out: String::new(), room, items: Vec::new(), last: Kind::Block }
    }

    /// Gives the text and is empty again.
    pub(super) fn take(&mut self) -> String {
        self.items.clear();
        self.last = Kind::Block;
        std::mem::take(&mut self.out)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Adds a paragraph.
    pub(super) fn add(&mut self, shape: &Shape, text: &str) {
        match shape {
            Shape::Plain(indent) => self.plain(*indent, text),
            Shape::Heading(level) => self.heading(*level, text),
            Shape::Item(item) => self.item(item, text),
        }
    }

    /// Adds text that has the form of blocks already.
    pub(super) fn add_blocks(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.items.clear();
            self.separate(Kind::Block);
            self.out.push_str(text);
        }
    }

    fn separate(&mut self, kind: Kind) {
        if !self.out.is_empty() {
            let tight = self.room == Room::Cell || (kind == Kind::Item && self.last == Kind::Item);
            self.out.push_str(if tight { "\n" } else { "\n\n" });
        }
        self.last = kind;
    }

    fn plain(&mut self, indent: i32, text: &str) {
        // What is indented as far as an item belongs to it.
        while self.items.last().is_some_and(|open| indent <= 0 || indent + SAME_INDENT < open.indent) {
            self.items.pop();
        }
        let column = self.items.last().map_or(0, |open| open.column);
        self.separate(Kind::Block);
        self.lines(text, column, column);
    }

    fn heading(&mut self, level: u8, text: &str) {
        self.items.clear();
        self.separate(Kind::Block);
        if self.room == Room::Page {
            self.out.extend(std::iter::repeat_n('#', usize::from(level.clamp(1, 6))));
            self.out.push(' ');
        }
        let words = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>();
        self.out.push_str(&words.join(" "));
    }

    fn item(&mut self, item: &Item, text: &str) {
        while self.items.last().is_some_and(|open| !is_inside(item, open)) {
            self.items.pop();
        }
        self.items.truncate(ITEMS);
        let column = self.items.last().map_or(0, |open| open.column);
        let inner = column + item.marker.sign.len() + 1;
        self.separate(Kind::Item);
        self.out.extend(std::iter::repeat_n(' ', column));
        self.out.push_str(&item.marker.sign);
        self.out.push(' ');
        if !item.marker.kept.is_empty() {
            self.out.push_str(&item.marker.kept);
            self.out.push(' ');
        }
        self.lines(text, 0, inner);
        self.items.push(Open { list: item.list, level: item.level, indent: item.indent, column: inner });
    }

    /// Writes lines, the first one and the others moved to the right so far.
    fn lines(&mut self, text: &str, first: usize, others: usize) {
        let mut column = first;
        let mut gap = "";
        for line in text.lines().map(str::trim) {
            if line.is_empty() {
                // Empty lines in a cell, and more than one of them anywhere, say nothing.
                gap = if self.room == Room::Page && !gap.is_empty() { "\n\n" } else { gap };
                continue;
            }
            self.out.push_str(gap);
            self.out.extend(std::iter::repeat_n(' ', column));
            self.out.push_str(line);
            (gap, column) = ("\n", others);
        }
    }

    /// Adds a table.
    pub(super) fn table(&mut self, rows: &[Vec<String>]) {
        let rows: Vec<_> = rows.iter().filter(|row| row.iter().any(|cell| !cell.is_empty())).collect();
        let columns = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        self.items.clear();
        match (self.room, rows.as_slice()) {
            (_, []) => {}
            // A frame round a text is no table.
            (Room::Page, [row]) if columns == 1 => {
                let text = row.concat();
                self.add_blocks(&text.lines().collect::<Vec<_>>().join("\n\n"));
            }
            (Room::Page, rows) => self.full_table(rows, columns),
            // A table cannot be inside of another one: its rows are lines there.
            (Room::Cell, rows) => {
                for row in rows {
                    self.separate(Kind::Block);
                    let cells: Vec<_> = row.iter().map(|cell| cell.lines().collect::<Vec<_>>().join(" ")).collect();
                    self.out.push_str(&cells.join(" | "));
                }
            }
        }
    }

    fn full_table(&mut self, rows: &[&Vec<String>], columns: usize) {
        self.separate(Kind::Block);
        for (index, row) in rows.iter().enumerate() {
            let mut cells: Vec<_> = row.iter().map(|cell| markdown::cell(cell)).collect();
            // Only the head must have all columns; adding them to each row of a wide table could fill the memory.
            let wanted = if index == 0 { columns } else { columns.min(COLUMNS) };
            while cells.len() < wanted {
                cells.push(String::new());
            }
            markdown::push_row(&mut self.out, &cells);
            if index == 0 {
                markdown::push_rule(&mut self.out, columns);
            }
        }
        self.out.truncate(self.out.trim_end_matches('\n').len());
    }
}

/// Whether an item is inside of one before it.
fn is_inside(item: &Item, open: &Open) -> bool {
    if item.list != 0 && item.list == open.list {
        item.level > open.level
    } else {
        item.indent > open.indent + SAME_INDENT
    }
}
