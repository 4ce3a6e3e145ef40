//! Archives that are damaged, and tar headers that lie: rows A12–A21 and A26 of `docs/hostile.md`.

use readstone_testkit::{Archive, Confined, Fixture, Trap, World, ZipItem};

/// Megabytes a bounded run may write to: 64, and what the program takes for itself.
const M64: u64 = 96;
/// Seconds within which a run ends that reads next to nothing, on a machine that does other things too.
const SOON: u64 = 5;
/// When everything in an archive was changed, as a listing shows it.
const THEN: &str = "2024-01-02 03:04";

fn world() -> World {
    World::new(env!("CARGO_BIN_EXE_readstone"))
}

/// All that a run says to an address, behind its exit code where it is not 0; nothing on disk may change by it.
fn told(world: &World, address: &str) -> String {
    let before = Fixture::survey(world.path());
    let mut command = world.command();
    command.args(["--ephemeral", "read", "--", address]);
    let run = Confined::default().seconds(SOON).megabytes(M64).run(&command);
    assert!(Fixture::survey(world.path()) == before, "reading {address} left a trace");
    match run.code {
        Some(0) => run.text() + &run.stderr,
        code => format!("{}: {}{}", code.unwrap_or(-1), run.text(), run.stderr),
    }
}

/// Holds what is said to an address against what must be said: a header, and then this.
#[track_caller]
fn shows(world: &World, address: &str, rows: &[&str]) {
    let wanted = format!("¶{address}\n{}\n", rows.join("\n"));
    assert_eq!(told(world, address), wanted.replace("THEN", THEN), "{address}");
}

/// Holds an error against what it must say, and follows the ways on that it offers.
#[track_caller]
fn fails(world: &World, address: &str, wanted: &str) {
    let told = told(world, address);
    assert_eq!(told.lines().next(), Some(wanted), "{address}: {told}");
    for next in told.lines().skip(1) {
        let way = next.strip_prefix("next: read ").unwrap_or_default();
        assert!(self::told(world, way).starts_with('¶'), "{address} sends to {way:?}: {told}");
    }
}

/// The note of an archive that is damaged.
fn damaged(offset: usize, what: &str) -> String {
    format!("[damaged behind byte {offset}: {what}; what is whole is shown]")
}

#[test]
fn a12_what_is_whole_of_a_damaged_zip_is_shown() {
    let world = world();
    let items: Vec<ZipItem> = (0..5)
        .map(|number| ZipItem::deflated(format!("{number}.txt"), format!("text {number}\n").as_bytes()))
        .collect();
    let whole = Archive::zip(&items);
    let four: usize = items[..4].iter().map(|item| item.local().len() + item.data.len()).sum();
    let three = four - items[3].local().len() - items[3].data.len();
    world.file("cut.zip", &whole[..four + 20]);
    let told_of = told(&world, "cut.zip");
    let names: Vec<_> = told_of.lines().filter_map(|line| line.strip_prefix("- ")?.split("  ").next()).collect();
    assert_eq!(names, ["0.txt", "1.txt", "2.txt", "3.txt"], "{told_of}");
    assert_eq!(told_of.lines().last(), Some(damaged(four, "its directory is missing").as_str()));
    shows(&world, "cut.zip:3.txt", &["1:text 3"]);
    assert!(
        told(&world, "cut.zip:4.txt")
            .starts_with("3: archive.not_found: 'cut.zip' is damaged, and what is whole of it holds no '4.txt'\n")
    );
    world.file("within.zip", &whole[..four - 2]);
    let told_of = told(&world, "within.zip");
    assert!(told_of.lines().any(|line| line.starts_with("- 3.txt  7 B") && line.ends_with("  (damaged)")), "{told_of}");
    assert_eq!(told_of.lines().last(), Some(damaged(three, "it is cut inside its last entry").as_str()));
    let what = "its data reach beyond the end of the archive";
    fails(&world, "within.zip:3.txt", &format!("7: archive.corrupt: 'within.zip:3.txt' is damaged: {what}"));
    shows(&world, "within.zip:2.txt", &["1:text 2"]);
    // Garbage in the record of the last entry.
    let mut garbage = whole.clone();
    let at = garbage.len() - 22 - 41;
    garbage[at..at + 2].fill(0xAA);
    world.file("garbage.zip", garbage);
    fails(&world, "garbage.zip:4.txt", "7: archive.unsupported: 'garbage.zip:4.txt' cannot be unpacked: method 43690");
    shows(&world, "garbage.zip:3.txt", &["1:text 3"]);
    world.file("crc.zip", Archive::zip(&[ZipItem { crc: 1, ..items[0].clone() }, items[1].clone()]));
    for tail in ["", ":1-5", ":raw", ":hex", ":-1"] {
        let wanted = "7: archive.corrupt: 'crc.zip:0.txt' is damaged: the checksum does not match";
        fails(&world, &format!("crc.zip:0.txt{tail}"), wanted);
    }
    shows(&world, "crc.zip:1.txt", &["1:text 1"]);
    world.file("not_a.zip", "just text\n");
    let told_of = told(&world, "not_a.zip");
    assert!(told_of.starts_with("¶not_a.zip#") && told_of.ends_with("\n1:just text\n"), "{told_of}");
}

