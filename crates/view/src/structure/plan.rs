//! What a summary keeps and what it folds.

use std::collections::{HashMap, HashSet};

use readstone_base::{CLIENT_JSON, Label, Span};
use readstone_outline::{GAP, Item, Sort};

use super::listed::signature;
use super::{Part, Structure};
use crate::compose::width;
use crate::room::Ask;

/// What stands in a summary.
#[derive(Debug)]
pub(super) enum Planned {
    /// Lines as they are.
    Keep(Span),
    /// One row for several lines.
    Fold(Fold),
}

/// A row for several lines.
#[derive(Debug)]
pub(super) struct Fold {
    pub(super) lines: Span,
    pub(super) text: String,
    /// The item whose inside it is.
    pub(super) item: Option<usize>,
    /// How many declarations lie in it that are not shown.
    pub(super) names: u64,
}

/// How much is folded, from little to much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Detail {
    /// The insides of functions.
    Bodies,
    /// Comments behind their first line, and longer runs of what declares nothing.
    Comments,
    /// Types in which nothing else is declared.
    Types,
    /// What stands above a function, with it.
    Heads,
}

/// Lines and bytes that a page has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    pub(super) lines: u64,
    /// The name of the limit of lines.
    pub(super) lines_limit: &'static str,
    pub(super) bytes: u64,
    /// The name of the limit of bytes.
    pub(super) bytes_limit: &'static str,
}

/// A fold of fewer lines saves nothing.
const LEAST_FOLD: u64 = 3;
/// Runs of what declares nothing are kept up to so many lines.
const MOST_GAP: u64 = 3;
/// A declaration in so many lines is worth telling, whatever stands between.
const LINES_AN_ITEM: u64 = 40;
/// A closed item saves so many bytes, or it is not worth closing.
const LEAST_SAVED: u64 = 256;
/// How often a plan is made again with more folded.
const MOST_TRIES: usize = 12;
/// Bytes a token, about.
const TOKEN_BYTES: u64 = 3;

impl Room {
    /// The room of a page.
    pub(super) fn of(ask: &Ask<'_>) -> Self {
        let tokens = ask.room.tokens.map_or(u64::MAX, |tokens| tokens.saturating_mul(TOKEN_BYTES));
        // As JSON a text is never shorter.
        let bounds = [ask.room.page_bytes(ask.limits), (ask.room.client.json, CLIENT_JSON), (tokens, "max_tokens")];
        let (bytes, bytes_limit) = bounds.into_iter().min_by_key(|(most, _)| *most).unwrap_or((tokens, "max_tokens"));
        let (lines, lines_limit) = ask.room.page_lines(ask.limits);
        Self { lines, lines_limit, bytes, bytes_limit }
    }
}

/// What a row for several lines takes, with the mark behind it about names inside.
pub(super) fn fold_cost(text: &str, lines: Span, names: u64, ask: &Ask<'_>) -> u64 {
    let mark = if names > 0 { ask.path.len() + MARK } else { 0 };
    (width(Label::Lines(lines)) + text.len() + mark + 1) as u64
}

/// Bytes of a mark beside the path in it, at most.
const MARK: usize = 128;

/// What lines take on a page as they are.
pub(super) fn cost_of(known: &Structure<'_>, lines: Span, ask: &Ask<'_>) -> u64 {
    let line = |number| {
        let length = (known.line(number).len() as u64).min(ask.limits.line_chars);
        width(Label::Line(number)) as u64 + length + 1
    };
    (lines.first..=lines.last).map(line).sum()
}

/// Whether the structure says enough: not when most lines lie outside of whatever is declared.
pub(super) fn is_worth(known: &Structure<'_>) -> bool {
    let (mut covered, mut count) = (0_u64, 0_u64);
    for (_, item) in known.children(None) {
        covered += item.lines.count();
        count += 1;
    }
    covered.saturating_mul(2) >= known.lines() || count.saturating_mul(LINES_AN_ITEM) >= known.lines()
}

/// The rows of a summary: as much as fits into a small one, else as much as fits on a page.
pub(super) fn plan(known: &Structure<'_>, part: Part, ask: &Ask<'_>) -> Vec<Planned> {
    let room = Room::of(ask);
    let small = Room { bytes: ask.limits.summary_bytes.min(room.bytes), ..room };
    let made = |detail, closed| Planner::new(known, ask, (detail, closed)).made(part);
    let mut last = None;
    for detail in [Detail::Bodies, Detail::Comments, Detail::Types, Detail::Heads] {
        let plan = made(detail, HashSet::new());
        if plan.fits(small) {
            return plan.rows;
        }
        last = Some(plan);
    }
    let mut closed = HashSet::new();
    for _ in 0..MOST_TRIES {
        let Some(plan) = last.take_if(|plan| !plan.fits(room)) else {
            break;
        };
        if !plan.close(known, (part, room), &mut closed) {
            return plan.rows;
        }
        last = Some(made(Detail::Heads, closed.clone()));
    }
    last.map(|plan| plan.rows).unwrap_or_default()
}

