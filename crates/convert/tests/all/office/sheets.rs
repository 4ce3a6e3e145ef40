//! Workbooks since 2007.

use readstone_convert::{Bounds, Form, Parts, Refusal, Remark, State, Wish};

use super::recipes::{BOUNDS, all, cell, convert, text, xlsx};

#[test]
fn a_row_is_a_line_and_cells_keep_their_columns() {
    let rows = format!(
        "<row r=\"1\">{}{}</row><row r=\"3\">{}{}</row>",
        cell("A1", "name"),
        cell("C1", "a|b"),
        cell("A3", "one&#10;two"),
        cell("B3", r"c:\")
    );
    let want = "| name |  | a\\|b |\n| --- | --- | --- |\n|  |  |  |\n| one<br>two | c:\\\\ |  |";
    assert_eq!(text(Form::Xlsx, xlsx(&[("S", "", &rows)], &[])), want);
}

#[test]
fn numbers_dates_percents_and_formulas_are_shown_as_the_sheet_shows_them() {
    let styles = concat!(
        r#"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">"#,
        r##"<numFmts><numFmt numFmtId="164" formatCode="&quot;$&quot;#,##0"/></numFmts>"##,
        r#"<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="9"/><xf numFmtId="164"/></cellXfs></styleSheet>"#
    );
    let rows = concat!(
        r#"<row r="1"><c r="A1"><v>0.30000000000000004</v></c><c r="B1" s="1"><v>45300</v></c>"#,
        r#"<c r="C1" s="2"><v>0.5</v></c><c r="D1" s="3"><v>192000</v></c><c r="E1"><f>A1*2</f><v>7</v></c>"#,
        r#"<c r="F1"><f>A1+B1</f></c><c r="G1" t="b"><v>1</v></c><c r="H1" t="e"><v>#DIV/0!</v></c></row>"#
    );
    let got = text(Form::Xlsx, xlsx(&[("S", "", rows)], &[("xl/styles.xml", styles)]));
    let first = got.lines().next().unwrap();
    assert_eq!(first, "| 0.3 | 2024-01-09 | 50% | $192,000 | 7 | =A1+B1 | TRUE | #DIV/0! |");
}

#[test]
fn times_of_the_day_and_spans_of_time_are_no_dates() {
    let styles = concat!(
        r#"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">"#,
        r#"<numFmts><numFmt numFmtId="164" formatCode="[hh]:mm:ss"/></numFmts>"#,
        r#"<cellXfs><xf numFmtId="0"/><xf numFmtId="20"/><xf numFmtId="164"/><xf numFmtId="22"/></cellXfs>"#,
        "</styleSheet>"
    );
    let rows = concat!(
        r#"<row r="1"><c r="A1" s="1"><v>0.3854166666666667</v></c><c r="B1" s="2"><v>1.25</v></c>"#,
        r#"<c r="C1" s="3"><v>45352.5625</v></c></row>"#
    );
    let got = text(Form::Xlsx, xlsx(&[("S", "", rows)], &[("xl/styles.xml", styles)]));
    assert_eq!(got.lines().next(), Some("| 09:15:00 | 30:00:00 | 2024-03-01 13:30:00 |"));
}

#[test]
fn a_formula_that_was_never_calculated_is_shown_itself() {
    let rows = r#"<row r="1"><c r="A1"><f>SUM(1,2)</f><v></v></c></row>"#;
    assert_eq!(text(Form::Xlsx, xlsx(&[("S", "", rows)], &[])), "| =SUM(1,2) |\n| --- |");
}

#[test]
fn a_moment_before_midnight_is_not_yet_the_next_day() {
    let styles = concat!(
        r#"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">"#,
        r#"<numFmts><numFmt numFmtId="164" formatCode="yyyy-mm-dd hh:mm:ss.000"/></numFmts>"#,
        r#"<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="21"/></cellXfs></styleSheet>"#
    );
    let rows = concat!(
        r#"<row r="1"><c r="A1" s="1"><v>45291.9999965278</v></c><c r="B1" s="1"><v>45413.4166736111</v></c>"#,
        r#"<c r="C1" s="2"><v>0.99999999</v></c><c r="D1" s="1"><v>45292</v></c></row>"#
    );
    let got = text(Form::Xlsx, xlsx(&[("S", "", rows)], &[("xl/styles.xml", styles)]));
    let first = got.lines().next();
    assert_eq!(first, Some("| 2023-12-31 23:59:59.700 | 2024-05-01 10:00:00.600 | 23:59:59.999 | 2024-01-01 |"));
}

#[test]
fn characters_that_xml_cannot_hold_are_those_that_were_meant() {
    let rows = concat!(
        r#"<row r="1"><c r="A1" t="inlineStr"><is><t>_x005F_x0041_</t></is></c>"#,
        r#"<c r="B1" t="inlineStr"><is><t>_x0041_ _x41_ a_x</t></is></c></row>"#
    );
    let got = text(Form::Xlsx, xlsx(&[("S", "", rows)], &[]));
    assert_eq!(got.lines().next(), Some("| _x0041_ | A _x41_ a_x |"));
}

#[test]
fn sheets_have_names_and_hidden_ones_are_shown_and_marked() {
    let row = format!("<row r=\"1\">{}</row>", cell("A1", "secret"));
    let made = all(Form::Xlsx, xlsx(&[("Open", "", ""), ("Back", "state=\"hidden\"", &row)], &[])).unwrap();
    assert_eq!((made.parts, made.count), (Parts::Sheets, 2));
    assert_eq!((made.sections[0].name.as_deref(), &made.sections[0].state), (Some("Open"), &State::Blank));
    assert_eq!(made.sections[1].name.as_deref(), Some("Back"));
    assert_eq!(made.sections[1].text, "(hidden sheet)\n\n| secret |\n| --- |");
    assert!(made.remarks.is_empty());
}

#[test]
fn links_in_cells_are_links() {
    let sheet = concat!(
        r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" "#,
        r#"xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheetData><row r="1">"#,
        r#"<c r="A1" t="inlineStr"><is><t>map</t></is></c></row></sheetData>"#,
        r#"<hyperlinks><hyperlink ref="A1" r:id="rId1"/></hyperlinks></worksheet>"#
    );
    let related = super::recipes::relations(&[("hyperlink", "https://map.example/")]);
    let got = text(Form::Xlsx, xlsx(&[("S", "", sheet)], &[("xl/worksheets/_rels/sheet1.xml.rels", &related)]));
    assert_eq!(got, "| [map](https://map.example/) |\n| --- |");
}

#[test]
fn only_the_sheets_asked_for_are_given_and_they_read_the_same() {
    let rows: Vec<String> =
        (1..=4).map(|n| format!("<row r=\"1\">{}</row>", cell("A1", &format!("sheet {n}")))).collect();
    let sheets: Vec<(&str, &str, &str)> =
        ["a", "b", "c", "d"].iter().zip(&rows).map(|(name, rows)| (*name, "", rows.as_str())).collect();
    let bytes = xlsx(&sheets, &[]);
    let whole = all(Form::Xlsx, bytes.clone()).unwrap();
    let some = convert(Form::Xlsx, bytes.clone(), Wish { first: 2, last: 3, enough: u64::MAX }, BOUNDS).unwrap();
    assert_eq!((some.first, some.count), (2, 4));
    assert_eq!(some.sections, whole.sections[1..3]);
    let one = convert(Form::Xlsx, bytes, Wish { first: 2, last: u64::MAX, enough: 1 }, BOUNDS).unwrap();
    assert_eq!(one.sections, whole.sections[1..2]);
}

#[test]
fn a_long_sheet_is_cut_after_a_whole_row() {
    let rows: String =
        (1..=1000).map(|n| format!("<row r=\"{n}\">{}</row>", cell(&format!("A{n}"), &format!("row {n}")))).collect();
    let bounds = Bounds { text_bytes: 200, ..BOUNDS };
    let made = convert(Form::Xlsx, xlsx(&[("S", "", &rows)], &[]), Wish::ALL, bounds).unwrap();
    assert!(made.sections[0].text.len() <= 200 && made.sections[0].text.ends_with(" |"));
    assert_eq!(made.remarks, [Remark::Cut { limit: "text_bytes".to_owned() }]);
}

#[test]
fn far_cells_are_shown_with_their_places() {
    let rows = format!(
        "<row r=\"1\">{}{}</row><row r=\"40\">{}{}</row><row r=\"41\">{}</row>",
        cell("A1", "near"),
        cell("AZ1", "right"),
        cell("C40", "x"),
        cell("D40", "y"),
        cell("C41", "z")
    );
    let want = "| near |\n| --- |\n\n- AZ1: right\n\n**C40:D41**\n\n| x | y |\n| --- | --- |\n| z |  |";
    assert_eq!(text(Form::Xlsx, xlsx(&[("S", "", &rows)], &[])), want);
}

#[test]
fn a_diagonal_is_a_list_and_not_a_square() {
    let rows: String = (0..400_u32)
        .map(|n| {
            let (high, low) = (n / 26, u8::try_from(n % 26).unwrap());
            let last = char::from(b'A' + low);
            let first = high.checked_sub(1).map(|h| char::from(b'A' + u8::try_from(h).unwrap())).map(String::from);
            let place = format!("{}{last}{}", first.unwrap_or_default(), n + 1);
            format!("<row r=\"{}\">{}</row>", n + 1, cell(&place, &format!("v{n}")))
        })
        .collect();
    let got = text(Form::Xlsx, xlsx(&[("S", "", &rows)], &[]));
    assert_eq!(got.lines().count(), 400);
    assert!(got.lines().any(|line| line == "- Z26: v25") && got.lines().any(|line| line == "- AA27: v26"), "{got}");
}

#[test]
fn a_workbook_of_blank_sheets_is_empty() {
    assert_eq!(all(Form::Xlsx, xlsx(&[("S", "", "")], &[])), Err(Refusal::Empty));
}

#[test]
fn a_sheet_that_is_missing_or_cut_keeps_its_place() {
    let row = |n: u32, text: &str| format!("<row r=\"{n}\">{}</row>", cell(&format!("A{n}"), text));
    let open = r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>"#;
    let torn = format!("{open}{}<row r=\"2\"><c r=", row(1, "kept"));
    let bare = format!("{open}<row r=\"1\"><c r=");
    let (first, last) = (row(1, "first"), row(1, "last"));
    let sheets =
        [("a", "", first.as_str()), ("b", "", "missing"), ("c", "", &torn), ("d", "", &bare), ("e", "", &last)];
    let made = all(Form::Xlsx, xlsx(&sheets, &[])).unwrap();
    assert_eq!((made.count, made.names.concat()), (5, "abcde".to_owned()));
    let texts: Vec<&str> = made.sections.iter().map(|section| section.text.lines().next().unwrap_or("")).collect();
    assert_eq!(texts, ["| first |", "", "| kept |", "", "| last |"]);
    let lacking = |index: usize| matches!(made.sections[index].state, State::Lacking(_));
    assert!(!lacking(0) && lacking(1) && lacking(2) && lacking(3) && !lacking(4));
    let damaged: Vec<Remark> = ["b", "d", "c"].map(|name| Remark::Damaged(format!("sheet {name}"))).to_vec();
    assert_eq!(made.remarks, damaged);
    let wish = Wish { first: 5, last: 5, enough: u64::MAX };
    assert_eq!(convert(Form::Xlsx, xlsx(&sheets, &[]), wish, BOUNDS).unwrap().sections, made.sections[4..]);
}

#[test]
fn many_damages_are_counted() {
    let row = format!("<row r=\"1\">{}</row>", cell("A1", "x"));
    let names: Vec<String> = (0..12).map(|n| format!("s{n}")).collect();
    let mut sheets: Vec<(&str, &str, &str)> = names.iter().map(|name| (name.as_str(), "", "missing")).collect();
    sheets.insert(0, ("first", "", &row));
    let made = all(Form::Xlsx, xlsx(&sheets, &[])).unwrap();
    assert_eq!((made.count, made.remarks.len()), (13, 9));
    assert_eq!(made.remarks.last(), Some(&Remark::Damaged("4 more parts".to_owned())));
}

#[test]
fn a_sheet_left_for_another_wish_is_not_cut() {
    let row = |text: &str| format!("<row r=\"1\">{}</row>", cell("A1", text));
    let (short, long) = (row("short"), row(&"long ".repeat(40)));
    let bytes = xlsx(&[("a", "", &short), ("b", "", &long), ("c", "", &short)], &[]);
    let bounds = Bounds { text_bytes: 100, ..BOUNDS };
    let made = convert(Form::Xlsx, bytes.clone(), Wish::ALL, bounds).unwrap();
    assert_eq!((made.count, made.sections.len(), made.remarks.len()), (3, 1, 0));
    let made = convert(Form::Xlsx, bytes, Wish { first: 2, last: 3, enough: u64::MAX }, bounds).unwrap();
    assert_eq!((made.sections.len(), made.remarks.len()), (1, 1));
}

#[test]
fn rows_of_a_wide_sheet_end_with_their_last_cell() {
    let wide: String = (0..300_u32)
        .map(|n| {
            let high = (n / 26).checked_sub(1).map(|h| char::from(b'A' + u8::try_from(h).unwrap()).to_string());
            let low = char::from(b'A' + u8::try_from(n % 26).unwrap());
            cell(&format!("{}{low}1", high.unwrap_or_default()), "x")
        })
        .collect();
    let rows = format!(
        "<row r=\"1\">{wide}</row><row r=\"2\">{}</row><row r=\"4\">{}</row>",
        cell("B2", "y"),
        cell("A4", "z")
    );
    let got = text(Form::Xlsx, xlsx(&[("S", "", &rows)], &[]));
    let lines: Vec<&str> = got.lines().collect();
    assert_eq!((lines[0].matches('x').count(), lines[1].matches("---").count()), (300, 300));
    assert_eq!(lines[2..], ["|  | y |", "|  |", "| z |"]);
}
