//! Notebooks are edited by the lines that `read` shows of them.

use readstone_base::Status;
use serde_json::{Value, json};

use super::stand::{Stand, code};

fn notebook() -> Value {
    let cell = |source: &str| {
        json!({ "cell_type": "code", "execution_count": 7, "id": "x", "metadata": { "tags": ["keep"] }, "source": source,
            "outputs": [{ "name": "stdout", "output_type": "stream", "text": ["out\n"] }] })
    };
    json!({ "cells": [cell("def one():\n    return 1\n"), { "cell_type": "markdown", "id": "y", "metadata": {},
        "source": ["# Title\n", "text"] }], "metadata": { "kernelspec": { "language": "python", "name": "p" } },
        "nbformat": 4, "nbformat_minor": 5 })
}

fn line_of(stand: &Stand, text: &str) -> u64 {
    let reply = stand.call("read", &json!({ "path": "n.ipynb" }));
    let shown = reply.text();
    let row = shown.lines().find(|row| row.ends_with(text)).unwrap_or_else(|| unreachable!("{shown}"));
    row.split_once(':').unwrap().0.trim_start_matches(['*', ' ']).parse().unwrap()
}

#[test]
fn a_line_of_a_cell_changes_and_all_else_of_the_notebook_stays() {
    let stand = Stand::new();
    let before = serde_json::to_string_pretty(&notebook()).unwrap();
    stand.file("n.ipynb", &before);
    let line = line_of(&stand, "return 1");
    let tag = stand.tag("n.ipynb");
    let fresh = stand.edited("n.ipynb", &tag, &format!("replace {line}:\n+    return 2\n")).tag.unwrap();
    let after: Value = serde_json::from_slice(&stand.bytes("n.ipynb")).unwrap();
    let mut wanted = notebook();
    let source = |cell: &Value| match cell["source"].as_str() {
        Some(text) => text.to_owned(),
        None => cell["source"].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect::<String>(),
    };
    assert_eq!(source(&after["cells"][0]), "def one():\n    return 2\n");
    wanted["cells"][0]["source"] = after["cells"][0]["source"].clone();
    assert_eq!(after, wanted);
    // Lines of a notebook are as good as others for what follows, for blocks and for the tags of earlier versions.
    let text = line_of(&stand, "text");
    let first = line_of(&stand, "def one():");
    stand.edited("n.ipynb", &fresh, &format!("replace {text}:\n+other text\n"));
    stand.edited("n.ipynb", &fresh, &format!("replace block {first}:\n+def one():\n+    return 3\n"));
    let after: Value = serde_json::from_slice(&stand.bytes("n.ipynb")).unwrap();
    assert!(source(&after["cells"][0]).contains("return 3") && source(&after["cells"][1]).contains("other text"));
    for _ in 0..3 {
        assert_eq!(stand.undo(&json!({})).status, Status::Ok);
    }
    assert_eq!(stand.bytes("n.ipynb"), before.into_bytes());
}

#[test]
fn what_is_no_notebook_is_edited_as_the_text_it_is() {
    let stand = Stand::new();
    stand.file("n.ipynb", "not json\nat all\n");
    stand.edited("n.ipynb", &stand.tag("n.ipynb"), "replace 2:\n+but text\n");
    assert_eq!(stand.bytes("n.ipynb"), b"not json\nbut text\n");
}

#[test]
fn a_notebook_is_written_from_the_text_that_read_shows() {
    let stand = Stand::new();
    stand.file("n.ipynb", notebook().to_string());
    let shown = stand.call("read", &json!({ "path": "n.ipynb", "raw": true })).text();
    let content = shown.replace("return 1", "return 4");
    let reply = stand.call("write", &json!({ "path": "n.ipynb", "content": content }));
    assert_eq!(reply.status, Status::Ok, "{}", reply.text());
    let after: Value = serde_json::from_slice(&stand.bytes("n.ipynb")).unwrap();
    assert_eq!(after["cells"][0]["outputs"], notebook()["cells"][0]["outputs"], "{shown}");
    assert!(after["cells"][0]["source"].to_string().contains("return 4"));
    let reply = stand.call("write", &json!({ "path": "n.ipynb", "content": "x", "if_tag": "new" }));
    assert_eq!(code(&reply), "write.other_version");
}
