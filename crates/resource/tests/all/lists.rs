//! Lists of what a scheme holds: what is listed opens, what is not there is told from what is near.

#![expect(clippy::unwrap_used, reason = "helpers of tests are tests too")]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;

use crate::world::World;

#[test]
fn lists_are_bounded() {
    let mut world = World::new();
    for number in 0..10_100 {
        world.places.vaults.push((format!("v{number}"), world.at("gone")));
    }
    let listed = world.text("vault://");
    assert_eq!(listed.lines().count(), 10_001);
    assert!(listed.ends_with("… 102 more\n"), "{}", &listed[listed.len() - 40..]);
    for number in 0..10_001 {
        world.put(&format!("project/.claude/rules/r{number}.md"), "rule");
    }
    let listed = world.text("rule://");
    assert!(listed.ends_with("\n… and perhaps more\n"));
    assert_eq!(listed.lines().count(), 10_001);
    let page = format!("---\ndescription: {}\u{202e}\u{1b}[31m\n---\n", "long ".repeat(1_000));
    world.put("project/.claude/skills/long/SKILL.md", page);
    world.put("project/.claude/skills/odd/SKILL.md", "---\ndescription: a\u{202e}b\u{1b}[31m\n---\n");
    let listed = world.text("skill://");
    assert!(listed.len() < 500 && listed.contains("skill://odd  a<U+202E>b\\x1b[31m\n"), "{listed}");
}

/// The addresses that a list names.
fn addresses(world: &World, list: &str) -> Vec<String> {
    world.text(list).lines().map(|row| row.split("  ").next().unwrap().to_owned()).collect()
}

#[test]
fn what_is_listed_opens_and_what_leads_out_hides_nothing() {
    let world = World::new().with("secret", "secret").with("home/.claude/CLAUDE.md", "mine");
    world.link("project/CLAUDE.md", "../secret");
    world.put("home/.claude/rules/tone.md", "my tone");
    world.link("project/.claude/rules/tone.md", world.at("secret"));
    world.link("project/.claude/rules/leak.md", world.at("secret"));
    world.put("home/.claude/skills/pdf/SKILL.md", "my pdf");
    world.link("project/.claude/skills/pdf/SKILL.md", world.at("secret"));
    world.put("home/.claude/skills/flat.md", "my flat");
    world.link("project/.claude/skills/flat.md", "nowhere");
    world.link("project/.claude/skills/gone/SKILL.md", world.at("secret"));
    assert_eq!(addresses(&world, "rule://"), ["rule://CLAUDE", "rule://tone"]);
    assert_eq!(addresses(&world, "skill://"), ["skill://flat", "skill://pdf"]);
    for (address, text) in
        [("rule://CLAUDE", "mine"), ("rule://tone", "my tone"), ("skill://pdf", "my pdf"), ("skill://flat", "my flat")]
    {
        assert_eq!(world.text(address), text, "{address}");
    }
    for (address, list) in [("rule://leak", "rule://"), ("skill://gone", "skill://")] {
        let (code, words, next) = world.fails(address);
        assert_eq!((code.as_str(), next), ("host.outside_root", vec![list.to_owned()]));
        assert!(words.contains("a link on its way leads out of its folder"), "{words}");
    }
}

