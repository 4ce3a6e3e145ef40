//! `readstone install` and `readstone uninstall`: our entry comes and goes, and every other byte stays.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on must stop")]
#![expect(clippy::disallowed_methods, reason = "files are looked at from outside")]

mod files;
mod kit;
mod refusals;
mod snippets;

use kit::{CLIENTS, Desk, JSON, TOML, parse};

/// Six clients with files that have comments, commas at the end and entries of others: what the issue asks to be shown.
#[test]
fn only_our_entry_is_added_and_an_edit_elsewhere_is_all_that_stays() {
    let json = "{\n  // by hand\n  \"KEY\": {\n    \"files\": { \"command\": \"files\", \"args\": [\"-x\",] }, // keep\n  },\n  \"theme\": \"dark\", /* mine */\n}\n";
    let toml = "# by hand\nmodel = \"x\" # mine\n\n[mcp_servers.files]\ncommand = \"files\"\nargs = [\n  \"-x\",\n]\n\n[tui]\ntheme = \"dark\"\n";
    let six = ["claude-code", "codex", "vscode", "cursor", "zed", "gemini"];
    for client in CLIENTS.iter().filter(|client| six.contains(&client.name)) {
        let before = if client.toml { toml.to_owned() } else { json.replace("KEY", client.key) };
        let desk = Desk::new();
        let path = desk.file(client.file, &before);
        desk.done(&["install", client.name]);
        let installed = desk.text(client.file);
        let (mut now, was) = (parse(client, &installed), parse(client, &before));
        let servers = now[client.key].as_object_mut().unwrap();
        let entry = servers.remove("readstone").unwrap();
        assert!(entry["command"].as_str().is_some_and(|command| command.ends_with("readstone")), "{entry}");
        assert_eq!(now, was, "{}: nothing else is another value", client.name);
        let kept = |line: &&str| !line.trim().is_empty();
        for line in before.lines().filter(kept) {
            assert!(installed.contains(line.trim_end_matches(',')), "{}: {line} stays", client.name);
        }
        assert_eq!(desk.backup(client.file).as_deref(), Some(before.as_str()), "{}", client.name);

        let again = desk.done(&["install", client.name]);
        assert_eq!(desk.text(client.file), installed, "{}: a second run changes nothing", client.name);
        assert!(again.contains("nothing was changed"), "{again}");
        assert_eq!(desk.backup(client.file).as_deref(), Some(before.as_str()), "the copy is the first one");

        let edit = |text: &str| {
            text.replace("dark", "light").replace("by hand", "by me\u{e9}").replace("\"-x\",", "\"-x\", \"-y\",")
        };
        std::fs::write(&path, edit(&installed)).unwrap();
        desk.done(&["uninstall", client.name]);
        assert_eq!(desk.text(client.file), edit(&before), "{}: the edit and nothing else", client.name);
    }
}

#[test]
fn a_file_is_byte_for_byte_what_it_was_after_install_and_uninstall() {
    for client in CLIENTS {
        let texts: &[&str] = if client.toml { TOML } else { JSON };
        for text in texts {
            let before = text.replace("mcpServers", client.key);
            for extras in [&[][..], &["--approve", "--prefer"]] {
                let desk = Desk::new();
                desk.file(client.file, &before);
                let call: Vec<&str> = ["install", client.name, "--root", "."].iter().chain(extras).copied().collect();
                desk.done(&call);
                let installed = desk.text(client.file);
                assert_ne!(installed, before, "{}: {before:?}", client.name);
                parse(client, &installed);
                desk.done(&call);
                assert_eq!(desk.text(client.file), installed, "{}: {before:?}", client.name);
                desk.done(&["uninstall", client.name]);
                assert_eq!(desk.text(client.file), before, "{} {extras:?}", client.name);
                let left = desk.names();
                assert_eq!(left, [client.file], "{} {extras:?}: no copy and no other file is left", client.name);
            }
        }
    }
}

#[test]
fn what_we_made_goes_with_us() {
    for client in CLIENTS {
        let desk = Desk::new();
        desk.done(&["install", client.name, "--root", ".", "--approve", "--prefer"]);
        assert_eq!(desk.mode(client.file), 0o600, "{}", client.name);
        desk.done(&["uninstall", client.name]);
        assert_eq!(desk.names(), Vec::<String>::new(), "{}", client.name);
    }
}

