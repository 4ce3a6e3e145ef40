//! Outlines: what is declared, a row each.

use readstone_address::Select;
use readstone_base::{Block, FileRows, Label, Note, Rows, Span, Unit, Visible};
use readstone_outline::{GAP, Item, Outline, Sort};

use super::plan::{Fold, Planned, Room, fold_cost};
use super::summary::shown;
use super::{Part, Structure};
use crate::compose::width;
use crate::error::Error;
use crate::room::Ask;
use crate::text::{Sheet, Text};

/// Rows of a file in the outline of a directory, and names.
const MOST_ROWS: usize = 2_000;
const MOST_NAMES: usize = 40;
/// Characters of a row that stands for a declaration.
const MOST_CHARS: usize = 240;

/// Shows what is declared in a part of a text.
pub(super) fn outline(text: &mut Text<'_>, known: &Structure<'_>, part: Part, ask: &Ask<'_>) -> Result<Sheet, Error> {
    let room = Room::of(ask);
    // As many levels as fit; where not even one does, the page is cut.
    let depths = depths(known.outline, part);
    let levels = (0..=depths.iter().flatten().copied().max().unwrap_or(0)).rev();
    let mut plan = Vec::new();
    for depth in levels {
        plan = rows(known, part, (&depths, depth), &|lines| !super::fits(known, lines, ask));
        let bytes: u64 = plan.iter().map(|row| cost(known, row, ask)).sum();
        if plan.len() as u64 <= room.lines && bytes <= room.bytes {
            break;
        }
    }
    shown(text, known, (part, &plan), ask)
}

/// For each item that is shown in a part, in how many others that are it lies.
fn depths(outline: &Outline, part: Part) -> Vec<Option<usize>> {
    let mut depths: Vec<Option<usize>> = Vec::with_capacity(outline.items.len());
    for item in &outline.items {
        let inside = part.lines.contains(item.lines.first) && item.lines.last <= part.lines.last;
        // What the part itself is, is no level.
        let around = item.parent.filter(|at| Some(*at) != part.item).and_then(|at| depths.get(at).copied().flatten());
        let shown = inside && !is_hidden(outline, item, part.item);
        depths.push(shown.then(|| around.map_or(0, |depth| depth + 1)));
    }
    depths
}

/// A row for each declaration in a part, down to a depth.
fn rows(
    known: &Structure<'_>,
    part: Part,
    (depths, most): (&[Option<usize>], usize),
    is_long: &dyn Fn(Span) -> bool,
) -> Vec<Planned> {
    let mut rows: Vec<Planned> = Vec::new();
    let items = known.outline.items.iter().enumerate().zip(depths);
    for ((index, item), depth) in items.filter_map(|(item, depth)| Some((item, (*depth)?))) {
        // Of several on one line the first stands for all.
        let again = matches!(rows.last(), Some(Planned::Keep(kept)) if *kept == item.lines);
        if depth > most || again {
            continue;
        }
        let names = if part.item == Some(index) { 0 } else { known.names_in(index) };
        let closed = names > 0 && if item.sort == Sort::Scope { depth == most } else { is_long(item.lines) };
        let names = if closed { names } else { 0 };
        rows.push(if item.lines.first == item.lines.last {
            Planned::Keep(item.lines)
        } else {
            Planned::Fold(Fold { lines: item.lines, text: signature(known, item), item: Some(index), names })
        });
    }
    rows
}

/// Whether an item lies in a function, and not in the one whose outline is asked for.
fn is_hidden(outline: &Outline, item: &Item, asked: Option<usize>) -> bool {
    let mut next = item.parent;
    while let Some((at, parent)) = next.and_then(|at| Some((at, outline.items.get(at)?))) {
        if Some(at) == asked {
            return false;
        }
        if parent.sort == Sort::Leaf {
            return true;
        }
        next = parent.parent;
    }
    false
}

