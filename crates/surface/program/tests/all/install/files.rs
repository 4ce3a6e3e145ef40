//! The files themselves: links, permissions, places, and runs that write nothing.

use readstone_testkit::Fixture;

use super::kit::{CLIENTS, Desk, json};

#[test]
fn a_dry_run_shows_a_diff_and_writes_nothing() {
    for client in CLIENTS {
        let before = if client.toml { "a = 1\n" } else { "{\n  \"a\": 1 // one\n}\n" };
        let desk = Desk::new();
        desk.file(client.file, before);
        let run = desk.run(&["install", client.name, "--root", ".", "--dry-run"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let diff = run.text();
        assert!(diff.starts_with("--- /") && diff.contains("\n+++ /") && diff.contains("\n@@ -1,"), "{diff}");
        assert!(diff.lines().any(|line| line.starts_with('+') && line.contains("readstone")), "{diff}");
        assert_eq!((desk.text(client.file).as_str(), desk.names()), (before, vec![client.file.to_owned()]));
        desk.done(&["install", client.name, "--root", "."]);
        let installed = desk.text(client.file);
        let diff = desk.done(&["uninstall", client.name, "--dry-run"]);
        assert!(diff.lines().any(|line| line.starts_with('-') && line.contains("readstone")), "{diff}");
        assert_eq!(desk.text(client.file), installed);
        let again = desk.run(&["install", client.name, "--root", ".", "--dry-run"]);
        assert_eq!((again.text().as_str(), again.stderr.as_str()), ("", "nothing would be changed\n"));
    }
}

#[test]
fn a_link_stays_a_link_and_permissions_stay() {
    let desk = Desk::new();
    let real = desk.file("dotfiles/zed.json", "{\n  \"theme\": \"dark\"\n}\n");
    Fixture::mode(&real, 0o640);
    std::fs::create_dir_all(desk.path(".config/zed")).unwrap();
    Fixture::link("../../dotfiles/zed.json", &desk.path(".config/zed/settings.json"));
    desk.done(&["install", "zed"]);
    assert!(desk.path(".config/zed/settings.json").is_symlink());
    assert!(json(&desk.text("dotfiles/zed.json"))["context_servers"]["readstone"].is_object());
    assert_eq!(desk.mode("dotfiles/zed.json"), 0o640);
    let copy = ".config/zed/settings.json.readstone-backup";
    assert_eq!(desk.mode(copy), 0o600, "the copy may hold secrets");
    desk.done(&["uninstall", "zed"]);
    assert_eq!(desk.text("dotfiles/zed.json"), "{\n  \"theme\": \"dark\"\n}\n");
    assert_eq!(desk.names(), [".config/zed/settings.json", "dotfiles/zed.json"]);
}

#[test]
fn places_that_variables_move_are_found() {
    let cases = [
        ("claude-code", "CLAUDE_CONFIG_DIR", "moved/.claude.json", "moved/settings.json"),
        ("codex", "CODEX_HOME", "moved/config.toml", ""),
        ("gemini", "GEMINI_CLI_HOME", "moved/.gemini/settings.json", ""),
        ("zed", "XDG_CONFIG_HOME", "moved/zed/settings.json", ""),
        ("kimi", "KIMI_CODE_HOME", "moved/mcp.json", ""),
    ];
    for (client, variable, file, settings) in cases {
        let mut desk = Desk::new();
        desk.world.set(variable, desk.path("moved").display().to_string());
        desk.done(&["install", client, "--approve"]);
        let mut expected = vec![file.to_owned()];
        expected.extend((!settings.is_empty()).then(|| settings.to_owned()));
        assert_eq!(desk.names(), expected, "{client}");
        desk.done(&["uninstall", client]);
        assert_eq!(desk.names(), Vec::<String>::new(), "{client}");
    }
    let desk = Desk::new();
    desk.file(".config/opencode/opencode.jsonc", "{} // mine\n");
    desk.done(&["install", "opencode"]);
    assert!(desk.text(".config/opencode/opencode.jsonc").contains("readstone"), "the file that is there is taken");
    assert!(!desk.path(".config/opencode/opencode.json").exists());
    desk.done(&["install", "cursor", "--file", "else/where.json"]);
    assert!(json(&desk.text("else/where.json"))["mcpServers"]["readstone"].is_object());
    desk.done(&["uninstall", "cursor", "--file", "else/where.json"]);
    assert!(!desk.path("else/where.json").exists());
}

#[test]
fn a_copy_is_made_again_after_a_removal() {
    let desk = Desk::new();
    let path = desk.file(".cursor/mcp.json", "{\"a\": 1}");
    desk.done(&["install", "cursor"]);
    std::fs::write(&path, desk.text(".cursor/mcp.json").replace("\"a\": 1", "\"a\": 2")).unwrap();
    let said = desk.done(&["uninstall", "cursor"]);
    assert_eq!(desk.text(".cursor/mcp.json"), "{\"a\": 2}");
    assert_eq!(desk.backup(".cursor/mcp.json").as_deref(), Some("{\"a\": 1}"), "it differs, so it stays");
    assert!(said.contains(".readstone-backup"), "{said}");
    desk.done(&["install", "cursor"]);
    assert_eq!(desk.backup(".cursor/mcp.json").as_deref(), Some("{\"a\": 2}"), "the file before this installation");
}
