//! Which encoding bytes are in, or that they are no text.

#![expect(clippy::indexing_slicing, reason = "helpers of tests are tests too, and a broken one must stop them")]

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252};
use readstone_formats::coding_of;
use readstone_source::Head;

/// The encoding of a file that is looked at whole.
fn named(bytes: &[u8]) -> Option<&'static str> {
    let head = Head { bytes, samples: &[], size: bytes.len() as u64 };
    coding_of(&head).map(|coding| coding.name())
}

/// The encoding of a file of which only the beginning and some pieces are looked at.
fn sampled(bytes: &[u8]) -> Option<&'static str> {
    let piece = |number: usize| {
        let start = (bytes.len() / 16 * number) & !3;
        bytes[start..(start + 4096).min(bytes.len())].to_vec()
    };
    let samples: Vec<Vec<u8>> = (1..16).map(piece).collect();
    let head = Head { bytes: &bytes[..bytes.len().min(64 * 1024)], samples: &samples, size: bytes.len() as u64 };
    coding_of(&head).map(|coding| coding.name())
}

const FRENCH: &str = "Voilà un été très agréable à la forêt, où êtes-vous allés ? Ça a été décidé.\n";
const RUSSIAN: &str = "Это обычный русский текст в старой кодировке, который нужно прочитать.\n";
const JAPANESE: &str = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。\n";
const CHINESE: &str = "这是一个中文文件。今天天气很好，我们去公园散步。编码检测应该认出它。\n";
const TAIWANESE: &str = "這是一個繁體中文檔案。今天天氣很好，我們去公園散步。\n";
const KOREAN: &str = "이것은 한국어 문서입니다. 오늘은 날씨가 좋아서 공원에 갔습니다.\n";

const LEGACY: [(&Encoding, &str, &str); 7] = [
    (WINDOWS_1252, FRENCH, "windows-1252"),
    (WINDOWS_1251, RUSSIAN, "windows-1251"),
    (SHIFT_JIS, JAPANESE, "shift_jis"),
    (EUC_JP, JAPANESE, "euc-jp"),
    (GBK, CHINESE, "gbk"),
    (BIG5, TAIWANESE, "big5"),
    (EUC_KR, KOREAN, "euc-kr"),
];

#[test]
fn one_line_in_a_legacy_encoding_is_recognised() {
    for (encoding, text, name) in LEGACY {
        assert_eq!(named(&encoding.encode(text).0).map(str::to_lowercase).as_deref(), Some(name));
    }
}

#[test]
fn a_long_file_in_a_legacy_encoding_is_recognised() {
    let mut wrong = Vec::new();
    for (encoding, text, name) in LEGACY {
        let text = text.repeat(4_000);
        let bytes = encoding.encode(&text).0;
        assert_eq!(named(&bytes).map(str::to_lowercase).as_deref(), Some(name), "whole");
        let found = sampled(&bytes).map(str::to_lowercase);
        wrong.extend((found.as_deref() != Some(name)).then(|| format!("{name} is taken for {found:?}")));
    }
    assert!(wrong.is_empty(), "looked at in pieces, {wrong:?}");
}

#[test]
fn a_few_legacy_characters_far_inside_ascii_are_recognised() {
    for (encoding, text, name) in LEGACY {
        let code = "fn main() { println!(\"hello\"); }\n";
        let text = code.repeat(200) + "// " + text + &code.repeat(200);
        assert_eq!(named(&encoding.encode(&text).0).map(str::to_lowercase).as_deref(), Some(name));
    }
}

#[test]
fn a_few_words_in_a_legacy_encoding_are_text() {
    for (encoding, text) in [
        (WINDOWS_1252, "café\n"),
        (WINDOWS_1252, "na\u{ef}ve"),
        (WINDOWS_1251, "Привет, мир\n"),
        (SHIFT_JIS, "日本語\n"),
        (GBK, "中文\n"),
        (BIG5, "中文\n"),
        (EUC_KR, "한국어\n"),
    ] {
        assert!(named(&encoding.encode(text).0).is_some(), "{text:?} in {}", encoding.name());
    }
    assert_eq!(named(b"caf\xe9\n").map(str::to_lowercase).as_deref(), Some("windows-1252"));
}

