//! Entries put into tar archives, compressed ones too: all the rest is what it was.

use proptest::prelude::{Strategy, any, prop, proptest};
use proptest::test_runner::{Config, RngSeed};
use readstone_formats::ArchiveEntry;

use super::kit::{MODIFIED, World, deflate, gzip, prose, same, tar as plain_tar, written};

/// One entry as bytes: headers, content, filling.
#[derive(Clone, Debug)]
struct Part {
    name: String,
    content: Vec<u8>,
    raw: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
enum Style {
    Gnu,
    Ustar,
    Pax,
}

fn part(name: &str, content: &[u8], style: Style) -> Part {
    let mut builder = tar::Builder::new(Vec::new());
    let mut header = match style {
        Style::Gnu => tar::Header::new_gnu(),
        Style::Ustar | Style::Pax => tar::Header::new_ustar(),
    };
    header.set_size(content.len() as u64);
    header.set_mode(0o640);
    header.set_uid(1_234);
    header.set_gid(567);
    header.set_mtime(1_500_000_000);
    header.set_username("ada").unwrap();
    if matches!(style, Style::Pax) {
        let size = content.len().to_string();
        let records: [(&str, &[u8]); 4] = [
            ("SCHILY.xattr.user.note", b"kept\nas it is"),
            ("mtime", b"1500000000.25"),
            ("size", size.as_bytes()),
            ("comment", b"said"),
        ];
        builder.append_pax_extensions(records).unwrap();
    }
    builder.append_data(&mut header, name, content).unwrap();
    builder.get_mut();
    let mut raw = builder.into_inner().unwrap();
    // What ends an archive is no part of an entry.
    raw.truncate(raw.len() - 1024);
    Part { name: name.to_owned(), content: content.to_vec(), raw }
}

fn build(parts: &[Part], zeros: usize) -> Vec<u8> {
    let mut bytes: Vec<u8> = parts.iter().flat_map(|part| part.raw.clone()).collect();
    bytes.resize(bytes.len() + zeros, 0);
    bytes
}

fn parts() -> impl Strategy<Value = Vec<Part>> {
    let style = prop::sample::select(vec![Style::Gnu, Style::Ustar, Style::Pax]);
    let depth = prop::sample::select(vec![0_usize, 0, 30, 90, 140]);
    let one = (prop::collection::vec(any::<u8>(), 0..1_300), style, depth);
    prop::collection::vec(one, 0..7).prop_map(|parts| {
        let make = |(number, (content, style, depth)): (usize, (Vec<u8>, Style, usize))| {
            let (name, style) = match depth {
                0 => (format!("d/f{number}"), style),
                // Beyond what a header holds.
                140 => (format!("{}/f{number}", "p".repeat(140)), Style::Gnu),
                depth => (format!("{}/f{number}", "p".repeat(depth)), style),
            };
            part(&name, &content, style)
        };
        parts.into_iter().enumerate().map(make).collect()
    })
}

/// Holds an archive with an entry put in against what it was.
#[track_caller]
fn check(parts: &[Part], replaced: Option<usize>, made: &[u8], content: &[u8]) {
    let before = replaced.map_or(parts, |at| &parts[..at]);
    let behind = replaced.map_or(&[][..], |at| &parts[at + 1..]);
    let (before, behind) = (build(before, 0), build(behind, 0));
    same(&made[..before.len()], &before, "what stands before the entry");
    let data = (before.len()..made.len()).step_by(512).find(|at| made[*at..].starts_with(content)).unwrap();
    let stop = data + content.len().next_multiple_of(512);
    if !content.is_empty() {
        same(&made[stop..stop + behind.len()], &behind, "what stands behind the entry");
        assert!(made[stop + behind.len()..].iter().all(|byte| *byte == 0));
        assert!(made.len() - stop - behind.len() >= 1024);
    }
}

proptest! {
    #![proptest_config(Config {
        cases: 128,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0xA27),
        ..Config::default()
    })]

    #[test]
    fn an_entry_is_put_in_and_nothing_else_changes(
        parts in parts(),
        content in prop::collection::vec(any::<u8>(), 0..1_300),
        pick in any::<prop::sample::Index>(),
        fresh in any::<bool>(),
        packed in any::<bool>(),
        zeros in prop::sample::select(vec![1024_usize, 2048, 10_240]),
    ) {
        let replaced = (!fresh && !parts.is_empty()).then(|| pick.index(parts.len()));
        let inner = replaced.map_or_else(|| "d/new".to_owned(), |at| parts[at].name.clone());
        let old = build(&parts, zeros);
        let world = if packed { World::new("a.tgz", gzip(&old)) } else { World::new("a.tar", old.clone()) };
        let entry = ArchiveEntry { inner: &inner, content: &content, modified: MODIFIED };
        let (made, was) = world.put(&entry, |plan| (written(plan), plan.replaced())).unwrap();
        assert_eq!(was, replaced.map(|at| parts[at].content.len() as u64));
        let now = World::new(if packed { "a.tgz" } else { "a.tar" }, made.clone());
        same(&now.bytes(&inner).0, &content, "the entry");
        let made = if packed { World::new("a.gz", made).unpacked() } else { made };
        check(&parts, replaced, &made, &content);
        for (number, part) in parts.iter().enumerate().filter(|(number, _)| Some(*number) != replaced) {
            same(&now.bytes(&part.name).0, &part.content, &format!("entry {number}"));
        }
    }
}

