//! Source code made to do harm, on the program: the rows D25 and D26 of `docs/hostile.md`.

use readstone_testkit::{Confined, Fixture, Measured, Spoken, Trap, World};
use serde_json::json;

/// Megabytes that a run may take, with its worker.
const ALL: u64 = 600;
/// Megabytes that a server may take, without its workers.
const MOST: u64 = 256;
/// Seconds of a core that a run may use, unoptimised.
const CORE: u64 = 20;
/// Seconds within which a run ends, on a machine that does other things too.
const LATE: u64 = 60;
/// The bytes that a reply of one page stays below.
const PAGE: usize = 52_000;

fn world() -> World {
    World::new(env!("CARGO_BIN_EXE_readstone"))
}

/// What a run within bounds says to an address.
fn told(world: &World, address: &str) -> String {
    let before = Fixture::survey(world.path());
    let mut command = world.command();
    command.args(["--ephemeral", "read", "--", address]);
    let measured = Confined::default().seconds(LATE).addresses(2048).megabytes(1024).measure(&command);
    let Measured { run, megabytes, centiseconds } = measured;
    assert!(megabytes < ALL, "{address} takes {megabytes} MB");
    assert!(centiseconds < CORE * 100, "{address} takes {centiseconds} hundredths of a second");
    assert!(run.stdout.len() < PAGE, "{address}: {} bytes", run.stdout.len());
    assert!(Fixture::survey(world.path()) == before, "{address} changed something");
    assert!(matches!(run.code, Some(0 | 2 | 3)), "{address}: {:?} {}", run.code, run.stderr);
    run.text() + &run.stderr
}

/// What is nested without end, each in as many lines as a summary would still look at.
fn deep() -> Vec<(&'static str, String)> {
    let lines = |text: &str| format!("{text}\n").repeat(15_000);
    let steps = |count: usize, most: usize, text: &str| {
        let line = |depth: usize| format!("{}{text}\n", " ".repeat(depth % most));
        (0..count).map(line).collect::<Vec<_>>().concat()
    };
    vec![
        ("braces.js", lines(&"{".repeat(100))),
        ("braces.rs", lines(&"{".repeat(100))),
        ("braces.cpp", lines(&"{".repeat(100))),
        ("parens.py", lines(&"(".repeat(100))),
        ("deep.json", lines(&"[".repeat(100))),
        ("object.json", lines("{\"a\":")),
        ("tags.vue", lines("<div>")),
        ("quotes.md", lines("> > > > > > > > a")),
        ("lists.md", steps(3_000, 900, "- a")),
        ("indent.py", steps(5_000, 400, "if a:")),
        ("indent.yaml", steps(5_000, 400, "a:")),
        ("else.c", lines("if (a) b(); else")),
        ("calls.ts", lines("a(() => {")),
        ("strings.kt", lines("\"${\"${")),
        ("words.swift", lines("--- ")),
        ("heredocs.sh", lines("cat <<A <<B <<C")),
    ]
}

#[test]
fn d25_what_is_nested_without_end_is_shown_as_text() {
    let world = world();
    for (name, text) in deep() {
        world.file(name, &text);
        let page = told(&world, name);
        assert!(page.starts_with(&format!("¶{name}#")), "{name}: {page:.200}");
        assert!(
            page.lines().nth(1).is_some_and(|line| line.starts_with("1:") || line.starts_with("1-")),
            "{page:.200}"
        );
        let outline = told(&world, &format!("{name}:outline"));
        assert!(outline.starts_with(&format!("¶{name}")), "{name}: {outline:.200}");
    }
    let braces = told(&world, "braces.js");
    assert!(braces.contains("no outline: it is nested too deeply"), "{}", braces.lines().last().unwrap());
}

#[test]
fn d25_two_megabytes_of_one_sign_are_shown_as_text() {
    let world = world();
    for (name, sign) in [("a.rs", "{"), ("a.js", "("), ("a.py", "["), ("a.md", ">"), ("a.html", "<b>"), ("a.json", "[")]
    {
        world.file(name, sign.repeat(2 * 1024 * 1024 / sign.len()));
        for address in [name.to_owned(), format!("{name}:outline"), format!("{name}:@a"), format!("{name}:^1")] {
            told(&world, &address);
        }
    }
}

#[test]
fn d25_a_text_that_takes_a_parser_all_memory_costs_its_outline_and_no_more() {
    let world = world();
    world.file("ambiguous.c", "a?.{}".repeat(10_000) + "\n");
    world.file("angles.js", ("A<B,".repeat(500) + ";\n").repeat(200));
    let mut server = Spoken::start::<&str>(&world, [], "2025-11-25");
    for name in ["ambiguous.c", "angles.js"] {
        let reply = server.call("read", &json!({ "path": format!("{name}:outline") }));
        let text = reply["result"]["content"][0]["text"].as_str().unwrap().to_owned();
        assert!(text.starts_with(&format!("¶{name}#")), "{text:.300}");
    }
    assert!(server.vitals().peak_megabytes() < MOST, "{} MB", server.vitals().peak_megabytes());
}

#[test]
fn d25_a_server_goes_on_after_such_files() {
    let world = world();
    let mut server = Spoken::start::<&str>(&world, [], "2025-11-25");
    for (name, text) in deep() {
        world.file(name, &text);
        for address in [name.to_owned(), format!("{name}:^2000")] {
            server.call("read", &json!({ "path": address }));
        }
    }
    world.file("fine.rs", "/// Adds.\nfn add() {\n    one();\n}\n");
    let reply = server.call("read", &json!({ "path": "fine.rs:@add" }));
    let text = reply["result"]["content"][0]["text"].as_str().unwrap().to_owned();
    assert!(text.contains("1:/// Adds.\n2:fn add() {\n"), "{text}");
}

#[test]
fn d26_conflicts_are_those_with_all_their_markers_and_no_number_of_others_makes_one() {
    let world = world();
    let none = "[no unresolved conflict: no well-formed markers]\n";
    world.file("conflicts.txt", Trap::bytes("text/conflicts.txt"));
    let page = told(&world, "conflicts.txt:conflicts");
    let regions = "2:<<<<<<< ours\n3:mine\n4:=======\n5:yours\n6:>>>>>>> theirs\n[";
    assert!(page.contains(regions) && page.contains("; 1 unresolved conflict]"), "{page}");
    for (name, text) in [
        ("begun.txt", "<<<<<<< ours\n".repeat(100_000)),
        ("ended.txt", ">>>>>>> theirs\n".repeat(100_000)),
        ("middle.txt", "=======\n".repeat(100_000)),
        ("turned.txt", ">>>>>>> theirs\n=======\n<<<<<<< ours\n".repeat(30_000)),
    ] {
        world.file(name, text);
        assert!(told(&world, &format!("{name}:conflicts")).ends_with(none), "{name}");
    }
    world.file("many.txt", "<<<<<<< ours\n=======\n>>>>>>> theirs\n".repeat(100_000));
    let page = told(&world, "many.txt:conflicts");
    assert!(page.contains("; 100000 unresolved conflicts") && page.contains("next: read many.txt:"), "{page:.300}");
}
