//! Schemes that lead to folders: scratch files, notes, vaults, skills, rules.

use std::fs;

use readstone_host::Stance;
use readstone_resource::{Places, Router, standard};
use rustix::fs::{FileType, Mode};

use crate::world::World;

#[test]
fn scratch_files_are_listed_read_and_can_be_edited() {
    let world = World::new().with("session/local/plan.md", "# Plan\n").with("session/local/sub/a:5", "literal\n");
    let listed = world.read("local://").unwrap();
    assert_eq!((listed.path.as_str(), listed.text.as_str()), ("local://", "plan.md\nsub"));
    let plan = world.read("local://plan.md:1-2").unwrap();
    assert_eq!(
        (plan.path.as_str(), plan.text.as_str(), plan.selector.as_str()),
        ("local://plan.md", "# Plan\n", "1-2")
    );
    assert!(plan.editable && !plan.whole);
    assert_eq!(world.text("local://sub/a:5"), "literal\n");
    assert_eq!(world.text("local://sub"), "a:5");
    assert_eq!(world.text("local://sub/"), "a:5");
    let (code, words, next) = world.fails("local://plam.md");
    assert_eq!(code, "resource.not_found");
    assert!(words.contains("there are plan.md, sub"), "{words}");
    assert_eq!(next, ["local://plan.md", "local://"]);
}

#[test]
fn a_scratch_folder_that_is_not_there_is_empty_and_is_not_made() {
    let world = World::new();
    assert_eq!(world.text("local://"), "");
    assert_eq!(world.read("local://:5-10").unwrap().selector, "5-10");
    assert_eq!(world.code("local://x"), "resource.not_found");
    assert!(!world.at("sessions").exists());
}

#[test]
fn without_a_folder_for_the_session_there_is_no_scratch() {
    let mut world = World::new();
    world.places.sessions = None;
    for address in ["local://", "local://x", "agent://", "agent://x", "history://x"] {
        assert_eq!(world.code(address), "resource.no_folder", "{address}");
    }
    let fixed = world.at("fixed");
    world.places.session = Some(fixed);
    world.put("fixed/local/a", "a");
    assert_eq!(world.text("local://a"), "a");
}

#[test]
fn a_file_in_the_place_of_a_folder_is_not_an_empty_folder() {
    let world = World::new().with("session/local", "a file").with("memory", "another");
    assert_eq!(world.code("local://"), "resource.no_folder");
    assert_eq!(world.code("memory://x"), "resource.no_folder");
    fs::remove_file(world.at("memory")).unwrap();
    world.link("memory", "nowhere");
    assert_eq!(world.text("memory://"), "");
}

#[test]
fn sessions_have_folders_of_their_own() {
    let (one, other) = (Places::session_name("../../etc"), Places::session_name("b"));
    assert_ne!(one, other);
    assert!(one.len() == 32 && one.bytes().all(|byte| byte.is_ascii_hexdigit()));
}

#[test]
fn names_are_decoded_only_where_nothing_has_them_literally() {
    let world = World::new().with("session/local/a b", "blank").with("session/local/c%20d", "literal");
    world.put("session/local/c d", "decoded");
    assert_eq!(world.text("local://a%20b"), "blank");
    assert_eq!(world.text("local://a b"), "blank");
    assert_eq!(world.text("local://c%20d"), "literal");
    world.put("session/local/%41", "once");
    assert_eq!(world.text("local://%2541"), "once");
    assert_eq!(world.code("local://%ZZ"), "resource.not_found");
}

#[test]
fn paths_that_lead_out_are_refused_in_every_spelling() {
    let world = World::new().with("session/local/a", "a").with("session/x.md", "x").with("memory/a", "a");
    world.put("project/.claude/skills/pdf/SKILL.md", "x");
    world.put("vault/a.md", "x");
    for address in [
        "local://../x.md",
        "local://sub/../../x.md",
        "local://%2e%2e/x.md",
        "local://%2E%2e%2fx.md",
        "local:///etc/passwd",
        "local://%2fetc/passwd",
        "local://\\x2e\\x2e/x.md",
        "local://a%00b",
        "memory://../vault/a.md",
        "vault://notes/../x",
        "skill://../x",
        "skill://pdf/../../../../x",
        "skill://pdf//etc/passwd",
        "rule://../../x",
        "agent://../x",
        "agent://..",
        "history://../x",
        "history://%2e%2e%2fx",
    ] {
        assert_eq!(world.code(address), "resource.bad_address", "{address}");
    }
    let (_, words, next) = world.fails("local://../x.md");
    assert!(words.ends_with("its form is local://[PATH]"), "{words}");
    assert_eq!(next, ["local://"]);
    assert_eq!(world.code("local://a\0b"), "address.bad_path");
}

