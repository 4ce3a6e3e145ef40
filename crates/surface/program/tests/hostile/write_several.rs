//! Several files in one patch, and what changes leave in a directory: the rows W20 and W21 of `docs/hostile.md`.

use std::fs;
use std::path::{Path, PathBuf};

use readstone_testkit::{Confined, Fixture, Mounted, Run, Trace, World, can_be_nobody, can_inject_faults, tool, works};

fn world() -> World {
    World::new(env!("CARGO_BIN_EXE_readstone"))
}

fn check(run: &Run, exit: i32, code: &str) {
    let fits = run.code == Some(exit) && run.stderr.contains(&format!("{code}: "));
    assert!(fits, "wanted {code} with {exit}, got {:?}\n{}\n{:.2000}", run.code, run.stderr, run.text());
}

/// The files of a patch, in directories of their own.
const NAMES: [&str; 3] = ["a/f.txt", "b/f.txt", "c/f.txt"];
const OLD: &[u8] = b"one\ntwo\nthree\n";
const NEW: &[u8] = b"one\nTWO\nthree\n";

/// A world with a patch of three files.
fn three() -> (World, String) {
    let world = world();
    let section = |name: &str| {
        world.file(name, OLD);
        format!("¶{name}#{}\nreplace 2:\n+TWO\n", world.tag(name))
    };
    let patch = NAMES.map(section).concat();
    world.file("patch", &patch);
    (world, patch)
}

/// Checks that no file was changed, and that the answer says so of each of them.
fn check_nothing(world: &World, run: &Run, when: &str) {
    assert_ne!(run.code, Some(0), "{when}: {}", run.text());
    for name in NAMES.iter().filter(|name| world.path().join(name).is_file()) {
        let bytes = world.bytes(name);
        assert!(bytes != NEW, "{when}: {name} was changed");
    }
    let said = run.text() + &run.stderr;
    for name in NAMES {
        assert!(said.contains(name), "{when}: nothing is said of {name}: {said}");
    }
    assert!(world.waiting().is_empty(), "{when}: {:?}", world.waiting());
}

#[test]
fn w20_a_patch_whose_third_file_cannot_be_changed_changes_none() {
    let (world, patch) = three();
    let third = world.path().join("c/f.txt");
    fs::write(&third, "one\nother\nthree\n").unwrap();
    check_nothing(&world, &world.patch(&patch), "stale");
    fs::remove_file(&third).unwrap();
    check_nothing(&world, &world.patch(&patch), "gone");
    fs::create_dir(&third).unwrap();
    check_nothing(&world, &world.patch(&patch), "a directory");
    fs::remove_dir(&third).unwrap();
    Fixture::fifo(&third);
    check_nothing(&world, &world.patch(&patch), "a FIFO");
    fs::remove_file(&third).unwrap();
    world.file("c/f.txt", OLD);
    check_nothing(&world, &world.patch(&format!("{patch}delete 9\n")), "no such line");
    let run = world.patch(&patch);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(NAMES.iter().all(|name| world.bytes(name) == NEW));
    // One step back takes all of them back.
    assert_eq!(world.run(["undo"]).code, Some(0));
    assert!(NAMES.iter().all(|name| world.bytes(name) == OLD));
}

#[test]
fn w20_a_patch_whose_third_file_may_not_be_written_changes_none() {
    if !can_be_nobody() {
        return;
    }
    let (world, _) = three();
    let input = world.path().join("patch");
    let mut command = world.nobody(&["edit"]);
    for name in NAMES {
        drop(tool("chown").args(["-R", "65534:65534"]).arg(world.path().join(name).parent().unwrap()).status());
    }
    Fixture::mode(&world.path().join("c"), 0o555);
    let run = Confined::default().nobody().input(&input).run(&command);
    check(&run, 4, "host.read_only");
    check_nothing(&world, &run, "read-only");
    Fixture::mode(&world.path().join("c"), 0o755);
    let run = Confined::default().nobody().input(&input).run(command.arg("--json"));
    assert!(run.code == Some(0) && NAMES.iter().all(|name| world.bytes(name) == NEW), "{}", run.stderr);
}

#[test]
fn w20_whatever_fails_while_files_are_put_in_their_places_puts_all_back() {
    if !can_inject_faults() {
        return;
    }
    let (world, _) = three();
    let mut command = world.command();
    command.args(["edit", "patch"]);
    let mut failed = 0;
    for fault in
        ["renameat2:error=EIO", "renameat2:error=EXDEV", "fsync:error=EIO", "write:error=ENOSPC", "fchown:error=EPERM"]
    {
        for when in 1..20 {
            let fault = format!("{fault}:when={when}");
            let run = Confined::default().fault(&fault, None).run(&command);
            let new = NAMES.iter().filter(|name| world.bytes(name) == NEW).count();
            if new > 0 {
                assert_eq!(new, 3, "{fault}: a part of it was done: {} {}", run.text(), run.stderr);
                for name in NAMES {
                    world.file(name, OLD);
                }
                break;
            }
            check_nothing(&world, &run, &fault);
            failed += 1;
        }
    }
    assert!(failed >= 3 + 3 + 6 + 3, "{failed}");
}

