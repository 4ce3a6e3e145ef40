//! A stream of paragraphs and tables: the document itself, a footnote, a text box.

use super::blocks::{Blocks, Room, Shape};
use super::inline::Inline;
use super::state::Paragraph;

/// A stream that is being read.
#[derive(Debug)]
pub(super) struct Flow {
    pub(super) inline: Inline,
    /// The number or bullet that the file has written before the paragraph.
    pub(super) label: Option<String>,
    /// The form that the paragraph had where its text stood.
    pub(super) seen: Option<Paragraph>,
    blocks: Blocks,
    /// The tables that are open, each in a cell of the one before.
    tables: Vec<Table>,
    /// Cells that the row will have; 0 where no row is open.
    edges: usize,
    /// Text boxes, which come after the paragraph they are fixed to.
    frames: Vec<String>,
}

#[derive(Debug)]
struct Table {
    rows: Vec<Vec<String>>,
    cells: Vec<String>,
    cell: Blocks,
}

/// Tables inside of each other; deeper ones count as this deep.
const TABLES: usize = 8;

impl Flow {
    pub(super) fn new() -> Self {
        Self {
            inline: Inline::default(),
            label: None,
            seen: None,
            blocks: Blocks::new(Room::Page),
            tables: Vec::new(),
            edges: 0,
            frames: Vec::new(),
        }
    }

    /// A row is described.
    pub(super) fn begin_row(&mut self) {
        self.edges = 0;
    }

    /// A cell of the row is described.
    pub(super) fn edge(&mut self) {
        self.edges += 1;
    }

    /// How deep in tables a paragraph of this form is: those between the cells of a row are inside, whatever they say.
    pub(super) fn depth(&self, paragraph: &Paragraph) -> usize {
        let cells = self.tables.first().map_or(0, |table| table.cells.len());
        paragraph.tables().clamp(usize::from(0 < cells && cells < self.edges), TABLES)
    }

    /// Adds a paragraph, in the cell of the table this deep; 0 is outside of tables.
    pub(super) fn add(&mut self, depth: usize, shape: &Shape, text: &str) {
        self.settle(depth);
        if !text.is_empty() {
            self.target().add(shape, text);
        }
        for frame in std::mem::take(&mut self.frames) {
            self.target().add_blocks(&frame);
        }
    }

    /// Adds a text box to the paragraph.
    pub(super) fn add_frame(&mut self, text: String) {
        if !text.is_empty() {
            self.frames.push(text);
        }
    }

    /// Whether the paragraph has nothing in it.
    pub(super) fn is_between(&self) -> bool {
        self.inline.is_blank() && self.frames.is_empty()
    }

    /// The cell of the table this deep is complete.
    pub(super) fn end_cell(&mut self, depth: usize) {
        self.settle(depth.clamp(1, TABLES));
        if let Some(table) = self.tables.last_mut() {
            let text = table.cell.take();
            table.cells.push(text);
        }
    }

    /// The row of the table this deep is complete.
    pub(super) fn end_row(&mut self, depth: usize) {
        self.settle(depth.clamp(1, TABLES));
        if let Some(table) = self.tables.last_mut() {
            table.end_row();
        }
        self.edges = 0;
    }

    /// All text, where nothing comes any more.
    pub(super) fn finish(&mut self) -> String {
        self.settle(0);
        self.blocks.take()
    }

    fn target(&mut self) -> &mut Blocks {
        match self.tables.last_mut() {
            Some(table) => &mut table.cell,
            None => &mut self.blocks,
        }
    }

    /// Closes or opens tables until so many are open.
    fn settle(&mut self, depth: usize) {
        while self.tables.len() > depth {
            let Some(mut table) = self.tables.pop() else { return };
            table.end_row();
            self.target().table(&table.rows);
        }
        while self.tables.len() < depth {
            self.tables.push(Table { rows: Vec::new(), cells: Vec::new(), cell: Blocks::new(Room::Cell) });
        }
    }
}

impl Table {
    fn end_row(&mut self) {
        if !self.cell.is_empty() {
            let text = self.cell.take();
            self.cells.push(text);
        }
        if !self.cells.is_empty() {
            self.rows.push(std::mem::take(&mut self.cells));
        }
    }
}