#[test]
fn a12_what_is_whole_of_a_damaged_tar_is_shown() {
    let world = world();
    let plain = Trap::bytes("archive/wrong.zip");
    let packed = Archive::gzip(&plain);
    let flipped = |bytes: &[u8], at: usize| {
        let mut bad = bytes.to_vec();
        bad[at] ^= 1;
        bad
    };
    let (one, two, three) = ("- one  4 B  THEN", "- two  311.4 KB  THEN", "- three  6 B  THEN");
    world.file("cut.tar", &plain[..200_000]);
    let note = damaged(200_000, "it is cut");
    shows(&world, "cut.tar", &[one, &format!("{two}  (damaged)"), &note]);
    shows(&world, "cut.tar:one", &["1:one", &note]);
    let tail = told(&world, "cut.tar:two:-2");
    assert!(tail.contains("19051:line 19051\n19052:line 1905\n") && tail.contains(&note[1..]), "{tail}");
    assert!(
        told(&world, "cut.tar:three")
            .starts_with("3: archive.not_found: 'cut.tar' is damaged, and what is whole of it holds no 'three'\n")
    );

    world.file("cut.tar.gz", &packed[..packed.len() / 2]);
    let told_of = told(&world, "cut.tar.gz");
    let what = format!("the compressed data is cut at byte {}; what is whole is shown]\n", packed.len() / 2);
    assert!(told_of.contains(&format!("{one}\n{two}  (damaged)\n").replace("THEN", THEN)), "{told_of}");
    assert!(told_of.ends_with(&what), "{told_of}");
    assert!(told(&world, "cut.tar.gz:one").ends_with(&what));

    world.file("sum.tar", flipped(&plain, 1024 + 150));
    let note = damaged(1024, "there is no header where one should be");
    shows(&world, "sum.tar", &[one, three, &note]);
    shows(&world, "sum.tar:one", &["1:one", &note]);
    world.file("no_end.tar", &plain[..plain.len() - 1024]);
    shows(&world, "no_end.tar", &[one, three, two]);
    shows(&world, "no_end.tar:three", &["1:three"]);
    world.file("crc.tar.gz", flipped(&packed, packed.len() - 6));
    let note = damaged(plain.len() - 1024, "the checksum does not match");
    shows(&world, "crc.tar.gz", &[one, three, two, &note]);
    shows(&world, "crc.tar.gz:one", &["1:one", &note]);
    world.file("behind.tar.gz", [&packed[..], b"trailing garbage"].concat());
    shows(&world, "behind.tar.gz:three", &["1:three"]);
    // What a file is called says nothing about what it is.
    world.file("wrong.zip", &plain);
    shows(&world, "wrong.zip", &[one, three, two]);
    world.file("wrong.tar", Archive::gzip(b"only text\n"));
    shows(&world, "wrong.tar", &["1:only text", "[unpacked from gzip]"]);
}

#[test]
fn a12_the_bytes_of_what_cannot_be_opened_can_be_seen() {
    let world = world();
    let heads: [(&str, &[u8]); 6] = [
        ("x.zip", b"PK\x03\x04"),
        ("x.7z", b"7z\xBC\xAF\x27\x1C\0\x04"),
        ("x.gz", b"\x1F\x8B\x08\0\0\0\0\0\0\x03"),
        ("x.xz", b"\xFD7zXZ\0\0\x04"),
        ("x.zst", b"\x28\xB5\x2F\xFD"),
        ("x.bz2", b"BZh91AY&SY"),
    ];
    for (name, head) in heads {
        world.file(name, [head, &[0xEE; 100]].concat());
        let told_of = told(&world, name);
        let damaged = told_of.starts_with(&format!("7: archive.corrupt: '{name}' is damaged: "));
        assert!(damaged || told_of.starts_with("5: archive.limit: 'x.zst' is too big: "), "{told_of}");
        assert!(told_of.ends_with(&format!("\nnext: read {name}:hex\n")), "{told_of}");
        assert!(told(&world, &format!("{name}:hex")).contains("\n00000000: "), "{name}");
    }
}

