//! A summary as rows.

use readstone_address::{Mode, Select, Selector, join};
use readstone_base::{Block, Coverage, Inside, Next, Note, Span, Summary, Unit, Visible};

use super::plan::{Fold, Planned, plan};
use super::{Part, Structure};
use crate::compose::{Composer, Role, Took};
use crate::error::Error;
use crate::lines::{Run, follow, room, run, run_from};
use crate::room::Ask;
use crate::text::{Sheet, Text};

/// Elided lines that the footer offers.
const MOST_OFFERED: u64 = 400;
/// So many names in a fold are told.
const FEW_NAMES: u64 = 3;
/// If they have no more bytes than this.
const FEW_BYTES: usize = 80;
/// Runs of lines that the footer offers.
const MOST_SPANS: usize = 3;

/// Shows a part of a text with the insides of its declarations left out.
pub(super) fn summary(text: &mut Text<'_>, known: &Structure<'_>, part: Part, ask: &Ask<'_>) -> Result<Sheet, Error> {
    shown(text, known, (part, &plan(known, part, ask)), ask)
}

/// The page of a plan for a part of a text.
pub(super) fn shown(
    text: &mut Text<'_>,
    known: &Structure<'_>,
    (part, rows): (Part, &[Planned]),
    ask: &Ask<'_>,
) -> Result<Sheet, Error> {
    let mut shown = Shown::new(text, ask);
    for row in rows {
        let full = match row {
            Planned::Keep(lines) => shown.keep(text, known, *lines, ask)?,
            Planned::Fold(fold) => shown.fold(known, fold, ask),
        };
        if full {
            break;
        }
    }
    let mut sheet = shown.finish(part, known.lines(), ask);
    let unparsed = known.outline.broken.filter(|line| part.lines.contains(*line));
    sheet.notes.extend(unparsed.map(|line| Note::Unparsed { line }));
    sheet.notes.extend(known.outline.cut.map(|line| Note::CutOutline { line }));
    Ok(sheet)
}

/// A page of lines and folds.
struct Shown<'a> {
    composer: Composer<'a>,
    folds: Vec<(Span, Offer)>,
    /// The address of the first fold with names in it.
    opening: Option<String>,
    /// The limit that ended the page, and the first line that is not on it.
    full: Option<(&'static str, u64)>,
    notes: Vec<Note>,
}

/// Whether a reader would want to open a fold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Offer {
    Inside,
    Other,
}

impl<'a> Shown<'a> {
    fn new(text: &Text<'_>, ask: &'a Ask<'a>) -> Self {
        let chars = usize::try_from(ask.limits.line_chars).unwrap_or(usize::MAX);
        let left = room(ask, &[Span::new(1, u64::MAX)]);
        let composer = Composer::new(ask, text.coding.clone(), left, chars);
        Self { composer, folds: Vec::new(), opening: None, full: None, notes: Vec::new() }
    }

    /// Shows lines as they are; true when the page is full.
    fn keep(&mut self, text: &mut Text<'_>, known: &Structure<'_>, lines: Span, ask: &Ask<'_>) -> Result<bool, Error> {
        let kept = match known.place_of(lines.first) {
            Some(offset) => run_from(text, ask, (lines, offset), Role::Shown, &mut self.composer)?,
            None => run(text, ask, lines, Role::Shown, &mut self.composer)?,
        };
        match kept {
            Run::Done(_) | Run::End(_) => Ok(false),
            Run::Full(line, limit) => {
                self.full = Some((limit, line));
                Ok(true)
            }
            Run::Broken(line, note) => {
                self.notes.push(note);
                self.full = Some(("", line));
                Ok(true)
            }
        }
    }

    /// Shows a row for several lines; true when the page is full.
    fn fold(&mut self, known: &Structure<'_>, fold: &Fold, ask: &Ask<'_>) -> bool {
        let inside = (fold.names > 0).then(|| inside(known, fold, ask));
        let next = inside.as_ref().map(|inside| inside.next.clone());
        match self.composer.fold(fold.lines, &fold.text, inside) {
            Took::Row => {
                let small = fold.names == 0 && fold.lines.count() <= MOST_OFFERED;
                let offer = if fold.item.is_some() && small { Offer::Inside } else { Offer::Other };
                self.opening = self.opening.take().or(next);
                self.folds.push((fold.lines, offer));
                false
            }
            Took::Refused(limit) => {
                self.full = Some((limit, fold.lines.first));
                true
            }
        }
    }

