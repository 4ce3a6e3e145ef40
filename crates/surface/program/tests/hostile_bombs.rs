//! Archives that cost more than they look, that change while they are read, or that hold what is withheld.

use std::fs;
use std::path::Path;
use std::time::Duration;

use readstone_testkit::{Archive, Bomb, CANARY, Confined, Fixture, Race, Served, Spoken, World, ZipItem};
use rusqlite::Connection;
use serde_json::json;

const M64: u64 = 96;
const SOON: u64 = 5;

fn world() -> World {
    World::new(env!("CARGO_BIN_EXE_readstone"))
}

fn told_in(world: &World, seconds: u64, arguments: &[&str], address: &str) -> String {
    let mut command = world.command();
    command.args(arguments).args(["--ephemeral", "read", "--", address]);
    let run = Confined::default().seconds(seconds).megabytes(M64).run(&command);
    match run.code {
        Some(0) => format!("{}{}", run.text(), run.stderr),
        code => format!("{}: {}{}", code.unwrap_or(-1), run.text(), run.stderr),
    }
}

fn show(world: &World, seconds: u64, arguments: &[&str], address: &str) {
    let start = std::time::Instant::now();
    let told = told_in(world, seconds, arguments, address);
    let n = told.len();
    let head: String = told.chars().take(300).collect();
    let tail: String = if told.chars().count() > 300 {
        told.chars().rev().take(400).collect::<Vec<_>>().into_iter().rev().collect()
    } else {
        String::new()
    };
    eprintln!("=== {address} ({n} bytes, {:?})\n{head}\n...{tail}", start.elapsed());
}

fn line() -> Vec<u8> {
    (0..1024).map(|n| [b"x".repeat(1023), b"\n".to_vec()].concat()).collect::<Vec<_>>().concat()
}

#[test]
fn a03_overlap() {
    let world = world();
    let bomb = Bomb::default().then(&line(), 8);
    let kernel = ZipItem::packed("0", 8, bomb.deflated(), bomb.real());
    let mut central = Vec::new();
    for n in 0..128 {
        central.extend(ZipItem { name: format!("{n}").into_bytes(), ..kernel.clone() }.central(0));
    }
    let bytes = Archive::zip_of([kernel.local(), kernel.data.clone()].concat(), &central, 128);
    eprintln!("size {}", bytes.len());
    world.file("overlap_1g.zip", bytes);
    for a in ["overlap_1g.zip", "overlap_1g.zip:0", "overlap_1g.zip:7", "overlap_1g.zip:7:-1", "overlap_1g.zip:7:raw"] {
        show(&world, SOON, &[], a);
    }
}

#[test]
fn a04_nested() {
    let world = world();
    let bomb = Bomb::default().then(&vec![0; 1 << 20], 64);
    let mut bytes = Archive::zip(&[ZipItem::packed("0.bin", 8, bomb.deflated(), bomb.real())]);
    for _ in 0..5 {
        let items: Vec<ZipItem> = (0..16).map(|n| ZipItem::deflated(format!("{n}.zip"), &bytes)).collect();
        bytes = Archive::zip(&items);
    }
    eprintln!("size {}", bytes.len());
    world.file("nested42.zip", bytes);
    for a in [
        "nested42.zip",
        "nested42.zip:0.zip",
        "nested42.zip:0.zip:1.zip",
        "nested42.zip:0.zip:1.zip:2.zip",
        "nested42.zip:0.zip:1.zip:2.zip:3.zip",
    ] {
        show(&world, SOON, &[], a);
    }
    // each level a gigabyte
    let inner = Archive::zip(&[ZipItem::stored("deep.txt", b"deep\n")]);
    let far = Bomb::default().then(&vec![0; 1 << 20], 1024).then(&inner, 1);
    let mut whole = Archive::zip(&[ZipItem::packed("far.zip", 8, far.deflated(), far.real())]);
    world.file("far.zip", &whole);
    show(&world, 25, &[], "far.zip:far.zip:deep.txt");
    show(&world, 25, &[], "far.zip:far.zip");
    let far2 = Bomb::default().then(&vec![0; 1 << 20], 1024).then(&whole, 1);
    whole = Archive::zip(&[ZipItem::packed("far2.zip", 8, far2.deflated(), far2.real())]);
    world.file("far2.zip", &whole);
    show(&world, 25, &[], "far2.zip:far2.zip:far.zip:deep.txt");
}

