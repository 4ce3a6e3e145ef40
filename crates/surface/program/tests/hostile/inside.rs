//! What lies in archives and databases behind links, under rules for secrets, or while it is replaced: rows P22, K01,
//! F12 and F15 of `docs/hostile.md`.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

use readstone_testkit::{Archive, CANARY, Confined, Fixture, Race, Served, Spoken, World, ZipItem};
use rusqlite::Connection;
use serde_json::json;

const REVISION: &str = "2025-11-25";

fn world() -> World {
    World::new(env!("CARGO_BIN_EXE_readstone"))
}

/// All that a run below a root says to an address, behind its exit code where it is not 0; nothing may change on disk.
fn told(world: &World, root: &str, address: &str) -> String {
    let before = Fixture::survey(world.path());
    let mut command = world.command();
    command.args(["--root", root, "--ephemeral", "read", "--", address]);
    let run = Confined::default().run(&command);
    assert!(Fixture::survey(world.path()) == before, "reading {address} left a trace");
    match run.code {
        Some(0) => run.text() + &run.stderr,
        code => format!("{}: {}{}", code.unwrap_or(-1), run.text(), run.stderr),
    }
}

/// What a server says to an address.
fn asked(client: &mut Spoken, address: &str) -> String {
    let answer = client.call("read", &json!({ "path": address }));
    let text = answer.pointer("/result/content/0/text").and_then(serde_json::Value::as_str);
    text.unwrap_or_else(|| panic!("{address}: {answer}")).to_owned()
}

/// A database with one table of one row.
fn database(word: &str) -> Vec<u8> {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("d.db");
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(&format!("CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('{word}')")).unwrap();
    connection.close().unwrap();
    Fixture::survey(&path).remove(0).3
}

/// Files of every kind in which a word stands, and the addresses of that word; their sizes depend on its length only.
fn versions(word: &str) -> Vec<(&'static str, Vec<u8>)> {
    let line = format!("{word}\n").into_bytes();
    let tar =
        Archive::tar(&[Archive::tar_entry("first.txt", b'0', b"first\n"), Archive::tar_entry("x.txt", b'0', &line)]);
    let stored = |name: &str, bytes: &[u8]| Archive::zip(&[ZipItem::stored(name, bytes)]);
    // A stored block, so that no word packs better than another.
    let gzip = |bytes: &[u8]| Archive::gzip_stored(bytes);
    let notebook = format!(
        r#"{{"cells":[{{"cell_type":"code","source":"{word}","outputs":[],"metadata":{{}},"execution_count":null}}],"metadata":{{}},"nbformat":4,"nbformat_minor":5}}"#
    );
    vec![
        ("a.zip", stored("x.txt", &line)),
        ("a.tar", tar.clone()),
        ("a.tar.gz", gzip(&tar)),
        ("x.gz", gzip(&line)),
        ("n.zip", stored("a.tar.gz", &gzip(&tar))),
        ("d.db", database(word)),
        ("d.zip", stored("d.db", &database(word))),
        ("n.ipynb", notebook.into_bytes()),
    ]
}

/// Where the word of each file stands.
const PLACES: [(&str, &str); 8] = [
    ("a.zip", ":x.txt"),
    ("a.tar", ":x.txt"),
    ("a.tar.gz", ":x.txt"),
    ("x.gz", ""),
    ("n.zip", ":a.tar.gz:x.txt"),
    ("d.db", ":t:1"),
    ("d.zip", ":d.db:t:1"),
    ("n.ipynb", ":cell0"),
];

