//! PDF: what its pages say, and how much of them that is.

#![cfg(feature = "pdf")]
#![expect(clippy::unwrap_used, reason = "helpers of tests are tests too, and a broken one must stop them")]

pub(crate) mod recipe;

use readstone_convert::{Parts, Refusal, Remark, State, Wish};
use recipe::{File, convert, convert_some, shown, texts};

const REBUILT: &str = "its table of objects, which was rebuilt; parts may be missing";

#[test]
fn the_text_of_a_page_is_read() {
    let made = convert(File::page(&shown("The pilot boat left at five.")).bytes()).unwrap();
    assert_eq!(texts(&made), ["The pilot boat left at five."]);
    assert_eq!((made.parts, made.count, made.first), (Parts::Pages, 1, 1));
    assert_eq!(made.sections.first().unwrap().state, State::Whole);
    assert_eq!(made.remarks, []);
}

#[test]
fn pages_asked_for_are_those_of_the_whole() {
    let all: Vec<String> = (1..=150).map(|number| format!("Page number {number} of the survey")).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let file = File::pages(&all).bytes();
    let whole = convert(file.clone()).unwrap();
    assert_eq!(texts(&whole), all);
    let some = convert_some(file.clone(), Wish { first: 63, last: 70, enough: u64::MAX }).unwrap();
    assert_eq!((some.count, some.first), (150, 63));
    assert_eq!(some.sections, whole.sections.get(62..70).unwrap());
    let one = convert_some(file.clone(), Wish { first: 150, last: 400, enough: u64::MAX }).unwrap();
    assert_eq!(one.sections, whole.sections.get(149..).unwrap());
    let none = convert_some(file, Wish { first: 151, last: 151, enough: u64::MAX }).unwrap();
    assert_eq!((none.count, none.sections.len()), (150, 0));
}

#[test]
fn no_page_is_made_after_enough_text() {
    let file = File::pages(&["one one one", "two two two", "three three three", "four four four"]).bytes();
    let made = convert_some(file, Wish { first: 2, last: 4, enough: 20 }).unwrap();
    assert_eq!(texts(&made), ["two two two", "three three three"]);
}

#[test]
fn no_page_is_cut_for_those_before_it() {
    let file = File::pages(&["one one one", "two two two", "three"]).bytes();
    let bounds = readstone_convert::Bounds { text_bytes: 15, ..recipe::BOUNDS };
    let made = readstone_convert::document(readstone_convert::Form::Pdf, &file, &Wish::ALL, &bounds).unwrap();
    assert_eq!(texts(&made), ["one one one"]);
    assert_eq!(made.remarks, []);
}

#[test]
fn a_page_longer_than_the_bound_is_cut() {
    let file = File::pages(&["one one one", "two two two"]).bytes();
    let bounds = readstone_convert::Bounds { text_bytes: 8, ..recipe::BOUNDS };
    let made = readstone_convert::document(readstone_convert::Form::Pdf, &file, &Wish::ALL, &bounds).unwrap();
    assert_eq!(texts(&made), ["one one "]);
    assert_eq!(made.remarks, [Remark::Cut { limit: "text_bytes".to_owned() }]);
    assert!(matches!(made.sections.first().unwrap().state, State::Lacking(_)));
}

#[test]
fn junk_before_and_behind_a_file_is_passed_over() {
    let file = File::page(&shown("Depth report")).bytes();
    let junk = b"<html><head></head></html>\n".repeat(900);
    let made = convert([junk.as_slice(), &file, &junk].concat()).unwrap();
    assert_eq!(texts(&made), ["Depth report"]);
}

#[test]
fn blank_pages_and_scans_are_told_apart() {
    let mut file = File::new("3 0 R 6 0 R 7 0 R 9 0 R", 4);
    file.add(3, "<</Type/Page/Parent 2 0 R>>");
    file.add(6, "<</Type/Page/Parent 2 0 R/Resources<</XObject<</Im0 8 0 R>>>>/Contents 4 0 R>>");
    file.add(7, "<</Type/Page/Parent 2 0 R/Contents 10 0 R>>");
    file.add(9, "<</Type/Page/Parent 2 0 R/Contents 11 0 R>>");
    file.stream(4, "", b"q 595 0 0 842 0 0 cm /Im0 Do Q");
    file.stream(8, "/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8", b"x");
    file.stream(10, "", b"q 1 0 0 1 0 0 cm Q");
    file.stream(11, "", b"72 72 m 300 300 l S");
    let made = convert(file.bytes()).unwrap();
    let states: Vec<&State> = made.sections.iter().map(|section| &section.state).collect();
    assert_eq!(states, [&State::Blank, &State::NoText, &State::Blank, &State::NoText]);
    assert_eq!(texts(&made), [""; 4]);
}

