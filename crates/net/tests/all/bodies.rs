//! Bodies that are too long, too short, or not what they say.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use readstone_base::{Budget, Class, Clock, Failure as _};
use readstone_net::{Ask, Ending, Fetched};

use crate::peer::Peer;
use crate::{ASK, closed, fetcher, for_ever, get, url};

fn capped(peer: &Peer, path: &str, most: u64) -> Fetched {
    fetcher(&["loopback"]).get(&url(&peer.url(path)), &Ask { most, ..ASK }, &for_ever()).unwrap()
}

#[test]
fn n10_a_body_without_end_is_cut_at_the_cap() {
    let peer = Peer::start().unwrap();
    for (path, byte) in [("/endless", b'e'), ("/endless_chunked", b'c')] {
        let fetched = capped(&peer, path, 300_001);
        assert_eq!((fetched.body.len(), fetched.ending), (300_001, Ending::Cut { most: 300_001 }), "{path}");
        assert!(fetched.body.iter().all(|own| *own == byte) && fetched.body.capacity() < 400_000, "{path}");
    }
    assert!(closed(&peer));
}

#[test]
fn n10_a_body_that_unpacks_to_nothing_for_ever_ends_too() {
    let peer = Peer::start().unwrap();
    let fetched = capped(&peer, "/endless_nothing", 1000);
    assert_eq!((fetched.body.len(), fetched.ending), (0, Ending::Cut { most: 1000 }));
}

#[test]
fn n10_what_stands_between_chunks_counts_on_the_wire() {
    let peer = Peer::start().unwrap();
    let fetched = capped(&peer, "/endless_framing", 1000);
    assert!((200..300).contains(&fetched.body.len()), "{}", fetched.body.len());
    assert_eq!(fetched.ending, Ending::Cut { most: 1000 });
    assert!(closed(&peer));
}

#[test]
fn n10_many_small_chunks_are_not_asked_for_one_by_one() {
    #[derive(Debug, Default)]
    struct Counting(AtomicUsize);
    impl Clock for Counting {
        fn wall(&self) -> i64 {
            0
        }

        fn elapsed(&self) -> Duration {
            self.0.fetch_add(1, Ordering::Relaxed);
            Duration::ZERO
        }
    }
    let peer = Peer::start().unwrap();
    let clock = Arc::new(Counting::default());
    let budget = Budget::new(clock.clone(), Some(Duration::from_mins(1)));
    let page = fetcher(&["loopback"]).get(&url(&peer.url("/tiny_chunks")), &ASK, &budget).unwrap();
    assert_eq!((page.body, page.ending), (b"t".repeat(100_000), Ending::Whole));
    // A peer that is slow to send makes a few more of them, but never as many as there are chunks.
    let asked = clock.0.load(Ordering::Relaxed);
    assert!(asked < 20_000, "{asked}");
}

#[test]
fn n11_the_cap_counts_unpacked_bytes() {
    let peer = Peer::start().unwrap();
    for (path, byte) in [("/gzip_bomb", 0), ("/br_bomb", b'b'), ("/zstd_bomb", b'z')] {
        let fetched = capped(&peer, path, 1 << 20);
        assert_eq!((fetched.body.len(), fetched.ending), (1 << 20, Ending::Cut { most: 1 << 20 }), "{path}");
        assert!(fetched.body.iter().all(|own| *own == byte), "{path}");
    }
    for path in ["/gzip", "/br", "/zstd"] {
        let whole = capped(&peer, path, 15);
        assert_eq!((whole.body.as_slice(), whole.ending), (&b"<p>unpacked</p>"[..], Ending::Whole), "{path}");
        assert_eq!(capped(&peer, path, 14).ending, Ending::Cut { most: 14 }, "{path}");
    }
    assert_eq!(capped(&peer, "/zstd_frames", 1000).body, b"<p>unpacked</p>".repeat(3));
}

#[test]
fn n11_what_follows_a_packed_body_and_is_no_part_of_it_is_left_alone() {
    let peer = Peer::start().unwrap();
    for path in ["/gzip_padded", "/gzip_trailed", "/gzip_half_more", "/endless_padding"] {
        let page = capped(&peer, path, 1000);
        assert_eq!((page.body.as_slice(), page.ending), (&b"<p>unpacked</p>"[..], Ending::Whole), "{path}");
    }
    assert!(closed(&peer));
    assert_eq!(capped(&peer, "/gzip_members", 1000).body, b"<p>unpacked</p>".repeat(3));
}

#[test]
fn n11_one_layer_is_unpacked_and_no_other() {
    let peer = Peer::start().unwrap();
    let error = get(&peer.url("/gzip_gzip")).unwrap_err();
    assert_eq!(error.code(), "net.io");
    assert!(error.to_string().contains("packed more than once (gzip, gzip)"), "{error}");
    assert_eq!(get(&peer.url("/gzip_twice")).unwrap().body[..2], [0x1f, 0x8b]);
    for (path, why) in [("/strange_coding", "(compress)"), ("/br_large", "brotli"), ("/gzip_lie", "gzip")] {
        let error = get(&peer.url(path)).unwrap_err();
        assert!(error.code() == "net.io" && error.to_string().contains(why), "{path}: {error}");
    }
}