#[test]
fn outputs_and_transcripts_are_listed_by_addresses_that_open() {
    let world = World::new().with("secret", "secret").with("session/a.md", "four").with("session/t.jsonl", "{}");
    for (file, text) in
        [("why?.md", "1"), ("100%?a.txt", "2"), (":5.md", "3"), ("..md", "4"), ("%41.md", "5"), ("x:1-2.md", "6")]
    {
        world.put(&format!("session/{file}"), text);
    }
    world.put("session/history/why?.jsonl", "{}");
    for ending in ["md", "jsonl"] {
        world.link(&format!("session/out.{ending}"), world.at("secret"));
        world.link(&format!("session/gone.{ending}"), "nowhere");
        world.link(&format!("session/folder.{ending}"), "history");
    }
    world.link("session/linked.md", "a.md");
    world.link("session/linked.jsonl", "t.jsonl");
    let odd = OsStr::from_bytes(b"o\xffd?\x1b");
    for ending in [".md", ".jsonl"] {
        let mut name = odd.to_owned();
        name.push(ending);
        fs::write(world.at("session/a.md").with_file_name(name), "7").unwrap();
    }
    let listed = addresses(&world, "agent://");
    assert_eq!(listed.len(), 9, "{listed:?}");
    assert!(world.text("agent://").contains("agent://linked  4 bytes\n"));
    let mut texts: Vec<String> = listed.iter().map(|address| world.text(address)).collect();
    texts.sort();
    assert_eq!(texts, ["1", "2", "3", "4", "5", "6", "7", "four", "four"]);
    let listed = addresses(&world, "history://");
    assert_eq!(listed.len(), 4, "{listed:?}");
    for address in listed {
        assert!(world.read(&address).is_ok(), "{address}");
    }
}

#[test]
fn names_that_are_not_utf8_are_listed_and_open() {
    let world = World::new().with("project/.claude/skills/x/SKILL.md", "x").with("project/.claude/rules/sub/x.md", "x");
    world.put("vault/x.md", "x");
    let put = |above: &str, name: &[u8]| {
        let path = world.at(above).join(OsStr::from_bytes(name));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "odd").unwrap();
    };
    put("project/.claude/skills", b"f\xfe.md");
    put("project/.claude/skills", b"d\xfe/SKILL.md");
    put("project/.claude/rules", b"sub/r\xfe.md");
    put("vault", b"deep\xfe/n\xfe.md");
    assert_eq!(addresses(&world, "skill://"), ["skill://d\\xfe", "skill://f\\xfe", "skill://x"]);
    assert_eq!(addresses(&world, "rule://"), ["rule://sub/r\\xfe", "rule://sub/x"]);
    for address in ["skill://d\\xfe", "skill://f\\xfe", "rule://sub/r\\xfe", "vault://notes/n\\xfe"] {
        assert_eq!(world.text(address), "odd", "{address}");
    }
}

#[test]
fn vaults_list_what_opens_and_names_that_look_encoded_are_names() {
    let mut world = World::new().with("vault/%2e%2e", "name").with("vault/a.md", "a").with("secret", "s");
    world.link("vault/out.md", "../secret");
    let seen = world.read("vault://notes").unwrap();
    assert_eq!((seen.text.as_str(), seen.links), ("%2e%2e\na.md\nout.md", vec!["../secret".to_owned()]));
    assert_eq!(world.text("vault://notes/%2e%2e"), "name");
    assert_eq!(world.code("vault://notes/%2e%2e/a.md"), "resource.bad_address");
    assert_eq!(world.code("vault://notes/b/%2e%2e/%2e%2e"), "resource.bad_address");
    world.places.vaults.push((String::new(), world.at("vault")));
    world.places.vaults.push(("a/b".to_owned(), world.at("vault")));
    assert_eq!(addresses(&world, "vault://"), ["vault://notes", "vault://Work Notes"]);
    let (code, words, _) = world.fails("vault:///a.md");
    assert!(code == "resource.not_found" && words.ends_with("there are notes, Work Notes"), "{words}");
}

#[test]
fn only_names_that_are_near_are_offered() {
    let world = World::new().with("vault/Inbox.md", "x").with("vault/Some Page.md", "x").with("vault/ab", "x");
    world.put("vault/deep/er/Recipe.md", "x");
    for (address, next) in [
        ("vault://notes/Missing", vec!["vault://"]),
        ("vault://notes/xy", vec!["vault://"]),
        ("vault://notes/Inbx", vec!["vault://notes/Inbox.md", "vault://"]),
        ("vault://notes/page", vec!["vault://notes/Some Page.md", "vault://"]),
        ("vault://notes/deep/er/Recipes", vec!["vault://notes/deep/er/Recipe.md", "vault://"]),
    ] {
        assert_eq!(world.fails(address).2, next, "{address}");
    }
}
