//! A system that fails while a file is changed: the rows W01 to W04 and W22 of `docs/hostile.md`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use readstone_testkit::{Confined, Fixture, Mounted, Run, World, can_be_nobody, can_inject_faults, tool};

/// Calls of the system between which the state of a file, of its directory or of the session can differ.
const CALLS: [&str; 19] = [
    "openat",
    "openat2",
    "mkdir",
    "mkdirat",
    "flock",
    "newfstatat",
    "getdents64",
    "fchown",
    "write",
    "pwrite64",
    "fsetxattr",
    "fchmod",
    "fsync",
    "fdatasync",
    "renameat2",
    "renameat",
    "linkat",
    "unlinkat",
    "ftruncate",
];

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

/// An edit of the second line of a file, as a command.
fn edit(world: &World, path: &str) -> Command {
    let tag = world.tag(path);
    world.file(".patch", format!("¶{path}#{tag}\nreplace 2:\n+THE SECOND\n"));
    let mut command = world.command();
    command.args(["edit", ".patch"]);
    command
}

fn edited(old: &str) -> String {
    old.replacen("this is line 2\n", "THE SECOND\n", 1)
}

/// A file that has all that a new version must be given.
fn furnished(world: &World, name: &str, text: &str) -> PathBuf {
    let path = world.file(name, text);
    Fixture::mode(&path, 0o751);
    drop(tool("chown").arg("65534:65534").arg(&path).status());
    Fixture::set_attribute(&path, "user.note", b"kept");
    path
}

/// Checks that a file is one of two texts, whole, with all that belongs to it, and tells whether it is the new one.
fn check_whole(path: &Path, [old, new]: [&str; 2], when: &str) -> bool {
    let bytes = Fixture::bytes(path);
    let is_new = bytes == new.as_bytes();
    assert!(is_new || bytes == old.as_bytes(), "{when}: neither version, {} bytes", bytes.len());
    is_new
}

/// What is left lies beside the file and is no business of the next edit; here it would only hide what comes next.
fn forget(left: &[PathBuf]) {
    for left in left {
        drop(fs::remove_file(left));
    }
}

#[test]
fn w01_an_edit_that_is_killed_before_any_call_of_the_system_leaves_the_old_or_the_new_file() {
    if !can_inject_faults() {
        return;
    }
    let world = world();
    let (old, new) = (lines(20_000), edited(&lines(20_000)));
    let path = furnished(&world, "dir/f.txt", &old);
    let facts = (Fixture::owned(&path), Fixture::attribute(&path, "user.note"));
    let command = edit(&world, "dir/f.txt");
    let (mut saw, mut most) = ([0, 0], 0);
    let killed = Confined::default().kill_each(&command, &CALLS, &mut |when, run| {
        let is_new = check_whole(&path, [&old, &new], when);
        assert_eq!((Fixture::owned(&path), Fixture::attribute(&path, "user.note")), facts, "{when}");
        let left = world.waiting();
        assert!(left.len() <= 1, "{when}: {left:?}");
        most = most.max(left.len());
        if let Some(run) = run {
            assert!(run.code == Some(0) && is_new && left.is_empty(), "{when}: {left:?} {}", run.stderr);
        } else {
            saw[usize::from(is_new)] += 1;
        }
        forget(&left);
        furnished(&world, "dir/f.txt", &old);
    });
    assert!(
        killed > 60 && saw[0] > 20 && saw[1] > 20 && most == 1,
        "{killed} killed, {saw:?} old and new, {most} left"
    );
    let names: Vec<PathBuf> = Fixture::survey(&world.path().join("dir")).into_iter().map(|(path, ..)| path).collect();
    assert_eq!(names, [world.path().join("dir"), path], "nothing but the file is left");
}

#[test]
fn w01_a_file_system_without_exchange_leaves_the_old_or_the_new_file_too() {
    if !can_inject_faults() {
        return;
    }
    let (old, new) = (lines(50), edited(&lines(50)));
    for faults in [&["renameat2:error=EINVAL"][..], &["renameat2:error=ENOSYS", "linkat:error=EPERM"]] {
        let world = world();
        let path = furnished(&world, "f.txt", &old);
        let command = edit(&world, "f.txt");
        let unknown = faults.iter().fold(Confined::default(), |confined, fault| confined.fault(fault, None));
        let mut both = [0, 0];
        let calls = ["write", "fsync", "renameat", "unlinkat", "fchmod", "newfstatat"];
        let killed = unknown.kill_each(&command, &calls, &mut |when, run| {
            let is_new = check_whole(&path, [&old, &new], when);
            both[usize::from(is_new)] += 1;
            let left = world.waiting();
            assert!(left.len() <= 2, "{when}: {left:?}");
            assert!(run.is_none_or(|run| run.code == Some(0) && is_new && left.is_empty()), "{when}: {left:?}");
            forget(&left);
            furnished(&world, "f.txt", &old);
        });
        assert!(killed > 20 && both[0] > 5 && both[1] > 5, "{killed} {both:?}");
    }
}

