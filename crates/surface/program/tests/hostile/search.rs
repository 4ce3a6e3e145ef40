//! Patterns, globs and trees that are made to take long, to take much or to be missed: the rows R01 to R09 of `docs/hostile.md`.

use std::fs;
use std::os::unix::net::UnixListener;

use readstone_testkit::{CANARY, Confined, Fixture, Measured, Race, Run, Spoken, World, can_be_nobody};
use serde_json::{Value, json};

/// Megabytes a bounded run may write to: 64, and what the program takes for itself.
const M64: u64 = 96;
/// Seconds within which a run ends, on a machine that does other things too.
const SOON: u64 = 15;
/// The bytes that a reply of one page stays below.
const PAGE: usize = 52_000;

fn world() -> World {
    World::new(env!("CARGO_BIN_EXE_readstone"))
}

fn search_with(confined: Confined, world: &World, pattern: &str, paths: &[&str]) -> Measured {
    let mut command = world.command();
    command.args(["--root", ".", "--ephemeral", "search", "--", pattern]).args(paths);
    let measured = confined.seconds(SOON).measure(&command);
    let length = measured.run.stdout.len();
    assert!(length < PAGE, "{pattern} in {paths:?}: {length} bytes");
    measured
}

/// A search below the root, in bounds.
fn search(world: &World, pattern: &str, paths: &[&str]) -> Run {
    search_with(Confined::default().megabytes(M64), world, pattern, paths).run
}

/// What a search says that succeeds.
fn told(world: &World, pattern: &str, path: &str) -> String {
    let run = search(world, pattern, &[path]);
    assert!(matches!(run.code, Some(0 | 1)), "{:?} {}", run.code, run.stderr);
    run.text()
}

fn check(run: &Run, exit: i32, code: &str) {
    let fits = run.code == Some(exit) && run.stderr.starts_with(&format!("{code}: ")) && run.stdout.is_empty();
    assert!(fits, "wanted {code} with {exit}, got {:?}\n{:.600}\n{:.600}", run.code, run.stderr, run.text());
}

/// A search by a client, whose words may be longer than a command line; the code of its failure.
fn refused(client: &mut Spoken, input: &Value) -> Option<String> {
    let answer = client.call("search", input);
    answer.pointer("/result/structuredContent/error/code").and_then(Value::as_str).map(str::to_owned)
}

fn last(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

#[test]
fn r01_patterns_that_would_take_too_much_memory_are_refused() {
    let world = world();
    world.file("a.txt", "aaa\n");
    for pattern in ["(a{1000}){1000}", r"\pL{5000}", r"(\w{100}){100}", "((((a{50}){50}){50}){50}){50}"] {
        check(&search(&world, pattern, &["."]), 5, "search.pattern_too_large");
    }
    let mut client = Spoken::start::<&str>(&world, [], "2025-11-25");
    let many: Vec<String> = (0..100_000).map(|number| format!("word{number}")).collect();
    for pattern in ["a".repeat(1_000_000), many.join("|"), "(".repeat(500_000), "[a-z".repeat(200_000)] {
        let code = refused(&mut client, &json!({ "pattern": pattern, "paths": "." }));
        let known = matches!(code.as_deref(), Some("search.pattern_too_large" | "search.bad_pattern"));
        assert!(known, "{code:?} for {pattern:.40}");
    }
    assert!(refused(&mut client, &json!({ "pattern": "a", "paths": "." })).is_none());
    assert!(client.vitals().peak_megabytes() < M64 + 64, "{} MB", client.vitals().peak_megabytes());
    // Deep nesting is refused or found in bounds; it ends nothing.
    for depth in [200, 2_000, 20_000] {
        let pattern = "(".repeat(depth) + "a" + &")".repeat(depth);
        let run = search(&world, &pattern, &["."]);
        assert!(matches!(run.code, Some(0 | 2 | 5)), "{depth}: {:?} {:.200}", run.code, run.stderr);
    }
}

#[test]
fn r02_patterns_that_backtrack_elsewhere_take_one_pass() {
    let world = world();
    Fixture::long_line(&world.path().join("oneline_6m.txt"), 6_000_000);
    for pattern in ["(x+)+y$", "(x|x)*c", "(x+x+)+y", "(?:x*)*z", "(.*)*b", r"(\w+\s?)+!"] {
        assert_eq!(told(&world, pattern, "."), "No matches found\n", "{pattern}");
    }
    for pattern in ["(x+)+$", "(.*)*x", "^(x|xx)+$"] {
        let text = told(&world, pattern, ".");
        assert!(text.starts_with("# oneline_6m.txt#") && text.len() < 1_000, "{pattern}: {text:.200}");
    }
}

#[test]
fn r03_of_a_long_line_the_part_around_the_match_is_shown() {
    let world = world();
    for (name, megabytes) in [("six.txt", 6), ("large.txt", 300)] {
        let path = world.path().join(name);
        Fixture::long_line(&path, megabytes * 1024 * 1024);
        Fixture::append(&path, b" needle in the long line ");
        Fixture::append(&path, &vec![b'x'; 1024 * 1024]);
        Fixture::append(&path, b"\nshort needle\n");
        for paths in [name, "*.txt"] {
            let text = told(&world, "needle", paths);
            let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('*')).collect();
            let long = rows.iter().find(|row| row.starts_with("*1:")).unwrap_or(&"");
            assert!(
                long.starts_with("*1:…xxx") && long.contains("x needle in the long line x"),
                "{paths}: {text:.900}"
            );
            assert!(long.chars().count() < 520 && rows.contains(&"*2:short needle"), "{paths}: {text:.900}");
        }
    }
    assert!(told(&world, "needle", "large.txt").contains("large.txt was searched in pieces (search_span_bytes)"));
    assert!(told(&world, "nothing", "large.txt").contains("No matches found\n[large.txt was searched in pieces"));
}

