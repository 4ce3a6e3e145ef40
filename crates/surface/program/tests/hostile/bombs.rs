//! Archives that cost far more than they look: rows A03–A05, A09, A23, A24 and F16 of `docs/hostile.md`.

#![expect(clippy::unwrap_used, reason = "helpers of tests are tests too, and a broken one must stop them")]

use readstone_testkit::{Archive, Bomb, Confined, Fixture, Spoken, Trap, World, ZipItem};
use serde_json::json;

/// Megabytes a bounded run may write to: 64, and what the program takes for itself.
const M64: u64 = 96;
/// Seconds within which a run ends that reads next to nothing, on a machine that does other things too.
const SOON: u64 = 5;
/// Seconds within which a run ends that unpacks as much as it may.
const LATE: u64 = 20;
/// The bytes that a reply of one page stays below.
const PAGE: usize = 52_000;

fn world() -> World {
    World::new(env!("CARGO_BIN_EXE_readstone"))
}

/// All that a run says to an address, behind its exit code where it is not 0.
fn told_within(seconds: u64, world: &World, address: &str) -> String {
    told_with(seconds, world, &[], address)
}

fn told_with(seconds: u64, world: &World, variables: &[(&str, &str)], address: &str) -> String {
    let mut command = world.command();
    command.envs(variables.iter().copied()).args(["--ephemeral", "read", "--", address]);
    let run = Confined::default().seconds(seconds).megabytes(M64).run(&command);
    assert!(run.stdout.len() < PAGE, "{address}: {} bytes", run.stdout.len());
    match run.code {
        Some(0) => run.text() + &run.stderr,
        code => format!("{}: {}{}", code.unwrap_or(-1), run.text(), run.stderr),
    }
}

fn told(world: &World, address: &str) -> String {
    told_within(SOON, world, address)
}

/// The names in a listing.
fn names(told: &str) -> Vec<String> {
    told.lines().filter_map(|line| line.strip_prefix("- ")?.split("  ").next()).map(str::to_owned).collect()
}

fn last(told: &str) -> &str {
    told.lines().last().unwrap_or_default()
}

/// What stands in the directory, without the bytes of what is large: nothing may appear or change there.
fn facts(world: &World) -> Vec<(String, u64)> {
    let entry = |path: std::io::Result<std::fs::DirEntry>| {
        let entry = path.unwrap();
        (entry.file_name().into_string().unwrap(), entry.metadata().unwrap().len())
    };
    let mut found: Vec<_> = world.path().read_dir().unwrap().map(entry).collect();
    found.sort();
    found
}

#[test]
fn a03_entries_that_share_their_bytes_are_named_and_cost_what_is_read() {
    let world = world();
    let bytes = Trap::bytes("archive/overlap_1g.zip");
    assert!(bytes.len() < 32 * 1024, "the fixture is none: {} bytes", bytes.len());
    world.file("overlap_1g.zip", bytes);
    let before = facts(&world);
    let list = told(&world, "overlap_1g.zip");
    assert_eq!(list.matches("  8.0 MB  2024-01-02 03:04  (shares bytes with another entry)\n").count(), 128, "{list}");
    assert_eq!(last(&list), "[128 entries share bytes with others]");
    let page = told(&world, "overlap_1g.zip:7");
    assert!(page.starts_with("¶overlap_1g.zip:7\n1:xxx"), "{page:.100}");
    let note = "[lines 1-49 of 8192; at its place in the archive it is called '0'; limit page_bytes; next: read ";
    assert_eq!(last(&page), format!("{note}overlap_1g.zip:7:50-]"));
    assert!(told(&world, "overlap_1g.zip:127:-1").contains("\n8192:xxx"));
    assert_eq!(facts(&world), before);
}