#[test]
fn w01_the_first_edit_after_a_kill_goes_through() {
    if !can_inject_faults() {
        return;
    }
    let world = world();
    let path = world.file("f.txt", lines(10));
    for (call, when) in [("write", 1), ("fsync", 1), ("renameat2", 1), ("fsync", 2), ("unlinkat", 1), ("pwrite64", 5)] {
        fs::write(&path, lines(10)).unwrap();
        let run = Confined::default().kill(&edit(&world, "f.txt"), call, when);
        assert!(run.is_none(), "{call} {when} was never made");
        fs::write(&path, lines(10)).unwrap();
        let run = world.edit("f.txt", "replace 2:\n+THE SECOND");
        assert_eq!(run.code, Some(0), "{call} {when}: {}", run.stderr);
        assert_eq!(world.bytes("f.txt"), edited(&lines(10)).into_bytes());
        assert_eq!(world.run(["undo", "f.txt"]).code, Some(0), "{call} {when}");
        assert_eq!(world.bytes("f.txt"), lines(10).into_bytes());
    }
}

#[test]
fn w01_a_new_file_that_is_killed_on_its_way_is_whole_or_not_there() {
    if !can_inject_faults() {
        return;
    }
    let world = world();
    let content = world.file(".content", lines(20_000));
    let mut command = world.command();
    command.args(["write", "a/b/new.txt"]);
    let path = world.path().join("a/b/new.txt");
    let mut both = [0, 0];
    let calls = ["mkdirat", "openat", "write", "fsync", "renameat2", "pwrite64"];
    Confined::default().input(&content).kill_each(&command, &calls, &mut |when, run| {
        let there = path.exists();
        both[usize::from(there)] += 1;
        assert!(run.is_none_or(|run| run.code == Some(0) && there), "{when}");
        assert!(!there || Fixture::bytes(&path) == Fixture::bytes(&content), "{when}: a part of it");
        assert!(world.waiting().len() <= 1, "{when}");
        drop(fs::remove_dir_all(world.path().join("a")));
    });
    assert!(both[0] > 5 && both[1] > 2, "{both:?}");
}

#[test]
fn w02_a_full_disk_leaves_the_old_file_and_nothing_else() {
    let world = world();
    let place = world.path().join("small");
    let Some(_mounted) = Mounted::memory(&place, "64k") else { return };
    let old = lines(2_000);
    world.file("small/f.txt", &old);
    check(&world.edit("small/f.txt", "replace 2:\n+THE SECOND"), 8, "host.no_space");
    check(&world.write("small/f.txt", lines(3_000)), 8, "host.no_space");
    check(&world.write("small/new/deep/g.txt", lines(3_000)), 8, "host.no_space");
    let names: Vec<PathBuf> = Fixture::survey(&place).into_iter().map(|(path, ..)| path).collect();
    assert_eq!(names, [place.clone(), place.join("f.txt")]);
    assert_eq!(world.bytes("small/f.txt"), old.as_bytes());
    assert_eq!(world.write("small/f.txt", lines(1_000)).code, Some(0), "there is room for this");
}

#[test]
fn w02_a_session_that_has_no_room_to_remember_loses_no_file() {
    let mut world = world();
    let home = world.path().join("home");
    let Some(_mounted) = Mounted::memory(&home, "512k") else { return };
    world.set("HOME", home.to_str().unwrap());
    world.set("XDG_STATE_HOME", home.to_str().unwrap());
    let old = lines(200);
    let path = world.file("f.txt", &old);
    let tag = world.tag("f.txt");
    // All the room that is left.
    let filled = tool("sh").args(["-c", "cat /dev/zero > filler 2> /dev/null"]).current_dir(&home).status().unwrap();
    assert!(!filled.success());
    let run = world.patch(&format!("¶f.txt#{tag}\nreplace 2:\n+THE SECOND\n"));
    let is_new = check_whole(&path, [&old, &edited(&old)], "no room for the session");
    assert_eq!(run.code == Some(0), is_new, "{:?} {}", run.code, run.stderr);
    assert!(world.waiting().is_empty());
}

