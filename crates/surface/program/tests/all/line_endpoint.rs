//! The line endpoints: numbered lines within hard bounds, and bytes.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test stops where an answer lacks what it must have"
)]

use readstone_testkit::{Answer, Served, World};
use serde_json::{Value, json};

/// A world with a server below it.
struct Stand {
    world: World,
    server: Served,
}

impl Stand {
    fn new() -> Self {
        let world = World::new(env!("CARGO_BIN_EXE_readstone"));
        let server = Served::start::<&str>(&world, []);
        Self { world, server }
    }

    /// Makes a file and gives its path.
    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        self.world.file(name, bytes).display().to_string()
    }

    fn get(&self, query: &str) -> Answer {
        self.server.get(&format!("/api/v0/read-file-lines?{query}"))
    }

    /// The answer to a sound query.
    fn lines(&self, path: &str, more: &str) -> Value {
        let answer = self.get(&format!("path={path}{more}"));
        assert_eq!(answer.status, 200, "{}", answer.text());
        let value = answer.json();
        let fields: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(fields, ["content", "error", "file_size", "lines_read", "success", "total_lines"]);
        value
    }

    /// Why a sound query has no lines.
    fn failure(&self, path: &str, more: &str) -> String {
        let value = self.lines(path, more);
        assert_eq!(value["success"], json!(false), "{value}");
        value["error"].as_str().unwrap().to_owned()
    }
}

#[test]
fn lines_come_with_their_numbers_and_the_size_of_the_whole() {
    let stand = Stand::new();
    let path = stand.file("a.txt", "one\ntwo\r\nthree");
    let whole = json!({ "success": true, "file_size": 14, "total_lines": 3, "lines_read": 3,
        "content": "1\tone\n2\ttwo\n3\tthree", "error": null });
    assert_eq!(stand.lines(&path, ""), whole);
    assert_eq!(stand.lines(&path, "&offset=2")["content"], "2\ttwo\n3\tthree");
    assert_eq!(stand.lines(&path, "&limit=1")["content"], "1\tone");
    let part = stand.lines(&path, "&offset=2&limit=1");
    assert_eq!((&part["content"], &part["lines_read"], &part["total_lines"]), (&json!("2\ttwo"), &json!(1), &json!(3)));
    let empty = stand.file("empty.txt", "");
    let nothing =
        json!({ "success": true, "file_size": 0, "total_lines": 0, "lines_read": 0, "content": "", "error": null });
    assert_eq!(stand.lines(&empty, ""), nothing);
}

#[test]
fn a_path_must_be_absolute_and_name_a_file_that_may_be_read() {
    let stand = Stand::new();
    stand.file("a.txt", "one\n");
    assert!(stand.failure("a.txt", "").contains("not absolute"));
    let root = stand.world.path().display().to_string();
    assert!(stand.failure(&root, "").contains("directory"));
    assert!(stand.failure(&format!("{root}/nothing"), "").contains("does not exist"));
    assert!(stand.failure("/etc/passwd", "").contains("outside the root"));
    stand.file(".env", "SECRET=1\n");
    assert!(stand.failure(&format!("{root}/.env"), "").contains("withheld"));
    let binary = stand.file("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01");
    assert!(stand.failure(&binary, "").contains("not text"));
    assert_eq!(stand.get("path=").status, 400);
    assert_eq!(stand.get("").status, 400);
}

#[test]
fn parameters_are_known_positive_integers_that_stand_once() {
    let stand = Stand::new();
    let path = stand.file("a.txt", "one\n");
    for bad in ["offset=0", "offset=-1", "offset=1.5", "offset=", "offset=x", "offset=+1", "limit=0", "limit=-5"] {
        let answer = stand.get(&format!("path={path}&{bad}"));
        assert_eq!(answer.status, 400, "{bad}");
        assert_eq!(answer.json()["validations"][0]["field"], bad.split('=').next().unwrap());
    }
    for bad in ["size=1", "Offset=1", "offset=1&offset=2", "max_line_bytes=0", "max_response_bytes=99999999999"] {
        assert_eq!(stand.get(&format!("path={path}&{bad}")).status, 400, "{bad}");
    }
    let all = stand.get("size=1&limit=x").json();
    let fields: Vec<&str> =
        all["validations"].as_array().unwrap().iter().filter_map(|one| one["field"].as_str()).collect();
    assert_eq!(fields, ["size", "path", "limit"], "everything that is wrong is told at once");
}

