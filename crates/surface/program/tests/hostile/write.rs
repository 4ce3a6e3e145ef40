//! What a change keeps, what it refuses and what it never does: the rows W05 to W08, W17, W18, W24, W25 and P09 of
//! `docs/hostile.md`.

use std::fs;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::os::unix::net::UnixListener;
use std::path::Path;

use readstone_base::Tag;
use readstone_testkit::{Confined, Fixture, Run, Served, World, can_be_nobody, can_inject_faults, tool};
use serde_json::json;

/// The access rules of a file, beyond its permissions.
const RULES: &str = "system.posix_acl_access";

fn world() -> World {
    World::new(env!("CARGO_BIN_EXE_readstone"))
}

fn check(run: &Run, exit: i32, code: &str) {
    let fits = run.code == Some(exit) && run.stderr.starts_with(&format!("{code}: "));
    assert!(fits, "wanted {code} with {exit}, got {:?}\n{}\n{:.2000}", run.code, run.stderr, run.text());
}

fn check_done(run: &Run) {
    assert_eq!(run.code, Some(0), "{:.2000}\n{}", run.text(), run.stderr);
}

/// Access rules as the system keeps them: one user beside the owner may read.
fn rules() -> Vec<u8> {
    let entry =
        |tag: u16, may: u16, who: u32| [tag.to_le_bytes().as_slice(), &may.to_le_bytes(), &who.to_le_bytes()].concat();
    let all = u32::MAX;
    let entries = [(0x01, 6, all), (0x02, 4, 65_533), (0x04, 4, all), (0x10, 4, all), (0x20, 0, all)];
    let entries = entries.map(|(tag, may, who)| entry(tag, may, who));
    [2_u32.to_le_bytes().to_vec(), entries.concat()].concat()
}

#[test]
fn w05_mode_owner_attributes_and_rules_are_kept() {
    let world = world();
    for (name, mode) in [
        ("script.sh", 0o755),
        ("private.key", 0o600),
        ("setgid.txt", 0o2755),
        ("setuid.txt", 0o4711),
        ("all.txt", 0o666),
    ] {
        let path = world.file(name, "#!/bin/sh\nexit 1\n");
        drop(tool("chown").arg("65534:65533").arg(&path).status());
        Fixture::mode(&path, mode);
        let noted = Fixture::set_attribute(&path, "user.note", b"kept \x00 exactly");
        // The rules stand for the permissions of the group, so they come last.
        let ruled = name == "all.txt" && Fixture::set_attribute(&path, RULES, &rules());
        let look = || (Fixture::owned(&path), Fixture::attribute(&path, "user.note"), Fixture::attribute(&path, RULES));
        let before = look();
        assert!(noted && before.1.is_some() && ruled == before.2.is_some(), "{name}: {before:?}");
        check_done(&world.edit(name, "replace 2:\n+exit 0"));
        assert_eq!((world.bytes(name), look()), (b"#!/bin/sh\nexit 0\n".to_vec(), before.clone()), "{name}");
        check_done(&world.write(name, "#!/bin/sh\nexit 2\n"));
        assert_eq!((world.bytes(name), look()), (b"#!/bin/sh\nexit 2\n".to_vec(), before.clone()), "{name}");
        let undone = world.run(["undo", name]);
        // What stood in a secret is not kept, so it does not come back.
        let text = if name == "private.key" { "#!/bin/sh\nexit 2\n" } else { "#!/bin/sh\nexit 0\n" };
        assert_eq!(undone.code == Some(0), name != "private.key", "{name}: {}", undone.stderr);
        assert_eq!((world.bytes(name), look()), (text.as_bytes().to_vec(), before), "{name}");
    }
}

