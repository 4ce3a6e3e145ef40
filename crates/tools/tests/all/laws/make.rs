//! Random files and random limits.

use encoding_rs::{Encoding, GBK, SHIFT_JIS, WINDOWS_1252};
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::{collection, sample, test_runner};
use readstone_base::Limits;

/// How the properties are run: the same cases every time, and nothing written beside the sources.
pub(crate) fn config(cases: u32) -> test_runner::Config {
    test_runner::Config {
        cases,
        failure_persistence: None,
        rng_seed: test_runner::RngSeed::Fixed(0x5EAD_5701),
        max_shrink_iters: 300,
        ..test_runner::Config::default()
    }
}

/// Limits small enough that a short file has many pages.
pub(crate) fn limits() -> impl Strategy<Value = Limits> {
    let pages = (1_u64..50, 64_u64..4096, 1_u64..200, 1_u64..8);
    let windows = (16_u64..1024, 64_u64..4096);
    let ways = (any::<bool>(), any::<bool>(), any::<bool>());
    (pages, windows, ways).prop_map(|(pages, windows, ways)| {
        let (page_lines, page_bytes, line_chars, cut_lines) = pages;
        let (window_bytes, window_max_bytes) = windows;
        let (whole, numbers, scans) = ways;
        let usual = Limits::default();
        Limits {
            page_lines,
            page_bytes,
            line_chars,
            cut_lines,
            window_bytes,
            window_max_bytes,
            edit_bytes: if whole { usual.edit_bytes } else { 1 },
            number_bytes: if numbers { usual.number_bytes } else { 64 },
            line_scan_bytes: if scans { usual.line_scan_bytes } else { 64 },
            ..usual
        }
    })
}

/// The bytes of a file, which a failing property shows in one line.
#[derive(Clone)]
pub(crate) struct File(pub(crate) Vec<u8>);

impl std::fmt::Debug for File {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "b\"{}\"", self.0.escape_ascii())
    }
}

/// A file of any kind of text.
pub(crate) fn file() -> impl Strategy<Value = File> {
    let bytes = prop_oneof![
        4 => text().prop_map(String::into_bytes),
        2 => damaged(),
        1 => text().prop_map(|text| [b"\xEF\xBB\xBF", text.as_bytes()].concat()),
        1 => text().prop_map(|text| utf16(&text, u16::to_le_bytes)),
        1 => text().prop_map(|text| utf16(&text, u16::to_be_bytes)),
        1 => text().prop_map(|text| utf32(&text)),
        1 => legacy(SHIFT_JIS, &JAPANESE),
        1 => legacy(GBK, &CHINESE),
        1 => legacy(WINDOWS_1252, &FRENCH),
    ];
    bytes.prop_map(File)
}

/// Text in lines of every kind, with every kind of line end.
pub(crate) fn text() -> impl Strategy<Value = String> {
    let end = prop_oneof![6 => Just("\n"), 2 => Just("\r\n"), 1 => Just("\r"), 1 => Just("\r\r\n")];
    let last = prop_oneof![Just("\n"), Just(""), Just("\r\n"), Just("\r")];
    (collection::vec((line(), end), 0..40), line(), last).prop_map(|(lines, tail, last)| {
        let mut text: String = lines.into_iter().flat_map(|(line, end)| [line, end.to_owned()]).collect();
        text.push_str(&tail);
        text.push_str(last);
        text
    })
}

fn line() -> impl Strategy<Value = String> {
    let plain = sample::select(vec!["a", "b", " ", "\t", "fn ", "{", "0", "[cut: ", "¶x", "7:"]);
    let wide = sample::select(vec!["é", "中", "😀", "e\u{301}", "\u{301}", "日本", "𝒳", "ß"]);
    let odd =
        sample::select(vec!["\u{7}", "\u{1b}[0m", "\u{202e}", "\u{200b}", "\u{e0041}", "\u{2028}", "\u{85}", "\r"]);
    let mixed = prop_oneof![8 => plain.clone(), 6 => wide, 1 => odd];
    let join = |parts: Vec<&str>| parts.concat();
    prop_oneof![
        2 => Just(String::new()),
        4 => collection::vec(plain.clone(), 0..12).prop_map(join),
        3 => collection::vec(mixed.clone(), 0..40).prop_map(join),
        1 => collection::vec(mixed, 100..500).prop_map(join),
        1 => collection::vec(plain, 100..800).prop_map(join),
    ]
}

/// UTF-8 in which some bytes are wrong.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let wounds = collection::vec((any::<sample::Index>(), 0x80_u8..), 1..6);
    (text(), wounds).prop_map(|(text, wounds)| {
        let mut bytes = text.into_bytes();
        for (place, byte) in wounds {
            let at = place.index(bytes.len() + 1);
            bytes.insert(at, byte);
        }
        bytes
    })
}

const JAPANESE: [&str; 6] =
    ["これは日本語の文章です。", "吾輩は猫である。", "ソース表示", "カタカナ", "名前はまだ無い", "ﾊﾝｶｸ"];
const CHINESE: [&str; 6] = ["这是一个中文文件。", "今天天气很好，", "我们去公园散步。", "北京", "编码检测", "的"];
const FRENCH: [&str; 6] = [
    "Voilà un été très agréable à la forêt.",
    "où êtes-vous allés ?",
    "Ça a été décidé",
    "naïve",
    "œuvre",
    "«\u{a0}oui\u{a0}»",
];

/// Text in an encoding that only its bytes tell.
fn legacy(encoding: &'static Encoding, words: &'static [&'static str; 6]) -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![6 => sample::select(words.to_vec()), 1 => sample::select(vec!["a", " ", "x = 1;"])];
    let line = prop_oneof![
        5 => collection::vec(word.clone(), 0..8),
        1 => collection::vec(word, 40..120),
    ];
    let end = prop_oneof![4 => Just("\n"), 1 => Just("\r\n")];
    (collection::vec((line, end), 0..20), any::<bool>()).prop_map(move |(lines, closed)| {
        // The first line is long enough that the encoding is never in doubt.
        let mut text = words.concat().repeat(4) + "\n";
        text.extend(lines.into_iter().flat_map(|(line, end)| [line.concat(), end.to_owned()]));
        if !closed {
            text.push_str(words[0]);
        }
        encoding.encode(&text).0.into_owned()
    })
}

/// UTF-16 with its mark.
pub(crate) fn utf16(text: &str, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(order).collect()
}

/// UTF-32 with its mark, the low byte first.
pub(crate) fn utf32(text: &str) -> Vec<u8> {
    std::iter::once('\u{FEFF}').chain(text.chars()).flat_map(|character| u32::from(character).to_le_bytes()).collect()
}
