//! Broken code: a function that the grammar cannot make sense of must not hide those behind it.
//!
//! What is broken is cut where a line closes something as far out as the broken thing began, and the pieces are parsed
//! alone. A piece that makes no sense either is parsed without what stands further in; if that is a type, its inside is
//! cut in turn. Code is nearly always indented as it is meant.

use std::ops::Range;

use tree_sitter::Node;

use crate::fold::Starts;
use crate::gather::Walk;
use crate::item::Sort;
use crate::parse::{Unparsed, parse_part};
use crate::rules::Role;

/// The kind of what a grammar cannot make sense of.
const ERROR: u16 = u16::MAX;
/// What it takes to parse a piece, in nodes.
const PARSE: usize = 64;
/// Types one inside the other that are cut.
const MOST_SHELLS: usize = 4;

/// What stands around a piece and is parsed with it: the heads of the types that it lies in, and what closes them.
#[derive(Clone, Default)]
struct Shell {
    heads: Vec<Range<usize>>,
    ends: Vec<Range<usize>>,
}

impl Shell {
    fn with(&self, [head, end]: [Range<usize>; 2]) -> Self {
        let mut shell = self.clone();
        shell.heads.push(head);
        shell.ends.insert(0, end);
        shell
    }

    fn around(&self, parts: &[Range<usize>], walk: &Walk<'_>) -> Vec<tree_sitter::Range> {
        let all = self.heads.iter().chain(parts).chain(&self.ends);
        let sound = |part: &Range<usize>| walk.language.sound(walk.code.get(part.clone()).unwrap_or_default()).len();
        all.map(|part| walk.starts.range(part.start..part.start + sound(part))).collect()
    }
}