#[test]
fn p22_links_out_of_the_root_lead_into_no_archive_and_no_database() {
    let world = world();
    for (name, bytes) in versions(CANARY) {
        world.file(Path::new("outside").join(name), bytes);
    }
    fs::create_dir_all(world.path().join("root/x")).unwrap();
    let tails =
        ["", ":x.txt", ":x.txt:1-2", ":#1", ":hex", ":raw", ":t", ":t:1", ":t?limit=1", "?q=SELECT a FROM t", ":cell0"];
    for (name, _) in PLACES.into_iter().chain([("none.zip", ""), ("none.db", "")]) {
        Fixture::link(format!("../outside/{name}"), &world.path().join("root").join(name));
        Fixture::link(
            world.path().join("outside").join(name),
            &world.path().join("root/absolute").with_extension(name),
        );
        for tail in tails {
            for link in [name.to_owned(), format!("absolute.{name}")] {
                // Whether something is there cannot be told: the same words for what is and what is not.
                let said = told(&world, "root", &format!("{link}{tail}"));
                assert_eq!(
                    said.lines().next().unwrap(),
                    format!("4: host.outside_root: '{link}' is outside the root"),
                    "{tail}"
                );
            }
        }
    }
    for address in ["../outside/a.zip:x.txt", "../outside/d.db:t:1", "x/../../outside/d.db?q=SELECT a FROM t"] {
        assert!(told(&world, "root", address).starts_with("4: host.outside_root: "), "{address}");
    }
    world.file(
        "root/in.zip",
        Archive::zip(&[ZipItem::stored("x", b"inside\n"), ZipItem::link("out", "../outside/a.zip")]),
    );
    Fixture::link("in.zip", &world.path().join("root/alias.zip"));
    assert_eq!(told(&world, "root", "alias.zip:x"), "¶alias.zip:x\n1:inside\n");
    assert!(told(&world, "root", "in.zip:out").starts_with("¶in.zip:out\n1:../outside/a.zip\n["));
    assert!(told(&world, "root", "in.zip:out:x.txt").starts_with("2: address.bad_selector: "));
}

#[test]
fn p22_a_link_that_is_swapped_while_it_is_read_leads_nowhere_else() {
    let world = world();
    let inside = versions("inside");
    for ((name, secret), (_, bytes)) in versions(CANARY).into_iter().zip(&inside) {
        world.file(Path::new("outside").join(name), secret);
        world.file(Path::new("root/real").join(name), bytes);
    }
    let root = world.path().join("root");
    let race = Race::start(move |round| {
        for (name, _) in PLACES {
            let target = if round % 2 == 0 { format!("../outside/{name}") } else { format!("real/{name}") };
            Fixture::link(target, &root.join("fresh"));
            fs::rename(root.join("fresh"), root.join(name)).unwrap();
        }
    });
    let mut client = Spoken::start(&world, ["--root", "root"], REVISION);
    let mut seen = [0, 0];
    for _ in 0..100 {
        for (name, tail) in PLACES {
            let said = asked(&mut client, &format!("{name}{tail}"));
            assert!(!said.contains(CANARY), "{name}: {said}");
            let which = usize::from(said.starts_with("host.outside_root: "));
            assert!(which == 1 || said.contains("inside"), "{name}: {said}");
            seen[which] += 1;
        }
    }
    assert!(race.finish() > 10 && seen[0] > 0 && seen[1] > 0, "the race was never run: {seen:?}");
}

/// Names of secrets, and the addresses behind an archive's colon by which they could be reached.
const SECRETS: [&str; 7] =
    [".env", "sub/prod.env", "id_ed25519", ".ssh/id_work", "credentials.json", ".ENV.local", "server.pem"];
const ROUNDABOUT: [&str; 9] = [
    "#1",
    "./.env",
    "sub//prod.env",
    ".env:raw",
    ".env:hex",
    ".env:1-2",
    ".ssh/keys.zip:a",
    "in.zip:.env",
    "in.zip:#1",
];

fn secrets(world: &World) {
    let secret = format!("secret={CANARY}\n").into_bytes();
    let zip = |name: &str| Archive::zip(&[ZipItem::deflated(name, &secret)]);
    let mut files: Vec<(&str, Vec<u8>)> = SECRETS.map(|name| (name, secret.clone())).into();
    files.extend([
        ("../.env", secret.clone()),
        (".ssh/keys.zip", zip("a")),
        ("in.zip", zip(".env")),
        ("plain", b"plain\n".to_vec()),
    ]);
    let items: Vec<ZipItem> = files.iter().map(|(name, bytes)| ZipItem::deflated(name, bytes)).collect();
    let parts: Vec<Vec<u8>> = files.iter().map(|(name, bytes)| Archive::tar_entry(name, b'0', bytes)).collect();
    world.file("b.zip", Archive::zip(&[items, vec![ZipItem::link("innocent", ".env")]].concat()));
    world.file(
        "b.tar.gz",
        Archive::gzip(&Archive::tar(&[parts, vec![Archive::tar_link("innocent", b'1', ".env")]].concat())),
    );
    world.file(".env.zip", zip("a"));
    world.file(".ssh/a.zip", zip("a"));
    world.file(".env.gz", Archive::gzip(&secret));
}