#[test]
fn w05_what_waits_is_never_open_to_more_than_the_file() {
    if !can_inject_faults() {
        return;
    }
    let world = world();
    let path = world.file("f.txt", "one\ntwo\n");
    let tag = world.tag("f.txt");
    world.file("patch", format!("¶f.txt#{tag}\nreplace 2:\n+TWO\n"));
    let mut command = world.command();
    command.args(["edit", "patch"]);
    for mode in [0o600, 0o640, 0o400, 0o4755] {
        let mut seen = 0;
        for call in ["write", "fsetxattr", "fchmod", "fsync", "renameat2"] {
            world.file("f.txt", "one\ntwo\n");
            Fixture::mode(&path, mode);
            Fixture::set_attribute(&path, "user.note", b"kept");
            drop(Confined::default().umask("000").kill(&command, call, 1));
            for left in world.waiting() {
                let (is, ..) = Fixture::owned(&left);
                assert!(is & !mode & !0o200 == 0, "{call}: {is:o} for a file of {mode:o}");
                fs::remove_file(left).unwrap();
                seen += 1;
            }
        }
        // One that has its permissions from the start needs no call for them.
        assert!(seen >= if mode == 0o600 { 4 } else { 5 }, "{mode:o}: {seen}");
    }
}

#[test]
fn w05_a_file_of_somebody_else_is_not_taken_from_them() {
    if !can_be_nobody() {
        return;
    }
    let world = world();
    let path = world.file("open/f.txt", "one\ntwo\n");
    Fixture::mode(&world.path().join("open"), 0o777);
    Fixture::mode(&path, 0o666);
    let tag = world.tag("open/f.txt");
    let input = world.file("patch", format!("¶open/f.txt#{tag}\nreplace 2:\n+TWO\n"));
    let run = Confined::default().nobody().input(&input).run(&world.nobody(&["edit"]));
    check(&run, 4, "host.owner");
    assert_eq!((world.bytes("open/f.txt"), Fixture::owned(&path)), (b"one\ntwo\n".to_vec(), (0o666, 0, 0)));
    assert!(world.waiting().is_empty());
}

#[test]
fn w06_a_link_stays_and_its_target_changes() {
    let world = world();
    let target = world.file("root/real/target.txt", "one\ntwo\n");
    let [link, chain, out] = ["link.txt", "chain.txt", "out.txt"].map(|name| world.path().join("root").join(name));
    let outside = world.file("outside.txt", "one\ntwo\n");
    Fixture::link("real/target.txt", &link);
    Fixture::link("link.txt", &chain);
    Fixture::link(&outside, &out);
    let below = |arguments: &[&str], input: &str| {
        let all: Vec<&str> = ["--root", "root"].iter().chain(arguments).copied().collect();
        world.run_with_input(all, input.as_bytes())
    };
    check_done(&world.edit("root/link.txt", "replace 2:\n+TWO"));
    check_done(&world.edit("root/chain.txt", "replace 1:\n+ONE"));
    assert_eq!(Fixture::bytes(&target), b"ONE\nTWO\n");
    check_done(&below(&["write", "chain.txt"], "all\n"));
    assert_eq!(Fixture::bytes(&target), b"all\n");
    assert_eq!(fs::read_link(&link).unwrap(), Path::new("real/target.txt"));
    assert_eq!(fs::read_link(&chain).unwrap(), Path::new("link.txt"));
    let tag = world.tag("outside.txt");
    check(&below(&["edit"], &format!("¶out.txt#{tag}\nreplace 2:\n+TWO\n")), 4, "host.outside_root");
    check(&below(&["write", "out.txt"], "all\n"), 4, "host.outside_root");
    assert_eq!(Fixture::bytes(&outside), b"one\ntwo\n");
    // A link that leads nowhere makes no file at its end.
    Fixture::link("real/nothing.txt", &link);
    assert_ne!(below(&["write", "link.txt"], "all\n").code, Some(0));
    assert!(link.is_symlink() && !world.path().join("root/real/nothing.txt").exists());
}

#[test]
fn w07_the_other_names_of_a_file_keep_the_old_text_and_that_is_told() {
    let world = world();
    for change in ["edit", "write"] {
        let (one, other) = (world.file("hard_a", "one\ntwo\n"), world.path().join(format!("hard_b_{change}")));
        fs::hard_link(&one, &other).unwrap();
        let before = other.symlink_metadata().unwrap().ino();
        let run = match change {
            "edit" => world.edit("hard_a", "replace 2:\n+TWO"),
            _ => world.write("hard_a", "one\nTWO\n"),
        };
        check_done(&run);
        assert!(run.text().contains("1 other name"), "{}", run.text());
        assert_eq!((Fixture::bytes(&one), Fixture::bytes(&other)), (b"one\nTWO\n".to_vec(), b"one\ntwo\n".to_vec()));
        assert_eq!(other.symlink_metadata().unwrap().ino(), before);
        assert_ne!(one.symlink_metadata().unwrap().ino(), before);
        fs::remove_file(one).unwrap();
    }
}

