//! Readings: every way to take an address apart, the literal one first.

#![expect(clippy::panic, reason = "helpers of tests are tests too, and a broken one must stop them")]

use proptest::prelude::proptest;
use proptest::test_runner;
use readstone_address::{Error, MOST_CUTS, Place, Problem, Reading, Select, colons, cuts, readings};
use readstone_base::{Class, Failure, Span};

fn config() -> test_runner::Config {
    test_runner::Config {
        cases: 512,
        failure_persistence: None,
        rng_seed: test_runner::RngSeed::Fixed(0xADD2_E551),
        ..test_runner::Config::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_text_is_read_without_panic(text in "\\PC{0,60}") {
        literal_first(&text);
    }

    #[test]
    fn anything_like_an_address_is_read_without_panic(
        text in "((file|://|:|/|localhost|%[0-9a-f]{0,2}|#|[0-9A-F]{4}|L[0-9]{1,3}|-|www\\.|a|é|¶|\\\\|raw|[0-9]{1,3}|\u{0}|~){0,12})"
    ) {
        literal_first(&text);
    }
}

fn literal_first(text: &str) {
    let Ok(all) = readings(text) else { return };
    let first = all.first().unwrap_or_else(|| panic!("{text:?} has no reading"));
    let is_file = text.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("file:/"));
    let is_web = matches!(&first.place, Place::Url(url) if url.starts_with("http"));
    if first.place != Place::Stdin && !is_file && !is_web {
        assert_eq!(first.place.as_str(), text, "the literal reading of {text:?}");
        assert_eq!((first.since, &first.tail), (None, &None));
    }
    for reading in &all {
        // A selector that is wrong is told in a bounded line.
        if let Err(error) = reading.selector() {
            assert_eq!(error.class(), Class::Request);
            assert!(error.to_string().len() < 4000, "{text:?}");
        }
        assert!(!reading.place.as_str().is_empty(), "{text:?} is read as the empty path");
        assert!(!reading.place.as_str().contains('\0'), "{text:?} is read as a path with NUL");
    }
}

fn path(reading: &Reading) -> (&str, Option<String>, Option<&str>) {
    let Place::Path(path) = &reading.place else { panic!("{reading:?} is no path") };
    (path, reading.since.map(|tag| tag.to_string()), reading.tail.as_deref())
}

