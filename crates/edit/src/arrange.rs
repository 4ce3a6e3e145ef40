//! Operations as places in a text, checked against it and against each other.

use std::collections::BTreeMap;

use readstone_base::{Resolved, Span};

use crate::error::{Error, Problem};
use crate::patch::{Hunk, Op};

/// An operation whose lines are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The line of the patch on which the operation stands.
    pub line: u64,
    /// Where it acts, by the numbers of one version.
    pub place: Place,
    /// The lines that come.
    pub body: Vec<String>,
}

/// Where an operation acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Before all lines.
    Head,
    /// In the place of these lines.
    Lines(Span),
    /// Before this line.
    Before(u64),
    /// Behind this line.
    Behind(u64),
    /// Behind all lines.
    Tail,
}

impl Place {
    /// The lines it takes the place of, as what stands behind line `.0` and up to line `.1`; equal where none go.
    pub const fn gap(self, lines: u64) -> (u64, u64) {
        match self {
            Self::Head => (0, 0),
            Self::Lines(span) => (span.first.saturating_sub(1), span.last),
            Self::Before(line) => (line.saturating_sub(1), line.saturating_sub(1)),
            Self::Behind(line) => (line, line),
            Self::Tail => (lines, lines),
        }
    }

    /// The order of operations between the same two lines: what is behind the first of them stands nearer to it.
    const fn rank(self) -> u8 {
        match self {
            Self::Head => 0,
            Self::Behind(_) => 1,
            Self::Before(_) => 2,
            Self::Tail => 3,
            Self::Lines(_) => 4,
        }
    }
}

/// Why no block was found on a line, in the words of who looked; may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unresolved {
    /// The words.
    pub hint: String,
}

/// Finds the blocks that operations name by their first lines. `block` is asked once for each line, and only for lines
/// that there are.
pub fn resolve(
    path: &str,
    hunks: Vec<Hunk>,
    lines: u64,
    block: &mut dyn FnMut(u64) -> Result<Span, Unresolved>,
) -> Result<(Vec<Placed>, Vec<Resolved>), Error> {
    let mut known: BTreeMap<u64, Span> = BTreeMap::new();
    let mut placed = Vec::with_capacity(hunks.len());
    let mut resolved = Vec::new();
    for hunk in hunks {
        let found = match hunk.op.block() {
            None => None,
            Some(anchor) => {
                Some(known.get(&anchor).copied().map_or_else(|| look(path, &hunk, (anchor, lines), block), Ok)?)
            }
        };
        if let Some(lines) = found {
            known.insert(lines.first, lines);
            resolved.push(Resolved { operation: hunk.op.to_string(), lines });
        }
        placed.push(Placed { line: hunk.line, place: place(hunk.op, found), body: hunk.body });
    }
    Ok((placed, resolved))
}

/// Asks for the block that begins on a line.
fn look(
    path: &str,
    hunk: &Hunk,
    (anchor, lines): (u64, u64),
    block: &mut dyn FnMut(u64) -> Result<Span, Unresolved>,
) -> Result<Span, Error> {
    if anchor == 0 || anchor > lines {
        return Err(Error::new(hunk.line, Problem::NoLine { path: path.to_owned(), wanted: anchor, lines }));
    }
    let hint = match block(anchor) {
        Ok(span) if span.first == anchor && span.last >= anchor => return Ok(span),
        Ok(_) => String::new(),
        Err(unresolved) => unresolved.hint,
    };
    Err(Error::new(hunk.line, Problem::NoBlock { path: path.to_owned(), op: hunk.op, anchor, hint }))
}

/// Where an operation acts, when its block is known.
fn place(op: Op, block: Option<Span>) -> Place {
    match op {
        Op::Replace(span) | Op::Delete(span) => Place::Lines(span),
        Op::ReplaceBlock(line) | Op::DeleteBlock(line) => Place::Lines(block.unwrap_or(Span::new(line, line))),
        Op::Before(line) => Place::Before(line),
        Op::After(line) => Place::Behind(line),
        Op::AfterBlock(line) => Place::Behind(block.map_or(line, |block| block.last)),
        Op::Head => Place::Head,
        Op::Tail => Place::Tail,
    }
}

/// Checks operations against a text of so many lines and against each other, and sorts them by their places.
///
/// Lines may be inserted at the edge of a range that goes, not inside it. Between two lines, `insert after` the first
/// comes before `insert before` the second; those of one kind keep the order of the patch.
pub fn arrange(path: &str, mut placed: Vec<Placed>, lines: u64) -> Result<Vec<Placed>, Error> {
    for each in &placed {
        let (first, last) = match each.place {
            Place::Lines(span) => (span.first, span.last),
            Place::Before(line) | Place::Behind(line) => (line, line),
            Place::Head | Place::Tail => continue,
        };
        let wanted = if first == 0 || first > lines { first } else { last };
        if wanted == 0 || wanted > lines {
            return Err(Error::new(each.line, Problem::NoLine { path: path.to_owned(), wanted, lines }));
        }
        if last < first {
            return Err(Error::new(each.line, Problem::Reversed { first, last }));
        }
    }
    placed.sort_by_key(|each| {
        let (from, to) = each.place.gap(lines);
        (from, from < to, each.place.rank())
    });
    overlaps(&placed, lines)?;
    Ok(placed)
}

/// Finds an operation that acts inside the range of one before it.
fn overlaps(placed: &[Placed], lines: u64) -> Result<(), Error> {
    let mut range: Option<(u64, &Placed)> = None;
    for each in placed {
        let (from, to) = each.place.gap(lines);
        if let Some((end, other)) = range
            && from < end
        {
            let anchor = match each.place {
                Place::Before(line) | Place::Behind(line) => line,
                Place::Lines(span) => span.first,
                Place::Head | Place::Tail => from,
            };
            let (later, earlier) = (each.line.max(other.line), each.line.min(other.line));
            return Err(Error::new(later, Problem::Overlap { anchor, other: earlier }));
        }
        if to > from {
            range = Some((to, each));
        }
    }
    Ok(())
}
