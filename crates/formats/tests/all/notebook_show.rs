//! What is shown of notebooks: cells, outputs, pictures, and what is no notebook.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use readstone_base::{Budget, Class, Fault, Fixed, Kind, Limits, Memory, Note};
use readstone_formats::{Standard, to_notebook, to_text};
use readstone_source::{Alone, Content, Converted, Entered, Formats, Opening, Piece, Reached};
use serde_json::{Value, json};

fn enter_as(name: &str, bytes: &[u8], tail: Option<&str>, limits: &Limits) -> Option<Result<Entered, Fault>> {
    let budget = Budget::new(Arc::new(Fixed(0)), None);
    let works: std::sync::Arc<dyn readstone_base::Workshop> = std::sync::Arc::new(readstone_formats::InPlace);
    let opening = Opening { formats: &Standard, ..Opening::bare(limits, &budget, &works) };
    let blob = Arc::new(Memory::new(bytes.to_vec()));
    let piece = Piece { blob, path: format!("d/{name}"), name: name.to_owned(), stamp: None, beside: Arc::new(Alone) };
    let container = Standard.container(&piece, tail, &opening).unwrap()?;
    Some(container.enter(tail, &opening))
}

fn enter(bytes: &[u8], tail: Option<&str>) -> Result<Entered, Fault> {
    enter_as("n.ipynb", bytes, tail, &Limits::default()).unwrap()
}

fn reach(bytes: &[u8], tail: Option<&str>) -> (Reached, Converted, String) {
    let Entered::Content(reached) = enter(bytes, tail).unwrap() else { panic!("not content") };
    let Content::Converted(converted) = &reached.content else { panic!("not converted") };
    let (converted, text) = (converted.clone(), String::from_utf8(converted.text.to_vec()).unwrap());
    (*reached, converted, text)
}

fn refusal(bytes: &[u8], tail: &str) -> Fault {
    enter(bytes, Some(tail)).unwrap_err()
}

fn book(cells: &Value) -> Vec<u8> {
    serde_json::to_vec(&json!({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})).unwrap()
}

fn code(outputs: &Value) -> Value {
    json!({"cell_type": "code", "id": "a", "metadata": {}, "execution_count": null, "source": "x", "outputs": outputs})
}

fn shown(outputs: &Value) -> String {
    let text = to_text(&book(&json!([code(outputs)])), &Limits::default()).unwrap().text;
    text.strip_prefix("# %% [code] cell:0\nx\n").unwrap().to_owned()
}

fn stream(text: &str) -> Value {
    json!([{"output_type": "stream", "name": "stdout", "text": text}])
}

fn png(width: u32, height: u32, length: usize) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    bytes.extend(width.to_be_bytes().into_iter().chain(height.to_be_bytes()));
    bytes.resize(length, 7);
    bytes
}

fn sample() -> Vec<u8> {
    let picture = STANDARD.encode(png(640, 480, 3_000));
    let outputs = json!([
        {"output_type": "stream", "name": "stdout", "text": ["one\n", "two\n"]},
        {"output_type": "stream", "name": "stderr", "text": "careful\n"},
        {"output_type": "execute_result", "execution_count": 1, "metadata": {},
         "data": {"image/png": format!("{picture}\n"), "text/html": "<b>\nx</b>", "text/plain": ["plain"]}},
        {"output_type": "display_data", "metadata": {}, "data": {"application/json": {"a": [1, 2]}}},
        {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["\u{1b}[0;31mE\u{1b}[39;49m: v", "", "last"]},
    ]);
    let markdown = json!({"cell_type": "markdown", "id": "b", "metadata": {}, "source": ["# T\n", "t"],
        "attachments": {"p.png": {"image/png": picture}}});
    book(&json!([code(&outputs), markdown, {"cell_type": "raw", "id": "c", "metadata": {}, "source": ""}]))
}

#[test]
fn a_notebook_is_text_with_the_beginnings_of_its_outputs() {
    let bytes = sample();
    let (reached, converted, text) = reach(&bytes, None);
    let expected = "\
# %% [code] cell:0
x
# %% [output] cell:0
# one
# two
# [stderr]
# careful
# plain
# [image/png, 2.9 KB, 640x480]
# [text/html, 9 B]
# [application/json, 11 B]
# E: v
#
# last
# %% [markdown] cell:1
# T
t
# %% [attachments] cell:1
# [p.png: image/png, 2.9 KB, 640x480]
# %% [raw] cell:2
";
    assert_eq!(text, expected);
    assert_eq!(converted.kind, Kind::Notebook);
    assert_eq!(converted.original.unwrap().as_slice(), bytes);
    assert_eq!((converted.convert)(&bytes, &Limits::default()).unwrap(), text.as_bytes());
    assert_eq!((converted.convert)(b"{}", &Limits::default()), None);
    assert_eq!((reached.path.as_str(), reached.rest.as_deref()), ("d/n.ipynb", None));
    assert_eq!(reached.notes, [Note::Outputs { count: 3, address: "d/n.ipynb:cell0".to_owned() }]);
    assert!(reached.images.is_empty());
    assert_eq!(to_notebook(&text, &bytes).unwrap(), bytes);
}

