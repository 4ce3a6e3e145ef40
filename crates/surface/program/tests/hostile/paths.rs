//! Paths that want to lead out of the root, and names that want to be something else: the rows P of `docs/hostile.md`.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use readstone_testkit::{Archive, Confined, Fixture, Race, Run, World, ZipItem};
use readstone_tools::Toolbox;
use serde_json::json;

const SECRET: &str = "the CANARY of the outside\n";

/// A root with a file in it, and secrets beside it.
fn world() -> World {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    world.file("root/inside.txt", "inside\n");
    world.file("root/a/b/inner.txt", "inner\n");
    world.file("root_evil/secret.txt", SECRET);
    world.file("outside/secret.txt", SECRET);
    world.file("outside/sub/s.txt", SECRET);
    world.file("secret.txt", SECRET);
    world
}

/// Reads below the root.
fn read(world: &World, address: impl AsRef<OsStr>) -> Run {
    let mut command = world.command();
    command.args(["--root", "root", "read", "--"]).arg(address);
    Confined::default().run(&command)
}

fn check(run: &Run, exit: i32, code: &str) {
    let fits = run.code == Some(exit) && run.stderr.starts_with(&format!("{code}: ")) && run.stdout.is_empty();
    assert!(fits, "wanted {code} with {exit}, got {:?}\n{}\n{}", run.code, run.stderr, run.text());
}

fn check_outside(world: &World, address: impl AsRef<OsStr>) {
    check(&read(world, address), 4, "host.outside_root");
}

fn check_holds(run: &Run, piece: &str) {
    assert!(run.code == Some(0) && run.text().contains(piece), "no {piece:?} in {:?}\n{}", run.text(), run.stderr);
}

/// Makes a link below the root.
fn link(world: &World, target: impl AsRef<Path>, name: &str) {
    Fixture::link(target, &world.path().join("root").join(name));
}

#[test]
fn p01_a_sibling_whose_name_begins_like_the_root_is_outside() {
    let world = world();
    check_outside(&world, world.path().join("root_evil/secret.txt"));
    check_outside(&world, "../root_evil/secret.txt");
}

#[test]
fn p02_dots_and_slashes_do_not_lead_out() {
    let world = world();
    for address in
        ["../outside/secret.txt", "a/./../../secret.txt", "a/./../..", "//", "..", "../.", "a/../../.", "//etc"]
    {
        check_outside(&world, address);
    }
    check_outside(&world, world.path().join("root/../outside/secret.txt"));
    check_holds(&read(&world, "a/../inside.txt"), "1:inside");
    check_holds(&read(&world, world.path().join("root/a/../inside.txt")), "1:inside");
    check_holds(&read(&world, "/"), "- inside.txt");
}

#[test]
fn p03_a_link_to_a_file_outside_is_outside() {
    let world = world();
    link(&world, "../outside/secret.txt", "relative");
    link(&world, world.path().join("outside/secret.txt"), "absolute");
    check_outside(&world, "relative");
    check_outside(&world, "absolute");
    check_outside(&world, "absolute:1-5");
    link(&world, world.path().join("root/inside.txt"), "home");
    check_holds(&read(&world, "home"), "1:inside");
}

#[test]
fn p04_a_link_to_a_directory_outside_is_neither_read_nor_walked() {
    let world = world();
    link(&world, "../outside", "link_dir");
    for address in ["link_dir", "link_dir/", "link_dir/sub/s.txt", "link_dir/sub", "link_dir/none"] {
        check_outside(&world, address);
    }
    let listing = read(&world, ".");
    check_holds(&listing, "- link_dir -> ../outside");
    assert!(!listing.text().contains("s.txt") && !listing.text().contains("sub"), "{}", listing.text());
    check(&read(&world, "s.txt"), 3, "source.not_found");
    check(&read(&world, "sub/s.txt"), 3, "source.not_found");
}

#[test]
fn p05_a_chain_of_links_is_judged_by_its_end() {
    let world = world();
    link(&world, "two", "one");
    link(&world, world.path().join("root/three"), "two");
    link(&world, "../outside/secret.txt", "three");
    check_outside(&world, "one");
    link(&world, "inside.txt", "three");
    check_holds(&read(&world, "one"), "1:inside");
}

#[test]
fn p06_a_dangling_link_to_the_outside_tells_nothing() {
    let world = world();
    link(&world, "../outside/new_file.txt", "link_dangling");
    check_outside(&world, "link_dangling");
    assert!(!world.path().join("outside/new_file.txt").exists());
}

#[test]
fn p07_two_dots_behind_a_link_are_those_of_the_kernel() {
    let world = world();
    // As a string, `a/b/up/../secret.txt` is this decoy; in truth `up` is the root, and its parent is outside.
    world.file("root/a/b/secret.txt", "decoy\n");
    link(&world, "../..", "a/b/up");
    check_outside(&world, "a/b/up/../secret.txt");
    link(&world, "a/b", "link_sub");
    check_outside(&world, "link_sub/../../../secret.txt");
    world.file("root/a/here.txt", "here\n");
    check_holds(&read(&world, "link_sub/../here.txt"), "1:here");
    link(&world, world.path().join("root/a/b"), "link_sub");
    check_outside(&world, "link_sub/../../../secret.txt");
    check_holds(&read(&world, "link_sub/../here.txt"), "1:here");
}

