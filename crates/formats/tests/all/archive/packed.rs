//! Compressed files, read as the file inside.

use readstone_base::Note;

use super::kit::{Dice, Got, World, all, bzip2, gzip, identity, prose, same, xz, zstd};

/// The ending of a name, what packs so, and what that is called.
type Packer = (&'static str, fn(&[u8]) -> Vec<u8>, &'static str);

fn packers() -> [Packer; 4] {
    [("gz", gzip, "gzip"), ("bz2", bzip2, "bzip2"), ("xz", xz, "xz"), ("zst", zstd, "zstd")]
}

#[test]
fn a_compressed_file_is_read_as_the_file_inside() {
    let text = prose(5, 700_000);
    for (ending, pack, how) in packers() {
        let world = World::new(&format!("log.txt.{ending}"), pack(&text));
        let Ok(Got::Bytes { piece, rest, notes }) = world.enter(Some("5-9")) else { panic!("no file") };
        assert_eq!((piece.name.as_str(), rest.as_deref()), ("log.txt", Some("5-9")));
        assert_eq!(notes, [Note::Unpacked { how }]);
        same(&all(&*piece.blob).unwrap(), &text, how);
        assert_eq!(identity(piece.blob.stamp().unwrap()), identity(piece.stamp));
        world.read();
        same(&world.bytes("").0, &text, how);
        assert!(world.read() < 2_000, "{how} was unpacked again");
    }
}

#[test]
fn empty_files_are_empty() {
    for (ending, pack, how) in packers() {
        assert_eq!(World::new(&format!("e.{ending}"), pack(b"")).bytes("").0, b"", "{how}");
    }
}

#[test]
fn large_files_are_read_at_any_offset_as_in_order() {
    let mut dice = Dice(42);
    // Text is packed, zeros are packed well, noise is stored as it is; each needs a kind of block of its own.
    let mut text = prose(11, 5 << 20);
    for seed in 0..60 {
        text.extend(vec![0; dice.below(60_000) as usize]);
        text.extend(prose(seed, dice.below(90_000) as usize));
        text.extend((0..dice.below(70_000)).map(|_| dice.next() as u8).collect::<Vec<_>>());
    }
    text.extend(prose(12, 3 << 20));
    for (ending, pack, how) in packers() {
        // Unpacking from the beginning for each read is slow.
        let reads = if how == "gzip" { 120 } else { 6 };
        let world = World::new(&format!("big.log.{ending}"), pack(&text)).with_little_room();
        let Ok(Got::Bytes { piece, notes, .. }) = world.enter(None) else { panic!("no file") };
        assert!(notes.contains(&Note::Unchecked));
        assert!(piece.blob.is_serial());
        for _ in 0..reads {
            let at = dice.below(text.len() as u64 + 10);
            let count = dice.below(70_000);
            let expected = text.get(at as usize..).unwrap_or_default();
            let expected = &expected[..expected.len().min(count as usize)];
            same(&piece.blob.read_range(at, at + count).unwrap(), expected, how);
        }
        same(&all(&*piece.blob).unwrap(), &text, how);
        assert_eq!(piece.blob.len(), Some(text.len() as u64));
    }
}

#[test]
fn a_second_call_begins_in_the_middle() {
    let text = prose(13, 10 << 20);
    let packed = gzip(&text);
    let whole = packed.len() as u64;
    let world = World::new("big.gz", packed);
    let Ok(Got::Bytes { piece, .. }) = world.enter(None) else { panic!("no file") };
    same(&all(&*piece.blob).unwrap(), &text, "all");
    world.read();
    let Ok(Got::Bytes { piece, .. }) = world.enter(None) else { panic!("no file") };
    let settled = world.read();
    let at = 9 << 20;
    assert_eq!(piece.blob.read_range(at, at + 100).unwrap(), text[at as usize..at as usize + 100]);
    assert!(world.read() < whole / 8, "most was unpacked again");
    assert!(settled < whole);
}

#[test]
fn levels_of_compression_make_no_difference() {
    let text = prose(17, 5 << 20);
    for level in [0, 1, 4, 9] {
        let mut packed = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3];
        packed.extend(super::kit::deflate(&text, level));
        packed.extend(crc32fast::hash(&text).to_le_bytes());
        packed.extend((text.len() as u32).to_le_bytes());
        let mut world = World::new("l.gz", packed);
        world.limits.edit_bytes = 1 << 20;
        let Ok(Got::Bytes { piece, .. }) = world.enter(None) else { panic!("no file") };
        same(&all(&*piece.blob).unwrap(), &text, "all");
        for at in (0..50).rev().map(|n| n * 104_729) {
            assert_eq!(piece.blob.read_range(at, at + 10).unwrap(), &text[at as usize..at as usize + 10]);
        }
        same(&all(&*piece.blob).unwrap(), &text, "all");
    }
}