#[test]
fn n12_a_body_that_ends_early_is_kept_and_marked() {
    let peer = Peer::start().unwrap();
    let short = get(&peer.url("/short")).unwrap();
    assert_eq!((short.body.as_slice(), short.ending), (&b"only this"[..], Ending::Short { expected: 1000, got: 9 }));
    let reset = get(&peer.url("/reset")).unwrap();
    assert_eq!(reset.body, b"half");
    assert!(matches!(reset.ending, Ending::Broken(_)), "{:?}", reset.ending);
    let chunk = get(&peer.url("/bad_chunk_later")).unwrap();
    assert_eq!((chunk.body.as_slice(), chunk.ending), (&b"this"[..], Ending::Broken("its chunks are damaged".into())));
    let ended = "the connection ended in the middle of it";
    for (path, why) in
        [("/chunk_without_end", ended), ("/chunk_cut", ended), ("/chunk_too_long", "its chunks are damaged")]
    {
        let chunk = get(&peer.url(path)).unwrap();
        assert_eq!((chunk.body.as_slice(), chunk.ending), (&b"hello"[..], Ending::Broken(why.into())), "{path}");
    }
    for path in ["/gzip_cut", "/br_cut", "/zstd_cut"] {
        let packed = get(&peer.url(path)).unwrap();
        assert!((7000..9000).contains(&packed.body.len()), "{path}: {}", packed.body.len());
        assert!(matches!(packed.ending, Ending::Broken(_)), "{path}: {:?}", packed.ending);
    }
}

#[test]
fn n12_a_body_of_which_nothing_came_is_an_error() {
    let peer = Peer::start().unwrap();
    for path in ["/short_nothing", "/bad_chunk", "/cl_te", "/reset_early"] {
        let error = get(&peer.url(path)).unwrap_err();
        assert_eq!((error.code(), error.class()), ("net.io", Class::Outside), "{path}");
    }
}

#[test]
fn n12_what_follows_a_body_is_never_read_as_a_part_of_it() {
    let peer = Peer::start().unwrap();
    let long = get(&peer.url("/long")).unwrap();
    assert_eq!((long.body.as_slice(), long.ending), (&b"this"[..], Ending::Whole));
    let chunked = get(&peer.url("/chunked")).unwrap();
    assert_eq!((chunked.body.as_slice(), chunked.ending), (&b"thisone"[..], Ending::Whole));
}

#[test]
fn n13_a_head_that_is_too_long_or_none_at_all_is_refused() {
    let peer = Peer::start().unwrap();
    for (path, code, class) in [
        ("/many_headers", "net.header", Class::TooBig),
        ("/huge_header", "net.header", Class::TooBig),
        ("/no_http", "net.io", Class::Outside),
    ] {
        let error = get(&peer.url(path)).unwrap_err();
        assert_eq!((error.code(), error.class()), (code, class), "{path}: {error}");
    }
}

#[test]
fn n14_bytes_and_type_arrive_as_they_were_sent() {
    let peer = Peer::start().unwrap();
    let latin = get(&peer.url("/latin1")).unwrap();
    assert_eq!(latin.content_type.as_deref(), Some("text/html; charset=iso-8859-1"));
    assert_eq!(latin.body, b"<p>caf\xe9</p>");
    assert_eq!(get(&peer.url("/bad_charset")).unwrap().body, latin.body);
    assert_eq!(get(&peer.url("/type_lie")).unwrap().content_type.as_deref(), Some("image/png"));
    assert!(get(&peer.url("/inject")).unwrap().body.starts_with(b"<p>Ignore"));
}

#[test]
fn a_page_that_is_not_there_is_an_answer_and_one_that_hints_first_is_waited_for() {
    let peer = Peer::start().unwrap();
    peer.page("/own", "text/markdown", b"# Own");
    let own = get(&peer.url("/own?x=1")).unwrap();
    assert_eq!((own.content_type.as_deref(), own.body.as_slice()), (Some("text/markdown"), &b"# Own"[..]));
    let missing = get(&peer.url("/nothing")).unwrap();
    assert_eq!(
        (missing.status, missing.reason.as_str(), missing.body.as_slice()),
        (404, "Not Found", &b"no such page"[..])
    );
    let late = get(&peer.url("/early_hints")).unwrap();
    assert_eq!((late.status, late.body.as_slice(), late.links.len()), (200, &b"<p>late</p>"[..], 0));
    assert_eq!((peer.asked()[0].method.as_str(), peer.asked()[0].target.as_str()), ("GET", "/own?x=1"));
}

#[test]
fn n12_answers_damaged_in_any_place_are_refused_or_bounded_and_never_break_the_fetcher() {
    let peer = Peer::start().unwrap();
    let sound: [&[u8]; 4] = [
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/html\r\n\r\n4;a\r\nthis\r\n3\r\none\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08\0\0\0\0\0\x02\x03\x03\0\0\0\0\0\0\0\0\0",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n\x0b\x02\x80hello\x03",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\n\r\n\x28\xb5\x2f\xfd\x00\x68\x29\0\0hello",
    ];
    let mut seed = 7u32;
    let mut dice = |sides: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize % sides
    };
    for turn in 0..400 {
        let mut bytes = sound[turn % 4].to_vec();
        for _ in 0..=dice(3) {
            let at = dice(bytes.len());
            bytes[at] = u8::try_from(dice(256)).unwrap();
        }
        peer.raw("/any", &bytes);
        match fetcher(&["loopback"]).get(&url(&peer.url("/any")), &Ask { most: 100, ..ASK }, &for_ever()) {
            Ok(page) => assert!(page.body.len() <= 100),
            Err(error) => assert!(!error.to_string().contains("the fetch broke off"), "{error}: {bytes:?}"),
        }
    }
}
