//! The directories of a TIFF, which EXIF uses too.

use std::collections::HashSet;

use super::{Header, cut};
use crate::Refusal;
use crate::picture::kind::Kind;

/// Pages that are counted at most.
const PAGES: usize = 65_536;

const SUBFILE: u16 = 254;
const WIDTH: u16 = 256;
const HEIGHT: u16 = 257;
const PHOTOMETRIC: u16 = 262;
const ORIENTATION: u16 = 274;
const SAMPLES: u16 = 277;
const EXTRA: u16 = 338;

/// Reads the first directory, and follows the others to count them.
pub(super) fn read(bytes: &[u8]) -> Result<Header, Refusal> {
    let file = File::open(bytes).ok_or_else(cut)?;
    let first = file.directory(file.first).ok_or_else(cut)?;
    let side = |tag| first.value(tag).and_then(|side| u32::try_from(side).ok());
    let (width, height) = side(WIDTH).zip(side(HEIGHT)).ok_or_else(cut)?;
    let mut header = Header::sized(Kind::Tiff, width, height);
    let samples = first.value(SAMPLES).and_then(|samples| u8::try_from(samples).ok()).unwrap_or(1);
    let photometric = first.value(PHOTOMETRIC);
    header.channels = Some(if photometric == Some(3) { 3 } else { samples });
    // Where it is not said what a further value is, it is transparency.
    let further = matches!((photometric, samples), (Some(0 | 1), 2) | (Some(2), 4));
    header.alpha = Some(first.value(EXTRA).map_or(further, |extra| matches!(extra, 1 | 2)));
    header.turn = first.turn();
    header.frames = file.pages()?;
    Ok(header)
}

/// How a picture with these EXIF data must be turned.
pub(super) fn turn(exif: &[u8]) -> u8 {
    File::open(exif).and_then(|file| file.directory(file.first).map(|first| first.turn())).unwrap_or(1)
}

struct File<'a> {
    bytes: &'a [u8],
    first: u64,
    order: Order,
    layout: Layout,
}

#[derive(Clone, Copy)]
enum Order {
    LowFirst,
    HighFirst,
}

/// How wide the numbers are; those of files over 4 GiB are twice as wide.
#[derive(Clone, Copy)]
struct Layout {
    /// Of the number of entries.
    count: usize,
    /// Of a place, and of the value in an entry.
    place: usize,
    entry: usize,
}

const CLASSIC: Layout = Layout { count: 2, place: 4, entry: 12 };
const BIG: Layout = Layout { count: 8, place: 8, entry: 20 };

impl<'a> File<'a> {
    fn open(bytes: &'a [u8]) -> Option<Self> {
        let (order, layout, at) = match bytes.first_chunk::<4>()? {
            b"II*\0" => (Order::LowFirst, CLASSIC, 4),
            b"MM\0*" => (Order::HighFirst, CLASSIC, 4),
            b"II+\0" => (Order::LowFirst, BIG, 8),
            b"MM\0+" => (Order::HighFirst, BIG, 8),
            _ => return None,
        };
        let mut file = Self { bytes, first: 0, order, layout };
        file.first = file.number(at, layout.place)?;
        Some(file)
    }

    fn number(&self, at: usize, width: usize) -> Option<u64> {
        let digits = self.bytes.get(at..at.checked_add(width)?)?;
        let add = |sum: u64, digit: &u8| sum << 8 | u64::from(*digit);
        Some(match self.order {
            Order::LowFirst => digits.iter().rev().fold(0, add),
            Order::HighFirst => digits.iter().fold(0, add),
        })
    }

    fn directory(&self, at: u64) -> Option<Directory<'_>> {
        let at = usize::try_from(at).ok()?;
        let entries = usize::try_from(self.number(at, self.layout.count)?).ok()?;
        let start = at + self.layout.count;
        let end = entries.checked_mul(self.layout.entry).and_then(|length| start.checked_add(length))?;
        Some(Directory { file: self, start, end: end.min(self.bytes.len()), next: self.number(end, self.layout.place) })
    }

    /// How many pages there are, where they are not too many to count.
    fn pages(&self) -> Result<Option<u64>, Refusal> {
        let mut been = HashSet::new();
        let mut pages = 0;
        let mut at = self.first;
        while let Some(page) = self.directory(at).filter(|_| at != 0) {
            if !been.insert(at) {
                return Err(Refusal::Damaged("its pages go round in a circle".to_owned()));
            }
            if been.len() > PAGES {
                return Ok(None);
            }
            // Smaller copies of a page are none themselves.
            pages += u64::from(pages == 0 || !page.is_preview());
            at = page.next.unwrap_or(0);
        }
        Ok(Some(pages))
    }
}

struct Directory<'a> {
    file: &'a File<'a>,
    start: usize,
    end: usize,
    next: Option<u64>,
}

impl Directory<'_> {
    /// The first value of a tag, where it is a whole number.
    fn value(&self, tag: u16) -> Option<u64> {
        let entry = self.entries().find(|at| self.file.number(*at, 2) == Some(u64::from(tag)))?;
        self.value_at(entry)
    }

    fn entries(&self) -> impl Iterator<Item = usize> + '_ {
        (self.start..self.end).step_by(self.file.layout.entry)
    }

    fn value_at(&self, entry: usize) -> Option<u64> {
        let width = match self.file.number(entry + 2, 2)? {
            1 => 1,
            3 => 2,
            4 => 4,
            16 => 8,
            _ => return None,
        };
        let place = self.file.layout.place;
        let count = usize::try_from(self.file.number(entry + 4, place)?).ok()?;
        let inside = entry + 4 + place;
        if count.checked_mul(width)? <= place {
            return self.file.number(inside, width);
        }
        self.file.number(usize::try_from(self.file.number(inside, place)?).ok()?, width)
    }

    /// The entries are sorted, and this tag is the lowest; no more are looked at, because there may be many.
    fn is_preview(&self) -> bool {
        let first = self.entries().next().filter(|at| self.file.number(*at, 2) == Some(u64::from(SUBFILE)));
        first.and_then(|entry| self.value_at(entry)).is_some_and(|kind| kind & 1 == 1)
    }

    fn turn(&self) -> u8 {
        self.value(ORIENTATION)
            .and_then(|turn| u8::try_from(turn).ok())
            .filter(|turn| (1..=8).contains(turn))
            .unwrap_or(1)
    }
}
