//! The tag of a search is that of a read, and its text is held.

use readstone_base::Limits;
use serde_json::json;

use super::stand::Stand;

fn tags(stand: &Stand, input: &serde_json::Value) -> Vec<(String, Option<String>)> {
    let own = |target: readstone_base::Target| (target.path.unwrap(), target.tag);
    stand.search(input).receipt.targets.into_iter().map(own).collect()
}

#[test]
fn the_tag_of_a_search_is_that_of_a_read() {
    let stand = Stand::new();
    stand.write("plain.txt", "stone\n");
    stand.write("sub/crlf.txt", "stone\r\nsand\r\n");
    stand.write("sub/mark.txt", "\u{feff}stone\n");
    stand.write("sub/wide.txt", "stone\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    stand.write("sub/page.html", "<p>stone</p>\n");
    stand.write("sub/code.rs", "fn stone() {}\n");
    let notebook = json!({ "cells": [{ "cell_type": "code", "source": "stone", "outputs": [], "metadata": {},
        "execution_count": null }], "metadata": {}, "nbformat": 4, "nbformat_minor": 5 });
    stand.write("sub/note.ipynb", notebook.to_string());
    let found = tags(&stand, &json!({ "pattern": "stone", "paths": "." }));
    assert_eq!(found.len(), 7, "{found:?}");
    for (path, tag) in found {
        let target = stand.read(&path).receipt.targets.remove(0);
        assert!(tag.is_some(), "{path}");
        assert_eq!(target.tag, tag, "{path}");
        assert_eq!(tags(&stand, &json!({ "pattern": "stone", "paths": path }))[0].1, tag, "{path}");
    }
}

#[test]
fn the_text_of_a_search_is_recalled_without_a_read_in_between() {
    for paths in [".", "a.txt", "*.txt", "a.txt:2-2"] {
        let stand = Stand::new();
        stand.write("a.txt", "one\nstone\nthree\n");
        let tag = tags(&stand, &json!({ "pattern": "stone", "paths": paths }))[0].1.clone().unwrap();
        stand.write("a.txt", "one\nstone\n3\n");
        let changes = stand.read(&format!("a.txt#{tag}")).text();
        assert!(changes.contains("-3:three\n3:3\n"), "{paths}: {changes}");
    }
}

#[test]
fn what_cannot_be_edited_has_no_tag() {
    let stand = Stand::limited(Limits { edit_bytes: 1_000, ..Limits::default() });
    stand.write("large.txt", "stone\n".repeat(1_000));
    stand.write("small.txt", "stone\n");
    let found = tags(&stand, &json!({ "pattern": "stone", "paths": "." }));
    assert!(found[0].1.is_none() && found[1].1.is_some(), "{found:?}");
    assert!(stand.told("stone", "large.txt").starts_with("¶large.txt\n*1:stone\n"));
}
