//! Values of JSON files by pointer.

#![expect(clippy::wildcard_enum_match_arm, reason = "helpers of tests are tests too, and a broken one must stop them")]

use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
use proptest::{collection, test_runner};
use readstone_base::{Class, Next};
use readstone_formats::JsonPlace;
use serde_json::{Value, json};

use crate::delimited::stand::Stand;

fn value(text: &str, tail: &str) -> String {
    Stand::new("x.json", text).text(tail).0
}

/// The code, the words and the calls that come next.
fn refusal(text: &str, tail: &str) -> (String, String, Vec<String>) {
    let fault = Stand::new("x.json", text).fails(tail);
    let next = fault.next().into_iter().map(|next| next.argument).collect();
    (fault.code().to_owned(), fault.to_string(), next)
}

#[test]
fn a_json_file_is_text_unless_a_value_is_asked_for() {
    let stand = Stand::new("x.json", "{\"a\": 1}");
    for tail in [None, Some(""), Some("1-2"), Some("raw"), Some("hex"), Some("?a")] {
        assert!(stand.enter(tail).is_none(), "{tail:?}");
    }
    for name in ["x.txt", "x.jsonc", "x.json5", "json"] {
        assert!(Stand::new(name, "{}").enter(Some("/a")).is_none(), "{name}");
    }
    for name in ["x.JSON", "x.geojson", "x.webmanifest", "x.js.map", "x.jsonl", "x.ndjson"] {
        assert!(Stand::new(name, "{}").enter(Some("/a")).is_some(), "{name}");
    }
}

#[test]
fn values_are_shown_as_they_stand_and_indented() {
    let text = "{\"a\":[1,{\"b\" :\t1e400,\"c\":\"\\u00e9\\n\"},[ ],{\n}],\"d\":{\"e\":[[-0.0]]}}";
    assert_eq!(value(text, "/a"), "[\n  1,\n  {\n    \"b\": 1e400,\n    \"c\": \"\\u00e9\\n\"\n  },\n  [],\n  {}\n]");
    assert_eq!(value(text, "/a/1/b"), "1e400");
    assert_eq!(value(text, "/a/1/c"), "é\n");
    assert_eq!(value(text, "/d"), "{\n  \"e\": [\n    [\n      -0.0\n    ]\n  ]\n}");
    assert_eq!(value(text, "/a/2"), "[]");
    for scalar in ["true", "false", "null", "123456789012345678901234567890.5E+7", "-1"] {
        assert_eq!(value(&format!("[{scalar}]"), "/0"), scalar);
    }
}

