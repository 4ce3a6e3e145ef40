//! Known sites, with a server that stands in for them.

use crate::pages::article;
use crate::server::{Answer, Server};
use crate::world::World;

#[test]
fn a_known_site_is_read_from_what_it_says_without_its_page() {
    let server = Server::start();
    let code = "fn main() {\n    tide();\n}\n";
    server.on("/raw.githubusercontent.com/sea/tides/main/src/main.rs", Answer::new("text/plain; charset=utf-8", code));
    let world = World::standing_in(&server);
    let shown = world.read("https://github.com/sea/tides/blob/main/src/main.rs#L2-L3");
    assert_eq!((shown.method(), shown.text()), ("github-blob", code));
    assert_eq!((shown.name.as_deref(), shown.tail.as_deref()), (Some("main.rs"), Some("L2-L3")));
    assert_eq!(shown.web.final_url, "https://github.com/sea/tides/blob/main/src/main.rs");
    assert_eq!(shown.web.origin, "github.com");
    world.read("https://github.com/sea/tides/blob/main/src/main.rs:1");
    assert_eq!(server.paths().len(), 1, "its parts come from the copy");
}

#[test]
fn a_file_that_is_no_text_is_read_as_what_it_is() {
    let server = Server::start();
    let pdf = include_bytes!("../files/tides.pdf");
    server.on("/raw.githubusercontent.com/sea/tides/main/a.pdf", Answer::new("application/octet-stream", pdf));
    let shown = World::standing_in(&server).read("https://github.com/sea/tides/blob/main/a.pdf");
    assert_eq!((shown.method(), shown.name.as_deref()), ("github-blob", Some("a.pdf")));
}

#[test]
fn a_site_that_says_nothing_leaves_its_page_and_what_was_asked_counts() {
    let server = Server::start();
    server.on("/github.com/sea/tides/blob/main/a.rs", Answer::html(&article("")));
    let shown = World::standing_in(&server).read("https://github.com/sea/tides/blob/main/a.rs");
    assert_eq!(shown.method(), "main-text");
    assert_eq!(
        server.paths(),
        ["/raw.githubusercontent.com/sea/tides/main/a.rs", "/github.com/sea/tides/blob/main/a.rs"]
    );
}

#[test]
fn the_body_of_a_known_site_is_the_body_of_its_page() {
    let server = Server::start();
    let html = article("");
    server.on("/github.com/sea/tides/blob/main/a.rs", Answer::html(&html));
    let shown = World::standing_in(&server).read("https://github.com/sea/tides/blob/main/a.rs:raw");
    assert_eq!((shown.method(), shown.text()), ("raw", html.as_str()));
    assert_eq!(server.paths().len(), 1);
}
