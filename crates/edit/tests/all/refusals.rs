//! Everything the language refuses, with the line and the words that say so.

use readstone_base::{Class, Failure};
use readstone_edit::{Error, parse};

fn refused(input: &str) -> Error {
    let error = parse(input).unwrap_err();
    assert_eq!(error.class(), Class::Request, "{input}");
    error
}

/// A patch of one file that is refused for what stands on one of its lines.
fn check(rows: &str, line: u64, code: &str, words: &str) {
    let error = refused(&format!("¶a.ts#0A3B\n{rows}"));
    assert_eq!((error.code(), error.line), (code, line), "{rows}: {error}");
    assert!(error.to_string().starts_with(&format!("line {line}: ")), "{error}");
    assert!(error.to_string().contains(words), "{error}");
}

#[test]
fn a_patch_begins_with_a_header() {
    for (input, line, words) in [
        ("", 1, "the patch is empty"),
        ("\n \n", 1, "the patch is empty"),
        ("*** Begin Patch\n*** End Patch", 1, "the patch is empty"),
        ("replace 1..2:\n+x", 1, "not with 'replace 1..2:'"),
        ("\n+x", 2, "not with '+x'"),
        ("a.ts#0A3B\ndelete 1", 1, "not with 'a.ts#0A3B'"),
        ("--- a/x\n+++ b/x", 1, "not with '--- a/x'"),
        ("5\n", 1, "not with '5'"),
        ("```\n¶a.ts#0A3B\ndelete 1\n```", 1, "not with '```'"),
        ("¶#0A3B\ndelete 1", 1, "not with '¶#0A3B'"),
        ("¶\ndelete 1", 1, "not with '¶'"),
    ] {
        let error = refused(input);
        assert_eq!((error.code(), error.line), ("edit.no_header", line), "{input}: {error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn a_header_needs_a_tag_and_the_answer_says_where_it_is_read() {
    for (header, words) in [
        ("¶a.ts", "without a tag"),
        ("¶a.ts#", "'' behind 'a.ts' is no tag"),
        ("¶a.ts#12", "'12' behind"),
        ("¶a.ts#0A3G", "'0A3G' behind"),
        ("¶a.ts#0A3BC", "'0A3BC' behind"),
        ("¶a.ts#0A3B x", "'0A3B x' behind"),
    ] {
        let error = refused(&format!("¶b.ts#0A3B\ndelete 1\n{header}\ndelete 1"));
        assert_eq!((error.code(), error.line), ("edit.no_tag", 3), "{header}: {error}");
        assert!(error.to_string().contains(words), "{error}");
        assert_eq!(error.next()[0].argument, "a.ts");
    }
}

#[test]
fn one_file_has_one_tag() {
    let error = refused("¶a.ts#0A3B\ndelete 1\n¶a.ts#0A3C\ndelete 2");
    assert_eq!((error.code(), error.line), ("edit.tags_differ", 3));
    assert!(error.to_string().contains("0A3C") && error.to_string().contains("0A3B"), "{error}");
    assert_eq!(error.next()[0].argument, "a.ts");
}

#[test]
fn a_header_without_operations_is_refused() {
    check("", 1, "edit.no_operation", "nothing is to be done to 'a.ts'");
    check("delete 1\n¶b.ts#0A3B\n\n¶c.ts#0A3B\ndelete 2", 3, "edit.no_operation", "'b.ts'");
    check("delete 1\n¶a.ts#0A3B\n", 3, "edit.no_operation", "'a.ts'");
}

#[test]
fn a_row_belongs_to_an_operation() {
    check("+x", 2, "edit.stray_row", "no operation stands above '+x'");
    check("text\ndelete 1", 2, "edit.stray_row", "no operation stands above 'text'");
    check("12:text", 2, "edit.stray_row", "'12:text'");
    check("insert tail:\n+x\n*** End Patch\n+y", 5, "edit.stray_row", "'+y'");
}

#[test]
fn a_minus_row_is_refused() {
    check("replace 1..1:\n-old\n+new", 3, "edit.minus_row", "written `+-…`");
    check("-x", 2, "edit.minus_row", "`-`");
    check("insert tail:\n+a\n--- b", 4, "edit.minus_row", "`-`");
}

#[test]
fn an_operation_that_brings_lines_needs_some() {
    check("replace 4..5:", 2, "edit.empty_hunk", "`replace 4..5:` needs at least one row `+TEXT`");
    check("replace 4..5:\n\n", 2, "edit.empty_hunk", "write `delete 4..5`");
    check("replace block 4:\ndelete 9", 2, "edit.empty_hunk", "write `delete block 4`");
    check("insert before 4:\n¶b.ts#0A3B", 2, "edit.empty_hunk", "`insert before 4:`");
    check("insert after 4:", 2, "edit.empty_hunk", "`insert after 4:`");
    check("insert after block 4:", 2, "edit.empty_hunk", "`insert after block 4:`");
    check("delete 1\ninsert head:\n*** End Patch", 3, "edit.empty_hunk", "`insert head:`");
    check("insert tail:", 2, "edit.empty_hunk", "`insert tail:`");
}

#[test]
fn delete_takes_no_colon_and_no_rows() {
    check("delete 4..5:", 2, "edit.delete_with_body", "or write `replace 4..5:`");
    check("delete 4:", 2, "edit.delete_with_body", "or write `replace 4..4:`");
    check("delete block 4:", 2, "edit.delete_with_body", "or write `replace block 4:`");
    check("delete 4..5\n+x", 3, "edit.delete_with_body", "`delete 4..5` takes no colon and no rows");
    check("delete 4..5\n\nbare", 4, "edit.delete_with_body", "`delete 4..5`");
    check("delete block 4\n+x", 3, "edit.delete_with_body", "`delete block 4`");
}

#[test]
fn a_range_ends_behind_its_start() {
    check("replace 5..4:\n+x", 2, "edit.reversed_range", "the range 5..4 ends before it starts");
    check("delete 9-1", 2, "edit.reversed_range", "9..1");
}

#[test]
fn the_marks_of_apply_patch_are_refused() {
    for mark in ["Update File: a.ts", "Add File: a.ts", "Delete File: a.ts", "Move to: b.ts", "End of File"] {
        check(&format!("insert tail:\n+x\n*** {mark}"), 4, "edit.foreign", "belongs to apply_patch");
    }
    check("*** Update File: ¶a.ts", 2, "edit.foreign", "apply_patch");
    check("*** Delete File: ¶a.ts#0A3B", 2, "edit.foreign", "apply_patch");
    let error = refused("*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y");
    assert_eq!((error.code(), error.line), ("edit.foreign", 2), "also before the first header");
}

#[test]
fn the_marks_of_diffs_are_refused() {
    check("@@ -1,2 +3,4 @@\n+x", 2, "edit.foreign", "belongs to a unified diff");
    check("insert tail:\n+x\n@@ -1 +1 @@ fn x()", 4, "edit.foreign", "belongs to a unified diff");
    check("@@ replace 1..2 @@", 2, "edit.foreign", "leave out the `@@`");
    check("@@", 2, "edit.foreign", "leave out the `@@`");
}

#[test]
fn numbers_alone_say_nothing() {
    check("5", 2, "edit.no_verb", "write `replace 5..5:` or `delete 5`");
    check("5:", 2, "edit.no_verb", "write `replace 5..5:` or `delete 5`");
    for spelled in ["4 5", "4..5", "4-5:", "4…5:"] {
        check(spelled, 2, "edit.no_verb", "write `replace 4..5:` or `delete 4..5`");
    }
    check("insert tail:\n+x\n42", 4, "edit.no_verb", "or `+` before a line of text");
}

#[test]
fn what_begins_as_an_operation_must_be_one() {
    for row in [
        "replace 3..5: x",
        "replace 3,5:",
        "replace 3...5:",
        "replace 3..:",
        "delete 3, 4",
        "replace 41:def alpha():",
        "replace block 3..5:",
        "insert before block 5:",
        "insert after 5..6:",
        "insert after:",
        "insert before block:",
        "replace block:",
        "delete 3 files from the folder",
    ] {
        check(&format!("insert tail:\n+x\n{row}"), 4, "edit.bad_operation", "is no operation");
    }
}

#[test]
fn abort_takes_everything_back() {
    for rows in
        ["*** Abort", "delete 1\n*** Abort\n", "delete 1\n¶b.ts#0A3B\ndelete 2\n*** Abort  \r\n+x", "-x\n*** Abort"]
    {
        let error = refused(&format!("¶a.ts#0A3B\n{rows}"));
        assert_eq!(error.code(), "edit.aborted", "{rows}");
        assert!(error.to_string().contains("nothing of it was applied"), "{error}");
    }
    assert_eq!(refused("*** Abort").code(), "edit.aborted");
    assert_eq!(parse("¶a.ts#0A3B\ninsert tail:\n+*** Abort").unwrap().bare_rows, 0, "behind a sign it is text");
}

#[test]
fn hostile_text_in_a_message_cannot_move_the_cursor() {
    let error = refused("\u{1b}[2J\u{202E}x");
    assert!(!error.to_string().contains(['\u{1b}', '\u{202E}']), "{error}");
    let long = refused(&"x".repeat(10_000));
    assert!(long.to_string().len() < 400, "{long}");
}