#[test]
fn r03_what_stands_behind_a_terabyte_of_holes_is_found() {
    let world = world();
    Fixture::sparse(&world.path().join("holes.txt"), b"", 1 << 40, b"needle\n");
    Fixture::sparse(&world.path().join("gigabyte.txt"), b"head\n", 1 << 30, b"\nneedle\n");
    world.file("text.txt", "needle\n");
    for path in [".", "holes.txt", "gigabyte.txt"] {
        let text = told(&world, "needle", path);
        assert!(path == "gigabyte.txt" || text.contains("holes.txt\n*1:…\\x00"), "{text:.900}");
        assert!(path == "holes.txt" || text.contains("\n*3:needle\n"), "{text:.900}");
    }
    assert_eq!(told(&world, "nothing", "."), "No matches found\n");
}

#[test]
fn r04_a_pattern_that_matches_everything_is_capped_and_says_so() {
    let world = world();
    for number in 0..60 {
        world.file(format!("{number:02}/many.txt"), format!("a line of file {number}\n").repeat(2_000));
    }
    for pattern in [".", "^", "$", "a?", r"\s*"] {
        let text = told(&world, pattern, ".");
        assert!(last(&text).starts_with("[files 1-") && last(&text).contains("limit "), "{pattern}: {}", last(&text));
        assert!(last(&text).contains("next: search skip="), "{pattern}: {}", last(&text));
        assert!(text.contains(" of 2000 matches; next: search 00/many.txt:"), "{pattern}: {text:.900}");
    }
    let text = told(&world, ".", "00/many.txt");
    assert!(last(&text).starts_with("[200 of 2000 matches; next: search 00/many.txt:201-]"), "{}", last(&text));
    check(&search(&world, "", &["."]), 2, "search.empty_pattern");
    check(&search(&world, " \t\n", &["."]), 2, "search.empty_pattern");
}

#[test]
fn r05_globs_without_end_end() {
    let world = world();
    world.file("a/b/c/d/x", "stone\n");
    world.file("a".repeat(200), "stone\n");
    assert!(told(&world, "stone", "**/**/**/**/**/x").contains("# a/b/c/d/x#"));
    assert!(told(&world, "stone", &("**/".repeat(300) + "x")).contains("# a/b/c/d/x#"));
    assert!(told(&world, "stone", &"*?".repeat(200)).contains(&"a".repeat(200)));
    assert_eq!(told(&world, "stone", &("*?".repeat(200) + "b")), "No matches found\n");
    let mut client = Spoken::start::<&str>(&world, [], "2025-11-25");
    let code = refused(&mut client, &json!({ "pattern": "stone", "paths": "*?".repeat(500_000) }));
    assert_eq!(code.as_deref(), Some("find.glob_too_large"));
}

#[test]
fn r06_braces_are_matched_or_refused_and_never_silently_missed() {
    let world = world();
    world.file("ab".repeat(15), "stone\n");
    world.file("7.txt", "stone\n");
    world.file("bd.txt", "stone\n");
    assert!(told(&world, "stone", &"{a,b}".repeat(30)).starts_with("# abab"));
    assert!(told(&world, "stone", "{a,b{c,d}}.txt").starts_with("# bd.txt#"));
    assert!(told(&world, "stone", "{1..9}.txt").starts_with("# 7.txt#"));
    check(&search(&world, "stone", &["{1..1000000000}.txt"]), 5, "find.glob_too_large");
    check(&search(&world, "stone", &["{1..90000}{1..90000}.txt"]), 5, "find.glob_too_large");
    let deep = "{a,".repeat(100) + "b" + &"}".repeat(100);
    check(&search(&world, "stone", &[&deep]), 2, "find.bad_glob");
}

