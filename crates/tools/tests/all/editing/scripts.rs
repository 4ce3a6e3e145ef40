//! Random files and random patches: what is said is done, what is done is said, and it can be taken back.

use proptest::prelude::proptest;
use readstone_base::{DiffSign, Shift, Status, Target, Visible};
use serde_json::json;

use super::model::{Hunk, Place, SCRIPTS, Script, Sheet, Writes, config, edits, written};
use super::stand::{Stand, change, code, patch, tag_of};

/// The text of a line as a reply shows it; none of a line that is no text.
fn shown(script: Script, bytes: &[u8]) -> Option<String> {
    let wide = |size: usize| bytes.chunks(size).map(<[u8]>::to_vec).collect::<Vec<_>>();
    let text = match script.writes {
        Writes::Utf8 => String::from_utf8(bytes.to_vec()).ok()?,
        Writes::Utf16Le => {
            String::from_utf16(&wide(2).iter().map(|two| u16::from_le_bytes([two[0], two[1]])).collect::<Vec<_>>())
                .ok()?
        }
        Writes::Utf16Be => {
            String::from_utf16(&wide(2).iter().map(|two| u16::from_be_bytes([two[0], two[1]])).collect::<Vec<_>>())
                .ok()?
        }
        Writes::Utf32Le | Writes::Utf32Be => {
            let number = |four: &Vec<u8>| {
                let four = [four[0], four[1], four[2], four[3]];
                if script.writes == Writes::Utf32Le { u32::from_le_bytes(four) } else { u32::from_be_bytes(four) }
            };
            wide(4).iter().map(|four| char::from_u32(number(four))).collect::<Option<String>>()?
        }
        Writes::Other(encoding) => encoding.decode_without_bom_handling(bytes).0.into_owned(),
    };
    Some(Visible::of(&text).text.into_owned())
}

fn moved(shifts: &[Shift], line: u64) -> u64 {
    let by = shifts.iter().rev().find(|shift| line > shift.after).map_or(0, |shift| shift.by);
    line.checked_add_signed(by).unwrap()
}

/// The rows and the numbers of a reply are those of the two files.
fn is_honest(before: &Sheet, after: &Sheet, target: &Target) {
    let told = change(target);
    let line =
        |sheet: &Sheet, number: u64| shown(sheet.script, &sheet.lines[usize::try_from(number).unwrap() - 1].text);
    let (mut gone, mut new) = (0, 0);
    for row in &told.rows {
        let there = match row.sign {
            DiffSign::Gone(number) => line(before, number),
            DiffSign::New(number) | DiffSign::Same(number) => line(after, number),
            DiffSign::Named(_) | DiffSign::MoreGone(_) | DiffSign::MoreNew(_) => None,
        };
        gone += if let DiffSign::MoreGone(more) = row.sign {
            more
        } else {
            u64::from(matches!(row.sign, DiffSign::Gone(_)))
        };
        new +=
            if let DiffSign::MoreNew(more) = row.sign { more } else { u64::from(matches!(row.sign, DiffSign::New(_))) };
        assert!(there.is_none_or(|there| there == row.text), "{told:?}");
    }
    assert_eq!((gone, new), (told.removed, told.added), "{told:?}");
    assert_eq!(before.lines.len() as u64 + new - gone, after.lines.len() as u64);
    let went: Vec<u64> = told
        .rows
        .iter()
        .filter_map(|row| if let DiffSign::Gone(number) = row.sign { Some(number) } else { None })
        .collect();
    if told.rows.iter().any(|row| matches!(row.sign, DiffSign::MoreGone(_))) {
        return;
    }
    for number in (1..=before.lines.len() as u64).filter(|number| !went.contains(number)) {
        assert_eq!(line(before, number), line(after, moved(&told.shifts, number)), "line {number}: {told:?}");
    }
}