#[test]
fn text_in_units_of_two_and_four_bytes_needs_no_mark() {
    let text = "Hello, this is a text without a mark.\nSecond line.\n";
    let units = |order: fn(u16) -> [u8; 2], text: &str| text.encode_utf16().flat_map(order).collect::<Vec<u8>>();
    let codes = |order: fn(u32) -> [u8; 4]| text.chars().flat_map(|c| order(u32::from(c))).collect::<Vec<u8>>();
    assert_eq!(named(&units(u16::to_le_bytes, text)), Some("utf-16le"));
    assert_eq!(named(&units(u16::to_be_bytes, text)), Some("utf-16be"));
    assert_eq!(named(&units(u16::to_le_bytes, "Hello\n")), Some("utf-16le"));
    assert_eq!(named(&units(u16::to_be_bytes, "Hello\n")), Some("utf-16be"));
    assert_eq!(named(&codes(u32::to_le_bytes)), Some("utf-32le"));
    assert_eq!(named(&codes(u32::to_be_bytes)), Some("utf-32be"));
    let long = text.repeat(5_000);
    assert_eq!(sampled(&units(u16::to_le_bytes, &long)), Some("utf-16le"));
    assert_eq!(sampled(&units(u16::to_be_bytes, &long)), Some("utf-16be"));
}

#[test]
fn texts_of_many_scripts_in_units_of_two_bytes_need_no_mark() {
    for text in [FRENCH, RUSSIAN, JAPANESE, KOREAN] {
        let text = format!("{text}\n").repeat(3);
        let little = text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        assert_eq!(named(&little), Some("utf-16le"), "{text}");
        let big = text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
        assert_eq!(named(&big), Some("utf-16be"), "{text}");
    }
}

#[test]
fn characters_of_four_bytes_name_the_larger_of_two_encodings() {
    let bytes = encoding_rs::GB18030.encode(&format!("{CHINESE}𠀀字\n")).0.into_owned();
    assert_eq!(named(&bytes).map(str::to_lowercase).as_deref(), Some("gb18030"));
}

#[test]
fn text_with_zeros_between_its_words_is_no_wide_text() {
    for text in [
        "key\0value\n",
        "a.txt\0b.txt\0c.txt\0d.txt\0e.txt\0f.txt\0g.txt\0",
        "src/a.c\0src/b.c\0lib/x.h\0",
        "ab\0cd\n\0ef\n",
        "foo\0\u{1}\u{2}foo\n",
        "x=1\0y=2\0z=3\0",
    ] {
        for times in [1, 3, 50, 1_000] {
            let name = named(text.repeat(times).as_bytes());
            assert!(matches!(name, None | Some("utf-8")), "{text:?}, {times} times: {name:?}");
        }
    }
}

#[test]
fn numbers_in_two_and_four_bytes_are_no_text() {
    // A row of numbers without a pattern.
    let mut state = 7_u32;
    let mut number = move |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below
    };
    let mut wrong = 0;
    for below in [200, 1_000, 5_000, 60_000] {
        for count in [20, 50, 200, 1_000] {
            for _ in 0..10 {
                let row: Vec<u32> = (0..count).map(|_| number(below)).collect();
                let wide: Vec<u8> = row.iter().flat_map(|number| number.to_le_bytes()).collect();
                let narrow: Vec<u8> =
                    row.iter().flat_map(|number| u16::try_from(*number).unwrap().to_le_bytes()).collect();
                wrong +=
                    [wide, narrow].iter().filter(|bytes| named(bytes).is_some_and(|n| n.starts_with("utf-"))).count();
            }
        }
    }
    let counted: Vec<u8> = (1..=200_u32).flat_map(u32::to_le_bytes).collect();
    assert_eq!(named(&counted), None);
    // A few short rows may look like words.
    assert!(wrong <= 10, "{wrong} of 320");
}

#[test]
fn a_mark_decides() {
    assert_eq!(named(b"\xEF\xBB\xBFplain"), Some("utf-8"));
    assert_eq!(named(b"\xFF\xFEa\0"), Some("utf-16le"));
    assert_eq!(named(b"\xFE\xFF\0a"), Some("utf-16be"));
    assert_eq!(named(b"\xFF\xFE\0\0a\0\0\0"), Some("utf-32le"));
    assert_eq!(named(b"\0\0\xFE\xFF\0\0\0a"), Some("utf-32be"));
    assert_eq!(named(b"\xFF\xFE"), Some("utf-16le"));
}

