//! Everything the language takes: the operations, the rows, and the forms that mean the same.

use readstone_base::Failure as _;
use readstone_base::Span;
use readstone_edit::{Hunk, Op, Patch, parse};

/// The operations of a patch of one file, with their rows.
fn hunks(rows: &str) -> Vec<(Op, Vec<String>)> {
    let patch = parse(&format!("¶a.ts#0A3B\n{rows}")).unwrap();
    assert_eq!(patch.sections.len(), 1, "{patch:?}");
    patch.sections[0].hunks.iter().map(|Hunk { op, body, .. }| (*op, body.clone())).collect()
}

fn one(rows: &str) -> (Op, Vec<String>) {
    let mut all = hunks(rows);
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

fn bare(rows: &str) -> u64 {
    parse(&format!("¶a.ts#0A3B\n{rows}")).unwrap().bare_rows
}

#[test]
fn every_operation_is_read() {
    let cases = [
        ("replace 1..3:\n+x", Op::Replace(Span::new(1, 3)), 1),
        ("replace block 4:\n+x\n+y", Op::ReplaceBlock(4), 2),
        ("delete 4..5", Op::Delete(Span::new(4, 5)), 0),
        ("delete block 7", Op::DeleteBlock(7), 0),
        ("insert before 5:\n+x", Op::Before(5), 1),
        ("insert after 5:\n+x", Op::After(5), 1),
        ("insert after block 5:\n+x", Op::AfterBlock(5), 1),
        ("insert head:\n+x", Op::Head, 1),
        ("insert tail:\n+x", Op::Tail, 1),
    ];
    for (rows, op, count) in cases {
        let (read, body) = one(rows);
        assert_eq!((read, body.len()), (op, count), "{rows}");
        assert_eq!(bare(rows), 0, "{rows}");
    }
}

#[test]
fn an_operation_is_spelled_as_it_is_read() {
    for spelled in [
        "replace 1..3",
        "replace block 4",
        "delete 4..5",
        "delete block 7",
        "insert before 5",
        "insert after 5",
        "insert after block 5",
        "insert head",
        "insert tail",
    ] {
        let body = if spelled.starts_with("delete") { "" } else { "\n+x" };
        assert_eq!(one(&format!("{spelled}{body}")).0.to_string(), spelled);
    }
}

#[test]
fn ranges_have_several_spellings() {
    let range = Op::Replace(Span::new(3, 5));
    for spelled in ["3..5", "3-5", "3…5", "3 5", "3 .. 5", "3 - 5", "3  5"] {
        for colon in [":", "", " :"] {
            assert_eq!(one(&format!("replace {spelled}{colon}\n+x")).0, range, "{spelled}{colon}");
        }
        assert_eq!(one(&format!("delete {spelled}")).0, Op::Delete(Span::new(3, 5)), "{spelled}");
    }
    assert_eq!(one("replace 3:\n+x").0, Op::Replace(Span::new(3, 3)));
    assert_eq!(one("replace 3\n+x").0, Op::Replace(Span::new(3, 3)));
    assert_eq!(one("delete 3").0, Op::Delete(Span::new(3, 3)));
}

#[test]
fn a_colon_may_be_missing_and_blanks_may_be_many() {
    assert_eq!(one("insert before 5\n+x").0, Op::Before(5));
    assert_eq!(one("insert after 5\n+x").0, Op::After(5));
    assert_eq!(one("insert after block 5\n+x").0, Op::AfterBlock(5));
    assert_eq!(one("replace block 5\n+x").0, Op::ReplaceBlock(5));
    assert_eq!(one("insert head\n+x").0, Op::Head);
    assert_eq!(one("insert tail\n+x").0, Op::Tail);
    assert_eq!(one("insert  after   block  5 : \n+x").0, Op::AfterBlock(5));
    assert_eq!(one("  replace\t3..4:\n+x").0, Op::Replace(Span::new(3, 4)), "an indented operation is one");
}

#[test]
fn body_rows_are_literal_behind_their_sign() {
    let rows =
        "insert tail:\n+\n+-x\n++y\n+ z \n+¶b.ts#FFFF\n+replace 3..4:\n+*** Abort\n+12:text\n+@@\n+*** End Patch";
    let (_, body) = one(rows);
    assert_eq!(
        body,
        ["", "-x", "+y", " z ", "¶b.ts#FFFF", "replace 3..4:", "*** Abort", "12:text", "@@", "*** End Patch"]
    );
    assert_eq!(bare(rows), 0);
}

#[test]
fn rows_without_their_sign_are_text_and_are_counted() {
    let rows = "replace 3..3:\nlet x = 1;\n    return x;\n+}\n  - item\n12:text\n*** stars";
    assert_eq!(one(rows).1, ["let x = 1;", "    return x;", "}", "  - item", "12:text", "*** stars"]);
    assert_eq!(bare(rows), 5);
}

#[test]
fn words_that_only_begin_as_an_operation_are_text() {
    let rows = "insert tail:\ndelete the old file\nreplace it\ninsert head of the list\ninserted 5\ndelete:\nreplace";
    assert_eq!(
        one(rows).1,
        ["delete the old file", "replace it", "insert head of the list", "inserted 5", "delete:", "replace"]
    );
}

#[test]
fn a_row_that_is_an_operation_is_never_text() {
    let read = hunks("insert tail:\n+a\nreplace 3\n+b\ndelete 9");
    assert_eq!(
        read.iter().map(|(op, _)| *op).collect::<Vec<_>>(),
        [Op::Tail, Op::Replace(Span::new(3, 3)), Op::Delete(Span::new(9, 9))]
    );
}

#[test]
fn blank_rows_are_lines_only_between_or_before_text() {
    assert_eq!(one("insert tail:\n+a\n\n+b\n\n\n").1, ["a", "", "b"]);
    assert_eq!(bare("insert tail:\n+a\n\n+b\n\n"), 1);
    assert_eq!(one("insert tail:\n\n+a").1, ["", "a"]);
    let two = hunks("\n\ninsert tail:\n+a\n\n\ndelete 4\n\n\ninsert head:\n+b\n");
    assert_eq!(two.len(), 3);
    assert_eq!(two[0].1, ["a"]);
}

#[test]
fn a_patch_may_have_an_envelope_blank_lines_and_an_indented_first_header() {
    let plain = parse("¶a.ts#0A3B\ndelete 4\n").unwrap();
    for input in [
        "*** Begin Patch\n¶a.ts#0A3B\ndelete 4\n*** End Patch\n",
        "*** Begin Patch\n¶a.ts#0A3B\ndelete 4\n*** End Patch\n*** Begin Patch\n*** End Patch",
        "\n\n  ¶a.ts#0A3B  \n\ndelete 4\n\n",
        "\u{FEFF}¶a.ts#0A3B\ndelete 4",
        "¶a.ts#0a3b\ndelete 4",
        "¶ a.ts#0A3B\r\ndelete 4\r\n",
    ] {
        let read = parse(input).unwrap();
        assert_eq!(read.sections[0].path, "a.ts", "{input:?}");
        assert_eq!(read.sections[0].tag, plain.sections[0].tag, "{input:?}");
        assert_eq!(read.sections[0].hunks[0].op, plain.sections[0].hunks[0].op, "{input:?}");
    }
}

#[test]
fn carriage_returns_of_the_patch_are_not_text() {
    let patch = parse("¶a.ts#0A3B\r\nreplace 1..2:\r\n+a\r\n+\r\n+b\rc\r\n").unwrap();
    assert_eq!(patch.sections[0].hunks[0].body, ["a", "", "b\rc"]);
    assert_eq!(patch.bare_rows, 0);
}

#[test]
fn what_other_tools_write_around_a_path_is_taken_away() {
    for header in [
        "¶Update File: a.ts#0A3B",
        "¶ Add File: a.ts#0A3B",
        "¶*** Update File: a.ts#0A3B",
        "¶*** a.ts#0A3B ***",
        "*** ¶a.ts#0A3B",
        "*** Update File: ¶a.ts#0A3B",
        "*** Add File: ¶a.ts#0A3B ***",
    ] {
        let patch = parse(&format!("{header}\ndelete 1")).unwrap();
        assert_eq!(patch.sections[0].path, "a.ts", "{header}");
        let second = parse(&format!("¶b.ts#0000\ndelete 2\n{header}\ndelete 1")).unwrap();
        assert_eq!(second.sections[1].path, "a.ts", "{header}");
    }
}

#[test]
fn a_path_keeps_its_selector_its_blanks_and_its_signs() {
    for path in ["page.html:source", "my file.txt", "a#b.ts", "C#/x.cs", "dir/¶.txt", "örtlich/ü.md"] {
        let patch = parse(&format!("¶{path}#0A3B\ndelete 1")).unwrap();
        assert_eq!(patch.sections[0].path, path);
    }
}

#[test]
fn several_files_stand_in_one_patch() {
    let Patch { sections, .. } =
        parse("¶src/a.ts#0A3B\nreplace 4..4:\n+const enabled = true;\n¶src/b.ts#1F7C\ndelete 20\n").unwrap();
    let read: Vec<_> = sections.iter().map(|each| (each.path.as_str(), each.tag.to_string(), each.line)).collect();
    assert_eq!(read, [("src/a.ts", "0A3B".to_owned(), 1), ("src/b.ts", "1F7C".to_owned(), 4)]);
    assert_eq!(sections[0].hunks[0].line, 2);
    assert_eq!(sections[1].hunks[0].line, 5);
}

#[test]
fn sections_of_one_file_are_one() {
    let patch = parse("¶a#0A3B\ndelete 1\n¶b#0A3C\ndelete 2\n¶a#0a3b\ndelete 3\n").unwrap();
    assert_eq!(patch.sections.len(), 2);
    assert_eq!(patch.sections[0].hunks.iter().map(|hunk| hunk.line).collect::<Vec<_>>(), [2, 6]);
}

#[test]
fn a_number_that_is_too_large_is_larger_than_every_file() {
    assert_eq!(one("delete 99999999999999999999999").0, Op::Delete(Span::new(u64::MAX, u64::MAX)));
}

#[test]
fn a_header_may_stand_as_a_search_of_several_files_shows_it() {
    let patch = parse("¶f.txt#2295\nreplace 5:\n+F5\n# g.txt#3B8A\ndelete 4\n  ¶h.txt#0001\ndelete 1\n").unwrap();
    let paths: Vec<&str> = patch.sections.iter().map(|section| section.path.as_str()).collect();
    assert_eq!((paths, patch.bare_rows), (vec!["f.txt", "g.txt", "h.txt"], 0));
    let first = parse("# a b.txt#2295\ndelete 1\n").unwrap();
    assert_eq!(first.sections[0].path, "a b.txt");
}

#[test]
fn a_slip_is_no_text() {
    let slips = [
        "Replace 5..6:",
        "remove 5..6",
        "replace lines 5..6:",
        "insert after line 5:",
        "DELETE 4",
        "append 3:",
        "```",
        "```ts",
        "g.txt#3B8A",
        "src/g#3B8A",
        "delete 2–3",
    ];
    for slip in slips {
        for body in ["+X\n", "X\n"] {
            let error = parse(&format!("¶f.txt#2295\nreplace 2..3:\n{body}{slip}\n+Y\n")).unwrap_err();
            assert_eq!((error.code(), error.line), ("edit.bad_operation", 4), "{slip}");
        }
        // What is meant as text says so.
        let patch = parse(&format!("¶f.txt#2295\nreplace 2..3:\n+{slip}\n")).unwrap();
        assert_eq!(patch.sections[0].hunks[0].body, [slip]);
    }
    for text in
        ["replace it with care", "delete me", "# heading #1", "color: #FFAA", "see #ABCD", "insert coin to go on"]
    {
        let patch = parse(&format!("¶f.txt#2295\nreplace 2..3:\n{text}\n")).unwrap();
        assert_eq!((patch.sections[0].hunks[0].body.as_slice(), patch.bare_rows), ([text.to_owned()].as_slice(), 1));
    }
}