#[test]
fn k01_secrets_inside_an_archive_are_withheld() {
    let world = world();
    secrets(&world);
    let server = Served::start::<&str>(&world, []);
    for archive in ["b.zip", "b.tar.gz"] {
        for name in SECRETS.into_iter().chain(ROUNDABOUT).chain(["#8"]) {
            let address = format!("{archive}:{name}");
            let said = told(&world, ".", &address);
            assert!(
                said.starts_with("4: archive.denied: ") && said.contains(" is withheld from every tool by the rule "),
                "{address}: {said}"
            );
            let answer = server.call("read", &json!({ "path": address }));
            assert!(answer.status == 403 && !answer.text().contains(CANARY), "{address}: {}", answer.text());
        }
        let list = told(&world, ".", archive);
        assert!(list.ends_with("[left out: 6 withheld]\n") && list.contains("\n- plain  6 B  "), "{list}");
        assert_eq!(told(&world, ".", &format!("{archive}:plain")), format!("¶{archive}:plain\n1:plain\n"));
        assert!(
            told(&world, ".", &format!("{archive}:innocent")).starts_with(&format!("¶{archive}:innocent\n1:.env\n["))
        );
        // What is withheld is not offered either.
        for near in ["prod.env", ".en", "id_ed2551", "nv"] {
            let said = told(&world, ".", &format!("{archive}:{near}"));
            assert_eq!(said, format!("3: archive.not_found: '{archive}' holds no '{near}'\nnext: read {archive}\n"));
        }
    }
    for address in [".env.zip", ".env.zip:a", ".ssh/a.zip:a", ".ssh/a.zip:#1", ".env.gz", ".env.gz:raw"] {
        assert!(told(&world, ".", address).starts_with("4: host.denied_secret: "), "{address}");
    }
}

#[test]
fn k01_a_packed_secret_is_withheld_like_the_file_inside() {
    let world = world();
    let secret = format!("secret={CANARY}\n").into_bytes();
    world.file("id_ed25519.gz", Archive::gzip(&secret));
    world.file("server.pem.xz", Archive::xz(&secret));
    world.file("sub/prod.env.zst", Archive::zstd(&secret));
    world.file("b.zip", Archive::zip(&[ZipItem::stored("credentials.json.gz", &Archive::gzip(&secret))]));
    for address in ["id_ed25519.gz", "server.pem.xz", "sub/prod.env.zst", "b.zip:credentials.json.gz"] {
        let said = told(&world, ".", address);
        assert!(
            said.starts_with("4: ") && said.contains(" is withheld from every tool by the rule "),
            "{address}: {said}"
        );
    }
}

/// Overwrites a file where it is, and has it look as if nothing had happened.
fn overwrite(path: &Path, bytes: &[u8]) {
    let facts = path.symlink_metadata().unwrap();
    assert_eq!(facts.len(), bytes.len() as u64, "the fixture is none: {} shows by its size", path.display());
    // The clock of a file system is coarse.
    std::thread::sleep(Duration::from_millis(20));
    fs::write(path, bytes).unwrap();
    File::options().write(true).open(path).unwrap().set_modified(facts.modified().unwrap()).unwrap();
}

#[test]
fn f15_a_warm_server_shows_nothing_of_what_was_replaced() {
    let world = world();
    for (name, bytes) in versions("olden") {
        world.file(name, bytes);
    }
    let mut client = Spoken::start::<&str>(&world, [], REVISION);
    let mut check = |wanted: &str, other: &str| {
        for (name, tail) in PLACES {
            let list = asked(&mut client, name);
            for _ in 0..2 {
                let said = asked(&mut client, &format!("{name}{tail}"));
                assert!(
                    said.contains(wanted) && !said.contains(other),
                    "{name}{tail} is to say {wanted}: {said}\n{list}"
                );
            }
        }
    };
    check("olden", "newer");
    for (word, other) in [("newer", "olden"), ("olden", "newer")] {
        for (name, bytes) in versions(word) {
            Fixture::replace(&world.path().join(name), &bytes);
        }
        check(word, other);
    }
    for (word, other) in [("newer", "olden"), ("olden", "newer")] {
        for (name, bytes) in versions(word) {
            overwrite(&world.path().join(name), &bytes);
        }
        check(word, other);
    }
}

