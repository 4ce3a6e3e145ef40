//! Numbers, dates and times by the formats of their cells.

use readstone_convert::Form;

use super::recipes::{text, xlsx};

/// What cells with these codes and values show, each on a line of its own.
fn shown(cells: &[(&str, &str)]) -> Vec<String> {
    let mut codes = String::new();
    let mut looks = String::from("<xf numFmtId=\"0\"/>");
    let mut rows = String::new();
    for (index, (code, value)) in cells.iter().enumerate() {
        let code = code.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;");
        let (format, row) = (164 + index, index + 1);
        codes.push_str(&format!(r#"<numFmt numFmtId="{format}" formatCode="{code}"/>"#));
        looks.push_str(&format!(r#"<xf numFmtId="{format}"/>"#));
        rows.push_str(&format!(r#"<row r="{row}"><c r="A{row}" s="{row}"><v>{value}</v></c></row>"#));
    }
    let space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let styles =
        format!("<styleSheet xmlns=\"{space}\"><numFmts>{codes}</numFmts><cellXfs>{looks}</cellXfs></styleSheet>");
    let got = text(Form::Xlsx, xlsx(&[("S", "", &rows)], &[("xl/styles.xml", &styles)]));
    let lines = got.lines().filter(|line| *line != "| --- |");
    lines.map(|line| line.trim_matches(['|', ' ']).to_owned()).collect()
}

fn check(cells: &[(&str, &str, &str)]) {
    let asked: Vec<(&str, &str)> = cells.iter().map(|(code, value, _)| (*code, *value)).collect();
    let got = shown(&asked);
    for ((code, value, want), got) in cells.iter().zip(&got) {
        assert_eq!(got, want, "{code} of {value}");
    }
    assert_eq!(got.len(), cells.len());
}

#[test]
fn leading_zeros_and_what_stands_between_digits_are_kept() {
    check(&[
        ("00000", "42", "00042"),
        ("000-0000", "5551234", "555-1234"),
        ("(000) 000-0000", "5551234567", "(555) 123-4567"),
        ("000-00-0000", "12345678", "012-34-5678"),
        ("0000-00-00", "20240229", "2024-02-29"),
        (r###"##"-"##"###, "1234", "12-34"),
        (r#""No. "000"#, "7", "No. 007"),
        ("[<=9999999]###-####;(###) ###-####", "5551234", "555-1234"),
        ("[<=9999999]###-####;(###) ###-####", "5551234567", "(555) 123-4567"),
        (r#"General" kg""#, "72.5", "72.5 kg"),
        (r#"General" kg""#, "-3", "-3 kg"),
        (r#""<"0">""#, "5", "<5>"),
        (r"0\x", "5", "5x"),
        ("_(0_)", "5", "5"),
    ]);
}

#[test]
fn money_thousands_percents_and_powers_are_shown() {
    check(&[
        ("#,##0.00 [$Kč-405]", "1234.567", "1,234.57 Kč"),
        ("[$€-407] #,##0.00", "1234.567", "€ 1,234.57"),
        ("\"$\"#,##0.00", "-1234.5", "-$1,234.50"),
        ("#,##0", "1234567890", "1,234,567,890"),
        ("#,##0", "12", "12"),
        (r#"0.0,"K""#, "1500", "1.5K"),
        (r#"0.0,,"M""#, "2500000", "2.5M"),
        ("0.0%", "0.125", "12.5%"),
        ("0.00E+00", "3", "3.00E+00"),
        ("0.00E+00", "-0.000999999", "-1.00E-03"),
        ("##0.0E+0", "12345", "12.3E+3"),
        ("0.##", "5", "5"),
        ("0.0##", "5.25", "5.25"),
        (".00", "0.5", ".50"),
        ("0000", "1e20", "100000000000000000000"),
        ("0.000", "0.00004", "0.000"),
    ]);
}

#[test]
fn halves_are_rounded_away_from_zero_as_their_digits_say() {
    check(&[
        ("0.00", "1.005", "1.01"),
        ("0.00", "2.675", "2.68"),
        ("0.00", "-1.005", "-1.01"),
        ("0", "0.5", "1"),
        ("0", "2.5", "3"),
        ("0.0", "9.95", "10.0"),
        ("0.0%", "0.0285", "2.9%"),
    ]);
}

#[test]
fn parts_for_negative_numbers_and_zero_are_followed_and_no_sign_is_lost() {
    check(&[
        ("0;(0)", "-5", "(5)"),
        (r#"0;-0;"zero""#, "0", "zero"),
        ("#,##0;[Red]#,##0", "-1234", "-1,234"),
        ("#,##0;[Red]-#,##0", "-1234", "-1,234"),
        ("[Red][<0]0.0;[Blue]0.0", "-2", "-2.0"),
        (r#"_-* #,##0.00_-;-* #,##0.00_-;_-* "-"??_-;_-@_-"#, "0", "-"),
        (";;;", "7", "7"),
        ("#", "0", "0"),
    ]);
}

#[test]
fn a_format_that_is_not_understood_shows_the_plain_number() {
    check(&[(r#""Q"q"#, "3", "3"), ("# ??/??", "0.25", "0.25"), ("0 0/8", "1.5", "1.5"), ("[x", "4", "4")]);
}

#[test]
fn a_time_keeps_its_date_and_only_brackets_make_a_span() {
    check(&[
        ("hh:mm", "45351.35416666666", "2024-02-29 08:30:00"),
        ("h:mm AM/PM", "45351.75", "2024-02-29 18:00:00"),
        ("h:mm AM/PM", "0.75", "18:00:00"),
        ("[mm]:ss", "0.25", "06:00:00"),
        ("[h]:mm", "1.25", "30:00:00"),
        ("[Magenta]hh:mm", "45351.5", "2024-02-29 12:00:00"),
        ("d. mmmm yyyy", "45351", "2024-02-29"),
        (r#"yy"s"dd"#, "45351", "2024-02-29"),
        ("hh:mm", "-0.25", "-06:00:00"),
        ("yyyy-mm-dd", "-1", "-1"),
    ]);
}

#[test]
fn a_workbook_that_counts_from_1904_shows_the_same_days() {
    let styles = concat!(
        r#"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">"#,
        r#"<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="18"/></cellXfs></styleSheet>"#
    );
    let rows = concat!(
        r#"<row r="1"><c r="A1" s="1"><v>43889</v></c><c r="B1" s="2"><v>43889.75</v></c>"#,
        r#"<c r="C1" s="2"><v>0.75</v></c></row>"#
    );
    let space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let related = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let book = format!(
        "<workbook xmlns=\"{space}\" xmlns:r=\"{related}\"><workbookPr date1904=\"1\"/>\
         <sheets><sheet name=\"S\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>"
    );
    let got = text(Form::Xlsx, super::recipes::xlsx_of(&book, &[("S", "", rows)], &[("xl/styles.xml", styles)]));
    assert_eq!(got.lines().next(), Some("| 2024-02-29 | 2024-02-29 18:00:00 | 18:00:00 |"));
}
