//! Notebooks to text and back: exact where nothing changes, and nothing else changes where something does.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

use std::fmt::Write as _;

use proptest::prelude::{Just, Strategy, any, prop_assert_eq, prop_oneof, proptest};
use proptest::{collection, test_runner};
use readstone_base::{Failure, Limits};
use readstone_formats::{NotebookError, new_notebook, to_notebook, to_text};
use serde_json::{Value, json};

fn config() -> test_runner::Config {
    test_runner::Config {
        cases: 256,
        failure_persistence: None,
        rng_seed: test_runner::RngSeed::Fixed(0x1B_0001),
        ..test_runner::Config::default()
    }
}

fn text_of(bytes: &[u8]) -> String {
    to_text(bytes, &Limits::default()).unwrap().text
}

fn code_of<T: std::fmt::Debug>(result: Result<T, NotebookError>) -> &'static str {
    result.unwrap_err().code()
}

fn sources(bytes: &[u8]) -> Vec<(String, String)> {
    let book: Value = serde_json::from_slice(bytes).unwrap();
    let cells = book["cells"].as_array().unwrap();
    cells.iter().map(|cell| (cell["cell_type"].as_str().unwrap().to_owned(), joined(&cell["source"]))).collect()
}

fn joined(source: &Value) -> String {
    match source.as_array() {
        Some(lines) => lines.iter().map(|line| line.as_str().unwrap()).collect(),
        None => source.as_str().unwrap().to_owned(),
    }
}

/// Pieces that a source is made of, the dangerous ones first.
fn source() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("# %% [code] cell:0".to_owned()),
        Just("# %% [output] cell:1".to_owned()),
        Just("#\\ %% [code]".to_owned()),
        Just("#\\\\ %%".to_owned()),
        Just("# %%".to_owned()),
        Just("# %%time".to_owned()),
        Just("# ".to_owned()),
        Just("\n".to_owned()),
        Just("\n".to_owned()),
        Just("\n\n".to_owned()),
        Just("\r\n".to_owned()),
        Just("\r".to_owned()),
        Just("\u{2028}".to_owned()),
        Just("\u{85}\u{b}\u{c}\u{1c}".to_owned()),
        Just("\u{FEFF}".to_owned()),
        Just("\0\u{1b}[31m".to_owned()),
        Just("x = \"\\\\\" ".to_owned()),
        any::<String>(),
    ];
    collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// How a source is written.
#[derive(Clone, Copy, Debug)]
enum Form {
    List,
    String,
}

fn form() -> impl Strategy<Value = Form> {
    prop_oneof![Just(Form::List), Just(Form::String)]
}

/// A cell in one of the ways notebooks write them.
fn cell(kind: &str, source: &str, form: Form) -> Value {
    let source = match form {
        Form::List => source.split_inclusive('\n').collect::<Vec<_>>().into(),
        Form::String => Value::from(source),
    };
    match kind {
        "code" => {
            let outputs = json!([{"output_type": "stream", "name": "stderr", "text": source}]);
            json!({"cell_type": kind, "metadata": {}, "execution_count": 1e3, "outputs": outputs, "source": source})
        }
        _ => json!({"cell_type": kind, "metadata": {"a": [1.50]}, "source": source}),
    }
}