#[test]
fn a_named_cell_is_shown_with_all_of_its_outputs() {
    let (reached, converted, text) = reach(&sample(), Some("cell0"));
    let tail = "# plain\n# [image/png, 2.9 KB, 640x480]\n# [text/html, 9 B]\n# <b>\n# x</b>\n# [application/json, 11 B]\n# {\"a\":[1,2]}\n# E: v\n#\n# last\n";
    assert!(text.ends_with(tail), "{text}");
    assert!(converted.original.is_none());
    assert_eq!((reached.path.as_str(), reached.rest.as_deref()), ("d/n.ipynb:cell0", None));
    assert_eq!(reached.images.len(), 1);
    let image = reached.images.first().unwrap();
    assert_eq!((image.mime, image.bytes.clone()), ("image/png", png(640, 480, 3_000)));
    let (reached, _, text) = reach(&sample(), Some("cell:01:2-3"));
    assert!(text.starts_with("# %% [markdown] cell:1\n# T\nt\n# %% [attachments] cell:1\n"), "{text}");
    assert_eq!((reached.path.as_str(), reached.rest.as_deref()), ("d/n.ipynb:cell1", Some("2-3")));
    assert_eq!(reached.images.len(), 1);
}

#[test]
fn tails_lead_to_text_to_bytes_or_to_nothing() {
    let bytes = sample();
    for tail in ["5-10", "-20", "5", "L5-L9", "b100+20", "3:7", "5-16,30-40", "=12+4,30-", "conflicts"] {
        assert_eq!(reach(&bytes, Some(tail)).0.rest.as_deref(), Some(tail));
    }
    for tail in ["raw", "hex", "raw:5-10", "5-10:raw", "b0+64:hex"] {
        assert!(matches!(enter(&bytes, Some(tail)).unwrap(), Entered::Itself), "{tail}");
    }
    for tail in ["cells", "cell", "cell-1", "cellx", "cell1-2", "a/b", "?q=1", "RAW", "1:x"] {
        let fault = refusal(&bytes, tail);
        assert_eq!((fault.code(), fault.class()), ("notebook.bad_selector", Class::Request), "{tail}");
    }
    for tail in ["cell3", "cell:3:1-2", "cell99999999999999999999999"] {
        let fault = refusal(&bytes, tail);
        assert_eq!((fault.code(), fault.class()), ("notebook.no_cell", Class::Missing), "{tail}");
        assert_eq!(fault.next().first().unwrap().argument, "d/n.ipynb:cell2");
        assert!(fault.to_string().contains("has 3 cells"), "{fault}");
    }
}

#[test]
fn names_decide_what_is_tried_as_a_notebook() {
    let limits = Limits::default();
    for (name, is) in
        [("a.IPYNB", true), ("x.y.ipynb", true), ("ipynb", false), ("a.json", false), ("a.ipynb.bak", false)]
    {
        assert_eq!(enter_as(name, &sample(), None, &limits).is_some(), is, "{name}");
    }
}