proptest! {
    #![proptest_config(config(768, 0xED17_0101))]

    #[test]
    fn a_patch_does_what_the_model_says_and_undo_restores_every_byte((sheet, hunks) in edits()) {
        let stand = Stand::new();
        let (before, after) = (sheet.bytes(), sheet.edited(&hunks));
        stand.file("a", &before);
        let read = stand.read("a");
        assert_eq!(read.encoding, Some(sheet.script.name), "{sheet:?}");
        let tag = read.tag.unwrap();
        assert_eq!(tag, tag_of(&before));
        let operations = written(&hunks);
        let mut trial = patch("a", &tag, &operations);
        trial["dry_run"] = json!(true);
        let shown = stand.call("edit", &trial);
        assert!(stand.bytes("a") == before, "a dry run changes nothing");
        let reply = stand.edit("a", &tag, &operations);
        if before == after.bytes() {
            assert_eq!((code(&reply), code(&shown)), ("edit.no_change", "edit.no_change"), "{sheet:?} {hunks:?}");
            return Ok(());
        }
        assert_eq!((reply.status, shown.status), (Status::Ok, Status::Ok), "{}", reply.text());
        assert!(stand.bytes("a") == after.bytes(), "{sheet:?} {hunks:?}\n{}", reply.text());
        let target = &reply.receipt.targets[0];
        assert_eq!(target.tag.as_deref(), Some(&*tag_of(&after.bytes())));
        is_honest(&sheet, &after, target);
        assert_eq!(change(&shown.receipt.targets[0]).rows, change(target).rows, "a dry run shows what is done");
        assert!(shown.receipt.targets[0].tag.is_none(), "nobody has what was not written");

        let back = stand.undo(&json!({ "dry_run": true }));
        assert!(back.status == Status::Ok && stand.bytes("a") == after.bytes());
        let back = stand.undo(&json!({}));
        assert_eq!(back.status, Status::Ok, "{}", back.text());
        assert!(stand.bytes("a") == before, "{}", back.text());
        assert_eq!(back.receipt.targets[0].tag.as_deref(), Some(&*tag));
        assert_eq!(code(&stand.undo(&json!({}))), "undo.nothing");
        // The tag of the reply is good for the next edit, without a read.
        stand.edited("a", &tag, "insert head:\n+again\n");
    }
}

#[test]
fn one_line_is_edited_in_every_encoding_and_only_its_bytes_change() {
    for script in SCRIPTS {
        for end in ["\n", "\r\n"] {
            let sheet = Sheet::of(script, Sheet::opening(script).chain(["old".to_owned(), "last".to_owned()]), end);
            let stand = Stand::new();
            stand.file("a", sheet.bytes());
            let line = sheet.lines.len() - 1;
            let hunks = [Hunk::new(Place::Replace(line, line), &["new"])];
            stand.edited("a", &stand.tag("a"), &written(&hunks));
            let (before, after) = (sheet.bytes(), stand.bytes("a"));
            let differ: Vec<usize> = (0..before.len()).filter(|at| before[*at] != after[*at]).collect();
            let place = before.len() - script.encode(&format!("old{end}last{end}")).len();
            let width = script.encode("old").len();
            assert_eq!(before.len(), after.len(), "{}", script.name);
            assert!(differ.iter().all(|at| (place..place + width).contains(at)), "{}: {differ:?}", script.name);
            assert!(after[place..].starts_with(&script.encode("new")), "{}", script.name);
        }
    }
}

#[test]
fn text_that_an_encoding_cannot_hold_is_refused_by_its_name_and_place() {
    for script in SCRIPTS.iter().filter(|script| matches!(script.writes, Writes::Other(_))) {
        let stand = Stand::new();
        stand.file("a", Sheet::of(*script, Sheet::opening(*script), "\n").bytes());
        let (code, reply) = stand.refused("a", &stand.tag("a"), "replace 1:\n+fine\n+\u{1F980}\n");
        assert_eq!(code, "edit.unencodable", "{}", reply.text());
        assert!(reply.text().contains("U+1F980") && reply.text().contains(script.name), "{}", reply.text());
        assert!(reply.text().contains("line 4"), "{}", reply.text());
    }
}

#[test]
fn a_unit_cut_in_half_at_the_end_of_a_file_stays_as_it_is() {
    let stand = Stand::new();
    let text: Vec<u8> = "\u{FEFF}one\ntwo\nthree\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    stand.file("a", [text.as_slice(), b"x"].concat());
    stand.edited("a", &stand.tag("a"), "replace 2:\n+2\n");
    let wanted: Vec<u8> = "\u{FEFF}one\n2\nthree\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(stand.bytes("a"), [wanted.as_slice(), b"x"].concat());
}