#[test]
fn a21_all_members_are_read_and_what_follows_them_is_named() {
    let (one, two) = (prose(1, 100_000), prose(2, 3 << 20));
    for (ending, pack, how) in packers() {
        let joined = [pack(&one), pack(b""), pack(&two)].concat();
        let world = World::new(&format!("m.{ending}"), joined);
        same(&world.bytes("").0, &[one.clone(), two.clone()].concat(), how);
    }
    let mut garbage = gzip(&one);
    garbage.extend(b"trailing garbage");
    let (bytes, notes) = World::new("t.gz", garbage).bytes("");
    same(&bytes, &one, "garbage");
    assert!(notes.contains(&Note::Foreign { before: 0, behind: 16 }));
}

#[test]
fn headers_of_members_may_carry_names_and_more() {
    let text = b"named";
    let plain = gzip(text);
    let mut packed = vec![0x1F, 0x8B, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 3];
    packed.extend([3, 0, 1, 2, 3]);
    packed.extend(b"name\0comment\0\x12\x34");
    packed.extend(&plain[10..]);
    assert_eq!(World::new("n.gz", packed).text(""), "named");
}

#[test]
fn a12_damage_is_named_and_never_shown_as_sound() {
    let text = prose(23, 400_000);
    for (ending, pack, how) in packers() {
        let good = pack(&text);
        let cut = World::new(&format!("c.{ending}"), good[..good.len() / 2].to_vec());
        match cut.enter(None) {
            Err(fault) => assert_eq!(fault.code(), "archive.corrupt", "{how}"),
            Ok(Got::Bytes { piece, notes, .. }) => {
                let bytes = all(&*piece.blob).unwrap();
                assert!(text.starts_with(&bytes), "{how}");
                assert!(notes.iter().any(|note| matches!(note, Note::Damaged { .. })), "{how}: {notes:?}");
            }
            Ok(other) => panic!("{other:?}"),
        }
    }
    let mut bad = gzip(&text);
    let crc = bad.len() - 8;
    bad[crc] ^= 1;
    assert_eq!(World::new("bad_crc.gz", bad).fails(""), "archive.corrupt");
    let mut bad = gzip(&text);
    let size = bad.len() - 1;
    bad[size] ^= 1;
    assert_eq!(World::new("bad_size.gz", bad).fails(""), "archive.corrupt");
    assert_eq!(World::new("stub.gz", vec![0x1F, 0x8B, 8]).fails(""), "archive.corrupt");
}

#[test]
fn a_wrong_checksum_is_found_from_any_point() {
    let text = prose(29, 12 << 20);
    let mut bad = gzip(&text);
    let crc = bad.len() - 8;
    bad[crc] ^= 1;
    let world = World::new("bad.gz", bad);
    let Ok(Got::Bytes { piece, .. }) = world.enter(None) else { panic!("no file") };
    let error = all(&*piece.blob).unwrap_err();
    assert_eq!(error.to_string(), "the checksum does not match");
    assert_eq!(readstone_formats::unreadable("bad.gz", error).code(), "archive.corrupt");
    assert_eq!(piece.blob.read_range(100, 200).unwrap(), &text[100..200]);
    let end = text.len() as u64;
    assert!(piece.blob.read_range(end - 10, end + 10).is_err());
}

#[test]
fn a23_windows_and_dictionaries_above_the_limit_are_refused() {
    // A zstd frame with a window of 2 GiB.
    let window = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0xA8, 1, 0, 0];
    let world = World::new("window_2g.zst", window.to_vec());
    assert_eq!(world.fails(""), "archive.limit");
    // An xz block with a dictionary of 4 GiB.
    let mut packed = xz(b"x");
    let header = 12;
    let size = (usize::from(packed[header]) + 1) * 4;
    let filter = (header + 2..header + size).find(|at| packed[*at] == 0x21 && packed[*at + 1] == 1).unwrap();
    packed[filter + 2] = 40;
    let crc = crc32fast::hash(&packed[header..header + size - 4]);
    packed[header + size - 4..header + size].copy_from_slice(&crc.to_le_bytes());
    assert_eq!(World::new("dict_4g.xz", packed).fails(""), "archive.limit");
}