#[test]
fn r07_what_is_no_file_is_counted_and_never_opened() {
    let world = world();
    world.file("plain.txt", "stone\n");
    for name in ["fifo.txt", "sub/fifo.rs", "fifo.ipynb", "fifo.html", "fifo.zip"] {
        fs::create_dir_all(world.path().join("sub")).unwrap();
        Fixture::fifo(&world.path().join(name));
    }
    let _listener = UnixListener::bind(world.path().join("sock.txt")).unwrap();
    let device = Fixture::device(&world.path().join("zero.txt"), "c", 1, 5);
    Fixture::link("/dev/zero", &world.path().join("endless.txt"));
    let special = 6 + u64::from(device);
    let text = told(&world, "stone", ".");
    assert!(text.starts_with("# plain.txt#"), "{text}");
    assert!(last(&text).contains(&format!("{special} pipes/sockets/devices")), "{text}");
    assert!(last(&text).contains("1 link"), "{text}");
    check(&search(&world, "stone", &["fifo.txt"]), 4, "host.not_regular");
    check(&search(&world, "stone", &["sock.txt"]), 4, "host.not_regular");
    check(&search(&world, "stone", &["endless.txt"]), 4, "host.outside_root");
    // A pipe may also stand where rules are looked for.
    Fixture::fifo(&world.path().join(".gitignore"));
    Fixture::fifo(&world.path().join("sub/.ignore"));
    assert!(told(&world, "stone", ".").starts_with("# plain.txt#"));
}

#[test]
fn r07_links_lead_neither_out_of_the_root_nor_in_circles() {
    let (world, outside) = (world(), world());
    outside.file("secret.txt", format!("stone {CANARY}\n"));
    world.file("a/b/once.txt", "stone\n");
    Fixture::link("..", &world.path().join("a/b/cycle"));
    Fixture::link(".", &world.path().join("here"));
    Fixture::link(world.path(), &world.path().join("a/top"));
    Fixture::link(outside.path(), &world.path().join("out"));
    Fixture::link(outside.path().join("secret.txt"), &world.path().join("file.txt"));
    Fixture::link("loop_b", &world.path().join("loop_a"));
    Fixture::link("loop_a", &world.path().join("loop_b"));
    let text = told(&world, "stone", ".");
    assert_eq!(text.matches("once.txt").count(), 1, "{text}");
    assert!(last(&text).contains("7 links"), "{text}");
    for path in ["out", "out/secret.txt", "file.txt", "out/*.txt", "a/../out/secret.txt"] {
        check(&search(&world, "stone", &[path]), 4, "host.outside_root");
    }
    // A link that stays inside is followed when it is named.
    assert!(told(&world, "stone", "a/b/cycle/b/once.txt").contains("*1:stone"));
}

#[test]
fn r07_many_entries_and_deep_trees_are_searched_in_bounds() {
    let world = world();
    fs::create_dir(world.path().join("many")).unwrap();
    for number in 0..100_000 {
        fs::File::create(world.path().join("many").join(format!("entry-{number:06}"))).unwrap();
    }
    world.file("many/entry-077777", "stone\n");
    let text = told(&world, "stone", "many");
    assert!(text.starts_with("# many/entry-077777#"), "{text:.300}");
    Fixture::deep(&world.path().join("deep"), "d2345678", 600);
    let run = search_with(Confined::default().megabytes(M64).descriptors(256), &world, "bottom", &["deep"]).run;
    assert!(matches!(run.code, Some(0 | 1)), "{:?} {}", run.code, run.stderr);
    let words = "[not all was walked: a directory in deep lies too deep or has too many entries]";
    assert_eq!(run.text(), format!("No matches found\n{words}\n"));
}

#[test]
fn r07_a_walk_ends_when_its_time_is_over_and_says_so() {
    let world = world();
    for number in 0..3_000 {
        world.file(format!("{}/{number}.txt", number % 100), "sand\n");
    }
    let mut command = world.command();
    command.env("READSTONE_CALL_MS", "1").args(["--root", ".", "search", "stone", "."]);
    let run = Confined::default().seconds(SOON).run(&command);
    let said = run.text() + &run.stderr;
    assert!(said.contains("time ran out") || run.stderr.contains("time"), "{:?} {said}", run.code);
}

