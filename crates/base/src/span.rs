//! A span is a run of lines, bytes or rows, first and last included.

/// From `first` to `last`, both included. Lines count from 1, bytes from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first position.
    pub first: u64,
    /// The last position.
    pub last: u64,
}

impl Span {
    /// A span from `first` to `last`.
    pub const fn new(first: u64, last: u64) -> Self {
        Self { first, last }
    }

    /// How many positions it covers.
    pub const fn count(self) -> u64 {
        (self.last - self.first).saturating_add(1)
    }

    /// Whether `position` lies in it.
    pub const fn contains(self, position: u64) -> bool {
        self.first <= position && position <= self.last
    }

    /// Sorts the spans and joins those that touch or overlap.
    #[must_use]
    pub fn merge(mut spans: Vec<Self>) -> Vec<Self> {
        spans.sort_unstable();
        let mut merged: Vec<Self> = Vec::with_capacity(spans.len());
        for span in spans {
            match merged.last_mut() {
                Some(last) if span.first <= last.last.saturating_add(1) => last.last = last.last.max(span.last),
                Some(_) | None => merged.push(span),
            }
        }
        merged
    }

    /// Adds one position to a growing list of spans.
    pub fn extend(spans: &mut Vec<Self>, position: u64) {
        Self::extend_by(spans, Self::new(position, position));
    }

    /// The same for several positions.
    pub fn extend_by(spans: &mut Vec<Self>, more: Self) {
        match spans.last_mut() {
            Some(last) if last.last.saturating_add(1) == more.first => last.last = more.last,
            Some(_) | None => spans.push(more),
        }
    }
}
