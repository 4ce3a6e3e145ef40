//! Answers that are no pages, and answers that refuse.

use readstone_base::WebNote;
use readstone_source::{Body, Content};

use crate::pages::{LONG, article};
use crate::server::{Answer, Server};
use crate::world::{World, node_text};

const PNG: &[u8] = include_bytes!("../files/red.png");
const PDF: &[u8] = include_bytes!("../files/tides.pdf");
const ZIP: &[u8] = include_bytes!("../files/docs.zip");

#[test]
fn a_name_inside_an_archive_on_the_web_is_an_address() {
    let server = Server::start();
    server.on("/a.zip", Answer::new("application/zip", ZIP));
    server.on("/download", Answer::new("application/octet-stream", ZIP));
    let world = World::of(&server);
    let node = world.node(&server.url("/a.zip:docs/x.md:5-60")).unwrap();
    assert_eq!(node.path, server.url("/a.zip:docs/x.md"));
    assert_eq!(node.selector.to_string(), "5-60");
    assert!(node_text(&node).starts_with("line 1\nline 2\n"), "{}", node_text(&node));
    assert_eq!(node.web.unwrap().method, "archive");
    assert_eq!(node.nature, readstone_source::Nature::Fixed, "nothing of it can be edited");
    let list = world.node(&server.url("/a.zip")).unwrap();
    assert!(matches!(list.body, Body::Content(Content::Listing(_))));
    assert_eq!(server.count("/a.zip"), 2, "asked for as a whole, it is asked for again");
    let node = world.node(&server.url("/a.zip:docs/x.md:70-")).unwrap();
    assert_eq!((node.selector.to_string().as_str(), server.count("/a.zip")), ("70-", 2));
    let all = world.read(&server.url("/a.zip:all"));
    assert_eq!(
        (all.path, all.tail.as_deref()),
        (server.url("/a.zip"), Some("all")),
        "an archive has its own word for it"
    );
    assert_eq!(world.read(&server.url("/download")).name.as_deref(), Some("download.zip"));
}

#[test]
fn documents_and_pictures_are_read_as_files_of_their_kind_are() {
    let server = Server::start();
    server.on("/tides.pdf", Answer::new("application/pdf", PDF));
    server.on("/paper", Answer::new("application/octet-stream", PDF));
    server.on("/red", Answer::new("image/png", PNG));
    let world = World::of(&server);
    let node = world.node(&server.url("/tides.pdf:p1")).unwrap();
    assert!(matches!(node.body, Body::Content(Content::Document(_))), "{node:?}");
    assert_eq!(node.web.unwrap().method, "document");
    let paper = world.read(&server.url("/paper"));
    assert_eq!((paper.method(), paper.name.as_deref()), ("document", Some("paper.pdf")));
    let red = world.read(&server.url("/red"));
    assert_eq!((red.method(), red.name.as_deref(), red.bytes.as_slice()), ("image", Some("red.png"), PNG));
    let node = world.node(&server.url("/red")).unwrap();
    assert!(matches!(node.body, Body::Content(Content::Picture)), "{node:?}");
}

#[test]
fn n14_a_type_that_lies_is_found_out_and_text_that_is_markup_stays_text() {
    let server = Server::start();
    let html = article("");
    server.on("/png", Answer::html("").with("X", "y"));
    server.on("/lie", Answer::new("text/html", PNG));
    server.on("/text", Answer::new("text/plain", html.as_str()));
    server.on("/text.html", Answer::new("text/plain", html.as_str()));
    server.on("/json", Answer::new("text/html", "{\"tide\": [1, 2]}"));
    server.on("/data", Answer::new("text/html", "just words"));
    let world = World::of(&server);
    let lie = world.read(&server.url("/lie"));
    assert_eq!((lie.method(), lie.name.as_deref()), ("image", Some("lie.png")));
    assert_eq!(lie.notes(), [WebNote::OtherType { what: "a PNG picture" }]);
    let text = world.read(&server.url("/text"));
    assert_eq!((text.method(), text.text()), ("text", html.as_str()));
    assert_eq!(node_text(&world.node(&server.url("/text.html")).unwrap()), html);
    let json = world.read(&server.url("/json"));
    assert_eq!((json.method(), json.notes()), ("json", &[WebNote::OtherType { what: "JSON" }][..]));
    assert_eq!(world.read(&server.url("/data")).method(), "text");
    assert_eq!(world.read(&server.url("/lie:5")).notes(), [WebNote::OtherType { what: "a PNG picture" }]);
}

