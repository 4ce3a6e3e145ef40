//! Encodings.

use readstone_base::WebNote;

use crate::server::{Answer, Server};
use crate::world::World;

fn read(kind: &str, body: &[u8]) -> (String, Vec<WebNote>) {
    let server = Server::start();
    server.on("/a.php", Answer::new(kind, body));
    let shown = World::of(&server).read(&server.url("/a.php"));
    (shown.text().to_owned(), shown.notes().to_vec())
}

fn charset(name: &str, replaced: u64) -> WebNote {
    WebNote::Charset { name: name.to_owned(), replaced }
}

fn page(meta: &str, text: &[u8]) -> Vec<u8> {
    let head = format!("<!doctype html><html><head>{meta}<title>T</title></head><body><h1>T</h1><p>");
    [head.as_bytes(), text, b"</p></body></html>"].concat()
}

#[test]
fn n14_what_the_server_says_comes_before_what_the_page_says() {
    let (text, notes) = read("text/html; charset=ISO-8859-1", &page("<meta charset=windows-1251>", b"caf\xE9"));
    assert!(text.contains("café"), "{text}");
    assert_eq!(notes, [charset("windows-1252", 0)]);
}

#[test]
fn n14_a_mark_comes_before_what_the_server_says() {
    let (text, notes) = read("text/plain; charset=ISO-8859-1", b"\xEF\xBB\xBFcaf\xC3\xA9\n");
    assert_eq!((text.as_str(), notes), ("café\n", vec![]));
    let wide: Vec<u8> = "\u{FEFF}tide\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let (text, notes) = read("text/plain", &wide);
    assert_eq!((text.as_str(), notes), ("tide\n", vec![charset("utf-16le", 0)]));
}

#[test]
fn n14_what_the_page_says_comes_before_a_guess() {
    let (text, notes) = read("text/html", &page("<meta charset=\"windows-1251\">", b"\xCF\xF0\xE8\xE2\xE5\xF2"));
    assert!(text.contains("Привет"), "{text}");
    assert_eq!(notes, [charset("windows-1251", 0)]);
    let (text, notes) = read("text/html", &page("", "Ебб und Flut, täglich".as_bytes()));
    assert!(text.contains("täglich"), "{text}");
    assert_eq!(notes, []);
}

#[test]
fn n14_an_encoding_that_nobody_knows_is_read_as_utf_8_and_said() {
    let (text, notes) = read("text/plain; charset=x-tide-9", b"caf\xC3\xA9 \xFF\n");
    assert_eq!(text, "café \u{FFFD}\n");
    assert_eq!(notes, [WebNote::UnknownCharset { name: "x-tide-9".to_owned(), replaced: 1 }]);
}

#[test]
fn n14_bytes_that_are_no_characters_are_counted() {
    let (text, notes) = read("text/plain; charset=utf-8", b"ok \xFF\xFE.\n");
    assert_eq!((text.as_str(), notes), ("ok \u{FFFD}\u{FFFD}.\n", vec![charset("utf-8", 2)]));
}

#[test]
fn plain_letters_need_no_word_about_their_encoding() {
    let (text, notes) = read("text/plain; charset=iso-8859-1", b"only ASCII\n");
    assert_eq!((text.as_str(), notes), ("only ASCII\n", vec![]));
}
