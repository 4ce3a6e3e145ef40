//! The printed lines, for every client.

use serde_json::Value;

use super::kit::{CLIENTS, Desk, json};

/// Clients that are told what to add.
const BY_HAND: [&str; 3] = ["goose", "continue", "jetbrains"];

#[test]
fn every_client_is_printed_with_a_program_and_its_arguments() {
    let desk = Desk::new();
    for client in CLIENTS {
        let run = desk.run(&["install", client.name, "--print"]);
        assert_eq!(run.code, Some(0), "{}: {}", client.name, run.stderr);
        assert!(run.stderr.starts_with("paste into ") && run.stderr.contains("next: "), "{}", run.stderr);
        let settings: Value = if client.toml { toml::from_str(&run.text()).unwrap() } else { run.json() };
        let entry = &settings[client.key]["readstone"];
        let mut words: Vec<&str> = Vec::new();
        for key in ["command", "args"] {
            words.extend(entry[key].as_str());
            words.extend(entry[key].as_array().into_iter().flatten().map(|word| word.as_str().unwrap()));
        }
        assert!(words[0].ends_with("readstone") && words[1] == "mcp", "{}: {words:?}", client.name);
    }
    assert_eq!(desk.names(), Vec::<String>::new(), "nothing is written");
}

#[test]
fn the_manual_has_every_client_with_its_file() {
    let desk = Desk::new();
    let page = desk.done(&["read", "readstone://install.md:raw"]);
    for client in BY_HAND.into_iter().chain(CLIENTS.iter().map(|client| client.name)) {
        assert!(page.contains(&format!("| `{client}` |")), "{client} is missing in docs/install.md");
    }
    for client in CLIENTS.iter().filter(|client| client.name != "roo") {
        assert!(page.contains(&format!("`~/{}`", client.file)), "{} is missing in docs/install.md", client.file);
    }
}

#[test]
fn what_cannot_be_changed_is_printed() {
    let desk = Desk::new();
    for client in BY_HAND {
        let printed = desk.run(&["install", client, "--print"]);
        let run = desk.run(&["install", client]);
        assert_eq!((run.code, run.text()), (Some(0), printed.text()), "{client}: {}", run.stderr);
        assert!(run.text().contains("readstone") && run.text().contains("\"mcp\""), "{client}: {}", run.text());
        assert!(run.stderr.starts_with("paste into "), "{client}: {}", run.stderr);
        assert_eq!(desk.run(&["uninstall", client]).code, Some(0));
    }
    assert_eq!(desk.names(), Vec::<String>::new());
    let form = desk.run(&["install", "jetbrains", "--root", "."]).json();
    assert_eq!(form["mcpServers"]["readstone"]["args"][1], "--root");
    for (client, line) in [("goose", "    cmd: \""), ("continue", "  - name: \"readstone\"")] {
        let text = desk.done(&["install", client]);
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn the_clients_own_command_is_shown() {
    let desk = Desk::new();
    let shown = |arguments: &[&str]| desk.run(arguments).stderr;
    let program = env!("CARGO_BIN_EXE_readstone");
    let stderr = shown(&["install", "claude-code", "--print", "--web", "listed"]);
    let command = format!("claude mcp add -e READSTONE_WEB=listed --scope user readstone -- {program} mcp\n");
    assert!(stderr.contains(&command), "{stderr}");
    assert!(shown(&["install", "codex", "--print"]).contains(&format!("codex mcp add readstone -- {program} mcp\n")));
    assert!(shown(&["install", "gemini", "--print"]).contains("gemini mcp add -s user readstone "));
    let stderr = shown(&["install", "vscode", "--print"]);
    let line = stderr.lines().find_map(|line| line.strip_prefix("or run: code --add-mcp ")).unwrap();
    let entry = json(line.trim_matches('\''));
    assert_eq!((&entry["name"], &entry["type"]), (&Value::from("readstone"), &Value::from("stdio")));
    assert_eq!(entry["env"]["READSTONE_WEB"], "listed");
}

#[test]
fn a_project_has_files_and_variables_of_its_own() {
    let cases = [
        ("claude-code", ".mcp.json", "mcpServers", Some("${CLAUDE_PROJECT_DIR:-.}")),
        ("vscode", ".vscode/mcp.json", "servers", Some("${workspaceFolder}")),
        ("cursor", ".cursor/mcp.json", "mcpServers", Some("${workspaceFolder}")),
        ("roo", ".roo/mcp.json", "mcpServers", Some("${workspaceFolder}")),
        ("zed", ".zed/settings.json", "context_servers", None),
        ("kimi", ".kimi-code/mcp.json", "mcpServers", None),
    ];
    for (client, file, key, variable) in cases {
        let desk = Desk::new();
        desk.done(&["install", client, "--project"]);
        let entry = json(&desk.text(file))[key]["readstone"].clone();
        let args: Vec<&str> = entry["args"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
        assert_eq!(args.get(2).copied(), variable, "{client}");
        assert_eq!(desk.mode(file) & 0o600, 0o600);
        // A directory that is named comes before the variable.
        desk.done(&["install", client, "--project", "--root", "."]);
        let root = desk.world.path().display().to_string();
        assert_eq!(json(&desk.text(file))[key]["readstone"]["args"], serde_json::json!(["mcp", "--root", root]));
        desk.done(&["uninstall", client, "--project"]);
        assert_eq!(desk.names(), Vec::<String>::new(), "{client}");
    }
}

#[test]
fn a_program_on_the_path_is_named_as_it_is_found() {
    let mut desk = Desk::new();
    let bin = desk.path("bin");
    std::fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_readstone"), bin.join("readstone")).unwrap();
    desk.world.set("PATH", bin.display().to_string());
    let user = desk.run(&["install", "cursor", "--print"]).json();
    assert_eq!(user["mcpServers"]["readstone"]["command"], bin.join("readstone").display().to_string());
    let said = desk.done(&["install", "cursor", "--project"]);
    assert!(said.contains("PATH"), "{said}");
    assert_eq!(json(&desk.text(".cursor/mcp.json"))["mcpServers"]["readstone"]["command"], "readstone");
    let other = desk.run(&["install", "cursor", "--print", "--command", "/opt/readstone"]).json();
    assert_eq!(other["mcpServers"]["readstone"]["command"], "/opt/readstone");
}

#[test]
fn the_old_way_to_print_still_works() {
    let desk = Desk::new();
    let old = desk.run(&["mcp", "--print-config", "claude", "--root", ".", "--read-only"]);
    let new = desk.run(&["install", "--print", "claude-code", "--root", ".", "--read-only"]);
    assert_eq!((old.code, old.text(), old.stderr), (Some(0), new.text(), new.stderr));
    let unknown = desk.run(&["mcp", "--print-config", "nobody"]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.stderr.contains("readstone install --help"), "{}", unknown.stderr);
}
