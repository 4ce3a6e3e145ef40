//! Paragraphs, lists and tables in Markdown.

use office_oxide::ir::{Element, List, ListItem, Note, TableCell};

use super::inline::{self, Weight};
use super::levels::Levels;
use super::notes::{Kind, Notes};
use super::{marker, table};

/// Writes the blocks of one section.
pub(super) struct Writer {
    pub(super) notes: Notes,
    /// Whether something was met that is seen but has no text.
    pub(super) picture: bool,
    /// The level of the headings of slides, where a slide has its own; otherwise as they are.
    pub(super) heading: Option<u8>,
    /// How deep lists stand that were cut apart.
    pub(super) levels: Levels,
    /// The widths of the marks of the list above, level by level, while nothing else follows it.
    above: Vec<usize>,
    depth: usize,
    deepest: usize,
}

impl Writer {
    /// Nothing nested deeper than `deepest` is followed.
    pub(super) fn new(deepest: u64) -> Self {
        let deepest = usize::try_from(deepest).unwrap_or(usize::MAX).min(512);
        Self {
            notes: Notes::default(),
            picture: false,
            heading: None,
            levels: Levels::default(),
            above: Vec::new(),
            depth: 0,
            deepest,
        }
    }

    /// Adds blocks, each after a blank line.
    pub(super) fn blocks(&mut self, out: &mut String, elements: &[Element]) {
        if self.depth >= self.deepest {
            return;
        }
        self.depth += 1;
        self.above.clear();
        for element in elements {
            if let Element::List(list) = element {
                self.top_list(out, list);
            } else {
                self.above.clear();
                self.block(out, element);
            }
        }
        self.above.clear();
        self.depth -= 1;
    }

    /// Repair of `office_oxide`: a paragraph in the style `Title` is not a heading. Shown by:
    /// `fault_titles_are_no_headings`.
    fn block(&mut self, out: &mut String, element: &Element) {
        match element {
            Element::Heading(heading) => {
                let text = inline::line(&heading.content, Weight::Dropped, &mut self.notes);
                let text = super::notes::one_line(&text);
                if !text.is_empty() {
                    separate(out);
                    let level = self.heading.unwrap_or_else(|| heading.clamped_level());
                    out.extend(std::iter::repeat_n('#', usize::from(level.clamp(1, 6))));
                    out.push(' ');
                    out.push_str(&text);
                }
            }
            Element::Paragraph(paragraph) => {
                let title = paragraph.style.as_deref() == Some("Title");
                let weight = if title { Weight::Dropped } else { Weight::Shown };
                let text = inline::line(&paragraph.content, weight, &mut self.notes);
                if title && !text.trim().is_empty() {
                    separate(out);
                    out.push_str("# ");
                    out.push_str(&super::notes::one_line(&text));
                } else {
                    push_paragraph(out, &text);
                }
            }
            Element::Table(table) => table::push(self, out, table),
            Element::List(list) => self.top_list(out, list),
            Element::Image(image) => self.image(out, image.alt_text.as_deref()),
            Element::TextBox(box_) => self.blocks(out, &box_.content),
            Element::Footnote(note) => self.note(note, Kind::Foot),
            Element::Endnote(note) => self.endnote(note),
            Element::CodeBlock(code) => {
                separate(out);
                out.push_str("```\n");
                inline::push_clean(out, code.content.trim_end());
                out.push_str("\n```");
            }
            Element::ThematicBreak if out.is_empty() => {}
            Element::ThematicBreak => {
                separate(out);
                out.push_str("---");
            }
            Element::Shape(_) => self.picture = true,
            // What later versions add cannot be named; breaks carry no text.
            Element::PageBreak | Element::ColumnBreak | _ => {}
        }
    }

    fn image(&mut self, out: &mut String, alternative: Option<&str>) {
        self.picture = true;
        let text = super::notes::one_line(alternative.unwrap_or_default());
        if !text.is_empty() {
            separate(out);
            push_image(out, &text);
        }
    }

    fn note(&mut self, note: &Note, kind: Kind) {
        let text = self.apart(&note.content);
        if !text.is_empty() {
            self.notes.note(kind, note.id, text);
        }
    }

