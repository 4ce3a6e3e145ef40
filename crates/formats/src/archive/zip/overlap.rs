//! Finds entries that share bytes, which no honest program writes.

/// The bytes before the name of a local header.
const LOCAL: u64 = 30;

/// Where the data of entries lie, as long as they come in the order of their places, as in nearly every archive.
#[derive(Debug, Default)]
pub(super) struct Overlaps {
    /// Where the last entry begins.
    start: u64,
    /// The furthest end so far, and whose it is.
    last: Option<(u64, u32)>,
    sharing: Vec<u32>,
    out_of_order: bool,
}

/// Where one entry lies.
pub(super) type Extent = (u64, u64, u32);

/// The bytes of the entry with this number, whose header begins at `start` and whose name and data take `length` bytes.
pub(super) fn extent(number: usize, start: u64, length: u64) -> Extent {
    let end = start.saturating_add(LOCAL).saturating_add(length);
    (start, end, u32::try_from(number).unwrap_or(u32::MAX))
}

impl Overlaps {
    /// Adds an entry that does not begin before the last one.
    pub(super) fn add(&mut self, (start, end, number): Extent) {
        self.out_of_order |= start < self.start;
        self.start = start;
        match self.last {
            Some((furthest, whose)) if start < furthest => {
                for number in [whose, number] {
                    if !self.sharing.iter().rev().take(2).any(|known| *known == number) {
                        self.sharing.push(number);
                    }
                }
                if end > furthest {
                    self.last = Some((end, number));
                }
            }
            Some(_) | None => self.last = Some((end, number)),
        }
    }

    /// Whether entries came out of order; then nothing was found out, and all must be sorted first.
    pub(super) fn is_void(&self) -> bool {
        self.out_of_order
    }

    /// The entries that share bytes with another.
    pub(super) fn found(mut self) -> Vec<u32> {
        self.sharing.sort_unstable();
        self.sharing.dedup();
        self.sharing
    }
}

/// The entries that share bytes with another, in whatever order they come.
pub(super) fn sorted(mut extents: Vec<Extent>) -> Vec<u32> {
    extents.sort_unstable();
    let mut overlaps = Overlaps::default();
    for extent in extents {
        overlaps.add(extent);
    }
    overlaps.found()
}