#[test]
fn glyphs_without_a_unicode_map_are_told() {
    let mut file = File::page("BT /F1 12 Tf 72 600 Td <00220031004500520067> Tj ET");
    file.add(5, "<</Type/Font/Subtype/Type0/BaseFont/ABCDEF+X/Encoding/Identity-H/DescendantFonts[6 0 R]>>");
    file.add(
        6,
        "<</Type/Font/Subtype/CIDFontType2/BaseFont/ABCDEF+X/DW 600/FontDescriptor 7 0 R\
         /CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>",
    );
    file.add(7, "<</Type/FontDescriptor/FontName/ABCDEF+X/Flags 4>>");
    let made = convert(file.bytes()).unwrap();
    let page = made.sections.first().unwrap();
    assert_eq!(page.state, State::Lacking("fonts without a Unicode map".to_owned()), "{:?}", page.text);
}

#[test]
fn divided_words_are_joined_and_others_are_not() {
    let lines =
        ["The committee for mod-", "ern harbours took a well-", "known route; well-known pre-", "and postwar piers."];
    let operators = format!("BT /F1 12 Tf 14 TL 72 600 Td ({}) Tj ET", lines.join(") Tj T* ("));
    let made = convert(File::page(&operators).bytes()).unwrap();
    let expected = "The committee for modern harbours took a well-known route; well-known pre- and postwar piers.";
    assert_eq!(texts(&made), [expected]);
}

#[test]
fn filled_fields_and_comments_are_shown_on_their_page() {
    let mut file = File::page(&shown("Application"));
    let page = "<</Type/Page/Parent 2 0 R/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R/Annots[6 0 R 7 0 R 8 0 R]>>";
    file.add(3, page);
    file.add(6, "<</Subtype/Widget/FT/Tx/T(name)/V<FEFF00C5007300610020004B>/Rect[0 0 9 9]>>");
    file.add(7, "<</Subtype/Text/T(Bo)/Contents(Check the draught)/Rect[0 0 9 9]>>");
    file.add(8, "<</Subtype/Widget/FT/Btn/T(box)/V/Off/Rect[0 0 9 9]>>");
    let made = convert(file.bytes()).unwrap();
    let text = "Application\n\n**Fields**\n\n- name: Åsa K\n\n**Comments**\n\n- Bo: Check the draught";
    assert_eq!(texts(&made), [text]);
}

#[test]
fn a_link_keeps_its_address() {
    let mut file = File::page(&shown("Port office"));
    file.add(
        3,
        "<</Type/Page/Parent 2 0 R/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R\
         /Annots[<</Subtype/Link/Rect[70 597 140 612]/A<</S/URI/URI(https://port.example/office)>>>>]>>",
    );
    let made = convert(file.bytes()).unwrap();
    assert_eq!(texts(&made), ["[Port office](https://port.example/office)"]);
}

#[test]
fn a_cut_off_file_gives_the_pages_it_has() {
    let file = File::pages(&["First page here", "Second page here", "Third page here"]).bytes();
    let at = memchr::memmem::find(&file, b"Third").unwrap();
    let made = convert(file.get(..at).unwrap().to_vec()).unwrap();
    assert_eq!(texts(&made).get(..2).unwrap(), ["First page here", "Second page here"]);
    assert!(made.remarks.contains(&Remark::Damaged(REBUILT.to_owned())), "{:?}", made.remarks);
    assert!(matches!(made.remarks.as_slice(), [Remark::Damaged(_), ..]), "{:?}", made.remarks);
}

#[test]
fn pages_are_found_without_a_catalog() {
    let mut file = File::pages(&["First page here", "Second page here"]);
    file.objects.retain(|(number, _)| *number > 2);
    let bytes = file.bytes();
    let at = memchr::memmem::rfind(&bytes, b"xref\n0 1").unwrap();
    let made = convert(bytes.get(..at).unwrap().to_vec()).unwrap();
    assert_eq!(texts(&made), ["First page here", "Second page here"]);
    assert!(matches!(made.remarks.as_slice(), [Remark::Damaged(_), ..]), "{:?}", made.remarks);
}

#[test]
fn what_is_no_pdf_is_damaged() {
    for bytes in [&b""[..], b"hello", b"%PDF-", b"%PDF-1.7\n", b"%PDF-1.7\n%%EOF\n", &[0; 4096]] {
        assert!(matches!(convert(bytes.to_vec()), Err(Refusal::Damaged(_))), "{bytes:?}");
    }
    assert!(matches!(convert(File::new("", 0).bytes()), Err(Refusal::Damaged(_))));
}

