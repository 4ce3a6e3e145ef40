//! The tables of `docs/` are those of the code.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test of files reads them, and stops where it cannot"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use readstone_address::readings;
use readstone_base::{Class, LIMITS};
use readstone_host::{DEFAULT_SECRETS, HARMLESS};
use readstone_session::{KNOWN_CLIENTS, SETTINGS};
use readstone_testkit::{Run, Served, World};
use readstone_tools::{Effect, Profile};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn page(name: &str) -> String {
    std::fs::read_to_string(root().join("docs").join(name)).unwrap()
}

/// Compares the generated section of a page with the code, or renews it with `BLESS=1`.
fn check(name: &str, section: &str, table: &str) {
    let text = page(name);
    let start = format!("<!-- generated: {section} -->\n");
    let from = text.find(&start).expect("the page has the section") + start.len();
    let to = from + text[from..].find("<!-- end -->").expect("the section ends");
    if std::env::var_os("BLESS").is_some() {
        let renewed = format!("{}{table}{}", &text[..from], &text[to..]);
        std::fs::write(root().join("docs").join(name), renewed).unwrap();
        return;
    }
    assert_eq!(
        &text[from..to],
        table,
        "docs/{name} is stale; renew it with BLESS=1 cargo test -p readstone --test all docs::"
    );
}

#[test]
fn the_limits_are_those_of_the_code() {
    let mut table = String::from("| name | default | ceiling | what it bounds |\n|---|---|---|---|\n");
    for limit in LIMITS {
        writeln!(table, "| `{}` | {} | {} | {} |", limit.name, limit.default, limit.ceiling, limit.about.trim())
            .unwrap();
    }
    check("limits.md", "limits", &table);
}

#[test]
fn the_classes_are_those_of_the_code() {
    let mut table = String::from("| class | exit code | HTTP status |\n|---|---|---|\n");
    for class in Class::ALL {
        writeln!(table, "| {} | {} | {} |", class.name(), class.exit_code(), class.http_status()).unwrap();
    }
    check("errors.md", "classes", &table);
}

#[test]
fn the_settings_are_those_of_the_code() {
    let mut table = String::from("| name | what it does |\n|---|---|\n");
    for setting in SETTINGS {
        writeln!(table, "| `{}` | {} |", setting.name, setting.about).unwrap();
    }
    check("config.md", "settings", &table);
}

#[test]
fn the_clients_are_those_of_the_code() {
    let number = |number: u64| if number == u64::MAX { "any".to_owned() } else { number.to_string() };
    let mut table =
        String::from("| client | bytes | rows | JSON | ranges | pictures | seen |\n|---|---|---|---|---|---|---|\n");
    for client in KNOWN_CLIENTS {
        let (reply, limits) = (client.limits.reply, &client.limits);
        let pictures = if limits.pictures { number(limits.picture_bytes) } else { "none".to_owned() };
        let (bytes, rows, json) = (number(reply.bytes), number(reply.rows), number(reply.json));
        let range = number(limits.wide().bytes);
        writeln!(
            table,
            "| `{}` | {bytes} | {rows} | {json} | {range} | {pictures} | {} |",
            client.name, client.evidence
        )
        .unwrap();
    }
    check("clients.md", "clients", &table);
}

#[test]
fn the_rules_for_secrets_are_those_of_the_code() {
    let mut table = String::from("| with roots | globs, without regard to case |\n|---|---|\n");
    for (what, globs) in [("withheld", DEFAULT_SECRETS), ("not withheld", HARMLESS)] {
        let globs: Vec<String> = globs.iter().map(|glob| format!("`{glob}`")).collect();
        writeln!(table, "| {what} | {} |", globs.join(" ")).unwrap();
    }
    check("security.md", "secrets", &table);
}

/// The texts of the lists called `names` in a file of the sources.
fn listed(file: &str, names: &[&str]) -> Vec<String> {
    let text = std::fs::read_to_string(root().join("crates").join(file)).unwrap();
    let list = |name: &&str| {
        let from = text.split_once(&format!("const {name}: [")).expect("the list is there").1;
        let body = from.split_once(" = [").expect("the list begins").1.split("];").next().unwrap_or_default();
        body.split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()
    };
    names.iter().flat_map(list).collect()
}

#[test]
fn every_ignore_file_and_every_folder_of_skills_and_rules_is_in_the_reference() {
    let reference = page("addresses.md");
    let mut all = listed("source/src/rules.rs", &["FILES"]);
    all.extend(listed("resource/src/schemes/skill.rs", &["USUAL", "FURTHER"]));
    all.extend(listed("resource/src/schemes/rule.rs", &["PROJECT", "USER"]));
    // Of a file that is a rule, its name as a rule stands before its path.
    let files = listed("resource/src/schemes/rule.rs", &["PROJECT_FILES", "USER_FILES"]);
    all.extend(files.into_iter().skip(1).step_by(2));
    assert_eq!(all.len(), 24 + 10 + 15 + 13);
    for name in all {
        assert!(reference.contains(&format!("`{name}`")), "{name} is missing in docs/addresses.md");
    }
}

