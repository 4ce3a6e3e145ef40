//! Searches in archives, documents, databases and secrets that are made to do harm: the rows R10 and K01 of `docs/hostile.md`.

use readstone_testkit::{Archive, Bomb, CANARY, Confined, Fixture, Office, Pdf, Run, Spoken, World, ZipItem};
use rusqlite::Connection;
use serde_json::json;

/// Megabytes a bounded run may write to: 64, and what the program takes for itself.
const M64: u64 = 96;
/// Seconds within which a run ends, on a machine that does other things too.
const LATE: u64 = 40;
/// The bytes that a reply of one page stays below.
const PAGE: usize = 52_000;

fn world() -> World {
    World::new(env!("CARGO_BIN_EXE_readstone"))
}

fn search(world: &World, pattern: &str, paths: &[&str]) -> Run {
    let mut command = world.command();
    command.args(["--root", ".", "--ephemeral", "search", "--", pattern]).args(paths);
    let run = Confined::default().seconds(LATE).megabytes(M64).run(&command);
    assert!(run.stdout.len() < PAGE, "{pattern} in {paths:?}: {} bytes", run.stdout.len());
    run
}

/// All that a run says, behind its exit code where it failed.
fn told(world: &World, pattern: &str, path: &str) -> String {
    let run = search(world, pattern, &[path]);
    match run.code {
        Some(0 | 1) => run.text(),
        code => format!("{}: {}{}", code.unwrap_or(-1), run.text(), run.stderr),
    }
}

/// A megabyte of lines of a kilobyte.
fn lines() -> Vec<u8> {
    [&[b'x'; 1023][..], b"\n"].concat().repeat(1024)
}

#[test]
fn r10_what_is_packed_is_not_unpacked_unless_it_is_named() {
    let world = world();
    let bomb = Bomb::default().then(&lines(), 1024).then(b"needle\n", 1);
    world.file("bombs/one.zip", Archive::zip(&[ZipItem::packed("bomb", 8, bomb.deflated(), bomb.real())]));
    world.file("bombs/two.gz", bomb.gzipped());
    world.file("bombs/three.docx", Office::word(&Office::paragraph("needle")));
    world.file("bombs/four.pdf", Pdf::of("needle").bytes());
    world.file("bombs/plain.txt", "needle\n");
    let text = told(&world, "needle", "bombs");
    let counted = "[not searched: 4 documents/archives/databases to search by name (bombs/four.pdf)]\n";
    assert!(text.starts_with("# bombs/plain.txt#") && text.ends_with(counted), "{text}");
}

#[test]
fn r10_a_bomb_that_is_named_is_searched_in_bounds_or_refused() {
    let world = world();
    let bomb = Bomb::default().then(&lines(), 256).then(b"needle\n", 1);
    world.file("one.zip", Archive::zip(&[ZipItem::packed("bomb", 8, bomb.deflated(), bomb.real())]));
    world.file("two.gz", bomb.gzipped());
    let kernel = ZipItem::packed("0", 8, bomb.deflated(), bomb.real());
    let central: Vec<Vec<u8>> =
        (0..128).map(|number| ZipItem { name: number.to_string().into(), ..kernel.clone() }.central(0)).collect();
    world.file("overlap.zip", Archive::zip_of([kernel.local(), kernel.data.clone()].concat(), &central.concat(), 128));
    for (path, at) in [("one.zip", "one.zip:bomb"), ("one.zip:bomb", "one.zip:bomb"), ("two.gz", "two.gz")] {
        let text = told(&world, "needle", path);
        let found = text.contains(at) && text.contains("*262145:needle");
        let said = text.contains("limit") || text.contains("time") || text.contains("unreadable");
        assert!(found || said, "{path}: {text:.600}");
    }
    // Many entries of the same bytes have the time of one call.
    let mut command = world.command();
    command.env("READSTONE_CALL_MS", "3000").args(["--root", ".", "--ephemeral", "search", "nothing", "overlap.zip"]);
    let run = Confined::default().seconds(LATE).megabytes(M64).run(&command);
    let said = run.text() + &run.stderr;
    assert!(said.contains("time ran out") || said.contains("timeout") || said.contains("unreadable"), "{said:.600}");
}

