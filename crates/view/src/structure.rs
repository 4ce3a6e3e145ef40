//! Text by its structure: summaries, outlines, symbols and blocks.

mod listed;
mod lookup;
mod plan;
mod summary;

use readstone_address::{Mode, Select, Selector};
use readstone_base::{Note, Span};
use readstone_outline::{Outline, Sort, Starts};

use crate::error::Error;
use crate::room::Ask;
use crate::text::{Sheet, Text, finish, show};

pub use listed::{Sketch, files, sketch};

/// A text and what is declared in it.
#[derive(Debug)]
pub struct Structure<'a> {
    text: &'a str,
    outline: &'a Outline,
    starts: Starts,
}

impl<'a> Structure<'a> {
    /// The structure of a decoded text.
    pub fn new(text: &'a str, outline: &'a Outline) -> Self {
        Self { text, outline, starts: Starts::of(text) }
    }

    fn line(&self, number: u64) -> &'a str {
        self.starts.line(self.text, number)
    }

    /// How many lines there are.
    fn lines(&self) -> u64 {
        self.starts.count()
    }
}

/// Some lines, and the item that they are where they are one.
#[derive(Clone, Copy, Debug)]
struct Part {
    lines: Span,
    item: Option<usize>,
}

/// Shows what a selection names by its meaning, or the outline.
pub fn structured(text: &mut Text<'_>, known: &Structure<'_>, ask: &Ask<'_>) -> Result<Sheet, Error> {
    let part = lookup::part(known, ask)?;
    if ask.selector.mode == Mode::Outline {
        let mut sheet = listed::outline(text, known, part, ask)?;
        finish(text, &mut sheet);
        return Ok(sheet);
    }
    let whole = Selector { select: Select::Many(vec![part.lines]), mode: ask.selector.mode };
    let ask = &Ask { selector: &whole, ..*ask };
    let opens = part.item.and_then(|at| known.outline.items.get(at)).is_some_and(|item| item.sort == Sort::Scope);
    if ask.selector.mode == Mode::Plain && opens && !fits(known, part.lines, ask) {
        let mut sheet = summary::summary(text, known, part, ask)?;
        sheet.notes.extend(within(known.outline, part.lines));
        finish(text, &mut sheet);
        return Ok(sheet);
    }
    let mut sheet = show(text, ask)?;
    // What was asked for is there; what follows it is something else.
    if sheet.coverage.cut_by.is_none() {
        sheet.coverage.next = None;
    }
    sheet.notes.splice(0..0, within(known.outline, part.lines));
    Ok(sheet)
}

/// A summary of the whole text; `None` when it would say no more than its first page.
pub fn summary(text: &mut Text<'_>, known: &Structure<'_>, ask: &Ask<'_>) -> Result<Option<Sheet>, Error> {
    let part = Part { lines: Span::new(1, known.lines()), item: None };
    if !plan::is_worth(known) {
        return Ok(None);
    }
    let mut sheet = summary::summary(text, known, part, ask)?;
    if sheet.coverage.summary.is_none_or(|summary| summary.elided_spans == 0) {
        return Ok(None);
    }
    finish(text, &mut sheet);
    Ok(Some(sheet))
}

/// What lies around lines that begin inside it.
pub fn within(outline: &Outline, lines: Span) -> Option<Note> {
    let at = outline.around(lines)?;
    let around = outline.chain(at).iter().map(|item| item.label()).collect();
    Some(Note::Within { around, lines: outline.items.get(at)?.lines })
}

/// Whether lines fit on a page as they are.
fn fits(known: &Structure<'_>, lines: Span, ask: &Ask<'_>) -> bool {
    let room = plan::Room::of(ask);
    lines.count() <= room.lines && plan::cost_of(known, lines, ask) <= room.bytes
}