#[test]
fn a05_ratio() {
    let world = world();
    let bomb = Bomb::default().then(&line(), 1024);
    world.file(
        "ratio_1g.zip",
        Archive::zip(&[ZipItem::packed("bomb", 8, bomb.deflated(), bomb.real()), ZipItem::stored("last", b"last\n")]),
    );
    for a in [
        "ratio_1g.zip",
        "ratio_1g.zip:bomb",
        "ratio_1g.zip:last",
        "ratio_1g.zip:bomb:-1",
        "ratio_1g.zip:bomb:1048576",
        "ratio_1g.zip:bomb:b1073000000+100",
    ] {
        show(&world, 25, &[], a);
    }
    let head = Archive::tar_header("bomb", b'0', &Archive::tar_size(2 << 30), "");
    let tail = Archive::tar(&[Archive::tar_entry("last", b'0', b"last\n")]);
    world.file("bomb_2g.tar.gz", Bomb::default().then(&head, 1).then(&line(), 2048).then(&tail, 1).gzipped());
    for a in ["bomb_2g.tar.gz:bomb", "bomb_2g.tar.gz", "bomb_2g.tar.gz:last"] {
        show(&world, 30, &[], a);
    }
    world.file("log.gz", Bomb::default().then(&line(), 2048).gzipped());
    for a in ["log.gz", "log.gz:-1", "log.gz:2000000"] {
        show(&world, 30, &[], a);
    }
    let head = Archive::tar_header("bomb", b'0', &Archive::tar_size(64 << 20), "");
    let packed = [Archive::bzip2(&head), Archive::bzip2(&line()).repeat(64), Archive::bzip2(&tail)].concat();
    world.file("bomb_64m.tar.bz2", packed);
    for a in ["bomb_64m.tar.bz2:bomb", "bomb_64m.tar.bz2", "bomb_64m.tar.bz2:last"] {
        show(&world, 30, &[], a);
    }
}

#[test]
fn a09_many() {
    let world = world();
    let items: Vec<ZipItem> = (0..20_000).map(|n| ZipItem::stored(format!("f{n:07}"), b"")).collect();
    world.file("many.zip", Archive::zip(&items));
    for a in ["many.zip", "many.zip:501-", "many.zip:19990-", "many.zip:f0012345", "many.zip:g"] {
        show(&world, SOON, &[], a);
    }
    let (mut bytes, mut central) = (Vec::new(), Vec::new());
    for n in 0..1_000_000 {
        let item = ZipItem::stored(format!("f{n:07}"), b"");
        central.extend(item.central(bytes.len()));
        bytes.extend(item.local());
    }
    world.file("million.zip", Archive::zip_of(bytes, &central, 1_000_000));
    for a in ["million.zip", "million.zip:999990-", "million.zip:f0999999", "million.zip:missing"] {
        show(&world, 20, &[], a);
    }
}

#[test]
fn a23_dict() {
    let world = world();
    let tar = Archive::tar(&[Archive::tar_entry("x", b'0', b"x\n")]);
    world.file("window_2g.tar.zst", Archive::zstd_with_vast_window(&tar));
    world.file("dict_4g.tar.xz", Archive::xz_with_vast_dictionary(&tar));
    world.file("text.zst", Archive::zstd_with_vast_window(b"text\n"));
    world.file("text.xz", Archive::xz_with_vast_dictionary(b"text\n"));
    let real = |bytes: &[u8]| ZipItem::stored("", bytes);
    let stored = real(b"text\n");
    world.file(
        "vast.zip",
        Archive::zip(&[
            ZipItem::packed("zst", 93, Archive::zstd_with_vast_window(b"text\n"), (5, stored.crc)),
            ZipItem::packed("xz", 95, Archive::xz_with_vast_dictionary(b"text\n"), (5, stored.crc)),
            ZipItem::stored("ok", b"ok\n"),
        ]),
    );
    for a in [
        "window_2g.tar.zst",
        "window_2g.tar.zst:x",
        "window_2g.tar.zst:hex",
        "dict_4g.tar.xz",
        "dict_4g.tar.xz:x",
        "text.zst",
        "text.xz",
        "text.xz:hex",
        "vast.zip",
        "vast.zip:zst",
        "vast.zip:xz",
        "vast.zip:ok",
    ] {
        show(&world, SOON, &[], a);
    }
}

