//! A changed place is where two versions of a text have different lines.

use std::ops::Range;

use gix_imara_diff::{Algorithm, Diff, InternedInput, Interner};
use readstone_base::Span;

use crate::arrange::Placed;

/// Lines that went and the lines that came in their place. The ranges count from 0 and do not hold their ends; one of
/// them may be empty, and is then a place between two lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The lines of the version before.
    pub before: Range<u64>,
    /// The lines of the version after.
    pub after: Range<u64>,
}

impl Changed {
    /// The lines that went, by the numbers they had.
    pub fn went(&self) -> Option<Span> {
        span(&self.before)
    }

    /// The lines that came, by their numbers.
    pub fn came(&self) -> Option<Span> {
        span(&self.after)
    }
}

fn span(range: &Range<u64>) -> Option<Span> {
    (range.start < range.end).then(|| Span::new(range.start + 1, range.end))
}

/// Beyond this many lines, those of an operation are not compared one by one with those it takes the place of.
const COMPARED: usize = 2_000;

/// The places where two lists of lines differ, in order and never touching.
pub fn differences<L: AsRef<[u8]>>(then: &[L], now: &[L]) -> Vec<Changed> {
    let most = i32::MAX.unsigned_abs() as usize;
    if then.len() >= most || now.len() >= most {
        return vec![Changed { before: 0..count(then), after: 0..count(now) }];
    }
    let mut input: InternedInput<&[u8]> =
        InternedInput { before: Vec::new(), after: Vec::new(), interner: Interner::new(then.len().max(now.len())) };
    input.update_before(then.iter().map(AsRef::as_ref));
    input.update_after(now.iter().map(AsRef::as_ref));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    diff.hunks()
        .map(|hunk| Changed {
            before: u64::from(hunk.before.start)..u64::from(hunk.before.end),
            after: u64::from(hunk.after.start)..u64::from(hunk.after.end),
        })
        .collect()
}

/// The places that arranged operations change in a text of so many lines, in order and never touching.
///
/// `old` is the text of a line, exactly; where it gives nothing, the line counts as another than every row.
pub fn changes(placed: &[Placed], lines: u64, old: &dyn Fn(u64) -> Option<String>) -> Vec<Changed> {
    let mut all: Vec<Changed> = Vec::new();
    let (mut gone, mut come) = (0, 0);
    for each in placed {
        let (from, to) = each.place.gap(lines);
        let start = from - gone + come;
        for inner in within(from..to, &each.body, old) {
            let before = from + inner.before.start..from + inner.before.end;
            let after = start + inner.after.start..start + inner.after.end;
            match all.last_mut() {
                Some(last) if last.before.end == before.start && last.after.end == after.start => {
                    last.before.end = before.end;
                    last.after.end = after.end;
                }
                Some(_) | None => all.push(Changed { before, after }),
            }
        }
        gone += to - from;
        come += count(&each.body);
    }
    all
}

/// What rows change in the lines whose place they take; both count from 0 there.
fn within(lines: Range<u64>, rows: &[String], old: &dyn Fn(u64) -> Option<String>) -> Vec<Changed> {
    let total = lines.end - lines.start;
    let same = |line: u64, row: &String| old(line).as_ref() == Some(row);
    let head = rows.iter().zip(lines.start + 1..=lines.end).take_while(|(row, line)| same(*line, row)).count();
    let rest = rows.get(head..).unwrap_or_default();
    let first = lines.start + u64::try_from(head).unwrap_or(0);
    let tail = rest.iter().rev().zip((first + 1..=lines.end).rev()).take_while(|(row, line)| same(*line, row)).count();
    let rest = rest.get(..rest.len() - tail).unwrap_or_default();
    let last = lines.end - u64::try_from(tail).unwrap_or(0);
    let (skipped, left) = (first - lines.start, last - first);
    if left == 0 && rest.is_empty() {
        return Vec::new();
    }
    let few = usize::try_from(total).is_ok_and(|total| total <= COMPARED) && rest.len() <= COMPARED;
    let there: Option<Vec<String>> = if few && left > 0 { (first + 1..=last).map(old).collect() } else { None };
    let Some(there) = there else {
        return vec![Changed { before: skipped..skipped + left, after: skipped..skipped + count(rest) }];
    };
    let moved = |range: &Range<u64>| skipped + range.start..skipped + range.end;
    differences(&there, rest)
        .iter()
        .map(|inner| Changed { before: moved(&inner.before), after: moved(&inner.after) })
        .collect()
}

/// Lines of one version as lines of the next: those that did not change, by their new numbers.
///
/// What came is not among them; who wrote it adds [`Changed::came`] of each place.
pub fn carry_spans(shown: &[Span], places: &[Changed]) -> Vec<Span> {
    let mut carried = Vec::new();
    for span in Span::merge(shown.to_vec()) {
        // The runs of lines that stay lie between the places; the first that can matter ends behind the span's begin.
        let first = places.partition_point(|place| place.before.end < span.first);
        let mut stays = first.checked_sub(1).and_then(|at| places.get(at)).map_or((0, 0), ends);
        for place in places.get(first..).unwrap_or_default() {
            push_kept(&mut carried, span, stays, place.before.start);
            stays = ends(place);
            if place.before.end >= span.last {
                break;
            }
        }
        push_kept(&mut carried, span, stays, span.last);
    }
    Span::merge(carried)
}

/// Where the run of lines behind a place begins, in both versions.
fn ends(place: &Changed) -> (u64, u64) {
    (place.before.end, place.after.end)
}

/// Adds what `span` has of the lines that stay behind a place and up to `last`, by their new numbers.
fn push_kept(carried: &mut Vec<Span>, span: Span, (before, after): (u64, u64), last: u64) {
    let first = span.first.max(before + 1);
    let last = span.last.min(last);
    if first <= last {
        carried.push(Span::new((first - before).saturating_add(after), (last - before).saturating_add(after)));
    }
}

fn count<T>(list: &[T]) -> u64 {
    u64::try_from(list.len()).unwrap_or(u64::MAX)
}
