//! What the library does not say of the paragraphs in lists: how deep they stand where each level has a numbering of
//! its own, which have bullets, and the text boxes that hang on them.
//!
//! Repair of `office_oxide`: an item of another numbering, or of a style such as `List Bullet 2`,
//! comes without its level. Shown by: `fault_items_of_another_numbering_lose_their_level`,
//! `fault_items_of_list_styles_lose_their_level`, `tests/all/office/flow.rs`.
//!
//! Repair of `office_oxide`: a text box on a list item runs into the item's own words. Shown by:
//! `fault_text_boxes_run_into_their_list_items`, `tests/all/office/flow.rs`.

use std::collections::{HashMap, VecDeque};

use office_oxide::docx::{BlockElement, DocxDocument, Paragraph, ParagraphContent, Run, RunContent};
use office_oxide::ir::{Element, List, ListItem, inline_to_text};

/// Levels and text boxes of paragraphs, by their letters; the outermost level is not kept.
#[derive(Default)]
pub(super) struct Levels {
    depths: HashMap<String, u8>,
    boxes: HashMap<String, String>,
    /// Whether paragraphs in lists have a bullet, where that is known better than the library knows it.
    pub(super) bullets: HashMap<String, VecDeque<bool>>,
}

impl Levels {
    /// The levels of a document.
    pub(super) fn of(document: &DocxDocument) -> Self {
        let mut found = Self::default();
        for element in &document.body.elements {
            let BlockElement::Paragraph(paragraph) = element else { continue };
            let level = paragraph.properties.as_ref().and_then(|properties| properties.numbering_ref.as_ref());
            if let Some(level) = level.map(|list| list.ilvl).filter(|level| *level > 0) {
                found.depths.insert(letters(&text_of(paragraph)), level);
            }
            let boxed = boxes_of(paragraph);
            if !boxed.is_empty() {
                found.boxes.insert(letters(&text_of(paragraph)), boxed);
            }
        }
        found
    }

    /// The level of a list, from 0.
    pub(super) fn level(&self, list: &List) -> usize {
        let Some(Element::Paragraph(first)) = list.items.first().and_then(|item| item.content.first()) else {
            return usize::from(list.level);
        };
        // The lists of styles such as `List Bullet 2` say it by that name alone.
        let named = first
            .style
            .as_deref()
            .filter(|name| name.starts_with("List ") || name.starts_with("list "))
            .and_then(|name| name.chars().last()?.to_digit(10))
            .and_then(|digit| usize::try_from(digit).ok()?.checked_sub(1))
            .unwrap_or(0);
        let told = self.depths.get(&letters(&inline_to_text(&first.content))).copied().unwrap_or(0);
        named.max(usize::from(told)).max(usize::from(list.level))
    }

    /// Whether the next item of a list has a bullet, where that is known.
    pub(super) fn has_bullet(&mut self, item: &ListItem) -> Option<bool> {
        if self.bullets.is_empty() {
            return None;
        }
        let Some(Element::Paragraph(first)) = item.content.first() else { return None };
        self.bullets.get_mut(&letters(&inline_to_text(&first.content)))?.pop_front()
    }

    /// What stands in the text boxes that hang on an item of a list.
    pub(super) fn boxes(&self, item: &ListItem) -> &str {
        if self.boxes.is_empty() {
            return "";
        }
        let Some(Element::Paragraph(first)) = item.content.first() else { return "" };
        self.boxes.get(&letters(&inline_to_text(&first.content))).map_or("", String::as_str)
    }
}

/// What stands in the text boxes of a paragraph, a line for each paragraph of theirs.
fn boxes_of(paragraph: &Paragraph) -> String {
    let mut out = String::new();
    for content in &paragraph.content {
        let ParagraphContent::Run(run) = content else { continue };
        for content in &run.content {
            let RunContent::TextBox(blocks) = content else { continue };
            for block in blocks {
                let BlockElement::Paragraph(inner) = block else { continue };
                let text = text_of(inner);
                if !text.trim().is_empty() {
                    out.push_str(text.trim());
                    out.push('\n');
                }
            }
        }
    }
    out
}

fn text_of(paragraph: &Paragraph) -> String {
    let mut out = String::new();
    for content in &paragraph.content {
        match content {
            ParagraphContent::Run(run) => push_run(&mut out, run),
            ParagraphContent::Hyperlink(link) => link.runs.iter().for_each(|run| push_run(&mut out, run)),
        }
    }
    out
}

fn push_run(out: &mut String, run: &Run) {
    for content in &run.content {
        if let RunContent::Text(text) = content {
            out.push_str(text);
        }
    }
}

/// The letters of a text, by which paragraphs are compared.
pub(super) fn letters(text: &str) -> String {
    text.chars().filter(|sign| sign.is_alphanumeric()).take(200).collect()
}
