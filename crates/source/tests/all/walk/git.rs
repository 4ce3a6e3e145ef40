//! Rules of git, against git itself where it is installed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use proptest::prelude::{Just, ProptestConfig, Strategy, prop_oneof};
use proptest::test_runner::{self, TestRunner};
use proptest::{collection, sample};
use readstone_host::EntryKind;
use readstone_testkit::{tool, works};

use super::kit::{Scribe, Tree, Way};

/// Names that rules speak of, and some that only look like rules.
#[rustfmt::skip]
const NAMES: [&str; 22] = [
    "a", "b", "ab", "abc", "foo", "bar", "foo.o", "bar.o", "foo.bar", ".a", "x y", "end ", " start", "#c", "!d", "a*b",
    "q[r]", "back\\slash", "-", "é", "A", "zz",
];

/// Brackets, whole and broken.
#[rustfmt::skip]
const SETS: [&str; 18] = [
    "[ab]", "[a-f]", "[!a]", "[^b]", "[]a]", "[[:alpha:]]", "[[:upper:][:digit:]]", "[\\]]", "[a\\-z]", "[a/b]",
    "[!a-]", "[", "[[:none:]]", "[[:]", "[-a]", "{a,b}", "[b-a]", "[[]",
];

/// Files that the lines below are about.
#[rustfmt::skip]
const FILES: [&str; 20] = [
    "foo/bar/f", "foo/barbaz/f", "foox/y/bar", "foobar/f", "a/b/c/d", "a/x", "x/a/b", "b.o", "a/b.o", "a/[b]", "a b",
    "c ", "build/out/x", "src/build/y", "docs/a.md", "docs/x/a.md", "**", "\\", "a-b/c", "é/ü",
];

/// Lines of which each has its own way to be misread.
#[rustfmt::skip]
const LINES: [&str; 61] = [
    "foo/bar/", "/foo/", "foo**/bar", "foo/**", "/", "//", "foo//", "**/y", "**", "**/", "/**", "/**/", "*", "/*",
    "*/", "!*", "a/**/d", "a/**/c", "**/b", "a/**", "/a/*/c", "*.o", "/*.o", "docs/*.md", "docs/**/*.md", "build/",
    "/build/", "c\\ ", "c ", "\\**", "\\\\", "a/[[]b]", "a/\\[b\\]", "*/*/c", "é", "[é]", "?", "??", "\\é", "x/**/b",
    "**/a/**", "***/b", "a/***", "a**", "a**/", "**b", "*[!o]", "*.[a-z]", "[a-", "[[:alpha:]]", "a/b\\", "\\", "!",
    "\\!", "a?b", "a[ ]b", "[a/b]", "a[/]b", "*\\", "a/**\\/c", "foo**\\/bar",
];

/// Files, and lines of rules for some directories.
#[derive(Clone, Debug)]
struct Plan {
    files: Vec<Vec<&'static str>>,
    rules: Vec<(Vec<&'static str>, Vec<String>)>,
    exclude: Vec<String>,
}

fn plan() -> impl Strategy<Value = Plan> {
    let path = |names| collection::vec(sample::select(&NAMES[..]), names);
    let files = collection::vec(path(1..5), 1..24);
    let rules = collection::vec((path(0..3), collection::vec(line(), 1..6)), 1..4);
    (files, rules, collection::vec(line(), 0..2)).prop_map(|(files, rules, exclude)| Plan { files, rules, exclude })
}

/// A line that is often a rule, sometimes a comment, and sometimes neither.
fn line() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => sample::select(&NAMES[..]),
        3 => sample::select(vec!["a", "b", "f", "o", "."]),
        4 => Just("*"),
        2 => Just("?"),
        2 => Just("**"),
        1 => Just("***"),
        6 => Just("/"),
        2 => Just("\\"),
        2 => sample::select(&SETS[..]),
        1 => Just(" "),
        1 => Just("\\ "),
        1 => Just("\\*"),
    ];
    let mark =
        prop_oneof![12 => Just(""), 4 => Just("!"), 1 => Just("#"), 1 => Just("\\#"), 1 => Just("\\!"), 2 => Just("/")];
    let end = prop_oneof![
        10 => Just(""), 4 => Just("/"), 1 => Just(" "), 1 => Just("\\ "), 1 => Just("\r"), 1 => Just("/**"), 1 => Just("/*")
    ];
    (mark, collection::vec(piece, 0..5), end).prop_map(|(mark, pieces, end)| format!("{mark}{}{end}", pieces.concat()))
}

#[test]
fn a_walk_sees_exactly_the_files_that_git_does_not_ignore() {
    let Some(tree) = repository() else {
        return;
    };
    let config = ProptestConfig {
        cases: 120,
        failure_persistence: None,
        rng_seed: test_runner::RngSeed::Fixed(0x50C1_0003),
        max_shrink_iters: 300,
        ..ProptestConfig::default()
    };
    let ran = TestRunner::new(config).run(&plan(), |plan| {
        plant(&tree, &plan);
        compare(tree.path());
        Ok(())
    });
    if let Err(failure) = ran {
        panic!("{failure}");
    }
}

