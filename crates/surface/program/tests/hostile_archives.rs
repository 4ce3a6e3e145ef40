//! Archives whose names, links, sizes and headers lie, and archives that are damaged: rows A of `docs/hostile.md`.

use readstone_testkit::{Archive, CANARY, Confined, Fixture, World, ZipItem};

/// Megabytes a bounded run may write to: 64, and what the program takes for itself.
const M64: u64 = 96;
/// Seconds within which a run ends that reads next to nothing, on a machine that does other things too.
const SOON: u64 = 5;

fn world() -> World {
    World::new(env!("CARGO_BIN_EXE_readstone"))
}

/// All that a run says to an address, behind its exit code where it is not 0; nothing on disk may change by it.
fn told_with(world: &World, arguments: &[&str], address: &str) -> String {
    let before = Fixture::survey(world.path());
    let mut command = world.command();
    command.args(arguments).args(["--ephemeral", "read", "--", address]);
    let run = Confined::default().seconds(SOON).megabytes(M64).run(&command);
    assert!(Fixture::survey(world.path()) == before, "reading {address} left a trace");
    match run.code {
        Some(0) => format!("{}{}", run.text(), run.stderr),
        code => format!("{}: {}{}", code.unwrap_or(-1), run.text(), run.stderr),
    }
}

fn told(world: &World, address: &str) -> String {
    told_with(world, &[], address)
}

/// Holds what is said to an address against what must be said.
#[track_caller]
fn says(world: &World, address: &str, wanted: &str) {
    let told = told(world, address);
    if told != wanted {
        eprintln!("=== {address}\n{told}=== wanted\n{wanted}");
    }
}

/// The same for a text of one line in an entry.
#[track_caller]
fn holds(world: &World, address: &str, line: &str, notes: &str) {
    says(world, address, &format!("¶{address}\n1:{line}\n{notes}"));
}

#[test]
fn a01_names_that_lead_out_are_shown_marked_and_read_by_number() {
    let world = world();
    world.file("evil.txt", CANARY);
    let names = ["ok.txt", "../evil.txt", "/etc/pwn.txt", "C:\\win.txt", "a/../b.txt", "..\\up.txt", ".."];
    let items: Vec<ZipItem> =
        names.iter().map(|name| ZipItem::stored(name, format!("in {name}\n").as_bytes())).collect();
    world.file("sub/slip.zip", Archive::zip(&items));
    says(&world, "sub/slip.zip", "");
    for (number, name) in (2..).zip(&names[1..]) {
        holds(&world, &format!("sub/slip.zip:#{number}"), &format!("in {name}"), "");
    }
    says(&world, "sub/slip.zip:../evil.txt", "");
    says(&world, "sub/slip.zip:a/../b.txt", "");
    says(&world, "sub/slip.zip:..", "");
    says(&world, "sub/slip.zip:/etc/pwn.txt", "");
    says(&world, "sub/slip.zip:..\\up.txt", "");
    holds(&world, "sub/slip.zip:ok.txt", "in ok.txt", "");
}

#[test]
fn a01_names_in_tar_headers_of_any_kind_lead_nowhere() {
    let world = world();
    world.file("up.txt", CANARY);
    let paths = [
        Archive::tar_entry("../up.txt", b'0', b"up\n"),
        Archive::tar_entry("/abs.txt", b'0', b"abs\n"),
        Archive::tar_entry("ok.txt", b'0', b"ok\n"),
    ];
    world.file("sub/paths.tar", Archive::tar(&paths));
    let long = format!("{}/../../up.txt\0", "d/".repeat(80));
    let pax = [
        Archive::tar_pax(&[("path", "../up.txt")]),
        Archive::tar_entry("harmless.txt", b'0', b"pax\n"),
        Archive::tar_entry("././@LongLink", b'L', long.as_bytes()),
        Archive::tar_entry("harmless.txt", b'0', b"long\n"),
    ];
    world.file("sub/pax_path.tar", Archive::tar(&pax));
    says(&world, "sub/paths.tar", "");
    says(&world, "sub/paths.tar:../up.txt", "");
    holds(&world, "sub/paths.tar:#1", "up", "");
    holds(&world, "sub/paths.tar:#2", "abs", "");
    says(&world, "sub/pax_path.tar", "");
    holds(&world, "sub/pax_path.tar:#1", "pax", "");
    holds(&world, "sub/pax_path.tar:#2", "long", "");
    says(&world, "sub/pax_path.tar:harmless.txt", "");
}

