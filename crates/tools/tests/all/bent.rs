//! Arguments in other shapes than the schema says, as clients send them.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "the functions of this test make fixtures and stop where they cannot"
)]

use std::path::Path;

use readstone_base::{Reply, Status};
use readstone_tools::{Effect, Profile, Toolbox};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A directory with a few files, and a toolbox below it.
struct Stand {
    files: TempDir,
    toolbox: Toolbox,
}

impl Stand {
    fn new() -> Self {
        let files = TempDir::with_prefix("readstone-bent-").expect("a temporary directory");
        let stand = Self { toolbox: Toolbox::for_directory(files.path()).expect("a toolbox"), files };
        let twenty: String = (1..=20).map(|number| format!("line {number}\n")).collect::<Vec<_>>().concat();
        for (name, text) in [("a.txt", twenty.as_str()), ("b.txt", "bee\n"), ("src/c.txt", "sea\n"), ("5", "five\n")] {
            stand.file(name, text);
        }
        stand
    }

    fn path(&self) -> &Path {
        self.files.path()
    }

    fn file(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }

    fn content(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).expect(name)
    }

    fn call(&self, tool: &str, input: &Value) -> Reply {
        self.toolbox.call(tool, input, &self.toolbox.budget())
    }

    /// The text of a call that must succeed.
    fn text(&self, tool: &str, input: &Value) -> String {
        let reply = self.call(tool, input);
        assert_eq!(reply.status, Status::Ok, "{tool} {input}: {}", reply.text());
        reply.text()
    }

    /// The text of a call that must be refused for its arguments.
    fn refused(&self, tool: &str, input: &Value) -> String {
        let reply = self.call(tool, input);
        let code = reply.receipt.error.as_ref().map(|error| error.code);
        assert_eq!(code, Some("tool.bad_input"), "{tool} {input}: {}", reply.text());
        reply.text()
    }
}

#[test]
fn a_bent_argument_does_what_the_straight_one_does() {
    let stand = Stand::new();
    let (a, ab) = (json!("[\"a.txt\"]"), json!("[\"a.txt\", \"b.txt\"]"));
    let pairs = [
        ("read", json!({ "path": ["a.txt"] }), json!({ "path": "a.txt" })),
        ("read", json!({ "path": a }), json!({ "path": "a.txt" })),
        ("read", json!({ "path": [a] }), json!({ "path": "a.txt" })),
        ("read", json!({ "path": "[\"a.txt:5-6\"]" }), json!({ "path": "a.txt:5-6" })),
        ("read", json!({ "path": ab }), json!({ "paths": ["a.txt", "b.txt"] })),
        ("read", json!({ "path": ["a.txt", "b.txt"] }), json!({ "paths": ["a.txt", "b.txt"] })),
        ("read", json!({ "path": "", "paths": ["a.txt"] }), json!({ "path": "a.txt" })),
        ("read", json!({ "path": "a.txt", "paths": [] }), json!({ "path": "a.txt" })),
        ("read", json!({ "path": ab, "paths": [] }), json!({ "paths": ["a.txt", "b.txt"] })),
        ("read", json!({ "paths": "a.txt" }), json!({ "paths": ["a.txt"] })),
        ("read", json!({ "paths": ab }), json!({ "paths": ["a.txt", "b.txt"] })),
        ("read", json!({ "paths": [ab] }), json!({ "paths": ["a.txt", "b.txt"] })),
        ("read", json!({ "paths": " [ \"a.txt\" ]\n" }), json!({ "paths": ["a.txt"] })),
        ("read", json!({ "path": "a.txt", "start_line": "5" }), json!({ "path": "a.txt", "start_line": 5 })),
        ("read", json!({ "path": "a.txt", "end_line": "5.0" }), json!({ "path": "a.txt", "end_line": 5 })),
        ("read", json!({ "path": "a.txt", "max_lines": 5.0 }), json!({ "path": "a.txt", "max_lines": 5 })),
        ("read", json!({ "path": "a.txt", "raw": "True" }), json!({ "path": "a.txt", "raw": true })),
        ("read", json!({ "path": "a.txt", "raw": "false", "paths": null }), json!({ "path": "a.txt" })),
        ("find", json!({ "paths": "[\"src\"]" }), json!({ "paths": ["src"] })),
        ("find", json!({ "paths": ["[\"*.txt\"]", "src"] }), json!({ "paths": ["*.txt", "src"] })),
        ("find", json!({ "paths": ".", "limit": "2" }), json!({ "paths": ["."], "limit": 2 })),
        ("find", json!({ "paths": ".", "gitignore": "FALSE" }), json!({ "paths": ["."], "gitignore": false })),
        ("find", json!({ "paths": ".", "timeout": "0.5" }), json!({ "paths": ["."], "timeout": 0.5 })),
        ("search", json!({ "pattern": "e", "paths": "[\"src\"]" }), json!({ "pattern": "e", "paths": ["src"] })),
        ("search", json!({ "pattern": ["e"], "paths": ["."] }), json!({ "pattern": "e", "paths": ["."] })),
        (
            "search",
            json!({ "pattern": "BEE", "paths": ".", "i": "true", "skip": "0", "max_tokens": "500" }),
            json!({ "pattern": "BEE", "paths": ["."], "i": true, "skip": 0, "max_tokens": 500 }),
        ),
        (
            "write",
            json!({ "path": "[\"new.txt\"]", "content": "x", "dry_run": "true", "if_tag": null }),
            json!({ "path": "new.txt", "content": "x", "dry_run": true }),
        ),
    ];
    for (tool, bent, straight) in pairs {
        assert_eq!(stand.text(tool, &bent), stand.text(tool, &straight), "{tool} {bent}");
    }
}