impl World {
    /// What gzip packed, whatever that is.
    fn unpacked(&self) -> Vec<u8> {
        let mut inflate = zlib_rs::Inflate::new(false, 15);
        let name = self.file.bytes[3] & 8;
        let start =
            10 + if name > 0 { self.file.bytes[10..].iter().position(|byte| *byte == 0).unwrap() + 1 } else { 0 };
        let mut bytes = vec![0; 1 << 20];
        inflate.decompress(&self.file.bytes[start..], &mut bytes, zlib_rs::InflateFlush::Finish).unwrap();
        bytes.truncate(inflate.total_out() as usize);
        let end = start + inflate.total_in() as usize;
        assert_eq!(self.file.bytes[end..end + 4], crc32fast::hash(&bytes).to_le_bytes());
        assert_eq!(self.file.bytes[end + 4..end + 8], (bytes.len() as u32).to_le_bytes());
        bytes
    }
}

/// The entries as another reader sees them.
fn entries(bytes: &[u8]) -> Vec<(String, tar::Header, Vec<u8>)> {
    let mut archive = tar::Archive::new(bytes);
    let entries = archive.entries().unwrap().map(|entry| {
        let mut entry = entry.unwrap();
        let mut content = Vec::new();
        std::io::Read::read_to_end(&mut entry, &mut content).unwrap();
        (entry.path().unwrap().to_string_lossy().into_owned(), entry.header().clone(), content)
    });
    entries.collect()
}

#[test]
fn a_replaced_entry_keeps_its_mode_its_owner_its_name_and_what_pax_says_of_it() {
    let long = format!("{}/f", "p".repeat(140));
    let parts = [part("a", b"one", Style::Pax), part(&long, b"two", Style::Gnu), part("c", b"three", Style::Ustar)];
    let old = build(&parts, 1024);
    let made = World::new("a.tar", old.clone()).with("a", b"a longer content than before");
    let text = String::from_utf8_lossy(&made[..1024]).into_owned();
    assert!(text.contains("SCHILY.xattr.user.note=kept\nas it is\n") && text.contains("comment=said\n"), "{text}");
    assert!(text.contains("mtime=1800000000\n") && !text.contains("size="), "{text}");
    let made = World::new("a.tar", made).with(&long, b"");
    let (before, after) = (entries(&old), entries(&made));
    assert_eq!(after[0].2, b"a longer content than before");
    assert_eq!(after[1].2, b"");
    for ((old_name, old, _), (name, new, content)) in before.iter().zip(&after) {
        assert_eq!(
            (old_name, old.mode().unwrap(), old.uid().unwrap()),
            (name, new.mode().unwrap(), new.uid().unwrap())
        );
        assert_eq!((old.gid().unwrap(), old.username_bytes()), (new.gid().unwrap(), new.username_bytes()));
        assert_eq!(new.size().unwrap(), content.len() as u64);
    }
    assert_eq!(after[1].1.mtime().unwrap(), MODIFIED as u64);
    assert_eq!(after[2].1.as_bytes(), before[2].1.as_bytes());
}

#[test]
fn links_directories_and_what_stands_behind_the_end_stay() {
    let mut builder = tar::Builder::new(Vec::new());
    let mut entry = |kind: tar::EntryType, name: &str, link: &str, content: &[u8]| {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(content.len() as u64);
        header.set_mode(0o755);
        if !link.is_empty() {
            header.set_link_name(link).unwrap();
        }
        builder.append_data(&mut header, name, content).unwrap();
    };
    entry(tar::EntryType::Directory, "empty/", "", b"");
    entry(tar::EntryType::Regular, "file", "", b"content");
    entry(tar::EntryType::Symlink, "soft", "file", b"");
    entry(tar::EntryType::Link, "hard", "./file", b"");
    let mut old = builder.into_inner().unwrap();
    old.extend(b"what another program left here");
    let world = World::new("a.tar", old.clone());
    let put = ArchiveEntry { inner: "file", content: b"CONTENT", modified: MODIFIED };
    let (made, links) = world.put(&put, |plan| (written(plan), plan.links())).unwrap();
    assert_eq!((links, made.len()), (1, old.len()));
    let differ: Vec<usize> = (0..old.len()).filter(|at| old[*at] != made[*at]).collect();
    assert!(differ.iter().all(|at| (512 + 124..512 + 156).contains(at) || (1024..1031).contains(at)), "{differ:?}");
    let made = World::new("a.tar", made).with("empty/new", b"new");
    let names: Vec<String> = entries(&made).into_iter().map(|(name, ..)| name).collect();
    assert_eq!(names, ["empty/", "file", "soft", "hard", "empty/new"]);
    assert!(made.ends_with(b"what another program left here"));
}

