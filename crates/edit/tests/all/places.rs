//! Operations against a text and against each other.

use std::cell::RefCell;

use readstone_base::{Failure, Resolved, Span};
use readstone_edit::{Error, Place, Placed, Unresolved, arrange, parse, resolve};

/// Blocks of a text of 20 lines: one from 3 to 7, one from 10 to 12.
fn block(line: u64) -> Result<Span, Unresolved> {
    match line {
        3 => Ok(Span::new(3, 7)),
        10 => Ok(Span::new(10, 12)),
        _ => Err(Unresolved { hint: "the line is blank".to_owned() }),
    }
}

fn placed(rows: &str) -> Result<(Vec<Placed>, Vec<Resolved>), Error> {
    let patch = parse(&format!("¶a.ts#0A3B\n{rows}")).unwrap();
    resolve("a.ts", patch.sections[0].hunks.clone(), 20, &mut block)
}

fn arranged(rows: &str) -> Result<Vec<Placed>, Error> {
    arrange("a.ts", placed(rows)?.0, 20)
}

fn places(rows: &str) -> Vec<Place> {
    arranged(rows).unwrap().iter().map(|each| each.place).collect()
}

#[test]
fn blocks_become_the_lines_they_are() {
    let (placed, resolved) =
        placed("replace block 3:\n+x\ndelete block 10\ninsert after block 3:\n+y\ndelete 9").unwrap();
    assert_eq!(
        placed.iter().map(|each| each.place).collect::<Vec<_>>(),
        [
            Place::Lines(Span::new(3, 7)),
            Place::Lines(Span::new(10, 12)),
            Place::Behind(7),
            Place::Lines(Span::new(9, 9))
        ]
    );
    let spoken: Vec<String> =
        resolved.iter().map(|each| format!("{} {}-{}", each.operation, each.lines.first, each.lines.last)).collect();
    assert_eq!(spoken, ["replace block 3 3-7", "delete block 10 10-12", "insert after block 3 3-7"]);
}

#[test]
fn a_block_is_asked_for_once() {
    let asked = RefCell::new(Vec::new());
    let patch = parse("¶a#0A3B\ninsert after block 3:\n+x\ndelete block 3\ndelete block 10").unwrap();
    let mut ask = |line| {
        asked.borrow_mut().push(line);
        block(line)
    };
    resolve("a", patch.sections[0].hunks.clone(), 20, &mut ask).unwrap();
    assert_eq!(*asked.borrow(), [3, 10]);
}

#[test]
fn a_line_on_which_no_block_begins_is_told_with_the_way_around() {
    for (rows, words) in [
        ("replace block 5:\n+x", "`replace N..M:`"),
        ("delete block 5", "`delete N..M`"),
        ("insert after block 5:\n+x", "`insert after M:`"),
    ] {
        let error = placed(rows).unwrap_err();
        assert_eq!((error.code(), error.line, error.anchor()), ("edit.no_block", 2, Some(5)));
        let said = error.to_string();
        assert!(
            said.contains("finds no block that begins on line 5: the line is blank") && said.contains(words),
            "{said}"
        );
        assert_eq!(error.next()[0].argument, "a.ts:5-44");
    }
}

#[test]
fn a_block_that_begins_elsewhere_is_none() {
    let patch = parse("¶a#0A3B\ndelete block 5").unwrap();
    let error = resolve("a", patch.sections[0].hunks.clone(), 20, &mut |_| Ok(Span::new(4, 8))).unwrap_err();
    assert_eq!(error.code(), "edit.no_block");
    assert!(!error.to_string().contains(':') || !error.to_string().contains("5: ."), "{error}");
}

#[test]
fn a_line_that_does_not_exist_is_refused() {
    for rows in [
        "replace 21:\n+x",
        "replace 20..21:\n+x",
        "delete 21",
        "delete block 21",
        "insert before 21:\n+x",
        "insert after 21:\n+x",
        "replace block 21:\n+x",
        "insert after block 21:\n+x",
    ] {
        let error = arranged(rows).unwrap_err();
        assert_eq!((error.code(), error.line), ("edit.no_line", 2), "{rows}");
        assert!(error.to_string().contains("line 21 does not exist; 'a.ts' has 20 lines"), "{error}");
        assert_eq!(error.next()[0].argument, "a.ts:20");
    }
    for rows in ["delete 0", "replace 0..3:\n+x", "insert after 0:\n+x", "insert before 0:\n+x", "delete block 0"] {
        let error = arranged(rows).unwrap_err();
        assert!(error.to_string().contains("line 0 does not exist"), "{error}");
        assert!(error.to_string().contains("`insert head:`"), "{error}");
    }
    let error = arranged("delete 99999999999999999999").unwrap_err();
    assert_eq!(error.code(), "edit.no_line");
    let told = error.to_string();
    assert!(told.contains("the number is larger than that of any line"), "{told}");
}