#[test]
fn the_tools_that_change_files_take_bent_addresses_and_flags() {
    let stand = Stand::new();
    stand.text("write", &json!({ "path": "[\"new.txt\"]", "content": "one\n" }));
    assert_eq!(stand.content("new.txt"), "one\n");
    let header = stand.text("read", &json!({ "path": "new.txt" })).lines().next().unwrap().to_owned();
    stand.text("edit", &json!({ "input": [format!("{header}\nreplace 1:\n+two\n")], "dry_run": "False" }));
    assert_eq!(stand.content("new.txt"), "two\n");
    stand.text("undo", &json!({ "path": ["new.txt"], "dry_run": "false" }));
    assert_eq!(stand.content("new.txt"), "one\n");
}

#[test]
fn a_search_or_a_find_never_takes_a_list_for_a_glob() {
    let stand = Stand::new();
    for paths in [json!("[\"src\"]"), json!(["[\"src\"]"])] {
        let found = stand.text("search", &json!({ "pattern": "sea", "paths": paths }));
        assert!(found.contains("*1:sea"), "{found}");
        let found = stand.text("find", &json!({ "paths": paths }));
        assert!(found.contains("c.txt"), "{found}");
    }
    let reply = stand.call("search", &json!({ "pattern": "sea", "paths": "[\"nothing\"]" }));
    assert!(matches!(reply.status, Status::Error(_)), "{}", reply.text());
    // A list of numbers is a class of characters, as ever.
    let found = stand.text("find", &json!({ "paths": "[5]" }));
    assert!(found.contains('5'), "{found}");
}

#[test]
fn a_file_that_is_called_like_a_list_is_opened_by_that_name() {
    let stand = Stand::new();
    stand.file("[\"a.txt\"]", "the list itself\n");
    for input in
        [json!({ "path": "[\"a.txt\"]" }), json!({ "paths": "[\"a.txt\"]" }), json!({ "paths": ["[\"a.txt\"]"] })]
    {
        let text = stand.text("read", &input);
        assert!(text.contains("1:the list itself"), "{text}");
    }
    let found = stand.text("search", &json!({ "pattern": "itself", "paths": "[\"a.txt\"]" }));
    assert!(found.contains("*1:the list itself"), "{found}");
    stand.text("write", &json!({ "path": "./[\"b.txt\"]", "content": "by its full name\n" }));
    assert_eq!(stand.content("[\"b.txt\"]"), "by its full name\n");
    assert_eq!(stand.content("b.txt"), "bee\n");
}

#[test]
fn an_address_in_a_list_is_judged_as_any_other() {
    let stand = Stand::new();
    stand.file(".env", "KEY=1\n");
    for address in [".env", "../outside.txt", "/etc/passwd", "nothing.txt"] {
        let plain = stand.call("read", &json!({ "path": address }));
        let bent = stand.call("read", &json!({ "path": json!([address]).to_string() }));
        assert_eq!((plain.status, plain.text()), (bent.status, bent.text()), "{address}");
        assert!(matches!(plain.status, Status::Error(_)), "{address}");
    }
}

