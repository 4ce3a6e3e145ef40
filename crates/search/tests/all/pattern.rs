//! What a text is taken as when it is searched for.

use proptest::prelude::*;
use readstone_base::{Class, Failure as _, Limits};
use readstone_search::{Case, Error, Pattern};

fn pattern(text: &str) -> Result<Pattern, Error> {
    Pattern::new(text, Case::Exact, &Limits::default())
}

/// A text, what it is taken as when that is something else, something that it finds, and something that it does not.
const TAKEN: &[(&str, Option<&str>, &str, &str)] = &[
    // Braces that cannot be quantifiers.
    ("interface{}", Some(r"interface\{\}"), "x interface{} y", "interface"),
    ("${platform}", Some(r"\$\{platform\}"), "a ${platform} b", "platform"),
    ("{foo}", Some(r"\{foo\}"), "{foo}", "foo"),
    ("{", Some(r"\{"), "a { b", "a b"),
    ("a{2", Some(r"a\{2"), "a{2", "aa"),
    ("a{,3}", Some(r"a\{,3\}"), "a{,3}", "aaa"),
    ("a{x}b{2}", Some(r"a\{x\}b{2}"), "a{x}bb", "a{x}b{2}"),
    ("{2}", Some(r"\{2\}"), "{2}", "22"),
    ("(a|{2})", Some(r"(a|\{2\})"), "{2}", "b"),
    ("{0}{1}", Some(r"\{0\}\{1\}"), "{0}{1}", "{0}{"),
    ("{{name}}", Some(r"\{\{name\}\}"), "{{name}}", "{name}"),
    ("x{{2}}", Some(r"x\{\{2\}\}"), "x{{2}}", "x{{"),
    ("${1}", Some(r"\$\{1\}"), "${1}", "anything"),
    ("(?i){x}", Some(r"(?i)\{x\}"), "{X}", "x"),
    ("fn main() {", Some("fn main() \\{"), "fn main {", "fn main"),
    ("if (a) { b(); }", Some(r"if (a) \{ b(); \}"), "if a { b; }", "if (a)"),
    ("größe{}", Some(r"größe\{\}"), "die größe{} da", "größe"),
    ("{é}", Some(r"\{é\}"), "{é}", "é"),
    (r"\d{a}", Some(r"\d\{a\}"), "7{a}", "7a"),
    (r"\x{41}{x}", Some(r"\x{41}\{x\}"), "A{x}", "{x}"),
    (r"\p{Greek}{x}", Some(r"\p{Greek}\{x\}"), "α{x}", "a{x}"),
    ("[{]{x}", Some(r"[{]\{x\}"), "{{x}", "{x}"),
    ("[]{]{", Some(r"[]{]\{"), "]{", "{"),
    ("{ 2 }", Some(r"\{ 2 \}"), "{ 2 }", "2"),
    ("{\"a\": 1}", Some(r#"\{"a": 1\}"#), r#"{"a": 1}"#, "a: 1"),
    // Parentheses that open or close nothing.
    ("fn foo(", Some(r"fn foo\("), "fn foo(x)", "fn foo"),
    ("foo)", Some(r"foo\)"), "foo)", "foo"),
    ("foo(bar", Some(r"foo\(bar"), "foo(bar)", "foobar"),
    ("foo(bar()", Some(r"foo\(bar\(\)"), "foo(bar())", "foobar"),
    (")(", Some(r"\)\("), ")(", "()"),
    ("(?i)foo(", Some(r"(?i)foo\("), "FOO(", "foo"),
    ("[(]foo(", Some(r"[(]foo\("), "(foo(", "foo("),
    (r"\(foo(", Some(r"\(foo\("), "(foo(", "foo("),
    ("func (x) {", Some(r"func (x) \{"), "func x {", "func (x)"),
    ("foo({", Some(r"foo\(\{"), "foo({", "foo("),
    ("map[string]interface{}{", Some(r"map[string]interface\{\}\{"), "mapsinterface{}{", "interface{}{"),
    ("useEffect(() => {", Some(r"useEffect\(\(\) => \{"), "useEffect(() => {", "useEffect"),
    // What is an expression stays one.
    ("a{2,4}", None, "xaa", "a"),
    ("a{2}", None, "aa", "a"),
    ("a{2,}", None, "aaa", "a"),
    ("a{2,4}?", None, "aa", "a"),
    ("}", None, "}", "{"),
    ("a}", None, "a}", "a"),
    (r"\{", None, "{", "}"),
    ("[{]", None, "{", "}"),
    ("[{}]x", None, "}x", "x"),
    ("(foo)", None, "foo", "(fo)"),
    (r"foo\(", None, "foo(", "foo"),
];

#[test]
fn braces_and_parentheses_that_can_only_be_meant_literally_are_taken_so() {
    for (text, taken, found, missed) in TAKEN {
        let pattern = pattern(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(pattern.repaired(), *taken, "{text}");
        assert!(pattern.find(found).is_some(), "{text} finds {found}");
        assert!(pattern.find(missed).is_none(), "{text} does not find {missed}");
    }
}

#[test]
fn what_was_repaired_is_an_expression_that_needs_no_repair() {
    for (text, taken, ..) in TAKEN {
        let again = taken.map(|taken| pattern(taken).unwrap().repaired().map(str::to_owned));
        assert!(again.is_none_or(|again| again.is_none()), "{text}");
    }
}

/// A text that cannot be searched for, and what is said of it.
const REFUSED: &[(&str, &str, &str)] = &[
    ("", "search.empty_pattern", "Pattern must not be empty"),
    (" \t\n ", "search.empty_pattern", "Pattern must not be empty"),
    ("[abc", "search.bad_pattern", "Invalid regex: unclosed character class, at character 1 of '[abc'"),
    ("é*[abc", "search.bad_pattern", "Invalid regex: unclosed character class, at character 3 of 'é*[abc'"),
    ("{x}[abc", "search.bad_pattern", "Invalid regex: unclosed character class, at character 4 of '{x}[abc'"),
    ("${x}*[abc", "search.bad_pattern", "Invalid regex: unclosed character class, at character 6 of '${x}*[abc'"),
    ("*", "search.bad_pattern", "Invalid regex: repetition operator missing expression, at character 1 of '*'"),
    (
        "a{4,2}",
        "search.bad_pattern",
        "Invalid regex: invalid repetition count range, the start must be <= the end, at character 2 of 'a{4,2}'",
    ),
    (
        "(?=x)y",
        "search.bad_pattern",
        "Invalid regex: look-ahead and look-behind are not offered, at character 1 of '(?=x)y'",
    ),
    (
        "a(?<!x)",
        "search.bad_pattern",
        "Invalid regex: look-ahead and look-behind are not offered, at character 2 of 'a(?<!x)'",
    ),
    (r"(a)\1", "search.bad_pattern", r"Invalid regex: backreferences are not supported, at character 4 of '(a)\1'"),
    ("(?:a|b", "search.bad_pattern", "Invalid regex: unclosed group, at character 1 of '(?:a|b'"),
    (
        r"\p{Klingon}",
        "search.bad_pattern",
        r"Invalid regex: Unicode property not found, at character 1 of '\p{Klingon}'",
    ),
    (
        r"foo\",
        "search.bad_pattern",
        r"Invalid regex: incomplete escape sequence, reached end of pattern prematurely, at character 4 of 'foo\'",
    ),
    (r"a\x0Ab", "search.bad_pattern", r"Invalid regex: the end of a line is written \n, in 'a\x0Ab'"),
];

#[test]
fn what_is_no_expression_is_refused_with_the_place_of_the_fault() {
    for (text, code, words) in REFUSED {
        let error = pattern(text).unwrap_err();
        assert_eq!(error.to_string(), *words, "{text}");
        assert_eq!(error.code(), *code, "{text}");
        assert_eq!(error.class(), Class::Request, "{text}");
    }
}

#[test]
fn r01_patterns_that_would_take_too_much_memory_are_refused_by_their_limit() {
    let alternatives: Vec<String> = (0..100_000).map(|number| format!("word{number}")).collect();
    let large = [
        "(a{1000}){1000}".to_owned(),
        r"\pL{5000}".to_owned(),
        "x".repeat(1_000_000),
        alternatives.join("|"),
        r"\w".repeat(10_000),
    ];
    for text in large {
        let error = pattern(&text).map(|_| ()).unwrap_err();
        assert_eq!(error.code(), "search.pattern_too_large", "{error}");
    }
}

#[test]
fn r01_texts_full_of_brackets_are_taken_or_refused_in_one_line() {
    for text in ["(", ")", "{", "}", "[", "]", r"\", "{2}", "(?<", r"\x{", "a|", "[[:", "(?i)", "${1}", "*"] {
        let text = text.repeat(13_000);
        if let Err(error) = pattern(&text) {
            assert!(error.to_string().len() < 1_000 && !error.to_string().contains('\n'), "{error}");
        }
    }
}

#[test]
fn a_pattern_too_large_for_its_limit_names_the_limit() {
    let limits = Limits { search_pattern_bytes: 1_000, ..Limits::default() };
    let error = Pattern::new(r"\w+", Case::Exact, &limits).unwrap_err();
    assert_eq!(error.to_string(), "the pattern would take more than 1000 bytes of memory; limit search_pattern_bytes");
    assert_eq!(error.class(), Class::TooBig);
}

#[test]
fn white_space_around_a_pattern_is_left_out_unless_it_is_escaped() {
    assert!(pattern("  foo \n").unwrap().find("xfoox").is_some());
    assert!(pattern(r"foo\ ").unwrap().find("foobar").is_none());
    assert!(pattern(r"foo\ ").unwrap().find("foo bar").is_some());
    assert!(pattern(r"foo\\ ").unwrap().find(r"foo\bar").is_some());
}

#[test]
fn a_match_spans_lines_only_when_the_pattern_says_so() {
    for (text, spans) in [
        (r"foo\nbar", true),
        ("foo\nbar", true),
        (r"[\n]", true),
        (r"foo[^\n]*", true),
        (r"foo\s+bar", false),
        (r"C:\\new", false),
        ("foo.bar", false),
        (r"(?s)foo.bar", false),
        ("(?x) foo\n bar", false),
    ] {
        assert_eq!(pattern(text).unwrap().spans_lines(), spans, "{text}");
    }
}

#[test]
fn case_is_folded_as_unicode_folds_it() {
    let fold = |text: &str| Pattern::new(text, Case::Fold, &Limits::default()).unwrap();
    assert!(fold("straße ÄRGER").find("STRAßE ärger").is_some());
    assert!(fold("ΣΊΣΥΦΟΣ").find("σίσυφος").is_some());
    assert!(fold("k").find("\u{212A}").is_some());
    assert!(pattern("Ärger").unwrap().find("ärger").is_none());
}

proptest! {
    #[test]
    fn any_text_is_taken_as_an_expression_or_refused(
        parts in proptest::collection::vec(proptest::sample::select(vec![
            "a", "é", "{", "}", "{2}", "{2,3}", "{x}", "(", ")", "(?i)", "(?:", "(?<n>", "[", "]", "[^", "|", "$", "^", ".", "*",
            "+", "?", "\\", r"\{", r"\x{41}", r"\p{L}", r"\b{start}", r"\n", "\n", " ", ",", "1", "-", "&&", "[:alpha:]", "#", "(?x)",
        ]), 0..12)
    ) {
        let text = parts.concat();
        let is_expression = regex_syntax::ast::parse::Parser::new().parse(text.trim()).is_ok();
        match pattern(&text) {
            Ok(taken) => {
                if is_expression && !text.contains("${") {
                    prop_assert_eq!(taken.repaired(), None);
                }
                if let Some(repaired) = taken.repaired() {
                    let again = pattern(repaired);
                    prop_assert!(again.is_ok_and(|again| again.repaired().is_none()), "{} became {}", text, repaired);
                    let bare = |text: &str| text.replace('\\', "").trim().to_owned();
                    prop_assert_eq!(bare(repaired), bare(&text));
                }
                taken.find("a{2} (b) $x\n");
            }
            Err(error) => {
                prop_assert!(!error.to_string().contains('\n') && error.to_string().len() < 1_000, "{}", error);
            }
        }
    }
}
