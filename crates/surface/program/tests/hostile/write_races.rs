//! Changes at the same time: the rows W09 to W11 and W19 of `docs/hostile.md`.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use readstone_testkit::{Fixture, Mounted, Run, Served, World, can_inject_faults, tool};
use serde_json::json;

fn world() -> World {
    World::new(env!("CARGO_BIN_EXE_readstone"))
}

fn check(run: &Run, exit: i32, code: &str) {
    let fits = run.code == Some(exit) && run.stderr.starts_with(&format!("{code}: "));
    assert!(fits, "wanted {code} with {exit}, got {:?}\n{}\n{:.2000}", run.code, run.stderr, run.text());
}

/// Lines that say which they are.
fn lines(count: u64) -> String {
    (1..=count).map(|number| format!("this is line {number}\n")).collect::<Vec<_>>().concat()
}

/// What became of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Landed,
    /// The file was another one, or others were at work on it for too long.
    Lost,
}

/// Somebody who edits: a server, or a command line for each edit.
#[derive(Clone, Copy)]
enum Hand<'a> {
    Server(&'a Served),
    CommandLine(&'a World),
}

impl Hand<'_> {
    /// What a tool says, and whether it did it.
    fn call(self, tool: &str, input: &serde_json::Value) -> (bool, String) {
        match self {
            Self::Server(server) => {
                let answer = server.call(tool, input);
                (answer.status == 200, answer.text())
            }
            Self::CommandLine(world) => {
                let run = match tool {
                    "read" => world.read(input["path"].as_str().unwrap_or_default()),
                    _ => world.patch(input["input"].as_str().unwrap_or_default()),
                };
                (run.code == Some(0), run.text() + &run.stderr)
            }
        }
    }

    fn edit(self, patch: &str) -> Fate {
        let (done, said) = self.call("edit", &json!({ "input": patch }));
        let told = ["edit.stale", "host.locked", "host.changed"].iter().any(|code| said.contains(code));
        assert!(done != told, "{patch}\n{said}");
        if done { Fate::Landed } else { Fate::Lost }
    }

    /// The tag of a file, and the number on the line that begins with this word.
    fn look(self, path: &str, word: &str) -> (String, u64, u64) {
        let (_, said) = self.call("read", &json!({ "path": path }));
        let said = if said.starts_with('{') {
            let reply: serde_json::Value = serde_json::from_str(&said).unwrap_or_default();
            reply["parts"][0]["text"].as_str().unwrap_or_default().to_owned()
        } else {
            said
        };
        let tag = said.lines().next().and_then(|line| line.rsplit_once('#')).map(|(_, tag)| tag.to_owned());
        let row = said.lines().find_map(|line| {
            let (line, text) = line.split_once(':')?;
            Some((line.parse().ok()?, text.strip_prefix(word)?.trim().parse().ok()?))
        });
        let (line, value) = row.unwrap_or_default();
        assert!(tag.is_some() && line > 0, "no {word} in {said}");
        (tag.unwrap_or_default(), line, value)
    }

    /// Adds one to the number on a line, as somebody who looks at it before.
    fn count(self, path: &str, word: &str) -> Fate {
        let (tag, line, value) = self.look(path, word);
        self.edit(&format!("¶{path}#{tag}\nreplace {line}:\n+{word} {}\n", value + 1))
    }
}