#[test]
fn w02_no_space_at_any_write_is_told_and_leaves_the_old_file() {
    if !can_inject_faults() {
        return;
    }
    let mut world = world();
    // So that it is written in pieces, as a large one is.
    world.set("READSTONE_EDIT_BYTES", "4096");
    let old = lines(60_000);
    let path = furnished(&world, "dir/f.txt", &old);
    let command = edit(&world, "dir/f.txt");
    let directory = world.path().join("dir");
    let mut told = 0;
    let failures = ["ENOSPC", "EDQUOT", "EFBIG"].map(|error| format!("write:error={error}"));
    for fault in failures.iter().map(String::as_str).chain(["fsetxattr:error=ENOSPC", "fsync:error=ENOSPC"]) {
        for when in 1..20 {
            let fault = format!("{fault}:when={when}");
            let run = Confined::default().fault(&fault, None).run(&command);
            let is_new = check_whole(&path, [&old, &edited(&old)], &fault);
            assert!(world.waiting().is_empty(), "{fault}");
            if is_new {
                // From here on it is the reply that cannot be written, or the memory of the session.
                furnished(&world, "dir/f.txt", &old);
                break;
            }
            check(&run, 8, "host.no_space");
            told += 1;
        }
    }
    assert!(told > 9, "{told} faults were told");
    // No name can be made in the directory; what only looks into it may fail without harm.
    let told = (1..8).filter(|when| {
        furnished(&world, "dir/f.txt", &old);
        let fault = format!("openat:error=ENOSPC:when={when}");
        let run = Confined::default().fault(&fault, Some(&directory)).run(&command);
        let is_new = check_whole(&path, [&old, &edited(&old)], &fault);
        assert!(is_new == (run.code == Some(0)) && world.waiting().is_empty(), "{fault}: {}", run.stderr);
        run.stderr.starts_with("host.no_space: ")
    });
    assert!(told.count() > 0, "the temporary file was always made");
}

/// Runs a command with faults, of which the last is made at its first, second and every later call, until none comes any
/// more; after each run the file is old and the run failed, or it is new and the run succeeded.
fn each_fault(world: &World, (path, old): (&Path, &str), (always, fault): (&[&str], &str)) -> Vec<Run> {
    let command = edit(world, "f.txt");
    let mut failed = Vec::new();
    let confined = always.iter().fold(Confined::default(), |confined, fault| confined.fault(fault, None));
    for when in 1..40 {
        let fault = format!("{fault}:when={when}");
        let run = confined.clone().fault(&fault, None).run(&command);
        let is_new = check_whole(path, [old, &edited(old)], &fault);
        assert_eq!(run.code == Some(0), is_new, "{fault}: {:?} {}", run.code, run.stderr);
        assert!(world.waiting().is_empty(), "{fault}: {:?}", world.waiting());
        if is_new {
            furnished(world, "f.txt", old);
            return failed;
        }
        failed.push(run);
    }
    assert_eq!(failed.len(), 0, "{fault} never ends");
    failed
}

#[test]
fn w03_a_disk_that_fails_is_told_and_the_old_file_is_back() {
    if !can_inject_faults() {
        return;
    }
    let world = world();
    let old = lines(50);
    let path = furnished(&world, "f.txt", &old);
    let tried: [(&[&str], &str, usize); 8] = [
        // The file itself and its directory, before and after the exchange.
        (&[], "fsync:error=EIO", 2),
        (&["renameat2:error=EINVAL"], "fsync:error=EIO", 2),
        (&["renameat2:error=ENOSYS", "linkat:error=EPERM"], "fsync:error=EIO", 3),
        (&[], "renameat2:error=EXDEV", 1),
        (&[], "renameat2:error=EIO", 1),
        (&["renameat2:error=EINVAL"], "linkat:error=EIO", 1),
        (&["renameat2:error=EINVAL"], "renameat:error=EXDEV", 1),
        (&[], "fchmod:error=EIO", 1),
    ];
    for (always, fault, failures) in tried {
        let failed = each_fault(&world, (&path, &old), (always, fault));
        assert_eq!(failed.len(), failures, "{always:?} {fault}");
        for run in failed {
            let named = run.stderr.starts_with("host.") && run.stderr.contains("f.txt");
            assert!(named && run.stdout.is_empty(), "{always:?} {fault}: {} {}", run.stderr, run.text());
        }
    }
}