#[test]
fn what_is_no_sound_notebook_is_shown_as_it_is_stored() {
    let deep = format!("{{\"cells\": [], \"metadata\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let twice = r#"{"nbformat": 4, "cells": [{"cell_type": "raw", "source": "a", "source": "b"}]}"#;
    let escaped = r#"{"nbformat": 4, "cells": [{"cell_type": "raw", "source": "a", "s\u006furce": "b"}]}"#;
    let odd = [
        "",
        " \n",
        "{}",
        "[]",
        "null",
        "{",
        "{\"cells\": 5}",
        "{\"cells\": {}}",
        "{\"cells\": [5]}",
        "{\"cells\": [{}]}",
        "{\"cells\": [{\"cell_type\": \"code\"}]}",
        "{\"cells\": [{\"cell_type\": \"code\", \"source\": 5}]}",
        "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"a\", 5]}]}",
        "{\"cells\": [{\"cell_type\": \"code\", \"source\": [[\"a\"]]}]}",
        "{\"cells\": [{\"cell_type\": \"film\", \"source\": \"\"}]}",
        "{\"cells\": [{\"cell_type\": 1, \"source\": \"\"}]}",
        "{\"cells\": [{\"cell_type\": \"raw\", \"source\": \"\\ud800\"}]}",
        "{\"cells\": [{\"cell_type\": \"code\", \"source\": \"\", \"outputs\": {}}]}",
        "{\"cells\": [{\"cell_type\": \"code\", \"source\": \"\", \"outputs\": [5]}]}",
        "{\"cells\": [{\"cell_type\": \"code\", \"source\": \"\", \"outputs\": [{}]}]}",
        "{\"cells\": [], \"cells\": []}",
        "{\"cells\": [], \"worksheets\": []}",
        "{\"nbformat\": 5, \"cells\": []}",
        "{\"nbformat\": 3, \"cells\": []}",
        "{\"nbformat\": 3, \"worksheets\": [5]}",
        "{\"nbformat\": 3, \"worksheets\": [{}]}",
        "{\"nbformat\": 4.0, \"cells\": []}",
        "{\"cells\": []} x",
        twice,
        escaped,
        &deep,
    ];
    for text in odd {
        let Entered::Piece { piece, rest, notes } = enter(text.as_bytes(), Some("1-2")).unwrap() else {
            panic!("taken for a notebook: {text}")
        };
        assert_eq!((piece.path.as_str(), rest.as_deref()), ("d/n.ipynb", Some("1-2")));
        assert_eq!(piece.blob.read_range(0, 1 << 20).unwrap(), text.as_bytes());
        assert!(matches!(notes.as_slice(), [Note::NotNotebook { why }] if !why.is_empty() && !why.contains('\n')));
        assert!(enter_as(&piece.name, text.as_bytes(), None, &Limits::default()).is_none());
        assert_eq!(refusal(text.as_bytes(), "cell0").code(), "notebook.broken");
        assert!(matches!(enter(text.as_bytes(), Some("raw")).unwrap(), Entered::Itself));
    }
    assert!(matches!(enter(b"\xFF\xFE{", None).unwrap(), Entered::Piece { .. }));
}

#[test]
fn a_notebook_beyond_the_limit_is_shown_as_it_is_stored() {
    let mut limits = Limits::default();
    let bytes = sample();
    limits.notebook_bytes = bytes.len() as u64;
    assert!(matches!(enter_as("n.ipynb", &bytes, None, &limits).unwrap().unwrap(), Entered::Content(_)));
    limits.notebook_bytes -= 1;
    let entered = enter_as("n.ipynb", &bytes, None, &limits).unwrap().unwrap();
    let Entered::Piece { notes, .. } = entered else { panic!("shown") };
    assert!(format!("{notes:?}").contains("notebook_bytes"));
}

#[test]
fn long_outputs_are_cut_and_say_by_how_much() {
    let lines = (0..500).map(|number| format!("line {number}\n")).collect::<Vec<_>>().concat();
    let text = shown(&stream(&lines));
    assert_eq!(text.lines().count(), 22);
    assert!(text.ends_with("# line 19\n# … 480 more lines, 4.1 KB\n"), "{text}");
    let long = "é".repeat(5_000);
    assert!(shown(&stream(&long)).ends_with("é\n# … the rest of this line, 7.7 KB\n"));
    assert!(
        shown(&stream(&format!("{long}\nb\n"))).ends_with("é\n# … the rest of this line and 1 more line, 7.7 KB\n")
    );
    let text = shown(&stream(&format!("a\n{long}\n")));
    assert_eq!(text, "# %% [output] cell:0\n# a\n# … 1 more line, 9.7 KB\n");
    let exact = (0..20).map(|number| format!("{number}\n")).collect::<Vec<_>>().concat();
    assert!(!shown(&stream(&exact)).contains('…'));
}

#[test]
fn a_long_traceback_keeps_its_end() {
    let trace: Vec<String> = (0..50).map(|number| format!("frame {number}")).collect();
    let error = json!([{"output_type": "error", "ename": "E", "evalue": "v", "traceback": trace}]);
    let text = shown(&error);
    assert!(text.starts_with("# %% [output] cell:0\n# … 30 more lines before, 259 B\n# frame 30\n"), "{text}");
    assert!(text.ends_with("# frame 49\n"), "{text}");
    let long = format!("first\n{}end", "x".repeat(9_000));
    let text = shown(&json!([{"output_type": "error", "traceback": [long]}]));
    assert!(
        text.starts_with("# %% [output] cell:0\n# … 1 more line before and the beginning of this one, 6.7 KB\n# x"),
        "{text}"
    );
    let bare = json!([{"output_type": "error", "ename": "E", "evalue": "v", "traceback": []}]);
    assert_eq!(shown(&bare), "# %% [output] cell:0\n# E: v\n");
}

#[test]
fn outputs_cannot_forge_a_marker() {
    let text = shown(&stream("%% [code] cell:9\r\n\\ %% [code]\n\n%%\n"));
    assert_eq!(text, "# %% [output] cell:0\n#\\ %% [code] cell:9\n# \\ %% [code]\n#\n#\\ %%\n");
    let named = json!([{"output_type": "a\n# %% [code] cell:7", "x": 1},
        {"output_type": "display_data", "data": {"x\r\n# %% [raw]\n": "y"}}]);
    let text = shown(&named);
    assert_eq!(text.lines().count(), 3, "{text}");
    assert_eq!(text.matches("\n# %%").count(), 0, "{text}");
    let bytes = book(&json!([code(&stream("%% [code] cell:9\n")), code(&named)]));
    let (_, _, text) = reach(&bytes, None);
    assert_eq!(to_notebook(&text, &bytes).unwrap(), bytes);
    let (_, _, text) = reach(&bytes, Some("cell0"));
    assert_eq!(text.matches("\n# %%").count(), 1, "{text}");
}

#[test]
fn odd_outputs_are_named_or_shown_as_they_are_stored() {
    let text = shown(&json!([{"output_type": "stream", "text": {"a": 1}}, {"output_type": "stream"},
        {"output_type": "display_data", "data": 5}, {"output_type": "display_data", "data": {"text/plain": 5}},
        {"output_type": "execute_result", "data": {"text/markdown": "*m*", "text/latex": "$l$"}},
        {"output_type": "stream", "text": "\u{1b}[1;32mok\u{1b}[0m \u{1b}[2K\u{1b}[1"}]));
    let expected = "# %% [output] cell:0\n# {\"a\":1}\n# 5\n# *m*\n# [text/latex, 3 B]\n# ok \u{1b}[2K\u{1b}[1\n";
    assert_eq!(text, expected);
    let half = br#"{"cells": [{"cell_type": "code", "source": "", "outputs": [{"output_type": "stream", "text": "a\ud800b"}]}]}"#;
    assert!(to_text(half, &Limits::default()).unwrap().text.contains("# a\u{FFFD}"));
}

#[test]
fn pictures_are_known_by_their_bytes_and_bounded() {
    let gif = [b"GIF89a\x40\x01\xf0\0".as_slice(), &[0; 50]].concat();
    let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\0\x20\0\x40\x03".to_vec();
    let data = |bytes: &[u8]| json!({"output_type": "display_data", "data": {"image/png": STANDARD.encode(bytes)}});
    let outputs = json!([data(&gif), data(&jpeg), data(b"<svg/>"), data(&png(9, 9, 1 << 21)),
        {"output_type": "display_data", "data": {"image/png": "no base64!"}}]);
    let (reached, _, text) = reach(&book(&json!([code(&outputs)])), Some("cell0"));
    let expected = "# [image/png, 60 B, 320x240]\n# [image/png, 18 B, 64x32]\n# [image/png, 6 B, not a picture]\n\
                    # [image/png, 2.0 MB, 9x9, larger than image_bytes]\n# [image/png, 6 B, not base64]\n";
    assert!(text.ends_with(expected), "{text}");
    assert_eq!(reached.images.iter().map(|image| image.mime).collect::<Vec<_>>(), ["image/gif", "image/jpeg"]);
    let many: Vec<Value> = (0..40).map(|_| data(&png(1, 1, 40))).collect();
    let (reached, _, text) = reach(&book(&json!([code(&json!(many))])), Some("cell0"));
    assert_eq!((reached.images.len(), text.matches("one picture too many").count()), (16, 24));
}

#[test]
fn huge_outputs_stay_small_in_the_text() {
    let outputs: Vec<Value> = (0..20)
        .map(|_| {
            let line = "y".repeat(99) + "\n";
            json!({"output_type": "stream", "name": "stdout", "text": vec![line; 3_000]})
        })
        .collect();
    let bytes = book(&json!([code(&json!(outputs))]));
    assert!(bytes.len() > 6_000_000);
    let shown = to_text(&bytes, &Limits::default()).unwrap();
    assert!(shown.text.len() < 60_000, "{}", shown.text.len());
    assert_eq!((shown.cells, shown.partial, shown.first_partial), (1, 20, Some(0)));
    assert_eq!(to_notebook(&shown.text, &bytes).unwrap(), bytes);
}
