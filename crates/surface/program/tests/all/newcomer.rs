//! Newcomers: what somebody does in the first ten minutes, done as it is written.

#![expect(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test stops where it cannot go on, and reads the pages it is about"
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use readstone_testkit::{NEWEST, Run, Served, Spoken, World, tool, works};
use serde_json::{Value, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn page(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap()
}

/// A command as the settings of a client name it.
#[derive(Debug, PartialEq)]
struct Named {
    command: String,
    args: Vec<String>,
}

impl Named {
    fn of(server: &Value) -> Self {
        let args = server["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap().to_owned()).collect();
        Self { command: server["command"].as_str().unwrap().to_owned(), args }
    }
}

/// What to paste into the settings of a client, as the client reads it.
fn pasted(world: &World, client: &str) -> Named {
    let project = world.path().join("project").display().to_string();
    let run = world.run(["mcp", "--print-config", client, "--root", &project]);
    assert_eq!(run.code, Some(0), "{client}: {}", run.stderr);
    assert!(run.stderr.starts_with("paste into "), "{client} is told where it belongs: {}", run.stderr);
    let settings: Value = match client {
        "codex" => toml::from_str(&run.text()).unwrap(),
        _ => run.json(),
    };
    let section = match client {
        "vscode" => "servers",
        "zed" => "context_servers",
        "codex" => "mcp_servers",
        _ => "mcpServers",
    };
    Named::of(&settings[section]["readstone"])
}

#[test]
fn what_is_pasted_has_all_that_was_set() {
    let mut world = World::new(env!("CARGO_BIN_EXE_readstone"));
    world.file("project/notes.txt", "one\n");
    let file = world.file("set.toml", "deny = [\"**/*.draft\"]\n");
    world.set("READSTONE_PAGE_LINES", "77");
    let wanted = ["mcp", "--root", "project", "--config", "set.toml", "--allow-net", "10.0.0.0/8", "--read-only"];
    for client in ["claude", "codex"] {
        let run = world.run(wanted.into_iter().chain(["--print-config", client]));
        let text = run.text();
        let settings: Value = if client == "codex" { toml::from_str(&text).unwrap() } else { run.json() };
        let section = if client == "codex" { "mcp_servers" } else { "mcpServers" };
        let server = &settings[section]["readstone"];
        let args: Vec<&str> = server["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()).collect();
        let root = world.path().join("project").display().to_string();
        let file = file.display().to_string();
        let all = ["mcp", "--root", &root, "--config", &file, "--allow-net", "10.0.0.0/8", "--read-only"];
        assert_eq!(args, all, "{client}");
        assert_eq!(server["env"]["READSTONE_PAGE_LINES"], "77", "{client}");
    }
}

#[test]
fn a_line_is_edited_over_mcp_from_the_pasted_configuration() {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    let file = world.file("project/notes.txt", "one\r\ntwo\r\nthree\r\n");
    let Named { command, args } = pasted(&world, "claude");
    // As a client starts it: from anywhere, by the full path, with these arguments alone.
    let mut program = tool(&command);
    program.args(args).current_dir("/").env("HOME", world.path());
    let mut server = Spoken::spawn(&mut program);
    let opened = server.open(NEWEST);
    assert_eq!(opened["result"]["serverInfo"]["name"], "readstone", "{opened}");
    let tools = server.request("tools/list", &json!({}));
    let names: Vec<&str> =
        tools["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["read", "find", "search", "edit", "write", "undo"]);

    let shown = server.call("read", &json!({ "path": "notes.txt" }));
    let text = shown["result"]["content"][0]["text"].as_str().unwrap();
    let header = text.lines().next().unwrap();
    assert!(header.starts_with("¶notes.txt#") && text.contains("\n2:two\n"), "{text}");
    let edited = server.call("edit", &json!({ "input": format!("{header}\nreplace 2..2:\n+2nd\n") }));
    assert_ne!(edited["result"]["isError"], true, "{edited}");
    assert_eq!(std::fs::read(&file).unwrap(), b"one\r\n2nd\r\nthree\r\n", "only the line changed");
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn every_client_is_given_the_same_command() {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    world.file("project/notes.txt", "one\n");
    let claude = pasted(&world, "claude");
    assert!(Path::new(&claude.command).is_absolute(), "clients start from anywhere");
    assert_eq!(claude.args.first().map(String::as_str), Some("mcp"));
    for client in ["cursor", "vscode", "zed", "codex"] {
        assert_eq!(pasted(&world, client), claude, "{client}");
    }
}

/// The Markdown of the repository, below what is not its own.
fn pages(directory: &Path) -> Vec<PathBuf> {
    const OTHERS: [&str; 6] = ["target", "node_modules", "peers", "corpus", "artifacts", "data"];
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap().map(Result::unwrap) {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let own = !name.starts_with('.') && !OTHERS.contains(&name.as_str());
        if path.is_dir() && !path.is_symlink() && own {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found
}

/// The lines of a page that are not code.
fn prose(text: &str) -> Vec<&str> {
    let mut fence: Option<&str> = None;
    let mut lines = Vec::new();
    for line in text.lines() {
        let ticks = &line[..line.len() - line.trim_start_matches('`').len()];
        match fence {
            None if ticks.len() >= 3 => fence = Some(ticks),
            None => lines.push(line),
            Some(open) if line.trim_end() == open => fence = None,
            Some(_) => {}
        }
    }
    lines
}

/// The links of a line, without what stands in code.
fn links(line: &str) -> Vec<String> {
    let plain: String = line.split('`').step_by(2).collect::<Vec<_>>().join("code");
    plain.split("](").skip(1).filter_map(|rest| rest.split(')').next()).map(str::to_owned).collect()
}

/// The anchors of a page, as code hosts make them of headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let slug = |heading: &str| {
        let kept = heading.trim().to_lowercase();
        kept.chars()
            .filter(|sign| sign.is_alphanumeric() || " -_".contains(*sign))
            .map(|sign| if sign == ' ' { '-' } else { sign })
            .collect::<String>()
    };
    prose(text).iter().filter(|line| line.starts_with('#')).map(|line| slug(line.trim_start_matches('#'))).collect()
}

#[test]
fn every_link_between_pages_leads_somewhere() {
    let mut count = 0;
    for from in pages(&root()) {
        let text = std::fs::read_to_string(&from).unwrap();
        for link in prose(&text).into_iter().flat_map(links).filter(|link| !link.contains("://")) {
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let to = if path.is_empty() { from.clone() } else { from.parent().unwrap().join(path) };
            assert!(to.exists(), "{} links to {link}", from.display());
            let known = || anchors(&std::fs::read_to_string(&to).unwrap()).contains(anchor);
            assert!(anchor.is_empty() || known(), "{} links to {link}", from.display());
            count += 1;
        }
    }
    assert!(count > 30, "the pages have lost their links: {count}");
}

#[test]
fn every_page_of_the_manual_is_linked_from_the_readme_and_in_the_program() {
    let readme = page("README.md");
    let contents = World::new(env!("CARGO_BIN_EXE_readstone")).read("readstone://").text();
    for path in pages(&root().join("docs")) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(readme.contains(&format!("(docs/{name})")), "the README does not link to docs/{name}");
        assert!(contents.contains(&format!("readstone://{name}")), "readstone:// does not have {name}");
    }
}

/// The rows of the table below a heading, each in its cells.
fn rows(text: &str, heading: &str) -> Vec<Vec<String>> {
    let section = text.split(&format!("\n## {heading}\n")).nth(1).expect("the section is there");
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter(|line| line.starts_with("| ")).skip(1);
    rows.map(|row| row.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect()).collect()
}

/// What stands in code in a text.
fn code(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_map_names_every_crate_and_files_that_are_there() {
    let map = page("ARCHITECTURE.md");
    let table = rows(&map, "The crates");
    for row in &table {
        let [name, start, _] = row.as_slice() else { unreachable!("a row has three cells: {row:?}") };
        let folder = root().join("crates").join(code(name)[0]);
        assert!(folder.join("Cargo.toml").exists(), "there is no crate {name}");
        for file in code(start) {
            assert!(folder.join("src").join(file).exists(), "{name} has no {file}");
        }
    }
    let named: BTreeSet<&str> = table.iter().map(|row| code(&row[0])[0]).collect();
    let folders = |below: &str| -> Vec<String> {
        let entries = std::fs::read_dir(root().join("crates").join(below)).unwrap().map(Result::unwrap);
        let crates = entries.filter(|entry| entry.path().join("Cargo.toml").exists());
        crates.map(|entry| format!("{below}{}", entry.file_name().to_string_lossy())).collect()
    };
    for folder in folders("").into_iter().chain(folders("surface/")) {
        assert!(named.contains(folder.as_str()), "the map does not have {folder}");
    }
}

#[test]
fn whoever_adds_something_is_led_to_the_right_file_within_the_first_page() {
    let map = page("ARCHITECTURE.md");
    let end = map.lines().position(|line| line == "## Invariants").unwrap();
    assert!(end <= 80, "the first page has grown to {end} lines");
    let table = rows(&map, "Where to add");
    let things = table.iter().map(|row| row[0].as_str()).collect::<Vec<_>>().join("; ");
    for thing in ["format", "language", "tool", "scheme", "site", "limit", "error", "surface"] {
        assert!(things.contains(thing), "where to add a {thing}?");
    }
    for row in &table {
        let [_, place, what] = row.as_slice() else { unreachable!("a row has three cells: {row:?}") };
        let files: Vec<&str> = code(place).into_iter().filter(|name| name.contains('/')).collect();
        let text = files.iter().map(|file| page(file)).collect::<String>();
        for word in code(what) {
            if word.contains('/') {
                assert!(root().join(word).exists(), "{word} is not there");
            } else if !files.is_empty() && word != "view" {
                let last = word.rsplit("::").next().unwrap_or(word).trim_end_matches('!');
                assert!(text.contains(last), "{place} has no {word}");
            }
        }
    }
}

#[test]
fn the_recipes_name_what_is_there() {
    let recipes = page("CONTRIBUTING.md");
    let recipes = recipes.split("\n## Recipes\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let mut count = 0;
    for path in code(recipes).into_iter().filter(|word| word.contains('/') && !word.contains([' ', '<', '*'])) {
        assert!(root().join(path).exists(), "CONTRIBUTING.md names {path}");
        count += 1;
    }
    assert!(count >= 12, "the recipes have lost their files: {count}");
    // The recipe of a format, word by word.
    let formats = page("crates/formats/src/lib.rs");
    assert!(formats.contains("impl Formats for Standard") && formats.contains("fn container("));
    assert!(formats.contains("pointer::container("), "the one to copy is called there");
    let contract = page("crates/source/src/container.rs");
    assert!(contract.contains("pub trait Container") && contract.contains("fn enter("));
}

#[test]
fn the_man_page_has_every_command_and_man_can_show_it() {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    let run = world.run(["man"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let help = world.run(["--help"]).text();
    let commands = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let begins = |line: &str| line.starts_with("  ") && !line.starts_with("   ");
    let names: Vec<&str> =
        commands.lines().filter(|line| begins(line)).filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.contains(&"read") && names.contains(&"man"), "{names:?}");
    let source = run.text();
    assert!(source.contains(".TH readstone 1 ") && source.contains(".SH NAME\n"), "it is a page of section 1");
    for name in names.iter().filter(|name| **name != "help") {
        assert!(source.contains(&format!(".SS \"readstone {name}\"\n")), "the page lacks {name}");
    }
    if !works("groff", &["--version"]) {
        return;
    }
    let shown = Run::fed(tool("groff").args(["-man", "-Tutf8", "-Kutf8", "-ww", "-P-cbou"]), source.as_bytes());
    assert_eq!((shown.code, shown.stderr.as_str()), (Some(0), ""), "groff has nothing to complain about");
    let text = shown.text();
    for words in ["readstone search", "--no-gitignore", "find '*.rs'", "EXIT STATUS", "¶src/a.ts#0A3B"] {
        assert!(text.contains(words), "{words} is not shown:\n{text}");
    }
}

#[test]
fn a_client_is_told_which_directory_its_paths_are_relative_to() {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    let mut server = Spoken::spawn(world.command().args(["mcp", "--root", "."]));
    let opened = server.open(NEWEST);
    let told = opened["result"]["instructions"].as_str().unwrap_or_default();
    let root = world.path().canonicalize().unwrap();
    let words = format!("Paths are relative to the root {}; `.` is the root itself.", root.display());
    assert!(told.ends_with(&words), "{told}");
}

#[test]
fn what_is_wrong_in_a_configuration_is_said_with_its_place() {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    let said = |text: &str| {
        world.file("own.toml", text);
        let run = world.run(["read", ".", "--config", "own.toml"]);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        run.stderr
    };
    let said_of = [
        ("roots = []\n\ndeny = [\"a\n", "config.bad_value: own.toml: line 3: "),
        ("web = \"listed\"\nweb = \"public\"\n", "config.bad_value: own.toml: line 2: duplicate key"),
        ("root = []\n", "config.bad_value: own.toml: there is no setting called root; docs/config.md lists them\n"),
    ];
    for (text, words) in said_of {
        assert!(said(text).starts_with(words), "{}", said(text));
    }
}

#[test]
fn variables_of_a_cluster_are_one_warning_and_keep_nothing_from_starting() {
    let mut world = World::new(env!("CARGO_BIN_EXE_readstone"));
    world.file("notes.txt", "one\n");
    let plain = world.run(["read", "notes.txt"]);
    for name in ["READSTONE_PORT", "READSTONE_PORT_7333_TCP", "READSTONE_PORT_7333_TCP_ADDR", "READSTONE_SERVICE_HOST"]
    {
        world.set(name, "tcp://10.0.0.1:7333");
    }
    let words = "READSTONE_PORT, READSTONE_PORT_7333_TCP, READSTONE_PORT_7333_TCP_ADDR and 1 more are not settings";
    let run = world.run(["read", "notes.txt"]);
    assert_eq!((run.code, run.text()), (Some(0), plain.text()));
    assert_eq!(run.stderr, format!("[warning: {words} and are ignored]\n"));
    let gone = world.run(["read", "gone.txt", "--json"]);
    assert_eq!((gone.code, gone.stderr.lines().count()), (Some(3), 1), "{}", gone.stderr);
    assert_eq!(gone.json()["receipt"]["error"]["code"], "source.not_found", "{}", gone.text());
    let spoken = world.run(["mcp"]);
    assert_eq!((spoken.code, spoken.stdout.len(), spoken.stderr.matches(words).count()), (Some(0), 0, 1));
    let served = Served::start::<&str>(&world, []);
    assert!(served.call("read", &json!({ "path": "notes.txt" })).text().contains("1:one"));
    assert_eq!(served.log().matches(words).count(), 1, "{}", served.log());
    world.set("READSTONE_PAGE_LINES", "many");
    let bad = world.run(["read", "notes.txt"]);
    assert_eq!(bad.code, Some(2), "a setting with a bad value is still an error: {}", bad.stderr);
}

#[test]
fn what_helps_stands_in_lines_that_are_not_broken() {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    let words = page("crates/surface/program/src/help.rs");
    for line in words.lines().filter(|line| !line.starts_with("//")) {
        assert!(line.chars().count() <= 99, "help is shown in 100 columns: {line}");
    }
    for command in [
        "read",
        "find",
        "search",
        "edit",
        "write",
        "undo",
        "mcp",
        "install",
        "uninstall",
        "serve",
        "completions",
        "man",
    ] {
        let help = world.run([command, "--help"]);
        assert!(help.code == Some(0) && help.text().contains("Examples:\n  "), "{command} shows how it is used");
    }
}

#[test]
fn shells_take_the_completions() {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    for shell in ["bash", "zsh", "fish"] {
        let run = world.run(["completions", shell]);
        assert_eq!(run.code, Some(0));
        let script = run.text();
        for word in ["read", "find", "search", "edit", "write", "undo", "mcp", "serve", "install", "dry-run"] {
            assert!(script.contains(word), "{shell} does not complete {word}");
        }
        if works(shell, &["-c", "true"]) {
            let checked = Run::fed(tool(shell).arg("-n"), &run.stdout);
            assert_eq!((checked.code, checked.stderr.as_str()), (Some(0), ""), "{shell} takes the script");
        }
    }
}