    fn finish(mut self, part: Part, total: u64, ask: &Ask<'_>) -> Sheet {
        let mut coverage = Coverage { unit: Unit::Lines, ..Coverage::default() };
        let last = self.full.map_or(part.lines.last, |(_, line)| line.saturating_sub(1));
        let shown = std::mem::take(&mut self.composer.tally.shown);
        let lines: u64 = shown.iter().map(|span| span.count()).sum();
        let all = (last + 1).saturating_sub(part.lines.first);
        let elided_spans = runs(&shown, Span::new(part.lines.first, last));
        coverage.summary = Some(Summary { lines, elided_spans, elided_lines: all.saturating_sub(lines) });
        coverage.shown = shown;
        coverage.next = match self.full {
            Some((limit, line)) => {
                coverage.cut_by = Some(limit).filter(|limit| !limit.is_empty());
                let to = if part.lines.last < total { part.lines.last } else { u64::MAX };
                Some(onward(Span::new(line, to), ask))
            }
            // Where nothing is declared, there are the lines.
            None if self.composer.rows.is_empty() => {
                let select = Select::Many(vec![part.lines]);
                Some(Next::read(join(ask.path, &Selector { select, mode: Mode::Plain })))
            }
            None => self.offered(ask),
        };
        if coverage.cut_by.is_none() && !self.composer.rests.is_empty() {
            coverage.cut_by = Some("line_chars");
        }
        let mut notes = self.composer.tally.notes();
        notes.extend(self.notes);
        Sheet { blocks: vec![Block::Rows(self.composer.rows)], coverage, notes }
    }
}

impl Shown<'_> {
    /// Some of what is folded, as an example of how to read it: insides of functions first, else what is closed, else
    /// the rest of a line.
    fn offered(&mut self, ask: &Ask<'_>) -> Option<Next> {
        let at = |select| Next::read(join(ask.path, &Selector { select, mode: Mode::Plain }));
        let lines = |spans: Vec<Span>| match spans.as_slice() {
            [span] => Select::Range(*span),
            _ => Select::Many(spans),
        };
        if let Some(spans) = some(&self.folds, Offer::Inside) {
            return Some(at(lines(spans)));
        }
        if let Some(address) = self.opening.take() {
            return Some(Next::read(address));
        }
        let rests = std::mem::take(&mut self.composer.rests);
        let others = some(&self.folds, Offer::Other).map(lines);
        let select = others.or_else(|| follow(rests.clone(), Vec::new()));
        self.composer.rests = rests;
        select.map(at)
    }
}

/// The call that shows the outline of the lines that follow.
fn onward(lines: Span, ask: &Ask<'_>) -> Next {
    let select = if lines.last == u64::MAX { Select::From(lines.first) } else { Select::Range(lines) };
    Next::read(join(ask.path, &Selector { select, mode: Mode::Outline }))
}

/// The address that shows what lies in a fold: by its name, or by its lines where no name is its own.
fn opening(known: &Structure<'_>, fold: &Fold, ask: &Ask<'_>) -> String {
    match fold.item.and_then(|at| known.symbol(at)) {
        Some(name) => {
            // A function is not answered with what lies in it unless that is asked for.
            let scope = fold.item.is_some_and(|at| known.is_scope(at));
            let mode = if scope { Mode::Plain } else { Mode::Outline };
            join(ask.path, &Selector { select: Select::Symbol(name), mode })
        }
        None => join(ask.path, &Selector { select: Select::Range(fold.lines), mode: Mode::Outline }),
    }
}

/// The first of what is folded, up to a few and not too many lines.
fn some(folds: &[(Span, Offer)], wanted: Offer) -> Option<Vec<Span>> {
    let mut lines = 0;
    let mut spans: Vec<Span> = Vec::new();
    for (span, _) in folds.iter().filter(|(_, offer)| *offer == wanted) {
        lines += span.count();
        if spans.len() == MOST_SPANS || lines > MOST_OFFERED && !spans.is_empty() {
            break;
        }
        spans.push(*span);
    }
    (!spans.is_empty()).then_some(Span::merge(spans))
}

/// What is declared in a fold: the names where they are few, else how many there are and where to see them.
fn inside(known: &Structure<'_>, fold: &Fold, ask: &Ask<'_>) -> Inside {
    let few = fold.item.filter(|_| fold.names <= FEW_NAMES);
    let told = few.map(|at| known.inside(at).map(|item| Visible::of(&item.name).text.into_owned()).collect::<Vec<_>>());
    let told = told.filter(|told| told.iter().map(String::len).sum::<usize>() <= FEW_BYTES).unwrap_or_default();
    Inside { names: fold.names, told, next: opening(known, fold, ask) }
}

/// How many runs of lines are not among those shown.
fn runs(shown: &[Span], part: Span) -> u64 {
    let mut at = part.first;
    let mut runs = 0;
    for span in shown {
        runs += u64::from(span.first > at);
        at = span.last + 1;
    }
    runs + u64::from(at <= part.last)
}
