//! Which bytes go and come: line ends, encodings, the byte order mark, the last line.

use std::io;
use std::ops::Range;

use readstone_base::{Class, Failure, Splice};
use readstone_edit::{LineAt, Lines, Place, Placed, Script, apply, inverse, splices};

use crate::text::{Form, edited, spliced};

/// A text in UTF-8, and what becomes of it.
fn check(before: &str, rows: &str, after: &str) {
    let made = edited(before.as_bytes(), Form::Utf8, rows);
    assert_eq!(String::from_utf8(made).unwrap(), after, "{before:?} {rows:?}");
}

fn splice(range: Range<u64>, bytes: &[u8]) -> Splice {
    Splice { range, bytes: bytes.to_vec() }
}

const SIX: &str = "const X = \"a\";\nconst Y = X;\n\nconsole.log(X);\nconsole.log(Y);\nexport { X, Y };\n";

#[test]
fn every_operation_does_what_it_says() {
    check("a\nb\nc\n", "replace 2..2:\n+x\n+y", "a\nx\ny\nc\n");
    check("a\nb\nc\n", "replace 1..2:\n+x", "x\nc\n");
    check("a\nb\nc\n", "delete 2..3", "a\n");
    check("a\nb\nc\n", "delete 1..3", "");
    check("a\nb\nc\n", "insert before 2:\n+x\n+y", "a\nx\ny\nb\nc\n");
    check("a\nb\nc\n", "insert after 2:\n+x\n+y", "a\nb\nx\ny\nc\n");
    check("a\nb\nc\n", "insert after 3:\n+x", "a\nb\nc\nx\n");
    check("a\nb\nc\n", "insert head:\n+x", "x\na\nb\nc\n");
    check("a\nb\nc\n", "insert tail:\n+x", "a\nb\nc\nx\n");
    check("a\nb\n", "replace 2:\n+", "a\n\n");
}

#[test]
fn the_examples_of_the_language_hold() {
    check(
        SIX,
        "replace 1..1:\n+const X = \"b\";\n+export const Y = X;",
        &SIX.replacen("\"a\";", "\"b\";\nexport const Y = X;", 1),
    );
    check(SIX, "insert after 5:\n+console.log(X + Y);", &SIX.replace("export", "console.log(X + Y);\nexport"));
    check(
        SIX,
        "insert before 5:\n+console.log(X + Y);",
        &SIX.replace("console.log(Y)", "console.log(X + Y);\nconsole.log(Y)"),
    );
    check(SIX, "delete 4..5", &SIX.replace("console.log(X);\nconsole.log(Y);\n", ""));
    check(SIX, "insert head:\n+// header\ninsert tail:\n+// trailer", &format!("// header\n{SIX}// trailer\n"));
}

#[test]
fn numbers_mean_the_lines_before_the_patch_whatever_other_operations_do() {
    let rows = "insert head:\n+0\ndelete 1\nreplace 3..4:\n+C\ninsert after 5:\n+5a\n+5b\ndelete 7\ninsert tail:\n+9";
    check("1\n2\n3\n4\n5\n6\n7\n8\n", rows, "0\n2\nC\n5\n5a\n5b\n6\n8\n9\n");
}

#[test]
fn a_new_line_takes_the_end_of_the_line_in_whose_place_it_comes() {
    let mixed = "a\r\nb\nc\r\nd\n";
    check(mixed, "replace 1..2:\n+x\n+y", "x\r\ny\nc\r\nd\n");
    check(mixed, "replace 2..3:\n+x", "a\nx\nd\n".replace("a\n", "a\r\n").as_str());
    check(mixed, "replace 3..3:\n+x\n+y\n+z", "a\r\nb\nx\r\ny\r\nz\r\nd\n");
    check(mixed, "replace 1..4:\n+w\n+x\n+y\n+z\n+zz", "w\r\nx\ny\r\nz\nzz\n");
}

#[test]
fn an_inserted_line_takes_the_end_of_the_line_it_is_inserted_at() {
    let mixed = "a\r\nb\nc\r\n";
    check(mixed, "insert after 1:\n+x", "a\r\nx\r\nb\nc\r\n");
    check(mixed, "insert before 2:\n+x", "a\r\nx\nb\nc\r\n");
    check(mixed, "insert after 2:\n+x", "a\r\nb\nx\nc\r\n");
    check(mixed, "insert head:\n+x", "x\r\na\r\nb\nc\r\n");
    check(mixed, "insert tail:\n+x", "a\r\nb\nc\r\nx\r\n");
}