#[test]
fn entries_that_came_after_ours_stay() {
    let desk = Desk::new();
    let before = "{\n  \"mcpServers\": {\n    \"one\": {\"command\": \"1\"}\n  }\n}\n";
    let path = desk.file(".cursor/mcp.json", before);
    desk.done(&["install", "cursor"]);
    let installed = desk.text(".cursor/mcp.json");
    let with_two = |text: &str| {
        let end = text.rfind("\n  }\n}").unwrap();
        format!("{},\n    // the second\n    \"two\": {{\"command\": \"2\"}}{}", &text[..end], &text[end..])
    };
    std::fs::write(path, with_two(&installed)).unwrap();
    desk.done(&["uninstall", "cursor"]);
    assert_eq!(desk.text(".cursor/mcp.json"), with_two(before));

    let desk = Desk::new();
    let path = desk.file(".codex/config.toml", "model = \"x\"\n");
    desk.done(&["install", "codex"]);
    let more = "\n[mcp_servers.readstone.env]\nREADSTONE_WEB = \"listed\"\n\n# the second\n[mcp_servers.two]\ncommand = \"2\"\n";
    std::fs::write(path, desk.text(".codex/config.toml") + more).unwrap();
    desk.done(&["uninstall", "codex"]);
    assert_eq!(desk.text(".codex/config.toml"), "model = \"x\"\n\n# the second\n[mcp_servers.two]\ncommand = \"2\"\n");
}

#[test]
fn another_call_changes_our_entry_where_it_is() {
    let desk = Desk::new();
    let before = "{\n  \"mcpServers\": {}\n}\n";
    desk.file(".cursor/mcp.json", before);
    desk.done(&["install", "cursor"]);
    let first = desk.text(".cursor/mcp.json");
    let said = desk.done(&["install", "cursor", "--read-only", "--web", "listed"]);
    assert!(said.starts_with("changed readstone in "), "{said}");
    let second = desk.text(".cursor/mcp.json");
    assert_ne!(first, second);
    let entry = &kit::json(&second)["mcpServers"]["readstone"];
    assert_eq!(entry["args"], serde_json::json!(["mcp", "--read-only"]));
    assert_eq!(entry["env"]["READSTONE_WEB"], "listed");
    assert_eq!(desk.backup(".cursor/mcp.json").as_deref(), Some(before), "the copy is from before us");

    desk.file(".codex/config.toml", "[mcp_servers]\nreadstone = { command = \"readstone\" } # old\n[z]\na = 1\n");
    desk.done(&["install", "codex", "--read-only"]);
    let text = desk.text(".codex/config.toml");
    let settings: toml::Table = toml::from_str(&text).unwrap();
    assert_eq!(settings["mcp_servers"]["readstone"]["args"][1].as_str(), Some("--read-only"), "{text}");
    assert!(text.ends_with("[z]\na = 1\n"), "{text}");
}

#[test]
fn what_a_person_added_to_our_entry_stays() {
    let desk = Desk::new();
    desk.done(&["install", "cursor", "--web", "listed"]);
    let edited = desk
        .text(".cursor/mcp.json")
        .replace("\"READSTONE_WEB\"", "\"HTTPS_PROXY\": \"http://proxy:1\", // ours\n        \"READSTONE_WEB\"");
    let edited = edited.replace("\"args\":", "\"timeout\": 60, \"disabled\": true,\n      \"args\":");
    desk.file(".cursor/mcp.json", &edited);
    let said = desk.done(&["install", "cursor", "--web", "listed"]);
    assert!(said.contains("nothing was changed"), "{said}");
    assert_eq!(desk.text(".cursor/mcp.json"), edited);
    desk.done(&["install", "cursor", "--read-only"]);
    let entry = kit::json(&desk.text(".cursor/mcp.json"))["mcpServers"]["readstone"].clone();
    assert_eq!((&entry["timeout"], &entry["disabled"]), (&60.into(), &true.into()), "{entry}");
    assert_eq!(entry["args"], serde_json::json!(["mcp", "--read-only"]));
    assert_eq!(entry["env"], serde_json::json!({ "HTTPS_PROXY": "http://proxy:1" }));

    desk.done(&["install", "codex", "--approve"]);
    let text = desk.text(".codex/config.toml") + "tool_timeout_sec = 90.5\n\n[mcp_servers.readstone.env]\nA = \"b\"\n";
    desk.file(".codex/config.toml", &text);
    desk.done(&["install", "codex"]);
    let settings: toml::Table = toml::from_str(&desk.text(".codex/config.toml")).unwrap();
    let entry = &settings["mcp_servers"]["readstone"];
    assert_eq!(
        (entry["tool_timeout_sec"].as_float(), entry["env"]["A"].as_str()),
        (Some(90.5), Some("b")),
        "{entry:?}"
    );
    assert!(entry.get("default_tools_approval_mode").is_none(), "{entry:?}");
    desk.done(&["uninstall", "codex"]);
    assert!(!desk.path(".codex/config.toml").exists());
}

