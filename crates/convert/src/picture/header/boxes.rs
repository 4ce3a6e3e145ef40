//! The boxes of AVIF and HEIF.

use super::number::{long_be, place, short_be};
use super::{Header, cut};
use crate::Refusal;
use crate::picture::kind::Kind;

/// Reads the properties that belong to the picture shown first.
pub(super) fn read(kind: Kind, bytes: &[u8]) -> Result<Header, Refusal> {
    let meta = child(bytes, *b"meta").and_then(|meta| meta.get(4..)).ok_or_else(cut)?;
    let properties = child(meta, *b"iprp").ok_or_else(cut)?;
    let list = child(properties, *b"ipco").ok_or_else(cut)?;
    let mine = child(meta, *b"pitm").and_then(primary).and_then(|main| of_item(properties, main));
    let mut header = Header::sized(kind, 0, 0);
    for (index, (name, data)) in Boxes(list).enumerate() {
        // Where it is not said which properties are its own, all are taken.
        if mine.as_ref().is_none_or(|mine| mine.contains(&(index + 1))) {
            take(&mut header, name, data);
        }
    }
    Ok(header)
}

fn take(header: &mut Header, name: [u8; 4], data: &[u8]) {
    match &name {
        b"ispe" => {
            let (width, height) = long_be(data, 4).zip(long_be(data, 8)).unwrap_or_default();
            // The pieces of a mosaic have sizes too.
            if u64::from(width) * u64::from(height) > u64::from(header.width) * u64::from(header.height) {
                (header.width, header.height) = (width, height);
            }
        }
        b"pixi" => header.channels = data.get(4).copied(),
        // Quarter turns against the clock.
        b"irot" => {
            header.turn = match data.first().map(|turns| turns & 3) {
                Some(1) => 8,
                Some(2) => 3,
                Some(3) => 6,
                _ => 1,
            };
        }
        _ => {}
    }
}

/// The number of the picture shown first.
fn primary(main: &[u8]) -> Option<u32> {
    if main.first()? == &0 { short_be(main, 4).map(u32::from) } else { long_be(main, 4) }
}

/// The places in the list of properties, from 1, of those that belong to a picture.
fn of_item(properties: &[u8], item: u32) -> Option<Vec<usize>> {
    let table = child(properties, *b"ipma")?;
    let [version, _, _, flags] = *table.first_chunk()?;
    let count = long_be(table, 4)?;
    let mut at = 8;
    for _ in 0..count {
        let number = if version == 0 { u32::from(short_be(table, at)?) } else { long_be(table, at)? };
        at += if version == 0 { 2 } else { 4 };
        let links = usize::from(*table.get(at)?);
        let width = if flags & 1 == 1 { 2 } else { 1 };
        let mine = table.get(at + 1..at + 1 + links * width)?;
        if number == item {
            // The highest bit says that the property must be understood.
            return Some(match width {
                2 => {
                    mine.chunks_exact(2).filter_map(|link| short_be(link, 0)).map(|n| usize::from(n & 0x7fff)).collect()
                }
                _ => mine.iter().map(|link| usize::from(link & 0x7f)).collect(),
            });
        }
        at += 1 + links * width;
    }
    None
}

fn child(bytes: &[u8], wanted: [u8; 4]) -> Option<&[u8]> {
    Boxes(bytes).find(|(name, _)| *name == wanted).map(|(_, data)| data)
}

/// The boxes that follow each other in some bytes: the name and the content of each.
struct Boxes<'a>(&'a [u8]);

impl<'a> Iterator for Boxes<'a> {
    type Item = ([u8; 4], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let name = *self.0.get(4..)?.first_chunk::<4>()?;
        let (start, end) = match long_be(self.0, 0)? {
            0 => (8, self.0.len()),
            1 => (16, usize::try_from(u64::from_be_bytes(*self.0.get(8..)?.first_chunk()?)).ok()?),
            size => (8, place(size)),
        };
        let data = self.0.get(start..end.min(self.0.len()))?;
        self.0 = self.0.get(end..).unwrap_or_default();
        Some((name, data))
    }
}
