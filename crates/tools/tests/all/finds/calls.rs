//! What a call can name, and what it is told.

use readstone_base::{Count, Limits};
use serde_json::json;

use super::stand::{Stand, exactly};

#[test]
fn entries_lead_to_what_they_say() {
    let stand = Stand::new();
    stand.files(&["a.ts", "src/b.ts", "src/sub/c.ts", "src/sub/d.rs", ".dot/e.ts", "docs/x.md", "home/h.ts"]);
    let rows: &[(&[&str], &[&str])] = &[
        (&["*.ts"], &[".dot/e.ts", "a.ts", "home/h.ts", "src/b.ts", "src/sub/c.ts"]),
        (&["./*.ts"], &["a.ts"]),
        (&["src/*.ts"], &["src/b.ts"]),
        (&["src/**/*.ts"], &["src/b.ts", "src/sub/c.ts"]),
        (&["./src/sub/*"], &["src/sub/c.ts", "src/sub/d.rs"]),
        (&["src"], &["src/b.ts", "src/sub/c.ts", "src/sub/d.rs"]),
        (&["src/"], &["src/b.ts", "src/sub/c.ts", "src/sub/d.rs"]),
        (&["src\\sub\\*.rs"], &["src/sub/d.rs"]),
        (&["~/*.ts"], &["~/h.ts"]),
        (&["{docs,src}/*.{md,ts}"], &["docs/x.md", "src/b.ts"]),
        (&["src/b.ts"], &["src/b.ts"]),
        (&["docs/*.md,src/*.ts"], &["docs/x.md", "src/b.ts"]),
        (&["docs src/sub"], &["docs/x.md", "src/sub/c.ts", "src/sub/d.rs"]),
        (&["docs/x.md", "src/b.ts"], &["docs/x.md", "src/b.ts"]),
    ];
    for (entries, paths) in rows {
        assert_eq!(stand.all(entries), *paths, "{entries:?}");
    }
    let absolute = format!("{}/src/*.ts", stand.path().display());
    assert_eq!(stand.all(&[&absolute]), [absolute.replace('*', "b")]);
    let url = format!("file://{}/src/*.ts", stand.path().display());
    assert_eq!(stand.all(&[&url]), [absolute.replace('*', "b")]);
}

#[test]
fn directories_are_found_and_end_with_a_slash() {
    let stand = Stand::new();
    stand.files(&["src/one/a", "src/two/b", "src/three"]);
    assert_eq!(stand.sorted(json!({ "paths": "src/*" })), ["src/one/", "src/three", "src/two/"]);
    assert_eq!(stand.sorted(json!({ "paths": "src/*/" })), ["src/one/", "src/two/"]);
    assert_eq!(stand.sorted(json!({ "paths": "t*" })), ["src/three", "src/two/"]);
}

#[test]
fn names_with_a_dot_and_ignored_ones_are_found_as_asked() {
    let stand = Stand::new();
    stand.files(&[".dot/x.ts", "a.ts", "out/b.ts", ".hidden.ts"]);
    stand.write(".gitignore", "out/\n");
    let find = |hidden: bool, gitignore: bool| {
        stand.sorted(json!({ "paths": "*.ts", "hidden": hidden, "gitignore": gitignore }))
    };
    assert_eq!(find(true, true), [".dot/x.ts", ".hidden.ts", "a.ts"]);
    assert_eq!(find(false, true), ["a.ts"]);
    assert_eq!(find(true, false), [".dot/x.ts", ".hidden.ts", "a.ts", "out/b.ts"]);
    let hidden = stand.found(json!({ "paths": "*.ts" })).hidden;
    assert_eq!(hidden.iter().map(|hidden| (hidden.reason, hidden.count)).collect::<Vec<_>>(), [("ignored", 1)]);
    // What is named is looked into, whether it is ignored or not.
    assert_eq!(stand.all(&["out"]), ["out/b.ts"]);
}

