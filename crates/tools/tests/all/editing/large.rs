//! Files too large to be held whole: edited where they are, by line numbers of a read of some lines.

use readstone_base::{Limits, Status};
use serde_json::json;

use super::stand::{Setup, Stand, code, tag_of};

/// Numbered lines of 40 bytes, so many of them.
fn lines(count: usize) -> Vec<u8> {
    let mut text = Vec::with_capacity(count * 40);
    for number in 1..=count {
        text.extend(format!("{number:<39}\n").into_bytes());
    }
    text
}

fn at(line: usize) -> std::ops::Range<usize> {
    (line - 1) * 40..line * 40
}

#[test]
fn a_file_beyond_what_is_held_is_edited_by_its_lines_and_taken_back() {
    let stand = Stand::new();
    let text = lines(500_000);
    assert!(text.len() as u64 > 2 * Limits::default().edit_bytes);
    stand.file("big", &text);
    let tag = stand.tag("big:400000-400010");
    assert_eq!(tag, tag_of(&text));
    let target = stand.edited("big", &tag, "replace 400005:\n+changed\ninsert after 400007:\n+more\n+lines\n");
    let wanted = [
        &text[..at(400_005).start],
        b"changed\n",
        &text[at(400_006).start..at(400_007).end],
        b"more\nlines\n",
        &text[at(400_008).start..],
    ]
    .concat();
    assert!(stand.bytes("big") == wanted);
    let second = target.tag.unwrap();
    assert_eq!(second, tag_of(&wanted));
    // The next edit needs no read, and knows which lines it was shown.
    let third = stand.edited("big", &second, "delete 400008..400009\n").tag.unwrap();
    assert_eq!(stand.refused("big", &third, "delete 5\n").0, "edit.unseen");
    assert_eq!(stand.undo(&json!({})).status, Status::Ok);
    assert!(stand.bytes("big") == wanted);
    assert_eq!(stand.undo(&json!({ "path": "big" })).status, Status::Ok);
    assert!(stand.bytes("big") == text);
}

#[test]
fn whether_a_file_beyond_what_is_held_is_still_the_one_is_told() {
    let stand = Stand::with(Setup { limits: Limits { edit_bytes: 4_096, ..Limits::default() }, ..Setup::default() });
    let notes = |address: &str| {
        let target = stand.read(address);
        (
            target.notes.iter().map(|(code, _)| *code).collect::<Vec<_>>(),
            target.shown.map_or(0, |shown| shown.ranges.len()),
        )
    };
    let text = lines(1_000);
    stand.file("big", &text);
    let tag = stand.tag("big:5-9");
    for unchanged in [format!("big#{tag}"), format!("big#{tag}:1-50")] {
        assert_eq!(notes(&unchanged), (vec!["session.unchanged"], 0), "{unchanged}");
    }
    stand.file("big", [&text[..], b"more\n"].concat());
    for changed in [format!("big#{tag}"), format!("big#{tag}:1-50")] {
        let (notes, shown) = notes(&changed);
        assert!(notes.contains(&"session.forgotten") && shown == 1, "{changed}: {notes:?}");
    }
    // What was held when it was small is no text to compare a part with.
    stand.file("grown", lines(10));
    let tag = stand.tag("grown");
    stand.file("grown", lines(1_000));
    let (notes, shown) = notes(&format!("grown#{tag}"));
    assert!(notes.contains(&"session.forgotten") && shown == 1, "{notes:?}");
}