#[test]
fn a_program_of_another_name_is_known_again_in_every_form_of_entry() {
    for client in ["opencode", "cursor", "codex"] {
        let desk = Desk::new();
        let command = ["install", client, "--command", "/opt/tools/rs"];
        desk.done(&command);
        let again = desk.done(&command);
        assert!(again.contains("nothing was changed"), "{client}: {again}");
        desk.done(&["uninstall", client]);
    }
}

#[test]
fn two_entries_stand_side_by_side_and_go_one_by_one() {
    let desk = Desk::new();
    desk.done(&["install", "gemini"]);
    let one = desk.text(".gemini/settings.json");
    desk.done(&["install", "gemini", "--name", "notes", "--root", ".", "--read-only"]);
    let servers = kit::json(&desk.text(".gemini/settings.json"))["mcpServers"].clone();
    assert_eq!(servers.as_object().unwrap().len(), 2, "{servers}");
    desk.done(&["uninstall", "gemini", "--name", "notes"]);
    assert_eq!(desk.text(".gemini/settings.json"), one);
}

#[test]
fn calls_one_after_the_other_are_taken_back_as_one() {
    let settings = ".claude/settings.json";
    for before in [None, Some("{\n  \"permissions\": {\n    \"deny\": []\n  }\n}\n"), Some("{}")] {
        for calls in [["--approve", "--prefer"], ["--prefer", "--approve"], ["--user", "--prefer"]] {
            let desk = Desk::new();
            if let Some(text) = before {
                desk.file(settings, text);
            }
            for extra in calls {
                desk.done(&["install", "claude-code", extra]);
            }
            desk.done(&["uninstall", "claude-code"]);
            let left = desk.names().iter().map(|name| desk.text(name)).collect::<Vec<_>>();
            assert_eq!(left, before.into_iter().collect::<Vec<_>>(), "{calls:?}");
        }
    }
}

#[test]
fn rules_of_the_user_are_told_from_ours() {
    let settings = ".claude/settings.json";
    let desk = Desk::new();
    desk.file(settings, "{\n  \"permissions\": {\n    \"allow\": [\"Bash(ls)\"],\n    \"deny\": [\"Read\"]\n  }\n}\n");
    desk.done(&["install", "claude-code", "--approve", "--prefer"]);
    let rules = kit::json(&desk.text(settings))["permissions"].clone();
    assert_eq!(
        rules["allow"],
        serde_json::json!(["Bash(ls)", "mcp__readstone__read", "mcp__readstone__find", "mcp__readstone__search"])
    );
    assert_eq!(rules["deny"], serde_json::json!(["Read", "Edit", "Write", "Grep", "Glob", "NotebookEdit"]));
    let said = desk.done(&["uninstall", "claude-code"]);
    let left = kit::json(&desk.text(settings))["permissions"].clone();
    assert_eq!(left, serde_json::json!({ "allow": ["Bash(ls)"], "deny": ["Read"] }), "{said}");

    // Without the installation nothing shows that the names are ours.
    let own = "{\"permissions\": {\"deny\": [\"Read\", \"Edit\", \"Write\", \"Grep\", \"Glob\", \"NotebookEdit\"]}}";
    let desk = Desk::new();
    desk.file(settings, own);
    desk.done(&["uninstall", "claude-code"]);
    assert_eq!(desk.text(settings), own);
    // The copy shows it: the user had them before.
    desk.done(&["install", "claude-code", "--approve"]);
    desk.done(&["uninstall", "claude-code"]);
    assert_eq!(desk.text(settings), own, "{said}");
}

#[test]
fn the_tools_that_a_person_switched_off_stay_off_without_our_doing() {
    let settings = ".claude/settings.json";
    let own = "{\"permissions\": {\"deny\": [\"Read\", \"Edit\", \"Write\", \"Grep\", \"Glob\", \"NotebookEdit\"]}}";
    for calls in [&["--user"][..], &["--user", "--prefer"], &["--prefer"]] {
        let desk = Desk::new();
        desk.file(settings, own);
        for extra in calls {
            desk.done(&["install", "claude-code", extra]);
        }
        desk.done(&["uninstall", "claude-code"]);
        assert_eq!(desk.text(settings), own, "{calls:?}");
    }
    // A file that we made and that somebody wrote into since loses our names and nothing else.
    let desk = Desk::new();
    desk.done(&["install", "claude-code", "--prefer"]);
    desk.file(settings, &desk.text(settings).replacen('{', "{\n  \"theme\": \"dark\",", 1));
    desk.done(&["uninstall", "claude-code"]);
    assert_eq!(kit::json(&desk.text(settings)), serde_json::json!({ "theme": "dark" }));
    assert_eq!(desk.names(), [settings]);
}
