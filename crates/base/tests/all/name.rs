//! File names as text: what is shown opens the file it names.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use proptest::prelude::{Just, Strategy, prop_oneof, proptest};
use proptest::{collection, test_runner};
use readstone_base::{Visible, escape_name, unescape_name};

fn config() -> test_runner::Config {
    test_runner::Config {
        cases: 2048,
        failure_persistence: None,
        rng_seed: test_runner::RngSeed::Fixed(0xBA5E_0001),
        ..test_runner::Config::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_name_of_any_bytes_is_read_back(name in collection::vec(1_u8.., 0..24)) {
        round_trip(&name);
    }

    #[test]
    fn a_name_of_odd_characters_is_read_back(name in odd()) {
        round_trip(&name);
    }

    #[test]
    fn no_shown_text_makes_the_reader_panic(text in "(\\PC|\\\\|x|u\\{|\\}|[0-9a-fA-F]{1,8}|é){0,20}") {
        if let Some(name) = unescape_name(&text) {
            round_trip(name.as_bytes());
        }
    }
}

/// Names of what escapes are made of, blanks, controls and bytes that are not UTF-8.
fn odd() -> impl Strategy<Value = Vec<u8>> {
    let pieces: [&'static [u8]; 16] = [
        b" ",
        b"\\",
        b"\\x",
        b"\\x20",
        b"\\u{",
        b"}",
        b"\n",
        b"\t",
        b"\x7f",
        b"\xff",
        b"\xe4\xb8",
        b"a",
        b"\xc2\x85",
        b"\xe2\x80\xae",
        b"\xf3\xa0\x81\x81",
        b"\xef\xbb\xbf",
    ];
    let piece = prop_oneof![proptest::sample::select(pieces.to_vec()), Just(&b"."[..])];
    collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

fn round_trip(name: &[u8]) {
    let name = OsStr::from_bytes(name);
    let shown = escape_name(name);
    assert!(Visible::of(&shown).text == shown, "{shown:?} is not safe to show");
    assert!(!shown.contains(['\t', '\n']), "{shown:?} is not one word of a row");
    assert_eq!(shown.trim(), shown, "blanks at an end of {shown:?} are lost");
    // A name shown as it is opens as it is; any other is read back.
    if name.to_str() != Some(&shown) {
        assert_eq!(unescape_name(&shown).as_deref(), Some(name), "{shown:?}");
    }
}

#[test]
fn a_plain_name_is_shown_as_it_is() {
    for name in ["a.txt", "a b", "naïve", "中文", "a\\b", "👨‍👩‍👧", ".", "a:5-9"] {
        assert_eq!(escape_name(OsStr::new(name)), name);
    }
}

#[test]
fn what_is_odd_in_a_name_is_spelled_out() {
    for (name, shown) in [
        (&b"a\nb"[..], "a\\x0ab"),
        (b" a ", "\\x20a\\x20"),
        (b"  ", "\\x20\\x20"),
        (b"\xff", "\\xff"),
        (b"a\\\n", "a\\\\\\x0a"),
        (b"\xe2\x80\xae", "\\u{202E}"),
        (b"\xc2\x85", "\\u{0085}"),
    ] {
        assert_eq!(escape_name(OsStr::from_bytes(name)), shown);
        assert_eq!(unescape_name(shown).as_deref(), Some(OsStr::from_bytes(name)));
    }
}

#[test]
fn a_broken_escape_is_no_name() {
    for shown in
        ["plain", "\\", "\\x", "\\x1", "\\xzz", "\\x+1", "\\u{", "\\u{}", "\\u{110000}", "\\u{d800}", "\\n", "\\xé1"]
    {
        assert_eq!(unescape_name(shown), None, "{shown}");
    }
}