#[test]
fn w09_an_edit_of_what_somebody_else_changed_is_refused_with_what_is_there() {
    let world = world();
    let path = world.file("f.txt", lines(30));
    let tag = world.tag("f.txt");
    let mine = format!("¶f.txt#{tag}\nreplace 10:\n+MINE\n");
    // Changed in its line, in place and with the time of before: the hash decides.
    let time = path.symlink_metadata().unwrap().modified().unwrap();
    let theirs = lines(30).replace("line 10\n", "line Xa\n");
    fs::write(&path, &theirs).unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    let run = world.patch(&mine);
    check(&run, 6, "edit.stale");
    let fresh = world.tag("f.txt");
    assert!(
        run.stderr.contains(&format!("¶f.txt#{fresh}")) && run.stderr.contains("*10:this is line Xa"),
        "{}",
        run.stderr
    );
    assert_eq!(Fixture::bytes(&path), theirs.as_bytes());
    // Moved by lines above it: it is certain which line is meant.
    fs::write(&path, format!("new\nnew\n{}", lines(30))).unwrap();
    let run = world.patch(&mine);
    assert!(run.code == Some(0) && run.text().contains("Warnings:"), "{}{}", run.text(), run.stderr);
    assert_eq!(
        Fixture::bytes(&path),
        format!("new\nnew\n{}", lines(30).replace("this is line 10\n", "MINE\n")).as_bytes()
    );
    // Doubled: it is not.
    fs::write(&path, lines(30).repeat(2)).unwrap();
    check(&world.patch(&mine), 6, "edit.stale");
    assert_eq!(Fixture::bytes(&path), lines(30).repeat(2).as_bytes());
    // Gone, and another file in its place.
    fs::remove_file(&path).unwrap();
    check(&world.patch(&mine), 3, "host.not_found");
    fs::write(&path, "another\n").unwrap();
    check(&world.patch(&mine), 6, "edit.stale");
    assert_eq!(Fixture::bytes(&path), b"another\n");
}

