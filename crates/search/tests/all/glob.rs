//! Globs: what matches, what does not, what is wrong, and that they agree with those of ripgrep.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that fails must stop")]

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use globset::GlobBuilder;
use proptest::prelude::*;
use readstone_host::EntryKind;
use readstone_search::{Glob, Globs, Problem};

const MOST: u64 = 64 * 1024;

fn matches_as(glob: &str, path: &[u8], kind: EntryKind) -> bool {
    let mut globs = Globs::default();
    globs.push(Glob::new(glob, MOST).unwrap_or_else(|problem| panic!("{glob}: {problem:?}")));
    let path = Path::new(OsStr::from_bytes(path));
    globs.within(path.parent().unwrap()).matches(path.file_name().unwrap(), kind)
}

fn matches(glob: &str, path: &str) -> bool {
    matches_as(glob, path.as_bytes(), EntryKind::File)
}

#[test]
fn a_glob_matches_what_its_signs_say() {
    let rows: &[(&str, &[&str], &[&str])] = &[
        ("**/*", &["a", ".a", "a/b", "a/.b/c"], &[]),
        ("**", &["a", "a/b"], &[]),
        ("**/**", &["a", "a/b"], &[]),
        ("*", &["a", ".hidden"], &["a/b"]),
        ("**/*.ts", &["x.ts", ".ts", "a/b/x.ts"], &["x.tsx", "x.ts/y"]),
        ("*.ts", &["x.ts"], &["a/x.ts", "x.js"]),
        ("**/mod.rs", &["mod.rs", "a/mod.rs"], &["xmod.rs", "mod.rs/a"]),
        ("**/test_*", &["test_a", "b/test_"], &["a_test_b"]),
        ("sub/*.ts", &["sub/x.ts"], &["sub/a/x.ts", "x.ts", "b/sub/x.ts"]),
        ("*/x.rs", &["a/x.rs"], &["x.rs", "a/b/x.rs"]),
        ("src/*", &["src/a"], &["src/a/b"]),
        ("a/**/b", &["a/b", "a/x/b", "a/x/y/b"], &["b", "ab", "a/xb"]),
        ("a/**", &["a/b", "a/b/c"], &["a", "b/a"]),
        ("**/a/**", &["a/b", "x/a/b/c"], &["a", "x/a"]),
        ("**/**/**/x", &["x", "a/x", "a/b/c/d/x"], &["ax"]),
        ("a**b", &["ab", "axb"], &["a/b"]),
        ("**/?.txt", &["a.txt", "ä.txt", "中.txt"], &["ab.txt", ".txt"]),
        ("**/*?*?", &["ab", "abc"], &["a"]),
        ("**/[a-c]x", &["ax", "cx"], &["dx", "x"]),
        ("**/[!a-c]x", &["dx", "äx"], &["ax", "a/x"]),
        ("**/[^a]", &["b"], &["a"]),
        ("**/[]a]", &["]", "a"], &["b"]),
        ("**/[a-]", &["-", "a"], &["b"]),
        ("**/[äö].md", &["ä.md", "ö.md"], &["ü.md", "a.md"]),
        ("**/v[[:digit:]]", &["v1"], &["va"]),
        ("**/*.{ts,tsx}", &["a.ts", "a.tsx"], &["a.tsxx", "a.js"]),
        ("{src,test}/*.rs", &["src/a.rs", "test/b.rs"], &["a.rs", "lib/a.rs"]),
        ("**/{a,b{c,d}}", &["a", "bc", "bd"], &["b", "c"]),
        ("**/a{,.bak}", &["a", "a.bak"], &["a.b"]),
        ("{a/b,c}/x", &["a/b/x", "c/x"], &["a/x"]),
        ("**/f{1..3}", &["f1", "f2", "f3"], &["f4", "f1..3"]),
        ("**/f{08..10}", &["f08", "f09", "f10"], &["f8"]),
        ("**/{c..a}", &["a", "b", "c"], &["d"]),
        ("./a//b/./c", &["a/b/c"], &["a/c"]),
        ("**/*.(x)+", &["a.(x)+"], &["a.xx"]),
        ("**/a<b>&~-#*", &["a<b>&~-#1"], &["ab"]),
    ];
    for (glob, right, wrong) in rows {
        for path in *right {
            assert!(matches(glob, path), "{glob} should match {path}");
        }
        for path in *wrong {
            assert!(!matches(glob, path), "{glob} should not match {path}");
        }
    }
}