#[test]
fn every_line_matches_the_paths_that_git_says_it_matches() {
    let Some(tree) = repository() else {
        return;
    };
    for file in FILES {
        tree.file(file, "");
    }
    for line in LINES {
        tree.file(".gitignore", format!("{line}\n"));
        compare(tree.path());
    }
}

/// A repository, where there is git to make one.
fn repository() -> Option<Tree> {
    let tree = Tree::new();
    let made = works("git", &["--version"]).then(|| git(tree.path(), &["init", "--quiet"]).status().unwrap().success());
    assert_ne!(made, Some(false), "git makes no repository");
    made.map(|_| tree)
}

fn git(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = tool("git");
    command.current_dir(directory).args(["-c", "core.excludesFile="]).args(arguments);
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null").env("HOME", directory);
    command.env("GIT_CEILING_DIRECTORIES", directory.parent().unwrap());
    command
}

fn plant(tree: &Tree, plan: &Plan) {
    for entry in tree.path().read_dir().unwrap().map(Result::unwrap).filter(|entry| entry.file_name() != ".git") {
        if entry.file_type().unwrap().is_dir() {
            fs::remove_dir_all(entry.path()).unwrap();
        } else {
            fs::remove_file(entry.path()).unwrap();
        }
    }
    for file in &plan.files {
        let path = tree.path().join(file.iter().collect::<PathBuf>());
        // Where a file stands in the way of a directory, or the other way round, the first stays.
        if fs::create_dir_all(path.parent().unwrap()).is_ok() && !path.is_dir() {
            fs::write(path, "").unwrap();
        }
    }
    for (directory, lines) in &plan.rules {
        let directory = tree.path().join(directory.iter().collect::<PathBuf>());
        if fs::create_dir_all(&directory).is_ok() {
            fs::write(directory.join(".gitignore"), lines.join("\n")).unwrap();
        }
    }
    tree.file(".git/info/exclude", plan.exclude.join("\n"));
}

/// Compares what a walk sees with what git lists, and what it leaves out with what git says is ignored.
fn compare(root: &Path) {
    let scribe = Scribe::default();
    Way::default().go(root, &scribe);
    let seen: BTreeMap<PathBuf, EntryKind> = scribe.seen.into_inner().unwrap().into_iter().collect();
    let files = seen.iter().filter(|(_, kind)| **kind != EntryKind::Directory).map(|(path, _)| path.clone());
    let listed = git(root, &["ls-files", "--others", "--cached", "--exclude-standard", "-z"]).output().unwrap();
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    assert_eq!(files.collect::<BTreeSet<_>>(), paths(&listed.stdout), "{}", words(root));

    let all = all_below(root);
    let left_out: BTreeSet<PathBuf> = all.iter().filter(|path| !seen.contains_key(*path)).cloned().collect();
    assert_eq!(left_out, ignored(root, &all), "{}", words(root));
}

/// Those of the paths that git ignores.
fn ignored(root: &Path, all: &BTreeSet<PathBuf>) -> BTreeSet<PathBuf> {
    let mut asked = git(root, &["check-ignore", "--no-index", "-z", "--stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let questions: Vec<u8> = all.iter().flat_map(|path| [path.to_str().unwrap().as_bytes(), b"\0"].concat()).collect();
    let mut stdin = asked.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&questions).unwrap());
    let answers = asked.wait_with_output().unwrap();
    writer.join().unwrap();
    paths(&answers.stdout)
}

fn paths(listed: &[u8]) -> BTreeSet<PathBuf> {
    let names = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    names.map(|name| PathBuf::from(std::str::from_utf8(name).unwrap())).collect()
}

fn all_below(root: &Path) -> BTreeSet<PathBuf> {
    let mut all = BTreeSet::new();
    let mut ahead = vec![PathBuf::new()];
    while let Some(below) = ahead.pop() {
        let entries = root.join(&below).read_dir().unwrap().map(Result::unwrap);
        for entry in entries.filter(|entry| entry.file_name() != ".git") {
            let path = below.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                ahead.push(path.clone());
            }
            all.insert(path);
        }
    }
    all
}

/// The rules of a tree, for whoever must find out what went wrong.
fn words(root: &Path) -> String {
    let files = all_below(root).into_iter().filter(|path| path.ends_with(".gitignore"));
    let text = |path: &Path| tool("cat").arg(root.join(path)).output().unwrap().stdout;
    let shown = files.map(|path| format!("{}: {:?}", path.display(), String::from_utf8_lossy(&text(&path))));
    shown.collect::<Vec<_>>().join("\n")
}
