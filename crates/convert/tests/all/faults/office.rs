//! Faults of `office_oxide`.

use std::io::Cursor;

use office_oxide::xlsx::date::DateTimeValue;
use office_oxide::{Document, DocumentFormat};

use crate::office::recipes::{cell, docx, p, xlsx};

const SPACE: &str = r#"xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main""#;
const NUMBERS: &str = concat!(
    r#"<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">"#,
    r#"<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>"#,
    r#"<w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/>"#,
    r#"<w:lvlText w:val="%2)"/></w:lvl></w:abstractNum>"#,
    r#"<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>"#,
    r#"<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>"#,
    r#"<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>"#,
    r#"<w:num w:numId="3"><w:abstractNumId w:val="0"/></w:num></w:numbering>"#
);

fn open(bytes: Vec<u8>, format: DocumentFormat) -> Document {
    Document::from_reader(Cursor::new(bytes), format).unwrap()
}

/// The Markdown of a Word document, as the library gives it.
fn markdown(bytes: Vec<u8>) -> String {
    open(bytes, DocumentFormat::Docx).to_markdown()
}

fn item(list: u32, level: u32, text: &str) -> String {
    format!(
        "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{list}\"/></w:numPr></w:pPr>\
         <w:r><w:t>{text}</w:t></w:r></w:p>"
    )
}

#[test]
fn fault_equations_come_as_letters_alone() {
    let space = "http://schemas.openxmlformats.org/officeDocument/2006/math";
    let half = "<m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>";
    let found = markdown(docx(&format!("<w:p><m:oMath xmlns:m=\"{space}\">{half}</m:oMath></w:p>"), &[]));
    assert!(found.contains("12"), "{found}");
}

#[test]
fn fault_items_of_another_numbering_lose_their_level() {
    let body = [item(1, 0, "one"), item(1, 0, "two"), item(3, 1, "apart"), item(1, 0, "three")].concat();
    let found = markdown(docx(&body, &[("numbering", "numbering.xml", NUMBERS)]));
    assert!(found.contains("two\n\n") && !found.contains("two\n   a) apart"), "{found}");
}

#[test]
fn fault_text_boxes_run_into_their_list_items() {
    let boxed = format!("<w:r><w:pict><w:txbxContent>{}</w:txbxContent></w:pict></w:r></w:p>", p("boxed"));
    let body = item(2, 0, "red").replace("</w:p>", &boxed);
    let found = markdown(docx(&body, &[("numbering", "numbering.xml", NUMBERS)]));
    assert_eq!(found, "- redboxed");
}

#[test]
fn fault_merged_cells_shift_the_columns() {
    let cell = |inside: &str| format!("<w:tc>{inside}</w:tc>");
    let wide = cell(&format!("<w:tcPr><w:gridSpan w:val=\"2\"/></w:tcPr>{}", p("wide")));
    let rows = [[cell(&p("a")), cell(&p("b")), cell(&p("c"))].concat(), wide + &cell(&p("e"))];
    let rows: String = rows.iter().map(|row| format!("<w:tr>{row}</w:tr>")).collect();
    let found = markdown(docx(&format!("<w:tbl>{rows}</w:tbl>"), &[]));
    assert!(found.contains("| wide | e |"), "{found}");
}

#[test]
fn fault_comments_do_not_name_what_they_are_about() {
    let comments = format!(
        "<w:comments {SPACE}><w:comment w:id=\"0\" w:author=\"Ann\">{}</w:comment></w:comments>",
        p("who says?")
    );
    let body = concat!(
        r#"<w:p><w:r><w:t xml:space="preserve">It is </w:t></w:r><w:commentRangeStart w:id="0"/>"#,
        r#"<w:r><w:t>safe</w:t></w:r><w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>"#
    );
    let found = markdown(docx(body, &[("comments", "comments.xml", &comments)]));
    assert_eq!(found.matches("safe").count(), 1, "{found}");
}

#[test]
fn fault_deleted_text_is_dropped_without_a_word() {
    let body =
        r#"<w:p><w:del w:id="1"><w:r><w:delText>never</w:delText></w:r></w:del><w:r><w:t>always</w:t></w:r></w:p>"#;
    let found = open(docx(body, &[]), DocumentFormat::Docx).to_ir().metadata;
    assert!(!found.text_truncated && found.warnings.is_empty(), "{:?}", found.warnings);
}

