//! What is not put into archives, and why.

use readstone_formats::{ArchiveEntry, ArchiveForm, archive_form, archive_kind, is_database};

use super::kit::{MODIFIED, World, bzip2, gzip, prose, tar, xz, zstd};
use super::zip_writer::{Item, zip};

fn small() -> World {
    World::new("a.zip", zip(&[Item::stored("dir/x.txt", b"old"), Item::stored("inner.zip", b"PK\x03\x04")]))
}

fn code(world: &World, inner: &str) -> &'static str {
    world.refuses(inner).0
}

#[test]
fn names_that_lead_out_or_name_no_file_are_refused() {
    let world = small();
    for inner in ["../x", "a/../../x", "a\\..\\x", "C:/x", "\\x2e\\x2e/x"] {
        assert_eq!(code(&world, inner), "archive.bad_name", "{inner}");
    }
    for inner in ["", "/", ".", "dir/", "new/", "dir", "new\\"] {
        assert_eq!(code(&world, inner), "archive.unwritable", "{inner}");
    }
    assert_eq!(world.refuses("dir").1, "'a.zip:dir' cannot be written: it is a directory");
    assert_eq!(code(&world, "dir/x.txt/below"), "archive.unwritable");
    assert_eq!(code(&world, "#7"), "archive.not_found");
    assert_eq!(code(&world, &"x".repeat(5_000)), "archive.unwritable");
}

#[test]
fn a_name_is_tidied_and_its_escapes_are_undone() {
    let world = small();
    for inner in ["dir/x.txt", "./dir//x.txt", "/dir/x.txt", "dir\\x.txt", "dir/\\x78.txt", "#1"] {
        let entry = ArchiveEntry { inner, content: b"new", modified: MODIFIED };
        let (name, was) = world.put(&entry, |plan| (plan.name().to_owned(), plan.replaced())).unwrap();
        assert_eq!((name.as_str(), was), ("dir/x.txt", Some(3)), "{inner}");
    }
    for (inner, expected) in [("./new//x", "new/x"), ("new\\y", "new/y"), ("\\x237", "\\x237"), ("ö.txt", "ö.txt")] {
        let entry = ArchiveEntry { inner, content: b"new", modified: MODIFIED };
        let (name, made) = world.put(&entry, |plan| (plan.name().to_owned(), super::kit::written(plan))).unwrap();
        assert_eq!(name, expected);
        assert_eq!(World::new("a.zip", made).text(expected), "new");
    }
}

#[test]
fn nothing_is_written_into_an_entry() {
    let world = small();
    assert_eq!(code(&world, "inner.zip:x"), "archive.unwritable");
    assert_eq!(
        world.refuses("inner.zip:x").1,
        "'a.zip:inner.zip:x' cannot be written: 'inner.zip' is an entry of it, and entries are written whole"
    );
    for inner in ["dir/x.txt:3-4", "#1:3-4", "new.txt:3-4", "new.txt:raw", "dir:3"] {
        assert_eq!(code(&world, inner), "archive.unwritable", "{inner}");
    }
    let now = World::new("a.zip", world.with("10\\x3a30", b"new"));
    assert_eq!(now.text("10:30"), "new");
}

#[test]
fn names_that_several_entries_have_are_refused_and_their_numbers_are_not() {
    let world =
        World::new("a.zip", zip(&[Item::stored("x", b"1"), Item::stored("./x", b"2"), Item::stored("y", b"3")]));
    let fault = world.put(&ArchiveEntry { inner: "x", content: b"", modified: 0 }, |_| ()).unwrap_err();
    assert_eq!(
        (fault.code(), fault.to_string().as_str()),
        ("archive.ambiguous", "'a.zip' has several entries called 'x': #1, #2")
    );
    let next: Vec<String> = fault.next().into_iter().map(|next| next.argument).collect();
    assert_eq!(next, ["a.zip:#1", "a.zip:#2"]);
    let second = ArchiveEntry { inner: "#2", content: b"", modified: 0 };
    let meant = world.put(&second, |plan| (plan.name().to_owned(), plan.address().to_owned())).unwrap();
    assert_eq!(meant, ("x".to_owned(), "#2".to_owned()), "its name would mean the other one as well");
    let now = World::new("a.zip", world.with("#2", b"two"));
    assert_eq!((now.text("#1"), now.text("#2")), ("1".to_owned(), "two".to_owned()));
}