#[test]
fn a_line_is_cut_before_the_character_that_does_not_fit() {
    let stand = Stand::new();
    for (line, shown) in [
        ("x".repeat(1_024), "x".repeat(1_024)),
        ("x".repeat(1_025), format!("{}... [truncated]", "x".repeat(1_024))),
        (format!("{}é{}", "x".repeat(1_023), "y"), format!("{}... [truncated]", "x".repeat(1_023))),
        ("𝄞".repeat(300), format!("{}... [truncated]", "𝄞".repeat(256))),
    ] {
        let path = stand.file("line.txt", format!("{line}\nnext\n"));
        let answer = stand.lines(&path, "");
        assert_eq!(answer["content"], json!(format!("1\t{shown}\n2\tnext")));
    }
    let path = stand.file("line.txt", "abcdef\n");
    assert_eq!(stand.lines(&path, "&max_line_bytes=3")["content"], "1\tabc... [truncated]");
}

#[test]
fn what_does_not_fit_is_an_error_that_says_to_use_offset_and_limit() {
    let stand = Stand::new();
    let many = (1..=3_000).map(|number| format!("{number}\n")).collect::<Vec<_>>().concat();
    let path = stand.file("many.txt", many);
    let first = stand.lines(&path, "");
    assert_eq!((&first["lines_read"], &first["total_lines"]), (&json!(2_000), &json!(3_000)));
    for more in ["&limit=2001", "&max_response_lines=10", "&max_response_bytes=100"] {
        let why = stand.failure(&path, more);
        assert!(why.contains("offset and limit"), "{more}: {why}");
    }
    assert_eq!(stand.lines(&path, "&limit=2500&max_response_lines=2500")["lines_read"], 2_500);
    let wide = stand.file("wide.txt", format!("{}\n", "x".repeat(1_000)).repeat(40));
    assert!(stand.failure(&wide, "").contains("32768 bytes"));
    assert_eq!(stand.lines(&wide, "&limit=32")["lines_read"], 32);
    let beyond = stand.lines(&path, "&offset=3001");
    assert_eq!((&beyond["success"], &beyond["total_lines"]), (&json!(false), &json!(3_000)));
}

#[test]
fn a_file_over_a_mebibyte_needs_a_range_and_then_is_served() {
    let stand = Stand::new();
    let line = format!("{}\n", "x".repeat(1_023));
    let fits = stand.file("fits.txt", line.repeat(1_024));
    assert!(stand.failure(&fits, "").contains("bytes"), "it is read, and does not fit the answer");
    let large = stand.file("large.txt", format!("{}y", line.repeat(1_024)));
    let refused = stand.lines(&large, "");
    assert!(refused["error"].as_str().unwrap().contains("use offset and limit"));
    assert_eq!(refused["file_size"], 1_048_577);
    let end = stand.lines(&large, "&offset=1025&limit=1");
    assert_eq!((&end["content"], &end["total_lines"]), (&json!("1025\ty"), &json!(1_025)));
    assert!(stand.failure(&large, "&max_file_size=2000000").contains("32768"));
}

#[test]
fn bytes_come_as_they_are_from_an_offset_and_up_to_a_limit() {
    let stand = Stand::new();
    let bytes: Vec<u8> = (0..=255).cycle().take(300_000).collect();
    let path = stand.file("data.bin", &bytes);
    let get = |more: &str| stand.server.get(&format!("/api/v0/read-file?path={path}{more}"));
    let whole = get("");
    assert_eq!((whole.status, whole.header("content-length")), (200, Some("300000")));
    assert!(whole.body == bytes);
    assert_eq!(get("&offset=10&limit=5").body, bytes[10..15]);
    assert_eq!(get("&offset=299999").body, bytes[299_999..]);
    assert_eq!(get("&offset=400000").body, b"");
    for (path, status) in [("data.bin", 400), ("/etc/passwd", 403), ("/", 403)] {
        assert_eq!(stand.server.get(&format!("/api/v0/read-file?path={path}")).status, status, "{path}");
    }
    let root = stand.world.path().display();
    assert_eq!(stand.server.get(&format!("/api/v0/read-file?path={root}/nothing")).status, 404);
    assert_eq!(stand.server.get(&format!("/api/v0/read-file?path={root}")).status, 400);
    for bad in ["&offset=-1", "&limit=0", "&length=5"] {
        assert_eq!(get(bad).status, 400, "{bad}");
    }
    let metrics = stand.server.get("/metrics").text();
    assert!(metrics.contains("readstone_calls_total{tool=\"read_file_bytes\"}"), "{metrics}");
}