/// Rows, and what they take.
struct Made {
    rows: Vec<Planned>,
    lines: u64,
    bytes: u64,
    /// How deep each open item lies, and what the rows directly in it take.
    own: HashMap<usize, (usize, u64)>,
}

impl Made {
    fn fits(&self, room: Room) -> bool {
        self.lines <= room.lines && self.bytes <= room.bytes
    }

    /// Closes the items with the most rows of their own, the deepest first, until the rest will fit; false when there is
    /// none to close. What holds other types and most of the text stays open: a file is not one closed namespace.
    fn close(&self, known: &Structure<'_>, (part, room): (Part, Room), closed: &mut HashSet<usize>) -> bool {
        let most = |at: &usize| {
            let lines = known.outline.items.get(*at).map_or(0, |item| item.lines.count());
            lines.saturating_mul(2) > part.lines.count() && known.children(Some(*at)).any(|(at, _)| known.is_scope(at))
        };
        let worth = self.own.iter().filter(|(at, (_, bytes))| *bytes >= LEAST_SAVED && !most(at));
        let mut own: Vec<((usize, u64), usize)> = worth.map(|(at, cost)| (*cost, *at)).collect();
        own.sort_unstable_by(|one, other| other.cmp(one));
        let lines = self.lines.saturating_sub(room.lines).saturating_mul(self.bytes / self.lines.max(1));
        let excess = self.bytes.saturating_sub(room.bytes).max(lines);
        let mut saved = 0;
        for ((_, bytes), at) in own {
            if saved > excess {
                break;
            }
            saved += if closed.insert(at) { bytes } else { 0 };
        }
        saved > 0
    }
}

struct Planner<'a> {
    known: &'a Structure<'a>,
    ask: &'a Ask<'a>,
    detail: Detail,
    closed: HashSet<usize>,
    rows: Vec<Planned>,
    lines: u64,
    bytes: u64,
    own: HashMap<usize, (usize, u64)>,
    inside: Vec<usize>,
}

impl<'a> Planner<'a> {
    fn new(known: &'a Structure<'a>, ask: &'a Ask<'a>, (detail, closed): (Detail, HashSet<usize>)) -> Self {
        let (rows, own, inside) = (Vec::new(), HashMap::new(), Vec::new());
        Self { known, ask, detail, closed, rows, lines: 0, bytes: 0, own, inside }
    }

    fn made(mut self, part: Part) -> Made {
        match part.item.and_then(|at| Some((at, self.known.outline.items.get(at)?))) {
            Some((at, item)) => self.open(at, item, part.lines.first),
            None => self.run(part.lines, None),
        }
        Made { rows: self.rows, lines: self.lines, bytes: self.bytes, own: self.own }
    }

    /// Lines, with the items that lie in them.
    fn run(&mut self, lines: Span, parent: Option<usize>) {
        let mut at = lines.first;
        for (index, item) in self.known.children(parent) {
            // Of several on one line the first stands for all.
            if item.lines.first < at || item.lines.last > lines.last {
                continue;
            }
            self.gap(at, item.lines.first);
            self.item(index, item);
            at = item.lines.last + 1;
        }
        self.gap(at, lines.last + 1);
    }

    fn item(&mut self, at: usize, item: &Item) {
        let whole = item.sort == Sort::Leaf || self.known.names_in(at) == 0 || self.closed.contains(&at);
        if self.detail == Detail::Heads && whole && item.lines.count() >= LEAST_FOLD {
            let names = if item.sort == Sort::Scope { self.known.names_in(at) } else { 0 };
            return self.fold(item.lines, signature(self.known, item), (Some(at), names.max(self.hidden_in(at, item))));
        }
        self.above(item);
        if item.sort == Sort::Leaf {
            return self.leaf(at, item);
        }
        let names = self.known.names_in(at);
        let bare = names == 0 && self.detail >= Detail::Types;
        if item.fold.is_some() && item.folded().count() >= LEAST_FOLD && bare {
            self.keep(Span::new(item.start, item.head.saturating_sub(1)));
            return self.fold(item.folded(), item.fold.clone().unwrap_or_default(), (Some(at), names));
        }
        self.open(at, item, item.start);
    }

