//! Lines that were never shown are not edited; what counts as shown.

use readstone_base::{Reply, Status};
use readstone_session::{Guard, Writing};
use serde_json::json;

use super::stand::{Setup, Stand, code, next, patch};

fn numbered() -> String {
    (1..=100).map(|number| format!("line {number}\n")).collect::<Vec<_>>().concat()
}

fn stand() -> Stand {
    let stand = Stand::new();
    stand.file("a.txt", numbered());
    stand
}

/// Whether a line may be replaced now. Nothing is changed.
fn may(stand: &Stand, tag: &str, line: u64) -> bool {
    let mut trial = patch("a.txt", tag, &format!("replace {line}:\n+another\n"));
    trial["dry_run"] = json!(true);
    let reply: Reply = stand.call("edit", &trial);
    if reply.status == Status::Ok {
        return true;
    }
    assert_eq!(code(&reply), "edit.unseen", "{}", reply.text());
    false
}

#[test]
fn what_lies_outside_of_a_read_is_refused_and_the_read_it_names_helps() {
    for (operations, named) in [
        ("replace 50:\n+x\n", "a.txt:50-50"),
        ("delete 50..60\n", "a.txt:50-60"),
        ("replace 10..30:\n+x\n", "a.txt:21-30"),
        ("insert after 70:\n+x\n", "a.txt:70-70"),
        ("insert before 1:\n+x\ndelete 30..31\ndelete 40\n", "a.txt:1,30-31,40"),
    ] {
        let stand = stand();
        let tag = stand.tag("a.txt:10-20");
        // A read shows some lines around what it is asked for; these count too.
        let (code, reply) = stand.refused("a.txt", &tag, operations);
        assert_eq!(code, "edit.unseen", "{operations}");
        let read = next(&reply);
        let lines = |address: &str| {
            address.rsplit_once(':').unwrap().1.split([',', '-']).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(lines(&read).last(), lines(named).last(), "{operations}: {read}");
        stand.read(&read);
        stand.edited("a.txt", &tag, operations);
    }
}

#[test]
fn head_and_tail_need_no_lines() {
    let stand = stand();
    let tag = stand.tag("a.txt:10-20");
    stand.edited("a.txt", &tag, "insert head:\n+first\ninsert tail:\n+last\n");
    assert_eq!(stand.bytes("a.txt"), format!("first\n{}last\n", numbered()).into_bytes());
}

#[test]
fn several_reads_of_one_version_add_up() {
    let stand = stand();
    let tag = stand.tag("a.txt:10-20");
    assert!(may(&stand, &tag, 15) && !may(&stand, &tag, 60));
    stand.tag("a.txt:55-65");
    assert!(may(&stand, &tag, 15) && may(&stand, &tag, 60) && !may(&stand, &tag, 40));
    stand.read("a.txt:raw:40-40");
    assert!(may(&stand, &tag, 40), "verbatim lines are lines that were shown");
}

#[test]
fn what_a_search_shows_may_be_edited() {
    let stand = stand();
    let reply = stand.call("search", &json!({ "pattern": "line 42$", "paths": "a.txt" }));
    let tag = reply.receipt.targets[0].tag.clone().unwrap();
    assert!(may(&stand, &tag, 42), "{}", reply.text());
    assert!(!may(&stand, &tag, 60));
    assert!(reply.text().contains("\n 43:line 43\n") && may(&stand, &tag, 43), "the lines around it too");
}

#[test]
fn what_an_edit_shows_and_what_was_shown_before_it_may_be_edited_by_the_new_numbers() {
    let stand = stand();
    let tag = stand.tag("a.txt:50-52");
    let first = (1..50).find(|line| may(&stand, &tag, *line)).unwrap_or(50);
    let last = (53..=100).rev().find(|line| may(&stand, &tag, *line)).unwrap_or(52);
    let target = stand.edited("a.txt", &tag, "replace 51:\n+x\n+y\n+z\n");
    let tag = target.tag.unwrap();
    for line in 1..=102 {
        assert_eq!(may(&stand, &tag, line), (first..=last + 2).contains(&line), "line {line}");
    }
}

#[test]
fn a_read_of_what_changed_since_makes_the_lines_shown_then_known_now() {
    let stand = stand();
    let tag = stand.tag("a.txt:50-52");
    let known: Vec<u64> = (1..=100).filter(|line| may(&stand, &tag, *line)).collect();
    stand.file("a.txt", numbered().replace("line 10\n", "ten\nand a half\n"));
    let since = stand.tag(&format!("a.txt#{tag}"));
    for line in known {
        assert!(may(&stand, &since, line + 1), "line {line} is line {} now", line + 1);
    }
    assert!(may(&stand, &since, 10) && may(&stand, &since, 11), "what changed is shown");
    assert!(!may(&stand, &since, 80));
}

#[test]
fn a_summary_shows_only_the_lines_that_stand_in_it() {
    let stand = Stand::new();
    let body = (1..=300).map(|number| format!("    let x{number} = {number};\n")).collect::<Vec<_>>().concat();
    let more = (1..=200)
        .map(|number| format!("fn f{number}() {{\n{}}}\n", "    call();\n".repeat(20)))
        .collect::<Vec<_>>()
        .concat();
    stand.file("a.rs", format!("fn long() {{\n{body}}}\n\n{more}"));
    let read = stand.read("a.rs");
    assert!(read.summary.is_some(), "{read:?}");
    let tag = read.tag.unwrap();
    assert_eq!(stand.refused("a.rs", &tag, "replace 150:\n+x\n").0, "edit.unseen");
    assert_eq!(stand.refused("a.rs", &tag, "replace block 1:\n+fn long() {}\n").0, "edit.unseen");
    // The blank line behind it stands on the page as it is.
    stand.edited("a.rs", &tag, "replace 303:\n+// between\n");
}

#[test]
fn a_block_must_be_known_whole_but_not_to_insert_behind_it() {
    let stand = Stand::new();
    let body = "    call();\n".repeat(40);
    stand.file("a.rs", format!("fn one() {{\n{body}}}\n\nfn two() {{\n{body}}}\n"));
    let tag = stand.tag("a.rs:1-5");
    for operations in ["replace block 1:\n+fn one() {}\n", "delete block 1\n"] {
        let (code, reply) = stand.refused("a.rs", &tag, operations);
        assert_eq!(code, "edit.unseen", "{operations}");
        assert!(next(&reply).ends_with("-42"), "to the end of the block: {}", next(&reply));
    }
    let target = stand.edited("a.rs", &tag, "insert after block 1:\n+\n+fn between() {}\n");
    assert!(String::from_utf8(stand.bytes("a.rs")).unwrap().contains("}\n\nfn between() {}\n\nfn two"));
    let tag = target.tag.unwrap();
    stand.read("a.rs:1-42");
    stand.edited("a.rs", &tag, "replace block 1:\n+fn one() {}\n");
    assert!(String::from_utf8(stand.bytes("a.rs")).unwrap().starts_with("fn one() {}\n\nfn between"));
}

#[test]
fn the_setting_lets_unseen_lines_pass() {
    let usual = Setup::default();
    let writing = Writing { unseen: Guard::Allow, ..usual.writing };
    let stand = Stand::with(Setup { writing, ..usual });
    stand.file("a.txt", numbered());
    let tag = stand.tag("a.txt:10-20");
    stand.edited("a.txt", &tag, "replace 90:\n+x\n");
    assert_eq!(stand.bytes("a.txt"), numbered().replace("line 90\n", "x\n").into_bytes());
}

#[test]
fn whoever_wrote_a_file_knows_all_of_it() {
    let stand = Stand::new();
    let reply = stand.call("write", &json!({ "path": "a.txt", "content": numbered() }));
    let tag = reply.receipt.targets[0].tag.clone().unwrap();
    stand.edited("a.txt", &tag, "replace 77:\n+x\n");
}

#[test]
fn what_is_taken_back_is_known_as_it_was() {
    let stand = stand();
    let tag = stand.tag("a.txt:10-20");
    stand.edited("a.txt", &tag, "replace 15:\n+x\n");
    let back = stand.undo(&json!({})).receipt.targets[0].tag.clone().unwrap();
    assert!(back == tag && may(&stand, &back, 15) && !may(&stand, &back, 90));
}
