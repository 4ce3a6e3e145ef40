//! Entries: how the paths of a call are split and taken apart.

#![expect(clippy::unwrap_used, reason = "a test that fails must stop")]

use readstone_base::{Class, Failure as _, Fault, Limits};
use readstone_search::{Entry, FindError, Lookout, Sight, entries, expand, open_all, parse};

/// A world in which these addresses lead somewhere.
struct Names(&'static [&'static str]);

impl Lookout for Names {
    fn look(&self, address: &str) -> Sight {
        let address = address.strip_prefix("./").unwrap_or(address).trim_end_matches('/');
        match address {
            far if far.starts_with("https://") => Sight::Unasked,
            "." | "" => Sight::There,
            other if self.0.contains(&other) => Sight::There,
            // Behind a file may stand a selector.
            other => match other.rsplit_once(':') {
                Some((file, lines))
                    if self.0.contains(&file) && lines.chars().all(|sign| "0123456789-,".contains(sign)) =>
                {
                    Sight::There
                }
                _ => Sight::Missing,
            },
        }
    }
}

const WORLD: Names = Names(&[
    "src",
    "src/a.rs",
    "docs",
    "a.rs",
    "b.rs",
    "notes, old.txt",
    "My Docs",
    "My Docs/x y",
    "a;b",
    "[id]",
    "app/[id]",
    "app/[id]/page.tsx",
    "odd\\name",
    "bundle.zip",
    "'quoted'",
    "what?.md",
]);

fn split(text: &str) -> Vec<String> {
    expand(text, &WORLD, 100).unwrap()
}

#[test]
fn joined_paths_are_split_only_where_the_parts_exist() {
    let rows: &[(&str, &[&str])] = &[
        // Nothing to split.
        ("src", &["src"]),
        ("  src  ", &["src"]),
        ("\"src\"", &["src"]),
        ("`src/*.rs`", &["src/*.rs"]),
        ("'quoted'", &["'quoted'"]),
        // Commas and semicolons: one part must exist.
        ("a.rs,b.rs", &["a.rs", "b.rs"]),
        ("a.rs, b.rs", &["a.rs", "b.rs"]),
        ("a.rs;src", &["a.rs", "src"]),
        ("a.rs,gone.rs", &["a.rs", "gone.rs"]),
        ("gone.rs,lost.rs", &["gone.rs,lost.rs"]),
        ("\"a.rs\", \"b.rs\"", &["a.rs", "b.rs"]),
        ("a.rs,,b.rs,", &["a.rs", "b.rs"]),
        ("notes, old.txt", &["notes, old.txt"]),
        ("a;b", &["a;b"]),
        ("a;b,src", &["a", "b", "src"]),
        // Blanks: all parts must exist.
        ("a.rs b.rs", &["a.rs", "b.rs"]),
        ("a.rs\tb.rs\nsrc", &["a.rs", "b.rs", "src"]),
        ("a.rs gone.rs", &["a.rs gone.rs"]),
        ("My Docs", &["My Docs"]),
        ("My Docs/x y", &["My Docs/x y"]),
        ("a.rs b.rs, src", &["a.rs", "b.rs", "src"]),
        // Globs: the directory they start from must exist; the working directory proves nothing.
        ("*.rs,*.toml", &["*.rs", "*.toml"]),
        ("*.rs *.toml", &["*.rs", "*.toml"]),
        ("src/*.rs,docs/*.md", &["src/*.rs", "docs/*.md"]),
        ("src/*.rs,gone/*.md", &["src/*.rs", "gone/*.md"]),
        ("src/*.rs gone/*.md", &["src/*.rs gone/*.md"]),
        ("gone, old*.txt", &["gone, old*.txt"]),
        ("* copy.txt", &["* copy.txt"]),
        ("src, *.toml", &["src", "*.toml"]),
        ("My Docs/*.txt", &["My Docs/*.txt"]),
        ("My Docs/*.txt,src/*.rs", &["My Docs/*.txt", "src/*.rs"]),
        // What stands in braces or brackets is one.
        ("{a,b}.rs", &["{a,b}.rs"]),
        ("src/*.{ts,tsx},docs", &["src/*.{ts,tsx}", "docs"]),
        ("src/[a,b].rs", &["src/[a,b].rs"]),
        ("src/{a, b}.rs", &["src/{a, b}.rs"]),
        // A selector with several ranges is one.
        ("a.rs:5-16,960-973", &["a.rs:5-16,960-973"]),
        ("a.rs:5-16,b.rs", &["a.rs:5-16", "b.rs"]),
        // Addresses with a scheme are never split, and are not asked for.
        ("https://host/a,b c", &["https://host/a,b c"]),
        ("gone.rs,https://host/a", &["gone.rs", "https://host/a"]),
        ("skill://a,b", &["skill://a,b"]),
    ];
    for (text, parts) in rows {
        assert_eq!(split(text), *parts, "{text}");
    }
}