#[test]
fn large_files_in_wide_units_and_without_a_last_line_end_are_edited_where_they_are() {
    let stand = Stand::with(Setup { limits: Limits { edit_bytes: 4_096, ..Limits::default() }, ..Setup::default() });
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let text = (1..=2_000).map(|number| format!("Zeile {number} äöü\r\n")).collect::<Vec<_>>().concat();
    let text = format!("\u{FEFF}{}", text.strip_suffix("\r\n").unwrap());
    stand.file("big", wide(&text));
    let tag = stand.tag("big:1-2000");
    let tag =
        stand.edited("big", &tag, "insert tail:\n+tail\ninsert head:\n+head\nreplace 1000:\n+tausend\n").tag.unwrap();
    let changed = text.replace("\u{FEFF}", "\u{FEFF}head\r\n").replace("Zeile 1000 äöü", "tausend") + "\r\ntail";
    assert!(stand.bytes("big") == wide(&changed));
    // Without the text behind the tag, what changed since cannot be told, and nothing is carried over.
    stand.file("big", wide(&changed.replace("head", "kopf")));
    let (code, reply) = stand.refused("big", &tag, "replace 1001:\n+x\n");
    assert_eq!(code, "edit.stale", "{}", reply.text());
    let fresh = reply.receipt.targets[0].tag.clone().unwrap();
    stand.edited("big", &fresh, "replace 1001:\n+x\n");
}

#[test]
fn a_block_of_a_file_too_large_to_be_parsed_is_refused() {
    let stand = Stand::with(Setup { limits: Limits { edit_bytes: 4_096, ..Limits::default() }, ..Setup::default() });
    stand.file("big.rs", "fn a() {\n}\n".repeat(1_000));
    let (code, reply) = stand.refused("big.rs", &stand.tag("big.rs:1-20"), "delete block 1\n");
    assert_eq!(code, "edit.no_block");
    assert!(reply.text().contains("too large"), "{}", reply.text());
}

#[test]
fn what_is_beyond_a_limit_is_refused_by_the_name_of_the_limit() {
    let limits =
        Limits { edit_bytes: 1_000, tag_bytes: 10_000, write_bytes: 2_000, undo_bytes: 500, ..Limits::default() };
    let stand = Stand::with(Setup { limits, ..Setup::default() });
    stand.file("vast", lines(1_000));
    let reply = stand.edit("vast", "0000", "delete 1\n");
    assert!(code(&reply) == "edit.too_large" && reply.text().contains("tag_bytes"), "{}", reply.text());
    stand.file("a", "one\n");
    let tag = stand.tag("a");
    let (code, reply) = stand.refused("a", &tag, &format!("replace 1:\n+{}\n", "x".repeat(2_000)));
    assert!(code == "edit.too_large" && reply.text().contains("write_bytes"), "{}", reply.text());
    // What is replaced and too large to be kept is told at once, and cannot be taken back.
    stand.file("b", format!("{}\nlast\n", "x".repeat(600)));
    let reply = stand.edit("b", &stand.tag("b"), "replace 1:\n+short\n");
    assert!(reply.status == Status::Ok && reply.text().contains("undo_bytes"), "{}", reply.text());
    assert_eq!(super::stand::code(&stand.undo(&json!({}))), "undo.not_kept");
    stand.file("c", lines(100));
    let tag = stand.tag("c:1-100");
    let reply = stand.edit("c", &tag, "delete 2..99\n");
    assert!(reply.status == Status::Ok && reply.text().contains("undo_bytes"), "{}", reply.text());
    assert_eq!(super::stand::code(&stand.undo(&json!({}))), "undo.not_kept");
}

#[test]
fn a_patch_of_more_files_than_a_call_may_name_changes_none() {
    let stand = Stand::with(Setup { limits: Limits { targets: 3, ..Limits::default() }, ..Setup::default() });
    let section = |name: &str| {
        stand.file(name, "one\n");
        format!("¶{name}#{}\nreplace 1:\n+two\n", stand.tag(name))
    };
    let patch = ["a", "b", "c", "d"].map(section).concat();
    let reply = stand.call("edit", &json!({ "input": patch }));
    assert!(code(&reply) == "tool.bad_input" && reply.text().contains("the limit targets is 3"), "{}", reply.text());
    assert_eq!(stand.bytes("a"), b"one\n");
}