#[test]
fn f15_what_goes_between_the_list_and_the_entry_is_missing_and_not_remembered() {
    let world = world();
    for (name, bytes) in versions("olden") {
        world.file(name, bytes);
    }
    let mut client = Spoken::start::<&str>(&world, [], REVISION);
    for (name, tail) in PLACES {
        assert!(asked(&mut client, &format!("{name}{tail}")).contains("olden"), "{name}");
    }
    let other = ZipItem::stored("other.txt", b"other\n");
    let tar = Archive::tar(&[Archive::tar_entry("other.txt", b'0', b"other\n")]);
    Fixture::replace(&world.path().join("a.zip"), &Archive::zip(&[other]));
    Fixture::replace(&world.path().join("a.tar"), &tar);
    Fixture::replace(&world.path().join("a.tar.gz"), &Archive::gzip(&tar));
    Connection::open(world.path().join("d.db")).unwrap().execute_batch("UPDATE t SET a = 'renewed'").unwrap();
    for name in ["a.zip", "a.tar", "a.tar.gz"] {
        let said = asked(&mut client, &format!("{name}:x.txt"));
        assert!(said.starts_with(&format!("archive.not_found: '{name}' holds no 'x.txt'\n")), "{said}");
    }
    assert!(asked(&mut client, "d.db:t:1").contains("a: renewed\n"));
    let writer = Connection::open(world.path().join("d.db")).unwrap();
    writer.execute_batch("PRAGMA journal_mode = WAL; UPDATE t SET a = 'logged'").unwrap();
    assert!(asked(&mut client, "d.db:t:1").contains("a: logged\n"));
    writer.execute_batch("DROP TABLE t").unwrap();
    assert!(asked(&mut client, "d.db:t:1").starts_with("database.no_table: "));
    fs::write(world.path().join("a.zip"), "now text\n").unwrap();
    let said = asked(&mut client, "a.zip");
    assert!(said.starts_with("¶a.zip#") && said.ends_with("\n1:now text\n"), "{said}");
    fs::remove_file(world.path().join("a.tar")).unwrap();
    assert!(asked(&mut client, "a.tar:x.txt").contains("not_found: "));
}

#[test]
fn f15_what_is_replaced_while_it_is_read_is_one_of_its_versions() {
    let world = world();
    let both = [versions("olden"), versions("newer")];
    let mut client = Spoken::start::<&str>(&world, [], REVISION);
    let mut known = Vec::new();
    for version in &both {
        for (name, bytes) in version {
            Fixture::replace(&world.path().join(name), bytes);
        }
        known.push(PLACES.map(|(name, tail)| asked(&mut client, &format!("{name}{tail}"))));
    }
    let root = world.path().to_owned();
    let race = Race::start(move |round| {
        for (name, bytes) in &both[usize::from(round % 2 == 0)] {
            Fixture::replace(&root.join(name), bytes);
        }
    });
    let mut seen = [0, 0];
    for _ in 0..200 {
        for (place, (name, tail)) in PLACES.into_iter().enumerate() {
            let said = asked(&mut client, &format!("{name}{tail}"));
            let which = known.iter().position(|known| known[place] == said);
            seen[which.unwrap_or_else(|| panic!("{name}: neither version: {said}"))] += 1;
        }
    }
    assert!(race.finish() > 10 && seen[0] > 0 && seen[1] > 0, "the race was never run: {seen:?}");
}

#[test]
fn f12_what_is_cut_and_rewritten_while_it_is_read_is_whole_or_called_damaged() {
    let world = world();
    let both = [versions("olden"), versions("newer")];
    for (name, bytes) in &both[0] {
        world.file(name, bytes);
    }
    let root = world.path().to_owned();
    let race = Race::start(move |round| {
        for (name, bytes) in &both[usize::from(round % 2 == 0)] {
            // In two steps: a reader can meet the file empty, or with the beginning of one version only.
            fs::write(root.join(name), &bytes[..bytes.len() / 2]).unwrap();
            fs::write(root.join(name), bytes).unwrap();
        }
    });
    let mut client = Spoken::start::<&str>(&world, [], REVISION);
    let mut seen = [0, 0];
    for _ in 0..200 {
        for (name, tail) in PLACES {
            let answer = client.call("read", &json!({ "path": format!("{name}{tail}") }));
            let said = answer["result"]["content"][0]["text"].as_str().unwrap_or_default();
            let failed = answer["result"]["isError"] == json!(true);
            let whole = said.contains("olden") != said.contains("newer");
            let told = ["damaged", "changed", "empty", "lines not", "binary", "no notebook"]
                .iter()
                .any(|word| said.contains(word));
            assert!(!said.contains("desk.broken: ") && (failed || whole || told), "{name}: {answer}");
            seen[usize::from(failed)] += 1;
        }
    }
    assert!(race.finish() > 10 && seen[0] > 0, "the race was never run: {seen:?}");
    let (code, said) = client.end();
    assert!(code == Some(0) && !said.contains("panicked"), "{said}");
}
