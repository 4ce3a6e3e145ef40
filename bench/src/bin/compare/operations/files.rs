//! Files of text: small, middling and large ones, by lines and by bytes.

use serde_json::json;

use super::{Operation, START, read, read_wide};
use crate::data::{Data, grouped, line};

/// Bytes of a window.
const WINDOW: u64 = 65_536;

/// What our replies have and plain ones have not.
const REPLY: &str = "the reply has the number of every line, the tag of the version and a receipt; the call has a thread to itself, so that slow ones hold up nobody";
/// What lines by number bring where a file is neither small nor huge.
const TAG: &str =
    "the reply has the tag by which its lines can be edited, for which all 20 MB are hashed; a session does that once";

/// Files that are read whole or from their beginning.
pub(super) fn small(data: &Data) -> Vec<Operation> {
    let medium = data.at("medium.log");
    vec![
        Operation::new("2 KB file", read("small.log"))
            .shows(line(1))
            .shows(line(36))
            .tool("cat small.log")
            .rust("read_text_file", json!({ "path": data.at("small.log") }))
            .node("read_text_file", json!({ "path": data.at("small.log") }))
            .behind_tools(START)
            .behind_servers(REPLY),
        Operation::new("200 KB source file, whole", read_wide("source.rs:1-20000:raw"))
            .shows("use std::collections::BTreeMap;")
            .shows("// The end of the way.")
            .tool("cat source.rs")
            .rust("read_text_file", json!({ "path": data.at("source.rs") }))
            .node("read_text_file", json!({ "path": data.at("source.rs") }))
            .behind_tools(START)
            .behind_servers("every byte is looked at for what no text has, and is hashed for the tag of the version"),
        Operation::new("first 2,000 lines of 20 MB", read("medium.log:1-2000"))
            .shows(line(1))
            .shows(line(2_000))
            .tool("head -n 2000 medium.log")
            .tool("sed -n 1,2000p;2000q medium.log")
            .rust("head_file", json!({ "path": medium, "lines": 2_000 }))
            .node("read_text_file", json!({ "path": medium, "head": 2_000 }))
            .behind_tools(TAG)
            .behind_servers(REPLY),
        Operation::new("20 MB by its path alone: our page, their all", read("medium.log"))
            .shows(line(1))
            .tool("cat medium.log")
            .rust("read_text_file", json!({ "path": medium }))
            .node("read_text_file", json!({ "path": medium }))
            .behind_tools(START),
    ]
}

/// Parts of the large log.
pub(super) fn large(data: &Data) -> Vec<Operation> {
    let (name, path, size) = (data.large(), data.at(&data.large()), data.megabytes(1_000));
    let middle = 500_000_000 / data.scale;
    let in_window = middle / 56 + 600;
    vec![
        Operation::new(format!("first 100 lines of {size}"), read(format!("{name}:1-100")))
            .shows(line(1))
            .shows(line(100))
            .tool(&format!("head -n 100 {name}"))
            .rust("head_file", json!({ "path": path, "lines": 100 }))
            .node("read_text_file", json!({ "path": path, "head": 100 }))
            .behind_tools(START)
            .behind_servers(REPLY),
        Operation::new(format!("last 100 lines of {size}"), read(format!("{name}:-100")))
            .shows(line(data.lines - 99))
            .shows(line(data.lines))
            .tool(&format!("tail -n 100 {name}"))
            .rust("tail_file", json!({ "path": path, "lines": 100 }))
            .node("read_text_file", json!({ "path": path, "tail": 100 }))
            .behind_tools(START),
        // The only way to these lines that server-filesystem has is all lines up to them.
        lines(data, 900_000).node("read_text_file", json!({ "path": path, "head": 900_000 / data.scale + 99 })),
        lines(data, 16_000_000),
        Operation::new(format!("64 KiB at {}", data.megabytes(500)), read(format!("{name}:b{middle}+{WINDOW}")))
            .shows(line(in_window))
            .tool(&format!("dd if={name} bs=64K iflag=skip_bytes skip={middle} count=1 status=none"))
            .pipeline(&[&format!("tail -c +{} {name}", middle + 1), &format!("head -c {WINDOW}")])
            .behind_tools(START),
    ]
}

/// A hundred lines from this one on.
fn lines(data: &Data, from: u64) -> Operation {
    let (name, from) = (data.large(), from / data.scale);
    let to = from + 99;
    let title = format!("lines {}-{} of {}", grouped(from), grouped(to), data.megabytes(1_000));
    Operation::new(title, read(format!("{name}:{from}-{to}")))
        .shows(line(from))
        .shows(line(to))
        .pipeline(&[&format!("tail -n +{from} {name}"), "head -n 100"])
        .tool(&format!("sed -n {from},{to}p;{to}q {name}"))
        .rust("read_file_lines", json!({ "path": data.at(&name), "offset": from - 1, "limit": 100 }))
        .behind_tools(START)
}