#[test]
fn links_lead_nowhere_outside_of_a_folder() {
    let world = World::new().with("secret", "secret").with("session/local/in", "in").with("vault/a.md", "x");
    world.link("session/local/out", "../../../secret");
    world.link("session/local/far", "/etc/passwd");
    world.link("session/local/near", "in");
    world.link("vault/out.md", "../secret");
    world.link("session/agents", "../..");
    world.link("project/.claude/skills", "/etc");
    world.link("project/.agents", "../home");
    world.put("home/skills/mine/SKILL.md", "mine");
    world.link("project/.cursor/rules", world.at("home"));
    world.put("home/plain.md", "plain");
    assert_eq!(world.text("local://near"), "in");
    for address in ["local://out", "local://far", "vault://notes/out", "agent://secret", "rule://plain"] {
        assert_eq!(world.code(address), "host.outside_root", "{address}");
    }
    // A folder of rules that leads out hides none of the others.
    world.put("project/AGENTS.md", "agents");
    assert_eq!(world.text("rule://AGENTS:1-2"), "agents");
    assert_eq!(world.text("rule://"), "rule://AGENTS  agents\n");
    assert_eq!(world.code("skill://mine"), "host.outside_root");
    world.put("home/.claude/skills/own/SKILL.md", "own");
    assert_eq!(world.text("skill://own"), "own");
    fs::remove_dir_all(world.at("home/.claude")).unwrap();
    assert_eq!(world.text("skill://"), "");
}

#[test]
fn the_users_own_skills_may_be_links_and_nothing_in_them_leads_on() {
    let world = World::new().with("dotfiles/pdf/SKILL.md", "---\ndescription: Fills forms\n---\n").with("secret", "x");
    world.link("home/.claude/skills/pdf", world.at("dotfiles/pdf"));
    world.link("dotfiles/pdf/out", world.at("secret"));
    assert!(world.text("skill://pdf").contains("Fills forms"));
    assert_eq!(world.text("skill://"), "skill://pdf  Fills forms\n");
    assert_eq!(world.code("skill://pdf/out"), "host.outside_root");
}

#[test]
fn the_scratch_folder_itself_leads_nowhere_outside_of_the_session() {
    let mut world = World::new().with("session/x.md", "x");
    for target in ["/etc", "../../home"] {
        world.link("session/local", target);
        world.put("home/passwd", "not for you");
        for address in ["local://", "local://passwd", "local://passwd:raw"] {
            let (code, words, next) = world.fails(address);
            assert_eq!((code.as_str(), next), ("host.outside_root", vec!["local://".to_owned()]), "{address}");
            assert!(words.contains("a link on its way leads out"), "{words}");
        }
        fs::remove_file(world.at("session/local")).unwrap();
    }
    world.link("session/local", "kept");
    world.put("session/kept/a", "inside");
    assert_eq!(world.text("local://a"), "inside");
    // Folders that the user names may be links themselves.
    world.put("elsewhere/n.md", "note");
    world.link("memory", "elsewhere");
    assert_eq!(world.text("memory://n"), "note");
    world.link("fixed", world.at("session/kept"));
    world.places.session = Some(world.at("fixed"));
    world.put("fixed/local/b", "b");
    assert_eq!(world.text("local://b"), "b");
}

#[test]
fn what_is_no_file_is_not_waited_for() {
    let world = World::new().with("session/local/a", "a").with("project/.claude/skills/x/SKILL.md", "x");
    for path in ["session/local/fifo", "session/fifo.md", "session/fifo.jsonl", "project/.claude/rules/fifo.md"] {
        let path = world.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, &path, FileType::Fifo, Mode::RUSR, 0).unwrap();
    }
    for address in ["local://fifo", "agent://fifo", "history://fifo", "rule://fifo"] {
        assert_eq!(world.code(address), "host.not_regular", "{address}");
    }
    assert_eq!(world.text("rule://"), "");
    assert_eq!(world.text("agent://"), "");
}

#[test]
fn secrets_are_withheld_and_not_named() {
    let mut world = World::new().with("memory/.env", "KEY=1").with("memory/id_rsa", "x").with("memory/a.md", "a");
    world.put("memory/mine.txt", "m");
    world.places.deny = vec!["**/mine.txt".to_owned()];
    for address in ["memory://.env", "memory://id_rsa", "memory://mine.txt"] {
        assert_eq!(world.code(address), "host.denied_secret", "{address}");
    }
    let (_, words, _) = world.fails("memory://b");
    assert!(words.ends_with("there is a.md"), "{words}");
    world.places.stance = Stance::Warn;
    assert_eq!(world.text("memory://.env"), "KEY=1");
    assert_eq!(world.code("memory://mine.txt"), "host.denied_secret");
}

