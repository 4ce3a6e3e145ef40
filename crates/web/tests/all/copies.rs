//! What is kept, for whom and for how long.

use readstone_base::WebNote;
use readstone_source::Fresh;

use crate::pages::{LONG, article};
use crate::server::{Answer, Server};
use crate::world::World;

#[test]
fn five_ranges_of_a_page_are_one_request_of_it() {
    let server = Server::start();
    server.on("/tides.php", Answer::html(&article("")));
    let world = World::of(&server);
    let whole = world.read(&server.url("/tides.php"));
    for part in ["1-2", "3", "2-", "-1", "@About tides"] {
        let shown = world.read(&server.url(&format!("/tides.php:{part}")));
        assert_eq!((shown.text(), shown.web.clone()), (whole.text(), whole.web.clone()), "{part}");
        assert_eq!(shown.tail.as_deref(), Some(part));
    }
    assert_eq!(server.paths(), ["/tides.php"]);
    let first = World::of(&server);
    first.read(&server.url("/tides.php:1-2"));
    first.read(&server.url("/tides.php:3-4"));
    assert_eq!(server.count("/tides.php"), 2, "the first part fetches, the second does not");
}

#[test]
fn bytes_come_from_the_copy_too_and_modes_are_kept_apart() {
    let server = Server::start();
    let html = article("");
    server.on("/tides.php", Answer::html(&html));
    let world = World::of(&server);
    world.read(&server.url("/tides.php:raw"));
    let part = world.read(&server.url("/tides.php:1-2:raw"));
    assert_eq!((part.method(), part.text(), part.name.as_deref()), ("raw", html.as_str(), Some("tides.php.html")));
    assert_eq!(server.count("/tides.php"), 1);
    assert_eq!(world.read(&server.url("/tides.php:1-2")).method(), "main-text");
    assert_eq!(server.count("/tides.php"), 2);
}

#[test]
fn a_page_asked_for_whole_is_asked_after_and_an_unchanged_one_is_not_sent_again() {
    let server = Server::start();
    server.on("/a.txt", Answer::new("text/plain", "one\n").with("ETag", "\"1\""));
    server.on("/b.txt", Answer::new("text/plain", "one\n")).on("/b.txt", Answer::new("text/plain", "two\n"));
    let world = World::of(&server);
    assert_eq!(world.read(&server.url("/a.txt")).text(), "one\n");
    let again = world.read(&server.url("/a.txt"));
    assert_eq!(
        (again.text(), again.method(), again.web.content_type.as_deref()),
        ("one\n", "text", Some("text/plain"))
    );
    assert!(server.last().contains("If-None-Match: \"1\""), "{}", server.last());
    assert_eq!(
        (world.read(&server.url("/b.txt")).text(), world.read(&server.url("/b.txt")).text()),
        ("one\n", "two\n")
    );
    assert_eq!(world.read(&server.url("/b.txt:1")).text(), "two\n");
}

#[test]
fn what_was_found_elsewhere_is_asked_for_again_though_the_page_is_the_same() {
    let server = Server::start();
    server.on("/a", Answer::html(&article("")).with("ETag", "\"1\""));
    server.on("/a.md", Answer::new("text/markdown", format!("# One\n\n{LONG}\n")));
    server.on("/a.md", Answer::new("text/markdown", format!("# Two\n\n{LONG}\n")));
    let world = World::of(&server);
    assert!(world.read(&server.url("/a")).text().starts_with("# One"));
    assert!(world.read(&server.url("/a")).text().starts_with("# Two"));
}

#[test]
fn a_copy_serves_for_an_hour_and_whoever_reads_on_keeps_to_it() {
    let server = Server::start();
    server.on("/a.txt", Answer::new("text/plain", "one\n")).on("/a.txt", Answer::new("text/plain", "two\n"));
    let mut world = World::of(&server);
    world.read(&server.url("/a.txt"));
    world.wait(3_600);
    assert_eq!(world.read(&server.url("/a.txt:1")).text(), "one\n");
    world.fresh = Fresh::Keep;
    assert_eq!(world.read(&server.url("/a.txt")).text(), "one\n");
    world.wait(1);
    assert_eq!(world.read(&server.url("/a.txt:1")).text(), "two\n");
}

