//! What is there now around the lines that a refused edit names.

use readstone_base::{Backing, Change, DiffRow, DiffSign, Done, Kind, Outcome, Page, Span, Visible};
use readstone_edit::{Changed, Place, Placed, differences};
use readstone_source::Coding;
use readstone_view::Sheet;

use super::aim::{Aim, Form};
use super::basis::{Basis, LinesOf};
use crate::call::Call;
use crate::lined::Lined;
use crate::shown;
use crate::target::bare;

/// Lines shown on each side of a line that is named.
const AROUND: u64 = 2;
/// Lines that are no longer there, shown of one range.
const MOST_GONE: usize = 16;

/// A text as it was, for comparison.
pub(super) struct Then<'a> {
    pub(super) lines: &'a Lined<'a>,
    pub(super) coding: &'a dyn Coding,
}

/// The lines that operations name, by their numbers.
pub(super) fn named(placed: &[Placed], lines: u64) -> Vec<Span> {
    let span = |placed: &Placed| match placed.place {
        Place::Lines(span) => span,
        Place::Before(line) | Place::Behind(line) => Span::new(line, line),
        Place::Head => Span::new(1, 1),
        Place::Tail => Span::new(lines.max(1), lines.max(1)),
    };
    Span::merge(placed.iter().map(span).collect())
}

/// A page with the lines around those that are named, under the tag there is; they count as shown from then on.
pub(super) fn around(
    call: &Call<'_>,
    (aim, basis): (&Aim, &Basis),
    lines: &LinesOf<'_>,
    named: &[Span],
    then: Option<&Then<'_>>,
) -> Box<Page> {
    let mut view = View { call, coding: &*basis.coding, lines, then, rows: Vec::new(), shown: Vec::new() };
    view.fill(named);
    let View { rows, shown, .. } = view;
    let kind = if aim.form == Form::Notebook { Kind::Notebook } else { Kind::Text };
    let change = Change { effect: Outcome::Withheld, rows, ..Change::new(Done::Update) };
    let backing = Backing { path: aim.real.clone(), bytes: basis.bytes().cloned(), known: Vec::new() };
    // Where another version has this tag too, only a read makes it mean this one: the same patch sent again must not land.
    let alone = call.session.versions(&aim.real, basis.tag()).iter().all(|version| *version == basis.version);
    if aim.secret.is_none() && alone {
        shown::keep_lines(call, basis.version, &backing, shown);
    }
    Box::new(Page {
        tool: "edit",
        address: aim.path.clone(),
        path: Some(aim.path.clone()),
        version: Some(basis.version),
        editable: true,
        encoding: Some(basis.coding.name()),
        change: Some(change),
        ..bare(kind, Sheet::default())
    })
}

struct View<'a> {
    call: &'a Call<'a>,
    coding: &'a dyn Coding,
    lines: &'a LinesOf<'a>,
    then: Option<&'a Then<'a>>,
    rows: Vec<DiffRow>,
    shown: Vec<Span>,
}

impl View<'_> {
    fn fill(&mut self, named: &[Span]) {
        let count = self.lines.all().count();
        let moved = match (self.then, self.lines) {
            (Some(then), LinesOf::Whole(now)) => differences(&then.lines.texts(), &now.texts()),
            (_, _) => Vec::new(),
        };
        let most = usize::try_from(self.call.limits.diff_lines).unwrap_or(usize::MAX);
        let mut last = 0;
        for span in named {
            if self.rows.len() >= most {
                return;
            }
            let now = Span::new(moved_to(span.first, &moved), moved_to(span.last, &moved));
            let first = now.first.saturating_sub(AROUND).max(last + 1);
            let end = now.last.saturating_add(AROUND).min(count);
            for number in first..=end {
                if self.rows.len() >= most {
                    return;
                }
                if number == now.first.max(first) {
                    self.push_gone(*span, &moved);
                }
                let sign = if now.contains(number) { DiffSign::Named(number) } else { DiffSign::Same(number) };
                let limit = self.call.limits.diff_line_chars;
                let bytes = self.lines.text(number, limit.saturating_mul(4).saturating_add(4));
                self.rows.push(row(sign, &self.coding.decode(&bytes).text, limit));
                if self.rows.last().is_some_and(|row| !row.cut) {
                    Span::extend(&mut self.shown, number);
                }
            }
            if now.first > end {
                self.push_gone(*span, &moved);
            }
            last = last.max(end);
        }
    }

    /// The lines that were named and are no longer there.
    fn push_gone(&mut self, span: Span, moved: &[Changed]) {
        let Some(then) = self.then else { return };
        let most = usize::try_from(self.call.limits.diff_lines).unwrap_or(usize::MAX);
        for number in (span.first..=span.last).take(MOST_GONE) {
            let behind = moved.partition_point(|place| place.before.end < number);
            let went = moved.get(behind).is_some_and(|place| place.before.contains(&(number - 1)));
            if went && self.rows.len() < most {
                let text = then.coding.decode(then.lines.text(number)).text;
                self.rows.push(row(DiffSign::Gone(number), &text, self.call.limits.diff_line_chars));
            }
        }
    }
}

/// Where a line of the one text is in the other, or would be.
fn moved_to(number: u64, moved: &[Changed]) -> u64 {
    let at = number.saturating_sub(1);
    let behind = moved.partition_point(|place| place.before.start <= at);
    let Some(place) = behind.checked_sub(1).and_then(|last| moved.get(last)) else { return number };
    let now = if at < place.before.end {
        (place.after.start + (at - place.before.start)).min(place.after.end)
    } else {
        place.after.end + (at - place.before.end)
    };
    now + 1
}

/// A line as a row, cut where it is long.
pub(super) fn row(sign: DiffSign, text: &str, most: u64) -> DiffRow {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    let shown = text.get(..end).unwrap_or(text);
    DiffRow { sign, text: Visible::of(shown).text.into_owned(), cut: end < text.len() }
}