#[test]
fn json_has_a_value_a_line_and_its_values_have_addresses() {
    let server = Server::start();
    server.on("/a.json", Answer::new("application/json", "{\"tide\":{\"high\":\"six\"},\"n\":1.10}"));
    server.on("/api", Answer::new("application/vnd.api+json", "[1,2]"));
    server.on("/bad.json", Answer::new("application/json", "{not json"));
    let world = World::of(&server);
    let shown = world.read(&server.url("/a.json"));
    assert_eq!(shown.method(), "json");
    assert!(shown.text().contains("\n  \"tide\": {\n") && shown.text().contains("1.10"), "{}", shown.text());
    let node = world.node(&server.url("/a.json:/tide/high")).unwrap();
    assert!(node_text(&node).contains("six"));
    assert_eq!(world.read(&server.url("/api")).method(), "json");
    let bad = world.read(&server.url("/bad.json"));
    assert_eq!((bad.method(), bad.text()), ("text", "{not json"));
}

#[test]
fn source_code_keeps_its_name_and_its_bytes() {
    let server = Server::start();
    let code = "fn main() {\r\n}\r\n";
    server.on("/src/main.rs", Answer::new("text/plain", code));
    server.on("/a.js", Answer::new("application/javascript", "let a = 1;\n"));
    server
        .on("/get?id=1", Answer::new("text/plain", "x\n").with("Content-Disposition", "attachment; filename=\"b.py\""));
    server.on("/export", Answer::new("text/csv", "day,height\nMon,3\n"));
    let world = World::of(&server);
    assert_eq!(world.read(&server.url("/export")).name.as_deref(), Some("export.csv"));
    let shown = world.read(&server.url("/src/main.rs"));
    assert_eq!((shown.method(), shown.name.as_deref(), shown.text()), ("text", Some("main.rs"), code));
    assert_eq!(world.read(&server.url("/a.js")).name.as_deref(), Some("a.js"));
    assert_eq!(world.read(&server.url("/get?id=1")).name.as_deref(), Some("b.py"));
}

#[test]
fn bytes_that_nothing_reads_are_given_as_they_are() {
    let server = Server::start();
    let bytes: Vec<u8> = (0..=255).collect();
    server.on("/blob", Answer::new("application/x-thing", bytes.clone()));
    let shown = World::of(&server).read(&server.url("/blob"));
    assert_eq!((shown.method(), shown.bytes), ("raw", bytes));
}

#[test]
fn a_refusal_is_told_with_the_useful_part_of_its_page_and_nothing_else_is_asked_for() {
    let server = Server::start();
    let head = "<link rel=alternate type=text/markdown href=/x.md>";
    server.on("/gone", Answer::html(&article(head)).status("410 Gone"));
    server.on("/api", Answer::new("application/json", "{\"error\":\"no key\"}").status("401 Unauthorized"));
    server.on("/long", Answer::new("text/plain", "line\n".repeat(500)).status("500 Oh dear"));
    server.on("/pic", Answer::new("image/png", PNG).status("404 Not Found"));
    let world = World::of(&server);
    let gone = world.read(&server.url("/gone"));
    assert_eq!(gone.method(), "failed");
    assert_eq!(gone.notes()[0], WebNote::Status { code: 410, reason: "Gone" });
    assert!(gone.text().contains(LONG) && !gone.text().contains("Menu entry"), "{}", gone.text());
    assert_eq!(server.paths(), ["/gone"]);
    let api = world.read(&server.url("/api"));
    assert_eq!((api.method(), api.text().trim()), ("failed", "{\n  \"error\": \"no key\"\n}"));
    let long = world.read(&server.url("/long"));
    assert_eq!((long.text().lines().count(), long.name.as_deref()), (500, None), "nothing of it is cut in silence");
    let reason = "Internal Server Error";
    assert_eq!(long.notes(), [WebNote::Status { code: 500, reason }], "a server's own words for it are not told");
    assert_eq!(world.read(&server.url("/pic")).text(), "");
    assert_eq!(world.read(&server.url("/api:raw")).text(), "{\"error\":\"no key\"}");
    assert_eq!(world.read(&server.url("/api:raw")).method(), "failed");
}