#[test]
fn text_arrives_byte_for_byte_whatever_it_looks_like() {
    let stand = Stand::new();
    for content in ["true", "5", "5.0", "null", "[\"a.txt\"]", "[]", " [\"x\"]\n", "{\"a\": 1}"] {
        stand.text("write", &json!({ "path": "out.txt", "content": content }));
        assert_eq!(stand.content("out.txt"), content);
    }
    for pattern in ["true", "5", "5.0", "null"] {
        stand.file("hay.txt", &format!("before\n{pattern}\n"));
        let found = stand.text("search", &json!({ "pattern": pattern, "paths": "hay.txt" }));
        assert!(found.contains(&format!("*2:{pattern}")), "{found}");
    }
    // As a pattern, a list is a class of characters.
    let found = stand.text("search", &json!({ "pattern": "[\"b\"]", "paths": "b.txt" }));
    assert!(found.contains("*1:bee"), "{found}");
    let reply = stand.call("edit", &json!({ "input": "[\"a.txt\"]" }));
    assert!(matches!(reply.status, Status::Error(_)), "a list is not a patch: {}", reply.text());
    let refused = stand.refused("write", &json!({ "path": "out.txt", "content": ["x"] }));
    assert!(refused.contains("content"), "a list of one may be the content itself: {refused}");
}

#[test]
fn what_cannot_be_mended_is_refused_with_its_field_and_what_it_takes() {
    let stand = Stand::new();
    let whole = "expected a whole number";
    let cases = [
        ("read", json!({ "path": "a.txt", "max_lines": "10 lines" }), ["max_lines: ", whole]),
        ("read", json!({ "path": "a.txt", "max_lines": " 10" }), ["max_lines: ", whole]),
        ("read", json!({ "path": "a.txt", "max_lines": "1e3" }), ["max_lines: ", whole]),
        ("read", json!({ "path": "a.txt", "max_lines": "" }), ["max_lines: ", whole]),
        ("read", json!({ "path": "a.txt", "max_lines": "5.5" }), ["max_lines: ", whole]),
        ("read", json!({ "path": "a.txt", "max_lines": "-5" }), ["max_lines: ", whole]),
        ("read", json!({ "path": "a.txt", "max_lines": "9".repeat(400) }), ["max_lines: ", whole]),
        ("read", json!({ "path": "a.txt", "raw": "yes" }), ["raw: ", "expected a boolean"]),
        ("read", json!({ "path": "a.txt", "raw": 1 }), ["raw: ", "expected a boolean"]),
        ("read", json!({ "path": 5 }), ["path: ", "expected a string"]),
        ("read", json!({ "path": "[\"a.txt\", \"b.txt\"]", "paths": ["5"] }), ["path: ", "in `paths`"]),
        ("read", json!({ "paths": ["a.txt", 5] }), ["paths[1]: ", "expected a string"]),
        ("read", json!({ "paths": 5 }), ["paths: ", "expected a text or a list of texts"]),
        ("read", json!({ "file": "a.txt" }), ["unknown field `file`", "`path`"]),
        ("find", json!({ "paths": ".", "limit": "ten" }), ["limit: ", "expected a number"]),
        ("search", json!({ "pattern": "x", "paths": ".", "case": "1" }), ["unknown field `case`", "`pattern`"]),
        ("write", json!({ "path": "[\"a\", \"b\"]", "content": "x" }), ["path: ", "not a list of 2"]),
        ("undo", json!({ "path": ["a.txt", "b.txt"] }), ["path: ", "not a list of 2"]),
        ("edit", json!({ "input": ["a", "b"] }), ["input: ", "expected a string"]),
    ];
    for (tool, input, words) in cases {
        let text = stand.refused(tool, &input);
        assert!(words.iter().all(|words| text.contains(words)), "{tool} {input}: {text}");
    }
    assert!(!stand.path().join("[\"a\", \"b\"]").exists());
}

#[test]
fn the_other_profiles_take_bent_arguments_too() {
    let stand = Stand::new();
    let path = stand.path().join("a.txt");
    for profile in [Profile::Lines, Profile::Windows] {
        let toolbox = stand.toolbox.clone().with_tools(profile.pick(&[], Effect::Reads).unwrap());
        let first = if profile == Profile::Lines { "offset" } else { "start_line" };
        let read = |input: &Value| toolbox.call("read_file", input, &toolbox.budget()).text();
        let straight = read(&json!({ "path": path, first: 7 }));
        assert!(straight.contains("line 7") && !straight.contains("line 3"), "{straight}");
        assert_eq!(read(&json!({ "path": [path], first: "7" })), straight);
        assert_eq!(read(&json!({ "path": json!([path]).to_string(), first: "7.0" })), straight);
    }
}
