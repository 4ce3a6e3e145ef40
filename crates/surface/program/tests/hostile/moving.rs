//! Files that change while they are read, and a system that fails: the later rows F of `docs/hostile.md`.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use readstone_testkit::{Confined, Fixture, Race, Run, World, can_inject_faults, tool};
use readstone_tools::Toolbox;
use serde_json::json;

/// Rounds of a race that are run with the program.
const ROUNDS: usize = 40;

fn world() -> World {
    World::new(env!("CARGO_BIN_EXE_readstone"))
}

/// Reads as if every file of more than 4 KB were a large one, which is not taken whole.
fn read_streaming(world: &World, address: &str) -> Run {
    let mut command = world.command();
    command.env("READSTONE_EDIT_BYTES", "4096").args(["read", address]);
    Confined::default().run(&command)
}

fn read_with(confined: &Confined, world: &World, address: impl AsRef<OsStr>) -> Run {
    let mut command = world.command();
    command.args(["--root", ".", "--ephemeral", "read", "--"]).arg(address);
    confined.run(&command)
}

fn check(run: &Run, exit: i32, code: &str) {
    let fits = run.code == Some(exit) && run.stderr.starts_with(&format!("{code}: ")) && run.stdout.is_empty();
    assert!(fits, "wanted {code} with {exit}, got {:?}\n{}\n{:.2000}", run.code, run.stderr, run.text());
}

/// Lines that say which they are.
fn lines(count: u64) -> String {
    (1..=count).map(|number| format!("this is line {number}\n")).collect::<Vec<_>>().concat()
}

/// Checks that every row shows its own line, or the beginning of it where the file was cut, or that the reply says
/// that the file changed.
fn check_rows(run: &Run) {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    if run.text().contains("the file changed while it was read") {
        return;
    }
    for row in run.text().lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit())) {
        let (number, text) = row.split_once(':').unwrap_or((row, ""));
        assert!(format!("this is line {number}").starts_with(text), "a foreign row: {row:?}");
    }
}

#[test]
fn f12_a_file_that_shrinks_while_it_is_read_kills_nothing() {
    let world = world();
    let text = lines(50_000);
    let path = world.file("f.log", &text);
    let race = Race::start(move |round| {
        if round % 2 == 0 {
            Fixture::cut(&path, 1_000 + round % 7_919);
        } else {
            let left = usize::try_from(fs::symlink_metadata(&path).unwrap().len()).unwrap();
            Fixture::append(&path, &text.as_bytes()[left..]);
        }
    });
    for _ in 0..ROUNDS {
        for address in
            ["f.log", "f.log:100-200", "f.log:40000-", "f.log:-5", "f.log:b500000+1000", "f.log:raw", "f.log:hex"]
        {
            let run = read_streaming(&world, address);
            if address.ends_with('g') || address.contains("00-") {
                check_rows(&run);
            }
            assert!(matches!(run.code, Some(0 | 6 | 7)), "{:?} {}", run.code, run.stderr);
        }
    }
    assert!(race.finish() > 10, "the race was never run");
}

#[test]
fn f13_a_file_that_grows_ends_where_it_ended_when_it_was_opened() {
    let world = world();
    let path = world.file("f.log", lines(3_000));
    let mut number = 3_000;
    let race = Race::start(move |round| {
        if round < 20_000 {
            number += 1;
            Fixture::append(&path, format!("this is line {number}\n").as_bytes());
        } else {
            std::thread::yield_now();
        }
    });
    for _ in 0..ROUNDS {
        for address in ["f.log", "f.log:2990-", "f.log:2000-2100", "f.log:-3"] {
            check_rows(&read_streaming(&world, address));
        }
    }
    assert!(race.finish() > 10, "the race was never run");
}

#[test]
fn f14_text_and_tag_come_from_one_version() {
    let world = world();
    let versions = [lines(400), lines(400).replace("this", "that")];
    let path = world.path().join("f.txt");
    let toolbox = Toolbox::for_directory(world.path()).unwrap();
    let read = || toolbox.call("read", &json!({ "path": "f.txt" }), &toolbox.budget()).text();
    let mut replies = Vec::new();
    for version in &versions {
        Fixture::replace(&path, version.as_bytes());
        replies.push(read());
    }
    assert!(replies[0] != replies[1] && replies[0].starts_with("¶f.txt#"), "{:?}", replies[0]);
    let race = Race::start(move |round| Fixture::replace(&path, versions[usize::from(round % 2 == 0)].as_bytes()));
    let mut seen = [0, 0];
    for _ in 0..1_000 {
        let reply = read();
        let which = replies.iter().position(|known| *known == reply);
        seen[which.unwrap_or_else(|| panic!("neither version: {reply:.300}"))] += 1;
    }
    for _ in 0..ROUNDS {
        let run = read_with(&Confined::default(), &world, "f.txt");
        assert!(replies.contains(&run.text()), "{:.300}", run.text());
    }
    assert!(race.finish() > 10 && seen[0] > 0 && seen[1] > 0, "the race was never run: {seen:?}");
}

#[test]
fn f15_a_file_that_is_unlinked_is_whole_or_missing() {
    let world = world();
    let text = lines(2_000);
    let path = world.file("f.txt", &text);
    let race = Race::start(move |round| match round % 2 {
        0 => fs::remove_file(&path).unwrap(),
        _ => Fixture::replace(&path, text.as_bytes()),
    });
    for _ in 0..ROUNDS {
        let run = read_streaming(&world, "f.txt:1990-");
        match run.code {
            Some(0) => assert!(run.text().contains("2000:this is line 2000"), "{}", run.text()),
            code => assert!(code == Some(3) && run.stderr.contains(".not_found: "), "{code:?} {}", run.stderr),
        }
    }
    assert!(race.finish() > 10, "the race was never run");
}

