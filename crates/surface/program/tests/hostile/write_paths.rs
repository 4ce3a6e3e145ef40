//! Where a change may lead: the rows P06, P19, P20 and H10 of `docs/hostile.md`, as far as they are about changes.

use std::fs;

use readstone_testkit::{Fixture, Run, Served, World};
use serde_json::json;

fn world() -> World {
    World::new(env!("CARGO_BIN_EXE_readstone"))
}

fn refused(run: &Run) -> bool {
    run.code.is_some_and(|code| code != 0) && !run.stderr.is_empty()
}

#[test]
fn p06_nothing_is_written_through_a_link_that_leads_nowhere() {
    let world = world();
    let outside = tempfile::tempdir().unwrap();
    for target in [outside.path().join("new.txt"), "missing/inside.txt".into()] {
        let link = world.path().join("link");
        Fixture::link(&target, &link);
        for arguments in [["--root", ".", "write", "link"], ["--ephemeral", "write", "link", "--dry-run"]] {
            let run = world.run_with_input(arguments, b"text\n");
            assert!(refused(&run), "{arguments:?}: {}", run.text());
        }
        assert!(link.is_symlink() && !link.exists(), "the link leads somewhere now");
    }
    assert!(!outside.path().join("new.txt").exists(), "something was written outside");
}

#[test]
fn p19_a_change_never_guesses() {
    let world = world();
    world.file("src/Parser.txt", "one\n");
    let tag = world.tag("src/Parser.txt");
    for name in ["Parser.txt", "src/parser.txt", "src/Parsr.txt", "src/Parser.tx"] {
        let patch = format!("¶{name}#{tag}\nreplace 1:\n+two\n");
        let run = world.run_with_input(["edit"], patch.as_bytes());
        assert_eq!(run.code, Some(3), "{name}: {}{}", run.text(), run.stderr);
        let run = world.run_with_input(["undo", name], b"");
        assert!(refused(&run), "{name}");
    }
    assert_eq!(world.bytes("src/Parser.txt"), b"one\n");
}

#[test]
fn p20_outside_and_absent_are_told_alike() {
    let world = world();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("there.txt"), "CANARY\n").unwrap();
    let tell = |name: &str| {
        let address = outside.path().join(name).display().to_string();
        let patch = format!("¶{address}#0000\nreplace 1:\n+x\n");
        let edited = world.run_with_input(["--root", ".", "edit"], patch.as_bytes());
        let written = world.run_with_input(["--root", ".", "write", &address], b"x\n");
        [edited, written].map(|run| (run.code, run.stderr.replace(name, "NAME")))
    };
    let (there, absent) = (tell("there.txt"), tell("other.txt"));
    assert_eq!(there, absent);
    assert_eq!(Fixture::bytes(&outside.path().join("there.txt")), b"CANARY\n");
    assert!(!outside.path().join("other.txt").exists());
}

#[test]
fn h10_a_change_that_is_on_its_way_when_the_server_ends_is_made_or_not_and_never_half() {
    let world = world();
    let lines = 600_000;
    let old = (1..=lines).map(|line| format!("line {line} of a text\n")).collect::<Vec<_>>().concat();
    world.file("large.txt", &old);
    let server = Served::start::<&str>(&world, []);
    let read = server.call("read", &json!({ "path": "large.txt:5-5" })).json();
    let tag = read["receipt"]["targets"][0]["tag"].as_str().unwrap().to_owned();
    let input = json!({ "input": format!("¶large.txt#{tag}\nreplace 5:\n+changed\n") });
    let stream =
        server.send("POST", "/v1/tools/edit", &[("content-type", "application/json")], input.to_string().as_bytes());
    server.signal("TERM");
    let answered = readstone_testkit::Answer::from_stream(stream).is_some_and(|answer| answer.status == 200);
    drop(server.end());
    let now = String::from_utf8(world.bytes("large.txt")).unwrap();
    let new = old.replacen("line 5 of a text\n", "changed\n", 1);
    assert!(now == old || now == new, "neither the old file nor the new one");
    assert!(!answered || now == new, "it was answered and not made");
}
