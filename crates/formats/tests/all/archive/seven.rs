//! Reading 7z archives.

use std::io::Cursor;

use readstone_base::{Mark, TreeSize};
use sevenz_rust2::{ArchiveEntry, ArchiveWriter, EncoderConfiguration, EncoderMethod};

use super::kit::{World, prose, same};

fn seven(files: &[(&str, &[u8])], methods: Vec<EncoderConfiguration>) -> Vec<u8> {
    let mut writer = ArchiveWriter::new(Cursor::new(Vec::new())).unwrap();
    writer.set_content_methods(methods);
    for (name, bytes) in files {
        writer.push_archive_entry(ArchiveEntry::new_file(name), Some(Cursor::new(bytes.to_vec()))).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn entries_are_listed_and_read() {
    let big = prose(4, 400_000);
    let files: [(&str, &[u8]); 3] = [("d/a.txt", b"a"), ("d/big.txt", &big), ("z", b"z")];
    for method in
        [EncoderMethod::COPY, EncoderMethod::LZMA, EncoderMethod::LZMA2, EncoderMethod::BZIP2, EncoderMethod::PPMD]
    {
        let world = World::new("s.7z", seven(&files, vec![EncoderConfiguration::new(method)]));
        assert_eq!(world.names(None), ["d", "z"], "{method:?}");
        assert!(matches!(world.list(Some("d")).0[1].size, TreeSize::File(400_000)));
        same(&world.bytes("d/big.txt").0, &big, method.name());
        assert_eq!(world.text("d/a.txt"), "a");
        assert_eq!(world.text("#3"), "z");
    }
}

#[test]
fn memory_above_the_limit_is_refused_before_it_is_taken() {
    let method = EncoderConfiguration::new(EncoderMethod::LZMA2);
    let mut world = World::new("s.7z", seven(&[("x", b"x")], vec![method]));
    assert_eq!(world.text("x"), "x");
    world = World::new("s.7z", world.file.bytes.to_vec());
    world.limits.unpack_memory = 64 * 1024;
    assert_eq!(world.names(None), ["x"]);
    assert_eq!(world.fails("x"), "archive.limit");
}

#[test]
fn damage_is_named() {
    let good = seven(&[("x", &prose(5, 50_000))], vec![EncoderConfiguration::new(EncoderMethod::LZMA2)]);
    let mut bad = good.clone();
    bad[5_000] ^= 0x55;
    assert_eq!(World::new("s.7z", bad).fails("x"), "archive.corrupt");
    for length in [10, 31, 40, good.len() / 2, good.len() - 1] {
        assert_eq!(World::new("s.7z", good[..length].to_vec()).fails("x"), "archive.corrupt", "{length}");
    }
}

#[test]
fn a_way_of_packing_that_is_not_known_is_named_by_its_number() {
    // One stream of one byte, packed by zstd as some programs have it, and one file called x.
    let streams = [4, 6, 0, 1, 9, 1, 0, 7, 11, 1, 0, 1, 4, 4, 0xF7, 0x11, 4, 12, 1, 0, 8, 0, 0];
    let files = [5, 1, 0x11, 5, 0, b'x', 0, 0, 0, 0];
    let header = [&[1][..], &streams, &files, &[0]].concat();
    let mut start = 1_u64.to_le_bytes().to_vec();
    start.extend((header.len() as u64).to_le_bytes());
    start.extend(crc32fast::hash(&header).to_le_bytes());
    let mut bytes = b"7z\xBC\xAF\x27\x1C\x00\x04".to_vec();
    bytes.extend(crc32fast::hash(&start).to_le_bytes());
    bytes.extend(start);
    bytes.push(b'?');
    bytes.extend(header);
    let world = World::new("z.7z", bytes);
    let (rows, _) = world.list(None);
    assert_eq!(rows[0].marks, [Mark::Unsupported("method 04F71104".to_owned())]);
    assert_eq!(world.fails("x"), "archive.unsupported");
}
