//! Documents made to hurt, by the ids of their rows.

use readstone_convert::{Form, Refusal, Remark, State};

use super::recipes::{all, cell, compound, docx, docx_of, p, package, relations, text, types, xlsx};

const WORD: &str = r#"xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main""#;

fn laughs() -> String {
    let mut out = String::from("<!DOCTYPE z [<!ENTITY a0 \"ha\">");
    for level in 1..10 {
        let inner = format!("&a{};", level - 1).repeat(10);
        out.push_str(&format!("<!ENTITY a{level} \"{inner}\">"));
    }
    out + "]>"
}

fn is_declared(answer: &Result<readstone_convert::Made, Refusal>) -> bool {
    matches!(answer, Err(Refusal::Unsupported { what }) if what.contains("document type"))
}

#[test]
fn d01_declared_entities_are_refused() {
    let main = format!("{}<w:document {WORD}><w:body>{}</w:body></w:document>", laughs(), p("&a9;"));
    assert!(is_declared(&all(Form::Docx, docx_of(&main, &[]))));
    let texts = format!("{}<sst><si><t>&a9;</t></si></sst>", laughs());
    let row = r#"<row r="1"><c r="A1" t="s"><v>0</v></c></row>"#;
    assert!(is_declared(&all(Form::Xlsx, xlsx(&[("S", "", row)], &[("xl/sharedStrings.xml", &texts)]))));
}

#[test]
fn d03_a_long_entity_used_often_is_refused() {
    let declared = format!("<!DOCTYPE z [<!ENTITY a \"{}\">]>", "a".repeat(50_000));
    let main = format!("{declared}<w:document {WORD}><w:body>{}</w:body></w:document>", p(&"&a;".repeat(50_000)));
    assert!(is_declared(&all(Form::Docx, docx_of(&main, &[]))));
}

#[test]
fn d04_a_part_that_unpacks_to_far_more_than_its_size_is_refused() {
    let bytes = docx(&p("x").repeat(1_500_000), &[]);
    assert_eq!(all(Form::Docx, bytes), Err(Refusal::TooLarge { limit: "ratio".to_owned(), value: 150 }));
}

#[test]
fn d05_markup_nested_half_a_million_levels_is_refused_by_its_depth() {
    let deep = Err(Refusal::TooLarge { limit: "depth".to_owned(), value: 256 });
    let body = "<w:sdt><w:sdtContent>".repeat(250_000) + &p("deep") + &"</w:sdtContent></w:sdt>".repeat(250_000);
    assert_eq!(all(Form::Docx, docx(&body, &[])), deep);
    let open = "<w:tbl><w:tr><w:tc>".repeat(100_000);
    assert_eq!(all(Form::Docx, docx(&open, &[])), deep);
    let row = format!("<row r=\"1\">{}</row>", "<c r=\"A1\"><is>".repeat(250_000));
    assert!(all(Form::Xlsx, xlsx(&[("S", "", &row)], &[])).is_err());
}

#[test]
fn d05_tables_in_tables_within_the_depth_keep_their_text() {
    let body = "<w:tbl><w:tr><w:tc>".repeat(60) + &p("innermost") + &"</w:tc></w:tr></w:tbl>".repeat(60);
    assert_eq!(text(Form::Docx, docx(&body, &[])), "innermost");
}

#[test]
fn d06_a_declared_dimension_is_not_believed() {
    let sheet = |reference: &str, rows: &str| {
        format!(
            "<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\">\
             <dimension ref=\"{reference}\"/><sheetData>{rows}</sheetData></worksheet>"
        )
    };
    let far =
        format!("<row r=\"1\">{}</row><row r=\"1048576\">{}</row>", cell("A1", "first"), cell("XFD1048576", "last"));
    let got = text(Form::Xlsx, xlsx(&[("S", "", &sheet("A1:XFD1048576", &far))], &[]));
    assert_eq!(got, "| first |\n| --- |\n\n- XFD1048576: last");
    let two = format!("<row r=\"1\">{}{}</row>", cell("A1", "first"), cell("B1", "last"));
    let got = text(Form::Xlsx, xlsx(&[("S", "", &sheet("A0:ZZZZ99999999", &two))], &[]));
    assert_eq!(got, "| first | last |\n| --- | --- |");
    let bad = format!("<row r=\"1\">{}{}</row>", cell("A1", "first"), cell("ZZZZZZ99999999999", "last"));
    let got = text(Form::Xlsx, xlsx(&[("S", "", &bad)], &[]));
    assert!(got.contains("first") && got.contains("last") && got.len() < 100, "{got}");
}