#[test]
fn a24_nest() {
    let world = world();
    let db = world.path().join("x.db");
    Connection::open(&db).unwrap().execute_batch("CREATE TABLE t (a); INSERT INTO t VALUES (7)").unwrap();
    let db = Fixture::survey(&db).remove(0).3;
    let c = Archive::zip(&[ZipItem::deflated("deep.txt", b"deep\n"), ZipItem::deflated("x.db", &db)]);
    let b = Archive::zip(&[ZipItem::deflated("c.zip", &c)]);
    world.file(
        "nest.zip",
        Archive::zip(&[ZipItem::deflated("b.zip", &b), ZipItem::deflated("x.db", &db), ZipItem::deflated("c.zip", &c)]),
    );
    world.file(
        "more.tar",
        Archive::tar(&[Archive::tar_entry("nest.zip", b'0', &Archive::zip(&[ZipItem::deflated("b.zip", &b)]))]),
    );
    for a in [
        "nest.zip:b.zip:c.zip:deep.txt",
        "nest.zip:x.db:t",
        "nest.zip:x.db:t:1",
        "nest.zip:c.zip:x.db:t:1",
        "nest.zip:b.zip:c.zip:x.db:t:1",
        "more.tar:nest.zip:b.zip:c.zip:deep.txt",
        "nest.zip:b.zip:c.zip:none",
    ] {
        show(&world, SOON, &[], a);
    }
}

#[test]
fn f16_holes() {
    let world = world();
    for (name, head) in [
        ("1g.zip", &b"PK\x03\x04"[..]),
        ("1g.7z", b"7z\xBC\xAF\x27\x1C\0\x04"),
        ("1g.gz", b"\x1F\x8B\x08\0\0\0\0\0\0\x03"),
        ("1g.xz", b"\xFD7zXZ\0\0\x04"),
        ("1g.zst", b"\x28\xB5\x2F\xFD"),
        ("1g.bz2", b"BZh91AY&SY"),
    ] {
        Fixture::sparse(&world.path().join(name), head, 1 << 30, b"");
        for tail in ["", ":x", ":hex:b0+16", ":raw:1"] {
            show(&world, SOON, &[], &format!("{name}{tail}"));
        }
    }
    Fixture::sparse(&world.path().join("1t.tar"), &Archive::tar_entry("x", b'0', b"x\n"), 1 << 40, b"");
    Fixture::sparse(
        &world.path().join("far.tar"),
        &Archive::tar_header("x", b'0', &Archive::tar_size(8 << 30 - 1), ""),
        1 << 40,
        b"",
    );
    for a in ["1t.tar", "1t.tar:x", "far.tar", "far.tar:x"] {
        show(&world, SOON, &[], a);
    }
}

