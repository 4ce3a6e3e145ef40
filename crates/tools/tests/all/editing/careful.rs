//! Changes that would be wrong, and are not made.

use std::os::unix::fs::MetadataExt as _;

use readstone_base::Status;
use serde_json::json;

use super::stand::{Stand, code, next};

fn write(stand: &Stand, path: &str, content: &str) -> readstone_base::Reply {
    stand.call("write", &json!({ "path": path, "content": content }))
}

fn notebook(second: &str) -> String {
    let cell = |source: &str| json!({ "cell_type": "code", "metadata": {}, "execution_count": null, "outputs": [], "source": source });
    let cells = [cell("a = 1"), cell(second)];
    json!({ "cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5 }).to_string()
}

#[test]
fn lines_of_a_notebook_are_not_taken_for_lines_of_what_it_became() {
    let stand = Stand::new();
    let whole = serde_json::to_string_pretty(&serde_json::from_str::<serde_json::Value>(&notebook("b = 2")).unwrap());
    let whole = whole.unwrap();
    stand.file("n.ipynb", &whole);
    let tag = stand.tag("n.ipynb");
    stand.file("n.ipynb", format!("{whole}\n}} oops\n"));
    let (code, _) = stand.refused("n.ipynb", &tag, "replace 3..3:\n+b = 22\n");
    assert_eq!(code, "edit.stale");
}

#[test]
fn the_json_of_a_notebook_shows_nothing_of_its_text() {
    let stand = Stand::new();
    stand.file("n.ipynb", notebook("b = 2\nc = 3\nd = 4"));
    stand.call("read", &json!({ "path": "n.ipynb:raw" }));
    let tag = stand.tag("n.ipynb:1-2");
    let (code, _) = stand.refused("n.ipynb", &tag, "replace 8..8:\n+x = 1\n");
    assert!(["edit.unseen", "edit.no_line"].contains(&code), "{code}");
}

#[test]
fn a_character_that_stands_for_lost_bytes_is_refused_in_large_files_too() {
    let stand = Stand::new();
    let mut bytes = b"caf\xFF bad\n".to_vec();
    bytes.extend("a line of a large file, of which there are many, naïve ones\n".as_bytes().repeat(200_000));
    stand.file("large.txt", &bytes);
    let tag = stand.tag("large.txt:1-2");
    let (code, _) = stand.refused("large.txt", &tag, "replace 1..1:\n+caf\u{FFFD} good\n");
    assert_eq!(code, "edit.replacement");
}

#[test]
fn undo_takes_back_nothing_older_than_what_it_cannot() {
    let stand = Stand::new();
    let database = rusqlite::Connection::open(stand.path("d.db")).unwrap();
    database.execute_batch("CREATE TABLE t (a)").unwrap();
    drop(database);
    stand.file("a", "one\n");
    write(&stand, "a", "two\n");
    assert_eq!(write(&stand, "d.db:t", "{a: 1}").status, Status::Ok);
    assert_eq!(code(&stand.undo(&json!({}))), "undo.not_kept");
    assert_eq!(stand.bytes("a"), b"two\n");
    // By its own name, it is.
    assert_eq!(stand.undo(&json!({ "path": "a" })).status, Status::Ok);
    assert_eq!(stand.bytes("a"), b"one\n");
}

#[test]
fn a_file_that_was_made_and_is_gone_does_not_stand_in_the_way() {
    let stand = Stand::new();
    stand.file("a", "one\n");
    write(&stand, "a", "two\n");
    write(&stand, "new", "text\n");
    std::fs::remove_file(stand.path("new")).unwrap();
    assert_eq!(stand.undo(&json!({})).status, Status::Ok);
    assert_eq!(stand.undo(&json!({})).status, Status::Ok);
    assert_eq!(stand.bytes("a"), b"one\n");
}

#[test]
fn what_is_there_already_is_left_alone() {
    let stand = Stand::new();
    stand.file("a", "one\n");
    std::fs::hard_link(stand.path("a"), stand.path("b")).unwrap();
    let before = std::fs::metadata(stand.path("a")).unwrap().ino();
    let reply = write(&stand, "a", "one\n");
    assert!(reply.text().contains("Nothing to write") && !reply.text().contains("Warnings"), "{}", reply.text());
    assert_eq!(std::fs::metadata(stand.path("a")).unwrap().ino(), before);
    assert_eq!(code(&stand.undo(&json!({}))), "undo.nothing");
}

#[test]
fn one_file_under_two_names_is_refused_at_once() {
    let stand = Stand::new();
    stand.file("a", "one\n");
    std::fs::hard_link(stand.path("a"), stand.path("b")).unwrap();
    let tag = stand.tag("a");
    let input = format!("¶a#{tag}\nreplace 1:\n+x\n¶b#{tag}\nreplace 1:\n+y\n");
    assert_eq!(code(&stand.call("edit", &json!({ "input": input }))), "edit.twice");
    assert_eq!(stand.bytes("a"), b"one\n");
}

#[test]
fn of_two_equal_conflicts_the_one_that_was_named_is_resolved() {
    let stand = Stand::new();
    let region = "<<<<<<< H\nours\n=======\ntheirs\n>>>>>>> b\n";
    stand.file("a.txt", format!("a\n{region}b\n{region}c\n"));
    stand.call("read", &json!({ "path": "a.txt:conflicts" }));
    assert_eq!(write(&stand, "conflict://1", "@ours\n").status, Status::Ok);
    let after = format!("a\nours\nb\n{region}c\n");
    assert_eq!(String::from_utf8(stand.bytes("a.txt")).unwrap(), after);
    assert!(matches!(write(&stand, "conflict://1", "@theirs\n").status, Status::Error(_)));
    assert_eq!(String::from_utf8(stand.bytes("a.txt")).unwrap(), after);
}

#[test]
fn all_conflicts_are_resolved_though_a_file_is_gone_or_was_shown_under_two_names() {
    let stand = Stand::new();
    let region = "<<<<<<< H\nours\n=======\ntheirs\n>>>>>>> b\n";
    stand.file("gone.txt", region);
    stand.file("here.txt", format!("a\n{region}"));
    for address in ["gone.txt:conflicts", "here.txt:conflicts", "./here.txt:conflicts"] {
        stand.call("read", &json!({ "path": address }));
    }
    std::fs::remove_file(stand.path("gone.txt")).unwrap();
    let alone = write(&stand, "conflict://1", "@theirs\n");
    assert_eq!(code(&alone), "host.not_found");
    assert!(
        alone.text().contains("'gone.txt' is gone, and the conflict with it; nothing was written"),
        "{}",
        alone.text()
    );
    let reply = write(&stand, "conflict://*", "@theirs\n");
    assert_eq!((reply.status, stand.bytes("here.txt")), (Status::Ok, b"a\ntheirs\n".to_vec()), "{}", reply.text());
}

#[test]
fn a_line_that_was_shown_in_part_is_read_verbatim_before_it_is_replaced() {
    let stand = Stand::new();
    stand.file("long.txt", format!("{}TAIL\nnext\n", "x".repeat(5_000)));
    let tag = stand.tag("long.txt");
    let (code, reply) = stand.refused("long.txt", &tag, "replace 1:\n+short\n");
    assert_eq!((code, next(&reply).as_str()), ("edit.unseen", "long.txt:1-1:raw"));
    // To put something beside it, its beginning is enough.
    let tag = stand.edited("long.txt", &tag, "insert after 1:\n+between\n").tag.unwrap();
    stand.call("read", &json!({ "path": "long.txt:1-1:raw" }));
    stand.edited("long.txt", &tag, "replace 1:\n+short\n");
    assert_eq!(stand.bytes("long.txt"), b"short\nbetween\nnext\n");
}

#[test]
fn what_was_spelled_out_and_copied_back_stays_what_it_was() {
    let stand = Stand::new();
    stand.file("esc.txt", "a\u{1b}[0m\nb\n");
    let tag = stand.tag("esc.txt");
    stand.edited("esc.txt", &tag, "replace 1..2:\n+a\\x1b[0m\n+B\n");
    assert_eq!(stand.bytes("esc.txt"), b"a\x1b[0m\nB\n");
}

#[test]
fn a_name_that_means_something_else_makes_no_file() {
    let stand = Stand::new();
    stand.file("a.txt", "text\n");
    let tag = stand.tag("a.txt");
    let names = ["n.jar:a", "n.pdf:p1", "n.xlsx:Sheet1", "n.json:/a/0", "n.ipynb:cell0", "n.tar.bz2:a", "a.txt:5"];
    for name in names.into_iter().map(str::to_owned).chain([format!("a.txt#{tag}"), format!("¶a.txt#{tag}")]) {
        let reply = write(&stand, &name, "x\n");
        assert!(matches!(reply.status, Status::Error(_)), "{name}: {}", reply.text());
        assert!(!stand.path(&name).exists(), "{name}");
    }
    assert_eq!(write(&stand, "note:today", "x\n").status, Status::Ok);
}

#[test]
fn what_text_would_destroy_is_not_written_over() {
    let stand = Stand::new();
    stand.file("p.pdf", b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n1 0 obj\n");
    stand.file("i.png", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR");
    stand.file("b.bin", (0..=255).collect::<Vec<u8>>());
    for name in ["p.pdf", "i.png", "b.bin"] {
        let before = stand.bytes(name);
        assert_eq!(code(&write(&stand, name, "text\n")), "write.unfit", "{name}");
        assert!(stand.bytes(name) == before);
    }
    assert_eq!(code(&write(&stand, "x.ipynb", "{\"a\": 1}")), "write.unfit");
}

#[test]
fn lines_keep_the_ends_of_the_file_that_is_written_over() {
    let stand = Stand::new();
    stand.file("crlf.txt", "a\r\nb\r\n");
    let reply = write(&stand, "crlf.txt", "a\nb2\n");
    assert!(reply.text().contains("with CRLF as before"), "{}", reply.text());
    assert_eq!(stand.bytes("crlf.txt"), b"a\r\nb2\r\n");
    stand.file("mixed.txt", "a\r\nb\n");
    write(&stand, "mixed.txt", "c\nd\n");
    assert_eq!(stand.bytes("mixed.txt"), b"c\nd\n");
    // Whoever names line ends is taken at their word.
    write(&stand, "crlf.txt", "a\nb\r\n");
    assert_eq!(stand.bytes("crlf.txt"), b"a\nb\r\n");
}

#[test]
fn an_attribute_is_no_shebang() {
    let stand = Stand::new();
    write(&stand, "lib.rs", "#![allow(unused)]\n");
    write(&stand, "run.sh", "#!/bin/sh\n");
    let mode = |name: &str| std::fs::metadata(stand.path(name)).unwrap().mode() & 0o111;
    assert_eq!((mode("lib.rs"), mode("run.sh") != 0), (0, true));
}

#[test]
fn a_refusal_is_bounded_whatever_a_patch_names() {
    let stand = Stand::new();
    let text = (1..=4_000).map(|line| format!("line {line}\n")).collect::<Vec<_>>().concat();
    stand.file("a.txt", &text);
    let tag = stand.tag("a.txt:1-1");
    let patch = (1..=1_900).map(|line| format!("delete {}\n", line * 2)).collect::<Vec<_>>().concat();
    let (code, reply) = stand.refused("a.txt", &tag, &patch);
    assert_eq!(code, "edit.unseen");
    assert!(reply.text().len() < 2_000, "{} bytes", reply.text().len());
    stand.call("read", &json!({ "path": "a.txt:1-4000:raw" }));
    let tag = stand.tag("a.txt:1-3000");
    stand.read("a.txt:3001-4000");
    stand.file("a.txt", text.replace("line", "other"));
    let (code, reply) = stand.refused("a.txt", &tag, &patch);
    assert_eq!(code, "edit.stale");
    assert!(reply.text().lines().count() < 100, "{} lines", reply.text().lines().count());
}

#[test]
fn a_conflict_that_did_not_fit_on_the_page_is_not_among_all_of_them() {
    let one = |name: &str| format!("<<<<<<< ours\n{name} of ours\n=======\n{name} of theirs\n>>>>>>> theirs\n");
    let text = (1..=20).map(|number| one(&format!("number {number}"))).collect::<Vec<_>>().concat();
    // A path that is only meant by its end takes more room than is foreseen, so that pages are made again.
    let path = format!("{}a.txt", "a-long-name-of-a-directory/".repeat(5));
    let mut cut = 0;
    for most in (100..700).step_by(7) {
        let stand = Stand::new();
        std::fs::create_dir_all(stand.path(&path).parent().unwrap()).unwrap();
        stand.file(&path, &text);
        let reply = stand.call("read", &json!({ "path": "a.txt:conflicts", "max_tokens": most }));
        let shown = reply.text().matches(">>>>>>> theirs").count();
        cut += usize::from(shown > 0 && shown < 20);
        drop(write(&stand, "conflict://*", "@ours\n"));
        let left = String::from_utf8(stand.bytes(&path)).unwrap().matches("of theirs").count();
        assert_eq!(left, 20 - shown, "{most}: {}", reply.text());
    }
    assert!(cut > 20, "only some of them are shown at many sizes: {cut}");
}