#[test]
fn a_path_is_parted_into_a_base_and_a_glob() {
    let rows: &[(&str, &str, Option<&str>)] = &[
        ("src", "src", None),
        ("gone", "gone", None),
        ("a.rs:50-60", "a.rs:50-60", None),
        ("*.ts", ".", Some("**/*.ts")),
        ("**/*.ts", ".", Some("**/*.ts")),
        ("**", ".", Some("**/**")),
        ("{a,b}.ts", ".", Some("**/{a,b}.ts")),
        ("?.md", ".", Some("**/?.md")),
        ("*/", ".", Some("**/*/")),
        ("./*.ts", ".", Some("*.ts")),
        ("src/*.ts", "src", Some("*.ts")),
        ("src//*.ts", "src", Some("*.ts")),
        ("src/**/*.ts", "src", Some("**/*.ts")),
        ("src/*/", "src", Some("*/")),
        ("src/x/{a,b/c}/*.ts", "src/x", Some("{a,b/c}/*.ts")),
        ("../up/*.rs", "../up", Some("*.rs")),
        ("~/x/*.rs", "~/x", Some("*.rs")),
        ("/etc/*.conf", "/etc", Some("*.conf")),
        ("/*.conf", "/", Some("*.conf")),
        ("file:///etc/*.conf", "file:///etc", Some("*.conf")),
        // Names that exist are names, whatever signs they hold.
        ("what?.md", "what?.md", None),
        ("app/[id]/page.tsx", "app/[id]/page.tsx", None),
        ("app/[id]/*.tsx", "app/[id]", Some("*.tsx")),
        ("[id]/*.tsx", "[id]", Some("*.tsx")),
        ("[ab]/*.tsx", ".", Some("**/[ab]/*.tsx")),
        // Backslashes are slashes unless a name has them.
        ("src\\a.rs", "src/a.rs", None),
        ("src\\*.rs", "src", Some("*.rs")),
        ("src\\**\\*.rs", "src", Some("**/*.rs")),
        ("odd\\name", "odd\\name", None),
        ("odd\\name/*\\x", "odd\\name", Some("*/x")),
        // Archives.
        ("bundle.zip:src/**", "bundle.zip:src", Some("**")),
        ("bundle.zip:*.ts", "bundle.zip:", Some("*.ts")),
        ("gone.zip:*.ts", ".", Some("**/gone.zip:*.ts")),
        // Schemes.
        ("https://host/a?b=*", "https://host/a?b=*", None),
        ("skill://name/x", "skill://name/x", None),
        ("agent://7?q=.a", "agent://7?q=.a", None),
    ];
    for (text, base, glob) in rows {
        let entry = Entry { text: (*text).to_owned(), base: (*base).to_owned(), glob: glob.map(str::to_owned) };
        assert_eq!(parse(text, &WORLD), Ok(entry), "{text}");
    }
}

#[test]
fn internal_addresses_take_no_globs() {
    for text in ["skill://*", "local://[a]", "rule://{a}", "local://a?.md"] {
        let error = parse(text, &WORLD).unwrap_err();
        assert_eq!(error.code(), "find.internal_glob");
        assert_eq!(error.to_string(), format!("Glob patterns are not supported for internal URLs: {text}"));
    }
}

#[test]
fn a_call_names_something_and_not_too_much() {
    let limits = Limits { targets: 3, ..Limits::default() };
    let read = |paths: &[&str]| {
        let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        entries(&paths, &WORLD, &limits, "nothing")
    };
    for paths in [&[] as &[&str], &[""], &["  "], &["src", ""], &["''"]] {
        assert_eq!(read(paths), Err(FindError::Empty { words: "nothing" }), "{paths:?}");
    }
    assert_eq!(read(&["src", "a.rs,b.rs"]).unwrap().len(), 3);
    assert_eq!(read(&["src", "docs", "a.rs,b.rs"]), Err(FindError::TooMany { count: 4, most: 3 }));
    assert_eq!(read(&["src,docs,a.rs,b.rs"]), Err(FindError::TooMany { count: 4, most: 3 }));
    let long = "a".repeat(70_000);
    assert_eq!(read(&[&long]), Err(FindError::LongGlob { bytes: 70_000, most: 65_536 }));
}

#[test]
fn of_several_entries_those_that_are_missing_are_named() {
    let parsed = |texts: &[&str]| texts.iter().map(|text| parse(text, &WORLD).unwrap()).collect::<Vec<_>>();
    let open = |entry: &Entry| -> Result<String, Fault> {
        match WORLD.look(&entry.base) {
            Sight::There => Ok(entry.base.clone()),
            Sight::Missing | Sight::Unasked => {
                Err(Box::new(FindError::NotFound { paths: vec![entry.text.clone()], next: Vec::new() }))
            }
        }
    };
    let (opened, missing) = open_all(&parsed(&["src", "gone/*.rs", "docs"]), open).unwrap();
    assert_eq!((opened, missing), (vec!["src".to_owned(), "docs".to_owned()], vec!["gone/*.rs".to_owned()]));
    let alone = open_all(&parsed(&["gone/*.rs"]), open).unwrap_err();
    assert_eq!((alone.class(), alone.to_string().as_str()), (Class::Missing, "Path not found: gone/*.rs"));
    let both = open_all(&parsed(&["gone", "lost"]), open).unwrap_err();
    assert_eq!(both.to_string(), "Path not found: gone, lost");
    let refuse = |_: &Entry| -> Result<(), Fault> { Err(Box::new(FindError::Root { instead: None })) };
    assert_eq!(open_all(&parsed(&["src", "docs"]), refuse).unwrap_err().code(), "find.root");
}