#[test]
fn a15_devices_are_listed_and_hold_nothing() {
    let world = world();
    world.file("devices.tar", Trap::bytes("archive/devices.tar"));
    let rows = ["- b  (block device)  THEN", "- c  (character device)  THEN", "- f  (fifo)  THEN"];
    shows(&world, "devices.tar", &rows);
    for (name, kind) in [("c", "character device"), ("b", "block device"), ("f", "fifo")] {
        for tail in ["", ":raw", ":hex", ":1-2"] {
            let wanted = format!("2: archive.not_regular: 'devices.tar:{name}' is a {kind}, which holds nothing");
            fails(&world, &format!("devices.tar:{name}{tail}"), &wanted);
        }
    }
}

#[test]
fn a16_entries_with_holes_are_listed_and_not_made_up() {
    let world = world();
    world.file("old.tar", Trap::bytes("archive/sparse.tar"));
    world.file("pax.tar", Trap::bytes("archive/pax_sparse.tar"));
    for (name, size) in [("old.tar", "4.0 GB"), ("pax.tar", "1.0 TB")] {
        let row = format!("- sparse  {size}  THEN  (packed with sparse, cannot be read)");
        shows(&world, name, &["- ok  3 B  THEN", &row]);
        shows(&world, &format!("{name}:ok"), &["1:ok"]);
        let wanted = format!("7: archive.unsupported: '{name}:sparse' cannot be unpacked: sparse");
        fails(&world, &format!("{name}:sparse"), &wanted);
        fails(&world, &format!("{name}:sparse:-1"), &wanted);
    }
}

#[test]
fn a17_a_size_in_an_extended_header_counts_for_its_entry_alone() {
    let world = world();
    for name in ["tarmageddon.tar", "pax_size_nonzero.tar"] {
        world.file(name, Trap::bytes(&format!("archive/{name}")));
        shows(&world, name, &["- ok.txt  3 B  THEN", "- outer.bin  2.0 KB  THEN"]);
        shows(&world, &format!("{name}:ok.txt"), &["1:ok"]);
        let missing = format!("3: archive.not_found: '{name}' holds no 'smuggled.txt'");
        fails(&world, &format!("{name}:smuggled.txt"), &missing);
        // What is inside is an archive of its own.
        shows(&world, &format!("{name}:outer.bin"), &["- smuggled.txt  9 B  THEN"]);
    }
}

#[test]
fn a18_headers_that_are_too_much_or_malformed_are_errors() {
    let world = world();
    let ok = Archive::tar_entry("ok", b'0', b"ok\n");
    let behind = Archive::tar_entry("behind", b'0', b"behind\n");
    let eight = b"\x80\0\0\0\0\0\0\x02\0\0\0\0";
    let huge = |letter| Archive::tar_header("x", letter, eight, "");
    let chain = Archive::tar_entry("././@LongLink", b'L', b"name\0").repeat(20_000);
    let mut fixtures: Vec<(Vec<u8>, &str)> =
        [huge(b'x'), huge(b'L'), huge(b'K'), chain].map(|part| (part, "there is too much about one entry")).into();
    for text in ["999 path=x\n", "nonsense", "5 path\n", "12 path=abcde", "13 size=-1000\n"] {
        fixtures.push((Archive::tar_entry("x", b'x', text.as_bytes()), "a pax header is malformed"));
    }
    for (part, what) in fixtures {
        world.file("pax.tar", Archive::tar(&[part.clone(), behind.clone()]));
        let told_of = told(&world, "pax.tar");
        assert!(
            told_of.starts_with(&format!("7: archive.corrupt: 'pax.tar' is damaged: {what} at byte ")),
            "{told_of}"
        );
        world.file("pax.tar", Archive::tar(&[ok.clone(), part, behind.clone()]));
        let told_of = told(&world, "pax.tar");
        let note = format!(": {what}; what is whole is shown]\n");
        assert!(
            told_of.starts_with(&format!("¶pax.tar\n- ok  3 B  {THEN}\n[")) && told_of.ends_with(&note),
            "{told_of}"
        );
        let told_of = told(&world, "pax.tar:ok");
        assert!(told_of.starts_with("¶pax.tar:ok\n1:ok\n[") && told_of.ends_with(&note), "{told_of}");
        assert!(told(&world, "pax.tar:behind").starts_with("3: archive.not_found: "));
    }
}

