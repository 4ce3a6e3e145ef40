//! Files that are empty, hostile or broken.

use readstone_convert::{Bounds, Form, Refusal, Remark, Wish, document};

use super::{BOUNDS, check_file, convert};

#[test]
fn something_else_is_damaged() {
    for bytes in [&b""[..], b"Hello", b"{\\html}", b"\\rtf1"] {
        assert!(matches!(convert(bytes), Err(Refusal::Damaged(_))), "{bytes:?}");
    }
}

#[test]
fn a_document_without_a_character_is_empty() {
    for body in ["", "\\par\\par", "{\\info{\\title T}}", " \\~ \\tab\\par", "{\\trowd\\cellx1\\intbl\\cell\\row}"] {
        assert_eq!(convert(format!("{{\\rtf1{body}}}").as_bytes()), Err(Refusal::Empty), "{body}");
    }
}

#[test]
fn a_file_that_ends_early_gives_what_it_has_and_says_so() {
    let made = convert(b"{\\rtf1 One\\par {\\b Two").unwrap();
    assert_eq!(made.sections[0].text, "One\n\n**Two**");
    assert_eq!(made.remarks, [Remark::Damaged("it ends within a group".to_owned())]);
}

#[test]
fn a_file_that_ends_before_any_text_is_damaged() {
    for bytes in [&b"{\\rtf1"[..], b"{\\rtf1{\\fonttbl{\\f0 Ar", b"{\\rtf1{\\pict 0011"] {
        assert!(matches!(convert(bytes), Err(Refusal::Damaged(_))), "{bytes:?}");
    }
}

#[test]
fn a_brace_too_many_does_not_hide_the_rest() {
    let made = convert(b"{\\rtf1 One}\\par Two\\par}").unwrap();
    assert_eq!(made.sections[0].text, "One\n\nTwo");
    assert_eq!(made.remarks, [Remark::Damaged("a brace closes it before its end".to_owned())]);
}

#[test]
fn what_follows_the_end_is_left_out_and_named() {
    let made = convert(b"{\\rtf1 One\\par}garbage").unwrap();
    assert_eq!(made.sections[0].text, "One");
    assert_eq!(made.remarks, [Remark::LeftOut("what follows the end of the document".to_owned())]);
    assert_eq!(convert(b"{\\rtf1 One\\par}\r\n\0\0").unwrap().remarks, []);
}

#[test]
fn marks_and_empty_lines_before_the_first_brace_do_no_harm() {
    check_file(b"\xef\xbb\xbf{\\rtf1 One}", "One");
    check_file(b"\r\n {\\rtf1 One}", "One");
}

#[test]
fn d05_half_a_million_levels_meet_the_limit() {
    let file = format!("{{\\rtf1 {}x{}}}", "{".repeat(500_000), "}".repeat(500_000));
    assert_eq!(convert(file.as_bytes()), Err(Refusal::TooLarge { limit: "depth".to_owned(), value: 256 }));
    // Nothing is kept of what is passed over.
    let file = format!("{{\\rtf1 a{{\\*\\x {}x{}}}b}}", "{".repeat(500_000), "}".repeat(500_000));
    check_file(file.as_bytes(), "ab");
}

#[test]
fn a_long_text_is_cut_at_the_limit() {
    let bounds = Bounds { text_bytes: 1000, ..BOUNDS };
    let file = format!("{{\\rtf1 {}}}", "\\'e9 ".repeat(5000));
    let made = document(Form::Rtf, file.as_bytes(), &Wish::ALL, &bounds).unwrap();
    assert!((900..=1000).contains(&made.sections[0].text.len()));
    assert_eq!(made.remarks, [Remark::Cut { limit: "text_bytes".to_owned() }]);
}

#[test]
fn lengths_that_lie_end_with_the_file() {
    check_file(b"{\\rtf1 One\\par{\\pict\\bin2147483647 abc}Two}", "One");
    check_file(b"{\\rtf1 One\\bin-5 Two\\li99999999999 \\itap99999999 Three}", "OneTwoThree");
}

#[test]
fn a_wide_row_among_many_does_not_multiply() {
    let wide = "\\cell".repeat(20_000);
    let rows = "x\\cell\\row".repeat(20_000);
    let made = convert(format!("{{\\rtf1\\intbl {wide}y\\cell\\row {rows}}}").as_bytes()).unwrap();
    assert!(made.sections[0].text.len() < 5 << 20);
}

