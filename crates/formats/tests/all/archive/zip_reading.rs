//! Reading zip archives.

use readstone_base::{Class, Mark, Note, TreeSize, When};

use super::kit::{Got, World, gzip, identity, prose, same, tar};
use super::zip_writer::{Item, end, zip};

fn sample() -> World {
    let items = [
        Item::deflated("docs/guide.txt", b"one\ntwo\n"),
        Item::stored("docs/plain.txt", b"plain"),
        Item::stored("docs/deep/a.txt", b"a"),
        Item::stored("empty/", b""),
        Item::stored("notes:50-60", b"literal"),
        Item::deflated("top.txt", &prose(1, 30_000)),
    ];
    World::new("a.zip", zip(&items))
}

#[test]
fn entries_are_read_by_name_and_selectors_stand_behind_them() {
    let world = sample();
    assert_eq!(world.text("docs/guide.txt"), "one\ntwo\n");
    assert_eq!(world.text("./docs//plain.txt"), "plain");
    let Ok(Got::Bytes { piece, rest, notes }) = world.enter(Some("docs/guide.txt:1-2")) else { panic!("no entry") };
    assert_eq!((piece.path.as_str(), piece.name.as_str()), ("a.zip:docs/guide.txt", "guide.txt"));
    assert_eq!(rest.as_deref(), Some("1-2"));
    assert_eq!(notes, []);
    assert_eq!(world.text("notes:50-60"), "literal", "a name is taken literally first");
    assert_eq!(world.bytes("top.txt").0, prose(1, 30_000));
    assert_eq!(world.text("#2"), "plain");
}

#[test]
fn directories_are_listed_with_sizes_and_times() {
    let world = sample();
    assert_eq!(world.names(None), ["docs", "empty", "notes:50-60", "top.txt"]);
    assert_eq!(world.names(Some("docs/")), ["deep", "guide.txt", "plain.txt"]);
    let (rows, _) = world.list(Some("docs"));
    assert!(matches!(rows[0].size, TreeSize::Directory));
    assert!(matches!(rows[1].size, TreeSize::File(8)));
    // 22 October 2023, 08:25:02
    assert_eq!(rows[1].when, When::At(1_697_963_102));
    let (rows, _) = world.list(Some("empty"));
    assert!(rows.is_empty());
    let Ok(Got::List { path, rest, .. }) = world.enter(Some("docs:2-")) else { panic!("no listing") };
    assert_eq!((path.as_str(), rest.as_deref()), ("a.zip:docs", Some("2-")));
    let Ok(Got::List { path, rest, .. }) = world.enter(Some("501-")) else { panic!("no listing") };
    assert_eq!((path.as_str(), rest.as_deref()), ("a.zip", Some("501-")));
    assert!(matches!(world.enter(Some("hex")), Ok(Got::Itself)));
    assert!(matches!(world.enter(Some("raw")), Ok(Got::Itself)));
}

#[test]
fn a_missing_name_is_answered_with_names_that_work() {
    let world = sample();
    let fault = world.fault("GUIDE.txt:3");
    assert_eq!((fault.code(), fault.class()), ("archive.not_found", Class::Missing));
    assert_eq!(fault.next()[0].argument, "a.zip:docs/guide.txt:3");
    assert_eq!(world.fault("nothing/here").next()[0].argument, "a.zip");
    assert_eq!(world.fails("../top.txt"), "archive.bad_name");
    assert_eq!(world.fails("docs/../top.txt"), "archive.bad_name");
    assert_eq!(world.fails("docs:nothing"), "archive.not_found");
}

#[test]
fn a_missing_name_is_certain_only_where_every_name_was_compared() {
    let mut world = sample();
    let certain = |world: &World, tail: &str| world.fault(tail).instead().map(|instead| instead.address);
    assert_eq!(certain(&world, "plan.txt:2-"), None, "two letters are missing in a short name");
    assert_eq!(certain(&world, "guide.txt:2-").as_deref(), Some("a.zip:docs/guide.txt:2-"));
    assert_eq!(certain(&world, "x/docs/deep").as_deref(), Some("a.zip:docs/deep"));
    assert_eq!(world.fault("docs:nothing").next()[0].argument, "a.zip:docs");
    world.limits.suffix_ms = 0;
    let fault = world.fault("guide.txt:2-");
    assert!(fault.instead().is_none() && fault.to_string().ends_with("not all names were compared with it"), "{fault}");
}

#[test]
fn secrets_are_neither_guessed_at_nor_offered() {
    let world = World::new("a.zip", zip(&[Item::stored("app/.env", b"KEY=1"), Item::stored("app/x.txt", b"x")]));
    let fault = world.fault(".env");
    assert!(fault.instead().is_none() && fault.next().iter().all(|next| !next.argument.contains(".env")), "{fault}");
}

