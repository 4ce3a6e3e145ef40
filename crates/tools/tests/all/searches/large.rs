//! Large files are searched whole.

use std::io::Write as _;

use readstone_base::Limits;
use serde_json::json;

use super::stand::{Stand, found};

/// A file of 60 MB with a word at byte 50 million.
fn large(stand: &Stand, name: &str) {
    let path = stand.write(name, "");
    let mut file = std::io::BufWriter::new(std::fs::File::create(path).unwrap());
    let line = b"a line of exactly fifty characters, and its end..\n";
    for number in 0..1_200_000_u64 {
        let bytes: &[u8] = if number == 1_000_000 { b"the needle\n" } else { line };
        file.write_all(bytes).unwrap();
    }
}

#[test]
fn a_match_at_byte_50_million_is_found_below_a_directory() {
    let stand = Stand::new();
    large(&stand, "logs/all.log");
    stand.write("logs/small.log", "nothing\n");
    for paths in ["logs", ".", "*.log", "logs/all.log", "logs/all.log:1000001-1000001"] {
        let reply = stand.search(&json!({ "pattern": "needle", "paths": paths }));
        let text = reply.text();
        assert!(text.contains("\n*1000001:the needle\n 1000002:a line"), "{paths}: {text}");
        assert!(text.contains("\n 1000000:a line") && found(&reply).matches == 1, "{paths}: {text}");
    }
    let (text, right) = (stand.told("needle", "logs/all.log:1000002-"), "No matches found\n");
    assert_eq!(text, right);
}

#[test]
fn patterns_that_are_slow_elsewhere_take_one_pass_over_a_line_of_6_megabytes() {
    let stand = Stand::new();
    stand.write("one.txt", "a".repeat(6_000_000) + "b\n");
    let shown = |pattern: &str| {
        let text = stand.told(pattern, ".");
        assert!(text.len() < 2_000, "{pattern}: {} bytes", text.len());
        text.starts_with("# one.txt#")
    };
    // Whatever backtracks would not end here before the test does.
    assert!(!shown("(a+)+$") && !shown("(a|a)*c") && !shown("(a+)+(a+)+(a+)+c"));
    assert!(shown("(.*)*b") && shown("(a+)+b$") && shown("^(a|aa)+b"));
}

#[test]
fn a_line_that_is_looked_at_in_pieces_is_named() {
    let limits = Limits { search_span_bytes: 64 * 1024, ..Limits::default() };
    let stand = Stand::limited(limits);
    stand.write("long.txt", "x".repeat(1_000_000) + "needle" + &"x".repeat(1_000_000) + "\nshort needle\n");
    for paths in [".", "long.txt"] {
        let text = stand.told("needle", paths);
        assert!(text.contains("xneedlex") && text.contains("\n*2:short needle\n"), "{text}");
        assert!(text.contains("long.txt was searched in pieces (search_span_bytes)"), "{text}");
        let none = stand.told("pebble", paths);
        assert!(none.starts_with("No matches found\n[long.txt was searched in pieces"), "{none}");
    }
}