#[test]
fn p22_links() {
    let world = world();
    let zip = Archive::zip(&[ZipItem::stored("x", CANARY.as_bytes())]);
    world.file("outside/o.zip", &zip);
    world.file("outside/o.tar.gz", Archive::gzip(&Archive::tar(&[Archive::tar_entry("x", b'0', CANARY.as_bytes())])));
    world.file("outside/o.gz", Archive::gzip(CANARY.as_bytes()));
    Connection::open(world.path().join("outside/o.db"))
        .unwrap()
        .execute_batch(&format!("CREATE TABLE t (a); INSERT INTO t VALUES ('{CANARY}')"))
        .unwrap();
    world.file("outside/o.ipynb", format!(r#"{{"cells":[{{"cell_type":"code","source":"{CANARY}","outputs":[],"metadata":{{}}}}],"metadata":{{}},"nbformat":4,"nbformat_minor":5}}"#));
    world.file(
        "root/in.zip",
        Archive::zip(&[ZipItem::stored("x", b"inside\n"), ZipItem::link("out", "../outside/o.zip")]),
    );
    Fixture::link("in.zip", &world.path().join("root/alias.zip"));
    for name in ["o.zip", "o.tar.gz", "o.gz", "o.db", "o.ipynb", "none.zip", "none.db"] {
        Fixture::link(format!("../outside/{name}"), &world.path().join("root").join(name));
        for tail in ["", ":x", ":#1", ":hex", ":raw", ":t", ":t:1", "?q=SELECT a FROM t", ":cell0"] {
            eprintln!(
                "{name}{tail} {}",
                told_in(&world, SOON, &["--root", "root"], &format!("{name}{tail}")).lines().next().unwrap()
            );
        }
    }
    for a in ["alias.zip:x", "alias.zip", "in.zip:out", "../outside/o.zip:x", "in.zip:out:x"] {
        show(&world, SOON, &["--root", "root"], a);
    }
}

#[test]
fn k01_secrets() {
    let world = world();
    let names = [
        ".env",
        "sub/prod.env",
        "id_ed25519",
        ".ssh/id_work",
        "credentials.json",
        ".ENV.local",
        "server.pem",
        "../.env",
        "plain.txt",
    ];
    let inner = Archive::zip(&[ZipItem::deflated(".env", CANARY.as_bytes())]);
    let mut items: Vec<ZipItem> = names
        .iter()
        .map(|name| {
            ZipItem::deflated(
                name,
                if *name == "plain.txt" { b"plain\n".to_vec() } else { format!("secret={CANARY}\n").into_bytes() }
                    .as_slice(),
            )
        })
        .collect();
    items.push(ZipItem::deflated(".ssh/keys.zip", &Archive::zip(&[ZipItem::deflated("a", CANARY.as_bytes())])));
    items.push(ZipItem::deflated("inner.zip", &inner));
    items.push(ZipItem::link("innocent", ".env"));
    world.file("b.zip", Archive::zip(&items));
    let parts: Vec<Vec<u8>> =
        names.iter().map(|name| Archive::tar_entry(name, b'0', format!("secret={CANARY}\n").as_bytes())).collect();
    world.file("b.tar.gz", Archive::gzip(&Archive::tar(&parts)));
    world.file(".env.gz", Archive::gzip(CANARY.as_bytes()));
    world.file("id_ed25519.xz", Archive::xz(CANARY.as_bytes()));
    world.file(".ssh/a.zip", Archive::zip(&[ZipItem::stored("x", CANARY.as_bytes())]));
    for a in ["b.zip", "b.tar.gz", "b.zip:inner.zip"] {
        show(&world, SOON, &["--root", "."], a);
    }
    let mut addresses: Vec<String> = Vec::new();
    for archive in ["b.zip", "b.tar.gz"] {
        for n in names {
            addresses.push(format!("{archive}:{n}"));
        }
        for n in [
            ":#1",
            ":#8",
            ":./.env",
            ":sub//prod.env",
            ":.env:raw",
            ":.env:hex",
            ":.ssh/keys.zip:a",
            ":.ssh/keys.zip",
            ":inner.zip:.env",
            ":innocent",
            ":.ssh",
            ":prod.env",
            ":.en",
            ":.env:1-2",
        ] {
            addresses.push(format!("{archive}{n}"));
        }
    }
    addresses.extend([".env.gz", ".env.gz:raw", "id_ed25519.xz", ".ssh/a.zip", ".ssh/a.zip:x"].map(str::to_owned));
    for a in addresses {
        let mut command = world.command();
        command.args(["--root", ".", "--ephemeral", "read", "--", &a]);
        let run = readstone_testkit::Run::of(&mut command);
        let leak = run.text().contains(CANARY) || run.stderr.contains(CANARY);
        eprintln!(
            "{a} -> {:?} leak={leak} {}",
            run.code,
            run.stderr.lines().next().map(str::to_owned).unwrap_or_else(|| run.text())
        );
    }
}