#[test]
fn w20_a_patch_that_is_killed_leaves_every_file_whole() {
    if !can_inject_faults() {
        return;
    }
    let (world, _) = three();
    let mut command = world.command();
    command.args(["edit", "patch"]);
    let mut seen = [0; 4];
    let calls = ["renameat2", "fsync", "unlinkat", "write"];
    Confined::default().kill_each(&command, &calls, &mut |when, _| {
        let texts = NAMES.map(|name| world.bytes(name));
        assert!(texts.iter().all(|text| text == OLD || text == NEW), "{when}: {texts:?}");
        seen[texts.iter().filter(|text| *text == NEW).count()] += 1;
        for left in world.waiting() {
            let bytes = Fixture::bytes(&left);
            // Whoever was killed between two files left the old version of each beside it.
            assert!(OLD.starts_with(&bytes) || NEW.starts_with(&bytes), "{when}: {bytes:?}");
            fs::remove_file(left).unwrap();
        }
        for name in NAMES {
            world.file(name, OLD);
        }
    });
    assert!(seen[0] > 3 && seen[3] > 3, "{seen:?}");
}

/// A name of the form under which versions wait.
const LEFT: &str = ".readstone-0123456789abcdef.tmp";

#[test]
fn w21_what_waits_is_hidden_from_every_tool_and_cannot_be_written_by_name() {
    let world = world();
    world.file("dir/f.txt", "a needle\n");
    world.file(format!("dir/{LEFT}"), "a needle in what is left\n");
    for arguments in [
        &["read", "dir"][..],
        &["read", "dir:all"],
        &["find", "*"],
        &["find", "**/.readstone-*"],
        &["search", "needle"],
    ] {
        let run = world.run(arguments);
        let said = run.text() + &run.stderr;
        assert!(matches!(run.code, Some(0 | 1)), "{arguments:?}: {said}");
        assert!(!said.contains("0123456789abcdef") && !said.contains("what is left"), "{arguments:?}: {said}");
    }
    let run = world.write(&format!("dir/{LEFT}"), "x");
    check(&run, 2, "host.bad_path");
    let run = world.patch(&format!("¶dir/{LEFT}#0000\nreplace 1:\n+x\n"));
    assert_ne!(run.code, Some(0));
    assert_eq!(world.bytes(format!("dir/{LEFT}")), b"a needle in what is left\n");
}

#[test]
fn w21_names_are_made_by_chance_and_claimed_for_nobody_else() {
    let world = world();
    let path = world.file("f.txt", "one\ntwo\n");
    let mut names = Vec::new();
    for text in ["ONE", "TWO"] {
        let tag = world.tag("f.txt");
        world.file("patch", format!("¶f.txt#{tag}\nreplace 1:\n+{text}\n"));
        let mut command = world.command();
        let Some((trace, run)) = Trace::of(command.args(["edit", "patch"])) else { return };
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let made: Vec<&str> =
            trace.forbidden(&[".readstone-"]).into_iter().filter(|line| line.contains("O_CREAT")).collect();
        assert_eq!(made.len(), 1, "{made:?}");
        assert!(["O_EXCL", "O_NOFOLLOW", ", 0600"].iter().all(|word| made[0].contains(word)), "{made:?}");
        names.push(made[0].split('"').nth(1).unwrap().to_owned());
    }
    // The same seed, the same directory, the same time of day: another name all the same.
    assert_ne!(names[0], names[1]);
    assert!(path.exists() && world.waiting().is_empty());
}

/// A file system with files whose last change was long ago, which no call of the system can pretend.
fn aged(world: &World, names: &[(&str, bool)]) -> Option<Mounted> {
    let (seed, image, place) = (world.path().join("seed"), world.path().join("image"), world.path().join("disk"));
    fs::create_dir_all(&seed).unwrap_or_default();
    for (name, _) in names {
        world.file(Path::new("seed").join(name), "left\n");
    }
    fs::File::create(&image).and_then(|file| file.set_len(8 << 20)).ok()?;
    let (seed, text) = (seed.display().to_string(), image.display().to_string());
    if !works("mkfs.ext4", &["-q", "-F", "-O", "^has_journal", "-d", &seed, &text]) {
        return None;
    }
    for (name, _) in names.iter().filter(|(_, old)| *old) {
        let order = format!("set_inode_field /{name} ctime 20200101000000");
        if !works("debugfs", &["-w", "-R", &order, &text]) {
            return None;
        }
    }
    Mounted::image(&image, &place)
}

#[test]
fn w21_what_was_left_is_swept_after_an_hour_by_the_next_change_in_its_directory() {
    let world = world();
    let other = ".readstone-0123456789abcdee.tmp";
    let names = [("f.txt", true), (LEFT, true), (other, false), (".readstone-notes.tmp", true), ("x.tmp", true)];
    let Some(_mounted) = aged(&world, &names) else { return };
    // A link of such a name leads to something that is nobody's to remove.
    let precious = world.file("precious.txt", "precious\n");
    let link = world.path().join("disk/.readstone-0123456789abcdaa.tmp");
    Fixture::link(&precious, &link);
    let reading = world.read("disk/f.txt");
    assert!(reading.code == Some(0) && world.path().join("disk").join(LEFT).exists(), "reading sweeps nothing");
    let run = world.edit("disk/f.txt", "replace 1:\n+swept");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let there = |name: &str| world.path().join("disk").join(name).exists();
    assert!(!there(LEFT), "what is old is gone");
    assert!(there(other), "what is young may still be somebody's work");
    assert!(there(".readstone-notes.tmp") && there("x.tmp"), "what only looks like it is not ours");
    assert!(link.is_symlink() && Fixture::bytes(&precious) == b"precious\n");
    let left: Vec<PathBuf> = Fixture::waiting(&world.path().join("disk"));
    assert_eq!(left.len(), 2, "{left:?}");
}