#[test]
fn d07_a_declared_count_of_texts_is_not_believed() {
    let texts = concat!(
        r#"<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" count="4294967295" "#,
        r#"uniqueCount="4294967295"><si><t>only</t></si></sst>"#
    );
    let row = r#"<row r="1"><c r="A1" t="s"><v>0</v></c></row>"#;
    assert_eq!(text(Form::Xlsx, xlsx(&[("S", "", row)], &[("xl/sharedStrings.xml", texts)])), "| only |\n| --- |");
}

#[test]
fn d08_an_element_with_very_many_attributes_is_damage() {
    let attributes: String = (0..150_000).map(|n| format!(" a{n}=\"v\"")).collect();
    let body = format!("<w:p{attributes}><w:r><w:t>hello</w:t></w:r></w:p>");
    assert!(matches!(all(Form::Docx, docx(&body, &[])), Err(Refusal::Damaged(_))));
    let spaces: String = (0..150_000).map(|n| format!(" xmlns:n{n}=\"urn:{n}\"")).collect();
    let main = format!("<w:document {WORD}{spaces}><w:body>{}</w:body></w:document>", p("hello"));
    assert!(matches!(all(Form::Docx, docx_of(&main, &[])), Err(Refusal::Damaged(_))));
}

#[test]
fn d09_a_package_without_its_main_part_is_damaged() {
    let kinds = types(&[("word/document.xml", "wordprocessingml.document.main")]);
    let root = relations(&[("officeDocument", "word/document.xml")]);
    let bytes = package(&[("[Content_Types].xml", &kinds), ("_rels/.rels", &root)]);
    for form in [Form::Docx, Form::Xlsx, Form::Pptx] {
        assert!(matches!(all(form, bytes.clone()), Err(Refusal::Damaged(_))), "{form:?}");
    }
}

#[test]
fn d09_a_main_part_that_ends_early_is_lacking() {
    let made = all(Form::Docx, docx_of(&format!("<w:document {WORD}><w:body>{}", p("hello")), &[])).unwrap();
    assert!(made.sections[0].text.starts_with("hello"));
    assert!(matches!(made.sections[0].state, State::Lacking(_)), "{made:?}");
    assert!(matches!(made.remarks[..], [Remark::Damaged(_)]), "{made:?}");
}

#[test]
fn d10_compound_files_with_lying_or_looping_tables_are_damaged() {
    let mut counted = compound("Workbook", &[0; 8192]);
    counted[0x2C..0x30].copy_from_slice(&0x7FFF_FFFF_u32.to_le_bytes());
    counted[0x48..0x4C].copy_from_slice(&0x7FFF_FFFF_u32.to_le_bytes());
    assert!(matches!(all(Form::Xls, counted), Err(Refusal::Damaged(_))));
    let mut looping = compound("WordDocument", &[0; 8192]);
    // The table says that sector 2 is followed by sector 2.
    looping[1024 + 8..1024 + 12].copy_from_slice(&2_u32.to_le_bytes());
    assert!(matches!(all(Form::Doc, looping), Err(Refusal::Damaged(_))));
}

#[test]
fn truncated_packages_end_in_an_answer() {
    let whole = docx(&p("hello"), &[]);
    for length in 0..whole.len() {
        if let Ok(made) = all(Form::Docx, whole[..length].to_vec()) {
            assert!(!made.sections[0].text.is_empty());
        }
    }
}