/// What stands before the body of a declaration, on one line.
pub(super) fn signature(known: &Structure<'_>, item: &Item) -> String {
    let own = |line| known.line(line);
    let last = item.fold.clone().unwrap_or_else(|| own(item.head).trim_end().to_owned());
    let mut text = last;
    if item.start < item.head {
        let indent: String = own(item.start).chars().take_while(|sign| sign.is_whitespace()).collect();
        let before = (item.start..item.head).map(|line| own(line).trim()).collect::<Vec<_>>().join(" ");
        text = format!("{indent}{before} {}", text.trim_start());
    }
    match text.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => format!("{} {GAP}", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

fn cost(known: &Structure<'_>, row: &Planned, ask: &Ask<'_>) -> u64 {
    match row {
        Planned::Keep(lines) => super::plan::cost_of(known, *lines, ask),
        Planned::Fold(fold) => fold_cost(&fold.text, fold.lines, fold.names, ask),
    }
}

/// What is declared in a file, in as much detail as there may be room for.
#[derive(Clone, Debug, Default)]
pub struct Sketch {
    /// The file's name, from the directory on that is shown.
    pub name: String,
    lines: Option<u64>,
    /// Rows for everything, and for what is at the top; none when a page could not hold them.
    all: Option<Rows>,
    top: Option<Rows>,
    /// What is at the top, or the first of it, and how much that is.
    names: Vec<String>,
    count: usize,
}

impl Sketch {
    /// A file of which only the name is known.
    pub fn bare(name: String) -> Self {
        Self { name, ..Self::default() }
    }

    /// Adds what is declared in it.
    pub fn fill(&mut self, known: &Structure<'_>) {
        let top = known.children(None).map(|(_, item)| Visible::of(&item.label()).text.into_owned());
        self.names = top.take(MOST_NAMES).collect();
        self.names.dedup();
        self.count = known.children(None).count().max(self.names.len());
        self.lines = Some(known.lines());
        (self.all, self.top) = (rows_of(known, usize::MAX), rows_of(known, 0));
    }

    /// Whether a page could hold so much of it.
    fn has(&self, level: Level) -> bool {
        match level {
            Level::All => self.lines.is_none() || self.all.is_some(),
            Level::Top => self.lines.is_none() || self.top.is_some(),
            Level::Names(_) => true,
        }
    }

    fn told(&self, level: Level) -> FileRows {
        let bare = FileRows { name: self.name.clone(), lines: self.lines, ..FileRows::default() };
        match level {
            Level::All => FileRows { rows: self.all.clone().unwrap_or_default(), ..bare },
            Level::Top => FileRows { rows: self.top.clone().unwrap_or_default(), ..bare },
            Level::Names(most) => {
                let names: Vec<String> = self.names.iter().take(most).cloned().collect();
                FileRows { more: (self.count - names.len()) as u64, names, ..bare }
            }
        }
    }
}

/// The files from the first that is asked for to the last that could have a row on the page.
pub fn files_on_page(sketches: &[Sketch], ask: &Ask<'_>) -> std::ops::Range<usize> {
    let span = ask.selector.select.span().unwrap_or(Span::new(1, u64::MAX));
    let first = usize::try_from(span.first - 1).unwrap_or(usize::MAX).min(sketches.len());
    let count = usize::try_from(span.count().min(Room::of(ask).lines)).unwrap_or(usize::MAX);
    let mut bytes = 0;
    let fits = |sketch: &&Sketch| {
        bytes += size_of(&sketch.told(Level::Names(0)));
        bytes <= Room::of(ask).bytes
    };
    let fitting = sketches.iter().skip(first).take(count).take_while(fits).count();
    first..first + fitting.max(1).min(sketches.len() - first)
}

/// A row for each declaration down to a depth, when there are not too many for any page.
fn rows_of(known: &Structure<'_>, depth: usize) -> Option<Rows> {
    let mut all = Rows::default();
    let part = Part { lines: Span::new(1, known.lines()), item: None };
    let planned = rows(known, part, (&depths(known.outline, part), depth), &|_| false);
    if planned.len() > MOST_ROWS {
        return None;
    }
    for row in planned {
        match row {
            Planned::Keep(lines) => {
                let line: String = known.line(lines.first).chars().take(MOST_CHARS).collect();
                all.push(Label::Line(lines.first), &Visible::of(&line).text, None);
            }
            Planned::Fold(fold) => all.push_fold(fold.lines, &Visible::of(&fold.text).text, None),
        }
    }
    Some(all)
}

/// How much of each file is told.
#[derive(Clone, Copy)]
enum Level {
    All,
    Top,
    Names(usize),
}

/// From much to little.
const LEVELS: [Level; 11] = [
    Level::All,
    Level::Top,
    Level::Names(40),
    Level::Names(20),
    Level::Names(12),
    Level::Names(8),
    Level::Names(5),
    Level::Names(3),
    Level::Names(2),
    Level::Names(1),
    Level::Names(0),
];

/// Shows what is declared in the files from a number on, in the same detail for all of them.
pub fn files(sketches: &[Sketch], ask: &Ask<'_>) -> Sheet {
    let span = ask.selector.select.span().unwrap_or(Span::new(1, u64::MAX));
    let total = sketches.len() as u64;
    let page = files_on_page(sketches, ask);
    let last = page.end as u64 >= span.last.min(total);
    let wanted = sketches.get(page).unwrap_or_default().iter();
    let room = Room::of(ask);
    let told = |level: Level| wanted.clone().map(|sketch| sketch.told(level)).collect::<Vec<_>>();
    let fits = |files: &Vec<FileRows>| {
        let lines: u64 = files.iter().map(|file| 1 + file.rows.len() as u64).sum();
        lines <= room.lines && files.iter().map(size_of).sum::<u64>() <= room.bytes
    };
    let has = |level: Level| wanted.clone().all(|sketch| sketch.has(level));
    let level = LEVELS.iter().position(|level| has(*level) && fits(&told(*level))).unwrap_or(LEVELS.len() - 1);
    let mut all = told(LEVELS.get(level).copied().unwrap_or(Level::Names(0)));
    if let Some(more @ Level::Names(_)) = level.checked_sub(1).and_then(|level| LEVELS.get(level)).copied() {
        fill_up(&mut all, wanted.clone().map(|sketch| sketch.told(more)), room);
    }
    let mut sheet = Sheet::default();
    sheet.coverage.unit = Unit::Entries;
    sheet.coverage.total.entries = Some(total);
    let (mut bytes, mut shown) = (0, Vec::new());
    for file in all {
        bytes += size_of(&file);
        let full = if bytes > room.bytes { Some(room.bytes_limit) } else { None };
        let full = full.or((shown.len() as u64 >= room.lines).then_some(room.lines_limit));
        if full.is_some() && !shown.is_empty() {
            sheet.coverage.cut_by = full;
            break;
        }
        Span::extend(&mut sheet.coverage.shown, span.first + shown.len() as u64);
        shown.push(file);
    }
    let next = span.first + shown.len() as u64;
    if !last && sheet.coverage.cut_by.is_none() {
        sheet.coverage.cut_by =
            Some(if shown.len() as u64 >= room.lines { room.lines_limit } else { room.bytes_limit });
    }
    if shown.is_empty() && total > 0 {
        sheet.notes.push(Note::PastEnd { asked: span.first });
        sheet.coverage.next = Some(ask.next(Select::From(total)));
    } else if next <= total {
        sheet.coverage.next = Some(ask.next(Select::From(next)));
    }
    sheet.coverage.complete = span.first == 1 && sheet.coverage.next.is_none();
    sheet.blocks = vec![Block::Files(shown)];
    sheet
}

/// Tells more of the first files, as long as there is room left.
fn fill_up(files: &mut [FileRows], fuller: impl Iterator<Item = FileRows>, room: Room) {
    let mut left = room.bytes.saturating_sub(files.iter().map(size_of).sum());
    for (file, fuller) in files.iter_mut().zip(fuller) {
        let more = size_of(&fuller).saturating_sub(size_of(file));
        if more > left {
            return;
        }
        left -= more;
        *file = fuller;
    }
}

/// What a file takes on a page.
fn size_of(file: &FileRows) -> u64 {
    let rows: usize = file.rows.iter().map(|row| width(row.label) + row.text.len() + 3).sum();
    let names: usize = file.names.iter().map(|name| name.len() + 2).sum();
    (file.name.len() + 32 + rows + names) as u64
}
