//! What is said of the lines that a change brings and takes away.

use readstone_base::{Change, DiffSign, Done, Span, Splice, Warning};
use readstone_edit::{Changed, Excerpt, Lines as _, Placed, Preview, Room, Sides, preview};
use readstone_host::Mask;
use readstone_source::Coding;

use super::basis::LinesOf;
use crate::call::Call;
use crate::lined::Lined;

/// Rows of one run of lines that are shown.
const RUN: usize = 12;
/// Places from which on lines have other numbers that are told.
const SHIFTS: usize = 24;

/// A change of lines, told.
pub(crate) fn told(call: &Call<'_>, places: &[Changed], sides: &dyn Sides) -> Change {
    let number = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX);
    let limits = call.limits;
    let room =
        Room { rows: number(limits.diff_lines), run: RUN, chars: number(limits.diff_line_chars), shifts: SHIFTS };
    let Preview { rows, shifts, first_changed, added, removed } = preview(places, sides, room);
    Change { rows, shifts, first_changed, added, removed, ..Change::new(Done::Update) }
}

/// That credentials are masked in what a change shows of a git configuration.
pub(crate) fn masked_warning(mask: &Mask) -> Option<Warning> {
    let count = mask.count();
    (count > 0).then_some(Warning::Masked { count })
}

/// The lines beside a change that are shown with it, by their new numbers.
pub(super) fn beside(change: &Change) -> impl Iterator<Item = Span> {
    change.rows.iter().filter(|row| !row.cut).filter_map(|row| match row.sign {
        DiffSign::Same(number) => Some(Span::new(number, number)),
        DiffSign::Gone(_) | DiffSign::New(_) | DiffSign::Named(_) | DiffSign::MoreGone(_) | DiffSign::MoreNew(_) => {
            None
        }
    })
}

/// A text, and what operations make of it.
pub(super) struct Edited<'a> {
    pub(super) lines: &'a LinesOf<'a>,
    pub(super) coding: &'a dyn Coding,
    pub(super) placed: &'a [Placed],
    /// Bytes of a line that are looked at.
    pub(super) most: u64,
}

/// Lines that are longer are not compared.
const MOST_BYTES: u64 = 64 * 1024;

impl Edited<'_> {
    /// A line as it is, exactly; none when it is too long to be looked at.
    pub(super) fn line(&self, number: u64) -> Option<String> {
        let text = self.lines.text(number, MOST_BYTES + 1);
        (text.len() as u64 <= MOST_BYTES).then(|| self.coding.decode(&text).text.into_owned())
    }
}

impl Sides for Edited<'_> {
    fn old_count(&self) -> u64 {
        self.lines.all().count()
    }

    fn new_count(&self) -> u64 {
        let (mut gone, mut come) = (0, 0);
        for placed in self.placed {
            let (from, to) = placed.place.gap(self.old_count());
            gone += to - from;
            come += placed.body.len() as u64;
        }
        self.old_count() + come - gone
    }

    fn old_line(&self, line: u64) -> Excerpt {
        excerpt(&self.lines.text(line, self.most), self.coding, self.most)
    }

    fn new_line(&self, line: u64) -> Excerpt {
        // What was gone through: lines of the old text, and lines of the new one.
        let (mut old, mut new) = (0, 0);
        for placed in self.placed {
            let (from, to) = placed.place.gap(self.old_count());
            if line <= new + (from - old) {
                break;
            }
            new += from - old;
            let row = usize::try_from(line - new - 1).ok().and_then(|at| placed.body.get(at));
            if let Some(row) = row {
                return Excerpt { text: row.clone(), cut: false };
            }
            (old, new) = (to, new + placed.body.len() as u64);
        }
        self.old_line(old + (line - new))
    }
}

/// Two texts that are at hand.
pub(crate) struct Texts<'a> {
    pub(crate) before: (&'a Lined<'a>, &'a dyn Coding),
    pub(crate) after: (&'a Lined<'a>, &'a dyn Coding),
    /// Bytes of a line that are looked at.
    pub(crate) most: u64,
}

impl Sides for Texts<'_> {
    fn old_count(&self) -> u64 {
        self.before.0.count()
    }

    fn new_count(&self) -> u64 {
        self.after.0.count()
    }

    fn old_line(&self, line: u64) -> Excerpt {
        excerpt(self.before.0.text(line), self.before.1, self.most)
    }

    fn new_line(&self, line: u64) -> Excerpt {
        excerpt(self.after.0.text(line), self.after.1, self.most)
    }
}

/// Bytes that hold so many characters in any encoding.
pub(crate) fn bytes_of(characters: u64) -> u64 {
    characters.saturating_mul(4).saturating_add(4)
}

fn excerpt(bytes: &[u8], coding: &dyn Coding, most: u64) -> Excerpt {
    let end = bytes.len().min(usize::try_from(most).unwrap_or(usize::MAX));
    let end = if end < bytes.len() { coding.boundary(bytes, end) } else { end };
    let text = coding.decode(bytes.get(..end).unwrap_or_default()).text.into_owned();
    Excerpt { text, cut: end < bytes.len() }
}

/// What makes the old bytes of the new ones: everything but what they begin and end with alike.
pub(crate) fn whole_inverse(old: &[u8], new: &[u8]) -> Vec<Splice> {
    let start = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let (old, new) = (old.get(start..).unwrap_or_default(), new.get(start..).unwrap_or_default());
    let same = old.iter().rev().zip(new.iter().rev()).take_while(|(one, other)| one == other).count();
    let range = start as u64..(start + new.len() - same) as u64;
    vec![Splice { range, bytes: old.get(..old.len() - same).unwrap_or_default().to_vec() }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_texts_share_is_no_part_of_what_undoes_a_change() {
        let undone = |old: &[u8], new: &[u8]| readstone_edit::apply(new, &whole_inverse(old, new));
        for (old, new) in [("", "a"), ("a", ""), ("abc", "axc"), ("aaa", "aa"), ("aa", "aaaa"), ("same", "same")] {
            assert_eq!(undone(old.as_bytes(), new.as_bytes()), old.as_bytes(), "{old} {new}");
        }
        assert_eq!(whole_inverse(b"one two three", b"one 2 three"), [Splice { range: 4..5, bytes: b"two".to_vec() }]);
    }
}