    /// An endnote, or a comment, which the library hands over as one.
    fn endnote(&mut self, note: &Note) {
        let comment = note.author.is_some() || note.marker.as_deref() == Some("Comment");
        if comment {
            let text = self.apart(&note.content);
            self.notes.comment(Some(note.id), note.author.as_deref(), &text);
        } else {
            self.note(note, Kind::End);
        }
    }

    /// Blocks as a text of their own.
    pub(super) fn apart(&mut self, elements: &[Element]) -> String {
        let mut text = String::new();
        self.blocks(&mut text, elements);
        text
    }

    /// Adds a list. One of a deeper level right behind another belongs into it: a change of numbering cuts lists apart.
    fn top_list(&mut self, out: &mut String, list: &List) {
        let above = std::mem::take(&mut self.above);
        let level = self.levels.level(list).min(above.len());
        let indent: usize = above.iter().take(level).sum();
        if above.len() > 1 || level > 0 {
            line_break(out);
        } else {
            separate(out);
        }
        let mut text = String::new();
        self.list(&mut text, list, &mut Vec::new());
        for (index, line) in text.lines().enumerate() {
            if index > 0 {
                out.push('\n');
            }
            out.extend(std::iter::repeat_n(' ', indent));
            out.push_str(line);
        }
        let more = u64::try_from(list.items.len().saturating_sub(1)).unwrap_or(0);
        let mark = marker::of(list, &[u64::from(list.start_number.unwrap_or(1)).saturating_add(more)]);
        self.above = above.into_iter().take(level).collect();
        self.above.push(mark.chars().count() + 1);
    }

    /// Adds a list; `counters` are the numbers of the items around it.
    fn list(&mut self, out: &mut String, list: &List, counters: &mut Vec<u64>) {
        if self.depth >= self.deepest {
            return;
        }
        self.depth += 1;
        let mut number = u64::from(list.start_number.unwrap_or(1));
        for item in &list.items {
            counters.push(number);
            if self.levels.has_bullet(item) == Some(true) {
                self.item(out, item, "-", counters);
            } else {
                self.item(out, item, &marker::of(list, counters), counters);
                number = number.saturating_add(1);
            }
            counters.pop();
        }
        self.depth -= 1;
    }

    fn item(&mut self, out: &mut String, item: &ListItem, mark: &str, counters: &mut Vec<u64>) {
        let text = self.apart(&item.content);
        let mut body = text.trim().replace("\n\n", "\n");
        let boxed = self.levels.boxes(item).trim_end();
        if !boxed.is_empty() {
            body.push('\n');
            body.push_str(boxed);
        }
        if let Some(nested) = &item.nested {
            if !body.is_empty() {
                body.push('\n');
            }
            self.list(&mut body, nested, counters);
        }
        if body.trim().is_empty() {
            return;
        }
        line_break(out);
        // An item that only holds a list inside needs no mark of its own.
        let bare = text.trim().is_empty();
        let indent = if bare { 2 } else { mark.chars().count() + 1 };
        for (index, line) in body.lines().enumerate() {
            if index > 0 {
                out.push('\n');
            }
            if index == 0 && !bare {
                out.push_str(mark);
                out.push(' ');
            } else if !line.is_empty() {
                out.extend(std::iter::repeat_n(' ', indent));
            }
            out.push_str(line);
        }
    }

    /// What stands in a cell, each block on a line of its own.
    pub(super) fn cell(&mut self, cell: &TableCell) -> String {
        let text = self.apart(&cell.content);
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| !table::is_rule(line))
            .map(table::inner)
            .filter(|line| !line.is_empty())
            .collect();
        lines.join("\n")
    }
}

fn push_paragraph(out: &mut String, text: &str) {
    let text = text.trim();
    // The library's word that it did not copy pictures; none are shown here anyway.
    if text.is_empty() || text.starts_with("[some pictures not shown:") {
        return;
    }
    separate(out);
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        out.push_str(line.trim_end());
    }
}

/// Ends the block before, with a blank line.
pub(super) fn separate(out: &mut String) {
    let kept = out.trim_end_matches('\n').len();
    out.truncate(kept);
    if !out.is_empty() {
        out.push_str("\n\n");
    }
}

/// Ends the line before.
fn line_break(out: &mut String) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

/// Adds what a picture is said to show.
pub(super) fn push_image(out: &mut String, words: &str) {
    out.push_str("![");
    out.push_str(&words.replace('[', "(").replace(']', ")"));
    out.push_str("]()");
}
