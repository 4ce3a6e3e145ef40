//! Tar archives that mean no good.

use readstone_base::{Mark, Note, TreeSize};

use super::kit::{World, gzip, prose, same, tar, xz};

/// A header with its checksum.
fn header(name: &[u8], letter: u8, size: &[u8], link: &[u8]) -> Vec<u8> {
    let mut block = vec![0; 512];
    block[..name.len().min(100)].copy_from_slice(&name[..name.len().min(100)]);
    block[100..108].copy_from_slice(b"0000644\0");
    block[124..124 + size.len()].copy_from_slice(size);
    block[136..148].copy_from_slice(b"14530465400\0");
    block[156] = letter;
    block[157..157 + link.len()].copy_from_slice(link);
    block[257..265].copy_from_slice(b"ustar\x0000");
    sum(&mut block);
    block
}

fn sum(block: &mut [u8]) {
    block[148..156].fill(b' ');
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
}

fn octal(size: usize) -> Vec<u8> {
    format!("{size:011o}").into_bytes()
}

fn entry(name: &str, letter: u8, data: &[u8]) -> Vec<u8> {
    let mut bytes = header(name.as_bytes(), letter, &octal(data.len()), b"");
    bytes.extend(data);
    bytes.resize(bytes.len().next_multiple_of(512), 0);
    bytes
}

fn record(key: &str, value: &str) -> Vec<u8> {
    let rest = key.len() + value.len() + 3;
    let length = (rest..rest + 20).find(|length| length.to_string().len() + rest == *length).unwrap();
    format!("{length} {key}={value}\n").into_bytes()
}

fn ended(parts: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = parts.concat();
    bytes.extend(vec![0; 1024]);
    bytes
}

#[test]
fn a01_names_that_lead_out_are_shown_and_read_by_number() {
    let world = World::new(
        "paths.tar",
        ended(&[
            entry("../up.txt", b'0', b"up"),
            entry("/abs.txt", b'0', b"abs"),
            entry("ok.txt", b'0', b"ok"),
            entry("x", b'x', &record("path", "../../pax.txt")),
            entry("harmless.txt", b'0', b"pax"),
        ]),
    );
    let (rows, _) = world.list(None);
    let shown: Vec<_> = rows.iter().map(|row| (row.name.as_str(), row.marks.len())).collect();
    assert_eq!(shown, [("ok.txt", 0), ("/abs.txt", 1), ("../../pax.txt", 1), ("../up.txt", 1)]);
    assert_eq!(rows[2].marks, [Mark::UnsafeName("paths.tar:#4".to_owned())]);
    assert_eq!(world.text("#4"), "pax");
    assert_eq!(world.fails("../up.txt"), "archive.bad_name");
}

#[test]
fn a02_links_are_shown_and_never_followed() {
    let world = World::new(
        "links.tar",
        ended(&[
            header(b"soft", b'2', &octal(0), b"/etc/passwd"),
            header(b"hard", b'1', &octal(0), b"x"),
            header(b"self", b'2', &octal(0), b"./self"),
            entry("x", b'0', b"x"),
        ]),
    );
    let (rows, _) = world.list(None);
    assert!(matches!(&rows[2].size, TreeSize::Link(target) if target == "/etc/passwd"));
    assert_eq!(world.bytes("soft"), (b"/etc/passwd".to_vec(), vec![Note::Link]));
    assert_eq!(world.bytes("hard"), (b"x".to_vec(), vec![Note::Link]));
    assert_eq!(world.fails("self"), "archive.corrupt");
}

#[test]
fn a12_what_is_whole_of_a_damaged_archive_is_shown() {
    let big = prose(9, 300_000);
    let plain = tar(&[("one", b"one"), ("two", &big), ("three", b"three")]);
    let cut = World::new("truncated.tar", plain[..200_000].to_vec());
    let (rows, notes) = cut.list(None);
    assert_eq!(rows.len(), 2);
    assert!(matches!(&notes[..], [Note::Damaged { offset: 200_000, .. }]), "{notes:?}");
    assert_eq!(rows[1].marks, [Mark::Damaged]);
    assert_eq!(cut.text("one"), "one");
    let (bytes, notes) = cut.bytes("two");
    same(&bytes, &big[..200_000 - 1536], "what is there of it");
    assert!(matches!(&notes[..], [Note::Damaged { .. }]));

    let packed = gzip(&plain);
    let cut = World::new("truncated.tar.gz", packed[..packed.len() / 2].to_vec());
    let (rows, notes) = cut.list(None);
    assert_eq!(rows.len(), 2);
    assert!(matches!(&notes[..], [Note::Damaged { .. }]), "{notes:?}");
    assert_eq!(cut.text("one"), "one");
    assert!(big.starts_with(&cut.bytes("two").0));

    let mut bad = plain.clone();
    bad[512 + 512 + 150] ^= 1;
    let bad = World::new("bad_sum.tar", bad);
    let (rows, notes) = bad.list(None);
    assert_eq!(rows.len(), 2, "behind the damaged header the walk goes on");
    assert!(matches!(&notes[..], [Note::Damaged { offset: 1024, .. }]), "{notes:?}");
    assert_eq!(bad.text("three"), "three");

    let no_end = World::new("no_end.tar", plain[..plain.len() - 1024].to_vec());
    assert_eq!(no_end.list(None).1, []);
    assert_eq!(no_end.text("three"), "three");
}