#[test]
fn n17_another_session_has_its_own_copies_and_their_names_tell_nothing() {
    let server = Server::start();
    server.on("/secret-path.txt?key=hush", Answer::new("text/plain", "one\n"));
    let (one, other) = (World::of(&server), World::of(&server));
    one.read(&server.url("/secret-path.txt?key=hush"));
    other.read(&server.url("/secret-path.txt?key=hush"));
    assert_eq!(server.paths().len(), 2);
    assert_eq!(one.names().len(), 1);
    assert!(one.names().iter().all(|name| name.len() == 64 && !name.contains("secret") && !name.contains("hush")));
}

#[test]
fn n17_a_refusal_is_forgotten_when_the_page_is_there_again() {
    let server = Server::start();
    server.on("/a.txt", Answer::new("text/plain", "sorry\n").status("503 Later").with("ETag", "\"1\""));
    server.on("/a.txt", Answer::new("text/plain", "here\n").with("ETag", "\"1\""));
    let world = World::of(&server);
    assert_eq!(world.read(&server.url("/a.txt")).method(), "failed");
    assert_eq!(world.names(), Vec::<String>::new(), "a refusal is not kept");
    let again = world.read(&server.url("/a.txt:1"));
    assert!(!server.last().contains("If-None-Match"), "a refusal is no copy");
    assert_eq!((again.method(), again.text()), ("text", "here\n"));
    assert_eq!(world.read(&server.url("/a.txt:1")).text(), "here\n");
}

#[test]
fn n17_what_failed_or_broke_off_never_stands_before_a_sound_copy() {
    let server = Server::start();
    let whole = || Answer::new("text/plain", "all of it\n");
    let refusal = Answer::new("text/plain", "sorry\n").status("503 Later");
    server.on("/a.txt", whole()).on("/a.txt", refusal).on("/a.txt", Answer::new("text/plain", "all").short());
    let world = World::of(&server);
    world.read(&server.url("/a.txt"));
    for (method, text) in [("failed", "sorry\n"), ("text", "all")] {
        let shown = world.read(&server.url("/a.txt"));
        assert_eq!((shown.method(), shown.text()), (method, text));
        let part = world.read(&server.url("/a.txt:1"));
        assert_eq!((part.method(), part.text(), part.notes()), ("text", "all of it\n", &[] as &[WebNote]));
    }
    assert_eq!(server.count("/a.txt"), 3);
}

#[test]
fn n17_a_broken_answer_is_kept_to_read_on_and_for_no_longer() {
    let server = Server::start();
    server.on("/a.txt", Answer::new("text/plain", "half").short()).on("/a.txt", Answer::new("text/plain", "half of\n"));
    let world = World::of(&server);
    let broken = world.read(&server.url("/a.txt"));
    let part = world.read(&server.url("/a.txt:1"));
    assert_eq!((part.text(), part.notes(), server.count("/a.txt")), ("half", broken.notes(), 1));
    world.wait(301);
    assert_eq!(world.read(&server.url("/a.txt:1")).text(), "half of\n");
}

#[test]
fn the_page_that_answered_has_the_copy_too_unless_somebody_else_led_there() {
    let (server, other) = (Server::start(), Server::start());
    server.on("/old", Answer::to("/new.txt")).on("/new.txt", Answer::new("text/plain", "here\n"));
    let world = World::of(&server);
    world.read(&server.url("/old"));
    let direct = world.read(&server.url("/new.txt:1"));
    assert_eq!((direct.text(), direct.notes(), server.count("/new.txt")), ("here\n", &[] as &[WebNote], 1));
    other.on("/trap", Answer::to(&server.url("/new.txt")));
    let mut world = World::of_both(&server, &other);
    world.fresh = Fresh::Ask;
    assert_eq!(world.read(&other.url("/trap")).text(), "here\n");
    world.read(&server.url("/new.txt:1"));
    assert_eq!(server.count("/new.txt"), 3, "what an insecure host led to is not kept under the other's address");
}

#[test]
fn what_is_larger_than_half_of_all_room_is_not_kept() {
    let server = Server::start();
    server.on("/a.txt", Answer::new("text/plain", "x".repeat(600)));
    let mut world = World::of(&server);
    world.limits.kept_bytes = 1_000;
    world.read(&server.url("/a.txt"));
    assert_eq!(world.names(), Vec::<String>::new());
}