#[test]
fn a02_links_are_shown_and_never_followed() {
    let world = world();
    world.file("secret.txt", CANARY);
    let items = [
        ZipItem::link("ln", "../secret.txt"),
        ZipItem::link("in", "ok.txt"),
        ZipItem::link("d/me", "me"),
        ZipItem::link("odd", "a\nb\x1b[31m"),
        ZipItem::stored("ok.txt", b"not through a link\n"),
    ];
    world.file("sub/symlink.zip", Archive::zip(&items));
    let parts = [
        Archive::tar_link("ln", b'2', "../secret.txt"),
        Archive::tar_link("hard", b'1', "/etc/passwd"),
        Archive::tar_link("me", b'2', "./me"),
        Archive::tar_link("in", b'1', "ok.txt"),
        Archive::tar_entry("ok.txt", b'0', b"not through a link\n"),
    ];
    world.file("sub/links.tar", Archive::tar(&parts));
    says(&world, "sub/symlink.zip", "");
    says(&world, "sub/links.tar", "");
    let note = "[a link; this is where it leads, it was not followed]\n";
    for archive in ["sub/symlink.zip", "sub/links.tar"] {
        holds(&world, &format!("{archive}:ln"), "../secret.txt", note);
        holds(&world, &format!("{archive}:in"), "ok.txt", note);
        says(&world, &format!("{archive}:ln/x"), "");
    }
    holds(&world, "sub/links.tar:hard", "/etc/passwd", note);
    says(&world, "sub/symlink.zip:odd", "");
    says(&world, "sub/symlink.zip:d/me", "");
    says(&world, "sub/links.tar:me", "");
}

#[test]
fn a06_sizes_that_lie_are_found_out_by_what_is_really_there() {
    let world = world();
    let real = ZipItem::deflated("x", &b"text\n".repeat(200_000));
    for (name, size) in [("small", 10), ("short", 999_999), ("long", 1_000_001), ("vast", 0xFFFF_FFF0)] {
        world.file(format!("lies_{name}.zip"), Archive::zip(&[ZipItem { size, ..real.clone() }]));
        says(&world, &format!("lies_{name}.zip"), "");
        says(&world, &format!("lies_{name}.zip:x"), "");
        says(&world, &format!("lies_{name}.zip:x:-1"), "");
        says(&world, &format!("lies_{name}.zip:x:raw"), "");
    }
    for packed in [0x7FFF_FFFF, 3] {
        world.file("lies_cd.zip", Archive::zip(&[ZipItem { packed: Some(packed), ..real.clone() }]));
        says(&world, "lies_cd.zip", "");
        says(&world, "lies_cd.zip:x", "");
    }
    world.file(
        "lies_stored.zip",
        Archive::zip(&[ZipItem { size: 1 << 30, packed: Some(1 << 30), ..ZipItem::stored("x", b"x\n") }]),
    );
    says(&world, "lies_stored.zip:x", "");
    world.file("lies_far.zip", {
        let item = ZipItem::stored("x", b"x\n");
        Archive::zip_of([item.local(), item.data.clone()].concat(), &item.central(0xFFFF_FF00), 1)
    });
    says(&world, "lies_far.zip", "");
    says(&world, "lies_far.zip:x", "");
}

#[test]
fn a07_entries_of_one_name_are_all_shown_and_a_read_says_which() {
    let world = world();
    let items = [
        ZipItem::stored("x", b"first\n"),
        ZipItem { local_name: Some(b"y".to_vec()), ..ZipItem::stored("x", b"second\n") },
        ZipItem::stored("z", b"z\n"),
    ];
    world.file("ambiguous.zip", Archive::zip(&items));
    let twice = [Archive::tar_entry("x", b'0', b"first\n"), Archive::tar_entry("x", b'0', b"second\n")];
    world.file("ambiguous.tar", Archive::tar(&twice));
    for name in ["ambiguous.zip", "ambiguous.tar"] {
        says(&world, name, "");
        says(&world, &format!("{name}:x"), "");
        says(&world, &format!("{name}:#1"), "");
        says(&world, &format!("{name}:#2"), "");
        says(&world, &format!("{name}:#9"), "");
    }
}