#[test]
fn of_many_names_that_come_near_the_nearest_three_are_offered() {
    let names: Vec<String> = (0..20_000).map(|number| format!("d{}/module{number}.rs", number % 500)).collect();
    let items: Vec<Item> = names.iter().map(|name| Item::stored(name, b"")).collect();
    let world = World::new("a.zip", zip(&items));
    let near = world.fault("d1/modul.rs").next();
    assert_eq!(near.len(), 3, "{near:?}");
    assert_eq!(near[0].argument, "a.zip:d1/module1.rs");
}

#[test]
fn every_way_of_packing_is_read_and_checked() {
    let text = prose(7, 300_000);
    for method in [0, 8, 12, 93, 95] {
        let good = Item::new("x.txt", &text, method);
        let world = World::new("m.zip", zip(std::slice::from_ref(&good)));
        same(&world.bytes("x.txt").0, &text, &format!("method {method}"));
        let bad = Item { crc: good.crc ^ 1, ..good.clone() };
        assert_eq!(World::new("m.zip", zip(&[bad])).fails("x.txt"), "archive.corrupt", "method {method}");
        let short = Item { size: good.size - 1, ..good.clone() };
        assert_eq!(World::new("m.zip", zip(&[short])).fails("x.txt"), "archive.corrupt", "method {method}");
        let long = Item { size: good.size + 1, ..good };
        assert_eq!(World::new("m.zip", zip(&[long])).fails("x.txt"), "archive.corrupt", "method {method}");
    }
}

#[test]
fn one_entry_costs_what_it_holds_and_not_what_the_archive_holds() {
    let mut items: Vec<Item> = (0..200).map(|n| Item::stored(format!("big{n}.bin"), &prose(n, 50_000))).collect();
    items.push(Item::deflated("small.txt", b"small"));
    let world = World::new("big.zip", zip(&items));
    assert_eq!(world.text("small.txt"), "small");
    let cold = world.read();
    assert!(cold < 40_000, "{cold} bytes were read");
    assert_eq!(world.text("small.txt"), "small");
    let warm = world.read();
    assert!(warm < 4_000, "{warm} bytes were read");
}

#[test]
fn a_large_entry_is_read_at_any_offset_and_said_to_be_unchecked() {
    let text = prose(3, 12 << 20);
    let world = World::new("l.zip", zip(&[Item::deflated("l.log", &text)]));
    let Ok(Got::Bytes { piece, notes, .. }) = world.enter(Some("l.log")) else { panic!("no entry") };
    assert_eq!(notes, [Note::Unchecked]);
    assert_eq!(piece.blob.len(), Some(text.len() as u64));
    assert!(piece.blob.is_serial());
    for at in [11 << 20, 5 << 20, 0, 12_000_000, 3] {
        assert_eq!(piece.blob.read_range(at, at + 1000).unwrap(), text[at as usize..at as usize + 1000]);
    }
}

#[test]
fn nested_archives_are_entered_one_by_one() {
    let inner =
        zip(&[Item::deflated("deep.txt", b"deep"), Item::stored("x.db-wal", b"log"), Item::stored("x.db", b"db")]);
    let middle = gzip(&tar(&[("c.zip", &inner)]));
    let world = World::new("nest.zip", zip(&[Item::stored("b.tar.gz", &middle)]));
    assert_eq!(world.text("b.tar.gz:c.zip:deep.txt"), "deep");
    let Ok(Got::Bytes { piece, rest, .. }) = world.enter(Some("b.tar.gz:c.zip:x.db:users?limit=1")) else {
        panic!("no entry")
    };
    assert_eq!(piece.path, "nest.zip:b.tar.gz:c.zip:x.db");
    assert_eq!(rest.as_deref(), Some("users?limit=1"));
    let Ok(Got::Bytes { rest, .. }) = world.enter(Some("b.tar.gz:c.zip:x.db?q=SELECT 1")) else { panic!("no entry") };
    assert_eq!(rest.as_deref(), Some("?q=SELECT 1"));
    let beside = piece.beside.open("-wal").unwrap().expect("a log");
    assert_eq!(beside.read_range(0, 10).unwrap(), b"log");
    assert!(piece.beside.open("-shm").unwrap().is_none());
    assert!(piece.stamp.is_some());
    assert_eq!(identity(piece.blob.stamp().unwrap()), identity(piece.stamp), "every part knows who it is");
}