#[test]
fn what_a_rule_withholds_is_not_written() {
    for (name, old) in
        [("a.zip", zip(&[Item::stored("a", b"1")])), ("a.tar", tar(&[("a", b"1")])), ("a.zip", Vec::new())]
    {
        let world = World::new(name, old);
        assert_eq!(code(&world, "dir/.env"), "archive.denied");
        assert_eq!(code(&world, "dir\\.env"), "archive.denied");
        let packed = ArchiveEntry { inner: ".env.gz", content: &gzip(b"key"), modified: 0 };
        assert_eq!(world.put(&packed, |_| ()).unwrap_err().code(), "archive.denied");
    }
}

#[test]
fn links_and_devices_and_encrypted_entries_are_refused() {
    let mut link = Item::stored("link", b"target");
    link.mode = 0o12_0777;
    let mut fifo = Item::stored("fifo", b"");
    fifo.mode = 0o01_0600;
    let mut locked = Item::stored("locked", b"?????????????");
    locked.flags = 1;
    let world = World::new("a.zip", zip(&[link, fifo, locked]));
    assert_eq!(code(&world, "link"), "archive.unwritable");
    assert_eq!(code(&world, "link/below"), "archive.unwritable");
    assert_eq!(code(&world, "fifo"), "archive.not_regular");
    assert_eq!(code(&world, "locked"), "archive.encrypted");
    assert_eq!(World::new("a.zip", world.with("other", b"new")).text("other"), "new");
}

#[test]
fn kinds_that_are_only_read_are_refused_with_the_reason() {
    let inside = tar(&[("a", b"1")]);
    for (name, old, how) in
        [("a.tar.bz2", bzip2(&inside), "bzip2"), ("a.tar.xz", xz(&inside), "xz"), ("a.tar.zst", zstd(&inside), "zstd")]
    {
        let (code, words) = World::new(name, old).refuses("a");
        assert_eq!(code, "archive.unwritable");
        assert!(words.contains(how), "{words}");
    }
    let seven = World::new("a.7z", b"7z\xBC\xAF\x27\x1C\0\x04".to_vec());
    assert_eq!(code(&seven, "a"), "archive.unwritable");
    assert_eq!(code(&World::new("a.gz", gzip(b"just text")), "a"), "archive.unwritable");
    assert_eq!(code(&World::new("a.zip", b"just text".to_vec()), "a"), "archive.unwritable");
}

#[test]
fn damaged_archives_are_refused() {
    let parts: Vec<Item> = (0..4).map(|number| Item::deflated(format!("{number}"), &prose(number, 2_000))).collect();
    let sound = zip(&parts);
    let end = sound.len() - 22;
    let mut lying = sound.clone();
    lying[end + 10] = 9;
    let mut elsewhere = sound.clone();
    elsewhere[1] = b'X';
    let mut behind = sound.clone();
    behind[end + 16] ^= 1;
    let mut shared = sound.clone();
    let second = sound.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap();
    shared[second + 42..second + 46].fill(0);
    let cut = sound[..sound.len() - 30].to_vec();
    for (what, bytes) in [("count", lying), ("local", elsewhere), ("shared", shared), ("cut", cut)] {
        assert_eq!(code(&World::new("a.zip", bytes), "2"), "archive.corrupt", "{what}");
    }
    let mut parts = parts;
    parts[2].local_name = Some(b"another".to_vec());
    assert_eq!(code(&World::new("a.zip", zip(&parts)), "2"), "archive.corrupt");
    let sound = tar(&[("a", &prose(1, 2_000)), ("b", b"2")]);
    let mut header = sound.clone();
    header[512 + 2048] ^= 1;
    let cut = sound[..1_500].to_vec();
    for bytes in [header, cut] {
        assert_eq!(code(&World::new("a.tar", bytes.clone()), "a"), "archive.corrupt");
        assert_eq!(code(&World::new("a.tgz", gzip(&bytes)), "a"), "archive.corrupt");
    }
    let mut sums = gzip(&sound);
    let at = sums.len() - 6;
    sums[at] ^= 1;
    assert_eq!(code(&World::new("a.tgz", sums), "a"), "archive.corrupt");
    let packed = gzip(&sound);
    assert_eq!(code(&World::new("a.tgz", packed[..packed.len() / 2].to_vec()), "a"), "archive.corrupt");
}

