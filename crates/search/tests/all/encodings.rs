//! Texts are found in whatever encoding they are written, with the line numbers that `read` gives them.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

use std::sync::Arc;

use readstone_base::{Blob, Budget, Count, Fixed, Limits, Memory, Role, Spot};
use readstone_search::{Case, Extent, Look, Pattern, Scanner};
use readstone_source::Head;

fn budget() -> Budget {
    Budget::new(Arc::new(Fixed(0)), None)
}

fn look(case: Case, text: &str, bytes: &[u8]) -> Look {
    let limits = Limits::default();
    let pattern = Pattern::new(text, case, &limits).unwrap();
    Scanner::new(&pattern, &limits).look(&Memory::new(bytes.to_vec()), &budget()).unwrap()
}

/// The lines that match, by number and text.
fn matching(text: &str, bytes: &[u8]) -> Vec<(u64, String)> {
    let limits = Limits::default();
    let pattern = Pattern::new(text, Case::Exact, &limits).unwrap();
    let blob: Arc<dyn Blob> = Arc::new(Memory::new(bytes.to_vec()));
    let head = Head { bytes, samples: &[], size: bytes.len() as u64 };
    let lines = readstone_formats::open(&head, &blob).unwrap();
    let scanned = Scanner::new(&pattern, &limits).hits(&lines, None, 1_000, &budget()).unwrap();
    assert_eq!(scanned.extent, Extent::Whole);
    let rows = scanned.hits.rows.into_iter().filter(|row| row.role == Role::Match);
    let found: Vec<_> = rows.map(|row| (number(&row.spot), row.text)).collect();
    assert_eq!(scanned.hits.matches, Count::Exactly(found.len() as u64));
    found
}

fn number(spot: &Spot) -> u64 {
    let Spot::Line(number) = spot else { panic!("a line has a number") };
    *number
}

fn utf16(text: &str, mark: &[u8], bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    mark.iter().copied().chain(text.encode_utf16().flat_map(bytes)).collect()
}

fn utf32(text: &str, mark: &[u8], bytes: fn(u32) -> [u8; 4]) -> Vec<u8> {
    mark.iter().copied().chain(text.chars().flat_map(|character| bytes(character.into()))).collect()
}

const TEXT: &str = "# Speisekarte\r\nKäse und Brötchen\nCafé für zwei\r\n\r\nein Straßenfest 😀\nletzte Zeile: Käse";

/// A text in every encoding of several bytes a unit.
fn wide(text: &str) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("UTF-16 LE with a mark", utf16(text, b"\xFF\xFE", u16::to_le_bytes)),
        ("UTF-16 BE with a mark", utf16(text, b"\xFE\xFF", u16::to_be_bytes)),
        ("UTF-16 LE", utf16(text, b"", u16::to_le_bytes)),
        ("UTF-16 BE", utf16(text, b"", u16::to_be_bytes)),
        ("UTF-32 LE with a mark", utf32(text, b"\xFF\xFE\0\0", u32::to_le_bytes)),
        ("UTF-32 BE with a mark", utf32(text, b"\0\0\xFE\xFF", u32::to_be_bytes)),
        ("UTF-32 LE", utf32(text, b"", u32::to_le_bytes)),
        ("UTF-32 BE", utf32(text, b"", u32::to_be_bytes)),
        ("UTF-8 with a mark", [b"\xEF\xBB\xBF", text.as_bytes()].concat()),
        ("UTF-8", text.as_bytes().to_vec()),
    ]
}

#[test]
fn unicode_texts_are_found_in_every_form() {
    for (name, bytes) in wide(TEXT) {
        let found = matching("Käse", &bytes);
        assert_eq!(found, [(2, "Käse und Brötchen".to_owned()), (6, "letzte Zeile: Käse".to_owned())], "{name}");
        assert_eq!(matching("^$", &bytes), [(4, String::new())], "{name}");
        assert_eq!(matching("zwei$", &bytes), [(3, "Café für zwei".to_owned())], "{name}");
        assert_eq!(matching("😀", &bytes), [(5, "ein Straßenfest 😀".to_owned())], "{name}");
        assert_eq!(matching(r"Brötchen\nCafé", &bytes).len(), 2, "{name}");
        assert_eq!(matching(r"zwei\n\nein", &bytes).len(), 3, "{name}");
        // The mark at the beginning is no part of the first line.
        assert_eq!(matching("^# Speise", &bytes), [(1, "# Speisekarte".to_owned())], "{name}");
        assert_eq!(look(Case::Exact, "^# Speise", &bytes), Look::Match, "{name}");
        assert_eq!(look(Case::Exact, "Straßenfest", &bytes), Look::Match, "{name}");
        assert_eq!(look(Case::Exact, "KÄSE", &bytes), Look::NoMatch(Extent::Whole), "{name}");
        assert_eq!(look(Case::Fold, "KÄSE", &bytes), Look::Match, "{name}");
    }
}

#[test]
fn texts_longer_than_what_is_read_at_once_are_found_in_every_form() {
    let mut text = "ein Wort über alles, in vielen Zeilen\n".repeat(8_000);
    text.push_str("Nadel: ä😀ß\n");
    for (name, bytes) in wide(&text) {
        assert_eq!(matching("ä😀ß$", &bytes), [(8_001, "Nadel: ä😀ß".to_owned())], "{name}");
        assert_eq!(look(Case::Exact, "ä😀ß", &bytes), Look::Match, "{name}");
        assert_eq!(look(Case::Exact, "ä😀ßx", &bytes), Look::NoMatch(Extent::Whole), "{name}");
    }
}