#[test]
fn what_is_found_twice_is_shown_and_counted_once() {
    let stand = Stand::new();
    stand.files(&["src/a.rs", "src/sub/b.rs", "src/sub/c.md"]);
    std::os::unix::fs::symlink("src", stand.path().join("link")).unwrap();
    let rows: &[(&[&str], u64)] = &[
        (&["src", "src"], 4),
        (&["src", "link"], 4),
        (&["src", "src/sub"], 4),
        (&["src/sub", "src"], 4),
        (&["src/**/*.rs", "src/sub"], 3),
        (&["src/**/*.rs", "src/**/*.md"], 3),
        (&["src/a.rs", "src/a.rs"], 1),
        (&["src/a.rs", "src/*.rs"], 1),
        (&["src/*.rs", "src/a.rs", "src/sub/*.rs", "**/b.rs"], 2),
        (&["src", "src/*/b.rs"], 4),
    ];
    for (entries, count) in rows {
        let found = stand.found(json!({ "paths": entries }));
        assert_eq!((exactly(&found), found.paths.len() as u64), (*count, *count), "{entries:?} {:?}", found.paths);
    }
}

#[test]
fn one_file_is_one_line() {
    let stand = Stand::new();
    stand.files(&["src/a.rs"]);
    assert_eq!(stand.call(json!({ "paths": "src/a.rs" })).text(), "src/a.rs\n");
    assert_eq!(stand.call(json!({ "paths": "./src/a.rs" })).text(), "src/a.rs\n");
    assert_eq!(stand.call(json!({ "paths": "src/*.rs" })).text(), "# src/\na.rs\n");
}

#[test]
fn nothing_is_said_to_be_nothing() {
    let stand = Stand::new();
    stand.files(&["a"]);
    assert_eq!(stand.call(json!({ "paths": "*.zig" })).text(), "No files found matching pattern\n");
    let text = stand.call(json!({ "paths": ["*.zig", "gone"] })).text();
    assert_eq!(text, "No files found matching pattern\nSkipped missing paths: gone\n");
    let text = stand.call(json!({ "paths": "*", "skip": 7 })).text();
    assert_eq!(text, "No more results; there are 1 in all\n");
}

#[test]
fn missing_paths_are_skipped_among_others_and_fail_alone() {
    let stand = Stand::new();
    stand.files(&["src/a.rs", "source.txt"]);
    let found = stand.found(json!({ "paths": ["src", "gone/*.rs", "lost"] }));
    assert_eq!((found.paths.len(), found.missing), (1, vec!["gone/*.rs".to_owned(), "lost".to_owned()]));
    assert_eq!(stand.refused(json!({ "paths": "gone" })), "find.not_found: Path not found: gone\n");
    let both = stand.refused(json!({ "paths": ["gone", "lost/*.rs"] }));
    assert_eq!(both, "find.not_found: Path not found: gone, lost/*.rs\n");
    let near = stand.refused(json!({ "paths": "scr/*.rs" }));
    assert_eq!(near, "find.not_found: Path not found: scr/*.rs\nnext: find src/*.rs\n");
}