#[test]
fn p09_nothing_is_written_through_a_hard_link() {
    let world = world();
    let outside = world.file("outside.txt", "one\ntwo\n");
    fs::create_dir(world.path().join("root")).unwrap();
    fs::hard_link(&outside, world.path().join("root/hardlink")).unwrap();
    let read = world.run(["--root", "root", "read", "hardlink"]);
    let tag = read.text().lines().next().unwrap().rsplit_once('#').unwrap().1.to_owned();
    let patch = format!("¶hardlink#{tag}\nreplace 2:\n+TWO\n");
    let run = world.run_with_input(["--root", "root", "edit"], patch.as_bytes());
    assert!(run.code == Some(0) && run.text().contains("1 other name"), "{}{}", run.text(), run.stderr);
    assert_eq!(
        (world.bytes("root/hardlink"), Fixture::bytes(&outside)),
        (b"one\nTWO\n".to_vec(), b"one\ntwo\n".to_vec())
    );
}

#[test]
fn w08_only_regular_files_are_written_and_a_device_stays_a_device() {
    let world = world();
    fs::create_dir(world.path().join("dir")).unwrap();
    Fixture::fifo(&world.path().join("fifo"));
    let _listener = UnixListener::bind(world.path().join("sock")).unwrap();
    let device = Fixture::device(&world.path().join("dev_full"), "c", 1, 7);
    Fixture::link("dev_full", &world.path().join("to_device"));
    let mut names =
        vec!["dir", "dir/", "fifo", "sock", ".", "x/", "dir/.", "/dev/full", "/proc/self/comm", "/sys/kernel/mm"];
    if device {
        names.extend(["dev_full", "to_device"]);
    }
    let before = Fixture::survey(world.path());
    for name in names {
        let run = world.write(name, "text\n");
        if name == "x/" {
            // Nothing is there yet; it is the name that says what it would be.
            assert!(run.code != Some(0) && run.stderr.contains("directory"), "{}", run.stderr);
        } else {
            check(&run, 4, "host.not_regular");
        }
        let run = world.patch(&format!("¶{name}#0000\nreplace 1:\n+text\n"));
        assert!(matches!(run.code, Some(3 | 4)) && run.stdout.is_empty(), "{name}: {:?} {}", run.code, run.stderr);
    }
    assert_eq!(Fixture::survey(world.path()), before);
    let kind = |name: &str| world.path().join(name).symlink_metadata().unwrap().file_type();
    assert!(kind("fifo").is_fifo() && kind("sock").is_socket() && (!device || kind("dev_full").is_char_device()));
    assert!(Path::new("/dev/full").symlink_metadata().unwrap().file_type().is_char_device());
}

#[test]
fn w17_a_file_of_two_gigabytes_is_refused_before_anything_is_done() {
    let world = world();
    let path = world.path().join("huge.txt");
    Fixture::sparse(&path, b"one\ntwo\n", 2 << 30, b"\nlast\n");
    let input = world.file("patch", "¶huge.txt#0000\nreplace 2:\n+TWO\n");
    let (mut command, before) = (world.command(), path.symlink_metadata().unwrap());
    let measured = Confined::default().input(&input).measure(command.arg("edit"));
    check(&measured.run, 5, "edit.too_large");
    assert!(measured.megabytes < 64, "{} MB", measured.megabytes);
    let after = path.symlink_metadata().unwrap();
    assert_eq!((after.ino(), after.len(), after.blocks()), (before.ino(), before.len(), before.blocks()));
    assert!(world.waiting().is_empty());
}

#[test]
fn w17_a_file_of_a_hundred_megabytes_is_edited_in_little_memory() {
    let world = world();
    let line = "all work and no play makes a long file, and this is one line of it\n";
    let old = line.repeat(100 * 1024 * 1024 / line.len());
    world.file("large.txt", &old);
    let tag = world.tag("large.txt");
    let input = world.file("patch", format!("¶large.txt#{tag}\nreplace 2:\n+TWO\ninsert tail:\n+the end\n"));
    let mut command = world.command();
    let measured = Confined::default().seconds(120).input(&input).measure(command.arg("edit"));
    check_done(&measured.run);
    assert!(measured.megabytes < 128, "{} MB", measured.megabytes);
    let new = old.replacen(&format!("{line}{line}"), &format!("{line}TWO\n"), 1) + "the end\n";
    assert!(world.bytes("large.txt") == new.as_bytes());
    check_done(&world.run(["undo"]));
    assert!(world.bytes("large.txt") == old.as_bytes());
}