#[test]
fn page_numbers_are_kept() {
    let operators = "BT /F1 9 Tf 290 20 Td (12) Tj ET BT /F1 9 Tf 500 825 Td (Page 12) Tj ET";
    let made = convert(File::page(&format!("{} {operators}", shown("The text of the page"))).bytes()).unwrap();
    assert_eq!(texts(&made), ["Page 12\n\nThe text of the page\n\n12"]);
    let made = convert(File::page(operators).bytes()).unwrap();
    assert_eq!(texts(&made), ["Page 12\n\n12"]);
    assert_eq!(made.sections.first().unwrap().state, State::Whole);
}

#[test]
fn ligatures_are_read_by_their_names_where_the_map_is_wrong() {
    let mut file = File::page("BT /F1 12 Tf 72 600 Td (di!cult sta\") Tj ET");
    let encoding = "/Encoding<</Type/Encoding/BaseEncoding/WinAnsiEncoding/Differences[33/ffi/ff]>>";
    file.add(5, &format!("<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+CMR9{encoding}/ToUnicode 6 0 R>>"));
    let map =
        "1 begincodespacerange <00><FF> endcodespacerange 2 beginbfrange <21><21><0000> <22><22><21b5> endbfrange";
    file.stream(6, "", format!("begincmap {map} endcmap").as_bytes());
    assert_eq!(texts(&convert(file.bytes()).unwrap()), ["difficult staff"]);
}

#[test]
fn text_is_not_escaped() {
    let made = convert(File::page(&shown("# __declspec *pStream buf[i] <b> a|b ~x~")).bytes()).unwrap();
    assert_eq!(texts(&made), ["# __declspec *pStream buf[i] <b> a|b ~x~"]);
}

/// Operators that show lines, each of a size at a place.
fn lines(lines: &[(u32, u32, u32, &str)]) -> String {
    let line = |(size, x, y, text): &(u32, u32, u32, &str)| format!("BT /F1 {size} Tf {x} {y} Td ({text}) Tj ET");
    lines.iter().map(line).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_table_stands_behind_the_heading_above_it() {
    let prose = "The pilots of the harbour met in the spring and agreed on what the boats should cost";
    let shown = lines(&[
        (10, 72, 700, prose),
        (10, 72, 688, prose),
        (18, 72, 640, "Prices"),
        (10, 254, 603, "Name"),
        (10, 304, 603, "Cost"),
        (10, 254, 583, "bolt|nut"),
        (10, 304, 583, "12"),
        (10, 72, 540, "The end"),
    ]);
    let across = [575, 595, 615].map(|y| format!("250 {y} m 350 {y} l S")).join(" ");
    let down = [250, 300, 350].map(|x| format!("{x} 575 m {x} 615 l S")).join(" ");
    let made = convert(File::page(&format!("{shown} {across} {down}")).bytes()).unwrap();
    let table = "| Name | Cost |\n| --- | --- |\n| bolt\\|nut | 12 |";
    assert_eq!(texts(&made), [format!("{prose} {prose}\n\n# Prices\n\n{table}\n\nThe end")]);
}

#[test]
fn codes_that_windows_does_not_use_are_bullets() {
    let shown = lines(&[(12, 72, 600, "\\177 first berth"), (12, 72, 584, "\\201 second berth")]);
    let mut file = File::page(&shown);
    for encoding in ["/WinAnsiEncoding", "<</BaseEncoding/WinAnsiEncoding/Differences[65/B]>>"] {
        file.add(5, &format!("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding{encoding}>>"));
        assert_eq!(texts(&convert(file.bytes()).unwrap()), ["- first berth\n- second berth"]);
    }
}

#[test]
fn a_page_whose_content_is_missing_is_not_blank() {
    let mut file = File::page("");
    let state = |file: &File| convert(file.bytes()).unwrap().sections.first().unwrap().state.clone();
    let missing = State::Lacking("its content is missing".to_owned());
    file.objects.retain(|(number, _)| *number != 4);
    assert_eq!(state(&file), missing);
    file.add(3, "<</Type/Page/Parent 2 0 R/Contents[4 0 R]>>");
    assert_eq!(state(&file), missing);
    file.add(4, "<</Length 12>>");
    assert_eq!(state(&file), missing);
    file.add(4, "null");
    assert_eq!(state(&file), State::Blank);
    file.add(3, "<</Type/Page/Parent 2 0 R/Contents[]>>");
    assert_eq!(state(&file), State::Blank);
}
