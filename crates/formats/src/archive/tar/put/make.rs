//! Headers of a tar archive that are written.

use super::super::super::put::set;
use super::super::header::{BLOCK, Header};
use super::super::pax;

/// How names are written that do not fit into a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// In records, as the standard has it.
    Pax,
    /// In an entry of their own, as GNU has it.
    Gnu,
}

const NAME: usize = 100;
const PREFIX: usize = 155;
/// The largest number that fits into twelve bytes in octal digits, and a NUL.
const MOST: u64 = 0o777_7777_7777;
const CHECKSUM: usize = 148;

/// The headers of a new entry.
pub(super) fn fresh(name: &[u8], size: u64, modified: i64, style: Style) -> Vec<u8> {
    let whole =
        |name: &[u8], prefix: &[u8]| header(&New { name, prefix, letter: b'0', size, modified, style }).to_vec();
    if name.len() <= NAME {
        return whole(name, b"");
    }
    if style == Style::Pax
        && let Some((prefix, name)) = split(name)
    {
        return whole(name, prefix);
    }
    let short = name.get(..NAME).unwrap_or(name);
    // Records are in UTF-8.
    let mut bytes = if style == Style::Pax && std::str::from_utf8(name).is_ok() {
        let records = record(b"path", name);
        let size = records.len() as u64;
        let about = New { name: b"PaxHeaders/entry", prefix: b"", letter: b'x', size, modified, style };
        [&header(&about)[..], &records].concat()
    } else {
        let size = name.len() as u64 + 1;
        let about = New { name: b"././@LongLink", prefix: b"", letter: b'L', size, modified: 0, style: Style::Gnu };
        [&header(&about)[..], name, &[0]].concat()
    };
    fill(&mut bytes);
    bytes.extend(whole(short, b""));
    bytes
}

/// A name in two parts that fit into a header, cut at a slash.
fn split(name: &[u8]) -> Option<(&[u8], &[u8])> {
    let least = name.len().checked_sub(NAME + 1)?;
    let at = (least..name.len().min(PREFIX + 1)).find(|at| name.get(*at) == Some(&b'/') && *at > 0)?;
    Some((name.get(..at)?, name.get(at + 1..).filter(|rest| !rest.is_empty())?))
}

/// What a new header says.
struct New<'a> {
    name: &'a [u8],
    prefix: &'a [u8],
    letter: u8,
    size: u64,
    modified: i64,
    style: Style,
}

fn header(new: &New<'_>) -> [u8; 512] {
    let mut block = [0; 512];
    set(&mut block, 0, new.name);
    set(&mut block, 100, b"0000644\0");
    set(&mut block, 108, b"0000000\0");
    set(&mut block, 116, b"0000000\0");
    set(&mut block, 156, &[new.letter]);
    match new.style {
        Style::Pax => set(&mut block, 257, b"ustar\x0000"),
        Style::Gnu => set(&mut block, 257, b"ustar  \0"),
    };
    set(&mut block, 345, new.prefix);
    numbers(&mut block, new.size, new.modified);
    block
}

/// A header that was there, with another size and time.
pub(super) fn again(old: &[u8], size: u64, modified: i64) -> Vec<u8> {
    let mut block = old.to_vec();
    block.resize(512, 0);
    numbers(&mut block, size, modified);
    block
}

/// Size, time and checksum.
fn numbers(block: &mut [u8], size: u64, modified: i64) {
    set(block, 124, &number(size));
    set(block, 136, &number(u64::try_from(modified).unwrap_or(0)));
    seal(block);
}

/// Sets the checksum.
fn seal(block: &mut [u8]) {
    set(block, CHECKSUM, b"        ");
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    set(block, CHECKSUM, format!("{sum:06o}\0 ").as_bytes());
}

/// A number in octal digits, or in bytes where it is too large.
fn number(number: u64) -> [u8; 12] {
    let mut field = [0; 12];
    if number <= MOST {
        set(&mut field, 0, format!("{number:011o}").as_bytes());
    } else {
        set(&mut field, 0, &[0x80]);
        set(&mut field, 4, &number.to_be_bytes());
    }
    field
}

fn fill(bytes: &mut Vec<u8>) {
    bytes.resize(bytes.len().next_multiple_of(crate::packed::size(BLOCK)), 0);
}