#[test]
fn texts_in_legacy_encodings_are_found() {
    let german = "Der König aß Brötchen über den Dächern.\nDas Café schließt früh, die Gäste gehen.\nSchöne Grüße\n";
    let russian = "Быстрая лиса прыгает через собаку\nСъешь ещё этих мягких французских булок\n";
    let japanese = "これは日本語の文章です。\n検索できることを確認します。\nカタカナも含まれています。\n";
    let chinese = "这是一个测试文件。\n我们正在搜索中文内容，看看能不能找到。\n谢谢大家的帮助。\n";
    for (encoding, text, pattern, number) in [
        (encoding_rs::WINDOWS_1252, german, "Grüße$", 3),
        (encoding_rs::WINDOWS_1252, german, "schlie.t früh", 2),
        (encoding_rs::WINDOWS_1251, russian, "^Съешь", 2),
        (encoding_rs::SHIFT_JIS, japanese, "検索", 2),
        (encoding_rs::SHIFT_JIS, japanese, r"^カタカナ\w", 3),
        (encoding_rs::EUC_JP, japanese, "日本語", 1),
        (encoding_rs::GBK, chinese, "搜索中文", 2),
    ] {
        let (bytes, _, lost) = encoding.encode(text);
        assert!(!lost);
        let numbers: Vec<u64> = matching(pattern, &bytes).into_iter().map(|(number, _)| number).collect();
        assert_eq!(numbers, [number], "{pattern} in {}", encoding.name());
        assert_eq!(look(Case::Exact, pattern, &bytes), Look::Match, "{pattern} in {}", encoding.name());
        // Longer than what is read at once, too.
        let long = bytes.repeat(600_000 / bytes.len());
        assert_eq!(look(Case::Exact, pattern, &long), Look::Match, "{pattern} in {}", encoding.name());
        let none = look(Case::Exact, &format!("{}zz", pattern.trim_end_matches('$')), &long);
        assert_eq!(none, Look::NoMatch(Extent::Whole), "{pattern} in {}", encoding.name());
    }
}

#[test]
fn a_file_that_stops_being_utf_8_far_behind_its_beginning_is_searched_in_the_encoding_that_read_sees() {
    let mut bytes = b"plain words in a plain line\n".repeat(20_000);
    for _ in 0..200 {
        bytes.extend_from_slice(b"caf\xE9 cr\xE8me br\xFBl\xE9e\n");
    }
    assert_eq!(look(Case::Exact, "brûlée", &bytes), Look::Match);
    assert_eq!(look(Case::Exact, "brulee", &bytes), Look::NoMatch(Extent::Whole));
    let last = [b"plain words in a plain line\n".repeat(20_000), b"caf\xE9".to_vec()].concat();
    assert_eq!(look(Case::Exact, "café$", &last), Look::Match);
    assert_eq!(matching("brûlée", &bytes).first(), Some(&(20_001, "café crème brûlée".to_owned())));
}

#[test]
fn single_bytes_that_are_no_characters_do_not_hide_the_rest_of_a_text_in_utf_8() {
    let bytes = b"gr\xC3\xBC\xC3\x9Fe ok\nbad \xFF byte after caf\xC3\xA9\n\xC3\xA4 \xE2\x82 cut\n";
    assert_eq!(matching("café$", bytes), [(2, "bad \u{FFFD} byte after café".to_owned())]);
    assert_eq!(look(Case::Exact, "^bad", bytes), Look::Match);
    assert_eq!(matching("cut", bytes), [(3, "ä \u{FFFD} cut".to_owned())]);
}

#[test]
fn what_read_calls_binary_is_not_searched() {
    let noise: Vec<u8> = (0..100_000_u32).map(|number| number.wrapping_mul(2_654_435_761).to_le_bytes()[2]).collect();
    let elf = [b"\x7FELF\x02\x01\x01\0".as_slice(), &[0; 600], b"needle"].concat();
    let pdf = b"%PDF-1.7\nneedle\n".to_vec();
    let large = [noise.repeat(30), b"needle".to_vec()].concat();
    for bytes in [
        noise.clone(),
        noise.repeat(4),
        elf.clone(),
        elf.repeat(1_000),
        pdf,
        b"\0\0\0\0".to_vec(),
        large.clone(),
        large.repeat(4),
    ] {
        assert_eq!(look(Case::Exact, "needle", &bytes), Look::Binary, "{} bytes", bytes.len());
        let blob: Arc<dyn Blob> = Arc::new(Memory::new(bytes.clone()));
        let head = Head { bytes: &bytes, samples: &[], size: bytes.len() as u64 };
        assert!(readstone_formats::open(&head, &blob).is_err());
    }
}

#[test]
fn texts_with_a_few_controls_are_searched() {
    for text in [
        "a form feed \x0C and an escape \x1B[1mneedle\x1B[0m\n",
        "one stray \x01 byte in a needle line\n",
        "a \0 needle\n",
    ] {
        let bytes = [text, "plain words follow, many of them, in lines\n"].concat().repeat(20_000);
        assert_eq!(look(Case::Exact, "needle", &bytes.into_bytes()), Look::Match, "{text:?}");
    }
}