#[test]
fn a20_sizes_that_cannot_be_are_damage() {
    let world = world();
    let (mut negative, mut huge) = ([0xFF; 12], [0xFF; 12]);
    (negative[11], huge[0]) = (0xFE, 0x80);
    for size in [&negative, &huge, b"77junk77777\0", b"-0000000777\0"] {
        let ok = Archive::tar_entry("ok", b'0', b"ok\n");
        world.file("size.tar", Archive::tar(&[ok, Archive::tar_header("bad", b'0', size, ""), vec![0; 2048]]));
        let note = damaged(1024, "the size of an entry cannot be read");
        shows(&world, "size.tar", &["- ok  3 B  THEN", &note]);
        shows(&world, "size.tar:ok", &["1:ok", &note]);
        assert!(
            told(&world, "size.tar:bad")
                .starts_with("3: archive.not_found: 'size.tar' is damaged, and what is whole of it holds no 'bad'\n")
        );
        world.file("size.tar", Archive::tar(&[Archive::tar_header("bad", b'0', size, "")]));
        assert!(told(&world, "size.tar").starts_with("7: archive.corrupt: 'size.tar' is damaged: "));
    }
}

#[test]
fn a21_the_archive_ends_where_it_says() {
    let world = world();
    let one = Archive::tar(&[Archive::tar_entry("one", b'0', b"one\n")]);
    let two = Archive::tar(&[Archive::tar_entry("two", b'0', b"two\n")]);
    let (first, second) = one.split_at(600);
    world.file("concat.tar", [&one[..], &two].concat());
    world.file("garbage.tar", [&one[..], &b"garbage ".repeat(500)].concat());
    world.file("members.tar.gz", [Archive::gzip(first), Archive::gzip(second)].concat());
    world.file("streams.tar.xz", [Archive::xz(first), Archive::xz(second)].concat());
    world.file("streams.tar.bz2", [Archive::bzip2(first), Archive::bzip2(second)].concat());
    world.file("frames.tar.zst", [Archive::zstd(first), Archive::zstd(second)].concat());
    for name in ["concat.tar", "garbage.tar", "members.tar.gz", "streams.tar.xz", "streams.tar.bz2", "frames.tar.zst"] {
        shows(&world, name, &["- one  4 B  THEN"]);
        shows(&world, &format!("{name}:one"), &["1:one"]);
    }
    fails(&world, "concat.tar:two", "3: archive.not_found: 'concat.tar' holds no 'two'");
    world.file("members.gz", [Archive::gzip(b"first\n"), Archive::gzip(b"second\n")].concat());
    shows(&world, "members.gz", &["1:first", "2:second", "[unpacked from gzip]"]);
}

#[test]
fn a26_a_shown_name_opens_its_entry_and_speaks_to_nobody() {
    let world = world();
    let names = [
        "\\x1b[31mred",
        "back\\slash",
        "bad\\xff\\xfe",
        "colon:1-2",
        "new\\x0aline",
        "tab\\x09here",
        "\\u{202E}gpj.exe",
        "?q=SELECT 1",
    ];
    world.file("names.zip", Trap::bytes("archive/names.zip"));
    let list = told(&world, "names.zip");
    // One more has a name without end.
    assert_eq!(list.lines().count(), 1 + names.len() + 1, "{list}");
    for (number, shown) in (0..).zip(names) {
        assert!(list.contains(&format!("\n- {shown}  2 B  {THEN}\n")), "{shown} in {list}");
        let told_of = told(&world, &format!("names.zip:{shown}"));
        assert!(told_of.contains(&format!("\n1:{number}\n")), "{shown}: {told_of}");
    }
    let row = format!("\n- {}…  5 B  {THEN}  (name cut: read names.zip:#9)\n", "n".repeat(200));
    assert!(list.contains(&row), "{list}");
}

#[test]
fn a26_a_name_without_end_fills_no_reply() {
    let world = world();
    world.file("names.zip", Archive::zip(&[ZipItem::stored("n".repeat(60_000), &b"long\n".repeat(5_000))]));
    let page = told(&world, "names.zip:#1");
    assert!(page.contains("\n1:long\n2:long\n"), "{page:.300}");
    assert!(page.len() < 52_000, "{} bytes", page.len());
    assert!(page.starts_with("¶names.zip:#1\n") && page.ends_with("; next: read names.zip:#1:2001-]\n"));
}