#[test]
fn a12_a_wrong_checksum_is_named() {
    let plain = tar(&[("one", b"one")]);
    let mut bad = gzip(&plain);
    let crc = bad.len() - 6;
    bad[crc] ^= 1;
    let world = World::new("bad_crc.tar.gz", bad);
    assert!(matches!(&world.list(None).1[..], [Note::Damaged { .. }]));
    let (bytes, notes) = world.bytes("one");
    assert_eq!(bytes, b"one");
    assert!(matches!(&notes[..], [Note::Damaged { what, .. }] if what.contains("checksum")), "{notes:?}");
    let mut garbage = gzip(&plain);
    garbage.extend(b"trailing garbage");
    let world = World::new("trailing_garbage.tar.gz", garbage);
    assert_eq!(world.list(None).1, []);
    assert_eq!(world.text("one"), "one");
}

#[test]
fn a15_devices_are_listed_and_hold_nothing() {
    let world = World::new(
        "devices.tar",
        ended(&[
            header(b"c", b'3', &octal(0), b""),
            header(b"b", b'4', &octal(0), b""),
            header(b"f", b'6', &octal(0), b""),
        ]),
    );
    let (rows, _) = world.list(None);
    let kinds: Vec<_> = rows.iter().map(|row| format!("{:?}", row.size)).collect();
    assert_eq!(kinds, ["Special(\"block device\")", "Special(\"character device\")", "Special(\"fifo\")"]);
    for name in ["c", "b", "f"] {
        assert_eq!(world.fails(name), "archive.not_regular");
    }
}

#[test]
fn a16_entries_with_holes_are_listed_and_not_made_up() {
    let mut sparse = header(b"sparse", b'S', &octal(512), b"");
    sparse[257..265].copy_from_slice(b"ustar  \0");
    sparse[482] = 1;
    sparse[483..495].copy_from_slice(b"40000000000\0");
    sum(&mut sparse);
    let mut more = vec![0; 512];
    more[504] = 0;
    let world = World::new(
        "sparse.tar",
        ended(&[
            sparse,
            more,
            vec![b'x'; 512],
            entry(
                "p",
                b'x',
                &[record("GNU.sparse.major", "1"), record("GNU.sparse.realsize", "1099511627776")].concat(),
            ),
            entry("pax", b'0', b"map"),
            entry("ok", b'0', b"ok"),
        ]),
    );
    let (rows, notes) = world.list(None);
    assert_eq!(notes, []);
    assert!(matches!(rows[1].size, TreeSize::File(1_099_511_627_776)), "{rows:?}");
    assert!(matches!(rows[2].size, TreeSize::File(4_294_967_296)), "{rows:?}");
    assert_eq!(rows[2].marks, [Mark::Unsupported("sparse".to_owned())]);
    assert_eq!(world.fails("sparse"), "archive.unsupported");
    assert_eq!(world.fails("pax"), "archive.unsupported");
    assert_eq!(world.text("ok"), "ok");
}

#[test]
fn a17_a_size_elsewhere_counts_for_the_entry_alone() {
    // Inside the entry whose own header says zero stands another archive.
    let inner = ended(&[entry("smuggled.txt", b'0', b"smuggled")]);
    for own in [0, 512] {
        let mut outer = header(b"outer.bin", b'0', &octal(own), b"");
        outer.extend(&inner);
        outer.resize(outer.len().next_multiple_of(512), 0);
        let world = World::new(
            "tarmageddon.tar",
            ended(&[
                entry("x", b'x', &record("size", &inner.len().to_string())),
                entry("././@LongLink", b'L', b"outer.bin\0"),
                outer,
                entry("ok.txt", b'0', b"ok"),
            ]),
        );
        assert_eq!(world.names(None), ["ok.txt", "outer.bin"]);
        assert_eq!(world.names(Some("outer.bin")), ["smuggled.txt"], "what is inside is an archive of its own");
    }
}