#[test]
fn fault_an_unreadable_sheet_loses_its_place() {
    let row = format!("<row r=\"1\">{}</row>", cell("A1", "x"));
    let book = xlsx(&[("One", "", &row), ("Gone", "", "missing"), ("Three", "", &row)], &[]);
    let document = open(book, DocumentFormat::Xlsx);
    let book = document.as_xlsx().unwrap();
    assert_eq!((book.workbook.sheets.len(), book.worksheets.len()), (3, 2));
}

#[test]
fn fault_far_cells_make_a_table_of_everything_between() {
    let rows = format!("<row r=\"1\">{}</row><row r=\"90\">{}</row>", cell("A1", "near"), cell("CZ90", "far"));
    let found = open(xlsx(&[("One", "", &rows)], &[]), DocumentFormat::Xlsx).to_markdown();
    assert!(found.len() > 1_000, "{} bytes: {found}", found.len());
}

#[test]
fn fault_escaped_characters_stay_escaped() {
    let row = format!("<row r=\"1\">{}</row>", cell("A1", "one_x000D_two"));
    let found = open(xlsx(&[("One", "", &row)], &[]), DocumentFormat::Xlsx).to_markdown();
    assert!(found.contains("_x000D_"), "{found}");
}

#[test]
fn fault_a_moment_before_midnight_is_the_next_day() {
    let found = DateTimeValue::from_serial(45_299.999_999_99, false).unwrap().to_iso_string();
    assert_eq!(found, "2024-01-09");
}

#[test]
fn fault_items_of_list_styles_lose_their_level() {
    let styles = format!(
        "<w:styles {SPACE}><w:style w:type=\"paragraph\" w:styleId=\"ListBullet2\"><w:name w:val=\"List Bullet 2\"/>\
         <w:pPr><w:numPr><w:numId w:val=\"2\"/></w:numPr></w:pPr></w:style></w:styles>"
    );
    let inner = r#"<w:p><w:pPr><w:pStyle w:val="ListBullet2"/></w:pPr><w:r><w:t>inner</w:t></w:r></w:p>"#;
    let parts = [("numbering", "numbering.xml", NUMBERS), ("styles", "styles.xml", styles.as_str())];
    assert_eq!(markdown(docx(&format!("{}{inner}", item(2, 0, "red")), &parts)), "- red\n- inner");
}

#[test]
fn fault_letters_of_items_become_numbers() {
    let body = [item(1, 0, "one"), item(1, 1, "inner")].concat();
    let found = markdown(docx(&body, &[("numbering", "numbering.xml", NUMBERS)]));
    assert!(found.contains("1) inner"), "{found}");
}

#[test]
fn fault_marks_of_footnotes_are_lost() {
    let notes =
        format!("<w:footnotes {SPACE}><w:footnote w:id=\"7\">{}</w:footnote></w:footnotes>", p("the old bridge"));
    let body =
        r#"<w:p><w:r><w:t>basin</w:t></w:r><w:r><w:footnoteReference w:id="7"/></w:r><w:r><w:t>.</w:t></w:r></w:p>"#;
    let found = markdown(docx(body, &[("footnotes", "footnotes.xml", &notes)]));
    assert_eq!(found, "basin.\n\nthe old bridge");
}

#[test]
fn fault_titles_are_no_headings() {
    let body = r#"<w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr><w:r><w:t>Harbour</w:t></w:r></w:p>"#;
    assert_eq!(markdown(docx(body, &[])), "Harbour");
}

#[test]
fn fault_formats_of_numbers_are_ignored() {
    let style = concat!(
        r#"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">"#,
        r#"<numFmts count="1"><numFmt numFmtId="164" formatCode="000"/></numFmts>"#,
        r#"<cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="20"/></cellXfs></styleSheet>"#
    );
    let row = r#"<row r="1"><c r="A1" s="1"><v>7</v></c><c r="B1" s="2"><v>0.5</v></c></row>"#;
    let found = open(xlsx(&[("One", "", row)], &[("xl/styles.xml", style)]), DocumentFormat::Xlsx).to_markdown();
    assert!(found.contains("| 7 | 0.5 |"), "{found}");
}
