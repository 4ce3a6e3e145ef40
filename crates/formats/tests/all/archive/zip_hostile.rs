//! Zip archives that mean no good.

use readstone_base::{Mark, Note, TreeSize};

use super::kit::{World, deflate};
use super::zip_writer::{Item, end, zip};

#[test]
fn a01_names_that_lead_out_are_shown_marked_and_read_by_number() {
    let names = ["ok.txt", "../evil.txt", "/etc/pwn.txt", "C:\\win.txt", "a/../b.txt", "..\\up.txt"];
    let items: Vec<Item> = names.iter().map(|name| Item::stored(name, name.as_bytes())).collect();
    let world = World::new("slip.zip", zip(&items));
    let (rows, _) = world.list(None);
    assert_eq!(rows.len(), 6);
    for row in &rows[1..] {
        let [Mark::UnsafeName(address)] = &row.marks[..] else { panic!("{row:?}") };
        let tail = address.strip_prefix("slip.zip:").unwrap();
        assert_eq!(world.text(tail), row.name.replace("\\\\", "\\"));
    }
    assert_eq!(world.fails("../evil.txt"), "archive.bad_name");
    assert_eq!(world.fails("a/../b.txt"), "archive.bad_name");
    assert_eq!(world.fails("/etc/pwn.txt"), "archive.not_found");
}

#[test]
fn a02_links_are_shown_and_never_followed() {
    let items = [
        Item { mode: 0o12_0777, ..Item::stored("ln", b"../../etc/passwd") },
        Item { mode: 0o12_0777, ..Item::stored("d/me", b"me") },
    ];
    let world = World::new("symlink.zip", zip(&items));
    let (rows, _) = world.list(None);
    assert!(matches!(&rows[1].size, TreeSize::Link(target) if target == "../../etc/passwd"));
    let (bytes, notes) = world.bytes("ln");
    assert_eq!((bytes.as_slice(), notes.as_slice()), (&b"../../etc/passwd"[..], &[Note::Link][..]));
    assert_eq!(world.fails("d/me"), "archive.corrupt");
}

#[test]
fn a03_entries_that_overlap_are_named() {
    let kernel = Item::deflated("a", &vec![0; 1 << 20]);
    let mut bytes = Vec::new();
    let mut central = Vec::new();
    // Three entries share the bytes of one.
    for name in ["a", "b", "c"] {
        central.extend(Item { name: name.into(), ..kernel.clone() }.central(0));
    }
    central.extend(Item::stored("d", b"d").central((kernel.local().len() + kernel.data.len()) as u64));
    bytes.extend(kernel.local());
    bytes.extend(&kernel.data);
    bytes.extend(Item::stored("d", b"d").local());
    bytes.extend(b"d");
    let end = end(4, central.len(), bytes.len(), b"");
    bytes.extend(central);
    bytes.extend(end);
    let world = World::new("overlap.zip", bytes);
    let (rows, notes) = world.list(None);
    assert_eq!(notes, [Note::Overlapping { count: 3 }]);
    let shared: Vec<bool> = rows.iter().map(|row| row.marks == [Mark::Overlaps]).collect();
    assert_eq!(shared, [true, true, true, false]);
    let (bytes, notes) = world.bytes("b");
    assert_eq!(bytes.len(), 1 << 20);
    assert!(notes.contains(&Note::OtherName { name: "a".to_owned() }), "{notes:?}");
}

#[test]
fn a04_archives_in_archives_are_opened_only_when_asked_for() {
    let mut inner = zip(&[Item::deflated("0", &vec![0; 1 << 20])]);
    for _ in 0..5 {
        inner = zip(&[Item::deflated("x.zip", &inner)]);
    }
    let world = World::new("nested.zip", inner);
    assert_eq!(world.names(None), ["x.zip"]);
    assert!(world.read() < 20_000);
    assert_eq!(world.names(Some("x.zip:x.zip")), ["x.zip"]);
}

#[test]
fn a05_a_bomb_costs_what_is_read_of_it() {
    let one = deflate(&vec![0; 64 << 20], 9);
    let mut item = Item::deflated("bomb", b"");
    item.data = one;
    item.size = 64 << 20;
    item.crc = crc32fast::hash(&vec![0; 64 << 20]);
    let world = World::new("ratio.zip", zip(&[item]));
    let Ok(super::kit::Got::Bytes { piece, notes, .. }) = world.enter(Some("bomb")) else { panic!("no entry") };
    assert_eq!(notes, [Note::Unchecked]);
    assert_eq!(piece.blob.read_range(0, 4096).unwrap(), vec![0; 4096]);
}

