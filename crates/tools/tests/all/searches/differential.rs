//! The same lines as ripgrep.

use std::path::Path;
use std::process::{Command, Stdio};

use proptest::prelude::*;
use readstone_base::Limits;
use serde_json::{Value, json};

use super::stand::Stand;
use super::trail::{Hits, follow};

/// The lines that ripgrep finds below a directory; `None` when it is not installed.
fn ripgrep(directory: &Path, arguments: &[&str], pattern: &str) -> Option<Hits> {
    let fixed = ["--no-config", "--hidden", "--no-require-git", "--no-ignore-global", "--no-ignore-parent"];
    let form = ["-n", "--no-heading", "--null", "--color=never", "--sort=path"];
    let run = Command::new("rg")
        .args(fixed.iter().chain(&form).chain(arguments))
        .args(["-e", pattern, "."])
        .current_dir(directory)
        .stdin(Stdio::null())
        .output();
    let output = match run {
        Ok(output) => output,
        Err(error) => {
            eprintln!("rg is not here, nothing is compared with it: {error}");
            return None;
        }
    };
    assert!(output.status.code().is_some_and(|code| code < 2), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("plain text");
    let hit = |line: &str| {
        let (path, rest) = line.split_once('\0').expect("a path");
        let number = rest.split_once(':').expect("a number").0.parse().expect("a number");
        (path.trim_start_matches("./").to_owned(), number)
    };
    Some(text.lines().map(hit).collect())
}

fn input(pattern: &str, case: &str, git: &str) -> Value {
    json!({ "pattern": pattern, "paths": ".", "i": case == "-i", "gitignore": git != "--no-ignore-vcs" })
}

#[test]
fn patterns_find_the_lines_that_ripgrep_finds() {
    let stand = Stand::limited(Limits { search_files: 200, search_file_matches: 200, ..Limits::default() });
    let sources = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
    for entry in std::fs::read_dir(sources).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_file() {
            let text = std::fs::read(entry.path()).unwrap();
            stand.write(&format!("src/{}", entry.file_name().to_str().unwrap()), text);
        }
    }
    let patterns = [
        "fn [a-z]",
        r"^use ",
        r"\bself\b",
        r"\{$",
        "^$",
        "[A-Z]{3,}",
        r"\w+::\w+",
        "impl|struct",
        r"^\s+//",
        "…",
        ".{90,}",
        r"(?i)ERROR",
        r"\d",
        "no such words",
        r"[^[:ascii:]]",
        r"^\}$",
        r"\(\)",
    ];
    for pattern in patterns {
        for case in ["-s", "-i"] {
            let Some(right) = ripgrep(stand.path(), &[case], pattern) else { return };
            assert_eq!(follow(&stand, &input(pattern, case, "")).0, right, "{pattern} {case}");
        }
    }
}

#[test]
fn globs_mean_the_files_that_ripgrep_means() {
    let stand = Stand::new();
    for name in ["a.rs", "b.ts", "src/a.rs", "src/b.tsx", "src/deep/c.rs", "src/deep/er/d.ts", ".x/e.rs"] {
        stand.write(name, "stone\n");
    }
    for (path, glob) in [
        ("*.rs", "*.rs"),
        ("src/*.rs", "/src/*.rs"),
        ("src/**/*.rs", "/src/**/*.rs"),
        ("*.{ts,tsx}", "*.{ts,tsx}"),
        ("src/*/*.rs", "/src/*/*.rs"),
        ("[ab].*", "[ab].*"),
        ("**/deep/**", "**/deep/**"),
    ] {
        let Some(right) = ripgrep(stand.path(), &["-g", glob], "stone") else { return };
        assert!(!right.is_empty(), "{glob}");
        assert_eq!(follow(&stand, &json!({ "pattern": "stone", "paths": path })).0, right, "{path}");
    }
}

const RULES: [&str; 20] = [
    "*.log",
    "!keep.log",
    "/a",
    "b/",
    "a/b",
    "**/c",
    "*.tmp",
    "!x.tmp",
    "a/**",
    r"\!x",
    "# nothing",
    "b/*",
    "!b/a.log",
    "c/**/a.log",
    "[ab].txt",
    "?.txt",
    "/b/c/",
    "!c/",
    "*",
    "!*/",
];

fn trees() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("([abc]/){0,3}([abc]\\.txt|a\\.log|keep\\.log|x\\.tmp|!x)", 1..25)
}

/// Rules in files of one kind: which of two kinds in different directories has the last word, ripgrep sees otherwise.
fn rules() -> impl Strategy<Value = Vec<(String, Vec<&'static str>)>> {
    let kinds = prop::sample::select(vec![".gitignore", ".ignore", ".rgignore"]);
    let lines = prop::collection::vec(prop::sample::select(RULES.to_vec()), 1..4);
    let files = prop::collection::vec(("([abc]/){0,2}", lines), 0..5);
    (kinds, files).prop_map(|(kind, files)| {
        files.into_iter().map(|(directory, lines)| (format!("{directory}{kind}"), lines)).collect()
    })
}

#[test]
fn in_one_directory_the_rules_of_ignore_have_the_last_word() {
    let stand = Stand::new();
    for name in ["a.log", "keep.log", "a.txt", "sub/a.log", "sub/keep.log", "sub/b.tmp"] {
        stand.write(name, "stone\n");
    }
    stand.write(".gitignore", "*.log\n!a.txt\n");
    stand.write(".ignore", "!keep.log\na.txt\n*.tmp\n");
    stand.write(".rgignore", "!*.tmp\n");
    for git in ["--ignore-vcs", "--no-ignore-vcs"] {
        let Some(right) = ripgrep(stand.path(), &[git], "stone") else { return };
        assert_eq!(follow(&stand, &input("stone", "-s", git)).0, right, "{git}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn rules_hide_what_they_hide_from_ripgrep(names in trees(), rules in rules()) {
        let stand = Stand::limited(Limits { search_files: 5, ..Limits::default() });
        for name in &names {
            stand.write(name, "stone\nsand\nstone\n");
        }
        for (name, lines) in &rules {
            stand.write(name, lines.join("\n"));
        }
        for git in ["--ignore-vcs", "--no-ignore-vcs"] {
            let Some(right) = ripgrep(stand.path(), &[git], "stone") else { return Ok(()) };
            prop_assert_eq!(follow(&stand, &input("stone", "-s", git)).0, right, "{} {:?}", git, &rules);
        }
    }
}