#[test]
fn a18_headers_that_are_too_much_or_malformed_are_errors() {
    let huge = header(b"x", b'x', &octal(8_000_000_000 >> 3), b"");
    let ok = entry("ok", b'0', b"ok");
    assert_eq!(World::new("pax_huge.tar", huge).fails(""), "archive.corrupt");
    for bad in ["999 path=x\n", "nonsense", "5 path\n", "12 path=abcde", "13 size=-1000\n"] {
        let bytes = ended(&[entry("x", b'x', bad.as_bytes()), ok.clone()]);
        assert_eq!(World::new("pax_bad.tar", bytes).fails(""), "archive.corrupt", "{bad}");
        let bytes = ended(&[ok.clone(), entry("x", b'x', bad.as_bytes()), ok.clone()]);
        let world = World::new("pax_bad.tar", bytes);
        assert!(matches!(&world.list(None).1[..], [Note::Damaged { .. }]), "{bad}");
    }
    let long = header(b"././@LongLink", b'L', &octal(1 << 30), b"");
    assert_eq!(World::new("longname_huge.tar", long).fails(""), "archive.corrupt");
    let chain = entry("././@LongLink", b'L', b"name\0").repeat(1_000);
    assert_eq!(World::new("longname_chain.tar", chain).fails(""), "archive.corrupt");
}

#[test]
fn a20_sizes_that_cannot_be_are_damage() {
    let mut negative = vec![0xFF; 12];
    negative[11] = 0xFE;
    let mut huge = vec![0xFF; 12];
    huge[0] = 0x80;
    for size in [negative, huge, b"77junk77777\0".to_vec(), b"777777777777".to_vec()] {
        let mut bytes = entry("ok", b'0', b"ok");
        bytes.extend(header(b"bad", b'0', &size, b""));
        bytes.extend(vec![0; 2048]);
        let world = World::new("size.tar", bytes);
        let (rows, notes) = world.list(None);
        assert!(matches!(&notes[..], [Note::Damaged { .. }]), "{size:?} {rows:?}");
        assert_eq!(world.text("ok"), "ok");
    }
    let only = ended(&[header(b"bad", b'0', b"junkjunkjunk", b"")]);
    assert_eq!(World::new("size_junk.tar", only).fails(""), "archive.corrupt");
}

#[test]
fn a21_the_archive_ends_where_it_says() {
    let one = ended(&[entry("one", b'0', b"one")]);
    let two = ended(&[entry("two", b'0', b"two")]);
    let world = World::new("concat.tar", [one.clone(), two].concat());
    assert_eq!(world.names(None), ["one"]);
    let world = World::new("garbage_after.tar", [one.clone(), prose(3, 5_000)].concat());
    assert_eq!((world.names(None), world.list(None).1), (vec!["one".to_owned()], vec![]));
    let half = one.len() / 2;
    let world = World::new("multi_member.tar.gz", [gzip(&one[..half]), gzip(&one[half..])].concat());
    assert_eq!(world.names(None), ["one"]);
    assert_eq!(world.text("one"), "one");
}

#[test]
fn a23_dictionaries_above_the_limit_are_refused_in_archives_too() {
    let mut packed = xz(&tar(&[("x", b"x")]));
    let size = (usize::from(packed[12]) + 1) * 4;
    let filter = (14..12 + size).find(|at| packed[*at] == 0x21 && packed[*at + 1] == 1).unwrap();
    packed[filter + 2] = 40;
    let crc = crc32fast::hash(&packed[12..12 + size - 4]);
    packed[12 + size - 4..12 + size].copy_from_slice(&crc.to_le_bytes());
    assert_eq!(World::new("dict_4g.tar.xz", packed).fails("x"), "archive.limit");
}

#[test]
fn headers_about_all_entries_are_no_entries() {
    let world = World::new(
        "git.tar",
        ended(&[entry("pax_global_header", b'g', &record("comment", "abc")), entry("x", b'0', b"x")]),
    );
    assert_eq!(world.names(None), ["x"]);
    let old = {
        let mut block = header(b"old/", 0, &octal(0), b"");
        block[257..265].fill(0);
        sum(&mut block);
        block
    };
    let world = World::new("old.tar", ended(&[old, entry("old/x", 0, b"x")]));
    assert_eq!(world.names(None), ["old"]);
    assert_eq!(world.text("old/x"), "x");
}
