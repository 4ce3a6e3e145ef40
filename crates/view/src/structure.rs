//! Text by its structure: summaries, outlines, symbols and blocks.

mod listed;
mod lookup;
mod plan;
mod summary;

use std::collections::HashMap;

use readstone_address::{Mode, Select, Selector};
use readstone_base::{Block, Note, Rows, Span, Visible};
use readstone_outline::{GAP, Item, Outline, Sort, Starts};

use crate::error::Error;
use crate::lines::past_end;
use crate::room::Ask;
use crate::text::{Sheet, Text, finish, show};

pub use listed::{Sketch, files, files_on_page};

/// Characters of a name in the line about what lies around.
const MOST_LABEL: usize = 60;
/// A summary of fewer rows says less than a page of text.
const FEWEST_ROWS: usize = 5;
/// Names in that line.
const MOST_AROUND: usize = 5;

/// A text and what is declared in it.
#[derive(Debug)]
pub struct Structure<'a> {
    text: &'a str,
    outline: &'a Outline,
    starts: Starts,
    /// Where the text begins among the bytes of the file, when they are the same.
    offset: Option<u64>,
    /// For each item, the first one behind all that lies in it.
    behind: Vec<usize>,
    /// For each item, how many declarations lie in it, without what lies in functions.
    names: Vec<u64>,
    /// The items with each name.
    called: HashMap<&'a str, Vec<usize>>,
}

impl<'a> Structure<'a> {
    /// The structure of a decoded text. `offset` is where it begins among the bytes of the file, when they are the same.
    pub fn new(text: &'a str, outline: &'a Outline, offset: Option<u64>) -> Self {
        let items = &outline.items;
        let (mut behind, mut names) = ((1..=items.len()).collect::<Vec<_>>(), vec![0; items.len()]);
        for (at, item) in items.iter().enumerate().rev() {
            let Some(parent) = item.parent.filter(|parent| *parent < at) else {
                continue;
            };
            let end = behind.get(at).copied().unwrap_or(at + 1);
            let inside = if item.sort == Sort::Scope { names.get(at).copied().unwrap_or(0) } else { 0 };
            if let (Some(behind), Some(names)) = (behind.get_mut(parent), names.get_mut(parent)) {
                *behind = end.max(*behind);
                *names += 1 + inside;
            }
        }
        let mut called: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, item) in items.iter().enumerate() {
            called.entry(item.name.as_str()).or_default().push(at);
        }
        Self { text, outline, starts: Starts::of(text), offset, behind, names, called }
    }

    /// The items that lie directly in another one, or in none.
    fn children(&self, parent: Option<usize>) -> impl Iterator<Item = (usize, &'a Item)> {
        let mut at = parent.map_or(0, |parent| parent + 1);
        let end = parent.map_or(self.behind.len(), |parent| self.behind.get(parent).copied().unwrap_or(0));
        std::iter::from_fn(move || {
            let here = at;
            at = self.behind.get(here).copied().filter(|_| here < end)?;
            Some((here, self.outline.items.get(here)?))
        })
    }

    /// How many declarations lie in an item.
    fn names_in(&self, at: usize) -> u64 {
        self.names.get(at).copied().unwrap_or(0)
    }

    /// What is declared in an item, without what lies in functions.
    fn inside(&self, at: usize) -> impl Iterator<Item = &'a Item> {
        let end = self.behind.get(at).copied().unwrap_or(0);
        let items = (at + 1..end).filter_map(|at| self.outline.items.get(at));
        let outer = self.outline.items.get(at);
        items.filter(move |item| {
            let parent = item.parent.and_then(|at| self.outline.items.get(at));
            parent.is_some_and(|parent| parent.sort == Sort::Scope || Some(parent) == outer)
        })
    }

    fn is_scope(&self, at: usize) -> bool {
        self.outline.items.get(at).is_some_and(|item| item.sort == Sort::Scope)
    }

    /// What finds an item and nothing else.
    fn symbol(&self, at: usize) -> Option<String> {
        let name = &self.outline.items.get(at)?.name;
        self.outline.symbol_among(at, self.called.get(name.as_str())?)
    }

    /// Where a line begins in the file, where that can be told.
    fn place_of(&self, line: u64) -> Option<u64> {
        Some(self.offset? + self.starts.offset(line) as u64)
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
    let plain = Selector { select: Select::All, mode: Mode::Plain };
    if part.lines.first > known.lines() {
        let mut sheet = past_end(&Ask { selector: &plain, ..*ask }, part.lines.first, known.lines());
        finish(text, &mut sheet);
        return Ok(sheet);
    }
    if ask.selector.mode == Mode::Outline {
        // What is left of a long line is text.
        let mut sheet = listed::outline(text, known, part, &Ask { selector: &plain, ..*ask })?;
        finish(text, &mut sheet);
        return Ok(sheet);
    }
    let whole = Selector { select: Select::Many(vec![part.lines]), mode: ask.selector.mode };
    let ask = &Ask { selector: &whole, ..*ask };
    let opens = part.item.is_some_and(|at| known.is_scope(at) || known.names_in(at) > 0);
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
    if sheet.coverage.summary.is_none_or(|summary| summary.elided_spans == 0) || !tells(&sheet) {
        return Ok(None);
    }
    finish(text, &mut sheet);
    Ok(Some(sheet))
}

/// Whether a summary tells more than that there is something.
fn tells(sheet: &Sheet) -> bool {
    let enough = |rows: &Rows| rows.len() >= FEWEST_ROWS || rows.iter().any(|row| row.inside.is_some());
    sheet.blocks.iter().filter_map(Block::rows).any(enough)
}

/// What lies around lines that begin inside it.
pub fn within(outline: &Outline, lines: Span) -> Option<Note> {
    let at = outline.around(lines)?;
    let chain = outline.chain(at);
    let told = |item: &&Item| {
        let label = Visible::of(&item.label()).text.into_owned();
        match label.char_indices().nth(MOST_LABEL) {
            Some((end, _)) => format!("{}{GAP}", label.get(..end).unwrap_or_default()),
            None => label,
        }
    };
    let mut around: Vec<String> = chain.iter().map(told).collect();
    if around.len() > MOST_AROUND {
        // The outermost and the innermost say most.
        around.splice(1..=around.len() - MOST_AROUND + 1, [GAP.to_owned()]);
    }
    Some(Note::Within { around, lines: outline.items.get(at)?.lines })
}

/// Whether lines fit on a page as they are.
fn fits(known: &Structure<'_>, lines: Span, ask: &Ask<'_>) -> bool {
    let room = plan::Room::of(ask);
    lines.count() <= room.lines && plan::cost_of(known, lines, ask) <= room.bytes
}