/// Edits from many hands at once, each of its own line; those that landed are there, and those that lost are not.
fn check_disjoint(world: &World, hands: &[Hand<'_>], step: usize) -> usize {
    let tag = world.tag("f.txt");
    let fates: Vec<(usize, Fate)> = std::thread::scope(|scope| {
        let all = hands.iter().enumerate().map(|(index, hand)| {
            let patch = format!("¶f.txt#{tag}\nreplace {}:\n+by {index}\n", index * step + 1);
            scope.spawn(move || (index, hand.edit(&patch)))
        });
        let all: Vec<_> = all.collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let now = String::from_utf8(world.bytes("f.txt")).unwrap();
    let mut wanted: Vec<String> = lines(300).lines().map(str::to_owned).collect();
    for (index, _) in fates.iter().filter(|(_, fate)| *fate == Fate::Landed) {
        wanted[index * step] = format!("by {index}");
    }
    assert_eq!(now, wanted.join("\n") + "\n");
    fates.iter().filter(|(_, fate)| *fate == Fate::Landed).count()
}

#[test]
fn w10_many_edits_at_once_all_land_or_lose() {
    let world = world();
    let server = Served::start(&world, ["--root", "."]);
    for hands in [2, 10, 50] {
        for step in [5, 1] {
            world.file("f.txt", lines(300));
            let landed = check_disjoint(&world, &vec![Hand::Server(&server); hands], step);
            assert!(landed > 0, "{hands} hands, {step} apart");
        }
        // All of one line: one lands.
        world.file("f.txt", lines(300));
        assert_eq!(check_disjoint_line(&world, &vec![Hand::Server(&server); hands]), 1);
    }
    world.file("f.txt", lines(300));
    assert!(check_disjoint(&world, &[Hand::CommandLine(&world); 12], 5) > 0);
    world.file("f.txt", lines(300));
    assert_eq!(check_disjoint_line(&world, &[Hand::CommandLine(&world); 12]), 1);
    assert!(world.waiting().is_empty());
}

/// The same, of one line.
fn check_disjoint_line(world: &World, hands: &[Hand<'_>]) -> usize {
    let tag = world.tag("f.txt");
    let landed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for (index, hand) in hands.iter().enumerate() {
            let (tag, landed) = (&tag, &landed);
            scope.spawn(move || {
                if hand.edit(&format!("¶f.txt#{tag}\nreplace 7:\n+by {index}\n")) == Fate::Landed {
                    landed.lock().unwrap().push(index);
                }
            });
        }
    });
    let landed = landed.into_inner().unwrap();
    let wanted = lines(300).replace("this is line 7\n", &format!("by {}\n", landed[0]));
    assert_eq!(world.bytes("f.txt"), wanted.as_bytes());
    landed.len()
}

/// Rounds of a race between processes: a part of them, or as many as `READSTONE_ROUNDS` says.
#[expect(clippy::disallowed_methods, reason = "whoever runs the test says how long")]
fn rounds(usual: usize) -> usize {
    std::env::var("READSTONE_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(usual)
}

#[test]
fn w11_two_processes_that_edit_one_file_lose_nothing() {
    let world = world();
    world.file("f.txt", format!("shared: 0\n{0}one: 0\n{0}two: 0\n{0}line: 0\n", lines(20)));
    let servers = [Served::start(&world, ["--root", "."]), Served::start(&world, ["--root", "."])];
    let hands = [
        ("one:", Hand::Server(&servers[0])),
        ("two:", Hand::Server(&servers[1])),
        ("line:", Hand::CommandLine(&world)),
    ];
    let (done, most) = (AtomicUsize::new(0), rounds(1_500));
    let landed: Mutex<BTreeMap<&str, u64>> = Mutex::new(BTreeMap::new());
    let work = |own: &'static str, hand: Hand<'_>| {
        // Each counts on a line of its own, which nobody else touches, and on one that all share.
        let words = [own, "shared:"].into_iter().cycle();
        for word in words.take_while(|_| done.fetch_add(1, Ordering::Relaxed) < most) {
            if hand.count("f.txt", word) == Fate::Landed {
                *landed.lock().unwrap().entry(word).or_default() += 1;
            }
        }
    };
    std::thread::scope(|scope| {
        for (own, hand) in hands {
            let work = &work;
            scope.spawn(move || work(own, hand));
        }
    });
    let landed = landed.into_inner().unwrap();
    let value = |word: &str| landed.get(word).copied().unwrap_or_default();
    let wanted = ["shared:", "one:", "two:", "line:"].map(|word| format!("{word} {}\n", value(word)));
    assert_eq!(String::from_utf8(world.bytes("f.txt")).unwrap(), wanted.join(&lines(20)));
    assert!(landed.values().sum::<u64>() > most as u64 / 10 && landed.len() == 4, "{landed:?} of {most}");
    assert!(world.waiting().is_empty());
}

/// How an editor saves.
#[derive(Clone, Copy, Debug)]
enum Save {
    Renamed,
    InPlace,
}

impl Save {
    fn all(self, path: &Path, text: &str) {
        match self {
            Self::Renamed => Fixture::replace(path, text.as_bytes()),
            Self::InPlace => {
                let file = fs::File::options().write(true).open(path);
                file.and_then(|file| file.write_all_at(text.as_bytes(), 0)).unwrap_or_default();
            }
        }
    }
}

#[test]
fn w11_what_an_editor_saves_between_the_check_and_the_swap_is_there_afterwards() {
    if !can_inject_faults() {
        return;
    }
    let delays = [
        "renameat2:delay_enter=400000:when=1",
        "renameat2:delay_exit=400000:when=1",
        "fsync:delay_enter=400000:when=2",
    ];
    for (delay, save) in delays.into_iter().flat_map(|delay| [(delay, Save::Renamed), (delay, Save::InPlace)]) {
        let world = world();
        let path = world.file("f.txt", lines(30));
        let tag = world.tag("f.txt");
        world.file("patch", format!("¶f.txt#{tag}\nreplace 2:\n+this is MINE 2\n"));
        let mut strace = tool("strace");
        strace.args([
            "-f",
            "-qq",
            "-o",
            "/dev/null",
            "-e",
            &format!("inject={delay}"),
            env!("CARGO_BIN_EXE_readstone"),
        ]);
        let command = world.command();
        strace.args(["edit", "patch"]).current_dir(world.path());
        strace.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let edit = std::thread::spawn(move || Run::of(&mut strace));
        // The new version waits beside the file, or has taken its place.
        while world.waiting().is_empty() && !edit.is_finished() {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(50));
        let theirs =
            String::from_utf8(Fixture::bytes(&path)).unwrap().replace("this is line 20\n", "this is ED 20!!\n");
        save.all(&path, &theirs);
        let run = edit.join().unwrap();
        let now = String::from_utf8(Fixture::bytes(&path)).unwrap();
        let said = format!("{delay} {save:?}: {:?} {}\n{now}", run.code, run.stderr);
        assert!(now.contains("this is ED 20!!\n"), "a save is lost: {said}");
        assert_eq!(now.lines().count(), 30, "{said}");
        assert!(run.code == Some(0) || run.code == Some(6) || run.stderr.starts_with("host.not_put_back"), "{said}");
        assert!(world.waiting().is_empty() || run.stderr.contains("not_put_back"), "{said}");
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "what is measured must be told")]
fn w11_an_editor_that_saves_by_renaming_loses_nothing_and_one_that_writes_in_place_what_the_window_lets_it() {
    for save in [Save::Renamed, Save::InPlace] {
        let world = world();
        let path = world.file("f.txt", format!("count: 100000\n{}editor 00000\n", lines(20)));
        let server = Served::start(&world, ["--root", "."]);
        let (most, mut lost) = (rounds(300), 0);
        for round in 1..=most {
            let hand = Hand::Server(&server);
            let mine = format!("editor {round:05}\n");
            std::thread::scope(|scope| {
                let edit = scope.spawn(|| hand.count("f.txt", "count:"));
                let now = String::from_utf8(Fixture::bytes(&path)).unwrap();
                let theirs = now.lines().take(21).map(|line| format!("{line}\n")).collect::<Vec<_>>().concat() + &mine;
                std::thread::sleep(Duration::from_micros(round as u64 * 61 % 12_000));
                save.all(&path, &theirs);
                edit.join().unwrap();
            });
            let now = String::from_utf8(Fixture::bytes(&path)).unwrap();
            assert_eq!(now.lines().count(), 22, "{save:?} {round}: not whole: {now}");
            lost += usize::from(!now.ends_with(&mine));
        }
        eprintln!("{save:?}: {lost} of {most} saves lost");
        assert!(lost == 0 || matches!(save, Save::InPlace), "{lost} of {most} saves are lost");
    }
}

#[test]
fn w19_one_file_by_many_names_is_one_file() {
    let world = world();
    world.file("sub/f.txt", format!("shared: 0\n{}", lines(10)));
    Fixture::link("sub/f.txt", &world.path().join("link.txt"));
    Fixture::link("sub", &world.path().join("way"));
    let mounted = Mounted::again(&world.path().join("sub"), &world.path().join("bound"));
    let server = Served::start(&world, ["--root", "."]);
    let absolute = world.path().join("sub/f.txt").display().to_string();
    let mut names = vec!["sub/f.txt", "./sub/f.txt", "sub/../sub/f.txt", "link.txt", "way/f.txt", &absolute];
    if mounted.is_some() {
        names.push("bound/f.txt");
    }
    let landed = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for (index, name) in names.iter().enumerate() {
            let (world, landed) = (&world, &landed);
            let hand = if index % 3 == 2 { Hand::CommandLine(world) } else { Hand::Server(&server) };
            scope.spawn(move || {
                for _ in 0..12 {
                    landed.fetch_add(usize::from(hand.count(name, "shared:") == Fate::Landed), Ordering::Relaxed);
                }
            });
        }
    });
    let landed = landed.into_inner();
    assert_eq!(String::from_utf8(world.bytes("sub/f.txt")).unwrap(), format!("shared: {landed}\n{}", lines(10)));
    assert!(landed > 0 && world.path().join("link.txt").is_symlink() && world.waiting().is_empty(), "{landed}");
    // One patch cannot mean one file twice, whatever it calls it.
    let tag = world.tag("sub/f.txt");
    let before = world.bytes("sub/f.txt");
    for name in names.iter().skip(1) {
        let patch = format!("¶sub/f.txt#{tag}\nreplace 1:\n+ours\n¶{name}#{tag}\nreplace 3:\n+ours\n");
        let run = world.patch(&patch);
        assert!(run.code != Some(0) && world.bytes("sub/f.txt") == before, "{name}: {}{}", run.text(), run.stderr);
    }
}