fn kind() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just("code"), Just("markdown"), Just("raw")]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn unchanged_text_gives_the_same_bytes(
        cells in collection::vec((kind(), source(), form()), 0..6), pretty in any::<bool>(),
    ) {
        let cells: Vec<Value> = cells.iter().map(|(kind, source, form)| cell(kind, source, *form)).collect();
        let book = json!({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4});
        let bytes = if pretty { serde_json::to_vec_pretty(&book) } else { serde_json::to_vec(&book) }.unwrap();
        let back = to_notebook(&text_of(&bytes), &bytes).unwrap();
        prop_assert_eq!(String::from_utf8(back), String::from_utf8(bytes));
    }

    #[test]
    fn the_sources_of_a_notebook_become_those_of_another(cells in collection::vec((kind(), source()), 0..6)) {
        let wanted: Vec<(String, String)> = cells.iter().map(|(kind, source)| ((*kind).to_owned(), source.clone())).collect();
        let values: Vec<Value> = cells.iter().map(|(kind, source)| {
            let mut value = cell(kind, source, Form::List);
            value.as_object_mut().unwrap().remove("outputs");
            value
        }).collect();
        let bytes = serde_json::to_vec(&json!({"cells": values, "nbformat": 4, "nbformat_minor": 5})).unwrap();
        let text = text_of(&bytes);
        let fresh = new_notebook(&text).unwrap();
        prop_assert_eq!(sources(&fresh), wanted.clone());
        prop_assert_eq!(text_of(&fresh), text.clone());
        let other = serde_json::to_vec_pretty(&json!({"cells": [cell("markdown", "a\nb", Form::List), cell("code", "c", Form::String)],
            "nbformat": 4, "nbformat_minor": 4})).unwrap();
        prop_assert_eq!(sources(&to_notebook(&text, &other).unwrap()), wanted);
    }

    #[test]
    fn bytes_of_any_kind_are_refused_or_come_back(at in any::<proptest::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = shapes()[0].clone().into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(shown) = to_text(&bytes, &Limits::default()) {
            prop_assert_eq!(to_notebook(&shown.text, &bytes).unwrap(), bytes);
        }
    }

    #[test]
    fn text_of_any_kind_is_refused_or_taken(text in source()) {
        for text in [text.clone(), format!("# %% [code] cell:1\n{text}"), format!("# %% [output] cell:0\n{text}")] {
            if let Ok(bytes) = to_notebook(&text, shapes()[0].as_bytes()) {
                assert!(to_text(&bytes, &Limits::default()).is_ok());
            }
        }
    }
}

/// Notebooks in the spellings of different writers.
fn shapes() -> Vec<String> {
    let jupyter = r##"{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "aa11",
   "metadata": {},
   "source": [
    "# Títle\n",
    "text ![](attachment:p.png)"
   ],
   "attachments": {"p.png": {"image/png": "iVBORw0KGgo="}}
  },
  {
   "cell_type": "code",
   "execution_count": 12e-0,
   "id": "bb22",
   "metadata": {"deep": {"x": [1.0, 2.50, 1E5, 12345678901234567890123]}},
   "outputs": [
    {"name": "stdout", "output_type": "stream", "text": ["one\n", "two\n"]},
    {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["\u001b[0;31mE\u001b[0m: v"]}
   ],
   "source": [
    "print('a')\n",
    "print('b')\n"
   ]
  },
  {
   "cell_type": "raw",
   "id": "cc33",
   "metadata": {},
   "source": []
  }
 ],
 "metadata": {
  "kernelspec": {"name": "python3"}
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
"##;
    let compact = r#"{"nbformat":4,"nbformat_minor":2,"metadata":{},"cells":[{"source":"a","cell_type":"code","outputs":[],"metadata":{},"execution_count":null},{"cell_type":"markdown","source":[ "b" ],"metadata":{ }}]}"#;
    let three = r#"{ "metadata": {"name": ""}, "nbformat": 3, "nbformat_minor": 0,
 "worksheets": [ { "cells": [
   {"cell_type": "heading", "level": 2, "metadata": {}, "source": ["Head"]},
   {"cell_type": "code", "collapsed": false, "input": ["1 + 1"], "language": "python", "metadata": {},
    "outputs": [{"output_type": "pyout", "prompt_number": 1, "text": ["2"], "png": "iVBORw0KGgo="}], "prompt_number": 1} ],
   "metadata": {} },
  {"cells": [{"cell_type": "markdown", "metadata": {}, "source": "last"}]} ] }"#;
    let windows = jupyter.replace('\n', "\r\n");
    let marked = format!("\u{FEFF}{jupyter}");
    let empty = "{\"cells\": [ ], \"nbformat\": 4}".to_owned();
    let ascii = jupyter.replace('í', "\\u00ed");
    vec![jupyter.to_owned(), compact.to_owned(), three.to_owned(), windows, marked, empty, ascii]
}