#[test]
fn a04_archives_in_archives_are_entered_when_asked_for_and_no_deeper_than_allowed() {
    let world = world();
    let bytes = Trap::bytes("archive/nested42.zip");
    assert!(bytes.len() < 32 * 1024, "the fixture is none: {} bytes", bytes.len());
    world.file("nested42.zip", bytes);
    for address in ["nested42.zip", "nested42.zip:0.zip", "nested42.zip:0.zip:15.zip"] {
        let list = told(&world, address);
        assert!(list.starts_with(&format!("¶{address}\n")) && names(&list).len() == 16, "{list}");
    }
    let deep = "nested42.zip:0.zip:1.zip:2.zip";
    for address in [deep, &format!("{deep}:3.zip"), &format!("{deep}:3.zip:4.zip:0.bin")] {
        let words = format!("'{deep}' lies inside 3 others already, and no more are entered (nesting)");
        assert_eq!(told(&world, address), format!("5: source.too_deep: {words}\nnext: read {deep}:hex\n"));
    }
    assert!(told(&world, &format!("{deep}:hex")).contains("\n00000000: 50 4b 03 04 "));
}

#[test]
fn a04_archives_behind_a_gigabyte_in_each_other_have_the_time_of_one_call() {
    let world = world();
    let inner = Archive::zip(&[ZipItem::stored("deep.txt", b"deep\n")]);
    let behind = |bytes: &[u8]| {
        let far = Bomb::default().then(&vec![0; 1 << 20], 1024).then(bytes, 1);
        Archive::zip(&[ZipItem::packed("far.zip", 8, far.deflated(), far.real())])
    };
    world.file("far.zip", behind(&behind(&inner)));
    let address = "far.zip:far.zip:far.zip:deep.txt";
    let page = told_within(LATE + 5, &world, address);
    let found = page.starts_with(&format!("¶{address}\n1:deep\n"));
    assert!(found || page.starts_with("9: archive.timeout: ") || page.starts_with("5: archive.limit: "), "{page:.300}");
    let short = told_with(SOON, &world, &[("READSTONE_CALL_MS", "1")], address);
    assert!(short.starts_with("9: archive.timeout: the time of the call was used up while 'far.zip"), "{short:.300}");
}

#[test]
fn a04_a_note_is_said_once_however_many_levels_it_holds_for() {
    let world = world();
    let bomb = |bytes: &[u8]| Bomb::default().then(&vec![0; 1 << 20], 64).then(bytes, 1);
    let mut bytes = Archive::zip(&[ZipItem::stored("deep.txt", b"deep\n")]);
    for _ in 0..2 {
        bytes = Archive::zip(&[ZipItem::packed("far.zip", 8, bomb(&bytes).deflated(), bomb(&bytes).real())]);
    }
    world.file("far.zip", bytes);
    let page = told(&world, "far.zip:far.zip:far.zip:deep.txt");
    assert_eq!(page.matches("its checksum was not checked").count(), 1, "{page}");
}

#[test]
fn a05_a_bomb_costs_what_is_read_of_it() {
    let world = world();
    for name in ["ratio_1g.zip", "bomb_2g.tar.gz", "bomb_64m.tar.bz2"] {
        world.file(name, Trap::bytes(&format!("archive/{name}")));
    }
    let before = facts(&world);
    assert!(before.iter().all(|(_, size)| *size < 6 << 20), "the fixtures are none: {before:?}");
    for (name, size) in [("ratio_1g.zip", "1.0 GB"), ("bomb_2g.tar.gz", "2.0 GB"), ("bomb_64m.tar.bz2", "64.0 MB")] {
        let page = told(&world, &format!("{name}:bomb"));
        assert!(page.starts_with(&format!("¶{name}:bomb\n1:xxx")), "{page:.100}");
        assert!(last(&page).starts_with(&format!("[lines 1-49 of a file of {size}; ")), "{}", last(&page));
        assert!(last(&page).ends_with(&format!("; limit page_bytes; next: read {name}:bomb:50-]")), "{}", last(&page));
        let list = told_within(LATE, &world, name);
        assert!(list.starts_with(&format!("¶{name}\n- bomb  {size}  2024-")), "{list:.200}");
        assert_eq!(told_within(LATE, &world, &format!("{name}:last")), format!("¶{name}:last\n1:last\n"));
        assert!(told_within(LATE, &world, &format!("{name}:bomb:-1")).contains(":xxx"));
        let short = told_with(SOON, &world, &[("READSTONE_CALL_MS", "1")], &format!("{name}:bomb:-1"));
        assert!(short.starts_with("9: "), "the time of a call does not bound {name}: {short:.300}");
    }
    assert_eq!(facts(&world), before);
}

