//! Faults of `unpdf`.

use unpdf::Unpdf;

use crate::pdf::recipe::{File, HELVETICA, PAGE, shown};

/// The Markdown of a file, as the library gives it; nothing where it refuses.
fn markdown(bytes: &[u8]) -> Option<String> {
    Unpdf::new().lenient().parse_bytes(bytes).and_then(|found| found.to_markdown()).ok()
}

fn lines(lines: &[(u32, u32, u32, &str)]) -> String {
    let line = |(size, x, y, text): &(u32, u32, u32, &str)| format!("BT /F1 {size} Tf {x} {y} Td ({text}) Tj ET");
    lines.iter().map(line).collect::<Vec<_>>().join(" ")
}

#[test]
fn fault_page_numbers_are_left_out() {
    let number = "BT /F1 9 Tf 290 20 Td (12) Tj ET";
    let found = markdown(&File::page(&format!("{} {number}", shown("The text of the page"))).bytes()).unwrap();
    assert!(found.contains("The text") && !found.contains("12"), "{found}");
}

#[test]
fn fault_a_wrong_map_hides_ligatures() {
    let mut file = File::page("BT /F1 12 Tf 72 600 Td (di!cult) Tj ET");
    let encoding = "/Encoding<</Type/Encoding/BaseEncoding/WinAnsiEncoding/Differences[33/ffi]>>";
    file.add(5, &format!("<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+CMR9{encoding}/ToUnicode 6 0 R>>"));
    let map = "1 begincodespacerange <00><FF> endcodespacerange 1 beginbfrange <21><21><0000> endbfrange";
    file.stream(6, "", format!("begincmap {map} endcmap").as_bytes());
    let found = markdown(&file.bytes()).unwrap();
    assert!(found.contains("cult") && !found.contains("difficult"), "{found}");
}

#[test]
fn fault_unused_codes_of_windows_are_no_bullets() {
    let mut file = File::page(&lines(&[(12, 72, 600, "\\177 first berth"), (12, 72, 584, "\\201 second berth")]));
    file.add(5, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>");
    let found = markdown(&file.bytes()).unwrap();
    assert!(found.contains("first berth") && !found.contains("- first berth"), "{found}");
}

#[test]
fn fault_a_table_comes_before_the_heading_above_it() {
    let prose = "The pilots of the harbour met in the spring and agreed on what the boats should cost";
    let shown = lines(&[
        (10, 72, 700, prose),
        (10, 72, 688, prose),
        (18, 72, 640, "Prices"),
        (10, 254, 603, "Name"),
        (10, 304, 603, "Cost"),
        (10, 254, 583, "bolt"),
        (10, 304, 583, "12"),
        (10, 72, 540, "The end"),
    ]);
    let across = [575, 595, 615].map(|y| format!("250 {y} m 350 {y} l S")).join(" ");
    let down = [250, 300, 350].map(|x| format!("{x} 575 m {x} 615 l S")).join(" ");
    let found = markdown(&File::page(&format!("{shown} {across} {down}")).bytes()).unwrap();
    assert!(found.find("bolt").unwrap() < found.find("Prices").unwrap(), "{found}");
}

#[test]
fn fault_fields_and_comments_are_lost() {
    let mut file = File::page(&shown("Application"));
    let page = "<</Type/Page/Parent 2 0 R/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R/Annots[6 0 R 7 0 R]>>";
    file.add(3, page);
    file.add(6, "<</Subtype/Widget/FT/Tx/T(name)/V(Ann)/Rect[0 0 9 9]>>");
    file.add(7, "<</Subtype/Text/T(Bo)/Contents(Check the draught)/Rect[0 0 9 9]>>");
    let found = markdown(&file.bytes()).unwrap();
    assert!(!found.contains("Ann") && !found.contains("draught"), "{found}");
}

#[test]
fn fault_compounds_lose_their_hyphens() {
    let lines = ["The committee took a well-", "known route; well-known pre-", "and postwar piers."];
    let operators = format!("BT /F1 12 Tf 14 TL 72 600 Td ({}) Tj ET", lines.join(") Tj T* ("));
    let found = markdown(&File::page(&operators).bytes()).unwrap();
    assert!(found.contains("wellknown") && found.contains("preand"), "{found}");
}

#[test]
fn fault_junk_before_a_file_makes_it_unreadable() {
    let file = File::page(&shown("Depth report")).bytes();
    let junk = b"<html><head></head></html>\n".repeat(900);
    assert_eq!(markdown(&[junk.as_slice(), &file].concat()), None);
}

#[test]
fn fault_a_file_without_a_catalog_is_unreadable() {
    let mut file = File::pages(&["First page here", "Second page here"]);
    file.objects.retain(|(number, _)| *number > 2);
    let bytes = file.bytes();
    let at = memchr::memmem::rfind(&bytes, b"xref\n0 1").unwrap();
    assert_eq!(markdown(&bytes[..at]), None);
}

#[test]
fn fault_a_page_without_its_content_is_blank() {
    let mut file = File::new("3 0 R", 1);
    file.add(3, PAGE).add(5, HELVETICA);
    assert_eq!(markdown(&file.bytes()).unwrap().trim(), "");
}

#[test]
fn fault_streams_unpack_without_a_useful_bound() {
    use std::io::Write as _;
    use unpdf::parser::raw::stream::decompress;
    use unpdf::parser::raw::tokenizer::{PdfDict, PdfObject, PdfStream};
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(&vec![b' '; 64 << 20]).unwrap();
    let mut dict = PdfDict::new();
    dict.insert(b"Filter".to_vec(), PdfObject::Name(b"FlateDecode".to_vec()));
    let found = decompress(&PdfStream { dict, raw_data: packer.finish().unwrap() });
    assert_eq!(found.unwrap().len(), 64 << 20);
}
