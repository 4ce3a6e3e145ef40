//! Archives whose names, links, sizes and counts lie: rows A01–A11 of `docs/hostile.md`.

use readstone_testkit::{Archive, CANARY, Confined, Fixture, Trap, World, ZipItem};

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

#[test]
fn a01_names_that_lead_out_are_shown_marked_and_read_by_number() {
    let world = world();
    world.file("evil.txt", CANARY);
    let names = ["ok.txt", "../evil.txt", "/etc/pwn.txt", "C:\\win.txt", "a/../b.txt", "..\\up.txt", ".."];
    world.file("sub/slip.zip", Trap::bytes("archive/slip.zip"));
    let rows = [
        "- ok.txt  10 B  THEN",
        "- /etc/pwn.txt  16 B  THEN  (unsafe name: read sub/slip.zip:#3)",
        "- ..  6 B  THEN  (unsafe name: read sub/slip.zip:#7)",
        "- ../evil.txt  15 B  THEN  (unsafe name: read sub/slip.zip:#2)",
        "- ..\\up.txt  13 B  THEN  (unsafe name: read sub/slip.zip:#6)",
        "- C:\\win.txt  14 B  THEN  (unsafe name: read sub/slip.zip:#4)",
        "- a/../b.txt  14 B  THEN  (unsafe name: read sub/slip.zip:#5)",
    ];
    shows(&world, "sub/slip.zip", &rows);
    shows(&world, "sub/slip.zip:ok.txt", &["1:in ok.txt"]);
    for (number, name) in (1..).zip(names).skip(1) {
        shows(&world, &format!("sub/slip.zip:#{number}"), &[&format!("1:in {name}")]);
        let address = format!("sub/slip.zip:{name}");
        if name.split('/').any(|part| part == "..") {
            let words = "leads out of 'sub/slip.zip'; names inside an archive have no '..'";
            fails(&world, &address, &format!("2: archive.bad_name: '{name}' {words}"));
        } else {
            fails(&world, &address, &format!("3: archive.not_found: 'sub/slip.zip' holds no '{name}'"));
        }
    }
}

#[test]
fn a01_names_in_tar_headers_of_any_kind_lead_nowhere() {
    let world = world();
    world.file("up.txt", CANARY);
    let long = format!("{}/../../up.txt\0", ["d"; 80].join("/"));
    let parts = [
        Archive::tar_entry("../up.txt", b'0', b"up\n"),
        Archive::tar_entry("/abs.txt", b'0', b"abs\n"),
        Archive::tar_entry("ok.txt", b'0', b"ok\n"),
        Archive::tar_pax(&[("path", "../../up.txt")]),
        Archive::tar_entry("harmless.txt", b'0', b"pax\n"),
        Archive::tar_entry("././@LongLink", b'L', long.as_bytes()),
        Archive::tar_entry("harmless.txt", b'0', b"long\n"),
    ];
    world.file("sub/paths.tar", Archive::tar(&parts));
    let long = format!("- {}  5 B  THEN  (unsafe name: read sub/paths.tar:#5)", long.trim_end_matches('\0'));
    let rows = [
        "- ok.txt  3 B  THEN",
        "- /abs.txt  4 B  THEN  (unsafe name: read sub/paths.tar:#2)",
        "- ../../up.txt  4 B  THEN  (unsafe name: read sub/paths.tar:#4)",
        "- ../up.txt  3 B  THEN  (unsafe name: read sub/paths.tar:#1)",
        &long,
    ];
    shows(&world, "sub/paths.tar", &rows);
    for (number, line) in [(1, "1:up"), (2, "1:abs"), (4, "1:pax"), (5, "1:long")] {
        shows(&world, &format!("sub/paths.tar:#{number}"), &[line]);
    }
    let words = "leads out of 'sub/paths.tar'; names inside an archive have no '..'";
    fails(&world, "sub/paths.tar:../up.txt", &format!("2: archive.bad_name: '../up.txt' {words}"));
    fails(&world, "sub/paths.tar:harmless.txt", "3: archive.not_found: 'sub/paths.tar' holds no 'harmless.txt'");
}