#[test]
fn a_very_long_name_is_not_found_and_said_in_short() {
    let world = World::new().with("session/local/a", "a").with("session/a.md", "a").with("vault/a.md", "a");
    let long = "x".repeat(1_000_000);
    for scheme in ["local", "memory", "vault", "skill", "rule", "agent", "history", "artifact", "readstone", "conflict"]
    {
        assert_eq!(world.code(&format!("{scheme}://{long}")), "resource.not_found", "{scheme}");
        let deep = format!("{scheme}://notes/{}", "y/".repeat(100_000));
        assert!(world.read(&deep).is_err(), "{scheme}");
    }
}

#[test]
fn notes_are_found_without_their_ending() {
    let world = World::new().with("memory/style.md", "tabs").with("memory/people/ann.md", "Ann");
    assert_eq!(world.text("memory://"), "people\nstyle.md");
    let note = world.read("memory://people/ann").unwrap();
    assert_eq!((note.path.as_str(), note.text.as_str(), note.editable), ("memory://people/ann.md", "Ann", true));
    assert_eq!(world.read("memory://style:-3").unwrap().selector, "-3");
    let mut world = World::new();
    assert_eq!(world.text("memory://"), "");
    world.places.memory = None;
    assert_eq!(world.code("memory://"), "resource.no_folder");
}

#[test]
fn vaults_are_listed_and_their_notes_found_by_name_anywhere() {
    let world = World::new().with("vault/Inbox.md", "in").with("vault/deep/er/Some Page.md", "found");
    world.put("vault/.obsidian/app.json", "{}");
    world.put("vault/.trash/Old.md", "old");
    world.put("vault/a/Twice.md", "1");
    world.put("vault/b/Twice.md", "2");
    assert_eq!(world.text("vault://"), "vault://notes\nvault://Work Notes  (cannot be opened)\n");
    for address in ["vault://notes", "vault://notes/", "vault://NOTES"] {
        let seen = world.read(address).unwrap();
        assert_eq!((seen.text.as_str(), seen.path.as_str()), ("Inbox.md\na\nb\ndeep", "vault://notes/"), "{address}");
    }
    assert_eq!(world.text("vault://notes/deep"), "er");
    let page = world.read("vault://notes/Some Page:1-3").unwrap();
    assert_eq!((page.path.as_str(), page.text.as_str()), ("vault://notes/deep/er/Some Page.md", "found"));
    assert!(page.editable);
    assert_eq!(world.text("vault://notes/some%20page"), "found");
    let (code, _, next) = world.fails("vault://notes/Twice");
    assert_eq!(
        (code.as_str(), next),
        ("resource.not_found", vec!["vault://notes/a/Twice.md".to_owned(), "vault://notes/b/Twice.md".to_owned(),])
    );
    for address in ["vault://notes/Old", "vault://other/x"] {
        assert_eq!(world.code(address), "resource.not_found", "{address}");
    }
    for address in ["vault://notes/.obsidian", "vault://notes/.obsidian/app.json", "vault://notes/.trash:1-2"] {
        let (code, words, next) = world.fails(address);
        assert_eq!((code.as_str(), next), ("resource.hidden", vec!["vault://".to_owned()]), "{address}");
        assert!(words.contains("is hidden: programs keep it"), "{words}");
    }
    assert_eq!(world.code("vault://Work%20Notes/x"), "resource.no_folder");
    let mut world = World::new();
    world.places.vaults.clear();
    assert_eq!(world.text("vault://"), "");
    assert_eq!(world.code("vault://notes"), "resource.no_folder");
}