impl Walk<'_> {
    /// Goes over the pieces of a node that is broken; `false` when there is nothing to mend.
    pub(crate) fn mend(&mut self, node: Node<'_>, stop: &mut dyn FnMut() -> bool) -> Result<bool, Unparsed> {
        if self.mending || !node.has_error() || self.around.contains(&ERROR) {
            return Ok(false);
        }
        let role = self.rules.of(node, self.text, &self.around).map(|rule| rule.role);
        let line = self.starts.line_of(node.start_byte());
        // What stands before it on its line was not made sense of either, unless it declares something.
        let whole = node.is_error() && self.found.last().is_none_or(|item| item.start != line);
        let first = if whole { self.starts.offset(line) } else { node.start_byte() };
        let pieces = pieces(node, first, role, self.text, &self.starts);
        // Every line of it was looked at.
        self.work += usize::try_from(self.starts.line_of(node.end_byte()) - line).unwrap_or(usize::MAX);
        if pieces.is_empty() {
            return Ok(false);
        }
        self.mending = true;
        for (at, piece) in pieces.into_iter().enumerate() {
            let line = self.starts.line_of(piece.start);
            let loose = at == 0 && node.is_error() && indent(self.starts.line(self.text, line)) > 0;
            let depth = self.around.len();
            // What stands in the middle of a function declares nothing for the file.
            self.around.extend(loose.then_some(ERROR));
            self.mend_piece(&piece, &Shell::default(), stop)?;
            self.around.truncate(depth);
        }
        self.mending = false;
        Ok(true)
    }

    /// Goes over a piece; where nothing is found that ends with it, over its last declaration without what is in it,
    /// and then over that.
    fn mend_piece(
        &mut self,
        piece: &Range<usize>,
        shell: &Shell,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<(), Unparsed> {
        let (count, open) = (self.found.len(), self.open.clone());
        let last = self.starts.line_of(piece.end.saturating_sub(1));
        self.mend_parts(std::slice::from_ref(piece), shell, stop)?;
        let whole = self.found.iter().skip(count).any(|item| item.lines.last == last);
        let Some(hollow) = hollow(piece, self.text, &self.starts).filter(|_| !whole) else {
            return Ok(());
        };
        let (sound, found) = (std::mem::replace(&mut self.open, open), self.found.split_off(count));
        self.mend_parts(&hollow, shell, stop)?;
        let Some(outer) = self.found.iter().skip(count).find(|item| item.lines.last == last) else {
            self.found.truncate(count);
            self.found.extend(found);
            self.open = sound;
            return Ok(());
        };
        if outer.sort == Sort::Scope && shell.heads.len() < MOST_SHELLS {
            let [head, end] = &hollow;
            let inside = head.end..end.start;
            let shell = shell.with(hollow);
            for piece in cut(&inside, None, self.text, &self.starts) {
                self.mend_piece(&piece, &shell, stop)?;
            }
        }
        Ok(())
    }

    fn mend_parts(
        &mut self,
        parts: &[Range<usize>],
        shell: &Shell,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<(), Unparsed> {
        self.work += PARSE;
        let tree = parse_part(self.language, self.code, &shell.around(parts, self), stop)?;
        self.wraps.clear();
        self.only = parts.first().zip(parts.last()).map(|(first, last)| first.start..last.end);
        let gone = self.go(&tree, stop);
        self.only = None;
        gone
    }
}

/// The pieces of a node that is broken: more than one, or one of what the grammar made nothing of; otherwise none.
/// They begin at `first`.
fn pieces(node: Node<'_>, first: usize, role: Option<Role>, text: &str, starts: &Starts) -> Vec<Range<usize>> {
    let head = starts.line_of(first);
    let own = indent(starts.line(text, head));
    let level = match role {
        _ if node.is_error() => None,
        Some(Role::Leaf) => Some(own),
        Some(Role::Scope) if is_indented(text, starts, head, own) => Some(own),
        Some(Role::Scope | Role::Heading(_) | Role::Block | Role::Doc | Role::Mark | Role::Wrap | Role::List)
        | None => return Vec::new(),
    };
    let pieces = cut(&(first..node.end_byte()), level, text, starts);
    if pieces.len() > 1 || node.is_error() { pieces } else { Vec::new() }
}

/// Cuts bytes behind the lines that close something at a level, or at the outermost one that there is; nothing is left
/// where no line does.
fn cut(bytes: &Range<usize>, level: Option<usize>, text: &str, starts: &Starts) -> Vec<Range<usize>> {
    let lines = starts.line_of(bytes.start)..=starts.line_of(bytes.end.saturating_sub(1));
    let closing = || lines.clone().filter(|line| closes(starts.line(text, *line)));
    let Some(level) = level.or_else(|| closing().map(|line| indent(starts.line(text, line))).min()) else {
        return Vec::new();
    };
    let mut pieces = Vec::new();
    let mut first = bytes.start;
    for line in closing().filter(|line| indent(starts.line(text, *line)) == level) {
        let end = starts.offset(line + 1).min(bytes.end);
        pieces.push(first..end);
        first = end;
    }
    pieces.push(first..bytes.end);
    pieces.retain(|piece| text.get(piece.clone()).is_some_and(|piece| !piece.trim().is_empty()));
    pieces
}

/// A piece without what stands further in than the line that closes it: its last declaration with nothing in its body.
/// None where no line closes the piece or nothing is left out.
fn hollow(piece: &Range<usize>, text: &str, starts: &Starts) -> Option<[Range<usize>; 2]> {
    let (first, last) = (starts.line_of(piece.start), starts.line_of(piece.end.saturating_sub(1)));
    let close = starts.line(text, last);
    let is_head = |line: &str| {
        let own = line.trim();
        !own.is_empty() && indent(line) <= indent(close) && !own.starts_with('#') && !own.ends_with(':')
    };
    let head = (first..last).rev().find(|line| is_head(starts.line(text, *line)))?;
    let end = starts.offset(head + 1).max(piece.start);
    (closes(close) && head + 1 < last && starts.offset(last) > end)
        .then(|| [piece.start..end, starts.offset(last)..piece.end])
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn closes(line: &str) -> bool {
    let line = line.trim();
    line == "end" || line.starts_with('}') && !line.ends_with('{')
}

/// Whether what stands below the head of a scope stands further in than it.
fn is_indented(text: &str, starts: &Starts, head: u64, own: usize) -> bool {
    let below = (head + 1..head + 12).map(|line| starts.line(text, line));
    let mut inside = below.filter(|line| !line.trim().is_empty() && !line.trim().starts_with(['{', '#', ':']));
    inside.next().is_some_and(|line| indent(line) > own)
}