#[test]
fn a02_links_are_shown_and_never_followed() {
    let world = world();
    world.file("secret.txt", CANARY);
    world.file("sub/links.zip", Trap::bytes("archive/symlink.zip"));
    world.file("sub/links.tar", Trap::bytes("archive/links.tar"));
    let note = "[no newline at the end; a link; this is where it leads, it was not followed]";
    for (archive, own, odd) in [("sub/links.zip", "./me", "a\\x0ab\\x1b[31m"), ("sub/links.tar", "me", "/etc/passwd")] {
        let rows =
            ["in -> ok.txt", "ln -> ../secret.txt", &format!("me -> {own}"), &format!("odd -> {odd}"), "ok.txt  19 B"];
        shows(&world, archive, &rows.map(|row| format!("- {row}  THEN")).each_ref().map(String::as_str));
        shows(&world, &format!("{archive}:ln"), &["1:../secret.txt", note]);
        shows(&world, &format!("{archive}:in"), &["1:ok.txt", note]);
        fails(
            &world,
            &format!("{archive}:me"),
            &format!("7: archive.corrupt: '{archive}:me' is damaged: the link leads to itself"),
        );
        fails(&world, &format!("{archive}:ln/x"), &format!("3: archive.not_found: '{archive}' holds no 'ln/x'"));
    }
    shows(&world, "sub/links.tar:odd", &["1:/etc/passwd", note]);
}

#[test]
fn a06_sizes_that_lie_are_found_out_by_what_is_really_there() {
    let world = world();
    let real = ZipItem::deflated("x", &b"text\n".repeat(200_000));
    let ok = ZipItem::stored("ok", b"ok\n");
    for (size, shown) in [(10, "10 B"), (999_999, "976.5 KB"), (1_000_001, "976.5 KB"), (0xFFFF_FFF0, "3.9 GB")] {
        world.file("lies.zip", Archive::zip(&[ZipItem { size, ..real.clone() }, ok.clone()]));
        shows(&world, "lies.zip", &["- ok  3 B  THEN", &format!("- x  {shown}  THEN")]);
        let wanted = format!("7: archive.corrupt: 'lies.zip:x' is damaged: the size is not the declared {size} bytes");
        for tail in ["", ":1-5", ":-1", ":raw", ":hex"] {
            fails(&world, &format!("lies.zip:x{tail}"), &wanted);
        }
        shows(&world, "lies.zip:ok", &["1:ok"]);
    }
    world.file("lies_cd.zip", Trap::bytes("archive/lies_cd.zip"));
    for (name, what) in [
        ("x", "its data reach beyond the end of the archive"),
        ("stored", "its data reach beyond the end of the archive"),
        ("cut", "the size is not the declared 1000000 bytes"),
    ] {
        let address = format!("lies_cd.zip:{name}");
        fails(&world, &address, &format!("7: archive.corrupt: '{address}' is damaged: {what}"));
    }
    world.file("far.zip", Archive::zip_of([ok.local(), ok.data.clone()].concat(), &ok.central(0xFFFF_FF00), 1));
    let what = "there is no entry at the place its directory names";
    fails(&world, "far.zip:ok", &format!("7: archive.corrupt: 'far.zip:ok' is damaged: {what}"));
}

#[test]
fn a07_entries_of_one_name_are_all_shown_and_a_read_says_which() {
    let world = world();
    world.file("twice.zip", Trap::bytes("archive/ambiguous.zip"));
    let twice = [Archive::tar_entry("x", b'0', b"first\n"), Archive::tar_entry("x", b'0', b"second\n")];
    world.file("twice.tar", Archive::tar(&twice));
    for (name, other) in [("twice.zip", "; at its place in the archive it is called 'y'"), ("twice.tar", "")] {
        let row =
            |size, number| format!("- x  {size} B  THEN  (several of this name; this one: read {name}:#{number})");
        shows(&world, name, &[&row(6, 1), &row(7, 2)]);
        let note = format!("[2 entries have this name; this is #2, another: read {name}:#1{other}]");
        assert_eq!(told(&world, &format!("{name}:x")), format!("¶{name}:#2\n1:second\n{note}\n"));
        assert!(told(&world, &format!("{name}:#1")).contains("\n1:first\n"), "{name}");
        fails(&world, &format!("{name}:#9"), &format!("3: archive.not_found: '{name}' holds no '#9'"));
    }
}

