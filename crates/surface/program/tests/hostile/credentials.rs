//! Credentials in git configurations, and private keys among public ones: the row K06 of `docs/hostile.md`.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test looks at what the program left; a fixture that is not there must stop it"
)]

use std::fs;
use std::path::Path;

use readstone_testkit::{Archive, CANARY, Fixture, Served, Spoken, World, ZipItem};
use serde_json::{Value, json};

const REVISION: &str = "2025-11-25";
/// Every form of a credential; `SECRET` stands for the word.
const CONFIG: &str = "\
[core]
\tbare = false
[remote \"origin\"]
\turl = https://me:SECRET@example.com/a.git
\tpushurl = \"https://SECRET@example.com/a.git\"
[url \"https://SECRET:x-oauth@example.com/\"]
\tinsteadOf = https://example.com/
[http \"https://example.com/\"]
\tExtraHeader = AUTHORIZATION: basic SECRET
\textraheader = \"X-Token: \\
  SECRET\"
\tproxy = http://me:SECRET@proxy.example.com:3128
[credential]
\thelper = \"!f() { echo username=me; echo password=SECRET; }; f\"
# url = https://me:SECRET@example.com/
[branch \"main\"]
\tremote = origin
";
/// Where the configurations are.
const CONFIGS: [&str; 9] = [
    "r/.git/config",
    "r/.git/config.worktree",
    "r/.git/modules/m/config",
    "r/.git/config.bak",
    "bare.git/config",
    ".gitmodules",
    ".gitconfig",
    ".config/git/config",
    "r/.GIT2.git/CONFIG",
];
/// Addresses that lead to one of them.
const OTHERS: [&str; 6] = [
    "plain.txt",
    "around/config",
    "r//.git/../.git/config",
    "a.zip:r/.git/config",
    "a.tar.gz:r/.git/config",
    "a.zip/r/.git/config",
];
/// Parts that show lines, and parts that show bytes.
const LINES: [&str; 14] = [
    "",
    ":1-",
    ":4",
    ":4-4",
    ":4-5,9-11",
    ":-3",
    ":9:20",
    ":outline",
    ":conflicts",
    ":^4",
    ":^^9",
    ":all",
    ":source",
    "#0000",
];
const BYTES: [&str; 6] = [":raw", ":4-5:raw", ":hex", ":hex:b0+400", ":b0+400", ":b60"];

fn config() -> String {
    CONFIG.replace("SECRET", CANARY)
}

fn world() -> World {
    let mut world = World::new(env!("CARGO_BIN_EXE_readstone"));
    let state = world.path().join("state");
    world.set("XDG_STATE_HOME", state.display().to_string());
    for name in CONFIGS {
        world.file(name, config());
    }
    Fixture::link("r/.git/config", &world.path().join("plain.txt"));
    Fixture::link("r/.git", &world.path().join("around"));
    pack(&world, &["r/.git/config", ".gitmodules"]);
    world
}

/// Packs files into two archives.
fn pack(world: &World, names: &[&str]) {
    let bytes = |name: &str| fs::read(world.path().join(name)).unwrap();
    let items: Vec<ZipItem> = names.iter().map(|name| ZipItem::stored(name, &bytes(name))).collect();
    let entries: Vec<Vec<u8>> = names.iter().map(|name| Archive::tar_entry(name, b'0', &bytes(name))).collect();
    world.file("a.zip", Archive::zip(&items));
    world.file("a.tar.gz", Archive::gzip(&Archive::tar(&entries)));
}

/// The text of all that came back, which must not hold the word.
fn clean(what: &str, text: String) -> String {
    assert!(!text.contains(CANARY), "{what}: {text}");
    text
}

/// Files of the state, none of which may hold the word.
fn check_state(world: &World) {
    let files = count_clean(&world.path().join("state"));
    assert!(files > 0, "nothing was kept");
}

fn count_clean(directory: &Path) -> usize {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let count = |path: &Path| {
        if path.is_dir() {
            return count_clean(path);
        }
        let bytes = fs::read(path).unwrap_or_default();
        let found = bytes.windows(CANARY.len()).any(|part| part == CANARY.as_bytes());
        assert!(!found, "{}", path.display());
        1
    };
    entries.map(|entry| count(&entry.path())).sum()
}

#[test]
fn k06_no_way_to_read_shows_a_credential() {
    let world = world();
    let root = world.path().display().to_string();
    let server = Served::start::<&str>(&world, []);
    let mut client = Spoken::start::<&str>(&world, [], REVISION);
    for address in CONFIGS.iter().chain(&OTHERS) {
        for part in LINES.iter().chain(&BYTES) {
            let input = json!({ "path": format!("{address}{part}") });
            let rest = server.call("read", &input);
            let text = clean(&format!("{input}"), rest.text());
            let spoken = client.call("read", &input);
            let posted = server.mcp("tools/call", json!({ "name": "read", "arguments": input })).json();
            clean(&format!("{input}"), format!("{spoken}{posted}"));
            if BYTES.contains(part) {
                assert_eq!(rest.status, 403, "{input}: {text}");
                assert!(text.contains("host.masked"), "{input}: {text}");
            }
        }
        let whole = server.call("read", &json!({ "path": address })).text();
        assert!(whole.contains("masked with *") && whole.contains("remote = origin"), "{address}: {whole}");
        let path = format!("{root}/{address}");
        let bytes = server.get(&format!("/api/v0/read-file?path={path}"));
        clean(address, bytes.text());
        let lines = server.get(&format!("/api/v0/read-file-lines?path={path}"));
        clean(address, lines.text());
        let resource = client.request("resources/read", &json!({ "uri": format!("file://{path}") }));
        clean(address, resource.to_string());
    }
    let lines = server.get(&format!("/api/v0/read-file-lines?path={root}/r/.git/config")).json();
    assert_eq!(lines["success"], true, "{lines}");
    assert!(lines["note"].as_str().is_some_and(|note| note.contains("masked")), "{lines}");
    assert_eq!(server.get(&format!("/api/v0/read-file?path={root}/r/.git/config")).status, 403);
    clean("outline", server.call("read", &json!({ "path": "r/.git:outline" })).text());
    drop((server, client));
    check_state(&world);
}

#[test]
fn k06_no_search_finds_a_credential() {
    let world = world();
    let server = Served::start::<&str>(&world, []);
    for place in [".", "r/.git", "r/.git/config", ".gitmodules", "plain.txt", "a.zip", "a.tar.gz", "bare.git"] {
        for pattern in [CANARY, "me:CAN", "basic C[A-Z]+", "@example", "(?s)CAN.*Y"] {
            let input = json!({ "pattern": pattern, "paths": place, "gitignore": false });
            let reply = server.call("search", &input).text();
            assert!(!reply.contains("CANARY@") && !reply.contains("=CANARY;"), "{input}: {reply}");
            if pattern == CANARY {
                assert!(!reply.contains("*4:") && !reply.contains("*9:"), "{input}: {reply}");
            }
        }
    }
    let beside = server.call("search", &json!({ "pattern": "example", "paths": "r/.git/config" })).text();
    assert!(clean("beside", beside.clone()).contains("*********@example.com"), "{beside}");
}

#[test]
fn k06_the_command_line_masks_them_without_roots() {
    let world = world();
    for address in CONFIGS.iter().chain(&OTHERS) {
        for part in LINES.iter().chain(&BYTES) {
            let run = world.read(format!("{address}{part}"));
            clean(address, format!("{}{}", run.text(), run.stderr));
            assert_eq!(run.code == Some(4), BYTES.contains(part), "{address}{part}: {}", run.stderr);
        }
    }
    for more in [&["search", "example", "r/.git/config"][..], &["search", "--json", "example", "a.zip"]] {
        let run = world.run(more);
        assert!(clean("search", format!("{}{}", run.text(), run.stderr)).contains("example.com"), "{}", run.stderr);
    }
    check_state(&world);
}

#[test]
fn k06_the_tools_of_other_profiles_mask_them_too() {
    let world = world();
    let root = world.path().display().to_string();
    for profile in ["lines", "windows"] {
        let mut client = Spoken::start(&world, ["--profile", profile], REVISION);
        for name in CONFIGS {
            let path = format!("{root}/{name}");
            for input in [
                json!({ "path": path }),
                json!({ "path": path, "offset": 4, "limit": 3 }),
                json!({ "path": path, "start_line": 4, "end_line": 9 }),
                json!({ "path": path, "start_byte": 40, "max_bytes": 200 }),
            ] {
                clean(profile, client.call("read_file", &input).to_string());
            }
            let whole = client.call("read_file", &json!({ "path": path })).to_string();
            assert!(whole.contains("remote = origin") && whole.contains("masked"), "{profile}: {whole}");
        }
    }
}

/// The tag of a file as it is shown.
fn tag_of(server: &Served, path: &str) -> String {
    let text = server.call("read", &json!({ "path": path })).text();
    let header = text.split("¶").nth(1).unwrap_or_default();
    header.split('#').nth(1).unwrap_or_default().chars().take(4).collect()
}

#[test]
fn k06_changes_keep_credentials_and_show_none() {
    let world = world();
    let server = Served::start::<&str>(&world, []);
    let file = world.path().join("r/.git/config");
    let now = || fs::read_to_string(&file).unwrap();
    let edit = |operation: &str, more: Value| {
        let tag = tag_of(&server, "r/.git/config");
        let mut input = json!({ "input": format!("¶r/.git/config#{tag}\n{operation}\n") });
        if more == json!(true) {
            input["dry_run"] = json!(true);
        }
        let reply = server.call("edit", &input);
        (reply.status, clean(operation, reply.text()))
    };
    for dry in [true, false] {
        let (status, text) = edit("replace 2:\n+\tbare = true\ndelete 17", json!(dry));
        assert_eq!(status, 200, "{text}");
    }
    let kept = config().replace("bare = false", "bare = true").replace("\tremote = origin\n", "");
    assert_eq!(now(), kept);
    for operation in [
        "delete 4",
        "replace 4:\n+\turl = https://example.com/",
        "delete 3..5",
        "replace 11:\n+ x\"",
        "insert after 10:\n+x = y",
        "replace 15:\n+# nothing",
    ] {
        let (status, text) = edit(operation, json!(false));
        assert_eq!(status, 403, "{operation}: {text}");
        assert!(text.contains("host.masked"), "{operation}: {text}");
        assert_eq!(now(), kept, "{operation}");
    }
    let stale = server.call("edit", &json!({ "input": "¶r/.git/config#0000\nreplace 4..9:\n+x\n" }));
    clean("stale", stale.text());
    for path in ["r/.git/config", "plain.txt", "a.zip:r/.git/config"] {
        for dry_run in [true, false] {
            let input = json!({ "path": path, "content": "[core]\n", "dry_run": dry_run });
            let reply = server.call("write", &input);
            assert_eq!(reply.status, 403, "{input}: {}", clean(path, reply.text()));
        }
    }
    let undone = server.call("undo", &json!({}));
    assert_eq!(undone.status, 200, "{}", clean("undo", undone.text()));
    assert_eq!(now(), config());
    fs::write(&file, config().replace("main", "other")).unwrap();
    clean("since", server.call("read", &json!({ "path": "r/.git/config#0000" })).text());
    drop(server);
    check_state(&world);
}

#[test]
fn k06_what_a_caller_writes_is_masked_when_it_comes_back() {
    let world = world();
    let server = Served::start::<&str>(&world, []);
    let content = config();
    for dry_run in [true, false] {
        let made = server.call("write", &json!({ "path": "new/.git/config", "content": content, "dry_run": dry_run }));
        assert_eq!(made.status, 200, "{}", clean("write", made.text()));
    }
    assert_eq!(fs::read_to_string(world.path().join("new/.git/config")).unwrap(), content);
    let undone = server.call("undo", &json!({ "path": "new/.git/config", "dry_run": true }));
    assert_eq!(undone.status, 200, "{}", clean("undo", undone.text()));
    world.file("b/.git/config", "[core]\n\tbare = true\n");
    let tag = tag_of(&server, "b/.git/config");
    let input =
        format!("¶b/.git/config#{tag}\ninsert tail:\n+[remote \"a\"]\n+\turl = https://{CANARY}@example.com/\n");
    let edited = server.call("edit", &json!({ "input": input }));
    assert_eq!(edited.status, 200, "{}", clean("edit", edited.text()));
    let undone = server.call("undo", &json!({}));
    assert_eq!(undone.status, 200, "{}", clean("undo", undone.text()));
    assert_eq!(fs::read_to_string(world.path().join("b/.git/config")).unwrap(), "[core]\n\tbare = true\n");
    drop(server);
    check_state(&world);
}

#[test]
fn k06_a_git_configuration_too_large_to_look_through_is_withheld() {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    world.file(".git/config", format!("{}\n# {}\n", config(), "x".repeat(4 * 1024 * 1024)));
    let server = Served::start::<&str>(&world, []);
    for part in ["", ":1-3", ":raw", ":hex"] {
        let reply = server.call("read", &json!({ "path": format!(".git/config{part}") }));
        assert_eq!(reply.status, 403, "{part}: {}", clean(part, reply.text()));
    }
    let found = server.call("search", &json!({ "pattern": "origin", "paths": ".git" })).text();
    assert!(!found.contains("*3:"), "{found}");
}

#[test]
fn k06_public_keys_are_read_and_private_ones_never() {
    let block = |label: &str, data: &str| format!("-----BEGIN {label}-----\n{data}\n-----END {label}-----\n");
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    let public = format!("# An authority\n{}{}", block("CERTIFICATE", "MIIB"), block("PUBLIC KEY", "MIIB"));
    world.file("ca.pem", &public);
    world.file("server.key", &public);
    world.file("both.pem", format!("{public}{}", block("PRIVATE KEY", CANARY)));
    world.file("bare.pem", format!("{public}{}{CANARY}\n", "A".repeat(60)));
    world.file("text.key", format!("secret={CANARY}\n"));
    world.file(".ssh/ca.pem", format!("{public}# {CANARY}\n"));
    Fixture::link("ca.pem", &world.path().join("link.pem"));
    Fixture::link("both.pem", &world.path().join("other.pem"));
    for name in ["ca.pem", "both.pem", ".ssh/ca.pem"] {
        world.file(format!("in/{name}"), fs::read(world.path().join(name)).unwrap());
    }
    pack(&world, &["in/ca.pem", "in/both.pem", "in/.ssh/ca.pem"]);
    let server = Served::start::<&str>(&world, []);
    for archive in ["a.zip", "a.tar.gz"] {
        let listing = server.call("read", &json!({ "path": format!("{archive}:in") })).text();
        assert!(listing.contains("ca.pem") && listing.contains("withheld"), "{listing}");
        assert!(!listing.contains("both.pem"), "{listing}");
        assert_eq!(server.call("read", &json!({ "path": format!("{archive}:in/ca.pem") })).status, 200);
        for name in ["both.pem", ".ssh/ca.pem"] {
            let reply = server.call("read", &json!({ "path": format!("{archive}:in/{name}") }));
            assert_eq!(reply.status, 403, "{name}: {}", clean(name, reply.text()));
        }
        clean(archive, server.call("search", &json!({ "pattern": "MIIB|CAN", "paths": archive })).text());
    }
    for name in ["ca.pem", "server.key", "link.pem"] {
        for part in ["", ":raw", ":2-3"] {
            let reply = server.call("read", &json!({ "path": format!("{name}{part}") }));
            assert_eq!(reply.status, 200, "{name}{part}: {}", reply.text());
        }
    }
    for name in ["both.pem", "bare.pem", "text.key", ".ssh/ca.pem", "other.pem"] {
        for part in ["", ":raw", ":hex", ":1"] {
            let reply = server.call("read", &json!({ "path": format!("{name}{part}") }));
            assert_eq!(reply.status, 403, "{name}{part}: {}", clean(name, reply.text()));
        }
    }
    let listing = server.call("read", &json!({ "path": "." })).text();
    assert!(listing.contains("ca.pem") && listing.contains("withheld") && !listing.contains("both.pem"), "{listing}");
    let found = server.call("find", &json!({ "paths": "**/*.{pem,key}" })).text();
    assert!(found.contains("server.key") && !found.contains("text.key"), "{found}");
    let sought = server.call("search", &json!({ "pattern": "MIIB", "paths": "." })).text();
    assert!(sought.contains("ca.pem") && !clean("search", sought.clone()).contains("both.pem"), "{sought}");
    let written = server.call("write", &json!({ "path": "ca.pem", "content": "x\n" }));
    assert_eq!(written.status, 403, "{}", written.text());
}