#[test]
fn what_cannot_be_looked_through_says_why() {
    let stand = Stand::new();
    stand.files(&["a.rs", "lines.txt"]);
    let rows = [
        (json!({ "paths": [] }), "find.empty_path: `paths` must contain non-empty globs or paths\n"),
        (json!({ "paths": "" }), "find.empty_path: `paths` must contain non-empty globs or paths\n"),
        (json!({ "paths": ["a.rs", " "] }), "find.empty_path: `paths` must contain non-empty globs or paths\n"),
        (json!({ "paths": "/" }), "find.root: Searching from root directory '/' is not allowed\nnext: find .\n"),
        (json!({ "paths": "//" }), "find.root: Searching from root directory '/' is not allowed\nnext: find .\n"),
        (json!({ "paths": "/." }), "find.root: Searching from root directory '/' is not allowed\nnext: find .\n"),
        (json!({ "paths": "/*.rs" }), "find.root: Searching from root directory '/' is not allowed\nnext: find *.rs\n"),
        (json!({ "paths": "file:///" }), "find.root: Searching from root directory '/' is not allowed\n"),
        (json!({ "paths": "*", "limit": 0 }), "find.bad_limit: Limit must be a positive number\n"),
        (json!({ "paths": "*", "limit": -3.5 }), "find.bad_limit: Limit must be a positive number\n"),
        (json!({ "paths": "*", "skip": -1 }), "find.bad_skip: Skip must be a non-negative number\n"),
        (json!({ "paths": "a.rs/*.x" }), "find.not_a_directory: Path is not a directory: a.rs\nnext: read a.rs\n"),
        (
            json!({ "paths": "skill://*" }),
            "find.internal_glob: Glob patterns are not supported for internal URLs: skill://*\n",
        ),
        (
            json!({ "paths": "a[b" }),
            "find.bad_glob: the glob 'a[b' is wrong: its '[' has no ']'; a bracket in a name is written [[]\n",
        ),
    ];
    for (input, text) in rows {
        assert_eq!(stand.refused(input.clone()), text, "{input}");
    }
    let part = stand.refused(json!({ "paths": "lines.txt:5-7" }));
    assert!(part.starts_with("find.part: 'lines.txt:5-7' is a part of 'lines.txt'"), "{part}");
    assert!(part.ends_with("next: find lines.txt\n"), "{part}");
    let web = stand.refused(json!({ "paths": "https://host.example/x" }));
    assert!(web.starts_with("find.not_a_path: 'https://host.example/x' is no file or directory"), "{web}");
    let piped = stand.refused(json!({ "paths": "-" }));
    assert!(piped.starts_with("find.not_found: Path not found: -"), "{piped}");
    let outside = stand.refused(json!({ "paths": "../*" }));
    assert!(outside.starts_with("host.outside_root"), "{outside}");
}

#[test]
fn limits_are_floored_and_clamped() {
    let stand = Stand::limited(Limits { find_paths: 3, ..Limits::default() });
    stand.files(&["a", "b", "c", "d", "e"]);
    let shown = |limit: f64| {
        let found = stand.found(json!({ "paths": "*", "limit": limit }));
        (found.paths.len(), found.next_skip, found.cut_by)
    };
    assert_eq!(shown(0.2), (1, Some(1), None));
    assert_eq!(shown(2.9), (2, Some(2), None));
    assert_eq!(shown(3.0), (3, Some(3), Some("find_paths")));
    assert_eq!(shown(1e300), (3, Some(3), Some("find_paths")));
    let text = stand.call(json!({ "paths": "*" })).text();
    assert_eq!(text, "a\nb\nc\n[paths 1-3 of 5; limit find_paths; next: find skip=3]\n");
    let text = stand.call(json!({ "paths": "*", "skip": 3.7 })).text();
    assert_eq!(text, "d\ne\n[paths 4-5 of 5]\n");
}

#[test]
fn a_page_of_long_paths_ends_before_it_is_too_long() {
    let stand = Stand::limited(Limits { page_bytes: 1_000, ..Limits::default() });
    let names: Vec<String> = (0..40).map(|number| format!("{number:02}/{}", "n".repeat(90))).collect();
    stand.files(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let (mut skip, mut all) = (0, Vec::new());
    loop {
        let reply = stand.call(json!({ "paths": "n*", "skip": skip }));
        assert!(reply.text().len() < 1_200, "{}", reply.text().len());
        let found = reply.receipt.found.unwrap();
        assert_eq!(found.total, Count::Exactly(40));
        all.extend(found.paths);
        let Some(next) = found.next_skip else { break };
        assert_eq!(found.cut_by, Some("page_bytes"));
        skip = next;
    }
    assert_eq!(all, names);
}
