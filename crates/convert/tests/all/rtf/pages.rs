//! Code pages and Unicode.

use super::{check, check_file};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| format!("{text}\\'{byte:02x}"))
}

/// A file in a code page, with one font of a character set.
fn file(page: i32, charset: i32, bytes: &[u8]) -> Vec<u8> {
    let text = hex(bytes);
    format!("{{\\rtf1\\ansi\\ansicpg{page}{{\\fonttbl{{\\f0\\fcharset{charset} X;}}}}\\f0 {text}\\par}}").into_bytes()
}

#[test]
fn bytes_are_read_by_the_page_of_the_font() {
    for (charset, page, text) in [
        (0, encoding_rs::WINDOWS_1252, "Grüße"),
        (238, encoding_rs::WINDOWS_1250, "žluťoučký kůň"),
        (204, encoding_rs::WINDOWS_1251, "Привет"),
        (161, encoding_rs::WINDOWS_1253, "Γειά"),
        (162, encoding_rs::WINDOWS_1254, "ışık"),
        (177, encoding_rs::WINDOWS_1255, "שלום"),
        (178, encoding_rs::WINDOWS_1256, "مرحبا"),
        (186, encoding_rs::WINDOWS_1257, "ąžuolas"),
        (222, encoding_rs::WINDOWS_874, "สวัสดี"),
        (128, encoding_rs::SHIFT_JIS, "日本語ソ表"),
        (134, encoding_rs::GBK, "中文文档"),
        (129, encoding_rs::EUC_KR, "한국어"),
        (136, encoding_rs::BIG5, "繁體中文功"),
        (77, encoding_rs::MACINTOSH, "Café"),
    ] {
        check_file(&file(1252, charset, &page.encode(text).0), text);
    }
}

#[test]
fn a_document_has_a_page_for_fonts_that_say_nothing() {
    check_file(&file(1251, 1, b"\xcf\xf0"), "Пр");
    check("\\ansicpg1250 {\\f7 \\'9e}\\par", "ž");
    check("\\pc \\'81\\'e1\\par", "üß");
    check("\\pca \\'9b\\par", "ø");
    check("\\mac \\'8e\\par", "é");
}

#[test]
fn a_western_font_is_western_where_others_are_not() {
    check_file(&file(1251, 0, b"\xcf"), "П");
    check("\\ansicpg1251{\\fonttbl{\\f0\\fcharset204 A;}{\\f1\\fcharset0 B;}}{\\f0\\'cf}{\\f1\\'cf}\\par", "ПÏ");
    check("{\\fonttbl{\\f0\\fcharset0 Arial CE;}}{\\f0\\'e8}\\par", "č");
}

#[test]
fn a_table_of_fonts_may_have_no_braces() {
    check("{\\fonttbl\\f0\\fcharset0 A;\\f1\\fcharset204 B;}{\\f1\\'cf}{\\f0\\'cf}\\par", "ПÏ");
}

#[test]
fn a_second_byte_may_be_written_as_a_letter_or_a_backslash() {
    check("{\\fonttbl{\\f0\\fcharset128 M;}}\\f0 \\'83A\\'83\\\\\\par", "アソ");
}

#[test]
fn unicode_replaces_its_substitutes() {
    check("Let\\u8217's \\u8364\\'80 \\u-4 ?x\\par", "Let’s € \u{fffc}x");
    check("\\uc2\\u12354\\'82\\'a0x{\\uc0\\u65 \\u66 B}\\uc1\\u67?\\par", "あxABBC");
    check("\\u55357?\\u56832? \\u-10179\\'3f\\u-8704\\'3f\\u128512?\\par", "😀 😀😀");
    check("\\u55357?x\\u56832?\\par", "\u{fffd}x\u{fffd}");
    check("a\\u8212\\emdash b\\u233\\par c", "a—bé\n\nc");
    check("{\\upr{wrong}{\\*\\ud{\\u321\\'4cód\\u378\\'7a}}}\\par", "Łódź");
}

#[test]
fn bytes_that_are_not_escaped_are_utf_8_or_the_page() {
    check_file("{\\rtf1\\ansi Łódź\\par}".as_bytes(), "Łódź");
    check_file(b"{\\rtf1\\ansi Gr\xfc\xdfe\\par}", "Grüße");
}

#[test]
fn words_for_characters_are_characters() {
    check(
        "\\lquote a\\rquote  \\ldblquote b\\rdblquote  c\\endash d\\emdash e\
         \\bullet f\\~g\\_h soft\\-hyphen \\{\\}\\\\\\par",
        "‘a’ “b” c–d—e•f\u{a0}g\u{2011}h softhyphen {}\\",
    );
}