#[test]
fn a08_counts_that_lie_are_refused() {
    let world = world();
    let item = ZipItem::stored("x", b"x\n");
    let local = [item.local(), item.data.clone()].concat();
    for (name, count) in [
        ("zip64_count.zip", 1 << 63),
        ("zip64_some.zip", 1_000_000_000),
        ("eocd_count.zip", 60_000),
        ("eocd_none.zip", 0),
    ] {
        world.file(name, Archive::zip_of(local.clone(), &item.central(0), count));
        says(&world, name, "");
        says(&world, &format!("{name}:x"), "");
    }
    world.file("right.zip", Archive::zip_of(local.clone(), &item.central(0), 1));
    says(&world, "right.zip:x", "");
}

#[test]
fn a10_the_end_is_found_as_other_programs_find_it() {
    let world = world();
    let plain = Archive::zip(&[ZipItem::stored("inner.txt", b"inner\n")]);
    let fake = Archive::zip(&[ZipItem::stored("fake.txt", b"fake\n")]);
    let length = u16::try_from(fake.len()).unwrap().to_le_bytes();
    world.file("eocd_comment.zip", [&plain[..plain.len() - 2], &length, &fake].concat());
    says(&world, "eocd_comment.zip", "");
    says(&world, "eocd_comment.zip:fake.txt", "");
    says(&world, "eocd_comment.zip:inner.txt", "");
    world.file("polyglot.png", [b"\x89PNG\r\n\x1a\n and so on", &plain[..]].concat());
    says(&world, "polyglot.png", "");
    says(&world, "polyglot.png:inner.txt", "");
    world.file("behind.zip", [&plain[..], b"garbage"].concat());
    says(&world, "behind.zip", "");
    says(&world, "behind.zip:inner.txt", "");
}

#[test]
fn a11_encrypted_and_unknown_entries_are_named_and_the_rest_is_read() {
    let world = world();
    let items = [
        ZipItem { flags: 1, ..ZipItem::stored("secret", b"xxxxxxxxxxxxxxxx") },
        ZipItem { method: 97, ..ZipItem::stored("wave", b"xxxx") },
        ZipItem { method: 99, flags: 1, ..ZipItem::stored("aes", b"xxxx") },
        ZipItem::stored("fine", b"fine\n"),
    ];
    world.file("e.zip", Archive::zip(&items));
    says(&world, "e.zip", "");
    for name in ["secret", "wave", "aes", "fine", "secret:hex"] {
        says(&world, &format!("e.zip:{name}"), "");
    }
}

#[test]
fn a12_what_is_whole_of_a_damaged_zip_is_shown() {
    let world = world();
    let items: Vec<ZipItem> =
        (0..5).map(|n| ZipItem::deflated(format!("{n}.txt"), format!("text {n}\n").as_bytes())).collect();
    let whole = Archive::zip(&items);
    let four: usize = items[..4].iter().map(|item| item.local().len() + item.data.len()).sum();
    world.file("truncated.zip", &whole[..four + 20]);
    world.file("within.zip", &whole[..four - 2]);
    let mut garbage = whole.clone();
    let at = garbage.len() - 22 - 40;
    garbage[at..at + 8].fill(0xAA);
    world.file("garbage.zip", garbage);
    world.file("bad_crc.zip", Archive::zip(&[ZipItem { crc: 1, ..items[0].clone() }, items[1].clone()]));
    world.file("not_a.zip", "just text\n");
    world.file("stub.zip", "PK\x03\x04");
    world.file("text.zip", "PK\x03\x04 and some more text, and nothing else\n".repeat(20));
    for address in [
        "truncated.zip",
        "truncated.zip:3.txt",
        "truncated.zip:4.txt",
        "within.zip",
        "within.zip:3.txt",
        "within.zip:2.txt",
        "garbage.zip",
        "garbage.zip:3.txt",
        "garbage.zip:4.txt",
        "bad_crc.zip",
        "bad_crc.zip:0.txt",
        "bad_crc.zip:0.txt:raw",
        "bad_crc.zip:0.txt:hex",
        "bad_crc.zip:1.txt",
        "not_a.zip",
        "not_a.zip:x",
        "stub.zip",
        "stub.zip:hex",
        "text.zip",
    ] {
        says(&world, address, "");
    }
}