#[test]
fn r10_archives_in_archives_are_counted_and_not_entered() {
    let world = world();
    let mut bytes = Archive::zip(&[ZipItem::stored("0.txt", b"needle\n")]);
    for _ in 0..5 {
        bytes = Archive::zip(&(0..16).map(|n| ZipItem::deflated(format!("{n}.zip"), &bytes)).collect::<Vec<_>>());
    }
    world.file("nested.zip", bytes);
    let text = told(&world, "needle", "nested.zip");
    assert!(text.starts_with("No matches found\n[not searched: 16 documents/archives/databases"), "{text}");
    let text = told(&world, "needle", "nested.zip:0.zip:1.zip:2.zip:3.zip");
    assert!(text.starts_with("5: source.too_deep: "), "{text}");
}

#[test]
fn r10_many_entries_and_strange_names_are_searched_in_bounds() {
    let world = world();
    let mut items: Vec<ZipItem> =
        (0..20_000).map(|number| ZipItem::stored(format!("d{}/{number}.txt", number % 100), b"sand\n")).collect();
    items.push(ZipItem::stored("../../etc/passwd", b"needle\n"));
    items.push(ZipItem::stored("/abs.txt", b"needle\n"));
    items.push(ZipItem::stored("deep/\x1b[31mred.txt", b"needle\n"));
    items.push(ZipItem::link("deep/link.txt", "/etc/passwd"));
    items.push(ZipItem::stored("twice.txt", b"needle\n"));
    items.push(ZipItem::stored("twice.txt", b"needle\n"));
    items.push(ZipItem::stored("x/".repeat(200) + "y.txt", b"needle\n"));
    world.file("many.zip", Archive::zip(&items));
    let text = told(&world, "needle", "many.zip");
    let headings: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("# ")).collect();
    let of_all = headings.len() >= 5 || text.contains("time ran out");
    assert!(of_all && text.contains("1 link"), "{text:.1500}");
    for heading in headings {
        let mut command = world.command();
        command.args(["--root", ".", "--ephemeral", "read", "--", heading]);
        let run = Confined::default().run(&command);
        assert!(run.text().contains("1:needle"), "{heading}: {} {}", run.text(), run.stderr);
    }
}

#[test]
fn r10_queries_without_end_have_the_time_and_memory_of_one_call() {
    let world = world();
    let database = Connection::open(world.path().join("app.db")).unwrap();
    database
        .execute_batch(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b BLOB); INSERT INTO t VALUES (1, 'sand', zeroblob(50000000));
             INSERT INTO t VALUES (2, replace(hex(zeroblob(3000000)), '00', 'ab') || 'needle', NULL), (3, 'needle', NULL);
             CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'row ' || i AS w FROM n;",
        )
        .unwrap();
    drop(database);
    let text = told(&world, "needle", "app.db:t");
    assert!(text.contains("*2:a: …") && text.contains("\n*3:a: needle\n"), "{text:.900}");
    let endless = "app.db?q=WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT 'row '||i AS w FROM n";
    for path in ["app.db:endless", "app.db", endless] {
        let mut command = world.command();
        command.env("READSTONE_CALL_MS", "4000");
        command.args(["--root", ".", "--ephemeral", "search", "--", "pebble", path]);
        let run = Confined::default().seconds(LATE).megabytes(M64).measure(&command);
        let said = run.run.text() + &run.run.stderr;
        let told_of = ["time", "limit", "not all was searched", "unreadable"].iter().any(|word| said.contains(word));
        assert!(told_of && said != "No matches found\n", "{path}: {:?} {said:.600}", run.run.code);
        assert!(run.megabytes < 2 * M64 + 64, "{path}: {} MB", run.megabytes);
    }
}