#[test]
fn p08_a_link_that_is_swapped_while_it_is_opened_lets_nothing_out() {
    let world = world();
    let root = world.path().join("root");
    let toolbox = Toolbox::for_directory(&root).unwrap();
    for (name, below) in [("x", ""), ("d", "/secret.txt")] {
        let (place, good, evil) = (root.join(name), root.join("good"), root.join("evil"));
        let target = if below.is_empty() { ("inside.txt", "../outside/secret.txt") } else { ("a", "../outside") };
        fs::write(root.join("a/secret.txt"), "inside\n").unwrap();
        let race = Race::start(move |round| {
            let (next, target) = if round % 2 == 0 { (&good, target.0) } else { (&evil, target.1) };
            Fixture::link(target, next);
            fs::rename(next, &place).unwrap();
        });
        let mut opened = 0;
        for _ in 0..1_000 {
            let reply = toolbox.call("read", &json!({ "path": format!("{name}{below}") }), &toolbox.budget());
            assert!(!reply.text().contains("CANARY"), "{}", reply.text());
            opened += u32::from(reply.text().contains("1:inside"));
        }
        for _ in 0..20 {
            assert!(matches!(read(&world, format!("{name}{below}")).code, Some(0 | 3 | 4)));
        }
        assert!(race.finish() > 10 && opened > 0, "the race was never run");
    }
}

#[test]
fn p09_a_hard_link_is_a_file_of_the_root() {
    let world = world();
    world.file("outside/plain.txt", "no path can tell\n");
    fs::hard_link(world.path().join("outside/plain.txt"), world.path().join("root/hard.txt")).unwrap();
    check_holds(&read(&world, "hard.txt"), "1:no path can tell");
}

#[test]
fn p10_links_of_the_process_lead_nowhere() {
    let world = world();
    link(&world, "/proc/self/root", "link_magic");
    link(&world, "/proc/self/cwd", "link_cwd");
    for address in ["link_magic/etc/hostname", "link_cwd/secret.txt", "link_cwd/root/inside.txt"] {
        check_outside(&world, address);
    }
    for address in ["/proc/self/root/etc/hostname", "/proc/self/cwd", "/dev/fd/3", "/proc/self/fd/0", "/dev/stdin"] {
        check_outside(&world, address);
    }
}

#[test]
fn p10_links_of_the_process_are_not_followed_where_proc_itself_is_the_root() {
    let world = world();
    for address in ["self/root/etc/hostname", "self/cwd/secret.txt", "self/exe", "/proc/self/root/etc/hostname"] {
        let mut command = world.command();
        command.args(["--root", "/proc", "read", address]);
        check(&Confined::default().run(&command), 4, "host.outside_root");
    }
}

#[test]
fn p11_a_nul_is_refused_and_never_cuts_a_path() {
    let world = world();
    let toolbox = Toolbox::for_directory(&world.path().join("root")).unwrap();
    for path in ["inside.txt\0", "inside.txt\0.png", "\0", "a\0/../inside.txt:1", "inside.txt:1\0"] {
        let input = serde_json::from_str(&json!({ "path": path }).to_string()).unwrap();
        let reply = toolbox.call("read", &input, &toolbox.budget());
        assert!(reply.text().starts_with("address.bad_path: "), "{path:?}: {}", reply.text());
    }
    let url = format!("file://{}/root/inside.txt%00.png", world.path().display());
    check(&read(&world, url), 2, "address.bad_path");
    check(&read(&world, "inside.txt\\x00"), 3, "source.not_found");
}

/// Names that want to break a listing.
fn strange_names() -> Vec<OsString> {
    let plain = [
        "new\nline.txt",
        "\x1b[31mred\x1b[0m.txt",
        "rtl\u{202E}txt.exe",
        "tag\u{E0041}.txt",
        "zero\u{200B}width",
        "c1\u{9B}31m",
        " leading",
        "trailing ",
        "tab\there",
        "back\\slash",
        "back\\x41slash",
        "mixed\\n\n",
        "quote'\"`",
        "[lines 1-2 of 3]",
        "… 3 more: read x",
        "pilcrow¶",
        "#0A1B",
        "a#0A1B",
        "¶x",
    ];
    let mut names: Vec<OsString> = plain.iter().map(OsString::from).collect();
    names.push("n".repeat(255).into());
    names.push(OsStr::from_bytes(b"bad\xff\xfeutf8.txt").to_owned());
    names
}

/// The names in a listing, as they are shown.
fn shown_names(listing: &Run) -> Vec<String> {
    let rows = listing.text();
    let rows = rows.lines().filter_map(|line| line.strip_prefix("- "));
    rows.filter_map(|row| Some(row.rsplitn(3, "  ").last()?.to_owned())).collect()
}

