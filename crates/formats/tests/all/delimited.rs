//! Rows of delimited text: pages, one row, one cell, and what is asked wrongly.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

pub(crate) mod stand;

use readstone_base::{Class, Next, Note};
use readstone_source::{Content, Entered, Shape, Value};
use stand::{Seen, Stand};

fn numbered(rows: u64) -> String {
    let lines = (1..=rows).map(|row| format!("{row},name {row}\n"));
    std::iter::once("id,name\n".to_owned()).chain(lines).collect()
}

fn rows(text: &str) -> Vec<Vec<String>> {
    Stand::new("a.csv", text).rows("?")
}

fn columns(text: &str) -> Vec<String> {
    Stand::new("a.csv", text).table("?").1.columns
}

#[test]
fn a_file_of_rows_is_text_unless_it_is_asked_for_rows() {
    let stand = Stand::new("a.csv", "a,b\n1,2\n");
    for tail in [None, Some(""), Some("1-2"), Some("raw"), Some("hex"), Some("b0+4"), Some("conflicts")] {
        assert!(stand.enter(tail).is_none(), "{tail:?}");
    }
    assert!(Stand::new("a.txt", "a,b\n").enter(Some("?limit=1")).is_none());
    for name in ["A.CSV", "a.tsv", "a.Tab", "a.psv"] {
        assert!(Stand::new(name, "a,b\n").enter(Some("?")).is_some(), "{name}");
    }
}

#[test]
fn a_page_has_the_rows_that_were_asked_for() {
    let stand = Stand::new("a.csv", numbered(100));
    let (table, seen, more) = stand.table("?limit=20&offset=40");
    assert_eq!(seen.columns, ["id", "name"]);
    assert_eq!(seen.text().first().unwrap(), &["41", "name 41"]);
    assert_eq!((seen.rows.len(), more), (20, true));
    assert_eq!((table.first(), table.total(), table.shape()), (41, Some(100), Shape::Any));
    assert_eq!(table.from(61), Next::read("d/a.csv?limit=20&offset=60"));
    assert_eq!(seen.rows[0].cell.before, "d/a.csv?row=41&column=");
    assert_eq!(stand.reach("?limit=20&offset=40").path, "d/a.csv?limit=20&offset=40");
}

#[test]
fn a_page_has_twenty_rows_and_five_hundred_at_most() {
    let stand = Stand::new("a.csv", numbered(1_000));
    for tail in ["?", "?offset=0"] {
        assert_eq!(stand.reach(tail).path, "d/a.csv?limit=20&offset=0");
        assert_eq!(stand.rows(tail).len(), 20);
    }
    let reached = stand.reach("?limit=9999");
    assert_eq!(reached.notes, [Note::Clamped { limit: "query_max_rows", value: 500 }]);
    assert_eq!(reached.path, "d/a.csv?limit=500&offset=0");
    assert_eq!(stand.rows("?limit=9999").len(), 500);
}

#[test]
fn the_last_page_ends_and_what_lies_behind_it_is_empty() {
    let stand = Stand::new("a.csv", numbered(25));
    let (table, seen, more) = stand.table("?limit=20&offset=20");
    assert_eq!((seen.rows.len(), more, table.total()), (5, false, Some(25)));
    let (_, seen, more) = stand.table("?limit=5&offset=20");
    assert_eq!((seen.rows.len(), more), (5, false));
    let (table, seen, more) = stand.table("?limit=5&offset=25");
    assert_eq!((seen.rows.len(), more, table.total()), (0, false, Some(25)));
    let (table, seen, more) = stand.table("?offset=9223372036854775807");
    assert_eq!((seen.rows.len(), more, table.total()), (0, false, Some(25)));
    assert_eq!(seen.columns, ["id", "name"]);
}

#[test]
fn a_page_that_is_full_tells_that_more_follows() {
    let stand = Stand::new("a.csv", numbered(25));
    let Content::Table(table) = stand.reach("?").content else { panic!("no table") };
    let mut seen = Seen { most: Some(3), ..Seen::default() };
    assert!(table.pull(&mut seen, &stand.budget).unwrap());
    assert_eq!(seen.rows.len(), 3);
}

#[test]
fn quotes_hold_signs_line_ends_and_themselves() {
    assert_eq!(rows("a,b\n\"x, \"\"y\"\"\",\"one\r\ntwo\"\n"), [["x, \"y\"", "one\r\ntwo"]]);
    assert_eq!(rows("a,b\n5\" pipe,\"a\"b\n"), [["5\" pipe", "ab"]]);
    assert_eq!(rows("a,b\n=1+1,@SUM(A1)\n"), [["=1+1", "@SUM(A1)"]]);
    assert_eq!(rows("a,b\n1,\"open\n2,3"), [["1", "open\n2,3"]]);
}

