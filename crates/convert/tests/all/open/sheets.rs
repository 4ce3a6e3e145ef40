use readstone_convert::{Bounds, Form, Parts, Refusal, Remark, State, Wish, document};

use super::{BOUNDS, content, convert, only, package};

fn book(body: &str) -> Vec<u8> {
    package(&[("content.xml", &content("spreadsheet", "", body))])
}

fn cell(text: &str) -> String {
    format!("<table:table-cell><text:p>{text}</text:p></table:table-cell>")
}

fn row(cells: &[&str]) -> String {
    let cells: String = cells.iter().map(|text| cell(text)).collect();
    format!("<table:table-row>{cells}</table:table-row>")
}

#[test]
fn sheets_have_names_and_hidden_ones_too() {
    let body = format!(
        "<table:table table:name=\"A\">{}</table:table><table:table table:name=\"B &amp; C\" table:display=\"false\">{}\
         </table:table><table:table table:name=\"None\"/>",
        row(&["x|y", "1"]),
        row(&["z"])
    );
    let made = convert(Form::Ods, &book(&body)).unwrap();
    assert_eq!((made.parts, made.count), (Parts::Sheets, 3));
    let names: Vec<&str> = made.sections.iter().filter_map(|section| section.name.as_deref()).collect();
    assert_eq!(names, ["A", "B & C", "None"]);
    assert_eq!(made.sections.first().unwrap().text, "| x\\|y | 1 |\n| --- | --- |");
    assert_eq!(made.sections.last().unwrap().state, State::Blank);
}

#[test]
fn dates_can_be_read_in_one_way_only() {
    let date = |value: &str, shown: &str| {
        format!("<table:table-cell office:date-value=\"{value}\"><text:p>{shown}</text:p></table:table-cell>")
    };
    let cells = [
        date("2024-02-03", "02/03/24"),
        date("2024-02-03T13:45:00", "03.02.24 13:45"),
        date("2024-02-03", "3 February 2024"),
        date("2024-02-03", "Feb 3"),
        "<table:table-cell office:value=\"7\" table:formula=\"of:=3+4\"/>".to_owned(),
        "<table:table-cell table:formula=\"of:=3+4\"/>".to_owned(),
    ];
    let body =
        format!("<table:table table:name=\"D\"><table:table-row>{}</table:table-row></table:table>", cells.concat());
    let made = convert(Form::Ods, &book(&body)).unwrap();
    let first = only(&made).lines().next().unwrap().to_owned();
    assert_eq!(first, "| 2024-02-03 | 2024-02-03 13:45:00 | 3 February 2024 | Feb 3 (2024-02-03) | 7 | =3+4 |");
}

#[test]
fn repeats_are_clamped_and_told_of() {
    let body = format!(
        "<table:table table:name=\"R\">{}<table:table-row table:number-rows-repeated=\"1048570\">{}\
         <table:table-cell table:number-columns-repeated=\"16383\"/></table:table-row><table:table-row \
         table:number-rows-repeated=\"99999999999999999999\"><table:table-cell/></table:table-row></table:table>",
        row(&["head"]),
        cell("same")
    );
    let made = convert(Form::Ods, &book(&body)).unwrap();
    assert_eq!(only(&made).lines().count(), 1002);
    assert_eq!(made.remarks, [Remark::LeftOut("1047570 rows that repeat the one before".to_owned())]);
}

#[test]
fn cells_far_apart_have_their_names() {
    let body = format!(
        "<table:table table:name=\"F\">{}<table:table-row table:number-rows-repeated=\"1000000\"><table:table-cell/>\
         </table:table-row><table:table-row><table:table-cell table:number-columns-repeated=\"16000\"/>{}\
         </table:table-row></table:table>",
        row(&["near"]),
        cell("far")
    );
    let made = convert(Form::Ods, &book(&body)).unwrap();
    assert_eq!(only(&made), "| near |\n| --- |\n\n- WQK1000002: far");
}

#[test]
fn a_diagonal_is_written_cell_by_cell() {
    let rows: String = (1..300)
        .map(|at| {
            let gap = format!("<table:table-cell table:number-columns-repeated=\"{at}\"/>");
            format!("<table:table-row>{gap}{}</table:table-row>", cell("x"))
        })
        .collect();
    let made = convert(Form::Ods, &book(&format!("<table:table table:name=\"G\">{rows}</table:table>"))).unwrap();
    assert!(only(&made).starts_with("- B1: x\n- C2: x\n"), "{}", only(&made));
}

#[test]
fn a_section_is_the_same_whatever_is_asked_for_and_a_long_one_is_cut() {
    let table = |name: &str| {
        let rows: String = (0..100).map(|at| row(&[name, &at.to_string()])).collect();
        format!("<table:table table:name=\"{name}\">{rows}</table:table>")
    };
    let bytes = book(&[table("one"), table("two"), table("six")].concat());
    let all = convert(Form::Ods, &bytes).unwrap();
    let wish = Wish { first: 2, last: 2, enough: u64::MAX };
    let second = document(Form::Ods, &bytes, &wish, &BOUNDS).unwrap();
    assert_eq!((second.count, second.first), (3, 2));
    assert_eq!(second.sections.first(), all.sections.get(1));
    let small = Bounds { text_bytes: 700, ..BOUNDS };
    let cut = document(Form::Ods, &bytes, &Wish::ALL, &small).unwrap();
    assert_eq!((cut.count, cut.sections.len()), (3, 1));
    assert_eq!(cut.names, ["one", "two", "six"]);
    assert_eq!(cut.remarks, [Remark::Cut { limit: "text_bytes".to_owned() }]);
    assert!(cut.sections.iter().all(|section| section.text.len() <= 700));
    let enough = Wish { enough: 10, ..Wish::ALL };
    assert_eq!(document(Form::Ods, &bytes, &enough, &BOUNDS).unwrap().sections.len(), 1);
}

#[test]
fn a_book_without_cells_is_empty() {
    assert_eq!(convert(Form::Ods, &book("<table:table table:name=\"E\"/>")), Err(Refusal::Empty));
}

#[test]
fn tables_apart_stand_under_their_names_and_keep_their_blank_rows() {
    let gap = |rows: u32| {
        format!("<table:table-row table:number-rows-repeated=\"{rows}\"><table:table-cell/></table:table-row>")
    };
    let rows = [row(&["a", "b"]), gap(1), row(&["c", "d"]), gap(50), row(&["e", "f"]), row(&["g"])].concat();
    let made = convert(Form::Ods, &book(&format!("<table:table table:name=\"T\">{rows}</table:table>"))).unwrap();
    let first = "| a | b |\n| --- | --- |\n|  |  |\n| c | d |";
    assert_eq!(only(&made), format!("{first}\n\n**A54:B55**\n\n| e | f |\n| --- | --- |\n| g |  |"));
}

#[test]
fn a_cell_keeps_its_inner_blanks() {
    let body =
        format!("<table:table table:name=\"B\">{}</table:table>", row(&["a  b<text:s text:c=\"2\"/>c", "d\n  e"]));
    assert_eq!(only(&convert(Form::Ods, &book(&body)).unwrap()), "| a  b  c | d e |\n| --- | --- |");
}
