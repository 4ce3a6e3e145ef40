//! Entries put into zip archives: all the rest is what it was.

use std::sync::Arc;

use proptest::prelude::{Strategy, any, prop, proptest};
use proptest::test_runner::{Config, RngSeed};
use readstone_base::Blob;
use readstone_formats::ArchiveEntry;

use super::kit::{MODIFIED, World, prose, same, written};
use super::zip_writer::{Item, end};

/// An entry with all that may stand round it.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    item: Item,
    /// What stands before it and belongs to nothing.
    gap: Vec<u8>,
    local_extra: Vec<u8>,
    comment: Vec<u8>,
    /// What stands behind its data, if its sizes do.
    behind: Option<Behind>,
}

#[derive(Clone, Copy, Debug)]
enum Behind {
    Signed,
    Bare,
    Wide,
}

impl Part {
    fn new(item: Item) -> Self {
        Self { item, gap: Vec::new(), local_extra: Vec::new(), comment: Vec::new(), behind: None }
    }

    /// Its bytes, without the gap.
    fn raw(&self) -> Vec<u8> {
        let mut bytes = self.item.local();
        bytes[28..30].copy_from_slice(&(self.local_extra.len() as u16).to_le_bytes());
        bytes.extend(&self.local_extra);
        let (packed, size) = (self.item.data.len() as u64, self.item.size);
        if self.behind.is_some() {
            bytes[6] |= 8;
            bytes[14..26].fill(0);
        }
        bytes.extend(&self.item.data);
        match self.behind {
            None => {}
            Some(Behind::Wide) => {
                bytes.extend(b"PK\x07\x08");
                bytes.extend(self.item.crc.to_le_bytes());
                bytes.extend(packed.to_le_bytes());
                bytes.extend(size.to_le_bytes());
            }
            Some(way @ (Behind::Signed | Behind::Bare)) => {
                bytes.extend(if matches!(way, Behind::Signed) { &b"PK\x07\x08"[..] } else { b"" });
                bytes.extend(self.item.crc.to_le_bytes());
                bytes.extend((packed as u32).to_le_bytes());
                bytes.extend((size as u32).to_le_bytes());
            }
        }
        bytes
    }

    fn central(&self, offset: u64) -> Vec<u8> {
        let mut bytes = self.item.central(offset);
        if self.behind.is_some() {
            bytes[8] |= 8;
        }
        bytes[32..34].copy_from_slice(&(self.comment.len() as u16).to_le_bytes());
        bytes.extend(&self.comment);
        bytes
    }
}

/// What stands round all entries.
#[derive(Clone, Debug, Default)]
struct Frame {
    before: Vec<u8>,
    /// Whether places are counted from the beginning of the file.
    absolute: bool,
    comment: Vec<u8>,
    large: bool,
}