/// Two texts whose tags are the same, and their lines of the same number.
fn twins() -> [String; 2] {
    let text = |number: u32| format!("the value of the day\nvalue = {number}\nthe end\n");
    let tag = |number: u32| Tag::of(&readstone_source::version_of(text(number).as_bytes()));
    let wanted = tag(0);
    let twin = (1..10_000_000).find(|number| tag(*number) == wanted);
    [text(0), text(twin.unwrap_or(0))]
}

#[test]
fn w18_two_versions_with_one_tag_are_never_taken_for_each_other() {
    let [seen, other] = twins();
    assert_ne!(seen, other);
    let world = world();
    world.file("f.txt", &seen);
    let tag = world.tag("f.txt");
    let patch = format!("¶f.txt#{tag}\nreplace 2:\n+value = mine\n");
    world.file("f.txt", &other);
    // Whoever saw the first has not seen the second, though the tag is that of both; nor is it seen by being refused.
    check(&world.patch(&patch), 6, "edit.stale");
    check(&world.patch(&patch), 6, "edit.stale");
    let run = world.run_with_input(["write", "f.txt", "--if-tag", &tag], b"all mine\n");
    check(&run, 6, "write.other_version");
    // The server of another process has the same memory.
    let server = Served::start(&world, ["--root", "."]);
    let answer = server.call("edit", &json!({ "input": patch }));
    assert!(answer.text().contains("edit.stale"), "{}", answer.text());
    assert_eq!(world.bytes("f.txt"), other.as_bytes());
    // Read, it is what the tag means, and the first is no longer.
    assert_eq!(world.tag("f.txt"), tag);
    world.file("f.txt", &seen);
    check(&world.patch(&patch), 6, "edit.stale");
    assert_eq!(world.bytes("f.txt"), seen.as_bytes());
    world.file("f.txt", &other);
    check_done(&world.patch(&patch));
    assert_eq!(world.bytes("f.txt"), b"the value of the day\nvalue = mine\nthe end\n");
}

#[test]
fn w24_text_that_looks_like_ours_stays_text() {
    let world = world();
    world.file("a.txt", "one\ntwo\n");
    for content in ["¶a.txt#0000\n1:one\n2:two\n", "12:text\n13:more\n", "12:\n", "1:¶x\n", "+row\n", "*** Abort\n"] {
        check_done(&world.write("looks_like_hashline.txt", content));
        assert_eq!(world.bytes("looks_like_hashline.txt"), content.as_bytes());
        let shown = world.read("looks_like_hashline.txt").text();
        assert!(shown.contains(&format!("\n1:{}\n", content.lines().next().unwrap())), "{shown}");
        let lines = content.lines().count();
        check_done(&world.edit("looks_like_hashline.txt", "insert tail:\n+3:¶a.txt#0000\n++x\n+*** Abort"));
        let now = String::from_utf8(world.bytes("looks_like_hashline.txt")).unwrap();
        assert_eq!(now, format!("{content}3:¶a.txt#0000\n+x\n*** Abort\n"), "{lines}");
    }
    // Only what this session showed loses what showing added, and that is told.
    let shown = world.read("a.txt").text();
    let run = world.write("b.txt", &shown);
    assert!(run.code == Some(0) && run.text().contains("Warnings:"), "{}", run.text());
    assert_eq!(world.bytes("b.txt"), b"one\ntwo\n");
    check_done(&world.write("b.txt", format!("{shown}no number\n")));
    assert_eq!(world.bytes("b.txt"), format!("{shown}no number\n").as_bytes());
}

