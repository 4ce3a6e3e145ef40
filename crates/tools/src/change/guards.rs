//! Operations that would change what the caller cannot know.

use std::collections::HashMap;

use readstone_base::{Fault, Span};
use readstone_edit::{Hunk, Lines, Op, Place, Placed, Section};
use readstone_session::Guard;

use super::aim::Aim;
use super::basis::{Basis, LinesOf};
use super::error::Error;
use crate::call::Call;
use crate::error::fault;

/// Lines that are looked at to tell how they can be read.
const MOST_LOOKED_AT: usize = 1_000;

/// Refuses operations on lines that the session never showed. Of what a session showed nothing of, the tag came from another.
pub(super) fn refuse_unseen(
    call: &Call<'_>,
    aim: &Aim,
    (section, placed, lines): (&Section, &[Placed], &dyn Lines),
    shown: Option<&[Span]>,
) -> Result<(), Fault> {
    let Some(shown) = shown.filter(|_| call.writing.unseen == Guard::Refuse && aim.secret.is_none()) else {
        return Ok(());
    };
    let shown = Span::merge(shown.to_vec());
    // Behind a block, only its first line must be known.
    let behind = |hunk: &Hunk| if let Op::AfterBlock(line) = hunk.op { Some((hunk.line, line)) } else { None };
    let anchors: HashMap<u64, u64> = section.hunks.iter().filter_map(behind).collect();
    // A long line is only ever shown in part, unless verbatim; to put something beside it, that is enough.
    let is_long = |line: u64| lines.line(line).is_ok_and(|at| at.text_end - at.start > call.limits.line_chars);
    let beside = |line: u64| (!is_long(line)).then_some(Span::new(line, line));
    let needed = placed.iter().filter_map(|placed| match (placed.place, anchors.get(&placed.line).copied()) {
        (Place::Lines(span), None) => Some(span),
        (_, Some(line)) | (Place::Before(line) | Place::Behind(line), None) => beside(line),
        (Place::Head | Place::Tail, None) => None,
    });
    let missing: Vec<Span> =
        Span::merge(needed.collect()).into_iter().flat_map(|span| parts_outside(span, &shown)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let verbatim = missing.iter().flat_map(|span| span.first..=span.last).take(MOST_LOOKED_AT).any(is_long);
    Err(fault(Error::Unseen { path: aim.path.clone(), lines: missing, verbatim }))
}

/// The parts of a span that lie in none of others, which are sorted and do not touch.
fn parts_outside(span: Span, shown: &[Span]) -> Vec<Span> {
    let (mut parts, mut next) = (Vec::new(), span.first);
    for seen in shown.iter().filter(|seen| seen.last >= span.first && seen.first <= span.last) {
        if seen.first > next {
            parts.push(Span::new(next, seen.first - 1));
        }
        next = next.max(seen.last.saturating_add(1));
    }
    if next <= span.last {
        parts.push(Span::new(next, span.last));
    }
    parts
}

/// Refuses rows that may stand for bytes which are no text: nobody could tell which.
pub(super) fn refuse_replacements(
    aim: &Aim,
    basis: &Basis,
    lines: &LinesOf<'_>,
    placed: &[Placed],
) -> Result<(), Fault> {
    for each in placed.iter().filter(|each| each.body.iter().any(|row| row.contains(char::REPLACEMENT_CHARACTER))) {
        let Place::Lines(span) = each.place else { continue };
        for line in span.first..=span.last {
            let bytes = lines.whole(line).map_err(|cause| readstone_formats::unreadable(&aim.path, cause))?;
            if !basis.coding.decode(&bytes).replaced.is_empty() {
                return Err(fault(Error::Replacement { path: aim.path.clone(), line }));
            }
        }
    }
    Ok(())
}
