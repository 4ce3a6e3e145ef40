//! Replies that a client takes no more of: what was not sent does not count as shown.

#![expect(clippy::disallowed_methods, reason = "a test makes its own files and looks at them")]

use readstone_base::{ClientLimits, Reply, ReplySize};
use readstone_tools::Toolbox;
use serde_json::{Value, json};

fn call(toolbox: &Toolbox, tool: &str, input: &Value) -> Reply {
    toolbox.call(tool, input, &toolbox.budget())
}

fn size(reply: &Reply) -> usize {
    reply.text().len()
}

/// A client that takes this number of bytes.
fn small(bytes: u64) -> ClientLimits {
    let reply = ReplySize { bytes, ..ReplySize::UNBOUNDED };
    ClientLimits { reply, range_bytes: bytes, ..ClientLimits::NONE }
}

#[test]
fn a_target_without_room_is_counted_and_its_lines_cannot_be_edited_unseen() {
    let directory = tempfile::tempdir().unwrap();
    let long = "n".repeat(200);
    for number in 0..40 {
        std::fs::write(directory.path().join(format!("{long}{number}.txt")), "one\ntwo\n").unwrap();
    }
    let lines = (1..=20).map(|number| format!("hello {number}\n")).collect::<Vec<_>>().concat();
    std::fs::write(directory.path().join("a.txt"), &lines).unwrap();
    let toolbox = Toolbox::for_directory(directory.path()).unwrap().for_client(small(4_000));
    let shown = call(&toolbox, "read", &json!({ "path": "a.txt:1-2" })).text();
    let tag = shown.split_once('#').unwrap().1.get(..4).unwrap().to_owned();

    let mut paths: Vec<String> = (0..40).map(|number| format!("{long}{number}.txt")).collect();
    paths.push("a.txt".to_owned());
    let reply = call(&toolbox, "read", &json!({ "paths": paths }));
    let text = reply.text();
    assert!(size(&reply) <= 4_000, "{}", size(&reply));
    assert!(text.contains("more addresses have no room in this reply; limit client_bytes; next: read nnn"), "{text}");
    assert!(!text.contains("hello"), "{text}");
    assert_eq!(reply.receipt.targets.len(), 41, "each address has its account");

    let patch = format!("\u{b6}a.txt#{tag}\nreplace 15:\n+changed\n");
    let edited = call(&toolbox, "edit", &json!({ "input": patch }));
    assert!(edited.receipt.error.is_some(), "{}", edited.text());
    assert_eq!(std::fs::read_to_string(directory.path().join("a.txt")).unwrap(), lines);

    call(&toolbox, "read", &json!({ "path": "a.txt" }));
    let edited = call(&toolbox, "edit", &json!({ "input": patch }));
    assert!(edited.receipt.error.is_none(), "{}", edited.text());
}

#[test]
fn many_addresses_show_something_to_a_client_with_little_room() {
    let directory = tempfile::tempdir().unwrap();
    let lines = "a line of some words that are the same in each file\n".repeat(30);
    for number in 0..60 {
        std::fs::write(directory.path().join(format!("file_{number:02}.txt")), &lines).unwrap();
    }
    let paths: Vec<String> = (0..60).map(|number| format!("file_{number:02}.txt")).collect();
    let json = ReplySize { json: 7_000, bytes: 7_000, rows: u64::MAX };
    for limits in [small(7_000), ClientLimits { reply: json, range_bytes: 7_000, ..ClientLimits::NONE }] {
        let toolbox = Toolbox::for_directory(directory.path()).unwrap().for_client(limits);
        let reply = call(&toolbox, "read", &json!({ "paths": paths }));
        let text = reply.text();
        let shown = text.matches("\n1:a line").count();
        assert!(shown >= 5, "{shown} of 60 files: {text}");
        assert!(!text.contains("left out here"), "{text}");
        // The reply names the first file that it does not show.
        let first = format!("file_{shown:02}.txt");
        assert!(text.contains(&format!("next: read {first}]")), "{first}: {text}");
    }
}

#[test]
fn several_addresses_show_whole_lines_or_name_the_call_that_does() {
    let directory = tempfile::tempdir().unwrap();
    let text = (1..=60).map(|number| format!("line {number} {}\n", "words ".repeat(12))).collect::<Vec<_>>().concat();
    let paths: Vec<String> = (0..40).map(|number| format!("file_{number:02}.txt")).collect();
    for path in &paths {
        std::fs::write(directory.path().join(path), &text).unwrap();
    }
    let toolbox = Toolbox::for_directory(directory.path()).unwrap().for_client(small(8_000));
    let reply = call(&toolbox, "read", &json!({ "paths": paths })).text();
    assert!(reply.len() <= 8_000 && !reply.contains("[cut: "), "{reply}");
    for path in &paths {
        assert!(reply.contains(&format!("next: read {path}")), "{path}: {reply}");
    }
}
