//! Names that a rule withholds, however they are wrapped.

use super::kit::{Got, World, gzip, xz};
use super::zip_writer::{Item, zip};

#[test]
fn what_is_inside_a_compressed_file_is_judged_by_its_own_name() {
    for name in [".env.gz", "conf/.env.gz", ".env.gz.gz"] {
        let packed = if name.ends_with("gz.gz") { gzip(&gzip(b"SECRET")) } else { gzip(b"SECRET") };
        let fault = World::new(name, packed).fault("1-3");
        assert_eq!(fault.code(), "archive.denied", "{name}");
        assert!(fault.to_string().contains("**/.env"), "{fault}");
    }
    assert_eq!(World::new("x.env.gz", gzip(b"fine")).text(""), "fine");
}

#[test]
fn compressed_entries_are_judged_by_the_names_inside() {
    let items = [
        Item::stored(".env.gz", &gzip(b"SECRET")),
        Item::stored("x/.env.xz", &xz(b"SECRET")),
        Item::stored("../.env.gz", &gzip(b"SECRET")),
        Item::stored("a/.env.gz", b"no gzip"),
    ];
    let world = World::new("s.zip", zip(&items));
    for tail in [".env.gz", "x/.env.xz", "#1", "#2", "#3", "#3:1-3"] {
        assert_eq!(world.fails(tail), "archive.denied", "{tail}");
    }
    assert_eq!(world.text("a/.env.gz"), "no gzip");
}

#[test]
fn backslashes_hide_no_names() {
    let items = [Item::stored("conf\\.env", b"SECRET"), Item::stored("conf\\ok", b"fine")];
    let world = World::new("b.zip", zip(&items));
    assert_eq!(world.names(None), ["conf\\ok"]);
    assert_eq!(world.fails("conf\\.env"), "archive.denied");
    assert_eq!(world.fails("#1"), "archive.denied");
    assert_eq!(world.text("conf\\ok"), "fine");
}

#[test]
fn what_stands_beside_an_entry_is_judged_too() {
    let names = ["d/secret.db", "d/secret.db-wal", "d/plain.db", "d/plain.db-wal"];
    let items: Vec<Item> = names.iter().map(|name| Item::stored(name, b"bytes")).collect();
    let world = World::new("n.zip", zip(&items));
    let beside = |tail| match world.enter(Some(tail)) {
        Ok(Got::Bytes { piece, .. }) => piece.beside,
        other => panic!("{other:?}"),
    };
    assert_eq!(beside("d/secret.db").open("-wal").unwrap_err().code(), "archive.denied");
    assert!(beside("d/secret.db").open("-journal").unwrap().is_none());
    assert_eq!(beside("d/plain.db").open("-wal").unwrap().unwrap().read_range(0, 9).unwrap(), b"bytes");
}