/// All readings as paths, tags and tails.
#[track_caller]
fn reads_as(text: &str, expected: &[(&str, Option<&str>, Option<&str>)]) {
    let all = readings(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let found: Vec<_> = all.iter().map(path).collect();
    let expected: Vec<_> =
        expected.iter().map(|(path, since, tail)| (*path, since.map(str::to_owned), *tail)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn a_colon_may_belong_to_the_name() {
    reads_as("plain.txt", &[("plain.txt", None, None)]);
    reads_as("notes:50-60", &[("notes:50-60", None, None), ("notes", None, Some("50-60"))]);
    reads_as("a:5:7", &[("a:5:7", None, None), ("a:5", None, Some("7")), ("a", None, Some("5:7"))]);
    reads_as("a:12:", &[("a:12:", None, None), ("a:12", None, Some("")), ("a", None, Some("12:"))]);
    reads_as(":5", &[(":5", None, None)]);
}

#[test]
fn a_tag_names_a_version() {
    reads_as("f#0A1B", &[("f#0A1B", None, None), ("f", Some("0A1B"), None)]);
    reads_as("f#0a1b", &[("f#0a1b", None, None), ("f", Some("0A1B"), None)]);
    reads_as("f#0A1", &[("f#0A1", None, None)]);
    reads_as("f#0A1B2", &[("f#0A1B2", None, None)]);
    reads_as("f#0A1G", &[("f#0A1G", None, None)]);
    reads_as("#0A1B", &[("#0A1B", None, None)]);
    reads_as(
        "f#0A1B:5-9",
        &[("f#0A1B:5-9", None, None), ("f#0A1B", None, Some("5-9")), ("f", Some("0A1B"), Some("5-9"))],
    );
}

#[test]
fn a_pasted_header_is_an_address() {
    let all = readings("¶f#0A1B").unwrap();
    assert_eq!(all.first().map(path), Some(("¶f#0A1B", None, None)));
    assert!(all.iter().any(|reading| path(reading) == ("f", Some("0A1B".to_owned()), None)), "{all:?}");
    reads_as("¶", &[("¶", None, None)]);
}

#[test]
fn a_part_of_a_file_whose_name_begins_like_a_header_has_an_address() {
    let all = readings("¶notes:5-9").unwrap();
    let found = all.iter().any(|reading| path(reading) == ("¶notes", None, Some("5-9")));
    assert!(found, "{all:?}");
}

#[test]
fn an_anchor_of_the_web_names_lines() {
    reads_as("f#L10-L20", &[("f#L10-L20", None, None), ("f", None, Some("L10-L20"))]);
    reads_as("f#L10-20", &[("f#L10-20", None, None), ("f", None, Some("L10-20"))]);
    reads_as("f#L10", &[("f#L10", None, None), ("f", None, Some("L10"))]);
    reads_as("f#L", &[("f#L", None, None)]);
    reads_as("f#Lx", &[("f#Lx", None, None)]);
    let range = readings("f#L10-L20").unwrap()[1].selector().unwrap();
    assert_eq!(range.select, Select::Range(Span::new(10, 20)));
}

#[test]
fn a_file_url_is_decoded_once() {
    reads_as("file:///a/b", &[("/a/b", None, None)]);
    reads_as("file:/a/b", &[("/a/b", None, None)]);
    reads_as("FILE:///a/b", &[("/a/b", None, None)]);
    reads_as("file://localhost/a", &[("/a", None, None)]);
    reads_as("file://LocalHost/a", &[("/a", None, None)]);
    reads_as("file:///a%20b%2520", &[("/a b%20", None, None)]);
    reads_as("file:///a%3A5:5-9", &[("/a:5:5-9", None, None), ("/a:5", None, Some("5-9"))]);
    reads_as("file:///%E4%B8%AD", &[("/中", None, None)]);
    // A name that is not UTF-8 comes in the spelling under which listings show it.
    reads_as("file:///a%FF", &[("/a\\xff", None, None)]);
}

#[test]
fn a_file_url_of_another_machine_or_with_a_hole_is_refused() {
    for text in [
        "file://host/a",
        "file://",
        "file://localhost",
        "file:///a%00b",
        "file:///a%",
        "file:///a%2",
        "file:///a%zz",
        "file:///a%+5",
    ] {
        match readings(text) {
            Err(error @ Error::BadPath { .. }) => assert_eq!(error.code(), "address.bad_path", "{text}"),
            other => panic!("{text} is read as {other:?}"),
        }
    }
}

#[test]
fn an_empty_address_and_one_with_nul_are_refused() {
    for text in ["", "a\0b", "¶a\0b", "\0", "file:///a\0"] {
        assert!(matches!(readings(text), Err(Error::BadPath { .. })), "{text:?}");
    }
}

#[test]
fn a_dash_is_standard_input() {
    let all = readings("-").unwrap();
    assert_eq!(all, [Reading { place: Place::Stdin, since: None, tail: None }]);
    let lines = readings("-:5-9").unwrap();
    assert_eq!(lines, [Reading { place: Place::Stdin, since: None, tail: Some("5-9".into()) }]);
    reads_as("-a", &[("-a", None, None)]);
    reads_as("./-", &[("./-", None, None)]);
}

#[test]
fn an_address_of_the_web_is_one_reading_and_a_bare_one_comes_last() {
    let url = |text: &str| Reading { place: Place::Url(text.to_owned()), since: None, tail: None };
    assert_eq!(readings("https://host:8080/").unwrap(), [url("https://host:8080/")]);
    assert_eq!(readings("skill://a").unwrap(), [url("skill://a")]);
    let bare = readings("www.example.com/a:5").unwrap();
    assert_eq!(bare.first().map(|reading| reading.place.as_str()), Some("www.example.com/a:5"));
    assert_eq!(bare.first().map(|reading| &reading.place), Some(&Place::Path("www.example.com/a:5".into())));
    assert_eq!(bare.last(), Some(&Reading { tail: Some("5".into()), ..url("www.example.com/a") }));
    assert!(readings("a/www.example").unwrap().iter().all(|reading| matches!(reading.place, Place::Path(_))));
}

fn web(text: &str) -> (String, Option<String>) {
    let all = readings(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let [Reading { place: Place::Url(url), tail, since: None }] = all.as_slice() else {
        panic!("{text} is no address of the web");
    };
    (url.clone(), tail.clone())
}

#[test]
fn what_can_be_a_selector_behind_the_path_of_a_web_address_is_one() {
    for (text, url, tail) in [
        ("https://h/a:5-9", "https://h/a", Some("5-9")),
        ("https://h/a:raw:5-9", "https://h/a", Some("raw:5-9")),
        ("https://h/:80", "https://h/", Some("80")),
        ("https://h:8080/:80", "https://h:8080/", Some("80")),
        ("https://h:8080", "https://h:8080", None),
        ("https://[::1]:8080/a", "https://[::1]:8080/a", None),
        ("https://h/a:@Install: the tool", "https://h/a", Some("@Install: the tool")),
        ("https://h/a:outline", "https://h/a", Some("outline")),
        ("https://h/a:p3-5", "https://h/a", Some("p3-5")),
        ("https://h/a.png:crop=1,2,3,4", "https://h/a.png", Some("crop=1,2,3,4")),
        ("https://h/a:0", "https://h/a", Some("0")),
        ("https://h/a:9-3", "https://h/a", Some("9-3")),
        ("https://h/wiki/Help:Contents", "https://h/wiki/Help:Contents", None),
        ("https://h/wiki/Help:Contents:301-", "https://h/wiki/Help:Contents", Some("301-")),
        ("https://h/web/2020/https://other/page:7-", "https://h/web/2020/https://other/page", Some("7-")),
        ("https://h/a.zip:docs/x.md:5-60", "https://h/a.zip", Some("docs/x.md:5-60")),
        ("https://h/a.rs#L10-L20", "https://h/a.rs", Some("L10-L20")),
        ("https://h/a#part", "https://h/a#part", None),
        ("https://h/a?at=12:30", "https://h/a?at=12:30", None),
        ("https://h/a?at=12:30:15", "https://h/a?at=12:30:15", None),
        ("https://h/a?at=12:30:5-9", "https://h/a?at=12:30", Some("5-9")),
        ("https://h/a?x=1:2:5-9", "https://h/a?x=1:2", Some("5-9")),
        ("www.h.org/a:5", "www.h.org/a", Some("5")),
    ] {
        if !text.starts_with("www.") {
            assert_eq!(web(text), (url.to_owned(), tail.map(str::to_owned)), "{text}");
        }
        let last = readings(text).unwrap().pop().unwrap();
        assert_eq!((last.place.as_str(), last.tail.as_deref()), (url, tail), "{text}");
    }
}

#[test]
fn an_internal_address_is_read_as_a_whole_first() {
    let all = |text: &str| -> Vec<(String, Option<String>)> {
        readings(text).unwrap().into_iter().map(|one| (one.place.as_str().to_owned(), one.tail)).collect()
    };
    let pair = |url: &str, tail: Option<&str>| (url.to_owned(), tail.map(str::to_owned));
    assert_eq!(all("skill://a"), [pair("skill://a", None)]);
    assert_eq!(
        all("skill://a:b:5-9"),
        [pair("skill://a:b:5-9", None), pair("skill://a:b", Some("5-9")), pair("skill://a", Some("b:5-9"))]
    );
    assert_eq!(all("local://s.db?q=1"), [pair("local://s.db?q=1", None), pair("local://s.db", Some("?q=1"))]);
    let tagged = readings("local://a.md#0A1B").unwrap().pop().unwrap();
    assert_eq!((tagged.place.as_str(), tagged.since.map(|tag| tag.to_string())), ("local://a.md", Some("0A1B".into())));
    assert_eq!(
        all("mcp://s/demo://x/1:raw:2-"),
        [
            pair("mcp://s/demo://x/1:raw:2-", None),
            pair("mcp://s/demo://x/1:raw", Some("2-")),
            pair("mcp://s/demo://x/1", Some("raw:2-"))
        ]
    );
}

#[test]
fn a_wrong_selector_names_the_path_and_a_call_that_works() {
    let error = readings("x.txt:0").unwrap()[1].selector().unwrap_err();
    assert!(matches!(&error, Error::BadSelector { problem: Problem::Zero, path, .. } if path == "x.txt"));
    assert_eq!(error.code(), "address.bad_selector");
    assert_eq!(error.next()[0].argument, "x.txt:1");
    assert!(error.to_string().contains("lines count from 1"), "{error}");
    let error = readings("x.txt:abc").unwrap()[1].selector().unwrap_err();
    assert!(error.to_string().contains("'abc'"), "{error}");
}

#[test]
fn many_colons_make_few_readings() {
    let all = readings(&"a:".repeat(10_000)).unwrap();
    assert!(all.len() < 200, "{} readings", all.len());
}

#[test]
fn a_text_is_cut_at_its_last_colons_and_no_more_than_a_few() {
    let all: Vec<_> = cuts("a:b:c").collect();
    assert_eq!(all, [("a:b:c", None), ("a:b", Some("c")), ("a", Some("b:c"))]);
    assert_eq!(cuts("").collect::<Vec<_>>(), [("", None)]);
    assert_eq!(cuts(":").collect::<Vec<_>>(), [(":", None), ("", Some(""))]);
    assert_eq!(cuts(&":".repeat(1_000)).count(), 1 + MOST_CUTS);
}

#[test]
fn of_very_many_colons_the_first_and_the_last_are_told() {
    assert_eq!(colons("a:ü:c"), [1, 4]);
    let most = colons(&":".repeat(1_000));
    assert_eq!((most.len(), most[0], most[2 * MOST_CUTS - 1]), (2 * MOST_CUTS, 0, 999));
    assert_eq!(colons(&":".repeat(100)), (0..100).collect::<Vec<_>>());
}