fn build(parts: &[Part], frame: &Frame) -> Vec<u8> {
    let mut bytes = frame.before.clone();
    let base = if frame.absolute { 0 } else { frame.before.len() };
    let mut central = Vec::new();
    for part in parts {
        bytes.extend(&part.gap);
        central.extend(part.central((bytes.len() - base) as u64));
        bytes.extend(part.raw());
    }
    let offset = bytes.len() - base;
    bytes.extend(&central);
    if frame.large {
        let place = (bytes.len() - base) as u64;
        bytes.extend(b"PK\x06\x06");
        bytes.extend(44_u64.to_le_bytes());
        bytes.extend([45, 3, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        for number in [parts.len(), parts.len(), central.len(), offset] {
            bytes.extend((number as u64).to_le_bytes());
        }
        bytes.extend(b"PK\x06\x07\0\0\0\0");
        bytes.extend(place.to_le_bytes());
        bytes.extend(1_u32.to_le_bytes());
        bytes.extend(b"PK\x05\x06\0\0\0\0");
        bytes.extend([0xFF; 12]);
        bytes.extend((frame.comment.len() as u16).to_le_bytes());
        bytes.extend(&frame.comment);
    } else {
        bytes.extend(end(parts.len() as u16, central.len(), offset, &frame.comment));
    }
    bytes
}

fn word(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

/// The records of an archive, the place of each, and how far the places are from those in the file.
fn records(bytes: &[u8], frame: &Frame) -> (Vec<(Vec<u8>, usize)>, usize) {
    let at = bytes.len() - 22 - frame.comment.len();
    assert_eq!(&bytes[at..at + 4], b"PK\x05\x06");
    assert_eq!(&bytes[at + 22..], frame.comment);
    let (count, size, offset, stop) = if frame.large {
        assert_eq!(&bytes[at..at + 20], [&b"PK\x05\x06\0\0\0\0"[..], &[0xFF; 12]].concat());
        let place = at - 76;
        let base = if frame.absolute { 0 } else { frame.before.len() };
        assert_eq!(word(bytes, at - 12), place - base, "where the end of a large archive is");
        let long = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
        (long(place + 32), long(place + 40), long(place + 48), place)
    } else {
        let count = usize::from(u16::from_le_bytes(bytes[at + 10..at + 12].try_into().unwrap()));
        (count, word(bytes, at + 12), word(bytes, at + 16), at)
    };
    let base = stop - size - offset;
    let mut found = Vec::new();
    let mut at = stop - size;
    while at < stop {
        let lengths: usize = [28, 30, 32]
            .iter()
            .map(|field| usize::from(u16::from_le_bytes([bytes[at + field], bytes[at + field + 1]])))
            .sum();
        let mut record = bytes[at..at + 46 + lengths].to_vec();
        let place = word(&record, 42);
        record[42..46].fill(0);
        found.push((record, place));
        at += 46 + lengths;
    }
    assert_eq!(found.len(), count);
    (found, base)
}

/// Holds an archive with an entry put in against what it was.
#[track_caller]
fn check(parts: &[Part], frame: &Frame, replaced: Option<usize>, made: &[u8]) {
    assert!(made.starts_with(&frame.before));
    let (found, base) = records(made, frame);
    assert_eq!(found.len(), parts.len() + usize::from(replaced.is_none()));
    for (number, (part, (record, place))) in parts.iter().zip(&found).enumerate() {
        let at = place + base;
        if Some(number) != replaced {
            same(record, &part.central(0), "a record");
            let raw = part.raw();
            same(&made[at..at + raw.len()], &raw, "an entry");
        }
        same(&made[at - part.gap.len()..at], &part.gap, "what stands before an entry");
    }
}

fn frames() -> impl Strategy<Value = Frame> {
    let before = prop::collection::vec(any::<u8>(), 0..40);
    (before, any::<bool>(), prop::collection::vec(b'a'..=b'z', 0..20), any::<bool>())
        .prop_map(|(before, absolute, comment, large)| Frame { before, absolute, comment, large })
}

fn parts() -> impl Strategy<Value = Vec<Part>> {
    let bytes = prop::collection::vec(any::<u8>(), 0..300);
    let extra = prop::collection::vec(any::<u8>(), 0..9).prop_map(|field| {
        let mut extra = vec![0x77, 0x66, field.len() as u8, 0];
        extra.extend(field);
        extra
    });
    let behind = prop::sample::select(vec![None, Some(Behind::Signed), Some(Behind::Bare), Some(Behind::Wide)]);
    let gap = prop::collection::vec(1_u8..9, 0..5);
    let method = prop::sample::select(vec![0_u16, 8, 12, 93]);
    let part = (bytes, extra, behind, gap, method, prop::collection::vec(b'a'..=b'z', 0..9));
    prop::collection::vec(part, 0..7).prop_map(|parts| {
        let part = |(number, (bytes, extra, behind, gap, method, comment)): (usize, _)| {
            let bytes: Vec<u8> = bytes;
            let mut item = Item::new(format!("d{}/f{number}", number % 2), &bytes, method);
            item.mode = 0o10_0600 + number as u32;
            item.extra = extra;
            Part { local_extra: item.extra.clone(), item, gap, comment, behind }
        };
        parts.into_iter().enumerate().map(part).collect()
    })
}

proptest! {
    #![proptest_config(Config {
        cases: 160,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0xA27),
        ..Config::default()
    })]

    #[test]
    fn an_entry_is_put_in_and_nothing_else_changes(
        parts in parts(),
        frame in frames(),
        content in prop::collection::vec(any::<u8>(), 0..400),
        pick in any::<prop::sample::Index>(),
        fresh in any::<bool>(),
    ) {
        let old = build(&parts, &frame);
        let replaced = (!fresh && !parts.is_empty()).then(|| pick.index(parts.len()));
        let inner = replaced.map_or_else(|| "d1/new".to_owned(), |at| format!("d{}/f{at}", at % 2));
        // What begins with something else is an archive only if it has an entry.
        if parts.is_empty() && (frame.large || !frame.before.is_empty()) {
            return Ok(());
        }
        let world = World::new("a.zip", old);
        let entry = ArchiveEntry { inner: &inner, content: &content, modified: MODIFIED };
        let (made, is_created, was) =
            world.put(&entry, |plan| (written(plan), plan.is_created(), plan.replaced())).unwrap();
        assert_eq!((is_created, was), (replaced.is_none(), replaced.map(|at| parts[at].item.size)));
        check(&parts, &frame, replaced, &made);
        let now = World::new("a.zip", made);
        same(&now.bytes(&inner).0, &content, "the entry");
        for (number, part) in parts.iter().enumerate().filter(|(number, _)| Some(*number) != replaced) {
            let name = String::from_utf8(part.item.name.clone()).unwrap();
            same(&now.bytes(&name).0, &world.bytes(&name).0, &format!("entry {number}"));
        }
    }
}