#[test]
fn every_line_end_ends_a_record_and_blank_lines_are_none() {
    for text in ["a,b\r\n1,2\r\n3,4\r\n", "a,b\n1,2\n\n\n3,4", "a,b\r1,2\r3,4", "\n\na,b\n1,2\n3,4\n\n"] {
        assert_eq!(rows(text), [["1", "2"], ["3", "4"]], "{text:?}");
    }
}

#[test]
fn rows_may_be_shorter_or_longer_than_the_header() {
    let (_, seen, _) = Stand::new("a.csv", "a,b\n1\n1,2,3,4\n,\n").table("?");
    assert_eq!(seen.columns, ["a", "b", "#3", "#4"]);
    assert_eq!(seen.text(), [["1", "-", "-", "-"], ["1", "2", "3", "4"], ["", "", "-", "-"]]);
    assert_eq!(Stand::new("a.csv", "a,b\n1\n1,2,3,4\n").table("?limit=1").1.columns, ["a", "b"]);
}

#[test]
fn columns_can_be_told_apart() {
    assert_eq!(columns("id,,name,name,,id\n1,2,3,4,5,6\n"), ["id", "#2", "name", "name#4", "#5", "id#6"]);
    assert_eq!(columns("#2,,#2#2\n1,2,3\n"), ["#2", "#2#2", "#2#2#3"]);
    assert_eq!(columns(" id , name\n1,2\n"), ["id", "name"]);
    assert_eq!(columns("x&row=1,y\n1,2\n"), ["#1", "y"]);
    let long = "x".repeat(10_000);
    let names = columns(&format!("{long},{long}é\n1,2\n"));
    assert_eq!(names.iter().map(String::len).collect::<Vec<_>>(), [256, 258]);
}

#[test]
fn nothing_and_a_header_alone_have_no_rows() {
    for text in ["", "\n\n", "\u{feff}"] {
        let (table, seen, more) = Stand::new("a.csv", text).table("?");
        assert_eq!((seen.columns.len(), seen.rows.len(), more, table.total()), (0, 0, false, Some(0)), "{text:?}");
    }
    let (table, seen, _) = Stand::new("a.csv", "a,b").table("?");
    assert_eq!((seen.columns.len(), seen.rows.len(), table.total()), (2, 0, Some(0)));
}

#[test]
fn what_stands_between_fields_is_found() {
    let check = |name: &str, text: &str, expected: &[&str]| {
        assert_eq!(Stand::new(name, text).table("?").1.columns, expected, "{name} {text:?}");
    };
    check("a.csv", "a;b;c\n1,5;2;3\n", &["a", "b", "c"]);
    check("a.csv", "a\tb\n1,5\t2\n", &["a", "b"]);
    check("a.csv", "a|b\n1|2\n", &["a", "b"]);
    check("a.csv", "name,notes\nx,a;b\ny,\"c;d\ne\"\n", &["name", "notes"]);
    check("a.csv", "\"a;b\",c\n1,2\n", &["a;b", "c"]);
    check("a.csv", "1,5;2,5\n3,5;4,5\n", &["1,5", "2,5"]);
    check("a.csv", "a,b,c;d\n", &["a", "b", "c;d"]);
    check("a.csv", "alone\n1\n2\n", &["alone"]);
    check("a.tsv", "a,b\tc\n1,2,3\t4\n", &["a,b", "c"]);
    check("a.psv", "a\n1\n", &["a"]);
    check("a.csv", "sep=;\r\na;b,c\r\n1;2\r\n", &["a", "b,c"]);
}

