//! What control words and symbols do.

use super::blocks::{Item, Shape};
use super::lists::Marker;
use super::reader::Reader;
use super::state::{Marks, Paragraph, Place};

/// The character that a control word stands for.
pub(super) fn sign(name: &[u8]) -> Option<&'static str> {
    let sign = match name {
        b"tab" => "\t",
        b"line" | b"lbr" | b"softline" => "\n",
        b"emdash" => "—",
        b"endash" => "–",
        b"lquote" => "‘",
        b"rquote" => "’",
        b"ldblquote" => "“",
        b"rdblquote" => "”",
        b"bullet" => "•",
        b"emspace" => "\u{2003}",
        b"enspace" => "\u{2002}",
        b"qmspace" => "\u{2005}",
        b"zwj" => "\u{200d}",
        b"zwnj" => "\u{200c}",
        b"ltrmark" => "\u{200e}",
        b"rtlmark" => "\u{200f}",
        _ => return None,
    };
    Some(sign)
}

impl Reader<'_> {
    pub(super) fn symbol(&mut self, symbol: u8) {
        match symbol {
            b'~' => self.put("\u{a0}"),
            b'_' => self.put("\u{2011}"),
            b'\n' | b'\r' => self.end_paragraph(),
            b'\t' => self.put("\t"),
            // An optional hyphen, a subentry of an index, a formula character: nothing that is seen.
            _ => {}
        }
    }

    pub(super) fn word(&mut self, name: &[u8], number: Option<i32>) {
        match self.now.place {
            Place::Fonts => self.fonts.word(name, number),
            Place::Styles => self.styles.word(name, number),
            Place::Lists => self.lists.word(name, number),
            Place::Overrides => self.lists.choice(name, number),
            Place::Form(field) => {
                if let Some(field) = self.fields.get_mut(field) {
                    field.form.word(name, number);
                }
            }
            Place::Body | Place::Label | Place::Instruction(_) | Place::Choice(_) | Place::Between => {
                self.text_word(name, number);
            }
        }
    }

    /// A control word where text may be.
    fn text_word(&mut self, name: &[u8], number: Option<i32>) {
        let value = number.unwrap_or(0);
        match name {
            b"f" => self.now.font = value,
            b"plain" => {
                self.now.marks = Marks::default();
                self.now.font = -1;
            }
            b"b" => self.mark(Marks::BOLD, number),
            b"i" => self.mark(Marks::ITALIC, number),
            b"strike" | b"striked" => self.mark(Marks::STRIKE, number),
            b"v" => self.mark(Marks::HIDDEN, number),
            b"deleted" => self.mark(Marks::DELETED, number),
            b"super" => self.mark(Marks::RAISED, number),
            b"sub" => self.mark(Marks::LOWERED, number),
            b"nosupersub" => self.now.marks = self.now.marks.without(Marks::RAISED).without(Marks::LOWERED),
            b"uc" => self.now.substitutes = u32::try_from(value).unwrap_or(1).min(16),
            b"ansicpg" => self.fonts.set_page(value),
            b"mac" => self.fonts.set_page(10000),
            b"pc" => self.fonts.set_page(437),
            b"pca" => self.fonts.set_page(850),
            b"deff" => self.fonts.default = value,
            _ if self.now.place == Place::Label => {}
            _ => self.paragraph_word(name, value),
        }
    }

    fn mark(&mut self, mark: Marks, number: Option<i32>) {
        let marks = self.now.marks;
        self.now.marks = if number == Some(0) { marks.without(mark) } else { marks.with(mark) };
    }

    fn paragraph_word(&mut self, name: &[u8], value: i32) {
        let paragraph = &mut self.now.paragraph;
        match name {
            b"pard" => *paragraph = Paragraph::default(),
            b"s" => paragraph.style = value,
            b"outlinelevel" => paragraph.outline = Some(value),
            b"ls" => paragraph.list = value,
            b"ilvl" => paragraph.list_level = value,
            b"li" | b"lin" => paragraph.indent = value,
            b"fi" => paragraph.first_indent = value,
            b"intbl" => paragraph.in_table = true,
            b"itap" => paragraph.nested = usize::try_from(value).unwrap_or(0),
            _ => self.structure_word(name),
        }
    }

    fn structure_word(&mut self, name: &[u8]) {
        let between = self.now.place == Place::Between;
        match name {
            b"nestrow" => self.end_row(self.now.paragraph.nested.max(2)),
            _ if between => {}
            b"par" | b"sect" => self.end_paragraph(),
            // They end a line inside of a paragraph, or stand before its text.
            b"page" | b"column" if self.flows.last().is_some_and(|flow| !flow.is_between()) => self.end_paragraph(),
            b"cell" => self.end_cell(1),
            b"nestcell" => self.end_cell(self.now.paragraph.nested.max(2)),
            b"row" => self.end_row(1),
            b"trowd" => {
                if let Some(flow) = self.flows.last_mut() {
                    flow.begin_row();
                }
            }
            b"cellx" => {
                if let Some(flow) = self.flows.last_mut() {
                    flow.edge();
                }
            }
            _ => {}
        }
    }

    /// The paragraph is complete.
    pub(super) fn end_paragraph(&mut self) {
        let Some(flow) = self.flows.last() else { return };
        let paragraph = flow.seen.unwrap_or(self.now.paragraph);
        self.end_paragraph_in(paragraph, flow.depth(&paragraph));
    }

    fn end_paragraph_in(&mut self, paragraph: Paragraph, depth: usize) {
        let Some(flow) = self.flows.last_mut() else { return };
        let text = flow.inline.take();
        let label = flow.label.take();
        flow.seen = None;
        let (shape, text) = self.shape(paragraph, label.as_deref(), &text);
        if let Some(flow) = self.flows.last_mut() {
            flow.add(depth, &shape, &text);
        }
    }

    fn end_cell(&mut self, depth: usize) {
        self.spend(3);
        let Some(flow) = self.flows.last_mut() else { return };
        if !flow.is_between() {
            let paragraph = flow.seen.unwrap_or(self.now.paragraph);
            self.end_paragraph_in(paragraph, depth);
        }
        if let Some(flow) = self.flows.last_mut() {
            (flow.label, flow.seen) = (None, None);
            flow.end_cell(depth);
        }
    }

    fn end_row(&mut self, depth: usize) {
        let Some(flow) = self.flows.last_mut() else { return };
        if !flow.is_between() {
            let paragraph = flow.seen.unwrap_or(self.now.paragraph);
            self.end_paragraph_in(paragraph, depth);
        }
        if let Some(flow) = self.flows.last_mut() {
            flow.end_row(depth);
        }
    }

    /// What a paragraph is, and its text without what is said by that.
    fn shape(&mut self, paragraph: Paragraph, label: Option<&str>, text: &str) -> (Shape, String) {
        if text.is_empty() {
            return (Shape::Plain(0), String::new());
        }
        if let Some(level) = self.styles.heading(paragraph.style, paragraph.outline) {
            let label = label.map_or("", str::trim);
            let text = if label.is_empty() { text.to_owned() } else { format!("{label} {text}") };
            return (Shape::Heading(level), text);
        }
        let marker = match (paragraph.list, label) {
            (0, None) => None,
            (list, label) => self.lists.marker(list, paragraph.list_level, label).map(|marker| (marker, text)),
        };
        let by_looks = || if paragraph.first_indent < 0 { Marker::by_looks(text) } else { None };
        match marker.or_else(by_looks) {
            Some((marker, text)) => {
                let (list, level) = (paragraph.list, paragraph.list_level);
                (Shape::Item(Item { list, level, indent: paragraph.indent, marker }), text.to_owned())
            }
            None => (Shape::Plain(paragraph.indent), text.to_owned()),
        }
    }
}