#[test]
fn a05_a_compressed_file_of_two_gigabytes_is_read_where_it_is_asked_for() {
    let world = world();
    world.file("log.gz", Trap::bytes("archive/log_2g.gz"));
    let page = told(&world, "log.gz");
    assert!(page.starts_with("¶log.gz\n1:xxx") && last(&page).ends_with("; next: read log.gz:50-]"), "{}", last(&page));
    assert!(
        last(&page).contains("; more follows the first 32.0 MB; no more was unpacked (unpack_bytes); "),
        "{}",
        last(&page)
    );
    assert!(told_within(LATE, &world, "log.gz:-1").contains("\n[bytes 2147482624-2147483647 of 2147483648; "));
    assert!(told_within(LATE, &world, "log.gz:2000000-2000001").contains("\n2000000:xxx"));
}

/// Streams that unpack to next to nothing however long they are, with what may be unpacked of them.
fn endless(world: &World) -> [&'static str; 4] {
    let path = |name| world.path().join(name);
    // Blocks of no bytes, each of three zeros.
    Fixture::sparse(&path("blocks.zst"), b"\x28\xB5\x2F\xFD", 1 << 40, b"");
    // Zeros behind a stream are padding.
    Fixture::sparse(&path("padding.xz"), &Archive::xz(b"text\n"), 1 << 40, b"");
    let tar = Archive::tar(&[Archive::tar_entry("x", b'0', b"x\n")]);
    Fixture::sparse(&path("padding.tar.xz"), &Archive::xz(&tar), 1 << 40, b"");
    world.file("streams.bz2", Archive::bzip2(b"").repeat(2_000_000));
    ["blocks.zst", "padding.xz", "padding.tar.xz", "streams.bz2"]
}

#[test]
fn a05_what_unpacks_to_nothing_without_end_is_bounded_by_the_time_of_the_call() {
    let world = world();
    let mut unbounded = Vec::new();
    for name in endless(&world) {
        let mut command = world.command();
        command.env("READSTONE_CALL_MS", "1000").args(["--ephemeral", "read", "--", name]);
        let mut outer = readstone_testkit::tool("timeout");
        outer.args([&SOON.to_string()]).arg(command.get_program()).args(command.get_args()).current_dir(world.path());
        outer.envs(command.get_envs().filter_map(|(key, value)| Some((key, value?))));
        let run = readstone_testkit::Run::of(&mut outer);
        if !matches!(run.code, Some(0 | 5 | 7 | 9)) {
            unbounded.push((name, run.code));
        }
    }
    assert_eq!(unbounded, []);
}

#[test]
fn a05_what_unpacks_to_nothing_without_end_can_be_cancelled() {
    let world = world();
    endless(&world);
    world.file("a.txt", "text\n");
    let mut client = Spoken::start::<&str>(&world, [], "2025-11-25");
    let call = json!({ "name": "read", "arguments": { "path": "blocks.zst" } });
    client.send(&json!({ "jsonrpc": "2.0", "id": 70, "method": "tools/call", "params": call }));
    assert!(client.vitals().works(), "the call never began");
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 70 } }));
    assert_eq!(client.call("read", &json!({ "path": "a.txt" }))["result"]["isError"], json!(false));
    assert!(client.vitals().rests(), "the call goes on though it was cancelled");
}