#[test]
fn a07_the_pages_of_one_of_several_entries_of_one_name_are_all_of_that_one() {
    let world = world();
    let text = |word: &str| (1..=5_000).map(|number| format!("{word} {number}\n")).collect::<Vec<_>>().concat();
    let items = [ZipItem::deflated("x", text("first").as_bytes()), ZipItem::deflated("x", text("second").as_bytes())];
    world.file("twice.zip", Archive::zip(&items));
    let page = told(&world, "twice.zip:#1");
    assert!(page.starts_with("¶twice.zip:#1\n1:first 1\n"), "{page:.60}");
    assert!(page.ends_with("next: read twice.zip:#1:2001-]\n"), "{:?}", page.lines().last());
}

#[test]
fn a08_counts_that_lie_are_refused() {
    let world = world();
    let item = ZipItem::stored("x", b"x\n");
    let whole = |count| Archive::zip_of([item.local(), item.data.clone()].concat(), &item.central(0), count);
    for count in [1 << 63, u64::MAX, 1_000_000_000, 60_000, 0] {
        world.file("count.zip", whole(count));
        let wanted =
            format!("7: archive.corrupt: 'count.zip' is damaged: its directory has 1 entries where it says {count}");
        fails(&world, "count.zip", &wanted);
        fails(&world, "count.zip:x", &wanted);
    }
    world.file("count.zip", whole(1));
    shows(&world, "count.zip:x", &["1:x"]);
}

#[test]
fn a10_the_end_is_found_as_other_programs_find_it() {
    let world = world();
    let plain = Archive::zip(&[ZipItem::stored("inner.txt", b"inner\n")]);
    // A comment that holds another archive: the last end counts, as in Info-ZIP and in Python.
    world.file("comment.zip", Trap::bytes("archive/eocd_comment.zip"));
    let note = format!("[not of the archive: {} bytes before it]", plain.len());
    shows(&world, "comment.zip", &["- fake.txt  5 B  THEN", &note]);
    shows(&world, "comment.zip:fake.txt", &["1:fake"]);
    fails(&world, "comment.zip:inner.txt", "3: archive.not_found: 'comment.zip' holds no 'inner.txt'");
    // A picture with an archive behind it is a picture, until something inside is asked for.
    world.file("polyglot.png", Trap::bytes("archive/polyglot.png"));
    assert!(
        told(&world, "polyglot.png").starts_with("7: image.corrupt: 'polyglot.png' is a damaged image/png picture: ")
    );
    shows(&world, "polyglot.png:inner.txt", &["1:inner"]);
    world.file("behind.zip", [&plain[..], b"garbage"].concat());
    shows(&world, "behind.zip", &["- inner.txt  6 B  THEN", "[not of the archive: 7 bytes behind it]"]);
    shows(&world, "behind.zip:inner.txt", &["1:inner"]);
}

#[test]
fn a11_encrypted_and_unknown_entries_are_named_and_the_rest_is_read() {
    let world = world();
    let items = [
        ZipItem { flags: 1, ..ZipItem::stored("secret", CANARY.as_bytes()) },
        ZipItem { method: 99, flags: 1, ..ZipItem::stored("aes", CANARY.as_bytes()) },
        ZipItem { method: 97, ..ZipItem::stored("wave", CANARY.as_bytes()) },
        ZipItem::stored("fine", b"fine\n"),
    ];
    world.file("e.zip", Archive::zip(&items));
    let rows = [
        "- aes  6 B  THEN  (encrypted)",
        "- fine  5 B  THEN",
        "- secret  6 B  THEN  (encrypted)",
        "- wave  6 B  THEN  (packed with method 97 (WavPack), cannot be read)",
    ];
    shows(&world, "e.zip", &rows);
    shows(&world, "e.zip:fine", &["1:fine"]);
    for tail in ["", ":raw", ":hex", ":-1"] {
        fails(&world, &format!("e.zip:secret{tail}"), "7: archive.encrypted: 'e.zip:secret' is encrypted");
        fails(&world, &format!("e.zip:aes{tail}"), "7: archive.encrypted: 'e.zip:aes' is encrypted");
        let wanted = "7: archive.unsupported: 'e.zip:wave' cannot be unpacked: method 97 (WavPack)";
        fails(&world, &format!("e.zip:wave{tail}"), wanted);
    }
}