#[test]
fn skippable_frames_are_skipped() {
    let mut packed = vec![0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1, 2, 3, 4];
    packed.extend(zstd(b"one "));
    packed.extend([0x5F, 0x2A, 0x4D, 0x18, 0, 0, 0, 0]);
    packed.extend(zstd(b"two"));
    assert_eq!(World::new("s.zst", packed).text(""), "one two");
}

#[test]
fn a_call_that_is_stopped_says_so() {
    for (ending, pack, _) in packers() {
        let world = World::new(&format!("s.{ending}"), pack(&prose(31, 3 << 20)));
        world.budget.cancel_token().cancel();
        assert_eq!(world.fails(""), "archive.cancelled");
    }
    // Callers repeat what was interrupted, so a call that is cancelled must not look so.
    let world = World::new("s.gz", gzip(&prose(31, 9 << 20)));
    let Ok(Got::Bytes { piece, .. }) = world.enter(None) else { panic!("no file") };
    world.budget.cancel_token().cancel();
    let error = piece.blob.read_range(0, 9 << 20).unwrap_err();
    assert_ne!(error.kind(), std::io::ErrorKind::Interrupted);
    assert_eq!(readstone_formats::unreadable("s.gz", error).code(), "archive.cancelled");
}

#[test]
fn unpacking_begins_again_at_every_bit() {
    // Short pieces that end in a block of their own leave points at all bits of a byte.
    let mut dice = Dice(99);
    let (mut text, mut packed) = (Vec::new(), vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]);
    let mut deflate = zlib_rs::Deflate::new(6, false, 15);
    let mut output = vec![0; 2 << 20];
    for seed in 0..40 {
        let mut piece = prose(seed, 200_000 + dice.below(300_000) as usize);
        piece.extend((0..dice.below(100_000)).map(|_| dice.next() as u8).collect::<Vec<_>>());
        let before = deflate.total_out();
        deflate.compress(&piece, &mut output, zlib_rs::DeflateFlush::PartialFlush).unwrap();
        packed.extend(&output[..(deflate.total_out() - before) as usize]);
        text.extend(piece);
    }
    let before = deflate.total_out();
    deflate.compress(b"", &mut output, zlib_rs::DeflateFlush::Finish).unwrap();
    packed.extend(&output[..(deflate.total_out() - before) as usize]);
    packed.extend(crc32fast::hash(&text).to_le_bytes());
    packed.extend((text.len() as u32).to_le_bytes());
    let world = World::new("bits.gz", packed);
    let Ok(Got::Bytes { piece, .. }) = world.enter(None) else { panic!("no file") };
    same(&all(&*piece.blob).unwrap(), &text, "in order");
    for _ in 0..150 {
        let at = dice.below(text.len() as u64 - 700_000);
        let range = at as usize..at as usize + 700_000;
        same(&piece.blob.read_range(at, at + 700_000).unwrap(), &text[range], "from a point");
    }
    same(&all(&*piece.blob).unwrap(), &text, "in order again");
}

#[test]
fn a_file_found_long_before_is_not_unpacked_again_to_find_it_so() {
    let text = prose(37, 10 << 20);
    for (ending, pack) in [("gz", gzip as fn(&[u8]) -> Vec<u8>), ("zst", zstd)] {
        let world = World::new(&format!("l.{ending}"), pack(&text)).with_little_room();
        assert!(world.enter(None).is_ok());
        world.read();
        let Ok(Got::Bytes { notes, .. }) = world.enter(None) else { panic!("no file") };
        assert!(notes.contains(&Note::Unchecked));
        assert!(world.read() < 1_000_000, "{ending}");
    }
}

#[test]
fn a_stream_that_is_packed_well_is_read_from_the_few_points_it_may_have() {
    let text = [[b'a'; 1_023].as_slice(), b"\n"].concat().repeat(40 << 10);
    let world = World::new("a.gz", gzip(&text));
    let Ok(Got::Bytes { piece, .. }) = world.enter(None) else { panic!("no file") };
    same(&all(&*piece.blob).unwrap(), &text, "in order");
    for at in [39 << 20, 17 << 20, 33_333_333, 5_000_001, 100, 38 << 20] {
        assert_eq!(piece.blob.read_range(at, at + 3_000).unwrap(), text[at as usize..at as usize + 3_000]);
    }
}