#[test]
fn a06_sizes_that_lie_are_found_out_by_what_is_really_there() {
    let item = Item::deflated("x", &vec![b'x'; 1 << 20]);
    for size in [10, (1 << 20) - 1, (1 << 20) + 1, 0xFFFF_FFF0] {
        let world = World::new("lies.zip", zip(&[Item { size, ..item.clone() }]));
        assert_eq!(world.fails("x"), "archive.corrupt", "{size}");
        assert_eq!(world.names(None), ["x"]);
    }
    let far = Item { packed: Some(0x7FFF_FFFF), ..item.clone() };
    assert_eq!(World::new("lies_cd.zip", zip(&[far])).fails("x"), "archive.corrupt");
    // Large ones are not unpacked whole, and found out where they end.
    let big = Item::deflated("x", &vec![b'x'; 20 << 20]);
    let world = World::new("lies.zip", zip(&[Item { size: (20 << 20) - 5, ..big }]));
    assert!(world.fails("x").starts_with("read: the size is not"));
}

#[test]
fn a07_entries_of_one_name_are_all_shown_and_the_last_is_read() {
    let items = [
        Item::stored("x", b"first"),
        Item { local_name: Some(b"y".to_vec()), ..Item::stored("x", b"second") },
        Item::stored("z", b"z"),
    ];
    let world = World::new("ambiguous.zip", zip(&items));
    assert_eq!(world.names(None), ["x", "x", "z"]);
    let (bytes, notes) = world.bytes("x");
    assert_eq!(bytes, b"second");
    assert_eq!(
        notes,
        [
            Note::SameName { number: 2, count: 2, other: "ambiguous.zip:#1".to_owned() },
            Note::OtherName { name: "y".to_owned() }
        ]
    );
    assert_eq!(world.text("#1"), "first");
}