#[test]
fn parts_of_an_archive_in_several_files_are_refused() {
    let mut bytes = zip(&[Item::stored("a", b"1")]);
    let end = bytes.len() - 22;
    bytes[end + 4] = 1;
    assert_eq!(code(&World::new("a.zip", bytes), "a"), "archive.unwritable");
}

#[test]
fn sparse_entries_are_refused() {
    let mut bytes = tar(&[("holes", b"data"), ("b", b"2")]);
    bytes[156] = b'S';
    bytes[148..156].fill(b' ');
    let sum: u32 = bytes[..512].iter().map(|byte| u32::from(*byte)).sum();
    bytes[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    let world = World::new("a.tar", bytes);
    assert_eq!(code(&world, "holes"), "archive.unwritable");
    assert_eq!(World::new("a.tar", world.with("b", b"TWO")).text("b"), "TWO");
}

#[test]
fn a_call_that_was_cancelled_writes_no_more() {
    for (name, old) in [("a.zip", zip(&[Item::stored("a", &prose(1, 900_000))])), ("a.tgz", gzip(&tar(&[("a", b"1")])))]
    {
        let world = World::new(name, old);
        let entry = ArchiveEntry { inner: "b", content: b"2", modified: MODIFIED };
        let stop = world.budget.cancel_token();
        let result = world.put(&entry, |plan| {
            stop.cancel();
            plan.write(&mut Vec::new())
        });
        let fault = readstone_formats::unreadable(name, result.unwrap().unwrap_err());
        assert_eq!(fault.code(), "archive.cancelled");
        assert_eq!(code(&world, "b"), "archive.cancelled");
    }
}

#[test]
fn what_the_sink_says_is_passed_on() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::from_raw_os_error(28))
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    for (name, old) in [("a.zip", zip(&[Item::stored("a", b"1")])), ("a.tgz", gzip(&tar(&[("a", b"1")])))] {
        let entry = ArchiveEntry { inner: "b", content: b"2", modified: MODIFIED };
        let error = World::new(name, old).put(&entry, |plan| plan.write(&mut Full)).unwrap().unwrap_err();
        assert_eq!(error.raw_os_error(), Some(28));
    }
}

#[test]
fn a_name_tells_what_a_new_archive_is() {
    for (name, form) in [
        ("a.zip", Some(ArchiveForm::Zip)),
        ("dir/A.ZIP", Some(ArchiveForm::Zip)),
        ("a.tar", Some(ArchiveForm::Tar)),
        ("a.tar.gz", Some(ArchiveForm::TarGzip)),
        ("a.tgz", Some(ArchiveForm::TarGzip)),
        (".zip", None),
        ("dir/.tar", None),
        ("a.gz", None),
        ("a.7z", None),
        ("a.tar.xz", None),
        ("zip", None),
    ] {
        assert_eq!(archive_form(name), form, "{name}");
    }
}

#[test]
fn bytes_tell_what_must_not_be_overwritten() {
    let tarred = tar(&[("a", b"1")]);
    let zipped = zip(&[Item::stored("a", b"1")]);
    let behind = [b"#!/bin/sh\n".as_slice(), &zipped].concat();
    for (bytes, kind) in [
        (zipped.clone(), Some("zip archive")),
        (behind, Some("zip archive")),
        (tarred.clone(), Some("tar archive")),
        (gzip(&tarred), Some("gzip file")),
        (xz(b"1"), Some("xz file")),
        (b"7z\xBC\xAF\x27\x1C\0\x04".to_vec(), Some("7z archive")),
        (b"just text about PK\x05\x06 and so on, long enough to hold one".to_vec(), None),
        (Vec::new(), None),
    ] {
        assert_eq!(archive_kind(&readstone_base::Memory::new(bytes)).unwrap(), kind);
    }
    assert!(is_database(b"SQLite format 3\0\x10"));
    assert!(!is_database(b"SQLite format 3"));
}