#[test]
fn w24_a_patch_that_says_abort_applies_nothing() {
    let world = world();
    world.file("a.txt", "one\ntwo\n");
    world.file("b.txt", "one\ntwo\n");
    let (a, b) = (world.tag("a.txt"), world.tag("b.txt"));
    let first = format!("¶a.txt#{a}\nreplace 1:\n+ONE\n");
    let second = format!("¶b.txt#{b}\nreplace 1:\n+ONE\n");
    for patch in [
        format!("{first}*** Abort\n"),
        format!("*** Abort\n{first}"),
        format!("{first}*** Abort\n{second}"),
        format!("*** Begin Patch\n{first}{second}*** Abort\n*** End Patch\n"),
    ] {
        check(&world.patch(&patch), 2, "edit.aborted");
    }
    // What cannot be read as a whole is not done in part.
    for bad in ["replace 1\n", "-one\n", "@@ -1 +1 @@\n", "replace 2..1:\n+x\n", "delete 9\n", "replace 1:\n+x\n"] {
        assert_eq!(world.patch(&format!("{second}{first}{bad}")).code, Some(2), "{bad}");
    }
    assert_eq!((world.bytes("a.txt"), world.bytes("b.txt")), (b"one\ntwo\n".to_vec(), b"one\ntwo\n".to_vec()));
}

#[test]
fn w25_a_new_file_is_made_inside_the_root_with_the_permissions_of_its_maker() {
    let world = world();
    fs::create_dir(world.path().join("root")).unwrap();
    let content = world.file("content", "#!/bin/sh\n");
    let write = |confined: &Confined, path: &str| {
        let mut command = world.command();
        command.args(["--root", "root", "write", "--", path]);
        confined.clone().input(&content).run(&command)
    };
    for (mask, file, directory) in [("077", 0o700, 0o700), ("022", 0o755, 0o755), ("002", 0o775, 0o775)] {
        check_done(&write(&Confined::default().umask(mask), &format!("made{mask}/deep/new.sh")));
        let made = world.path().join("root").join(format!("made{mask}"));
        assert_eq!(Fixture::owned(&made.join("deep/new.sh")).0, file, "{mask}");
        assert_eq!(Fixture::owned(&made.join("deep")).0, directory, "{mask}");
    }
    let before = Fixture::survey(world.path());
    let plain = Confined::default();
    for path in ["../new.txt", "../new/deep.txt", "made077/../../new.txt", "/tmp/readstone-outside/new.txt"] {
        check(&write(&plain, path), 4, "host.outside_root");
    }
    assert!(!Path::new("/tmp/readstone-outside").exists());
    let long = format!("{}/new.txt", "n".repeat(256));
    check(&write(&plain, &long), 2, "host.bad_path");
    assert!(matches!(write(&plain, "made077/deep/new.sh/below").code, Some(2..=4)));
    assert!(matches!(write(&plain, "nothing/../../new.txt").code, Some(2..=4)));
    assert_eq!(Fixture::survey(world.path()), before);
}

#[test]
fn w25_names_and_contents_that_are_no_text_are_refused() {
    let world = world();
    let server = Served::start(&world, ["--root", "."]);
    let before = Fixture::survey(world.path());
    let answer = server.call("write", &json!({ "path": "a\u{0}b.txt", "content": "x" }));
    assert!(answer.status == 400 && answer.text().contains("bad_path"), "{} {}", answer.status, answer.text());
    let headers = [("Content-Type", "application/json")];
    for body in [
        r#"{"path":"a.txt","content":"\ud800"}"#,
        r#"{"path":"a.txt","content":"\udc00\ud800"}"#,
        r#"{"path":"\ud800.txt","content":"x"}"#,
        r#"{"path":"a.txt"}"#,
        r#"{"path":"a.txt","content":1}"#,
    ] {
        let answer = server.request("POST", "/v1/tools/write", &headers, body.as_bytes());
        assert_eq!(answer.status, 400, "{body}: {}", answer.text());
    }
    let broken = server.request("POST", "/v1/tools/write", &headers, b"{\"path\":\"a.txt\",\"content\":\"\xff\"}");
    assert_eq!(broken.status, 400, "{}", broken.text());
    let run = world.write("a.txt", b"\xff\xfe\x00");
    assert!(run.code == Some(2) || run.code == Some(7), "{:?} {}", run.code, run.stderr);
    assert_eq!(Fixture::survey(world.path()), before);
    // A NUL in the content is text like any other.
    assert_eq!(server.call("write", &json!({ "path": "nul.txt", "content": "a\u{0}b\n" })).status, 200);
    assert_eq!(world.bytes("nul.txt"), b"a\0b\n");
}