#[test]
fn a08_counts_that_lie_are_refused() {
    let item = Item::stored("x", b"x");
    let mut bytes = item.local();
    bytes.extend(b"x");
    let central = item.central(0);
    let offset = bytes.len();
    bytes.extend(&central);
    let whole = |count: u16| {
        let mut bytes = bytes.clone();
        bytes.extend(end(count, central.len(), offset, b""));
        bytes
    };
    assert_eq!(World::new("ok.zip", whole(1)).text("x"), "x");
    assert_eq!(World::new("eocd_count.zip", whole(60_000)).fails("x"), "archive.corrupt");
    let mut large = bytes.clone();
    let place = large.len() as u64;
    large.extend(b"PK\x06\x06");
    large.extend([44, 0, 0, 0, 0, 0, 0, 0, 45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    for number in [1 << 63, 1 << 63, central.len() as u64, offset as u64] {
        large.extend(u64::to_le_bytes(number));
    }
    large.extend(b"PK\x06\x07\x00\x00\x00\x00");
    large.extend(place.to_le_bytes());
    large.extend(1_u32.to_le_bytes());
    large.extend(end(0xFFFF, 0xFFFF_FFFF, 0xFFFF_FFFF, b""));
    assert_eq!(World::new("zip64_count.zip", large).fails("x"), "archive.corrupt");
}

#[test]
fn a10_the_end_is_found_as_other_programs_find_it() {
    let items = [Item::stored("inner.txt", b"inner")];
    let plain = zip(&items);
    // A comment that holds another end: the last one counts, as in Info-ZIP and Python.
    let fake = zip(&[Item::stored("fake.txt", b"fake")]);
    let mut commented = plain[..plain.len() - 2].to_vec();
    commented.extend((fake.len() as u16).to_le_bytes());
    commented.extend(&fake);
    let world = World::new("eocd_comment.zip", commented);
    let (rows, notes) = world.list(None);
    assert_eq!(rows[0].name, "fake.txt");
    assert_eq!(notes, [Note::Foreign { before: plain.len() as u64, behind: 0 }]);
    assert_eq!(world.text("fake.txt"), "fake");
    // A picture with an archive behind it is a picture, until something inside is asked for.
    let mut picture = b"\x89PNG\r\n\x1a\n and so on".to_vec();
    let before = picture.len() as u64;
    picture.extend(&plain);
    let world = World::new("polyglot.png", picture);
    assert_eq!(world.text("inner.txt"), "inner");
    // As a picture it is a damaged one.
    assert_eq!(world.enter(None).err().map(|fault| fault.code()), Some("image.corrupt"));
    // Garbage behind the end.
    let mut behind = plain;
    behind.extend(b"garbage");
    let (_, notes) = World::new("g.zip", behind).list(None);
    assert_eq!(notes, [Note::Foreign { before: 0, behind: 7 }]);
    assert!(before > 0);
}

#[test]
fn a11_encrypted_and_unknown_entries_are_named_and_the_rest_is_read() {
    let items = [
        Item { flags: 1, ..Item::stored("secret", b"xxxx") },
        Item { method: 97, ..Item::stored("wave", b"xxxx") },
        Item::stored("fine", b"fine"),
    ];
    let world = World::new("e.zip", zip(&items));
    assert_eq!(world.names(None), ["fine", "secret", "wave"]);
    assert_eq!(world.fails("secret"), "archive.encrypted");
    assert_eq!(world.fails("wave"), "archive.unsupported");
    assert_eq!(world.text("fine"), "fine");
}

#[test]
fn a12_what_is_whole_of_a_cut_archive_is_shown() {
    let items: Vec<Item> = (0..5).map(|n| Item::deflated(format!("{n}.txt"), format!("text {n}").as_bytes())).collect();
    let whole = zip(&items);
    let four: usize = items[..4].iter().map(|item| item.local().len() + item.data.len()).sum();
    let world = World::new("truncated.zip", whole[..four + 20].to_vec());
    let (rows, notes) = world.list(None);
    assert_eq!(rows.len(), 4);
    assert!(matches!(&notes[..], [Note::Damaged { offset, .. }] if *offset == four as u64), "{notes:?}");
    assert_eq!(world.text("3.txt"), "text 3");
    let world = World::new("truncated.zip", whole[..four - 2].to_vec());
    let (rows, _) = world.list(None);
    assert_eq!(rows[3].marks, [Mark::Damaged]);
    assert_eq!(world.fails("3.txt"), "archive.corrupt");
    let world = World::new("not_a.zip", b"just text".to_vec());
    assert!(matches!(world.enter(None), Ok(super::kit::Got::Bytes { .. })), "it is read as what it is");
    let mut damaged = whole.clone();
    let at = damaged.len() - 22 - 40;
    damaged[at..at + 8].fill(0xAA);
    assert!(World::new("garbage.zip", damaged).enter(None).is_ok());
    assert_eq!(World::new("stub.zip", b"PK\x03\x04".to_vec()).fails(""), "archive.corrupt");
}

#[test]
fn a26_long_names_are_cut_in_listings_and_read_by_number() {
    let name = "n".repeat(60_000);
    let world = World::new("names.zip", zip(&[Item::stored(&name, b"long")]));
    let (rows, _) = world.list(None);
    assert!(rows[0].name.chars().count() <= 201);
    assert_eq!(rows[0].marks, [Mark::LongName(Some("names.zip:#1".to_owned()))]);
    assert_eq!(world.text("#1"), "long");
}

#[test]
fn a03_entries_out_of_order_do_not_overlap_by_that() {
    let items: Vec<Item> = (0..6).map(|n| Item::stored(format!("{n}"), b"some bytes")).collect();
    let (mut bytes, mut records) = (Vec::new(), Vec::new());
    for item in &items {
        records.push(item.central(bytes.len() as u64));
        bytes.extend(item.local());
        bytes.extend(&item.data);
    }
    records.reverse();
    let central = records.concat();
    let end = end(6, central.len(), bytes.len(), b"");
    let whole = [bytes.clone(), central, end].concat();
    let world = World::new("reverse.zip", whole);
    assert_eq!(world.list(None).1, []);
    assert_eq!(world.text("#1"), "some bytes");
    // The same with one that shares the bytes of another.
    records.push(Item { name: b"t".to_vec(), ..items[2].clone() }.central(items[0].local().len() as u64 * 2 + 20));
    let central = records.concat();
    let end = super::zip_writer::end(7, central.len(), bytes.len(), b"");
    let world = World::new("twin.zip", [bytes, central, end].concat());
    assert_eq!(world.list(None).1, [Note::Overlapping { count: 2 }]);
}

#[test]
fn a12_sizes_that_stand_behind_their_entries_are_found_by_unpacking() {
    let mut bytes = Vec::new();
    for n in 0..4 {
        let item =
            Item { flags: 8, ..Item::deflated(format!("{n}.txt"), format!("text {n}").repeat(n + 1).as_bytes()) };
        let blank = Item { crc: 0, size: 0, packed: Some(0), ..item.clone() };
        bytes.extend(blank.local());
        bytes.extend(&item.data);
        // The signature of what stands behind an entry may be missing.
        if n % 2 == 0 {
            bytes.extend(b"PK\x07\x08");
        }
        bytes.extend(item.crc.to_le_bytes());
        bytes.extend((item.data.len() as u32).to_le_bytes());
        bytes.extend((item.size as u32).to_le_bytes());
    }
    let world = World::new("cut.jar", bytes.clone());
    assert_eq!(world.names(None).len(), 4);
    assert_eq!(world.text("3.txt"), "text 3".repeat(4));
    let world = World::new("cut.jar", bytes[..bytes.len() - 20].to_vec());
    assert_eq!(world.names(None).len(), 4);
    assert_eq!(world.text("2.txt"), "text 2".repeat(3));
    assert_eq!(world.fails("3.txt"), "archive.corrupt");
}