#[test]
fn withheld_names_are_counted_and_refused() {
    let world = World::new("s.zip", zip(&[Item::stored("app/.env", b"KEY"), Item::stored("app/x", b"x")]));
    assert_eq!(world.names(Some("app")), ["x"]);
    let Ok(Got::List { listing, .. }) = world.enter(Some("app")) else { panic!("no listing") };
    assert_eq!(listing.hidden()[0].count, 1);
    let fault = world.fault("app/.env");
    assert_eq!((fault.code(), fault.class()), ("archive.denied", Class::Denied));
    assert!(fault.to_string().contains("**/.env"));
}

#[test]
fn names_are_shown_so_that_they_can_be_read_back() {
    let odd: [&[u8]; 4] = [b"tab\there", b"latin\xE9.txt", "bidi\u{202E}x".as_bytes(), b"back\\slash"];
    let items: Vec<Item> = odd.iter().map(|name| Item::stored(name, name)).collect();
    let world = World::new("n.zip", zip(&items));
    for name in world.names(None) {
        assert!(odd.contains(&&*world.bytes(&name).0), "{name}");
    }
}

#[test]
fn large_archives_tell_their_sizes_elsewhere() {
    let item = Item::deflated("x.txt", b"sixty-four");
    let mut extra = vec![1, 0, 16, 0];
    extra.extend(item.size.to_le_bytes());
    extra.extend((item.data.len() as u64).to_le_bytes());
    let large = Item { size: 0xFFFF_FFFF, packed: Some(0xFFFF_FFFF), extra, ..item.clone() };
    let mut bytes = item.local();
    bytes.extend(&item.data);
    let start = bytes.len() as u64;
    let central = large.central(0);
    bytes.extend(&central);
    let place = bytes.len() as u64;
    bytes.extend(b"PK\x06\x06");
    bytes.extend(44_u64.to_le_bytes());
    bytes.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    for number in [1, 1, central.len() as u64, start] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(b"PK\x06\x07\x00\x00\x00\x00");
    bytes.extend(place.to_le_bytes());
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend(end(0xFFFF, 0xFFFF_FFFF, 0xFFFF_FFFF, b""));
    let world = World::new("l.zip", bytes.clone());
    assert_eq!(world.text("x.txt"), "sixty-four");
    let mut before = b"#!/bin/sh\n".to_vec();
    before.extend(bytes);
    let world = World::new("l.run", before);
    assert_eq!(world.text("x.txt"), "sixty-four");
}

#[test]
fn a_better_time_is_taken_where_it_is_given() {
    let extra = vec![0x55, 0x54, 5, 0, 1, 0x00, 0xF1, 0x53, 0x65];
    let world = World::new("t.zip", zip(&[Item { extra, ..Item::stored("x", b"x") }]));
    assert_eq!(world.list(None).0[0].when, When::At(0x6553_F100));
}

#[test]
fn marks_say_what_is_odd() {
    let items = [
        Item { flags: 1, ..Item::stored("secret", b"xxxx") },
        Item { method: 97, ..Item::stored("wave", b"xxxx") },
        Item::stored("twice", b"first"),
        Item::stored("twice", b"second"),
    ];
    let world = World::new("m.zip", zip(&items));
    let (rows, _) = world.list(None);
    let marks: Vec<_> = rows.into_iter().map(|row| (row.name, row.marks)).collect();
    assert_eq!(
        marks,
        [
            ("secret".to_owned(), vec![Mark::Encrypted]),
            ("twice".to_owned(), vec![Mark::SameName("m.zip:#3".to_owned())]),
            ("twice".to_owned(), vec![Mark::SameName("m.zip:#4".to_owned())]),
            ("wave".to_owned(), vec![Mark::Unsupported("method 97 (WavPack)".to_owned())]),
        ]
    );
}

#[test]
fn names_in_unicode_are_taken_where_they_belong_to_the_name() {
    let extra = |name: &[u8], unicode: &str| {
        let mut field = vec![0x75, 0x70];
        field.extend((unicode.len() as u16 + 5).to_le_bytes());
        field.push(1);
        field.extend(crc32fast::hash(name).to_le_bytes());
        field.extend(unicode.as_bytes());
        field
    };
    let items = [
        Item { extra: extra(b"\x84.txt", "ä.txt"), ..Item::stored(b"\x84.txt", b"one") },
        Item { extra: extra(b"other", "ö.txt"), ..Item::stored(b"b.txt", b"two") },
    ];
    let world = World::new("u.zip", zip(&items));
    assert_eq!(world.names(None), ["b.txt", "ä.txt"]);
    let (bytes, notes) = world.bytes("ä.txt");
    assert_eq!((bytes.as_slice(), notes.len()), (&b"one"[..], 0));
}
