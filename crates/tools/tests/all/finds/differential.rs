//! The same paths as a naive walk, as fd and as git.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::stand::Stand;

/// What a program prints below a directory, line by line; `None` when it is not installed.
fn lines(program: &str, arguments: &[&str], directory: &Path) -> Option<BTreeSet<String>> {
    let run = Command::new(program).args(arguments).current_dir(directory).env("LC_ALL", "C").output();
    match run {
        Ok(output) if output.status.success() => {
            let text = String::from_utf8(output.stdout).expect("plain names");
            Some(text.lines().map(|line| line.trim_start_matches("./").to_owned()).collect())
        }
        Ok(output) => {
            eprintln!("{program} fails: {}", String::from_utf8_lossy(&output.stderr));
            None
        }
        Err(error) => {
            eprintln!("{program} is not here, nothing is compared with it: {error}");
            None
        }
    }
}

/// Every path that a call finds, page by page.
fn all(stand: &Stand, mut input: Value) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    loop {
        let found = stand.found(input.clone());
        paths.extend(found.paths);
        match found.next_skip {
            Some(next) => input["skip"] = json!(next),
            None => return paths,
        }
    }
}

/// A tree with rules in several places.
fn tree() -> Stand {
    let stand = Stand::new();
    for directory in ["", "src", "src/deep/er", "target/debug", ".hidden/in", "lib/vendor", "a/b/c/d/e"] {
        for name in ["main.rs", "lib.RS", "note.md", ".dot.rs", "keep.log", "drop.log", "Makefile"] {
            let path = if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") };
            stand.file(path.as_bytes(), 0);
        }
    }
    stand.write(".gitignore", "target/\n*.log\n!keep.log\n/lib/vendor/note.md\n");
    stand.write("src/.gitignore", "!drop.log\n*.md\n");
    stand.write("a/.gitignore", "b/c/*\n!b/c/d\n");
    let made = Command::new("git").args(["init", "-q"]).current_dir(stand.path()).status();
    if !made.is_ok_and(|status| status.success()) {
        std::fs::create_dir(stand.path().join(".git")).unwrap();
    }
    stand
}

#[test]
fn globs_find_what_fd_finds() {
    let stand = tree();
    let rows: &[(&str, &[&str])] = &[
        ("*.rs", &["--hidden", "-g", "*.rs"]),
        ("*", &["--hidden", "-g", "*"]),
        ("{main,lib}.*", &["--hidden", "-g", "{main,lib}.*"]),
        ("src/**/*.rs", &["--hidden", "-p", "-g", "**/src/**/*.rs"]),
        ("*/", &["--hidden", "-t", "d", "-g", "*"]),
        ("[a-m]*", &["--hidden", "-s", "-g", "[a-m]*"]),
    ];
    for (glob, arguments) in rows {
        let arguments = [&["--no-require-git", "-s", "--exclude", ".git"], *arguments].concat();
        let Some(right) = lines("fdfind", &arguments, stand.path()) else { return };
        assert!(!right.is_empty(), "{glob}");
        assert_eq!(all(&stand, json!({ "paths": glob })), right, "{glob}");
    }
    let Some(right) = lines("fdfind", &["-s", "-g", "*.rs"], stand.path()) else { return };
    assert_eq!(all(&stand, json!({ "paths": "*.rs", "hidden": false })), right);
    let Some(right) = lines("fdfind", &["--hidden", "-I", "-s", "-E", ".git", "-g", "*.log"], stand.path()) else {
        return;
    };
    assert_eq!(all(&stand, json!({ "paths": "*.log", "gitignore": false })), right);
}

#[test]
fn what_is_not_ignored_is_what_git_lists() {
    let stand = tree();
    let arguments = ["ls-files", "--others", "--cached", "--exclude-standard"];
    let Some(right) = lines("git", &arguments, stand.path()) else { return };
    let files: BTreeSet<String> =
        all(&stand, json!({ "paths": "." })).into_iter().filter(|path| !path.ends_with('/')).collect();
    assert_eq!(files, right);
}

/// Every path below a directory, directories with a slash, by plain recursion.
fn naive(directory: &Path, before: &str, paths: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{before}{}", entry.file_name().into_string().unwrap());
        if entry.file_type().unwrap().is_dir() {
            naive(&entry.path(), &format!("{path}/"), paths);
            paths.insert(format!("{path}/"));
        } else {
            paths.insert(path);
        }
    }
}

/// The last name of a path.
fn own(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap()
}

/// How many directories a path has above it.
fn level(path: &str) -> usize {
    path.trim_end_matches('/').matches('/').count()
}

type Wanted = fn(&str) -> bool;

/// Globs, and what they mean in plain words.
const GLOBS: [(&str, Wanted); 6] = [
    ("**", |_| true),
    ("*.rs", |path| own(path).rsplit_once('.').is_some_and(|(_, end)| end == "rs")),
    ("./*", |path| level(path) == 0),
    ("./*/*", |path| level(path) == 1),
    ("a*", |path| own(path).starts_with('a')),
    ("*/", |path| path.ends_with('/')),
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn a_find_is_a_naive_walk_filtered(
        names in prop::collection::btree_set("\\.?[ab]{1,2}(/\\.?[ab]{1,2}){0,4}\\.(rs|md)", 1..40),
        at in 0..GLOBS.len(),
    ) {
        let stand = Stand::new();
        for name in &names {
            stand.file(name.as_bytes(), 0);
        }
        let mut right = BTreeSet::new();
        naive(stand.path(), "", &mut right);
        let (glob, wanted) = GLOBS[at];
        let right: BTreeSet<String> = right.into_iter().filter(|path| wanted(path)).collect();
        prop_assert_eq!(all(&stand, json!({ "paths": glob, "limit": 7 })), right, "{}", glob);
    }
}