#[test]
fn r10_documents_that_are_bombs_are_refused_as_they_are_read() {
    let world = world();
    let level = |level: u8| format!("<!ENTITY a{level} \"{}\">", format!("&a{};", level - 1).repeat(10));
    let laughs = format!("<!DOCTYPE z [<!ENTITY a0 \"ha\">{}]>", (1..10).map(level).collect::<String>());
    world.file("laughs.docx", Office::docx(&laughs, "", &Office::paragraph("&a9;"), &[]));
    let text = told(&world, "ha", "laughs.docx");
    assert!(text.starts_with("7: document.unsupported: "), "{text:.300}");
    world.file("broken.pdf", &Pdf::of("needle").bytes()[..60]);
    assert!(told(&world, "needle", "broken.pdf").starts_with("7: "), "{}", told(&world, "needle", "broken.pdf"));
    // One that cannot be read does not keep the others from being searched, where several are named.
    world.file("fine.txt", "needle\n");
    let run = search(&world, "needle", &["laughs.docx", "fine.txt"]);
    let words = "[not all was searched: laughs.docx: ";
    assert!(run.text().starts_with("¶fine.txt#") && run.text().contains(words), "{} {}", run.text(), run.stderr);
}

/// A world in which every secret holds the word, and the word that is searched for.
fn secrets() -> World {
    let world = world();
    let secret = format!("stone={CANARY}\n");
    for name in [".env", ".ENV.local", "sub/prod.env", "id_ed25519", "server.pem", ".ssh/id_work", "credentials.json"] {
        world.file(name, &secret);
    }
    Fixture::link(".env", &world.path().join("innocent.txt"));
    Fixture::link("sub", &world.path().join("around"));
    world.file("plain.txt", "a stone\n");
    let items = [ZipItem::stored("in/.env", secret.as_bytes()), ZipItem::stored("in/a.txt", b"stone\n")];
    world.file("pack.zip", Archive::zip(&items));
    world.file("pack.tar", Archive::tar(&[Archive::tar_entry("id_rsa", b'0', secret.as_bytes())]));
    world
}

#[test]
fn k01_secrets_are_not_searched_whatever_names_them() {
    let world = secrets();
    let mut client = Spoken::start::<&str>(&world, [], "2025-11-25");
    let mut clean = |paths: &str, gitignore: bool| {
        let input = json!({ "pattern": "stone", "paths": paths, "i": true, "gitignore": gitignore });
        let text = client.call("search", &input).to_string();
        assert!(!text.contains(CANARY), "{paths}: {text}");
        text
    };
    for paths in [".", "*", "**/*", ".*", "*.env", "sub", "sub/*", "{.env,plain.txt}", ".[e]nv", "sub/*.env", ".ssh"] {
        clean(paths, true);
        clean(paths, false);
    }
    for path in [".env", "sub/prod.env", "around/prod.env", "innocent.txt", ".ssh/id_work", ".env:1-5", "./sub/../.env"]
    {
        assert!(clean(path, true).contains("host.denied_secret"), "{path}");
    }
    for path in ["pack.zip", "pack.zip:in", "pack.zip:in/.env", "pack.zip:in/*", "pack.tar", "pack.tar:id_rsa"] {
        clean(path, true);
    }
    let text = clean(".", true);
    assert!(text.contains("plain.txt") && text.contains("withheld"), "{text}");
    // What is near a missing name is not named either.
    assert!(!clean("id_ed25518", true).contains("id_ed25519"));
    for run in [search(&world, "stone", &["."]), search(&world, "CANAR.", &[".", "pack.zip", "sub"])] {
        assert!(matches!(run.code, Some(0 | 1)), "{:?} {}", run.code, run.stderr);
    }
}