#[test]
fn a_slash_at_the_end_means_directories() {
    for (glob, path) in [("*/", "a"), ("**/*/", "a/b"), ("a/*/", "a/b"), ("**/src/", "x/src")] {
        assert!(matches_as(glob, path.as_bytes(), EntryKind::Directory), "{glob}");
        for kind in [EntryKind::File, EntryKind::Link] {
            assert!(!matches_as(glob, path.as_bytes(), kind), "{glob}");
        }
    }
}

#[test]
fn a_byte_that_is_no_character_is_one_of_its_own() {
    let name = b"bad\xff\xfe.txt";
    for glob in ["**/*.txt", "**/bad*", "**/bad??.txt", "**/*[!a-z]*"] {
        assert!(matches_as(glob, name, EntryKind::File), "{glob}");
    }
    assert!(!matches_as("**/bad?.txt", name, EntryKind::File));
}

#[test]
fn levels_are_those_at_which_a_match_can_lie() {
    let rows = [
        ("*", Some(1)),
        ("a/*", Some(2)),
        ("*/{b,c/d}/*.rs", Some(4)),
        ("**/*", None),
        ("a/**", None),
        ("{a,**/b}", None),
    ];
    for (glob, levels) in rows {
        assert_eq!(Glob::new(glob, MOST).unwrap().levels(), levels, "{glob}");
    }
}

#[test]
fn what_cannot_be_a_glob_is_said() {
    let rows = [
        ("a[b", Problem::UnclosedClass),
        ("a[", Problem::UnclosedClass),
        ("[]", Problem::UnclosedClass),
        ("[[:digit", Problem::UnclosedClass),
        ("[[:word:]]", Problem::UnknownClass),
        ("[z-a]", Problem::Backwards),
        ("{a,b", Problem::UnclosedBrace),
        ("a}", Problem::Unopened),
        ("*/../x", Problem::Up),
        ("{1..1000000000}", Problem::TooLarge),
        ("{1..9000}{1..9000}", Problem::TooLarge),
        ("{-9223372036854775808..9223372036854775807}", Problem::TooLarge),
    ];
    for (glob, problem) in rows {
        assert_eq!(Glob::new(glob, MOST).err(), Some(problem), "{glob}");
        assert!(!problem.words().is_empty());
    }
    assert_eq!(Glob::new(&"{".repeat(1_000), MOST).err(), Some(Problem::Nested));
}

#[test]
fn r05_globs_that_look_hard_are_not() {
    let long = "a".repeat(250);
    for glob in ["**/".repeat(200) + "x", "*?".repeat(251), "*a".repeat(200) + "b", "[a-z]*".repeat(100) + "Z"] {
        assert!(!matches(&glob, &long), "{glob}");
    }
    assert!(matches(&"*?".repeat(200), &long));
    assert!(matches(&("**/".repeat(200) + "x"), "a/b/x"));
}

#[test]
fn r06_many_braces_are_one_pass() {
    let glob = "{a,b}".repeat(30);
    assert!(matches(&glob, &"ab".repeat(15)));
    assert!(!matches(&glob, &"ab".repeat(14)));
    let nested = "{a,".repeat(30) + "b" + &"}".repeat(30);
    assert!(matches(&nested, "a") && matches(&nested, "b") && !matches(&nested, "c"));
}

/// Globs of the signs that mean the same to ripgrep; characters beyond ASCII do not.
fn glob() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-c]",
        1 => Just(".a".to_owned()),
        2 => Just("*".to_owned()),
        1 => Just("?".to_owned()),
        2 => Just("/".to_owned()),
        1 => Just("**/".to_owned()),
        1 => Just("[ab]".to_owned()),
        1 => Just("{a,bc}".to_owned()),
        1 => Just("{*.a,b}".to_owned()),
    ];
    prop::collection::vec(piece, 1..8).prop_map(|pieces| {
        let glob = pieces.concat();
        let names: Vec<&str> = glob.split('/').filter(|name| !name.is_empty()).collect();
        if names.is_empty() { "*".to_owned() } else { names.join("/") }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn globs_agree_with_those_of_ripgrep(glob in glob(), path in "\\.?[a-c]{1,3}(/\\.?[a-c]{1,3}){0,3}") {
        let theirs = GlobBuilder::new(&glob).literal_separator(true).build().unwrap().compile_matcher();
        prop_assert_eq!(matches(&glob, &path), theirs.is_match(&path), "{} {}", glob, path);
    }

    #[test]
    fn no_text_makes_a_glob_panic(glob in "[a-c*?/{}\\[\\],.!^:1-9-]{0,40}", name in "[a-c.]{1,8}") {
        if let Ok(read) = Glob::new(&glob, MOST) {
            let mut globs = Globs::default();
            globs.push(read);
            let _ = globs.within(Path::new("")).matches(OsStr::new(&name), EntryKind::File);
        }
    }
}