#[test]
fn every_spelling_comes_back_as_it_was() {
    for shape in shapes() {
        let back = to_notebook(&text_of(shape.as_bytes()), shape.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(back).unwrap(), shape);
    }
}

#[test]
fn outputs_left_out_of_the_text_stay_in_the_notebook() {
    for shape in shapes() {
        let mut text = String::new();
        let mut skip = false;
        for line in text_of(shape.as_bytes()).split_inclusive('\n') {
            skip = if line.starts_with("# %% ") { line.contains("[output]") || line.contains("[attach") } else { skip };
            text.push_str(if skip { "" } else { line });
        }
        assert_eq!(String::from_utf8(to_notebook(&text, shape.as_bytes()).unwrap()).unwrap(), shape);
    }
}

#[test]
fn a_changed_source_changes_nothing_else() {
    let shapes = shapes();
    let jupyter = &shapes[0];
    let text = text_of(jupyter.as_bytes()).replace("print('b')\n\n", "print('ü')\nc\n");
    let back = String::from_utf8(to_notebook(&text, jupyter.as_bytes()).unwrap()).unwrap();
    assert_eq!(back, jupyter.replace("    \"print('b')\\n\"\n", "    \"print('ü')\\n\",\n    \"c\"\n"));
    let ascii = &shapes[6];
    let back = String::from_utf8(to_notebook(&text, ascii.as_bytes()).unwrap()).unwrap();
    assert_eq!(back, ascii.replace("    \"print('b')\\n\"\n", "    \"print('\\u00fc')\\n\",\n    \"c\"\n"));
    let windows = &shapes[3];
    let back = String::from_utf8(to_notebook(&text, windows.as_bytes()).unwrap()).unwrap();
    assert_eq!(back, windows.replace("    \"print('b')\\n\"\r\n", "    \"print('ü')\\n\",\r\n    \"c\"\r\n"));
    let text = text_of(shapes[1].as_bytes()).replace("\na\n", "\nA\nB\n").replace("\nb\n", "\nc\nd\n");
    let back = String::from_utf8(to_notebook(&text, shapes[1].as_bytes()).unwrap()).unwrap();
    assert_eq!(
        back,
        shapes[1]
            .replace(r#""a""#, r#""A\nB""#)
            .replace(r#"[ "b" ]"#, r#"[ "c\n", "d" ]"#)
            .replace("\", \"d", "\",\"d")
    );
}

#[test]
fn an_emptied_source_and_a_filled_one_keep_the_form_of_the_file() {
    let jupyter = &shapes()[0];
    let text = text_of(jupyter.as_bytes())
        .replace("cell:2\n", "cell:2\nnew\nlines\n")
        .replace("print('a')\nprint('b')\n\n", "");
    let back = String::from_utf8(to_notebook(&text, jupyter.as_bytes()).unwrap()).unwrap();
    let emptied = jupyter.replace("[\n    \"print('a')\\n\",\n    \"print('b')\\n\"\n   ]", "[]");
    let (head, tail) = emptied.rsplit_once("\"source\": []").unwrap();
    assert_eq!(back, format!("{head}\"source\": [\n    \"new\\n\",\n    \"lines\"\n   ]{tail}"));
}

#[test]
fn cells_are_added_removed_and_moved() {
    let jupyter = &shapes()[0];
    let text = "# %% [raw] cell:2\n# %% [markdown]\nnew\n# %% [code] cell:1\nprint('a')\nprint('b')\n\n# %%\nx\n# %% [code] cell:1\ny\n# %% [raw] cell:99\n";
    let back = to_notebook(text, jupyter.as_bytes()).unwrap();
    let value: Value = serde_json::from_slice(&back).unwrap();
    let kinds: Vec<_> = sources(&back).into_iter().map(|(kind, source)| format!("{kind}={source}")).collect();
    assert_eq!(kinds, ["raw=", "markdown=new", "code=print('a')\nprint('b')\n", "code=x", "code=y", "raw="]);
    assert_eq!(value["cells"][2]["outputs"].as_array().unwrap().len(), 2, "a moved cell keeps its outputs");
    assert_eq!(
        value["cells"][3],
        json!({"cell_type": "code", "execution_count": null, "id": value["cells"][3]["id"],
        "metadata": {}, "outputs": [], "source": ["x"]})
    );
    let ids: std::collections::HashSet<_> =
        value["cells"].as_array().unwrap().iter().map(|cell| cell["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(ids.len(), 6, "names are not given twice");
    let spelled = String::from_utf8(back).unwrap();
    assert!(spelled.contains("12345678901234567890123"), "{spelled}");
    assert!(spelled.contains("  },\n  {\n   \"cell_type\": \"markdown\",\n   \"id\": "), "{spelled}");
    assert!(spelled.contains("   \"source\": [\n    \"new\"\n   ]\n  },\n"), "{spelled}");
    assert_eq!(to_notebook(text, jupyter.as_bytes()).unwrap(), spelled.as_bytes(), "twice the same");
}

#[test]
fn all_cells_can_go_and_come_into_an_empty_notebook() {
    let jupyter = &shapes()[0];
    let back = String::from_utf8(to_notebook("", jupyter.as_bytes()).unwrap()).unwrap();
    assert!(back.starts_with("{\n \"cells\": [],\n \"metadata\""), "{back}");
    let fresh = String::from_utf8(new_notebook("# %% [markdown] cell:0\nHi\n").unwrap()).unwrap();
    let (head, rest) = fresh.split_once("   \"id\": \"").unwrap();
    assert_eq!(head, "{\n \"cells\": [\n  {\n   \"cell_type\": \"markdown\",\n");
    let rest = rest.get(8..).unwrap();
    let tail = "\",\n   \"metadata\": {},\n   \"source\": [\n    \"Hi\"\n   ]\n  }\n ],\n \"metadata\": {},\n \"nbformat\": 4,\n \"nbformat_minor\": 5\n}\n";
    assert_eq!(rest, tail);
    assert_eq!(text_of(fresh.as_bytes()), "# %% [markdown] cell:0\nHi\n");
}

#[test]
fn another_kind_brings_the_members_it_needs() {
    let jupyter = &shapes()[0];
    let text = text_of(jupyter.as_bytes());
    let back = to_notebook(&text.replace("[code] cell:1", "[markdown] cell:1"), jupyter.as_bytes()).unwrap();
    let value: Value = serde_json::from_slice(&back).unwrap();
    let names: Vec<_> = value["cells"][1].as_object().unwrap().keys().cloned().collect();
    assert_eq!(names, ["cell_type", "id", "metadata", "source"]);
    let back = to_notebook("# %% [code] cell:0\n# Títle\n# %% [code] cell:2\n", jupyter.as_bytes()).unwrap();
    let value: Value = serde_json::from_slice(&back).unwrap();
    let names: Vec<_> = value["cells"][0].as_object().unwrap().keys().cloned().collect();
    assert_eq!(names, ["cell_type", "execution_count", "id", "metadata", "outputs", "source"]);
    assert_eq!(value["cells"][1]["outputs"], json!([]));
}

#[test]
fn worksheets_are_read_and_written() {
    let three = &shapes()[2];
    let text = text_of(three.as_bytes());
    assert_eq!(
        text,
        "# %% [heading 2] cell:0\nHead\n# %% [code] cell:1\n1 + 1\n# %% [output] cell:1\n# 2\n# [image/png, 8 B]\n# %% [markdown] cell:2\nlast\n"
    );
    let changed = text.replace("1 + 1", "2 + 2").replace("[markdown]", "[heading 3]").replace("[heading 2]", "[code]");
    let back = to_notebook(&format!("{changed}# %% [code]\nnew\n"), three.as_bytes()).unwrap();
    let value: Value = serde_json::from_slice(&back).unwrap();
    let (first, second) = (&value["worksheets"][0]["cells"], &value["worksheets"][1]["cells"]);
    let code = json!({"cell_type": "code", "collapsed": false, "language": "python", "metadata": {}, "outputs": [], "input": ["Head"]});
    assert_eq!(first[0], code);
    assert_eq!(first[1]["input"], json!(["2 + 2"]));
    assert_eq!(first[1]["outputs"][0]["text"], json!(["2"]));
    assert_eq!(second[0], json!({"cell_type": "heading", "level": 3, "metadata": {}, "source": "last"}));
    assert_eq!(second[1]["input"], json!(["new"]));
}

#[test]
fn outputs_cannot_be_edited() {
    let jupyter = &shapes()[0];
    let text = text_of(jupyter.as_bytes());
    for changed in [
        text.replace("# two", "# three"),
        text.replace("# two\n", ""),
        text.replace("# two\n", "# two\nprint()\n"),
        text.replace("# %% [code] cell:1\n", ""),
        text.replace("[output] cell:1", "[output] cell:0"),
        text.replace("[output] cell:1", "[output] cell:7"),
        text.replace("image/png", "image/gif"),
    ] {
        assert_eq!(code_of(to_notebook(&changed, jupyter.as_bytes())), "notebook.outputs_changed", "{changed}");
    }
    assert!(to_notebook(&text.replace("# E: v\n", "# E: v\n\n"), jupyter.as_bytes()).is_ok());
}

#[test]
fn what_is_no_marker_is_refused_rather_than_taken_for_source() {
    let jupyter = &shapes()[0];
    for line in [
        "# %% [cod] cell:1",
        "# %% [code] cell:x",
        "# %% [code] cell:1 b",
        "# %% title",
        "# %% [output]",
        "# %%[heading 9]",
        "# %% [code",
    ] {
        let text = format!("# %% [code] cell:0\n{line}\n");
        assert_eq!(code_of(to_notebook(&text, jupyter.as_bytes())), "notebook.bad_marker", "{line}");
    }
    assert_eq!(code_of(to_notebook("# %% [heading 2]\n", jupyter.as_bytes())), "notebook.bad_marker");
    assert_eq!(code_of(to_notebook("x\n# %% [code] cell:0\n", jupyter.as_bytes())), "notebook.no_marker");
    assert_eq!(code_of(to_notebook("x = 1", jupyter.as_bytes())), "notebook.no_marker");
    assert_eq!(code_of(new_notebook("{}")), "notebook.broken");
    assert_eq!(code_of(to_notebook("", b"{}")), "notebook.broken");
}

#[test]
fn a_marker_in_a_source_is_escaped_and_comes_back() {
    let source = "# %% [code] cell:0\n#\\ %% [code]\n# %%time\n#%%\n# %%\r\n";
    let bytes = serde_json::to_vec(&json!({"cells": [cell("raw", source, Form::String)], "nbformat": 4})).unwrap();
    let text = text_of(&bytes);
    let shown = "# %% [raw] cell:0\n#\\ %% [code] cell:0\n#\\\\ %% [code]\n# %%time\n#%%\n#\\ %%\r\n\n";
    assert_eq!(text, shown);
    assert_eq!(to_notebook(&text, &bytes).unwrap(), bytes);
}

#[test]
fn large_notebooks_come_back_too() {
    let mut text = String::new();
    for number in 0..2_000 {
        let _ = writeln!(text, "# %% [code]\nline {number}");
    }
    let bytes = new_notebook(&text).unwrap();
    assert_eq!(sources(&bytes).len(), 2_000);
    assert_eq!(to_notebook(&text_of(&bytes), &bytes).unwrap(), bytes);
}