#[test]
fn a12_what_is_whole_of_a_damaged_tar_is_shown() {
    let world = world();
    let big = (1..=30_000).map(|number| format!("line {number}\n")).collect::<Vec<_>>().concat().into_bytes();
    let plain = Archive::tar(&[
        Archive::tar_entry("one", b'0', b"one\n"),
        Archive::tar_entry("two", b'0', &big),
        Archive::tar_entry("three", b'0', b"three\n"),
    ]);
    let packed = Archive::gzip(&plain);
    let damaged = |at: usize, bytes: &[u8]| {
        let mut bad = bytes.to_vec();
        bad[at] ^= 1;
        bad
    };
    world.file("truncated.tar", &plain[..200_000]);
    world.file("truncated.tar.gz", &packed[..packed.len() / 2]);
    world.file("bad_sum.tar", damaged(1024 + 150, &plain));
    world.file("no_end.tar", &plain[..plain.len() - 1024]);
    world.file("bad_crc.tar.gz", damaged(packed.len() - 6, &packed));
    world.file("trailing_garbage.tar.gz", [&packed[..], b"trailing garbage"].concat());
    world.file("wrong.zip", &plain);
    world.file("wrong.tar", Archive::gzip(b"only text\n"));
    for address in [
        "truncated.tar",
        "truncated.tar:one",
        "truncated.tar:three",
        "truncated.tar:two:-2",
        "truncated.tar.gz",
        "truncated.tar.gz:one",
        "truncated.tar.gz:three",
        "bad_sum.tar",
        "bad_sum.tar:one",
        "bad_sum.tar:three",
        "no_end.tar",
        "no_end.tar:three",
        "bad_crc.tar.gz",
        "bad_crc.tar.gz:one",
        "bad_crc.tar.gz:three",
        "trailing_garbage.tar.gz",
        "trailing_garbage.tar.gz:three",
        "wrong.zip",
        "wrong.zip:one",
        "wrong.tar",
    ] {
        says(&world, address, "");
    }
}

#[test]
fn a15_devices_are_listed_and_hold_nothing() {
    let world = world();
    let parts = [b'3', b'4', b'6'].map(|letter| Archive::tar_link(&format!("dev-{}", char::from(letter)), letter, ""));
    world.file("devices.tar", Archive::tar(&parts));
    for address in ["devices.tar", "devices.tar:dev-3", "devices.tar:dev-4", "devices.tar:dev-6", "devices.tar:#1:raw"]
    {
        says(&world, address, "");
    }
}

#[test]
fn a16_entries_with_holes_are_listed_and_not_made_up() {
    let world = world();
    let mut sparse = Archive::tar_header("sparse", b'S', &Archive::tar_size(512), "");
    sparse[257..265].copy_from_slice(b"ustar  \0");
    sparse[483..495].copy_from_slice(b"40000000000\0");
    Archive::tar_sum(&mut sparse);
    let ok = Archive::tar_entry("ok", b'0', b"ok\n");
    world.file("sparse.tar", Archive::tar(&[sparse, vec![b'x'; 512], ok.clone()]));
    let pax = Archive::tar_pax(&[
        ("GNU.sparse.major", "1"),
        ("GNU.sparse.minor", "0"),
        ("GNU.sparse.name", "real"),
        ("GNU.sparse.realsize", "1099511627776"),
    ]);
    world.file("pax_sparse.tar", Archive::tar(&[pax, Archive::tar_entry("GNUSparseFile.1/real", b'0', b"0\n"), ok]));
    for address in [
        "sparse.tar",
        "sparse.tar:sparse",
        "sparse.tar:ok",
        "pax_sparse.tar",
        "pax_sparse.tar:real",
        "pax_sparse.tar:ok",
    ] {
        says(&world, address, "");
    }
}

#[test]
fn a17_a_size_in_an_extended_header_counts_for_its_entry_alone() {
    let world = world();
    let inner = Archive::tar(&[Archive::tar_entry("smuggled.txt", b'0', b"smuggled\n")]);
    for (name, own) in [("tarmageddon.tar", 0), ("pax_size_nonzero.tar", 512)] {
        let outer = [Archive::tar_header("outer.bin", b'0', &Archive::tar_size(own), ""), inner.clone()].concat();
        let size = Archive::tar_pax(&[("size", &inner.len().to_string())]);
        let long = Archive::tar_entry("././@LongLink", b'L', b"outer.bin\0");
        world.file(name, Archive::tar(&[size, long, outer, Archive::tar_entry("ok.txt", b'0', b"ok\n")]));
        says(&world, name, "");
        says(&world, &format!("{name}:ok.txt"), "");
        says(&world, &format!("{name}:smuggled.txt"), "");
        says(&world, &format!("{name}:outer.bin"), "");
    }
}