#[test]
fn r07_a_search_that_nobody_wants_any_more_stops_inside_the_walk() {
    let world = world();
    world.file("big.txt", b"a line of text, as long as lines are on the whole\n".repeat(400_000));
    for number in 0..200 {
        fs::hard_link(world.path().join("big.txt"), world.path().join(format!("{number}.txt"))).unwrap();
    }
    let mut command = world.command();
    let mut client = Spoken::spawn(command.env("READSTONE_CALL_MS", "600000").args(["mcp", "--receipts"]));
    client.open("2025-11-25");
    let input = json!({ "name": "search", "arguments": { "pattern": r"(\w+ )+!", "paths": "." } });
    client.send(&json!({ "jsonrpc": "2.0", "id": 70, "method": "tools/call", "params": input }));
    assert!(client.vitals().works());
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 70 } }));
    assert!(client.vitals().rests(), "the search goes on though it was cancelled");
    assert_eq!(client.request("ping", &json!({}))["result"], json!({}));
}

#[test]
fn r07_what_cannot_be_read_is_counted_and_the_rest_is_searched() {
    if !can_be_nobody() {
        return;
    }
    let world = world();
    for name in ["open.txt", "closed.txt", "closed_dir/inside.txt"] {
        world.file(format!("tree/{name}"), "stone\n");
    }
    let program = world.path().join("program");
    fs::copy(env!("CARGO_BIN_EXE_readstone"), &program).unwrap();
    Fixture::mode(world.path(), 0o755);
    Fixture::mode(&world.path().join("tree/closed.txt"), 0);
    Fixture::mode(&world.path().join("tree/closed_dir"), 0);
    let mut command = readstone_testkit::tool(program.to_str().unwrap());
    let run = Confined::default().nobody().run(command.current_dir(world.path()).args(["search", "stone", "tree"]));
    Fixture::mode(&world.path().join("tree/closed_dir"), 0o755);
    assert!(run.text().starts_with("# tree/open.txt#"), "{} {}", run.text(), run.stderr);
    assert!(run.text().contains("not searched: 2 unreadable"), "{}", run.text());
}

#[test]
fn r08_ignore_rules_without_end_and_without_sense_are_left_out_and_said() {
    let world = world();
    let rules = (0..15_000).map(|number| format!("*{number}x?*y{number}*z*\n")).collect::<Vec<_>>().concat();
    for number in 0..30 {
        world.file(format!("one/{number}/.gitignore"), &rules);
        world.file(format!("one/{number}/file.txt"), "stone\n");
    }
    assert!(told(&world, "stone", "one").contains("# one/0/file.txt#"));
    world.file("two/.gitignore", rules.repeat(40));
    world.file("two/sub/deep.txt", "stone\n");
    let text = told(&world, "stone", "two");
    assert!(text.contains("# two/sub/deep.txt#") && text.contains("left out, as in two/.gitignore"), "{text:.600}");
    world.file(
        "three/.gitignore",
        ["a[\n", "*.log\n", "{,}\n", &"*".repeat(100_000), "\n\0\n", "**/".repeat(5_000).as_str(), "x\n"].concat(),
    );
    world.file("three/a.log", "stone\n");
    world.file("three/a.txt", "stone\n");
    let text = told(&world, "stone", "three");
    assert!(text.starts_with("# three/a.txt#") && text.contains("ignore rule"), "{text:.600}");
}

#[test]
fn r09_files_that_shrink_or_go_while_they_are_searched_end_nothing() {
    let world = world();
    let text = "this is a line with a stone in it\n".repeat(20_000);
    let shrinks = world.file("shrinks.log", &text);
    let goes = world.file("goes.log", &text);
    world.file("stays.log", "one stone\n");
    let race = Race::start(move |round| {
        if round % 2 == 0 {
            Fixture::cut(&shrinks, 1_000 + round % 7_919);
            drop(fs::remove_file(&goes));
        } else {
            Fixture::append(&shrinks, text.as_bytes());
            fs::write(&goes, &text).unwrap();
        }
    });
    for _ in 0..20 {
        for paths in [&["."][..], &["shrinks.log"], &["shrinks.log", "stays.log"]] {
            let run = search(&world, "stone", paths);
            let told_of = run.text().contains("# stays.log#") || paths.len() == 1;
            assert!(matches!(run.code, Some(0 | 1 | 3 | 6 | 7)), "{:?} {}", run.code, run.stderr);
            assert!(told_of || run.code != Some(0), "{}", run.text());
        }
    }
    assert!(race.finish() > 10, "the race was never run");
}
