//! Which paragraphs of a Word document before 2007 have bullets: the library takes the bullets of lists for numbers.
//!
//! Offsets are those of the published description of the format. Whatever does not fit is passed over: a paragraph of
//! which nothing is known here stays as the library gives it.
//!
//! Repair of `office_oxide`: bullets of lists in Word 97 documents come as numbers. Shown by:
//! `harbour_report.doc` of the corpus.

use std::collections::{HashMap, VecDeque};
use std::io::Cursor;

use office_oxide::cfb::CfbReader;

use super::levels::letters;

/// The kind of number that is a bullet, and the one that is nothing.
const BULLETS: [u8; 2] = [0x17, 0xFF];

/// Paragraphs in lists by their letters, and whether they have a bullet: one answer for each that reads so, in order.
pub(super) fn of(bytes: &[u8]) -> HashMap<String, VecDeque<bool>> {
    read(bytes).unwrap_or_default()
}

fn read(bytes: &[u8]) -> Option<HashMap<String, VecDeque<bool>>> {
    let mut file = CfbReader::new(Cursor::new(bytes)).ok()?;
    let main = file.open_stream("WordDocument").ok()?;
    let named = if half(&main, 0x0A)? & 0x0200 == 0 { "0Table" } else { "1Table" };
    let table = file.open_stream(named).ok()?;
    let lists = lists(&table, place(&main, 0x02E2)?)?;
    let overrides = overrides(&table, place(&main, 0x02EA)?)?;
    let pieces = pieces(&table, place(&main, 0x01A2)?)?;
    let mut found: HashMap<String, VecDeque<bool>> = HashMap::new();
    for paragraph in paragraphs(&main, &table, place(&main, 0x0102)?)? {
        let list = overrides.get(paragraph.list.wrapping_sub(1)).and_then(|id| lists.get(id));
        let kind = list.and_then(|levels| levels.get(paragraph.level).or_else(|| levels.first()));
        if let (Some(kind), Some(text)) = (kind, text(&main, &pieces, paragraph.from, paragraph.to)) {
            found.entry(letters(&text)).or_default().push_back(BULLETS.contains(kind));
        }
    }
    Some(found)
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().copied().map(u16::from_le_bytes)
}

fn word(bytes: &[u8], at: usize) -> Option<usize> {
    let value = bytes.get(at..)?.first_chunk().copied().map(u32::from_le_bytes)?;
    usize::try_from(value).ok()
}

/// Where a structure stands in the table: its beginning and its end.
fn place(main: &[u8], at: usize) -> Option<(usize, usize)> {
    let from = word(main, at)?;
    let length = word(main, at + 4)?;
    (length > 0).then_some((from, from.checked_add(length)?))
}

/// The kinds of numbers of lists, level by level.
fn lists(table: &[u8], place: (usize, usize)) -> Option<HashMap<usize, Vec<u8>>> {
    let count = usize::from(half(table, place.0)?);
    let mut lists = HashMap::new();
    // The levels stand behind the lists, outside of their structure.
    let mut at = place.0 + 2 + count * 28;
    for index in 0..count {
        let list = place.0 + 2 + index * 28;
        let levels = if table.get(list + 26)? & 1 == 1 { 1 } else { 9 };
        let mut kinds = Vec::new();
        for _ in 0..levels {
            kinds.push(*table.get(at + 4)?);
            let more = usize::from(*table.get(at + 24)?) + usize::from(*table.get(at + 25)?);
            let signs = at + 28 + more;
            at = signs + 2 + usize::from(half(table, signs)?) * 2;
        }
        lists.insert(word(table, list)?, kinds);
    }
    Some(lists)
}

/// The lists that paragraphs name by number.
fn overrides(table: &[u8], place: (usize, usize)) -> Option<Vec<usize>> {
    let count = word(table, place.0)?.min((place.1 - place.0) / 16);
    (0..count).map(|index| word(table, place.0 + 4 + index * 16)).collect()
}

/// A stretch of text: where its bytes begin, where they end, and how many make a character.
struct Piece {
    from: usize,
    to: usize,
    wide: bool,
}

fn pieces(table: &[u8], place: (usize, usize)) -> Option<Vec<Piece>> {
    let mut at = place.0;
    while *table.get(at)? == 1 {
        at += 3 + usize::from(half(table, at + 1)?);
    }
    let count = word(table, at + 1)?.checked_sub(4)? / 12;
    let first = at + 5;
    let mut pieces = Vec::new();
    for index in 0..count {
        let signs = word(table, first + index * 4 + 4)?.checked_sub(word(table, first + index * 4)?)?;
        let told = word(table, first + (count + 1) * 4 + index * 8 + 2)?;
        let wide = told & 0x4000_0000 == 0;
        let from = if wide { told } else { (told & 0x3FFF_FFFF) / 2 };
        pieces.push(Piece { from, to: from + signs * if wide { 2 } else { 1 }, wide });
    }
    Some(pieces)
}

/// A paragraph in a list: its bytes, the number of its list, from 1, and its level.
struct Listed {
    from: usize,
    to: usize,
    list: usize,
    level: usize,
}

fn paragraphs(main: &[u8], table: &[u8], place: (usize, usize)) -> Option<Vec<Listed>> {
    let count = (place.1 - place.0).checked_sub(4)? / 8;
    let mut found = Vec::new();
    for index in 0..count {
        let number = word(table, place.0 + (count + 1) * 4 + index * 4)? & 0x003F_FFFF;
        let page: Option<&[u8; 512]> = main.get(number * 512..).and_then(|rest| rest.first_chunk());
        let Some(page) = page else { continue };
        let runs = usize::from(page.last().copied().unwrap_or(0));
        found.extend((0..runs).filter_map(|run| listed(page, runs, run)));
    }
    Some(found)
}

fn listed(page: &[u8], runs: usize, run: usize) -> Option<Listed> {
    let (from, to) = (word(page, run * 4)?, word(page, run * 4 + 4)?);
    let at = usize::from(*page.get((runs + 1) * 4 + run * 13)?) * 2;
    if at == 0 {
        return None;
    }
    let size = usize::from(*page.get(at)?);
    let changes = if size == 0 {
        let size = usize::from(*page.get(at + 1)?) * 2;
        page.get(at + 4..at + 2 + size)?
    } else {
        page.get(at + 3..at + size * 2)?
    };
    let (mut list, mut level) = (0, 0);
    let mut rest = changes;
    while let Some(code) = half(rest, 0) {
        match code {
            0x260A => level = usize::from(*rest.get(2)?),
            0x460B => list = usize::from(half(rest, 2)?),
            _ => {}
        }
        let size = match code >> 13 {
            0 | 1 => 1,
            2 | 4 | 5 => 2,
            3 => 4,
            7 => 3,
            _ => 1 + usize::from(*rest.get(2)?),
        };
        rest = rest.get(2 + size..)?;
    }
    (list > 0 && from < to).then_some(Listed { from, to, list, level })
}

fn text(main: &[u8], pieces: &[Piece], from: usize, to: usize) -> Option<String> {
    let piece = pieces.iter().find(|piece| piece.from <= from && from < piece.to)?;
    let bytes = main.get(from..to.min(piece.to))?;
    if !piece.wide {
        return Some(bytes.iter().map(|&byte| char::from(byte)).collect());
    }
    let units: Vec<u16> = bytes.chunks_exact(2).filter_map(|unit| half(unit, 0)).collect();
    Some(String::from_utf16_lossy(&units))
}