#[test]
fn the_tools_are_those_of_the_code() {
    let mut table = String::from("| tool | changes files | what it is for |\n|---|---|---|\n");
    for tool in Profile::Default.tools() {
        let changes = if tool.effect == Effect::Writes { "yes" } else { "no" };
        writeln!(table, "| `{}` | {changes} | {} |", tool.name, tool.about.replace('\n', "<br>")).unwrap();
    }
    check("tools.md", "tools", &table);
}

#[test]
fn the_counters_are_those_of_a_server() {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    let server = Served::start(&world, [""; 0]);
    let counters = server.get("/metrics").text();
    let mut table = String::from("| counter | kind | what it counts |\n|---|---|---|\n");
    let mut about = "";
    for line in counters.lines().filter_map(|line| line.strip_prefix("# ")) {
        match line.split(' ').collect::<Vec<_>>().as_slice() {
            ["HELP", name, ..] => about = line.split_once(name).unwrap().1.trim(),
            ["TYPE", name, kind] => writeln!(table, "| `{name}` | {kind} | {about} |").unwrap(),
            _ => {}
        }
    }
    assert!(table.lines().count() > 8, "{counters}");
    check("servers.md", "metrics", &table);
}

#[test]
fn the_code_about_embedding_is_that_of_the_example() {
    let example = std::fs::read_to_string(root().join("crates/tools/examples/embed.rs")).unwrap();
    let mut count = 0;
    for part in example.split("// docs: ").skip(1) {
        let (name, code) = part.split_once('\n').unwrap();
        let code = code.split("// end\n").next().unwrap();
        check("embedding.md", name, &format!("```rust\n{code}```\n"));
        count += 1;
    }
    assert_eq!(page("embedding.md").matches("<!-- generated: ").count(), count, "every part is of the example");
}

#[test]
fn every_address_in_the_reference_can_be_read() {
    let text = page("addresses.md");
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    let mut count = 0;
    for row in rows {
        let forms = row.split(" | ").next().unwrap_or_default();
        for address in forms.split('`').skip(1).step_by(2) {
            let readings = readings(address).unwrap_or_else(|error| panic!("{address}: {error}"));
            let sound = readings.iter().all(|reading| reading.selector().is_ok());
            // What a document or an archive calls its parts only it can tell.
            let inside = readings.iter().any(readstone_address::Reading::is_container);
            let known = readings.iter().any(|reading| reading.selector().is_ok());
            assert!(sound || known || inside, "{address}");
            count += 1;
        }
    }
    assert!(count > 25, "the reference has lost its addresses");
}

#[test]
fn every_error_code_of_the_sources_is_in_the_reference() {
    let reference = page("errors.md");
    let mut codes = Vec::new();
    for file in sources(&root().join("crates")) {
        let text = std::fs::read_to_string(&file).unwrap();
        let Some(body) = text.split("fn code(&self)").nth(1) else {
            continue;
        };
        let body = body.split("fn class(").next().unwrap_or_default();
        codes.extend(body.split('"').skip(1).step_by(2).filter(|code| code.contains('.')).map(str::to_owned));
    }
    assert!(codes.len() > 15, "the sources have lost their codes");
    for code in codes {
        assert!(reference.contains(&format!("| `{code}` |")), "{code} is missing in docs/errors.md");
    }
}

#[test]
fn the_replies_in_the_readme_are_real_ones() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let blocks = readme.split("```\n$ readstone ").skip(1).map(|block| block.split("```").next().unwrap_or_default());
    let examples = blocks.flat_map(|block| block.split("$ readstone "));
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    let mut count = 0;
    // What is pasted into a client's settings has the path of the program in it.
    for example in examples.filter(|example| !example.starts_with("mcp ")) {
        let (command, reply) = example.split_once('\n').expect("a command and its reply");
        let (command, input, reply) = match command.strip_suffix(" <<'END'") {
            Some(command) => {
                let (input, reply) = reply.split_once("END\n").expect("the end of what is piped in");
                (command, input, reply)
            }
            None => (command, "", reply),
        };
        let mut program = world.command();
        let file = world.path().join("input");
        std::fs::write(&file, input).unwrap();
        program.stdin(std::fs::File::open(&file).unwrap());
        let run = Run::of(program.current_dir(root()).args(words(command)));
        assert_eq!(run.text(), reply, "readstone {command}");
        count += 1;
    }
    assert_eq!(count, 4, "the README has lost its examples");
}

/// The words of a command; what stands in single quotes is one of them.
fn words(command: &str) -> Vec<String> {
    let pieces = command.split('\'').enumerate();
    let split = |(at, piece): (usize, &str)| -> Vec<String> {
        if at % 2 == 1 { vec![piece.to_owned()] } else { piece.split_whitespace().map(str::to_owned).collect() }
    };
    pieces.flat_map(split).collect()
}

fn sources(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && path.components().any(|part| part.as_os_str() == "src")
        {
            files.push(path);
        }
    }
    files
}