#[test]
fn rows_that_may_stand_for_bytes_that_are_no_text_are_refused() {
    let stand = Stand::new();
    stand.file("a", b"gr\xC3\xBC\xC3\x9Fe\nb\xFFd\ngood\n");
    let tag = stand.tag("a");
    let (code, reply) = stand.refused("a", &tag, "replace 2:\n+b\u{FFFD}d!\n");
    assert_eq!(code, "edit.replacement", "{}", reply.text());
    stand.edited("a", &tag, "replace 3:\n+\u{FFFD} is a character too\n");
    assert_eq!(
        stand.bytes("a"),
        "grüße\nb?d\n\u{FFFD} is a character too\n"
            .replace('?', "\u{1}")
            .bytes()
            .map(|byte| if byte == 1 { 0xFF } else { byte })
            .collect::<Vec<u8>>()
    );
}

#[test]
fn several_files_are_changed_or_none() {
    let stand = Stand::new();
    stand.file("a", "one\n");
    stand.file("b", "two\n");
    let (a, b) = (stand.tag("a"), stand.tag("b"));
    let both = |second: &str| json!({ "input": format!("¶a#{a}\nreplace 1:\n+1\n¶b#{b}\nreplace {second}:\n+2\n") });
    let reply = stand.call("edit", &both("7"));
    assert_eq!(
        (code(&reply), stand.bytes("a"), stand.bytes("b")),
        ("edit.no_line", b"one\n".to_vec(), b"two\n".to_vec())
    );
    assert!(reply.text().contains("not at fault: a"), "{}", reply.text());
    let reply = stand.call("edit", &both("1"));
    assert_eq!((reply.status, stand.bytes("a"), stand.bytes("b")), (Status::Ok, b"1\n".to_vec(), b"2\n".to_vec()));
    // What one call changed is taken back as one.
    assert_eq!(stand.undo(&json!({})).status, Status::Ok);
    assert_eq!((stand.bytes("a"), stand.bytes("b")), (b"one\n".to_vec(), b"two\n".to_vec()));
}

#[test]
fn a_file_under_two_names_in_one_patch_is_refused() {
    let stand = Stand::new();
    stand.file("a", "one\ntwo\n");
    std::os::unix::fs::symlink("a", stand.path("link")).unwrap();
    let tag = stand.tag("a");
    let input = format!("¶a#{tag}\nreplace 1:\n+1\n¶link#{tag}\nreplace 2:\n+2\n");
    let reply = stand.call("edit", &json!({ "input": input }));
    assert_eq!((code(&reply), stand.bytes("a")), ("edit.twice", b"one\ntwo\n".to_vec()));
    stand.edited("link", &tag, "replace 1:\n+1\n");
    assert!(stand.path("link").is_symlink() && stand.bytes("a") == b"1\ntwo\n");
}

#[test]
fn undo_goes_back_step_by_step_and_by_file_and_stops_where_others_changed_something() {
    let stand = Stand::new();
    stand.file("a", "one\n");
    stand.file("b", "one\n");
    let first = stand.edited("a", &stand.tag("a"), "replace 1:\n+two\n").tag.unwrap();
    stand.edited("b", &stand.tag("b"), "replace 1:\n+two\n");
    stand.edited("a", &first, "replace 1:\n+three\n");
    stand.file("b", "foreign\n");
    assert_eq!(stand.undo(&json!({ "path": "a" })).status, Status::Ok);
    assert_eq!(stand.bytes("a"), b"two\n");
    let reply = stand.undo(&json!({ "path": "b" }));
    assert_eq!((code(&reply), stand.bytes("b")), ("undo.changed", b"foreign\n".to_vec()));
    assert_eq!(stand.undo(&json!({ "path": "a" })).status, Status::Ok);
    assert_eq!(stand.bytes("a"), b"one\n");
    assert_eq!(code(&stand.undo(&json!({ "path": "a" }))), "undo.nothing");
}
