//! Pages that call or embed what is not theirs: a part of the rows H02 and H14 of `docs/hostile.md`.

use readstone_testkit::{PATHS, Served, World};

fn world() -> World {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    world.file("a.txt", "hello\n");
    world
}

fn serve(world: &World) -> Served {
    Served::start::<&str>(world, [])
}

#[test]
fn h02_what_a_page_from_elsewhere_embeds_is_refused_although_it_carries_no_origin() {
    let world = world();
    let server = serve(&world);
    for site in ["cross-site", "same-site"] {
        let answer = server.request("GET", "/metrics", &[("Sec-Fetch-Site", site)], b"");
        assert_eq!(answer.status, 403, "{site}");
    }
    let own = server.request("GET", "/metrics", &[("Sec-Fetch-Site", "none")], b"");
    assert_eq!((own.status, own.header("cross-origin-resource-policy")), (200, Some("same-origin")));
}

#[test]
fn h14_pages_of_an_origin_that_was_named_may_call() {
    let world = world();
    let server = Served::start(&world, ["--allow-origin", "https://app.example"]);
    let page = ("Origin", "https://app.example");
    let asked = server.request("OPTIONS", "/v1/tools/read", &[page, ("Access-Control-Request-Method", "POST")], b"");
    assert_eq!((asked.status, asked.header("access-control-allow-origin")), (204, Some("https://app.example")));
    let headers = [page, ("Content-Type", "application/json"), ("Sec-Fetch-Site", "cross-site")];
    let called = server.request("POST", "/v1/tools/read", &headers, br#"{"path":"/"}"#);
    assert_eq!((called.status, called.header("access-control-allow-origin")), (200, Some("https://app.example")));
    let other = server.request("GET", "/v1/tools", &[("Origin", "http://localhost:3000")], b"");
    assert_eq!((other.status, other.header("access-control-allow-origin")), (200, None));
}

#[test]
fn h14_no_page_is_let_in_by_a_preflight() {
    let world = world();
    let server = serve(&world);
    for origin in ["https://evil.test", "http://localhost:5000", "null"] {
        for path in PATHS {
            let asks = [
                ("Origin", origin),
                ("Access-Control-Request-Method", "POST"),
                ("Access-Control-Request-Headers", "authorization"),
            ];
            let answer = server.request("OPTIONS", path, &asks, b"");
            assert!(answer.status >= 400, "{path} for {origin}: {}", answer.status);
            let lets_in = answer.headers.iter().any(|(name, _)| name.starts_with("access-control-"));
            assert!(!lets_in, "{path} for {origin}: {:?}", answer.headers);
        }
    }
}