#[test]
fn skills_are_found_in_the_usual_folders_the_nearest_first() {
    let mut world = World::new()
        .with("project/.claude/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: >-\n  Fills\n  forms\n---\n# PDF\n");
    world.put("project/.claude/skills/pdf/scripts/fill.py", "print()");
    world.put("home/.claude/skills/pdf/SKILL.md", "the user's");
    world.put("home/.config/opencode/skills/flat.md", "# Flat one\n");
    world.put("project/.github/skills/plugin:name/SKILL.md", "---\ndescription: \"Quoted\"\n---\n");
    world.put("project/.claude/skills/empty/notes.txt", "no skill");
    let listed = world.text("skill://");
    let rows = "skill://flat  Flat one\nskill://pdf  Fills forms\nskill://plugin:name  Quoted\n";
    assert_eq!(listed, rows);
    let skill = world.read("skill://pdf").unwrap();
    assert_eq!(skill.path, "skill://pdf/SKILL.md");
    assert!(skill.whole && !skill.editable && skill.text.ends_with("# PDF\n"));
    assert_eq!(world.read("skill://pdf:3-4").unwrap().selector, "3-4");
    assert!(world.read("skill://pdf/SKILL.md").unwrap().whole);
    let script = world.read("skill://pdf/scripts/fill.py:1").unwrap();
    assert!(!script.whole && !script.editable && script.text == "print()");
    assert_eq!(world.text("skill://pdf/"), "SKILL.md\nscripts");
    assert!(world.read("skill://plugin:name").is_ok() && world.read("skill://plugin:name:1-2").is_ok());
    assert_eq!(world.read("skill://flat").unwrap().path, "skill://flat.md");
    assert_eq!(world.read("skill://flat.md").unwrap().path, "skill://flat.md");
    let (code, words, next) = world.fails("skill://pfd:5");
    assert_eq!((code.as_str(), next), ("resource.not_found", vec!["skill://pdf".to_owned(), "skill://".to_owned()]));
    assert!(words.contains("'skill://pfd' does not exist; there are flat, pdf, plugin:name"), "{words}");
    let (_, _, next) = world.fails("skill://pdf/scripts/fil.py");
    assert_eq!(next, ["skill://pdf/scripts/fill.py", "skill://"]);
    world.put("further/pdf/SKILL.md", "configured");
    world.places.skills = vec![world.at("further")];
    assert_eq!(world.text("skill://pdf"), "configured");
}

#[test]
fn rules_are_found_by_name_in_folders_and_as_single_files() {
    let world =
        World::new().with("project/.cursor/rules/backend/api.mdc", "---\ndescription: The API\nglobs: src/**\n---\n");
    world.put("project/.github/instructions/ts.instructions.md", "---\napplyTo: '**/*.ts'\n---\nUse types\n");
    world.put("project/.clinerules", "cline");
    world.put("project/AGENTS.md", "# Agents\n");
    world.put("project/.cursorrules", "cursor");
    world.put("home/.claude/CLAUDE.md", "mine");
    world.put("home/.claude/rules/tone.md", "- a list\n");
    let rows = "rule://.clinerules  cline\nrule://.cursorrules  cursor\nrule://AGENTS  Agents\nrule://CLAUDE  mine\n\
        rule://backend/api  The API  [src/**]\nrule://tone  - a list\nrule://ts  Use types  [**/*.ts]\n";
    assert_eq!(world.text("rule://").replace("  ", " "), rows.replace("  ", " "));
    for (address, path) in [
        ("rule://backend/api", "rule://backend/api.mdc"),
        ("rule://backend/api.mdc", "rule://backend/api.mdc"),
        ("rule://ts", "rule://ts.instructions.md"),
        ("rule://AGENTS:1", "rule://AGENTS.md"),
        ("rule://agents", "rule://AGENTS.md"),
        ("rule://cursorrules", "rule://.cursorrules"),
        ("rule://.clinerules", "rule://.clinerules"),
        ("rule://CLAUDE.md", "rule://CLAUDE.md"),
        ("rule://tone", "rule://tone.md"),
    ] {
        let seen = world.read(address).unwrap();
        assert_eq!(seen.path, path);
        assert!(seen.whole && !seen.editable);
    }
    let (code, words, next) = world.fails("rule://bakend/api");
    assert_eq!(
        (code.as_str(), next),
        ("resource.not_found", vec!["rule://backend/api".to_owned(), "rule://".to_owned()])
    );
    assert!(words.contains("and ") || words.contains("there are"), "{words}");
}

#[test]
fn an_unknown_scheme_names_the_known_ones_with_their_forms() {
    let world = World::new();
    let (code, words, next) = world.fails("skil://pdf");
    assert_eq!((code.as_str(), next), ("resource.unknown_scheme", vec!["readstone://".to_owned()]));
    for form in
        ["artifact://[ID]", "skill://[NAME[/PATH]]", "conflict://[ID[/ours|/theirs|/base]]", "readstone://[PAGE"]
    {
        assert!(words.contains(form), "{words}");
    }
    let fault = world.read_by(&Router::default(), "x://y").unwrap_err();
    assert_eq!(fault.code(), "resource.unknown_scheme");
    assert_eq!(standard(&world.places).known().len(), 10);
    assert_eq!(world.text("SKILL://"), "");
}
