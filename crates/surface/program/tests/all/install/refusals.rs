//! Calls that are refused write nothing.

use readstone_testkit::{Confined, Fixture, Run, can_be_nobody};

use super::kit::{CLIENTS, Desk};

#[test]
fn a_file_that_cannot_be_understood_is_left_alone() {
    let broken = [
        "{ bad",
        "{\"a\": 1,, \"b\": 2}",
        "[1, 2]",
        "\"text\"",
        "{\"mcpServers\": []}",
        "{\"mcpServers\": 1}",
        "{'a': 1}",
    ];
    for text in broken {
        let desk = Desk::new();
        desk.file(".cursor/mcp.json", text);
        let run = desk.run(&["install", "cursor"]);
        assert_eq!(run.code, Some(2), "{text}: {}", run.text());
        assert!(
            run.stderr.contains("surface.cannot_install: ") && run.stderr.contains("nothing was written"),
            "{}",
            run.stderr
        );
        let shown = run.json();
        assert!(shown["mcpServers"]["readstone"]["command"].is_string(), "{text}: what to add is shown");
        assert_eq!((desk.text(".cursor/mcp.json").as_str(), desk.names()), (text, vec![".cursor/mcp.json".to_owned()]));
        assert!(matches!(desk.run(&["uninstall", "cursor"]).code, Some(0 | 2)), "{text}");
        assert_eq!(desk.text(".cursor/mcp.json"), text);
    }
    for text in ["a = ", "mcp_servers = 1\n", "mcp_servers = { a = { command = \"x\" } }\n", "[[mcp_servers]]\na = 1\n"]
    {
        let desk = Desk::new();
        desk.file(".codex/config.toml", text);
        let run = desk.run(&["install", "codex"]);
        assert_eq!(run.code, Some(2), "{text}: {}", run.text());
        assert!(run.text().starts_with("[mcp_servers.readstone]\n"), "{text}: what to add is shown");
        assert_eq!((desk.text(".codex/config.toml").as_str(), desk.names().len()), (text, 1));
    }
}

#[test]
fn bytes_that_are_no_text_and_depths_without_end_are_refused() {
    for bytes in [b"{\"a\": \"\xff\"}".to_vec(), vec![b'['; 200_000], b"{\"a\":".repeat(100_000)] {
        let desk = Desk::new();
        let path = desk.world.file(".cursor/mcp.json", &bytes);
        let run = desk.run(&["install", "cursor"]);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert_eq!(std::fs::read(path).unwrap(), bytes);
    }
}

#[test]
fn a_server_of_that_name_that_is_another_program_is_left_alone() {
    let json = "{\"mcpServers\": {\"readstone\": {\"command\": \"node\", \"args\": [\"server.js\"]}}}";
    let toml = "[mcp_servers.readstone]\ncommand = \"node\"\n";
    for (client, file, text) in [("cursor", ".cursor/mcp.json", json), ("codex", ".codex/config.toml", toml)] {
        let desk = Desk::new();
        desk.file(file, text);
        for command in ["install", "uninstall"] {
            let run = desk.run(&[command, client]);
            assert_eq!(run.code, Some(2), "{command} {client}: {}", run.text());
            assert!(run.stderr.contains("another program") && run.stderr.contains("--name"), "{}", run.stderr);
            assert_eq!(desk.text(file), text);
        }
        desk.done(&["install", client, "--name", "stone"]);
        desk.done(&["uninstall", client, "--name", "stone"]);
        assert_eq!(desk.text(file), text);
    }
}

#[test]
fn a_client_without_a_project_asks_for_a_directory() {
    let desk = Desk::new();
    for client in ["claude-desktop", "cline", "windsurf"] {
        let run = desk.run(&["install", client]);
        assert_eq!(run.code, Some(2), "{client}: {}", run.text());
        assert!(run.stderr.contains("add --root DIR"), "{}", run.stderr);
        let run = desk.run(&["install", client, "--root", "missing"]);
        assert_eq!(run.code, Some(2), "{client}: {}", run.text());
        assert!(run.stderr.contains("missing"), "{}", run.stderr);
    }
    for client in CLIENTS.iter().filter(|client| ["claude-desktop", "windsurf"].contains(&client.name)) {
        let run = desk.run(&["install", client.name, "--project", "--root", "."]);
        assert_eq!(run.code, Some(2), "{}: it has no file of a project", client.name);
    }
    assert_eq!(desk.run(&["install", "cursor", "--name", "a b"]).code, Some(2));
    assert_eq!(desk.run(&["install", "nobody"]).code, Some(2));
    assert_eq!(desk.names(), Vec::<String>::new());
}

/// Runs `install cursor` as a user who owns nothing.
fn install_as_nobody(desk: &Desk) -> Run {
    let program = desk.path("program");
    std::fs::copy(env!("CARGO_BIN_EXE_readstone"), &program).unwrap();
    Fixture::mode(desk.world.path(), 0o755);
    let mut command = readstone_testkit::tool(program.to_str().unwrap());
    command.env("HOME", desk.world.path()).current_dir(desk.world.path()).args(["install", "cursor"]);
    Confined::default().nobody().run(&command)
}

#[test]
fn a_file_that_is_read_only_is_left_without_a_copy() {
    if !can_be_nobody() {
        return;
    }
    let desk = Desk::new();
    let path = desk.file(".cursor/mcp.json", "{}");
    Fixture::mode(path.parent().unwrap(), 0o777);
    Fixture::mode(&path, 0o444);
    let run = install_as_nobody(&desk);
    assert_eq!(run.code, Some(4), "{}{}", run.stderr, run.text());
    assert!(run.stderr.contains(".cursor/mcp.json' cannot be changed"), "{}", run.stderr);
    assert_eq!((desk.text(".cursor/mcp.json").as_str(), desk.backup(".cursor/mcp.json")), ("{}", None));
}

#[test]
fn a_directory_that_is_read_only_is_named() {
    if !can_be_nobody() {
        return;
    }
    let desk = Desk::new();
    desk.file(".cursor/mcp.json", "{}");
    let run = install_as_nobody(&desk);
    assert_eq!(run.code, Some(4), "{}{}", run.stderr, run.text());
    assert!(run.stderr.contains(".cursor/mcp.json") && run.stderr.contains("read-only"), "{}", run.stderr);
    assert_eq!(desk.text(".cursor/mcp.json"), "{}");
    assert_eq!(desk.backup(".cursor/mcp.json"), None);
}
