//! The rows of hostile documents that are PDF: each ends soon, in little memory, and with an answer that says what is.

#![cfg(feature = "pdf")]
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

use std::io::Write as _;
use std::time::{Duration, Instant};

use readstone_convert::{Made, Refusal, Remark, State};

use crate::pdf::recipe::{File, PAGE, convert, shown, texts};

/// Far more than any row needs alone, because the machine may be busy. What these rows guard against would take hours.
const SOON: Duration = Duration::from_secs(30);

/// Converts within the time that every row has.
fn soon(bytes: Vec<u8>) -> Result<Made, Refusal> {
    let start = Instant::now();
    let made = convert(bytes);
    assert!(start.elapsed() < SOON, "it took {:?}", start.elapsed());
    made
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn is_damaged(made: &Result<Made, Refusal>) -> bool {
    matches!(made, Err(Refusal::Damaged(_)))
}

fn is_too_deep(made: &Result<Made, Refusal>) -> bool {
    matches!(made, Err(Refusal::TooLarge { limit, value: 256 }) if limit == "depth")
}

#[test]
fn d02_actions_are_not_run_and_the_text_is_read() {
    let mut file = File::page(&shown("Press the button"));
    file.add(1, "<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert(1))>>/AA<</WC 9 0 R>>>>");
    file.add(9, "<</S/Launch/F(/bin/sh)/Next<</S/URI/URI(http://127.0.0.1:9/)>>>>");
    assert_eq!(texts(&soon(file.bytes()).unwrap()), ["Press the button"]);
}

#[test]
fn d11_kids_loop() {
    let mut file = File::page(&shown("Only once"));
    file.add(2, "<</Type/Pages/Kids[2 0 R 3 0 R 6 0 R]/Count 3/MediaBox[0 0 595 842]>>");
    file.add(6, "<</Type/Pages/Kids[2 0 R 6 0 R]/Count 2>>");
    assert_eq!(texts(&soon(file.bytes()).unwrap()), ["Only once"]);
    file.add(2, "<</Type/Pages/Kids[2 0 R]/Count 1>>").add(3, "<<>>");
    assert!(is_damaged(&soon(file.bytes())));
}

#[test]
fn d11_parent_loop() {
    let mut file = File::page(&shown("Round and round"));
    file.add(2, "<</Type/Pages/Kids[3 0 R]/Count 1/Parent 3 0 R>>");
    file.add(3, &PAGE.replace("2 0 R", "3 0 R"));
    assert_eq!(texts(&soon(file.bytes()).unwrap()), ["Round and round"]);
}

#[test]
fn d11_outline_loop() {
    let mut file = File::page(&shown("Chapter"));
    file.add(1, "<</Type/Catalog/Pages 2 0 R/Outlines 7 0 R>>");
    file.add(7, "<</First 8 0 R/Last 8 0 R>>");
    file.add(8, "<</Title(A)/Next 8 0 R/First 7 0 R/Parent 8 0 R/Dest[3 0 R/Fit]>>");
    assert_eq!(texts(&soon(file.bytes()).unwrap()), ["Chapter"]);
}

#[test]
fn d11_form_loop() {
    let mut file = File::page(&format!("{} /X1 Do", shown("Before the form")));
    file.add(3, &PAGE.replace("/Font", "/XObject<</X1 6 0 R>>/Font"));
    let entries = "/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</XObject<</X1 6 0 R/X2 7 0 R>>>>";
    file.stream(6, entries, b"/X1 Do /X2 Do");
    file.stream(7, entries, b"/X2 Do /X1 Do /X1 Do");
    assert_eq!(texts(&soon(file.bytes()).unwrap()), ["Before the form"]);
}

#[test]
fn d11_forms_that_multiply() {
    let mut file = File::page(&format!("{} /X10 Do", shown("Before the form")));
    file.add(3, &PAGE.replace("/Font", "/XObject<</X10 10 0 R>>/Font"));
    for number in 10..38 {
        let next = number + 1;
        let entries =
            format!("/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</XObject<</X{next} {next} 0 R>>>>");
        file.stream(number, &entries, format!("/X{next} Do ").repeat(9).as_bytes());
    }
    file.stream(38, "/Type/XObject/Subtype/Form/BBox[0 0 595 842]", b"0 0 m 1 1 l S");
    let made = soon(file.bytes()).unwrap();
    assert!(matches!(made.sections.first().unwrap().state, State::Lacking(_)));
}

#[test]
fn d11_count_lie() {
    for count in [2_000_000_000, -5, 0] {
        let mut file = File::page(&shown("One page"));
        file.add(2, &format!("<</Type/Pages/Kids[3 0 R]/Count {count}/MediaBox[0 0 595 842]>>"));
        let made = soon(file.bytes()).unwrap();
        assert_eq!((made.count, texts(&made)), (1, vec!["One page"]));
        assert_eq!(count > 1, matches!(made.remarks.as_slice(), [Remark::Damaged(_)]), "{:?}", made.remarks);
    }
}

/// A file whose table is a stream: uncompressed objects, then those in object streams.
fn with_table(file: &File, inside: &[(u32, u32)], entries: &str) -> Vec<u8> {
    let mut out = b"%PDF-1.7\n".to_vec();
    let mut rows: Vec<(u32, [u8; 7])> = Vec::new();
    for (number, object) in &file.objects {
        let [a, b, c, d] = u32::try_from(out.len()).unwrap().to_be_bytes();
        rows.push((*number, [1, a, b, c, d, 0, 0]));
        out.extend_from_slice(format!("{number} 0 obj\n").as_bytes());
        out.extend_from_slice(object);
        out.extend_from_slice(b"\nendobj\n");
    }
    for (number, (stream, index)) in (900_u32..).zip(inside) {
        let [.., high, low] = index.to_be_bytes();
        let [a, b, c, d] = stream.to_be_bytes();
        rows.push((number, [2, a, b, c, d, high, low]));
    }
    let index: Vec<String> = rows.iter().map(|(number, _)| format!("{number} 1")).collect();
    let data: Vec<u8> = rows.iter().flat_map(|(_, row)| *row).collect();
    let start = out.len();
    let entries = format!("/Type/XRef/Size 1000/Root 1 0 R/W[1 4 2]/Index[{}]{entries}", index.join(" "));
    out.extend_from_slice(format!("999 0 obj\n<<{entries}/Length {}>>\nstream\n", data.len()).as_bytes());
    out.extend_from_slice(&data);
    out.extend_from_slice(format!("\nendstream\nendobj\nstartxref\n{start}\n%%EOF\n").as_bytes());
    out
}

#[test]
fn d12_objstm_loop() {
    let mut file = File::page(&shown("Packed in a circle"));
    file.stream(50, "/Type/ObjStm/N 1/First 6/Extends 51 0 R", b"900 0 (x)");
    file.stream(51, "/Type/ObjStm/N 1/First 6/Extends 50 0 R", b"51 0 (x)");
    let made = soon(with_table(&file, &[(50, 0), (901, 0), (999, 1)], "")).unwrap();
    assert_eq!(texts(&made), ["Packed in a circle"]);
}

#[test]
fn d12_objstm_count_lie() {
    let mut file = File::page(&shown("Many inside"));
    file.stream(50, "/Type/ObjStm/N 9000000000000/First 9000000000000", b"900 0 (x)");
    assert_eq!(texts(&soon(with_table(&file, &[(50, 0)], "")).unwrap()), ["Many inside"]);
}

#[test]
fn d12_length_loop() {
    let mut file = File::page("");
    file.objects.retain(|(number, _)| *number != 4);
    file.objects.push((4, format!("<</Length 4 0 R>>\nstream\n{}\nendstream", shown("Long")).into_bytes()));
    assert_eq!(texts(&soon(file.bytes()).unwrap()), ["Long"]);
}

#[test]
fn d12_prev_loop() {
    let mut file = File::page(&shown("Before that"));
    let start = file.bytes().len();
    for prev in [start - 300, 0, start, 9_999_999_999] {
        file.trailer = format!("/Root 1 0 R/Prev {prev}");
        assert_eq!(texts(&soon(file.bytes()).unwrap()), ["Before that"]);
    }
    let bytes = file.bytes();
    let table = memchr::memmem::rfind(&bytes, b"xref\n0 1").unwrap();
    file.trailer = format!("/Root 1 0 R/Prev {table}");
    assert_eq!(texts(&soon(file.bytes()).unwrap()), ["Before that"]);
}

#[test]
fn d13_deep_array_and_deep_dict() {
    for (open, close) in [("[", "]"), ("<</A ", ">>"), ("[", ""), ("<</A[", "")] {
        let mut file = File::page(&shown("Deep"));
        file.add(9, &format!("{}{}", open.repeat(500_000), close.repeat(500_000)));
        assert!(is_too_deep(&soon(file.bytes())), "{open}");
    }
}

#[test]
fn d13_deep_arrays_in_packed_objects() {
    let mut file = File::page(&shown("Deep"));
    let inside = packed(format!("900 0 {}", "[".repeat(2_000_000)).as_bytes());
    file.stream(50, "/Type/ObjStm/N 1/First 6/Filter/FlateDecode", &inside);
    assert!(is_too_deep(&soon(with_table(&file, &[(50, 0)], ""))));
}

#[test]
fn d13_deep_arrays_in_operators() {
    let file = File::page(&"[".repeat(3_000_000));
    let made = soon(file.bytes()).unwrap();
    assert!(matches!(made.sections.first().unwrap().state, State::Lacking(_)));
}

#[test]
fn d13_a_bracket_that_never_closes_is_no_burden() {
    let mut file = File::page(&shown("Open"));
    let stream = "<</A 1>>\nstream\n\nendstream ".repeat(200_000);
    file.add(9, &format!("[{stream}"));
    assert_eq!(texts(&soon(file.bytes()).unwrap()), ["Open"]);
    file.add(9, &"stream ".repeat(400_000));
    assert_eq!(texts(&soon(file.bytes()).unwrap()), ["Open"]);
}

#[test]
fn hyphens_without_end_are_joined_soon() {
    let words = ('a'..='z').map(|sign| format!("har{sign}- bour")).collect::<Vec<_>>().join(" ");
    let line = |at: u32| format!("BT /F1 1 Tf 10 {} Td ({words}) Tj ET", 800 - at);
    let all = (0..700).map(line).collect::<Vec<_>>().join(" ");
    let made = soon(File::page(&all).bytes()).unwrap();
    assert!(made.sections.first().unwrap().text.contains("harabour"), "{made:?}");
}

#[test]
fn d14_filters() {
    let operators = packed(&packed(&packed(&vec![b' '; 100 << 20])));
    let mut file = File::page("");
    file.stream(4, "/Filter[/FlateDecode/FlateDecode/FlateDecode]", &operators);
    let made = soon(file.bytes()).unwrap();
    assert!(matches!(made.sections.first().unwrap().state, State::Lacking(_)));
    assert_eq!(texts(&made), [""]);
}

#[test]
fn d14_filters_in_a_form_and_in_packed_objects() {
    let bomb = packed(&packed(&packed(&vec![b' '; 100 << 20])));
    let chain = "/Filter[/FlateDecode/FlateDecode/FlateDecode]";
    let mut file = File::page(&format!("{} /X1 Do", shown("Before the form")));
    file.add(3, &PAGE.replace("/Font", "/XObject<</X1 6 0 R>>/Font"));
    file.stream(6, &format!("/Type/XObject/Subtype/Form/BBox[0 0 595 842]{chain}"), &bomb);
    let made = soon(file.bytes()).unwrap();
    assert!(matches!(made.sections.first().unwrap().state, State::Lacking(_)));
    let mut file = File::page(&shown("Packed"));
    file.stream(50, &format!("/Type/ObjStm/N 1/First 6{chain}"), &bomb);
    let made = soon(with_table(&file, &[(50, 0)], ""));
    assert!(matches!(made, Err(Refusal::TooLarge { .. })), "{made:?}");
}

#[test]
fn d14_a_drawing_of_many_lines_keeps_its_text() {
    let file = File::page(&format!("{} {}", shown("Map of the harbour"), "1 2 m 300 400 l S ".repeat(400_000)));
    let made = soon(file.bytes()).unwrap();
    assert_eq!(texts(&made), ["Map of the harbour"]);
    let file = File::page(&format!("{} {}", shown("Map"), "q Q ".repeat(2_000_000)));
    let made = soon(file.bytes()).unwrap();
    assert!(matches!(made.sections.first().unwrap().state, State::Lacking(_)));
}

#[test]
fn d15_size_lie() {
    let mut file = File::page(&shown("How many"));
    for size in ["0", "2147483647", "-1"] {
        file.trailer = format!("/Root 1 0 R/Size {size}");
        assert_eq!(texts(&soon(file.bytes()).unwrap()), ["How many"]);
    }
    let many = with_table(&file, &[], "/Index[0 2000000000]");
    assert_eq!(texts(&soon(many).unwrap()), ["How many"]);
}

#[test]
fn d15_field_widths_lie() {
    let file = File::page(&shown("How wide"));
    for widths in ["-1 1 1", "1 9223372036854775807 9223372036854775807", "100000 1 1"] {
        let bytes = with_table(&file, &[], "");
        let at = memchr::memmem::find(&bytes, b"[1 4 2]").unwrap();
        let (before, behind) = bytes.split_at(at);
        let behind = behind.get(7..).unwrap();
        let bytes = [before, format!("[{widths}]").as_bytes(), behind].concat();
        assert!(is_damaged(&soon(bytes)), "{widths}");
    }
}

#[test]
fn d15_startxref_lie() {
    for start in ["0", "7", "99999999999999999999", "4000000000", "-1", "x"] {
        let bytes = File::page(&shown("Where is it")).bytes();
        let at = memchr::memmem::rfind(&bytes, b"startxref").unwrap();
        let mut bytes = bytes.get(..at).unwrap().to_vec();
        bytes.extend_from_slice(format!("startxref\n{start}\n%%EOF\n").as_bytes());
        let made = soon(bytes).unwrap();
        assert_eq!(texts(&made), ["Where is it"]);
        assert!(matches!(made.remarks.as_slice(), [Remark::Damaged(_)]), "{start}: {:?}", made.remarks);
    }
}

#[test]
fn d15_length_lie() {
    for length in ["0", "3", "99999999", "9223372036854775807", "-7", "null", "(x)"] {
        let mut file = File::page("");
        file.objects.retain(|(number, _)| *number != 4);
        let stream = format!("<</Length {length}>>\nstream\n{}\nendstream", shown("Longer"));
        file.objects.push((4, stream.into_bytes()));
        assert_eq!(texts(&soon(file.bytes()).unwrap()), ["Longer"], "{length}");
    }
}

#[test]
fn d15_truncated() {
    let bytes = File::pages(&["First page here", "Second page here"]).bytes();
    let table = memchr::memmem::rfind(&bytes, b"trailer").unwrap();
    for end in (0..table).step_by(13) {
        match soon(bytes.get(..end).unwrap().to_vec()) {
            Ok(made) => {
                assert!(!made.sections.is_empty());
                assert!(matches!(made.remarks.as_slice(), [Remark::Damaged(_), ..]), "{end}: {:?}", made.remarks);
            }
            Err(refusal) => assert!(matches!(refusal, Refusal::Damaged(_)), "{end}: {refusal:?}"),
        }
    }
}

#[test]
fn d15_header_only() {
    assert!(is_damaged(&soon(b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n".to_vec())));
}

#[test]
fn d15_encrypted() {
    let mut file = File::page(&shown("Secret"));
    file.add(
        9,
        "<</Filter/Standard/V 1/R 2/P -44/O<000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f>\
         /U<7878787878787878787878787878787878787878787878787878787878787878>>>",
    );
    file.trailer =
        "/Root 1 0 R/Encrypt 9 0 R/ID[<686172626f75722d686172626f75722d><686172626f75722d686172626f75722d>]".to_owned();
    assert_eq!(soon(file.bytes()), Err(Refusal::Encrypted));
    file.add(9, "<</Filter/Adobe.PubSec/V 4/SubFilter/adbe.pkcs7.s5>>");
    assert_eq!(soon(file.bytes()), Err(Refusal::Encrypted));
}

#[test]
fn a_file_that_only_its_owner_may_change_is_read() {
    let mut file = File::page("");
    file.add(
        9,
        "<</Filter/Standard/V 1/R 2/P -44/O<000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f>\
         /U<ba6851b45e2fb403b13dfa369156ee3f4752edfc09fbc7ae1017351af07858d7>>>",
    );
    file.trailer =
        "/Root 1 0 R/Encrypt 9 0 R/ID[<686172626f75722d686172626f75722d><686172626f75722d686172626f75722d>]".to_owned();
    let operators = "41a3ef65e45afb83382149fbb5163e7fe67f0094530895f7f4620a3dd13cec2f4d1c2f73370754353d42";
    let bytes: Vec<u8> = operators.as_bytes().chunks(2).map(byte).collect();
    file.stream(4, "", &bytes);
    assert_eq!(texts(&soon(file.bytes()).unwrap()), ["Tide tables"]);
}

fn byte(pair: &[u8]) -> u8 {
    u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()
}

#[test]
fn a_damaged_stream_is_told() {
    let mut file = File::page("");
    file.stream(4, "/Filter/FlateDecode", b"this is not packed at all");
    let made = soon(file.bytes()).unwrap();
    assert_eq!(made.sections.first().unwrap().state, State::Lacking("a part of the page is damaged".to_owned()));
}

#[test]
fn bytes_changed_at_random_end_well() {
    let whole = File::pages(&["First page here", "Second page here"]).bytes();
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    for _ in 0..400 {
        let mut bytes = whole.clone();
        for _ in 0..12 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let at = usize::try_from(state % whole.len() as u64).unwrap();
            *bytes.get_mut(at).unwrap() = state.to_be_bytes()[0];
        }
        if let Ok(made) = soon(bytes) {
            assert!(!made.sections.is_empty());
        }
    }
}