#[test]
fn an_empty_file_takes_lines_at_its_ends_only() {
    let patch = parse("¶a#0A3B\ninsert tail:\n+x\ninsert head:\n+y\n¶b#0A3B\ninsert before 1:\n+x").unwrap();
    let at = |section: usize| resolve("a", patch.sections[section].hunks.clone(), 0, &mut block).unwrap().0;
    let places: Vec<Place> = arrange("a", at(0), 0).unwrap().iter().map(|each| each.place).collect();
    assert_eq!(places, [Place::Head, Place::Tail]);
    let error = arrange("a", at(1), 0).unwrap_err();
    assert_eq!((error.code(), error.line), ("edit.no_line", 7));
    assert_eq!(error.next()[0].argument, "a");
}

#[test]
fn operations_are_sorted_by_their_places() {
    assert_eq!(
        places("insert tail:\n+x\ndelete 9\ninsert before 1:\n+x\nreplace 2..4:\n+x\ninsert head:\n+x"),
        [Place::Head, Place::Before(1), Place::Lines(Span::new(2, 4)), Place::Lines(Span::new(9, 9)), Place::Tail]
    );
}

#[test]
fn lines_inserted_at_one_place_keep_the_order_of_the_patch() {
    let rows = "insert after 5:\n+a\ninsert after 5:\n+b\ninsert after 4:\n+c\ninsert after 5:\n+d";
    let bodies: Vec<String> = arranged(rows).unwrap().into_iter().flat_map(|each| each.body).collect();
    assert_eq!(bodies, ["c", "a", "b", "d"]);
}

#[test]
fn what_is_behind_a_line_stands_before_what_is_before_the_next() {
    let rows = "insert before 6:\n+next\ninsert after 5:\n+first\ninsert tail:\n+end\ninsert after 20:\n+last";
    let bodies: Vec<String> = arranged(rows).unwrap().into_iter().flat_map(|each| each.body).collect();
    assert_eq!(bodies, ["first", "next", "last", "end"]);
}

#[test]
fn lines_may_be_inserted_at_the_edges_of_a_range_that_goes() {
    assert_eq!(
        places("replace 5..7:\n+x\ninsert after 7:\n+x\ninsert before 5:\n+x\ndelete 8..9\ninsert before 10:\n+x"),
        [
            Place::Before(5),
            Place::Lines(Span::new(5, 7)),
            Place::Behind(7),
            Place::Lines(Span::new(8, 9)),
            Place::Before(10)
        ]
    );
}

#[test]
fn two_operations_on_one_line_are_refused() {
    for (rows, anchor, line, other) in [
        ("replace 5..7:\n+x\ndelete 7..9", 7, 4, 2),
        ("delete 7..9\nreplace 5..7:\n+x", 7, 3, 2),
        ("delete 5\ndelete 5", 5, 3, 2),
        ("delete 1..20\nreplace 9:\n+x", 9, 3, 2),
        ("delete 5..7\ninsert after 5:\n+x", 5, 3, 2),
        ("delete 5..7\ninsert before 7:\n+x", 7, 3, 2),
        ("insert before 6:\n+x\ndelete 5..7", 6, 4, 2),
        ("delete block 3\nreplace 4..4:\n+x", 4, 3, 2),
        ("delete 1..9\ninsert after block 3:\n+x", 7, 3, 2),
    ] {
        let error = arranged(rows).unwrap_err();
        assert_eq!((error.code(), error.line), ("edit.overlap", line), "{rows}");
        let said = error.to_string();
        assert!(
            said.contains(&format!(
                "line {anchor} of the file is already the target of the operation on line {other} of"
            )),
            "{said}"
        );
    }
}

#[test]
fn an_insertion_between_does_not_hide_an_overlap() {
    let error = arranged("delete 5..9\ninsert after 9:\n+x\ndelete 9").unwrap_err();
    assert_eq!(error.code(), "edit.overlap");
}