#[test]
fn a05_what_unpacks_to_nothing_without_end_does_not_take_a_server_down() {
    let world = world();
    endless(&world);
    world.file("a.txt", "text\n");
    let mut command = world.command();
    let mut client = Spoken::spawn(command.env("READSTONE_CALL_MS", "500").arg("mcp"));
    client.open("2025-11-25");
    for _ in 0..4 {
        for id in 100..110 {
            let call = json!({ "name": "read", "arguments": { "path": "blocks.zst" } });
            client.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": call }));
        }
        drop((100..110).map(|_| client.receive()).collect::<Vec<_>>());
    }
    let answer = client.call("read", &json!({ "path": "a.txt" }));
    assert_eq!(answer["result"]["isError"], json!(false), "{answer}");
    assert!(client.vitals().rests(), "calls that were answered go on");
}

#[test]
fn a09_the_pages_of_a_listing_show_each_entry_once() {
    let world = world();
    world.file("many.zip", Trap::bytes("archive/many.zip"));
    let (mut next, mut seen, mut pages) = ("many.zip".to_owned(), Vec::new(), 0);
    loop {
        let page = told(&world, &next);
        seen.extend(names(&page));
        pages += 1;
        let Some((_, address)) = last(&page).split_once("; next: read ") else { break };
        assert!(last(&page).contains(" of 20000; limit listing_entries; "), "{}", last(&page));
        next = address.trim_end_matches(']').to_owned();
    }
    assert!(
        pages == 40 && seen.iter().eq((0..20_000).map(|number| format!("f{number:07}")).collect::<Vec<_>>().iter())
    );
    assert_eq!(told(&world, "many.zip:f0012345"), "¶many.zip:f0012345\n[empty file]\n");
}

#[test]
fn a09_a_million_entries_are_listed_in_bounds() {
    let world = world();
    world.file("million.zip", Trap::bytes("large/million.zip"));
    let page = told_within(LATE, &world, "million.zip");
    assert_eq!(last(&page), "[rows 1-500 of 1000000; limit listing_entries; next: read million.zip:501-]");
    assert_eq!(names(&page).len(), 500);
    let page = told_within(LATE, &world, "million.zip:999999-");
    assert_eq!(
        (names(&page), last(&page)),
        (vec!["f0999998".to_owned(), "f0999999".to_owned()], "[rows 999999-1000000 of 1000000]")
    );
    assert!(told_within(LATE, &world, "million.zip:nothing").starts_with("3: archive.not_found: "));
}

#[test]
fn a23_memory_that_a_header_asks_for_is_not_given() {
    let world = world();
    let tar = Archive::tar(&[Archive::tar_entry("x", b'0', b"x\n")]);
    let (window, dictionary) = (Archive::zstd_with_vast_window, Archive::xz_with_vast_dictionary);
    let vast = "a window of 2147483648 bytes is above unpack_memory";
    for (name, bytes, what) in [
        ("window_2g.tar.zst", window(&tar), vast),
        ("window_2g.txt.zst", window(b"text\n"), vast),
        ("dict_4g.tar.xz", dictionary(&tar), "a dictionary is above unpack_memory"),
        ("dict_4g.txt.xz", dictionary(b"text\n"), "a dictionary is above unpack_memory"),
    ] {
        world.file(name, bytes);
        for tail in ["", ":x", ":1-2"] {
            let said = told(&world, &format!("{name}{tail}"));
            assert_eq!(said.lines().next().unwrap(), format!("5: archive.limit: '{name}' is too big: {what}"));
        }
    }
    world.file("vast.zip", Trap::bytes("archive/vast.zip"));
    assert_eq!(names(&told(&world, "vast.zip")), ["ok", "xz", "zst"]);
    assert!(
        told(&world, "vast.zip:zst").starts_with(&format!("5: archive.limit: 'vast.zip:zst' is too big: {vast}\n"))
    );
    assert!(told(&world, "vast.zip:xz").starts_with("5: archive.limit: 'vast.zip:xz' is too big: a dictionary is "));
    assert_eq!(told(&world, "vast.zip:ok"), "¶vast.zip:ok\n1:ok\n");
}