#[test]
fn a_line_that_is_repeated_in_the_body_keeps_its_own_end() {
    check("a\r\nb\nc\r\n", "replace 1..3:\n+x\n+y\n+b\n+c", "x\r\ny\r\nb\nc\r\n");
    assert_eq!(
        spliced(b"a\r\nb\nc\r\n", Form::Utf8, "replace 1..3:\n+a\n+B\n+c").unwrap(),
        [splice(3..5, b"B\n")],
        "only the middle changes"
    );
    assert_eq!(
        spliced(b"a\nb\nc\n", Form::Utf8, "replace 1..3:\n+a\n+c").unwrap(),
        [splice(2..4, b"")],
        "a line left out is a line deleted"
    );
    assert_eq!(
        spliced(b"a\r\nb\n", Form::Utf8, "replace 1..2:\n+a\n+x\n+b").unwrap(),
        [splice(3..3, b"x\r\n")],
        "a line put between takes the end of the one before it"
    );
    assert_eq!(spliced(b"a\r\nb\n", Form::Utf8, "replace 2:\n+x\n+b").unwrap(), [splice(3..3, b"x\n")]);
    assert_eq!(spliced(b"a\nb\n", Form::Utf8, "replace 1:\n+a\n+a").unwrap(), [splice(2..2, b"a\n")]);
}

#[test]
fn a_lone_carriage_return_ends_no_line() {
    check("a\rb\nc\n", "replace 1:\n+x\ry", "x\ry\nc\n");
    check("a\rb", "insert tail:\n+x", "a\rb\nx");
}

#[test]
fn a_last_line_without_an_end_stays_without_one() {
    check("a\nb", "replace 2:\n+x", "a\nx");
    check("a\nb", "replace 2:\n+x\n+y", "a\nx\ny");
    check("a\r\nb", "replace 2:\n+x\n+y", "a\r\nx\r\ny");
    check("a\nb\nc", "replace 1..3:\n+x", "x");
    check("a\nb", "replace 1:\n+x", "x\nb");
    check("b", "replace 1:\n+x\n+y", "x\ny");
    check("a\nb", "replace 1..2:\n+x\n+b", "x\nb");
}

#[test]
fn lines_behind_a_last_line_without_an_end_give_it_one() {
    check("a\r\nb", "insert tail:\n+x", "a\r\nb\r\nx");
    check("a\r\nb", "insert after 2:\n+x\n+y", "a\r\nb\r\nx\r\ny");
    check("b", "insert tail:\n+x", "b\nx");
    check("b", "insert after 1:\n+x\ninsert tail:\n+y", "b\nx\ny");
    check("a\nb", "replace 2:\n+B\ninsert tail:\n+x", "a\nB\nx");
    check("a\nb", "replace 2:\n+b\ninsert tail:\n+x", "a\nb\nx");
    check("a\nb", "delete 2\ninsert tail:\n+x\n+y", "a\nx\ny");
}

#[test]
fn lines_before_a_last_line_without_an_end_have_one() {
    check("a\r\nb", "insert before 2:\n+x", "a\r\nx\r\nb");
    check("b", "insert head:\n+x", "x\nb");
    check("b", "insert before 1:\n+x", "x\nb");
}

#[test]
fn deleting_a_last_line_without_an_end_leaves_the_line_before_as_it_was() {
    check("a\r\nb", "delete 2", "a\r\n");
    check("a\nb\nc", "delete 2..3", "a\n");
    check("b", "delete 1", "");
    check("a\nb", "replace 1..2:\n+a", "a\n");
}

#[test]
fn a_blank_last_line_is_a_line() {
    check("a\nb", "insert tail:\n+", "a\nb\n\n");
    check("a\r\nb", "replace 2:\n+", "a\r\n\r\n");
    check("b", "replace 1:\n+", "\n");
    check("b", "insert tail:\n+x\n+", "b\nx\n\n");
}

#[test]
fn an_empty_file_gets_whole_lines() {
    check("", "insert head:\n+x\n+y", "x\ny\n");
    check("", "insert tail:\n+x", "x\n");
    check("", "insert tail:\n+", "\n");
    check("", "insert tail:\n+y\ninsert head:\n+x", "x\ny\n");
    check("\u{FEFF}", "insert head:\n+x", "\u{FEFF}x\n");
    check("\u{FEFF}", "insert tail:\n+x", "\u{FEFF}x\n");
}

#[test]
fn the_byte_order_mark_stays_first() {
    check("\u{FEFF}a\r\nb\r\n", "insert head:\n+x", "\u{FEFF}x\r\na\r\nb\r\n");
    check("\u{FEFF}a\r\nb\r\n", "insert before 1:\n+x", "\u{FEFF}x\r\na\r\nb\r\n");
    check("\u{FEFF}a\nb\n", "replace 1:\n+x", "\u{FEFF}x\nb\n");
    check("\u{FEFF}a\nb\n", "delete 1..2", "\u{FEFF}");
    assert_eq!(spliced("\u{FEFF}a\n".as_bytes(), Form::Utf8, "replace 1:\n+a").unwrap(), []);
}