    /// An item with all that lies in it.
    fn open(&mut self, at: usize, item: &Item, first: u64) {
        self.keep(Span::new(first, item.head));
        self.inside.push(at);
        self.run(Span::new(item.head + 1, item.lines.last), Some(at));
        self.inside.pop();
    }

    /// The comment and the attributes before an item.
    fn above(&mut self, item: &Item) {
        let before = Span::new(item.lines.first, item.start.saturating_sub(1));
        match item.doc.filter(|doc| self.detail >= Detail::Comments && doc.count() > 1 && doc.last <= before.last) {
            Some(doc) => {
                self.keep(Span::new(before.first, doc.first.saturating_sub(1)));
                self.shortened(doc);
                self.keep(Span::new(doc.last + 1, before.last));
            }
            None => self.keep(before),
        }
    }

    fn leaf(&mut self, at: usize, item: &Item) {
        let Some(row) = item.fold.as_ref().filter(|_| item.folded().count() >= LEAST_FOLD) else {
            return self.keep(Span::new(item.start, item.lines.last));
        };
        let doc = item.inner_doc.filter(|line| self.detail < Detail::Types && *line < item.lines.last);
        let Some(doc) = doc.filter(|line| *line <= item.head + 2 && line + 2 <= item.lines.last) else {
            self.keep(Span::new(item.start, item.head.saturating_sub(1)));
            return self.fold(item.folded(), row.clone(), (Some(at), self.hidden_in(at, item)));
        };
        self.keep(Span::new(item.start, doc));
        let indent: String = self.known.line(doc).chars().take_while(|sign| sign.is_whitespace()).collect();
        self.fold(Span::new(doc + 1, item.lines.last), format!("{indent}{GAP}"), (Some(at), 0));
    }

    /// How many names lie in a function that does not fit on a page, so that one must know of them to find them.
    fn hidden_in(&self, at: usize, item: &Item) -> u64 {
        if item.sort == Sort::Leaf && !super::fits(self.known, item.lines, self.ask) {
            self.known.names_in(at)
        } else {
            0
        }
    }

    /// Lines that declare nothing.
    fn gap(&mut self, first: u64, behind: u64) {
        if first >= behind {
            return;
        }
        let blank = |line: &u64| self.known.line(*line).trim().is_empty();
        let told = (first..behind).find(|line| !blank(line));
        let end = (first..behind).rev().find(|line| !blank(line));
        match told.zip(end).map(|(told, end)| Span::new(told, end)) {
            Some(run) if self.detail >= Detail::Comments && run.count() > MOST_GAP => {
                self.keep(Span::new(first, run.first - 1));
                self.shortened(run);
                self.keep(Span::new(run.last + 1, behind - 1));
            }
            Some(_) | None => self.keep(Span::new(first, behind - 1)),
        }
    }

    /// Lines of which the first is told.
    fn shortened(&mut self, lines: Span) {
        let most = usize::try_from(self.ask.limits.line_chars).unwrap_or(usize::MAX);
        let first: String = self.known.line(lines.first).trim_end().chars().take(most).collect();
        let says = |line: &&str| line.contains(char::is_alphanumeric);
        // Where the first line only opens a comment, its first words stand behind it.
        let words = if says(&first.as_str()) {
            None
        } else {
            (lines.first + 1..=lines.last).map(|line| self.known.line(line).trim()).find(says)
        };
        let words: String =
            words.unwrap_or_default().trim_start_matches(['*', '#', '-', '/', ' ']).chars().take(most).collect();
        let blank = if words.is_empty() { "" } else { " " };
        self.fold(lines, format!("{first}{blank}{words} {GAP}"), (None, 0));
    }

    fn keep(&mut self, lines: Span) {
        if lines.first > lines.last {
            return;
        }
        let bytes = cost_of(self.known, lines, self.ask);
        self.count(lines.count(), bytes);
        match self.rows.last_mut() {
            Some(Planned::Keep(kept)) if kept.last + 1 == lines.first => kept.last = lines.last,
            Some(_) | None => self.rows.push(Planned::Keep(lines)),
        }
    }

    fn fold(&mut self, lines: Span, text: String, (item, names): (Option<usize>, u64)) {
        self.count(1 + u64::from(names > 0), fold_cost(&text, lines, names, self.ask));
        self.rows.push(Planned::Fold(Fold { lines, text, item, names }));
    }

    fn count(&mut self, lines: u64, bytes: u64) {
        self.lines += lines;
        self.bytes += bytes;
        if let Some(at) = self.inside.last() {
            let (depth, own) = self.own.entry(*at).or_default();
            (*depth, *own) = (self.inside.len(), *own + bytes);
        }
    }
}