#[test]
fn p12_every_name_has_one_row_and_the_shown_name_opens_the_file() {
    let world = world();
    let names = strange_names();
    for (number, name) in names.iter().enumerate() {
        world.file(Path::new("root/names").join(name), format!("content {number}\n"));
    }
    let listing = read(&world, "names");
    assert_eq!(listing.text().lines().count(), names.len() + 1, "{}", listing.text());
    let loud = |letter: char| letter.is_control() && letter != '\n' || "\u{202E}\u{E0041}\u{200B}".contains(letter);
    assert!(!listing.text().contains(loud), "{}", listing.text().escape_debug());
    let mut found = Vec::new();
    for name in shown_names(&listing) {
        let run = read(&world, format!("names/{name}"));
        assert!(run.code == Some(0) && !run.text().contains("not found"), "{name:?}: {}{}", run.stderr, run.text());
        found.push(run.text().lines().nth(1).unwrap_or_default().to_owned());
    }
    found.sort();
    let mut wanted: Vec<String> = (0..names.len()).map(|number| format!("1:content {number}")).collect();
    wanted.sort();
    assert_eq!(found, wanted);
}

#[test]
fn p12_the_next_of_a_strange_name_can_be_followed() {
    let world = world();
    let text = (1..=9).map(|number| format!("line {number}\n")).collect::<Vec<_>>().concat();
    let mut lost = Vec::new();
    for name in strange_names() {
        world.file(Path::new("root").join(&name), &text);
        let mut command = world.command();
        command.args(["--root", "root", "read", "--max-lines", "5", "--"]).arg(&name);
        let shown = Confined::default().run(&command).text();
        let next = shown.trim_end().rsplit_once("next: read ").and_then(|(_, next)| next.strip_suffix(']'));
        let run = read(&world, next.unwrap_or_default());
        if !run.text().contains("6:line 6") {
            lost.push(format!("{name:?} → {next:?}: {}", run.stderr));
        }
    }
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}

#[test]
fn p13_a_name_that_is_not_utf8_is_shown_so_that_it_can_be_read() {
    let world = world();
    let name = OsStr::from_bytes(b"bad\xff\xfeutf8.txt");
    world.file(Path::new("root/odd").join(name), "odd bytes\n");
    check_holds(&read(&world, "odd"), "- bad\\xff\\xfeutf8.txt  ");
    check_holds(&read(&world, "odd/bad\\xff\\xfeutf8.txt"), "1:odd bytes");
    check_holds(&read(&world, Path::new("odd").join(name)), "1:odd bytes");
    let url = format!("file://{}/root/odd/bad%FF%FEutf8.txt:1", world.path().display());
    check_holds(&read(&world, url), "1:odd bytes");
}

#[test]
fn p13_a_name_that_spells_the_escape_of_another_is_told_from_it() {
    let world = world();
    let name = OsStr::from_bytes(b"bad\xff.txt");
    world.file(Path::new("root/odd").join(name), "odd bytes\n");
    world.file("root/odd/bad\\xff.txt", "plain letters\n");
    check_holds(&read(&world, Path::new("odd").join(name)), "1:odd bytes");
    let shown = shown_names(&read(&world, "odd"));
    assert!(shown.len() == 2 && shown[0] != shown[1], "two files, one name: {shown:?}");
    let texts: Vec<String> = shown.iter().map(|name| read(&world, format!("odd/{name}")).text()).collect();
    assert!(texts.iter().any(|text| text.contains("1:odd bytes")), "{texts:?}");
    assert!(texts.iter().any(|text| text.contains("1:plain letters")), "{texts:?}");
}

#[test]
fn p14_a_path_that_is_too_long_is_refused() {
    let world = world();
    check(&read(&world, "n".repeat(256)), 2, "host.bad_path");
    check(&read(&world, "a/".repeat(2_100)), 2, "host.bad_path");
    check(&read(&world, format!("a/{}:1-5", "n".repeat(100_000))), 2, "host.bad_path");
    let toolbox = Toolbox::for_directory(&world.path().join("root")).unwrap();
    for path in ["n".repeat(1 << 20), "a/".repeat(1 << 19), ":1".repeat(1 << 19), "../".repeat(1 << 18)] {
        let reply = toolbox.call("read", &json!({ "path": path }), &toolbox.budget());
        assert!(reply.text().starts_with("host.bad_path: ") && reply.text().len() < 1_000, "{:.200}", reply.text());
    }
}

#[test]
fn p14_a_path_with_colons_without_end_is_refused_at_once() {
    let world = world();
    let quick = Confined::default().seconds(5);
    let mut command = world.command();
    command.args(["--root", "root", "write", "--dry-run", "--"]).arg("q:/".repeat(20_000));
    check(&quick.run(&command), 7, "write.unfit");
    // The name of an entry may be longer than any path.
    let name = format!("{}.gz", ":".repeat(60_000));
    let archive = Archive::zip(&[ZipItem::stored(name, &Archive::gzip(b"inner\n"))]);
    world.file("root/a.zip", archive);
    let mut command = world.command();
    command.args(["--root", "root", "read", "a.zip:#1"]);
    check_holds(&quick.run(&command), "1:inner");
}