fn twenty() -> Vec<Part> {
    (0..20)
        .map(|number| {
            let mut item = Item::deflated(format!("dir/{number}.txt"), &prose(number, 500 + number as usize * 31));
            item.mode = if number == 3 { 0o12_0777 } else { 0o10_0640 };
            item.extra =
                [&b"UT\x05\x00\x03"[..], &(1_000_000_000 + number as u32).to_le_bytes(), b"zz\x02\0hi"].concat();
            Part { local_extra: item.extra.clone(), comment: format!("entry {number}").into_bytes(), ..Part::new(item) }
        })
        .collect()
}

#[test]
fn one_entry_of_twenty_is_replaced_where_it_stands_with_its_mode_and_its_comment() {
    let parts = twenty();
    let frame = Frame { comment: b"of the archive".to_vec(), ..Frame::default() };
    let made = World::new("a.zip", build(&parts, &frame)).with("dir/7.txt", b"short");
    check(&parts, &frame, Some(7), &made);
    let (found, base) = records(&made, &frame);
    let (record, place) = &found[7];
    let mut expected = parts[7].central(0);
    // Version, flags, method, time, checksum and sizes are the entry's new ones.
    expected[6..28].copy_from_slice(&record[6..28]);
    let stamp = expected.windows(4).position(|bytes| bytes == 1_000_000_007_u32.to_le_bytes()).unwrap();
    expected[stamp..stamp + 4].copy_from_slice(&(MODIFIED as u32).to_le_bytes());
    same(record, &expected, "the record of the entry");
    let local = &made[place + base..];
    assert!(local.starts_with(b"PK\x03\x04"));
    assert_eq!(&local[30..39], b"dir/7.txt");
    assert_eq!(&local[39 + 9..39 + 15], b"zz\x02\0hi");
}

#[test]
fn an_entry_of_the_same_content_keeps_everything_but_its_time() {
    let item = Item::stored("mimetype", b"application/epub+zip");
    let parts = [Part::new(item), Part::new(Item::deflated("b", &prose(1, 4_000)))];
    let frame = Frame::default();
    let old = build(&parts, &frame);
    let made = World::new("a.epub", old.clone()).with("mimetype", b"application/epub+zip");
    assert_eq!(made.len(), old.len(), "what was stored is stored");
    let differ: Vec<usize> = (0..old.len()).filter(|at| old[*at] != made[*at]).collect();
    let central = old.len() - 22 - 46 * 2 - 9;
    let fine = |at: &usize| (4..14).contains(at) || (central + 6..central + 16).contains(at);
    assert!(differ.iter().all(fine), "{differ:?}");
}