#[test]
fn an_answer_without_a_body_is_an_empty_text() {
    let server = Server::start();
    server.on("/none", Answer::new("text/html", "").status("204 No Content"));
    server.on("/empty", Answer::html(""));
    for path in ["/none", "/empty"] {
        let shown = World::of(&server).read(&server.url(path));
        assert_eq!((shown.method(), shown.text(), shown.notes().len()), ("text", "", 1));
        assert!(shown.web.content_type.unwrap().starts_with("text/html"));
    }
    assert_eq!(server.paths(), ["/none", "/empty"]);
}

#[test]
fn redirects_cut_and_short_bodies_are_told() {
    let server = Server::start();
    server.on("/old", Answer::to("/mid")).on("/mid", Answer::to("/new.txt"));
    server.on("/new.txt", Answer::new("text/plain", "here\n"));
    server.on("/short.txt", Answer::new("text/plain", "half").short());
    server.on("/big.txt", Answer::new("text/plain", "x".repeat(5_000)));
    let mut world = World::of(&server);
    let old = world.read(&server.url("/old"));
    assert_eq!((old.web.final_url.as_str(), old.text()), (server.url("/new.txt").as_str(), "here\n"));
    assert_eq!((old.path.as_str(), old.notes()), (server.url("/old").as_str(), &[WebNote::Redirected { hops: 2 }][..]));
    let short = world.read(&server.url("/short.txt"));
    assert_eq!(short.text(), "half");
    assert!(matches!(short.notes(), [WebNote::Short { .. }]), "{:?}", short.notes());
    world.limits.fetch_bytes = 1_000;
    let big = world.read(&server.url("/big.txt"));
    assert_eq!((big.bytes.len(), big.notes()), (1_000, &[WebNote::Cut { limit: "fetch_bytes", kept: 1_000 }][..]));
}

#[test]
fn n09_what_came_before_the_time_was_over_is_shown_and_told() {
    let server = Server::start();
    server.on("/slow.txt", Answer::new("text/plain", "the beginning\n").stalled());
    server.on("/silent.txt", Answer::new("text/plain", "").silent());
    let mut world = World::of(&server);
    world.limits.fetch_ms = 300;
    let slow = world.read(&server.url("/slow.txt"));
    assert_eq!((slow.text(), slow.notes()), ("the beginning\n", &[WebNote::Late { kept: 14, limit: "fetch_ms" }][..]));
    assert_eq!(world.read(&server.url("/slow.txt:1")).notes(), slow.notes(), "a part of that reply");
    assert_eq!(server.count("/slow.txt"), 1);
    assert_eq!(world.open(&server.url("/silent.txt")).unwrap_err().code(), "net.timeout");
}

#[test]
fn what_cannot_be_fetched_is_the_fetchers_failure() {
    let server = Server::start();
    let world = World::of(&server);
    assert_eq!(world.open("http://127.0.0.1:1/").unwrap_err().code(), "net.blocked");
    assert_eq!(world.open("http://user:word@e.test/").unwrap_err().code(), "net.bad_url");
}
