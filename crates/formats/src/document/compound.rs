//! Compound files: what stands at the root of their directory tells what they are.

use readstone_convert::Form;
use readstone_source::Piece;

/// What they begin with.
pub(super) const MAGIC: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
/// Bytes of an entry of the directory.
const ENTRY: usize = 128;
/// Sectors of a directory that are looked at, and entries at its root.
const MOST_SECTORS: usize = 256;
const MOST_ENTRIES: usize = 4_096;
/// Where the header tells the sectors of the table of sectors.
const TABLE: usize = 76;

/// The form of a compound file. `head` is its header; the name tells what lies encrypted in it.
pub(super) fn form(head: &[u8], piece: &Piece, named: Option<Form>) -> Option<Form> {
    let Some(streams) = root_streams(head, piece) else {
        // A directory that cannot be followed is a damaged one.
        return named;
    };
    let has = |name: &str| streams.iter().any(|stream| stream == name);
    match () {
        () if has("WordDocument") => Some(Form::Doc),
        () if has("PowerPoint Document") => Some(Form::Ppt),
        () if has("Workbook") || has("Book") => Some(Form::Xls),
        () if has("EncryptedPackage") => Some(named.unwrap_or(Form::Docx)),
        // A mail or an installer is compound as well, whatever it is called.
        () => named,
    }
}

/// The names of what stands at the root.
fn root_streams(head: &[u8], piece: &Piece) -> Option<Vec<String>> {
    let shift = u16::from_le_bytes(*head.get(30..)?.first_chunk()?);
    let sectors = Sectors { head, piece, shift: u32::from(shift).clamp(7, 16) };
    let directory = sectors.chain(number(head, 48)?)?;
    let entry = |index: u32| directory.get(index as usize * ENTRY..)?.get(..ENTRY);
    let (mut names, mut ahead) = (Vec::new(), vec![number(entry(0)?, 76)?]);
    let mut seen = 0;
    while let Some(index) = ahead.pop() {
        let Some(found) = entry(index).filter(|_| seen < MOST_ENTRIES) else { continue };
        seen += 1;
        names.push(name(found));
        ahead.extend([number(found, 68)?, number(found, 72)?]);
    }
    Some(names)
}

/// The name of an entry.
fn name(entry: &[u8]) -> String {
    let length = entry.get(64).map_or(0, |length| usize::from(*length)).saturating_sub(2).min(62);
    let units = entry.get(..length).unwrap_or_default().chunks_exact(2);
    let units: Vec<u16> = units.filter_map(|unit| Some(u16::from_le_bytes(*unit.first_chunk()?))).collect();
    String::from_utf16_lossy(&units)
}

/// The sectors of a file.
struct Sectors<'a> {
    head: &'a [u8],
    piece: &'a Piece,
    shift: u32,
}

impl Sectors<'_> {
    /// The bytes of a chain of sectors, or as many of them as are looked at.
    fn chain(&self, first: u32) -> Option<Vec<u8>> {
        let (mut bytes, mut sector) = (Vec::new(), first);
        for _ in 0..MOST_SECTORS {
            bytes.extend_from_slice(&self.read(sector)?);
            let Some(next) = self.next(sector) else { break };
            sector = next;
        }
        Some(bytes)
    }

    /// The sector behind one in its chain.
    fn next(&self, sector: u32) -> Option<u32> {
        let in_table = (1_u32 << self.shift) / 4;
        let at = (sector / in_table) as usize;
        let table = self.read(number(self.head, TABLE + 4 * at)?)?;
        number(&table, 4 * (sector % in_table) as usize).filter(|next| *next < 0xFFFF_FFFA)
    }

    fn read(&self, sector: u32) -> Option<Vec<u8>> {
        let start = (u64::from(sector) + 1) << self.shift;
        let bytes = self.piece.blob.read_range(start, start + (1 << self.shift)).ok()?;
        (!bytes.is_empty()).then_some(bytes)
    }
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}
