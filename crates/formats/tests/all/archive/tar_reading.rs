//! Reading tar archives, plain and compressed.

use readstone_base::{Note, TreeSize, When};

use super::kit::{Dice, Got, World, bzip2, gzip, prose, same, tar, xz, zstd};

#[test]
fn entries_are_read_from_plain_and_compressed_archives() {
    let big = prose(1, 200_000);
    let files: [(&str, &[u8]); 4] = [("a/b.txt", b"b"), ("a/big.log", &big), ("empty", b""), ("z.txt", b"z")];
    let plain = tar(&files);
    let packs: [(&str, Vec<u8>); 5] = [
        ("t.tar", plain.clone()),
        ("t.tar.gz", gzip(&plain)),
        ("t.tar.bz2", bzip2(&plain)),
        ("t.tar.xz", xz(&plain)),
        ("t.tar.zst", zstd(&plain)),
    ];
    for (name, bytes) in packs {
        let world = World::new(name, bytes);
        assert_eq!(world.names(None), ["a", "empty", "z.txt"], "{name}");
        let (rows, notes) = world.list(Some("a"));
        assert_eq!(notes, [], "{name}");
        assert!(matches!(rows[1].size, TreeSize::File(200_000)));
        assert_eq!(rows[1].when, When::At(1_700_000_000));
        assert_eq!(world.text("a/b.txt"), "b");
        same(&world.bytes("a/big.log").0, &big, name);
        assert_eq!(world.text("empty"), "");
        assert_eq!(world.text("#4"), "z");
        let fresh = World::new(name, world.file.bytes.to_vec());
        let (bytes, notes) = fresh.bytes("z.txt");
        assert_eq!((bytes.as_slice(), notes.as_slice()), (&b"z"[..], &[][..]), "{name}");
        assert_eq!(fresh.fault("b.txt").next()[0].argument, format!("{name}:a/b.txt"));
    }
}