#[test]
fn plain_text_is_utf_8() {
    assert_eq!(named(b""), Some("utf-8"));
    assert_eq!(named(b"x"), Some("utf-8"));
    assert_eq!(named(b"\n"), Some("utf-8"));
    assert_eq!(named(b"ASCII only\r\nand CRLF\r\n"), Some("utf-8"));
    for text in [FRENCH, RUSSIAN, JAPANESE, CHINESE, TAIWANESE, KOREAN, "😀"] {
        assert_eq!(named(text.as_bytes()), Some("utf-8"), "{text}");
        assert_eq!(sampled(text.repeat(4_000).as_bytes()), Some("utf-8"), "{text}");
    }
}

#[test]
fn utf_8_with_one_bad_byte_far_inside_stays_utf_8() {
    for text in [FRENCH, RUSSIAN, JAPANESE, CHINESE] {
        for times in [20, 4_000] {
            let mut bytes = text.repeat(times).into_bytes();
            let line = text.len();
            bytes.insert(line * (times - 3), 0xE9);
            assert_eq!(named(&bytes), Some("utf-8"), "{text}");
            assert_eq!(sampled(&bytes), Some("utf-8"), "{text}");
        }
    }
}

#[test]
fn text_cut_inside_its_last_character_stays_utf_8() {
    for cut in 1..3 {
        let bytes = JAPANESE.trim_end().as_bytes();
        assert_eq!(named(&bytes[..bytes.len() - cut]), Some("utf-8"));
    }
}

#[test]
fn ascii_with_one_nul_is_text() {
    let mut bytes = b"a line of text that is long enough to be judged\n".repeat(10);
    bytes[100] = 0;
    assert_eq!(named(&bytes), Some("utf-8"));
    assert_eq!(named(b"value\0other\n"), Some("utf-8"));
}

#[test]
fn text_with_colours_is_text() {
    assert_eq!(named("\u{1b}[31merror\u{1b}[0m: wrong\n".repeat(20).as_bytes()), Some("utf-8"));
}

/// Bytes that repeat no pattern, the same every time.
fn noise(count: usize) -> Vec<u8> {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let step = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    };
    (0..count).map(step).collect()
}

#[test]
fn noise_is_binary() {
    for count in [64, 256, 1_000, 100_000] {
        assert_eq!(named(&noise(count)), None, "{count} bytes");
    }
    assert_eq!(sampled(&noise(1_000_000)), None);
}

#[test]
fn zeros_are_binary() {
    for count in [1, 7, 512, 5_000, 100_000] {
        assert_eq!(named(&vec![0; count]), None, "{count} bytes");
    }
}

#[test]
fn text_behind_a_hole_is_text() {
    let mut bytes = b"the beginning of a log\n".repeat(10);
    bytes.extend(vec![0; 8192]);
    bytes.extend(b"the end of a log\n".repeat(10));
    assert_eq!(named(&bytes), Some("utf-8"));
}

#[test]
fn beginnings_of_known_binary_files_are_binary() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0\x5c\x72\xa8\x66";
    let elf = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0\0\0\x40\x10\0\0\0\0\0\0";
    let gzip = b"\x1f\x8b\x08\x08\x00\xf1\x53\x65\x02\xff\x6e\x61\x6d\x65\x2e\x74\x78\x74\x00\x4b\x4c\x4a\
        \x4e\x49\x4d\x4b\xcf\xc8\xcc\xca\xce\xc9\xcd\xcb\x2f\xe0\x02\x00\xad\xfe\x45\x5b\x11\x00\x00\x00";
    let zip = b"PK\x03\x04\x14\0\0\0\x08\0\x21\x7b\x4e\x57\x86\xa6\x10\x36\x05\0\0\0\x05\0\0\0\x05\0\0\0a.txt";
    for (name, head) in [("png", &png[..]), ("elf", elf), ("gzip", gzip), ("zip", zip)] {
        assert_eq!(named(head), None, "{name} alone");
        let whole = [head, &noise(4_000)].concat();
        assert_eq!(named(&whole), None, "{name} with its content");
    }
}

#[test]
fn a_document_that_begins_like_text_is_binary() {
    use std::sync::Arc;
    let bytes = b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n".to_vec();
    let head = Head { bytes: &bytes, samples: &[], size: bytes.len() as u64 };
    let blob: Arc<dyn readstone_base::Blob> = Arc::new(readstone_base::Memory::new(bytes.clone()));
    match readstone_formats::open(&head, &blob) {
        Err(opaque) => assert_eq!(opaque.what, "application/pdf"),
        Ok(lines) => panic!("taken for text in {}", lines.coding.name()),
    }
}