#[test]
fn strings_are_decoded() {
    let check = |string: &str, expected: &str| assert_eq!(value(&format!("[{string}]"), "/0"), expected, "{string}");
    check(r#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t");
    check(r#""\ud83d\ude00 \u0041""#, "😀 A");
    check(r#""\ud83d \ude00 \ud83dA \ud83d\u0041""#, "\u{fffd} \u{fffd} \u{fffd}A \u{fffd}A");
    check(r#""""#, "");
}

#[test]
fn what_is_no_character_is_counted() {
    let replaced = |text: &[u8]| {
        let stand = Stand::new("x.json", text);
        ["/0/0", "/0/1", "/0"].map(|pointer| stand.json(pointer).unwrap().replaced)
    };
    assert_eq!(replaced(b"[[\"\xe9\", 1]]"), [1, 0, 1]);
    assert_eq!(replaced(b"[[\"x\\ud800y\\udc00\", \"\xe9 \xef\xbf\xbd\"]]"), [2, 1, 1], "escapes stay in a list");
    assert_eq!(
        replaced("[[\"\u{fffd}\", \"\\ufffd\"]]".as_bytes()),
        [0, 0, 0],
        "the character itself replaces nothing"
    );
    let wide = |text: &[u16]| text.iter().flat_map(|unit| unit.to_le_bytes()).collect::<Vec<u8>>();
    let sound: Vec<u16> = "\u{feff}[[\"a\", \"é\"]]".encode_utf16().collect();
    assert_eq!(replaced(&wide(&sound)), [0, 0, 0]);
    let lone: Vec<u16> = sound.iter().map(|unit| if *unit == 0x61 { 0xd800 } else { *unit }).collect();
    assert_eq!(replaced(&wide(&lone)), [1, 0, 1], "in UTF-16");
}

#[test]
fn names_may_hold_anything() {
    let text = r#"{"": 1, "a/b": 2, "m~n": 3, "~1": 4, "a:b": 5, "a": {"": 6, "0": 7}, "b c": 8, "x\u0007y": 9,
        "é": 10, "k?l#m": 11, "%": 12, "50%25": 13}"#;
    let cases = [
        ("/", "1"),
        ("/a~1b", "2"),
        ("/m~0n", "3"),
        ("/~01", "4"),
        ("/a:b", "5"),
        ("/a/", "6"),
        ("/a/0", "7"),
        ("/b c", "8"),
        ("/b%20c", "8"),
        ("/x\\x07y", "9"),
        ("/é", "10"),
        ("/k?l#m", "11"),
        ("/%", "12"),
        ("/50%25", "13"),
    ];
    for (pointer, expected) in cases {
        assert_eq!(value(text, pointer), expected, "{pointer}");
    }
}

#[test]
fn a_selector_may_follow() {
    let stand = Stand::new("x.json", r#"{"a": {"b:1": [1], "c": "x"}, "a:1-2": 5}"#);
    let reach = |tail: &str| {
        let reached = stand.reach(tail);
        (reached.path, reached.rest)
    };
    assert_eq!(reach("/a"), ("d/x.json:/a".to_owned(), None));
    assert_eq!(reach("/a:1-2"), ("d/x.json:/a:1-2".to_owned(), None));
    assert_eq!(reach("/a:1-3:raw"), ("d/x.json:/a".to_owned(), Some("1-3:raw".to_owned())));
    assert_eq!(reach("/a/b:1:2"), ("d/x.json:/a/b:1".to_owned(), Some("2".to_owned())));
    assert_eq!(reach("/a/c:wrong"), ("d/x.json:/a/c".to_owned(), Some("wrong".to_owned())));
}

#[test]
fn of_members_with_one_name_the_last_counts() {
    let text = "{\"a\": {\"b\": 1},\n\"a\": {\"b\": 2, \"b\": 3},\n\"c\": 4}";
    let stand = Stand::new("x.json", text);
    assert_eq!(stand.text("/a/b").0, "3");
    let value = stand.json("/a/b").unwrap();
    assert_eq!(value.place, JsonPlace { what: "number", first_line: 2, last_line: 2, doubled: 2 });
    assert_eq!(refusal("{\"a\": {\"b\": 1}, \"a\": 5}", "/a/b").0, "json.no_value");
}

#[test]
fn the_place_of_a_value_is_known() {
    let stand = Stand::new("x.json", "{\n  \"a\": [\n    1\n  ],\n  \"b\": \"x\"\n}\n");
    let place = |pointer: &str| {
        let JsonPlace { what, first_line, last_line, doubled } = stand.json(pointer).unwrap().place;
        (what, first_line, last_line, doubled)
    };
    assert_eq!(place("/a"), ("array", 2, 4, 0));
    assert_eq!(place("/a/0"), ("number", 3, 3, 0));
    assert_eq!(place("/b"), ("string", 5, 5, 0));
}

#[test]
fn what_is_missing_is_said_with_what_is_there() {
    let text = r#"{"users": [{"name": "x", "names": 1, "age": 2}, {}], "n": 5, "e": []}"#;
    let check = |tail: &str, words: &str, next: &[&str]| {
        let (code, said, calls) = refusal(text, tail);
        assert_eq!((code.as_str(), said.as_str()), ("json.no_value", words), "{tail}");
        assert_eq!(calls, next.iter().map(|call| format!("d/x.json{call}")).collect::<Vec<_>>(), "{tail}");
    };
    check(
        "/users/0/nam",
        "'d/x.json:/users/0' has no key 'nam'; near it are name, names",
        &[":/users/0/name", ":/users/0/names", ":/users/0"],
    );
    check("/users/0/zzz", "'d/x.json:/users/0' has no key 'zzz'; it has name, names, age", &[":/users/0"]);
    check("/user", "'d/x.json' has no key 'user'; near it are users", &[":/users", ""]);
    check("/user:5-9", "'d/x.json' has no key 'user'; near it are users", &[":/users", ""]);
    check(
        "/users/2",
        "'d/x.json:/users' is an array of 2 elements, numbered from 0; there is no element '2'",
        &[":/users/1", ":/users"],
    );
    for odd in ["-", "-1", "01", "+1", "x", "", "99999999999999999999999"] {
        let (code, said, _) = refusal(text, &format!("/users/{odd}"));
        assert_eq!(code, "json.no_value", "{odd}");
        assert!(said.ends_with(&format!("there is no element '{odd}'")), "{said}");
    }
    check("/e/0", "'d/x.json:/e' is an array without elements, so there is no element '0'", &[":/e"]);
    check("/users/1/a", "'d/x.json:/users/1' is an object without keys, so there is no key 'a'", &[":/users/1"]);
    check("/n/0/1", "'d/x.json:/n' is a number and holds nothing, so there is no '0' in it", &[":/n"]);
    let (_, said, next) = refusal(r#"{"a/b~c": 1, "x\ny": 2}"#, "/a~1b");
    assert!(said.contains("has no key 'a/b'"), "{said}");
    assert_eq!(next, ["d/x.json:/a~1b~0c", "d/x.json"]);
    let (_, _, next) = refusal("{\"x\\ny\": 2}", "/x");
    assert_eq!(next, ["d/x.json:/x\\x0ay", "d/x.json"]);
    assert_eq!(value("{\"x\\ny\": 2}", "/x\\x0ay"), "2");
    let fault = Stand::new("x.json", text).fails("/q");
    assert_eq!((fault.class(), fault.next()), (Class::Missing, vec![Next::read("d/x.json")]));
}

#[test]
fn what_is_no_json_is_said_with_its_place() {
    let check = |text: &str, line: u64, column: u64, why: &str| {
        let (code, said, next) = refusal(text, "/a");
        assert_eq!(code, "json.bad_document", "{text}");
        assert_eq!(said, format!("'d/x.json' is no sound JSON: line {line}, column {column}: {why}"), "{text}");
        assert_eq!(next, [format!("d/x.json:{line}:{column}"), "d/x.json".to_owned()]);
    };
    check("", 1, 1, "it is empty");
    check(" \n ", 2, 2, "it is empty");
    check("{\"a\": 1,}", 1, 9, "a name in quotes must stand here");
    check("{\"a\": 1\n \"b\": 2}", 2, 2, "a comma or } must stand here");
    check("{\"a\": [1 2]}", 1, 10, "a comma or ] must stand here");
    check("{\"a\": [1,]}", 1, 10, "a value must stand here");
    check("{\"a\": 1", 1, 8, "it ends inside an object");
    check("{\"a\": [1", 1, 9, "it ends inside an array");
    check("{\"a\": ", 1, 7, "it ends where a value must stand");
    check("{\"a\": \"x", 1, 9, "it ends inside a string");
    check("{\"a\": \"x\ny\"}", 1, 9, "a string holds a control character that is not escaped");
    check("{\"a\": \"\\q\"}", 1, 9, "a backslash must stand before one of \" \\ / b f n r t u");
    check("{\"a\": \"\\u12x4\"}", 1, 12, "four hex digits must stand behind \\u");
    check("{\"a\": 01}", 1, 8, "this is no number");
    check("{\"a\": 1.}", 1, 9, "a digit must stand here");
    check("{\"a\": -}", 1, 8, "a digit must stand here");
    check("{\"a\": 1ee5}", 1, 9, "a digit must stand here");
    check("{\"a\": nul}", 1, 10, "a value must stand here");
    check("{\"a\": NaN}", 1, 7, "a value must stand here");
    check("{\"a\" 1}", 1, 6, "a colon must stand here");
    check("{a: 1}", 1, 2, "a name in quotes must stand here");
    check("{\"a\": 1} x", 1, 10, "nothing may follow the value");
    check("{\"a\": 1} // x", 1, 10, "nothing may follow the value");
    let fault = Stand::new("x.json", "{").fails("/a");
    assert_eq!(fault.class(), Class::Broken);
}

#[test]
fn any_depth_is_borne_or_refused() {
    let nested = |levels: usize| format!("{{\"a\": 1, \"b\": {}{}}}", "[".repeat(levels), "]".repeat(levels));
    assert_eq!(value(&nested(999), "/a"), "1");
    assert_eq!(value(&nested(999), "/b").lines().count(), 1_997);
    for tail in ["/a", "/b"] {
        let (code, said, next) = refusal(&nested(1_000), tail);
        assert_eq!(
            (code.as_str(), said.as_str()),
            ("json.limit", "'d/x.json' is nested more than 1000 levels deep in line 1")
        );
        assert_eq!(next, ["d/x.json"]);
    }
    let deep = "[".repeat(500_000);
    assert_eq!(refusal(&deep, "/0").0, "json.limit");
    assert_eq!(refusal(&deep, &"/0".repeat(2_000)).0, "json.limit");
    assert_eq!(refusal(&"{\"a\":".repeat(500_000), &"/a".repeat(2_000)).0, "json.limit");
}

#[test]
fn a_value_beyond_the_limit_is_told_with_where_it_stands() {
    let text = format!("{{\"a\": [{}1],\n\"b\": \"{}\"}}", "1,".repeat(1_000), "x".repeat(2_000));
    let mut stand = Stand::new("x.json", text);
    stand.limits.value_bytes = 1_000;
    let fault = stand.fails("/a");
    assert_eq!((fault.code(), fault.class()), ("json.limit", Class::TooBig));
    assert!(fault.to_string().contains("the array at 'd/x.json:/a', lines 1 to 1, 1.9 KB"), "{fault}");
    assert_eq!(fault.next(), [Next::read("d/x.json:/a/0"), Next::read("d/x.json:=6+2003")]);
    assert_eq!(stand.text("/a/1000").0, "1");
    assert_eq!(stand.fails("/b").code(), "json.limit");
}

#[test]
fn lines_of_values_are_counted_from_0() {
    let stand = Stand::new("x.jsonl", "{\"a\": 1}\n\n{\"a\": [2]}\r\nbroken\n3");
    assert_eq!(stand.text("/0/a").0, "1");
    assert_eq!(stand.text("/2/a/0").0, "2");
    assert_eq!(stand.text("/4").0, "3");
    assert_eq!(stand.json("/2").unwrap().place.first_line, 3);
    let said = |tail: &str| stand.fails(tail).to_string();
    assert_eq!(said("/1"), "line '1' of 'd/x.jsonl', numbered from 0, is blank");
    assert_eq!(said("/5"), "'d/x.jsonl' has 5 lines, numbered from 0; there is no line '5'");
    assert_eq!(said("/a"), "'d/x.jsonl' has 5 lines, numbered from 0; there is no line 'a'");
    assert!(said("/3").contains("no sound JSON: line 4, column 1: a value must stand here"), "{}", said("/3"));
    assert_eq!(stand.fails("/5").next(), [Next::read("d/x.jsonl:/4"), Next::read("d/x.jsonl")]);
    let ended = Stand::new("x.ndjson", "1\n2\n");
    assert!(ended.fails("/2").to_string().contains("has 2 lines"));
    assert_eq!(Stand::new("x.jsonl", "{\"a\":\n1}").fails("/0/a").code(), "json.bad_document");
}

#[test]
fn any_encoding_is_read() {
    let text = "\u{feff}{\"ä\": \"ö\"}";
    for bytes in [
        text.as_bytes().to_vec(),
        text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
    ] {
        assert_eq!(Stand::new("x.json", bytes).text("/ä").0, "ö");
    }
    let noise: Vec<u8> = (0..=255_u8).cycle().take(4_000).collect();
    assert_eq!(Stand::new("x.json", noise).fails("/a").code(), "json.not_text");
}

#[test]
fn a_cancelled_call_ends() {
    let stand = Stand::new("x.json", "{}");
    stand.budget.cancel_token().cancel();
    assert_eq!(stand.fails("/a").code(), "json.cancelled");
}

fn config() -> test_runner::Config {
    test_runner::Config {
        cases: 256,
        failure_persistence: None,
        rng_seed: test_runner::RngSeed::Fixed(0xF0E1_0006),
        max_shrink_iters: 2_000,
        ..test_runner::Config::default()
    }
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-c/~:]{0,3}",
        1 => "[0-9]{1,2}",
        1 => any::<String>(),
        1 => Just("a%20b".to_owned()),
        1 => Just("\\x41".to_owned()),
    ]
}

fn tree() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(|truth| json!(truth)),
        any::<i64>().prop_map(|number| json!(number)),
        any::<f64>()
            .prop_filter("JSON has no such number", |number| number.is_finite())
            .prop_map(|number| json!(number)),
        any::<String>().prop_map(|text| json!(text)),
    ];
    leaf.prop_recursive(5, 48, 6, |inner| {
        prop_oneof![
            collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            collection::vec((name(), inner), 0..6).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Every pointer in a value.
fn pointers(value: &Value, above: &str, all: &mut Vec<String>) {
    let mut step = |name: &str, inner: &Value| {
        let pointer = format!("{above}/{}", name.replace('~', "~0").replace('/', "~1"));
        pointers(inner, &pointer, all);
        all.push(pointer);
    };
    match value {
        Value::Array(items) => items.iter().enumerate().for_each(|(at, item)| step(&at.to_string(), item)),
        Value::Object(members) => members.iter().for_each(|(name, member)| step(name, member)),
        _ => {}
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_pointer_leads_to_its_value(tree in tree(), pretty in any::<bool>(), far in 0..8_u8) {
        let print = if pretty { serde_json::to_string_pretty } else { serde_json::to_string };
        // What is read at once may end in the middle.
        let blanks = " ".repeat(if far == 0 { 256 * 1024 - 20 } else { 0 });
        let stand = Stand::new("x.json", format!("{blanks}{}", print(&tree).unwrap()));
        let mut all = Vec::new();
        pointers(&tree, "", &mut all);
        all.truncate(if far == 0 { 3 } else { usize::MAX });
        for pointer in all {
            let expected = tree.pointer(&pointer).unwrap();
            let reached = stand.reach(&pointer);
            assert_eq!((reached.path, reached.rest), (format!("d/x.json:{pointer}"), None));
            let shown = stand.text(&pointer).0;
            match expected {
                Value::String(text) => assert_eq!(&shown, text),
                // Scalars have only one form.
                _ => assert_eq!(shown, serde_json::to_string_pretty(expected).unwrap()),
            }
        }
    }

    #[test]
    fn text_of_any_kind_is_judged_as_another_reader_does(text in "[\\[\\]{}:,\"a0-1.eE\\\\u \ntrfalsn]{0,24}") {
        let sound = serde_json::from_str::<Value>(&text).is_ok();
        let code = match Stand::new("x.json", text.clone()).enter(Some("/nowhere")).unwrap() {
            Ok(_) => "",
            Err(fault) => fault.code(),
        };
        // Numbers beyond all numbers are kept as they stand.
        let huge = text.contains(['e', 'E']);
        assert!(huge || sound == (code != "json.bad_document"), "{text:?}: {code}");
    }
}