#[test]
fn invalid_bytes_elsewhere_stay() {
    let made = edited(b"\xE9\nb\n\xFF\xFE", Form::Utf8, "replace 2:\n+\u{E9}\ninsert before 3:\n+x");
    assert_eq!(made, b"\xE9\n\xC3\xA9\nx\n\xFF\xFE");
}

#[test]
fn new_text_has_the_encoding_of_the_file() {
    assert_eq!(edited(b"caf\xE9\r\nb\r\n", Form::Latin1, "replace 2:\n+\u{FC}"), b"caf\xE9\r\n\xFC\r\n");
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let made = edited(&utf16("\u{FEFF}a\r\nb"), Form::Utf16, "insert head:\n+\u{4E0A}\ninsert tail:\n+\u{1F600}");
    assert_eq!(made, utf16("\u{FEFF}\u{4E0A}\r\na\r\nb\r\n\u{1F600}"));
    assert_eq!(edited(&utf16("a"), Form::Utf16, "insert tail:\n+b"), utf16("a\nb"));
    // U+0A0D and U+0D0A hold the bytes of line ends and are none.
    assert_eq!(edited(&utf16("\u{A0D}\u{D0A}\nx"), Form::Utf16, "replace 2:\n+y"), utf16("\u{A0D}\u{D0A}\ny"));
}

#[test]
fn text_that_the_encoding_does_not_have_is_refused_by_name() {
    let error = spliced(b"a\n", Form::Latin1, "insert tail:\n+x\n+1 \u{20AC}").unwrap_err();
    assert_eq!((error.code(), error.class(), error.line), ("edit.unencodable", Class::Request, 4));
    assert_eq!(error.to_string(), "line 4: '€' (U+20AC) does not exist in iso-8859-1, the encoding of the file");
}

#[test]
fn what_changes_nothing_is_no_splice() {
    for rows in [
        "replace 2:\n+b",
        "replace 1..3:\n+a\n+b\n+c",
        "delete 2\ninsert after 2:\n+b",
        "insert before 2:\n+b\ndelete 2",
    ] {
        assert_eq!(spliced(b"a\r\nb\nc", Form::Utf8, rows).unwrap(), [], "{rows}");
    }
}

#[test]
fn splices_are_sorted_and_never_touch() {
    let rows = "insert tail:\n+z\ndelete 2\ninsert after 2:\n+x\nreplace 3:\n+y\ninsert head:\n+h";
    assert_eq!(
        spliced(b"a\nb\nc\nd\ne\n", Form::Utf8, rows).unwrap(),
        [splice(0..0, b"h\n"), splice(2..6, b"x\ny\n"), splice(10..10, b"z\n")]
    );
}

#[test]
fn the_inverse_undoes_splices() {
    let before = b"a\nb\nc\nd\ne";
    let forth =
        spliced(before, Form::Utf8, "delete 1..2\ninsert after 3:\n+longer\n+text\nreplace 5:\n+f\n+g").unwrap();
    let after = apply(before, &forth);
    let read = |range: Range<u64>| {
        Ok(before[usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap()].to_vec())
    };
    assert_eq!(apply(&after, &inverse(&forth, &read).unwrap()), before);
}

struct Broken;

impl Lines for Broken {
    fn count(&self) -> u64 {
        1
    }

    fn line(&self, _: u64) -> io::Result<LineAt> {
        Err(io::Error::other("the disk is gone"))
    }

    fn bytes(&self, _: Range<u64>) -> io::Result<Vec<u8>> {
        Err(io::Error::other("the disk is gone"))
    }

    fn script(&self) -> &dyn Script {
        self
    }
}

impl Script for Broken {
    fn mark(&self) -> u64 {
        0
    }

    fn feed(&self) -> Vec<u8> {
        vec![b'\n']
    }

    fn encode(&self, text: &str) -> Result<Vec<u8>, char> {
        Ok(text.as_bytes().to_vec())
    }

    fn encoding(&self) -> &'static str {
        "utf-8"
    }
}

#[test]
fn a_file_that_cannot_be_read_is_no_fault_of_the_patch() {
    let placed = Placed { line: 2, place: Place::Behind(1), body: vec!["x".to_owned()] };
    let error = splices(&[placed], &Broken).unwrap_err();
    assert_eq!((error.code(), error.class()), ("edit.io", Class::Broken));
    assert_eq!(error.to_string(), "line 2: the file could not be read: the disk is gone");
}