#[test]
fn an_archive_becomes_large_when_it_has_more_entries_than_are_counted() {
    let most = 0xFFFE;
    let parts: Vec<Part> = (0..most).map(|number| Part::new(Item::stored(format!("{number}"), b""))).collect();
    let frame = Frame::default();
    let world = World::new("a.zip", build(&parts, &frame));
    let made = world.with("last", b"content");
    assert_eq!(&made[made.len() - 42..made.len() - 38], b"PK\x06\x07");
    let now = World::new("a.zip", made);
    assert_eq!(now.text("last"), "content");
    assert_eq!(now.text(&format!("{}", most - 1)), "");
    let again = World::new("a.zip", now.with("last", b"other"));
    assert_eq!(again.text("last"), "other");
    let more = World::new("a.zip", again.with("more", b"still"));
    assert_eq!((more.text("more"), more.text("last")), ("still".to_owned(), "other".to_owned()));
}

/// Bytes behind very many zeros.
#[derive(Debug)]
struct Far {
    zeros: u64,
    rest: Vec<u8>,
}

impl Blob for Far {
    fn len(&self) -> Option<u64> {
        Some(self.zeros + self.rest.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        if offset < self.zeros {
            let count = buffer.len().min((self.zeros - offset) as usize);
            buffer[..count].fill(0);
            let more = self.read_at(self.zeros, &mut buffer[count..])?;
            return Ok(count + more);
        }
        let rest = self.rest.get((offset - self.zeros) as usize..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

impl std::io::Write for Far {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let skipped = bytes.len().min(self.zeros as usize);
        self.zeros -= skipped as u64;
        self.rest.extend(&bytes[skipped..]);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_archive_that_grows_beyond_four_gigabytes_becomes_large() {
    let zeros = 0xFFFF_FFFF - 400;
    let parts = ["a", "b", "c"].map(|name| Part::new(Item::stored(name, &prose(1, 50))));
    let (mut rest, mut central) = (Vec::new(), Vec::new());
    for part in &parts {
        central.extend(part.central(zeros + rest.len() as u64));
        rest.extend(part.raw());
    }
    let offset = zeros as usize + rest.len();
    let tail = end(3, central.len(), offset, b"said");
    rest.extend(central);
    rest.extend(tail);
    let world = World::of("a.zip", Arc::new(Far { zeros, rest }));
    // Only what the middle one is moved by brings the last beyond.
    let content = prose(2, 400).into_iter().rev().collect::<Vec<_>>();
    let entry = ArchiveEntry { inner: "b", content: &content, modified: MODIFIED };
    let mut sink = Far { zeros, rest: Vec::new() };
    world.put(&entry, |plan| plan.write(&mut sink)).unwrap().unwrap();
    assert_eq!(sink.zeros, 0);
    assert!(sink.rest.ends_with(b"said"));
    let now = World::of("a.zip", Arc::new(Far { zeros, rest: sink.rest }));
    same(&now.bytes("a").0, &prose(1, 50), "the first");
    same(&now.bytes("b").0, &content, "the entry");
    same(&now.bytes("c").0, &prose(1, 50), "the last");
    let mut sink = Far { zeros, rest: Vec::new() };
    let entry = ArchiveEntry { inner: "d", ..entry };
    now.put(&entry, |plan| plan.write(&mut sink)).unwrap().unwrap();
    let now = World::of("a.zip", Arc::new(Far { zeros, rest: sink.rest }));
    same(&now.bytes("d").0, &content, "a new one");
    same(&now.bytes("c").0, &prose(1, 50), "the one before");
}

#[test]
fn an_archive_without_entries_takes_one() {
    let frame = Frame { comment: b"empty".to_vec(), ..Frame::default() };
    let made = World::new("a.zip", build(&[], &frame)).with("a/b.txt", b"first");
    check(&[], &frame, None, &made);
    assert_eq!(World::new("a.zip", made).text("a/b.txt"), "first");
}

#[test]
fn a_new_archive_holds_the_entry() {
    let made = World::new("new.zip", Vec::new()).with("a/b.txt", &prose(3, 9_000));
    let now = World::new("new.zip", made);
    same(&now.bytes("a/b.txt").0, &prose(3, 9_000), "the entry");
    assert_eq!(now.names(Some("a")), ["b.txt"]);
}