/// A header of pax records with another time in them and without the size, which stands in the header of the entry;
/// nothing when nothing is left of it, and `None` when it is no such header.
pub(super) fn records(bytes: &[u8], modified: i64) -> Option<Vec<u8>> {
    let (head, rest) = bytes.split_at_checked(crate::packed::size(BLOCK))?;
    let mut left = rest.get(..crate::packed::size(Header::size(head)?))?;
    let (mut kept, mut same) = (Vec::new(), true);
    while left.iter().any(|byte| *byte != 0) {
        let (key, _, next) = pax::take_record(left)?;
        let own = left.get(..left.len() - next.len())?;
        match key {
            b"size" => same = false,
            b"mtime" => {
                same = false;
                kept.extend(record(key, modified.to_string().as_bytes()));
            }
            _ => kept.extend_from_slice(own),
        }
        left = next;
    }
    if same {
        return Some(bytes.to_vec());
    }
    if kept.is_empty() {
        return Some(Vec::new());
    }
    let mut block = head.to_vec();
    set(&mut block, 124, &number(kept.len() as u64));
    seal(&mut block);
    block.extend(kept);
    fill(&mut block);
    Some(block)
}

/// One record: its length counts its own digits.
fn record(key: &[u8], value: &[u8]) -> Vec<u8> {
    let rest = key.len() + value.len() + 3;
    let mut length = rest + 1;
    while length != rest + length.to_string().len() {
        length = rest + length.to_string().len();
    }
    [length.to_string().as_bytes(), b" ", key, b"=", value, b"\n"].concat()
}

#[cfg(test)]
mod tests {
    use super::super::super::header::Role;
    use super::super::super::pax::Beyond;
    use super::{Header, Style, again, fresh, record, records};

    fn parse(bytes: &[u8], at: usize) -> Header {
        Header::parse(bytes[at..].first_chunk().unwrap()).unwrap()
    }

    #[test]
    fn a_record_counts_its_own_digits() {
        for length in 0..1_200 {
            let record = record(b"path", &vec![b'x'; length]);
            let said: usize = std::str::from_utf8(&record).unwrap().split(' ').next().unwrap().parse().unwrap();
            assert_eq!(said, record.len());
        }
    }

    #[test]
    fn long_names_are_written_in_the_way_of_the_archive() {
        let fits = vec![b'n'; 100];
        assert_eq!(parse(&fresh(&fits, 5, 9, Style::Pax), 0).name, fits);
        let deep = [vec![b'd'; 150], vec![b'/'], vec![b'n'; 100]].concat();
        let bytes = fresh(&deep, 5, 9, Style::Pax);
        assert_eq!((bytes.len(), parse(&bytes, 0).name), (512, deep.clone()));
        let bytes = fresh(&deep, 5, 9, Style::Gnu);
        assert_eq!((bytes.len(), parse(&bytes, 0).role), (1536, Role::LongName));
        assert_eq!(&bytes[512..512 + deep.len()], deep);
        let long = vec![b'n'; 300];
        let bytes = fresh(&long, 5, 9, Style::Pax);
        let about = parse(&bytes, 0);
        let mut beyond = Beyond::default();
        assert!(beyond.read(&bytes[512..512 + crate::packed::size(about.size)]));
        assert_eq!((about.role, beyond.name), (Role::Pax, Some(long)));
        assert_eq!(parse(&bytes, 1024).size, 5);
        let odd = vec![0xFF; 101];
        assert_eq!(parse(&fresh(&odd, 5, 9, Style::Pax), 0).role, Role::LongName);
    }

    #[test]
    fn a_header_keeps_all_but_size_time_and_checksum() {
        let mut old = fresh(b"a.txt", 5, 9, Style::Gnu);
        old[100..107].copy_from_slice(b"0000755");
        old[265..269].copy_from_slice(b"user");
        let new = again(&old, 0o1234, 0o4321);
        let header = parse(&new, 0);
        assert_eq!((header.size, header.time), (0o1234, Some(0o4321)));
        let differ: Vec<usize> = (0..512).filter(|at| old[*at] != new[*at]).collect();
        assert!(differ.iter().all(|at| (124..156).contains(at)), "{differ:?}");
    }

    #[test]
    fn records_keep_all_but_size_and_time() {
        let all = [record(b"size", b"77"), record(b"comment", b"said\nso"), record(b"mtime", b"1.25")].concat();
        let mut bytes = fresh(b"x", all.len() as u64, 0, Style::Pax);
        bytes[156] = b'x';
        let mut bytes = again(&bytes, all.len() as u64, 0);
        bytes.extend(&all);
        bytes.resize(1024, 0);
        let made = records(&bytes, 99).unwrap();
        let expected = [record(b"comment", b"said\nso"), record(b"mtime", b"99")].concat();
        assert_eq!(&made[512..512 + crate::packed::size(parse(&made, 0).size)], expected);
        assert_eq!(made.len(), 1024);
    }
}
