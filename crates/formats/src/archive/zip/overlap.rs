//! Finds entries that share bytes, which no honest program writes.

/// The bytes before the name of a local header.
const LOCAL: u64 = 30;

/// Where the data of entries lie.
#[derive(Debug, Default)]
pub(super) struct Overlaps {
    /// The furthest end so far, and whose it is.
    last: Option<(u64, usize)>,
    sharing: Vec<usize>,
    /// Entries out of their order; these are compared with all others in the end.
    all: Vec<(u64, u64, u32)>,
    ordered: Ordered,
}

/// Whether entries lie in the order in which they are listed, as they do in nearly every archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Ordered {
    #[default]
    SoFar,
    No,
}

impl Overlaps {
    /// Adds an entry whose header begins at `start` and whose name and data take `length` bytes.
    pub(super) fn add(&mut self, number: usize, start: u64, length: u64) {
        let end = start.saturating_add(LOCAL).saturating_add(length);
        if let Ok(short) = u32::try_from(number) {
            self.all.push((start, end, short));
        }
        if self.ordered == Ordered::No {
            return;
        }
        match self.last {
            Some((furthest, whose)) if start < furthest => {
                let before = self.all.iter().rev().nth(1).is_some_and(|(before, ..)| *before <= start);
                if !before {
                    self.ordered = Ordered::No;
                    return;
                }
                self.sharing.extend([whose, number]);
                if end > furthest {
                    self.last = Some((end, number));
                }
            }
            Some(_) | None => self.last = Some((end, number)),
        }
    }

    /// The entries that share bytes with another.
    pub(super) fn found(mut self) -> Vec<usize> {
        if self.ordered == Ordered::No {
            let mut all = std::mem::take(&mut self.all);
            all.sort_unstable();
            self = Self::default();
            for (start, end, number) in all {
                self.add(number as usize, start, end.saturating_sub(start).saturating_sub(LOCAL));
            }
        }
        self.sharing.sort_unstable();
        self.sharing.dedup();
        self.sharing
    }
}