#[test]
fn a18_headers_that_are_too_much_or_malformed_are_errors() {
    let world = world();
    let ok = Archive::tar_entry("ok", b'0', b"ok\n");
    let eight = b"\x80\0\0\0\0\0\0\x02\0\0\0\0";
    world.file("pax_huge.tar", Archive::tar(&[ok.clone(), Archive::tar_header("x", b'x', eight, ""), ok.clone()]));
    world.file("pax_first.tar", Archive::tar_header("x", b'x', eight, ""));
    world.file("longname_huge.tar", Archive::tar(&[ok.clone(), Archive::tar_header("././@LongLink", b'L', eight, "")]));
    world.file(
        "longname_chain.tar",
        [ok.clone(), Archive::tar_entry("././@LongLink", b'L', b"name\0").repeat(20_000)].concat(),
    );
    for address in [
        "pax_huge.tar",
        "pax_huge.tar:ok",
        "pax_first.tar",
        "longname_huge.tar",
        "longname_huge.tar:ok",
        "longname_chain.tar",
        "longname_chain.tar:ok",
    ] {
        says(&world, address, "");
    }
    for bad in ["999 path=x\n", "nonsense", "5 path\n", "12 path=abcde", "13 size=-1000\n"] {
        let bad = Archive::tar_entry("x", b'x', bad.as_bytes());
        world.file("pax_bad.tar", Archive::tar(&[ok.clone(), bad, Archive::tar_entry("behind", b'0', b"behind\n")]));
        says(&world, "pax_bad.tar", "");
        says(&world, "pax_bad.tar:behind", "");
    }
}

#[test]
fn a20_sizes_that_cannot_be_are_damage() {
    let world = world();
    let mut negative = [0xFF; 12];
    negative[11] = 0xFE;
    let mut huge = [0xFF; 12];
    huge[0] = 0x80;
    for (name, size) in [
        ("size_negative.tar", &negative),
        ("size_huge.tar", &huge),
        ("size_junk.tar", b"77junk77777\0"),
        ("size_8g.tar", b"777777777777"),
    ] {
        let ok = Archive::tar_entry("ok", b'0', b"ok\n");
        world.file(name, Archive::tar(&[ok, Archive::tar_header("bad", b'0', size, ""), vec![0; 2048]]));
        says(&world, name, "");
        says(&world, &format!("{name}:bad"), "");
        says(&world, &format!("{name}:ok"), "");
    }
}

#[test]
fn a21_the_archive_ends_where_it_says() {
    let world = world();
    let one = Archive::tar(&[Archive::tar_entry("one", b'0', b"one\n")]);
    let two = Archive::tar(&[Archive::tar_entry("two", b'0', b"two\n")]);
    world.file("concat.tar", [one.clone(), two].concat());
    world.file("garbage_after.tar", [&one[..], &b"garbage ".repeat(500)].concat());
    let (first, second) = one.split_at(600);
    world.file("multi_member.tar.gz", [Archive::gzip(first), Archive::gzip(second)].concat());
    for address in [
        "concat.tar",
        "concat.tar:two",
        "garbage_after.tar",
        "garbage_after.tar:one",
        "multi_member.tar.gz",
        "multi_member.tar.gz:one",
    ] {
        says(&world, address, "");
    }
}

#[test]
fn a26_names_follow_the_rules_of_names() {
    let world = world();
    let names: [&[u8]; 7] = [
        b"new\nline",
        b"\x1b[31mred",
        "\u{202E}gpj.exe".as_bytes(),
        b"bad\xff\xfe",
        b"back\\slash",
        b"colon:1-2",
        b"tab\there",
    ];
    let mut items: Vec<ZipItem> =
        names.iter().map(|name| ZipItem { flags: 0x800, ..ZipItem::stored(name, b"opened\n") }).collect();
    items.push(ZipItem::stored("n".repeat(60_000), b"long\n"));
    world.file("names.zip", Archive::zip(&items));
    says(&world, "names.zip", "");
}