#[test]
fn a_compressed_archive_is_read_up_to_the_entry_and_then_on_from_there() {
    let mut dice = Dice(77);
    let random: Vec<Vec<u8>> = (0..20).map(|_| (0..1_000_000).map(|_| dice.next() as u8).collect()).collect();
    let names: Vec<String> = (0..20).map(|n| format!("f{n:02}")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().zip(&random).map(|(name, data)| (name.as_str(), &data[..])).collect();
    let world = World::new("r.tar.gz", gzip(&tar(&files)));
    let (bytes, notes) = world.bytes("f03");
    same(&bytes, &random[3], "f03");
    assert_eq!(notes, [Note::NotReadOn]);
    let first = world.read();
    assert!(first < 6_000_000, "{first} bytes were read");
    same(&world.bytes("f02").0, &random[2], "f02");
    let second = world.read();
    assert!(second < 2_500_000, "{second} bytes were read");
    same(&world.bytes("f10").0, &random[10], "f10");
    let third = world.read();
    assert!(third < 9_500_000, "{third} bytes were read");
    let (bytes, notes) = world.bytes("f19");
    same(&bytes, &random[19], "f19");
    assert_eq!(notes, [], "so near the end, the rest was read and checked");
}

#[test]
fn directories_that_only_stand_in_names_are_found_too() {
    let world = World::new("d.tar.gz", gzip(&tar(&[("x/y/z.txt", b"z"), ("./x/w.txt", b"w")])));
    assert_eq!(world.names(Some("x")), ["w.txt", "y"]);
    assert_eq!(world.names(Some("x/y/")), ["z.txt"]);
    assert!(matches!(world.enter(Some("x:1-5")), Ok(Got::List { .. })));
}

#[test]
fn long_names_are_read_in_every_dialect() {
    let long = format!("{}/{}.txt", "d".repeat(120), "f".repeat(150));
    let world = World::new("gnu.tar", tar(&[(&long, b"gnu")]));
    assert_eq!(world.text(&long), "gnu");
    let mut builder = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_ustar();
    header.set_path(format!("{}/{}.txt", "d".repeat(120), "f".repeat(80))).unwrap();
    header.set_size(5);
    header.set_cksum();
    builder.append(&header, &b"ustar"[..]).unwrap();
    let mut header = tar::Header::new_ustar();
    header.set_size(3);
    builder.append_pax_extensions([("path", long.as_bytes()), ("mtime", &b"1600000000.5"[..])]).unwrap();
    header.set_path("short").unwrap();
    header.set_cksum();
    builder.append(&header, &b"pax"[..]).unwrap();
    let world = World::new("p.tar", builder.into_inner().unwrap());
    assert_eq!(world.text(&format!("{}/{}.txt", "d".repeat(120), "f".repeat(80))), "ustar");
    assert_eq!(world.text(&long), "pax");
    let (rows, _) = world.list(Some(&"d".repeat(120)));
    assert!(rows.iter().any(|row| row.when == When::At(1_600_000_000)));
}

#[test]
fn the_last_of_several_entries_of_one_name_is_read() {
    let world = World::new("t.tar.gz", gzip(&tar(&[("x", b"first"), ("x", b"second"), ("y", b"y")])));
    let (bytes, notes) = world.bytes("x");
    assert_eq!(bytes, b"second");
    assert_eq!(notes, [Note::SameName { number: 2, count: 2, other: "t.tar.gz:#1".to_owned() }]);
    assert_eq!(world.text("#1"), "first");
}

/// A clock on which each look takes a while.
#[derive(Debug, Default)]
struct Slow(std::sync::atomic::AtomicU64);

impl readstone_base::Clock for Slow {
    fn wall(&self) -> i64 {
        0
    }

    fn elapsed(&self) -> std::time::Duration {
        std::time::Duration::from_millis(self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
    }
}

#[test]
fn a_second_call_goes_on_where_the_first_ran_out_of_time() {
    let texts: Vec<Vec<u8>> = (0..40).map(|n| prose(n, 500_000)).collect();
    let names: Vec<String> = (0..40).map(|n| format!("f{n}")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().zip(&texts).map(|(name, text)| (name.as_str(), &text[..])).collect();
    let mut world = World::new("slow.tar.gz", gzip(&tar(&files)));
    let clock: std::sync::Arc<dyn readstone_base::Clock> = std::sync::Arc::new(Slow::default());
    for round in 0..20 {
        let time = std::time::Duration::from_millis(30);
        world.budget = readstone_base::Budget::new(std::sync::Arc::clone(&clock), Some(time));
        match world.enter(Some("f39")) {
            Ok(Got::Bytes { .. }) => {
                assert!(round > 1, "the first call was meant to run out of time");
                return;
            }
            Ok(other) => panic!("{other:?}"),
            Err(fault) => assert_eq!(fault.code(), "archive.timeout"),
        }
    }
    panic!("no call came to an end");
}

#[test]
fn what_stands_beside_an_entry_is_found_further_on_too() {
    let mut dice = Dice(5);
    let noise: Vec<u8> = (0..9_000_000).map(|_| dice.next() as u8).collect();
    let files: [(&str, &[u8]); 3] = [("d/x.db", b"db"), ("noise", &noise), ("d/x.db-wal", b"log")];
    let world = World::new("b.tar.gz", gzip(&tar(&files)));
    let Ok(Got::Bytes { piece, notes, .. }) = world.enter(Some("d/x.db")) else { panic!("no entry") };
    assert_eq!(notes, [Note::NotReadOn]);
    assert_eq!(piece.beside.open("-wal").unwrap().unwrap().read_range(0, 9).unwrap(), b"log");
}

#[test]
fn an_entry_is_unpacked_once_even_if_the_rest_is_read_too() {
    let big = prose(1, 3 << 20);
    let packed = xz(&tar(&[("first", b"first"), ("big", &big), ("last", b"last")]));
    let whole = packed.len() as u64;
    let world = World::new("o.tar.xz", packed);
    assert_eq!(world.text("first"), "first");
    let read = world.read();
    assert!(read < whole + 5_000, "{read} of {whole} bytes were read");
}