#[test]
fn f18_a_disk_that_fails_is_told_with_the_path() {
    if !can_inject_faults() {
        return;
    }
    let world = world();
    let small = world.file("small.txt", lines(10));
    let large = world.file("large.txt", lines(1_000_000));
    let broken = |inject: &str, path: &Path| Confined::default().fault(inject, Some(path));
    let run = read_with(&broken("read,pread64:error=EIO", &small), &world, "small.txt");
    check(&run, 7, "host.io");
    assert!(run.stderr.contains("small.txt") && run.stderr.contains("nput/output error"), "{}", run.stderr);
    for when in 1..=24 {
        let fault = format!("pread64:error=EIO:when={when}+");
        for address in
            ["large.txt", "large.txt:900000-900100", "large.txt:-5", "large.txt:b9000000+100", "large.txt:raw"]
        {
            let run = read_with(&broken(&fault, &large), &world, address);
            match run.code {
                Some(0) => {
                    let said = format!("{}{}", run.text(), run.stderr);
                    let whole = said.contains("next: read ") || said.contains("reading stopped at byte");
                    assert!(whole || address.contains('-'), "when={when} {address}: not marked: {said:.300}");
                }
                Some(_) => {
                    let named = run.stderr.contains("large.txt") && run.stderr.contains("nput/output error");
                    assert!(run.code == Some(7) && named, "when={when} {address}: {:?} {}", run.code, run.stderr);
                }
                None => panic!("{}", run.stderr),
            }
        }
    }
}

#[test]
fn f18_a_directory_that_cannot_be_listed_is_told_with_its_path() {
    if !can_inject_faults() {
        return;
    }
    let world = world();
    world.file("tree/sub/x.txt", "x\n");
    let confined = Confined::default();
    let run = read_with(&confined.clone().fault("getdents64:error=EIO", None), &world, "tree");
    check(&run, 7, "host.io");
    assert!(run.stderr.contains("'tree'"), "{}", run.stderr);
    let below = world.path().join("tree/sub");
    let run = read_with(&confined.fault("getdents64:error=EIO", Some(&below)), &world, "tree");
    assert!(run.code == Some(0) && run.text().contains("- sub/  (cannot be listed)"), "{}{}", run.text(), run.stderr);
}

#[test]
fn f18_a_reply_that_cannot_be_written_is_an_error() {
    let world = world();
    world.file("f.txt", lines(5));
    for address in ["f.txt", "f.txt:raw", ".", "--json f.txt"] {
        let mut shell = tool("sh");
        let script = format!("exec \"$0\" read {address} > /dev/full");
        shell.current_dir(world.path()).args(["-c", &script, env!("CARGO_BIN_EXE_readstone")]);
        assert_ne!(Confined::default().run(&shell).code, Some(0), "{address}");
    }
}

#[test]
fn f19_too_many_open_files_are_called_so_and_pass() {
    let world = world();
    let path = world.file("tree/f.txt", lines(5));
    for most in [20, 8] {
        let few = Confined::default().descriptors(most);
        assert!(read_with(&few, &world, "tree/f.txt").text().contains("5:this is line 5"));
        assert!(read_with(&few, &world, "tree").text().contains("- f.txt"));
        check(&read_with(&few, &world, "nothing-like-it"), 3, "source.not_found");
    }
    if can_inject_faults() {
        for error in ["EMFILE", "ENFILE"] {
            let fault = format!("openat,openat2:error={error}");
            let mut command = world.command();
            command.arg("read").arg(&path);
            check(&Confined::default().fault(&fault, Some(&path)).run(&command), 8, "host.busy");
            command.args(["--root", "."]);
            check(&Confined::default().fault("openat2:error=EMFILE", None).run(&command), 8, "host.busy");
        }
    }
    assert!(read_with(&Confined::default(), &world, "tree/f.txt").text().contains("5:this is line 5"));
}

#[test]
fn f21_many_reads_leave_no_descriptor_and_no_thread_behind() {
    let world = world();
    world.file("small.txt", lines(10));
    world.file("large.txt", lines(600_000));
    world.file("tree/sub/x.txt", "x\n");
    Fixture::fifo(&world.path().join("fifo"));
    let addresses =
        ["small.txt", "large.txt:590000-", "large.txt:-3", "tree", "fifo", "x.txt", "nothing-like-it", "../x"];
    let toolbox = Toolbox::for_directory(world.path()).unwrap();
    let read_all = || {
        for address in addresses {
            let reply = toolbox.call("read", &json!({ "path": address }), &toolbox.budget());
            assert!(!reply.text().is_empty());
        }
    };
    read_all();
    let ours = || {
        let links = fs::canonicalize("/proc/self/fd").and_then(|path| path.read_dir()).unwrap();
        let targets = links.filter_map(|link| fs::read_link(link.ok()?.path()).ok());
        targets.filter(|target| target.starts_with(world.path())).count()
    };
    let before = ours();
    for _ in 0..50 {
        read_all();
    }
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| (0..5).for_each(|_| read_all()));
        }
    });
    assert_eq!(ours(), before);
}

#[test]
fn reading_changes_nothing_on_disk() {
    let world = world();
    world.file("tree/a.txt", lines(5_000));
    world.file("tree/b.db", b"SQLite format 3\0 and no more");
    world.file("tree/.gitignore", "ignored\n");
    let before = Fixture::survey(world.path());
    for address in
        [".", "tree", "tree:all", "tree/a.txt", "tree/a.txt:-5", "tree/b.db", "tree/b.db:hex", "a.txt", "none"]
    {
        drop(read_streaming(&world, address));
    }
    assert_eq!(Fixture::survey(world.path()), before);
}