#[test]
fn an_archive_stays_filled_up_as_it_was() {
    let parts = [part("a", b"one", Style::Gnu)];
    for (zeros, expected) in [(1024, 1024 + 1024 + 1024), (10_240 - 1024, 10_240)] {
        let made = World::new("a.tar", build(&parts, zeros)).with("b", b"two");
        assert_eq!(made.len(), expected, "{zeros}");
    }
    let bare = World::new("a.tar", build(&parts, 0)).with("b", b"two");
    assert_eq!(bare.len(), 3 * 1024, "an end is added where there was none");
    let grown = World::new("a.tar", build(&parts, 10_240 - 1024)).with("a", &prose(1, 9_000));
    assert_eq!(grown.len(), 20_480);
}

#[test]
fn an_archive_without_entries_takes_one() {
    let made = World::new("a.tar", vec![0; 10_240]).with("x", b"first");
    assert_eq!((made.len(), World::new("a.tar", made).text("x").as_str()), (10_240, "first"));
    let made = World::new("a.tar.gz", gzip(&[0; 1024])).with("x", b"first");
    assert_eq!(World::new("a.tar.gz", made).text("x"), "first");
}

#[test]
fn new_archives_hold_the_entry() {
    for name in ["new.tar", "new.tar.gz", "NEW.TGZ"] {
        let made = World::new(name, Vec::new()).with("a/b.txt", b"first");
        let world = World::new(name, made);
        assert_eq!(world.text("a/b.txt"), "first");
        assert_eq!(world.names(None), ["a"]);
    }
}

#[test]
fn gzip_keeps_its_name_its_comment_and_what_stands_behind_it() {
    let inside = plain_tar(&[("a", b"one"), ("b", b"two")]);
    let mut packed = vec![0x1F, 0x8B, 8, 4 | 8 | 16 | 2, 1, 2, 3, 4, 2, 7];
    packed.extend([3, 0, 9, 9, 9]);
    packed.extend(b"old name.tar\0said of it\0\x55\x66");
    packed.extend(deflate(&inside, 9));
    packed.extend(crc32fast::hash(&inside).to_le_bytes());
    packed.extend((inside.len() as u32).to_le_bytes());
    packed.extend(b"\0\0\0\0 and more");
    let made = World::new("a.tgz", packed).with("b", b"TWO");
    let time = (MODIFIED as u32).to_le_bytes();
    let header = [&[0x1F, 0x8B, 8, 8 | 16][..], &time, &[2, 7], b"old name.tar\0said of it\0"].concat();
    assert!(made.starts_with(&header));
    assert!(made.ends_with(b"\0\0\0\0 and more"));
    let now = World::new("a.tgz", made);
    assert_eq!((now.text("a"), now.text("b")), ("one".to_owned(), "TWO".to_owned()));
}

#[test]
fn members_of_gzip_become_one_and_a_time_that_was_left_out_stays_out() {
    let inside = plain_tar(&[("a", &prose(4, 3_000))]);
    let packed = [gzip(&inside[..700]), gzip(&inside[700..])].concat();
    let made = World::new("a.tgz", packed).with("z", b"last");
    assert_eq!(made[..10], [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]);
    let now = World::new("a.tgz", made);
    assert_eq!((now.bytes("a").0, now.text("z")), (prose(4, 3_000), "last".to_owned()));
}

/// What is written, and how much of it at a time.
#[derive(Default)]
struct Pieces {
    bytes: Vec<u8>,
    longest: usize,
}

impl std::io::Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.longest = self.longest.max(bytes.len());
        self.bytes.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_long_archive_is_copied_in_pieces() {
    let big = prose(5, 3_000_000);
    let inside = plain_tar(&[("a", &big), ("b", b"two"), ("c", &big)]);
    for (name, old) in [("a.tar", inside.clone()), ("a.tgz", gzip(&inside))] {
        let mut sink = Pieces::default();
        let entry = ArchiveEntry { inner: "b", content: b"TWO", modified: MODIFIED };
        World::new(name, old).put(&entry, |plan| plan.write(&mut sink)).unwrap().unwrap();
        assert!(sink.longest <= 256 * 1024, "{} bytes of {name} at a time", sink.longest);
        let now = World::new(name, sink.bytes);
        same(&now.bytes("c").0, &big, name);
        assert_eq!(now.text("b"), "TWO");
    }
}