#[test]
fn w03_what_cannot_be_put_back_is_kept_and_its_name_is_told() {
    if !can_inject_faults() {
        return;
    }
    let old = lines(50);
    // The renaming that puts it back fails, or that one and the renaming to a name that nobody sweeps.
    for (when, ending) in [("2", ".kept"), ("2+", ".tmp")] {
        let world = world();
        let path = world.file("dir/f.txt", &old);
        let directory = world.path().join("dir");
        let fails = Confined::default().fault("fsync:error=EIO", Some(&directory));
        let fails = fails.fault(&format!("renameat2:error=EIO:when={when}"), Some(&directory));
        let run = fails.run(&edit(&world, "dir/f.txt"));
        check(&run, 7, "host.not_put_back");
        let all = Fixture::survey(&directory).into_iter().map(|(path, ..)| path);
        let left: Vec<PathBuf> = all.filter(|found| *found != directory && *found != path).collect();
        assert!(left.len() == 1 && left[0].to_string_lossy().ends_with(ending), "{left:?}");
        assert!(run.stderr.contains(left[0].file_name().unwrap().to_str().unwrap()), "{}", run.stderr);
        assert_eq!(Fixture::bytes(&left[0]), old.as_bytes());
        assert_eq!(Fixture::bytes(&path), edited(&old).as_bytes());
    }
}

#[test]
fn w04_what_is_read_only_stays_as_it_is() {
    if !can_be_nobody() {
        return;
    }
    let world = world();
    world.nobody(&[]);
    let old = lines(10);
    for (name, mode) in [("open/readonly.txt", 0o444), ("ro_dir/f.txt", 0o666), ("closed/f.txt", 0o666)] {
        Fixture::mode(&world.file(name, &old), mode);
    }
    for (name, mode) in [("open", 0o777), ("ro_dir", 0o555), ("closed", 0o777)] {
        Fixture::mode(&world.path().join(name), mode);
    }
    let mounted = Mounted::read_only(&world.path().join("closed"), &world.path().join("mounted"));
    let content = world.file("content", "other\n");
    let (tag, before) = (world.tag("ro_dir/f.txt"), Fixture::survey(world.path()));
    let nobody = Confined::default().nobody();
    for name in ["open/readonly.txt", "ro_dir/f.txt", "mounted/f.txt"] {
        if name.starts_with("mounted") && mounted.is_none() {
            continue;
        }
        fs::write(world.path().join("content"), format!("¶{name}#{tag}\nreplace 2:\n+THE SECOND\n")).unwrap();
        check(&nobody.run(&world.nobody(&["edit", "content"])), 4, "host.read_only");
        check(&nobody.clone().input(&content).run(&world.nobody(&["write", name])), 4, "host.read_only");
    }
    check(&nobody.clone().input(&content).run(&world.nobody(&["write", "ro_dir/new.txt"])), 4, "host.read_only");
    check(&nobody.clone().input(&content).run(&world.nobody(&["write", "ro_dir/sub/new.txt"])), 4, "host.read_only");
    if mounted.is_some() {
        // Not even who may do everything changes what is mounted so.
        check(&world.patch(&format!("¶mounted/f.txt#{tag}\nreplace 2:\n+THE SECOND\n")), 4, "host.read_only");
        check(&world.write("mounted/f.txt", "other\n"), 4, "host.read_only");
        check(&world.write("mounted/new.txt", "other\n"), 4, "host.read_only");
    }
    fs::write(&content, "other\n").unwrap();
    let without = |survey: Vec<(PathBuf, u64, _, Vec<u8>)>| {
        survey.into_iter().filter(|(path, ..)| !path.ends_with("content")).collect::<Vec<_>>()
    };
    assert_eq!(without(Fixture::survey(world.path())), without(before));
    assert_eq!(Fixture::owned(&world.path().join("open/readonly.txt")).0, 0o444);
    assert_eq!(Fixture::owned(&world.path().join("ro_dir")).0, 0o555);
}

#[test]
fn w22_a_limit_for_the_size_of_files_is_no_space_and_no_crash() {
    let world = world();
    let old = lines(2_000);
    let path = world.file("f.txt", &old);
    let command = edit(&world, "f.txt");
    for blocks in [10, 1, 0] {
        check(&Confined::default().file_blocks(blocks).run(&command), 8, "host.no_space");
        assert!(!check_whole(&path, [&old, &edited(&old)], "a limit") && world.waiting().is_empty());
    }
    let content = world.file(".content", &old);
    let mut write = world.command();
    write.args(["write", "new/g.txt"]);
    check(&Confined::default().file_blocks(10).input(&content).run(&write), 8, "host.no_space");
    assert!(!world.path().join("new").exists());
}
