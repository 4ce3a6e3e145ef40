//! Text made visible holds nothing that moves, turns or hides.

use proptest::prelude::{Strategy, prop_oneof, proptest};
use proptest::{char, collection, test_runner};
use readstone_base::{Marks, Quoted, Visible};

fn config() -> test_runner::Config {
    test_runner::Config {
        cases: 1024,
        failure_persistence: None,
        rng_seed: test_runner::RngSeed::Fixed(0xBA5E_0002),
        ..test_runner::Config::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn nothing_dangerous_is_left(text in text()) {
        let visible = Visible::of(&text);
        assert!(!visible.text.contains(is_dangerous), "{:?}", visible.text);
        let dangerous = text.chars().filter(|character| is_dangerous(*character)).count() as u64;
        let Marks { control, bidi, tag, invisible } = visible.marks;
        assert!(control + bidi + tag + invisible >= dangerous, "{:?}", visible.marks);
        assert_eq!(control + bidi + tag + invisible == 0, visible.text == text, "{:?}", visible.marks);
    }

    #[test]
    fn what_is_visible_stays(text in text()) {
        let once = Visible::of(&text).text.into_owned();
        let again = Visible::of(&once);
        assert_eq!(again.text, once);
        assert_eq!(again.marks, Marks::default());
    }

    #[test]
    fn quoted_input_is_short_and_visible(text in collection::vec(text(), 0..20)) {
        let shown = Quoted(&text.concat()).to_string();
        assert!(!shown.contains(is_dangerous), "{shown:?}");
        assert!(shown.chars().count() < 160 * 10 + 40, "{shown:?}");
    }
}

fn text() -> impl Strategy<Value = String> {
    let character = prop_oneof![
        char::any(),
        char::range('\0', '\u{ff}'),
        char::range('\u{2000}', '\u{206f}'),
        char::range('\u{e0000}', '\u{e00ff}'),
        proptest::sample::select(vec!['\u{61c}', '\u{feff}', '\u{fff9}', '\t', 'a', '中']),
    ];
    collection::vec(character, 0..24).prop_map(|text| text.into_iter().collect())
}

/// Controls, characters that turn the direction, and tags, by the tables of Unicode.
fn is_dangerous(character: char) -> bool {
    let bidi =
        matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let tag = matches!(character, '\u{e0000}'..='\u{e007f}');
    (character.is_control() && character != '\t') || bidi || tag
}

#[test]
fn each_class_is_spelled_in_its_way() {
    let visible = Visible::of("a\u{1b}[0m\u{202e}\u{e0041}\u{200b}\tz");
    assert_eq!(visible.text, "a\\x1b[0m<U+202E><U+E0041><U+200B>\tz");
    assert_eq!(visible.marks, Marks { control: 1, bidi: 1, tag: 1, invisible: 1 });
}

#[test]
fn letters_that_join_stay() {
    for text in ["naïve e\u{301}", "👨\u{200d}👩\u{200d}👧", "می\u{200c}خواهم", "中文\u{3000}", "a\u{a0}b"]
    {
        assert_eq!(Visible::of(text).text, text);
    }
}