#[test]
fn a24_what_lies_inside_archives_is_read_to_the_bound() {
    let world = world();
    let nest = Trap::bytes("archive/nest.zip");
    world.file("more.tar.xz", Archive::xz(&Archive::tar(&[Archive::tar_entry("nest.zip", b'0', &nest)])));
    world.file("nest.zip", nest);
    let before = Fixture::survey(world.path());
    for (address, wanted) in [
        ("nest.zip:b.tar.gz:c.zip:deep.txt", "1:deep\n"),
        ("nest.zip:x.db:t", "| a |\n| 7 |\n"),
        ("nest.zip:x.db:t:1", "a: 7\n"),
        ("nest.zip:c.zip:x.db:t:1", "a: 7\n"),
    ] {
        let page = told(&world, address);
        assert!(page.starts_with(&format!("¶{address}\n")) && page.ends_with(wanted), "{page}");
    }
    for (address, deep) in [
        ("nest.zip:b.tar.gz:c.zip:x.db:t:1", "nest.zip:b.tar.gz:c.zip:x.db"),
        ("more.tar.xz:nest.zip:b.tar.gz:c.zip:deep.txt", "more.tar.xz:nest.zip:b.tar.gz:c.zip"),
    ] {
        let words = format!("'{deep}' lies inside 3 others already, and no more are entered (nesting)");
        assert_eq!(told(&world, address), format!("5: source.too_deep: {words}\nnext: read {deep}:hex\n"));
    }
    let more = told_with(SOON, &world, &[("READSTONE_NESTING", "4")], "nest.zip:b.tar.gz:c.zip:x.db:t:1");
    assert!(more.starts_with("¶nest.zip:b.tar.gz:c.zip:x.db:t:1\n") && more.ends_with("a: 7\n"), "{more}");
    assert!(Fixture::survey(world.path()) == before, "reading left a trace");
}

#[test]
fn f16_holes_that_claim_to_be_an_archive_are_damaged_and_cost_nothing() {
    let world = world();
    let heads: [(&str, &[u8]); 4] = [
        ("1t.7z", b"7z\xBC\xAF\x27\x1C\0\x04"),
        ("1t.gz", b"\x1F\x8B\x08\0\0\0\0\0\0\x03"),
        ("1t.xz", b"\xFD7zXZ\0\0\x04"),
        ("1t.bz2", b"BZh91AY&SY"),
    ];
    for (name, head) in heads {
        Fixture::sparse(&world.path().join(name), head, 1 << 40, b"");
        for tail in ["", ":x", ":-1"] {
            let said = told(&world, &format!("{name}{tail}"));
            assert!(said.starts_with(&format!("7: archive.corrupt: '{name}' is damaged: ")), "{said}");
        }
    }
    let entry = Archive::tar_entry("x", b'0', b"x\n");
    Fixture::sparse(&world.path().join("1t.tar"), &entry, 1 << 40, b"");
    assert_eq!(names(&told(&world, "1t.tar")), ["x"]);
    let hole = [entry, Archive::tar_header("hole", b'0', &Archive::tar_size((8 << 30) - 1), "")].concat();
    Fixture::sparse(&world.path().join("8g.tar"), &hole, 1 << 40, b"");
    assert_eq!(names(&told(&world, "8g.tar")), ["hole", "x"]);
    assert!(told(&world, "8g.tar:hole").contains("[binary file: zeros wherever it was looked at, 7.9 GB; "));
}

#[test]
fn f16_a_zip_of_holes_is_damaged() {
    let world = world();
    Fixture::sparse(&world.path().join("1g.zip"), b"PK\x03\x04", 1 << 30, b"");
    let said = told(&world, "1g.zip");
    assert!(said.starts_with("7: archive.corrupt: '1g.zip' is damaged: "), "{said}");
}