/// Documents that have most of what can be in one.
const SAMPLES: [&str; 4] = [
    "{\\rtf1\\ansi\\ansicpg1252\\uc1\\deff0{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f3\\fcharset2 Symbol;}{\\f4\
     \\fcharset128 M;}}\
     {\\stylesheet{Normal;}{\\s1\\outlinelevel0 heading 1;}{\\*\\cs10 \\additive Font;}{\\s2\\sbasedon1 Mine;}}\
     {\\*\\listtable{\\list{\\listlevel\\levelnfc23{\\leveltext\\'01\\u-3913 ?;}{\\levelnumbers;}}\\listid7}}\
     {\\*\\listoverridetable{\\listoverride\\listid7\\ls1}}{\\header Top\\par}\\pard\\plain\\s1\\b Head\\par\
     \\pard\\plain\\f4 \\'93\\'fa\\'96\\'7b\\f0  \\u8364\\'80 \\u55357?\\u56832?\\par\
     {\\listtext\\f3 \\'b7\\tab}\\pard\\fi-360\\li720\\ls1 Item\\par\\pard\\ls1\\ilvl1 Inner\\line more\\par}",
    "{\\rtf1\\ansi See {\\field{\\*\\fldinst{HYPERLINK \"http://a.b/c\" \\\\o \"t\"}}{\\fldrslt{\\ul there}}} \
     {\\field{\\*\\fldinst SYMBOL 183 \\\\f \"Symbol\"}{\\fldrslt }}{\\field{\\*\\fldinst FORMDROPDOWN \
     {\\*\\formfield{\\ffres1{\\*\\ffl one}{\\*\\ffl two}}}}}{\\super\\chftn}{\\*\\footnote \\chftn A {\\i note}.\
     \\par more}\
     {\\*\\annotation{\\*\\atnref 1}c}\\par {\\upr{a}{\\*\\ud{\\u321 L}}}{\\shp{\\*\\shpinst{\\sp{\\sn a}{\\sv b}}\
     {\\shptxt Box\\par}}{\\shprslt x}}{\\object{\\*\\objdata 00}{\\result R}}{\\pict\\bin4 {}\\}00}\\par}",
    "{\\rtf1\\ansi\\trowd\\cellx1\\cellx2\\pard\\intbl a|b\\cell c\\par d\\cell\\row\\trowd\\cellx1\\cellx2\\pard\
     \\intbl o\\par\
     \\pard\\intbl\\itap2 n\\nestcell{\\nonesttables\\par}m\\nestcell{\\*\\nesttableprops\\trowd\\cellx1\\nestrow}\
     {\\nonesttables\\par}\\pard\\intbl p\\cell q\\cell{\\trowd\\cellx1\\row}\\pard after\\par}",
    "{\\rtf1\\mac\\fromhtml1{\\fonttbl\\f0\\fswiss Helvetica;\\f1 Courier;}{\\*\\htmltag64 <p>}\\htmlrtf\
     {\\htmlrtf0 x}\\\n\
     {\\pntext\\f0 1.\\tab}{\\*\\pn\\pnlvlbody{\\pntxta.}}\\fi-360\\li360 one\\par{\\pntext 2.\\tab}two\\par\
     {\\mmath{\\*\\moMath{\\mf{\\mnum a}{\\mden b}}{\\msSup{\\me x}{\\msup 2}}}}{\\i\\b\\strike w{\\b0 x}\
     \\i0 y}\\~\\_\\-\\par}",
];

#[test]
fn cut_and_changed_files_end_without_a_panic() {
    let mut seed = 0x5eed_0005_u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap()
    };
    for sample in SAMPLES {
        assert!(convert(sample.as_bytes()).is_ok());
        for end in (0..sample.len()).step_by(7) {
            drop(convert(&sample.as_bytes()[..end]));
        }
        for _ in 0..3000 {
            let mut bytes = sample.as_bytes().to_vec();
            for _ in 0..=random() % 6 {
                let at = random() % bytes.len();
                match random() % 4 {
                    0 => bytes[at] = b"{}\\\\'*0 "[random() % 8],
                    1 => bytes[at] = u8::try_from(random() % 256).unwrap(),
                    2 => drop(bytes.remove(at)),
                    _ => {
                        let piece = bytes[at..].iter().take(random() % 40).copied().collect::<Vec<_>>();
                        let to = random() % bytes.len();
                        bytes.splice(to..to, piece);
                    }
                }
            }
            drop(convert(&bytes));
        }
    }
}
