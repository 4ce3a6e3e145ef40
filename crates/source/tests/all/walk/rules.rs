//! Which rules hold where, and what is counted.

use readstone_host::Stance;
use readstone_source::{Git, Walked};

use super::kit::{Tree, Way, check, walked};

#[test]
fn rules_for_agents_hold_beside_those_of_git_and_without_them() {
    let dialects = [
        ".ignore",
        ".rgignore",
        ".fdignore",
        ".aiignore",
        ".aiexclude",
        ".aiderignore",
        ".augmentignore",
        ".claudeignore",
        ".clineignore",
        ".codeiumignore",
        ".codexignore",
        ".continueignore",
        ".copilotignore",
        ".crushignore",
        ".cursorignore",
        ".geminiignore",
        ".gooseignore",
        ".kilocodeignore",
        ".llmignore",
        ".qwenignore",
        ".rooignore",
        ".tabnineignore",
        ".windsurfignore",
    ];
    for dialect in dialects {
        let tree = Tree::of(&["a/secret.txt", "a/open.txt", "built/x"]);
        tree.file(dialect, "secret.*\n");
        tree.file(".gitignore", "built/\n");
        let walked = check(&tree, &Way::default(), &sorted(&[".gitignore", dialect, "a/"], &["a/open.txt"]));
        assert_eq!(walked, Walked { ignored: 2, ..Walked::default() }, "{dialect}");
        let all = [".gitignore", dialect, "a/", "built/"];
        check(&tree, &Way::git(Git::Pass), &sorted(&all, &["a/open.txt", "built/x"]));
    }
}

fn sorted<'a>(trunk: &[&'a str], below: &[&'a str]) -> Vec<&'a str> {
    let mut trunk = trunk.to_vec();
    trunk.sort_unstable();
    trunk.extend(below);
    trunk
}

#[test]
fn of_two_rules_the_deeper_decides_then_the_later_file_then_the_later_line() {
    let tree = Tree::of(&["one", "two", "three", "four", "five", "sub/one", "sub/two"]);
    tree.file(".gitignore", "one\n!two\nthree\n!four\n");
    tree.file(".ignore", "!one\ntwo\nfive\n!five\n");
    tree.file(".aiignore", "four\n");
    tree.file("sub/.gitignore", "one\n!two\n");
    check(
        &tree,
        &Way::default(),
        &[".aiignore", ".gitignore", ".ignore", "five", "one", "sub/", "sub/.gitignore", "sub/two"],
    );
    check(
        &tree,
        &Way::git(Git::Pass),
        &[".aiignore", ".gitignore", ".ignore", "five", "one", "sub/", "three", "sub/.gitignore", "sub/one"],
    );
}

#[test]
fn rules_above_hold_below_whether_the_walk_begins_there_or_not() {
    let tree = Tree::of(&[".git/info/", "a/b/c.log", "a/b/d", "a/b/e.tmp", "a/b/f"]);
    tree.file(".gitignore", "*.log\n/a/b/f\n");
    tree.file(".git/info/exclude", "*.tmp\n");
    for (from, expected) in [(".", &[".gitignore", "a/", "a/b/", "a/b/d"][..]), ("a", &["b/", "b/d"]), ("a/b", &["d"])]
    {
        let walked = check(&tree, &Way::from(from), expected);
        assert_eq!(walked.ignored, 3, "from {from}");
    }
    check(&tree, &Way { from: "a/b".into(), ..Way::git(Git::Pass) }, &["c.log", "d", "e.tmp", "f"]);
}

#[test]
fn rules_of_git_end_where_a_repository_begins_and_those_for_agents_do_not() {
    let tree = Tree::of(&[".git/", "inner/.git/info/", "inner/a.log", "inner/b.key", "inner/c.tmp", "inner/d"]);
    tree.file(".gitignore", "*.log\n");
    tree.file(".aiignore", "*.key\n");
    tree.file("inner/.git/info/exclude", "*.tmp\n");
    check(&tree, &Way::from("inner"), &["a.log", "d"]);
    check(&tree, &Way::default(), &[".aiignore", ".gitignore", "inner/", "inner/a.log", "inner/d"]);
}

#[test]
fn a_directory_that_is_named_is_walked_through_though_rules_leave_it_out() {
    let tree = Tree::of(&["built/a", "built/b.o"]);
    tree.file(".gitignore", "built/\n*.o\n");
    check(&tree, &Way::default(), &[".gitignore"]);
    check(&tree, &Way::from("built"), &["a"]);
}

#[test]
fn what_an_ignored_directory_holds_is_not_entered_and_counts_once() {
    let tree = Tree::of(&["built/a", "built/b", "c"]);
    tree.file(".gitignore", "built\n!built/a\n");
    let walked = check(&tree, &Way::default(), &[".gitignore", "c"]);
    assert_eq!(walked.ignored, 1);
}

#[test]
fn secrets_are_left_out_where_they_are_withheld_and_counted() {
    let tree =
        Tree::of(&["a/.env", "a/ID_RSA", "a/b.pem", "a/c", ".ssh/config", ".ssh/one", "d.env.example", ".env.example"]);
    let deny = Way { stance: Stance::Deny, ..Way::default() };
    let walked = check(&tree, &deny, &[".env.example", ".ssh/", "a/", "d.env.example", "a/c"]);
    assert_eq!(walked, Walked { denied: 5, ..Walked::default() });
}

#[test]
fn lines_that_are_no_rules_are_counted_and_the_first_file_with_some_is_named() {
    let tree = Tree::of(&["a/b/x.o", "a/b/y", "c/z"]);
    tree.file("a/b/.gitignore", "[\n*.o\n\n# comment\n[[:none:]]x\n");
    tree.file("c/.ignore", "trailing\\\n");
    let way = Way::default();
    let expected = ["a/", "c/", "a/b/", "a/b/.gitignore", "a/b/y", "c/.ignore", "c/z"];
    let walked = check(&tree, &way, &expected);
    assert_eq!((walked.bad_rules, walked.ignored), (3, 1));
    assert_eq!(walked.bad_rules_in, Some("a/b/.gitignore".into()));
    tree.file(".gitignore", "x\\\n");
    let (_, below) = walked_from(&tree, "a/b");
    assert_eq!((below.bad_rules, below.bad_rules_in), (3, Some("../../.gitignore".into())));
}

fn walked_from(tree: &Tree, from: &str) -> (Vec<String>, Walked) {
    walked(tree.path(), &Way::from(from))
}

#[test]
fn rules_may_begin_with_a_byte_order_mark_and_end_their_lines_as_on_windows() {
    let tree = Tree::of(&["a.o", "b"]);
    tree.file(".gitignore", "\u{feff}*.o\r\n\r\n# x\r\n");
    let walked = check(&tree, &Way::default(), &[".gitignore", "b"]);
    assert_eq!(walked.bad_rules, 0);
}
