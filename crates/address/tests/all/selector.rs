//! Selectors: what they mean, what is wrong with them, and that their text parses back.

#![expect(clippy::panic, reason = "helpers of tests are tests too, and a broken one must stop them")]

use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
use proptest::{collection, sample, test_runner};
use readstone_address::{Mode, Problem, Select, Selector, Slice, join, readings};
use readstone_base::Span;

fn config() -> test_runner::Config {
    test_runner::Config {
        cases: 512,
        failure_persistence: None,
        rng_seed: test_runner::RngSeed::Fixed(0xADD2_E550),
        ..test_runner::Config::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_text_of_a_selector_parses_back(selector in selector()) {
        let text = selector.to_string();
        assert_eq!(Selector::parse(&text).as_ref(), Ok(&selector), "{text}");
    }

    #[test]
    fn a_selector_joined_to_a_path_is_read_from_it(selector in selector(), path in "[a-z./# ]{1,8}") {
        let address = join(&path, &selector);
        let readings = readings(&address).expect("an address");
        let mut found = readings.iter().filter(|reading| reading.place.as_str() == path && reading.since.is_none());
        assert!(found.any(|reading| reading.selector().as_ref() == Ok(&selector)), "{address}: {readings:?}");
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC{0,40}") {
        round_trip(&text);
    }

    #[test]
    fn nothing_like_a_selector_makes_the_parser_panic(
        text in "(([0-9]{1,21}|L|b|=|-|\\+|,|:|\\.\\.|raw|hex|conflicts|all|é){0,12})"
    ) {
        round_trip(&text);
    }
}

/// What parses has a text that means the same.
fn round_trip(text: &str) {
    if let Ok(selector) = Selector::parse(text) {
        let again = selector.to_string();
        assert_eq!(Selector::parse(&again), Ok(selector), "{text:?} became {again:?}");
    }
}

fn selector() -> impl Strategy<Value = Selector> {
    let mode = sample::select(vec![Mode::Plain, Mode::Raw, Mode::Conflicts, Mode::Everything]);
    let lines = (select(), mode).prop_map(|(select, mode)| Selector { select, mode });
    let bytes = prop_oneof![Just(Select::All), window()];
    prop_oneof![8 => lines, 1 => bytes.prop_map(|select| Selector { select, mode: Mode::Hex })]
}

fn select() -> impl Strategy<Value = Select> {
    let spans = || collection::vec(span(), 1..6).prop_map(Span::merge);
    prop_oneof![
        Just(Select::All),
        line().prop_map(Select::From),
        bounded().prop_map(Select::Range),
        spans().prop_map(Select::Many),
        line().prop_map(Select::Last),
        (line(), line()).prop_map(|(line, column)| Select::Around { line, column }),
        window(),
        (collection::vec(slice(), 1..6), prop_oneof![Just(Vec::new()), spans()])
            .prop_map(|(slices, lines)| Select::Rest { slices, lines }),
    ]
}

fn line() -> impl Strategy<Value = u64> {
    prop_oneof![4 => 1_u64..1000, 1 => 1_u64..u64::MAX - 1]
}

fn bounded() -> impl Strategy<Value = Span> {
    (line(), 0_u64..1000).prop_map(|(first, more)| Span::new(first, first.saturating_add(more).min(u64::MAX - 1)))
}

fn span() -> impl Strategy<Value = Span> {
    prop_oneof![8 => bounded(), 1 => line().prop_map(|first| Span::new(first, u64::MAX))]
}

fn window() -> impl Strategy<Value = Select> {
    (any::<u64>(), prop_oneof![Just(None), (1_u64..).prop_map(Some)])
        .prop_map(|(start, bytes)| Select::Window { start, bytes })
}

fn slice() -> impl Strategy<Value = Slice> {
    (any::<u64>(), prop_oneof![Just(None), (1_u64..).prop_map(Some)]).prop_map(|(start, count)| Slice { start, count })
}

#[track_caller]
fn wrong(text: &str, problem: Problem) {
    match Selector::parse(text) {
        Err((_, found)) => assert_eq!(found, problem, "{text}"),
        Ok(selector) => panic!("{text} is taken for {selector:?}"),
    }
}

#[track_caller]
fn means(text: &str, select: &Select) {
    assert_eq!(Selector::parse(text).map(|selector| selector.select).as_ref(), Ok(select), "{text}");
}

#[test]
fn what_is_wrong_is_named() {
    for text in ["0", "0-", "0-5", "L0", "0+3", "0..5", "1,0", "0,"] {
        wrong(text, Problem::Zero);
    }
    for text in ["5-3", "5..3", "L5-L3", "b5-3", "1,5-3", "2-0"] {
        wrong(text, Problem::Backwards);
    }
    for text in ["1+0", "-0", "b0+0", "=0+0", "1,4+0"] {
        wrong(text, Problem::NoCount);
    }
    for text in ["99999999999999999999", "1-99999999999999999999", "-99999999999999999999", "b99999999999999999999"] {
        wrong(text, Problem::TooLarge);
    }
    for text in
        ["abc", "5-abc", "5-9-12", "L", "-", "--5", "+5", "1,,2", ",", "b", "b-5", "=", "1.5", " 5", "5 ", "٣", "5–9"]
    {
        wrong(text, Problem::Unknown);
    }
    for text in ["raw:raw", "raw:hex", "5-9:7-8", "5:raw:6", "5-9:3", "-5:3"] {
        wrong(text, Problem::Twice);
    }
    wrong("hex:5-9", Problem::NeedsBytes);
    wrong("5-9:hex", Problem::NeedsBytes);
    wrong("5:0", Problem::ZeroColumn);
    wrong(&"1,".repeat(100_000), Problem::TooMany);
    wrong(&(1..=100_000).map(|line| line.to_string()).collect::<Vec<_>>().join(","), Problem::TooMany);
}

#[test]
fn every_form_means_what_the_table_says() {
    let range = Select::Range(Span::new(5, 9));
    for text in ["5-9", "L5-L9", "L5-9", "5-L9", "5..9", "L5..L9", "5+5", "L5+L5", "5-9:"] {
        means(text, &range);
    }
    for text in ["12", "12-", "L12", "L12-", "12..", "12:"] {
        means(text, &Select::From(12));
    }
    means("-20", &Select::Last(20));
    means("12:7", &Select::Around { line: 12, column: 7 });
    means("12:7:", &Select::Around { line: 12, column: 7 });
    means("5,9", &Select::Many(vec![Span::new(5, 5), Span::new(9, 9)]));
    means("960-973,5-16", &Select::Many(vec![Span::new(5, 16), Span::new(960, 973)]));
    means("5-9,10-12", &Select::Many(vec![Span::new(5, 12)]));
    means("5-9,", &Select::Many(vec![Span::new(5, 9)]));
    means("5,9-", &Select::Many(vec![Span::new(5, 5), Span::new(9, u64::MAX)]));
    means("b65536+65536", &Select::Window { start: 65_536, bytes: Some(65_536) });
    means("b10-19", &Select::Window { start: 10, bytes: Some(10) });
    means("b10-", &Select::Window { start: 10, bytes: None });
    means("b10", &Select::Window { start: 10, bytes: None });
    means("", &Select::All);
    means("5+18446744073709551615", &Select::Range(Span::new(5, u64::MAX - 1)));
}

#[test]
fn a_mode_stands_before_or_behind_a_range() {
    for text in ["5-9:raw", "raw:5-9", "raw:5-9:"] {
        let selector = Selector::parse(text).expect(text);
        assert_eq!(selector, Selector { select: Select::Range(Span::new(5, 9)), mode: Mode::Raw }, "{text}");
    }
    let around = Selector::parse("raw:12:7").expect("around, verbatim");
    assert_eq!(around, Selector { select: Select::Around { line: 12, column: 7 }, mode: Mode::Raw });
    assert_eq!(Selector::parse("hex:b0+64").map(|selector| selector.mode), Ok(Mode::Hex));
    assert_eq!(Selector::parse("conflicts").map(|selector| selector.mode), Ok(Mode::Conflicts));
}

#[test]
fn slices_and_lines_stand_in_one_list() {
    let rest = Select::Rest {
        slices: vec![Slice { start: 10, count: Some(5) }, Slice { start: 90, count: None }],
        lines: vec![Span::new(7, 8), Span::new(12, u64::MAX)],
    };
    means("=10+5,=90-,7-8,12-", &rest);
    assert_eq!(Selector { select: rest, mode: Mode::Raw }.to_string(), "=10+5,=90-,7-8,12-:raw");
}