#[test]
fn any_encoding_is_read() {
    let text = "name;stadt\nJürgen;Köln\nÄnne;Füssen\n";
    let wide: Vec<u8> = [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let latin: Vec<u8> = text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect();
    let marked = format!("\u{feff}{text}").into_bytes();
    for (bytes, name) in [(wide, Some("utf-16le")), (latin, Some("windows-1252")), (marked, None)] {
        let stand = Stand::new("a.csv", bytes);
        let expected = [["Jürgen", "Köln"], ["Änne", "Füssen"]];
        assert_eq!(stand.rows("?"), expected, "{name:?}");
        assert_eq!(stand.table("?").1.columns, ["name", "stadt"]);
        assert_eq!(stand.reach("?").notes, name.map(Note::Encoding).into_iter().collect::<Vec<_>>());
        assert_eq!(stand.text("?row=2&column=stadt").0, "Füssen");
    }
    let said: Vec<u8> = "\u{feff}sep=;\na;b\n1;2\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(Stand::new("a.csv", said).rows("?"), [["1", "2"]]);
}

#[test]
fn pages_of_a_large_file_in_two_bytes_agree() {
    let text: String =
        std::iter::once("id,größe\n".to_owned()).chain((1..60_000).map(|i| format!("{i},ü{i}\n"))).collect();
    let bytes: Vec<u8> = [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let stand = Stand::new("a.csv", bytes);
    for offset in [50_000, 10, 49_999, 59_990, 30_000] {
        let rows = stand.rows(&format!("?limit=1&offset={offset}"));
        assert_eq!(rows, [[format!("{}", offset + 1), format!("ü{}", offset + 1)]]);
    }
    assert_eq!(stand.table("?").0.total(), Some(59_999));
}

#[test]
fn numbers_are_the_text_they_are() {
    let text = "a\n41\n2.50\n007\n1e5\n99999999999999999999\nnan\n";
    let cells = Stand::new("a.csv", text).table("?").1.rows.into_iter().flat_map(|row| row.cells);
    assert!(cells.into_iter().all(|cell| matches!(cell, Value::Bare { .. })));
}

#[test]
fn a_second_name_of_a_file_says_its_own() {
    let mut stand = Stand::new("a.csv", "a,b\tc\n1,2\t3\n");
    assert_eq!(stand.table("?").1.columns, ["a,b", "c"]);
    stand.piece.name = "a.tsv".to_owned();
    assert_eq!(stand.table("?").1.columns, ["a,b", "c"]);
    let mut stand = Stand::new("a.csv", "a,b\n1,2\n");
    assert_eq!(stand.table("?").1.columns, ["a", "b"]);
    stand.piece.name = "a.tsv".to_owned();
    assert_eq!(stand.table("?").1.columns, ["a,b"]);
}

#[test]
fn what_is_no_text_has_no_rows() {
    let bytes: Vec<u8> = (0..=255_u8).cycle().take(4_000).collect();
    let fault = Stand::new("a.csv", bytes).fails("?");
    assert_eq!((fault.code(), fault.class()), ("delimited.not_text", Class::Broken));
    assert_eq!(fault.next(), [Next::read("d/a.csv")]);
}

#[test]
fn one_row_is_shown_field_by_field() {
    let stand = Stand::new("a.csv", "a,b\n1,2\n3,4,5\n6\n");
    let (table, seen, more) = stand.table("?row=2");
    assert_eq!(
        (seen.columns.join(" "), seen.text(), more),
        ("a b #3".to_owned(), vec![vec!["3".into(), "4".into(), "5".into()]], false)
    );
    assert_eq!((table.shape(), table.first()), (Shape::Record, 2));
    assert_eq!(stand.table("?row=3").1.text(), [["6", "-"]]);
    assert_eq!(stand.reach("?row=2").path, "d/a.csv?row=2");
}

#[test]
fn one_cell_is_text_of_its_own() {
    let stand = Stand::new("a.csv", "id,full name,a:b,R&D\n1,\"one\ntwo\",x,y\n2\n3,,,\n");
    assert_eq!(stand.text("?row=1&column=full name"), ("one\ntwo".to_owned(), vec![]));
    assert_eq!(stand.text("?row=1&column=FULL%20name").0, "one\ntwo");
    assert_eq!(stand.text("?row=1&column=#2").0, "one\ntwo");
    assert_eq!(stand.text("?row=1&column=a:b").0, "x");
    assert_eq!(stand.text("?column=R&D&row=1").0, "y");
    assert_eq!(stand.text("?row=2&column=full name"), (String::new(), vec![Note::IsNull]));
    assert_eq!(stand.text("?row=3&column=full name"), (String::new(), vec![]));
    let reached = stand.reach("?row=1&column=full name:2-3:raw");
    assert_eq!((reached.path.as_str(), reached.rest.as_deref()), ("d/a.csv?row=1&column=full name", Some("2-3:raw")));
    assert_eq!(stand.reach("?row=1&column=a:b:7").rest.as_deref(), Some("7"));
}

#[test]
fn what_is_asked_wrongly_is_said_with_a_call_that_works() {
    let stand = Stand::new("a.csv", numbered(30));
    let bad = [
        ("?limit=", "limit= is no whole number from 1 on"),
        ("?limit=0", "limit=0 is no whole number from 1 on"),
        ("?limit=+5", "limit=+5 is no whole number from 1 on"),
        ("?offset=-1", "offset=-1 is no whole number from 0 on"),
        ("?offset=99999999999999999999", "offset=99999999999999999999 is no whole number from 0 on"),
        ("?order=id", "there is no parameter order; known are limit, offset, row, column"),
        ("?x", "x is no parameter; known are limit, offset, row, column"),
        ("?limit=5&", "is no parameter; known are"),
        ("?limit=5&limit=6", "limit is given twice"),
        ("?row=1&limit=6", "row names one row; it cannot be combined with limit or offset"),
        ("?column=id", "column needs row: the number of the row it stands in"),
        ("?row=1&column=", "column is empty: it takes a name, or #2"),
    ];
    for (tail, words) in bad {
        let fault = stand.fails(tail);
        let (code, text) = (fault.code(), fault.to_string());
        assert_eq!((code, fault.class()), ("delimited.bad_query", Class::Request), "{tail}");
        assert!(text.contains(words), "{tail}: {text}");
        assert_eq!(fault.next(), [Next::read("d/a.csv?limit=20&offset=0")]);
    }
    let fault = stand.fails("?row=31");
    assert_eq!(fault.to_string(), "'d/a.csv' has 30 rows, numbered from 1; there is no row 31");
    assert_eq!((fault.code(), fault.next()), ("delimited.no_row", vec![Next::read("d/a.csv?limit=20&offset=10")]));
    let fault = stand.fails("?row=1&column=nmae");
    assert_eq!(fault.to_string(), "'d/a.csv' has no column 'nmae'; it has id, name; #2 is the second");
    assert_eq!((fault.code(), fault.next()), ("delimited.no_column", vec![Next::read("d/a.csv?row=1")]));
    assert_eq!(stand.fails("?row=1&column=#3").code(), "delimited.no_column");
    assert_eq!(stand.fails("?row=99&column=id").code(), "delimited.no_row");
}

#[test]
fn a_record_of_too_many_fields_ends_the_page_before_it() {
    let wide = ",".repeat(100_000);
    let stand = Stand::new("a.csv", format!("a,b\n1,2\n{wide}\n3,4\n"));
    let (_, seen, more) = stand.table("?");
    assert_eq!((seen.rows.len(), more), (1, true));
    let fault = stand.fails("?offset=1");
    assert_eq!((fault.code(), fault.class()), ("delimited.limit", Class::TooBig));
    assert_eq!(stand.rows("?offset=2"), [["3", "4"]]);
    assert_eq!(stand.fails("?row=2").code(), "delimited.limit");
    assert_eq!(Stand::new("a.csv", wide).fails("?").code(), "delimited.limit");
}

#[test]
fn a_cancelled_call_ends() {
    let stand = Stand::new("a.csv", numbered(30));
    stand.budget.cancel_token().cancel();
    let fault = stand.fails("?");
    assert_eq!((fault.code(), fault.class()), ("delimited.cancelled", Class::Stopped));
}

#[test]
fn a_field_of_any_size_is_read_by_its_address() {
    // A doubled quote stands at the beginning of every thousand bytes.
    let field = (0..3_000_000_u32).map(|at| if at % 1_000 < 2 { b'"' } else { b'a' + u8::try_from(at % 23).unwrap() });
    let huge = b"id,big,end\n1,\"".iter().copied().chain(field).chain(b"\",z\n2,b,c\n".iter().copied());
    let mut stand = Stand::new("a.csv", huge.collect::<Vec<u8>>());
    stand.limits.value_bytes = 1_000_000;
    let (table, seen, _) = stand.table("?");
    let length = 3_000_000 - 3_000;
    let Value::Bare { head, length: told } = &seen.rows[0].cells[1] else { panic!("no text") };
    assert_eq!((head.len(), *told, table.total()), (4_096, length, Some(2)));
    assert_eq!(stand.rows("?offset=1"), [["2", "b", "c"]]);
    assert_eq!(stand.text("?row=1&column=end").0, "z");
    let Ok(Entered::Piece { piece, rest, .. }) = stand.enter(Some("?row=1&column=big:2-")).unwrap() else { panic!() };
    assert_eq!((piece.path.as_str(), rest.as_deref()), ("d/a.csv?row=1&column=big", Some("2-")));
    assert_eq!(piece.blob.len(), Some(length));
    let expected = |at: u64| {
        if at.is_multiple_of(999) { b'"' } else { b'a' + u8::try_from((at / 999 * 1_000 + at % 999 + 1) % 23).unwrap() }
    };
    for at in [0, 1, 998, 999, 262_100, 1_500_000, length - 70] {
        let bytes = piece.blob.read_range(at, at + 64).unwrap();
        assert_eq!(bytes, (at..at + 64).map(expected).collect::<Vec<_>>(), "{at}");
    }
    assert_eq!(piece.blob.read_range(length - 3, length + 9).unwrap().len(), 3);
    assert_eq!(piece.blob.read_range(length, length + 9).unwrap().len(), 0);
}
