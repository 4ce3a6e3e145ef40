//! Zip archives whose names, links, sizes and counts lie, and bombs in them: the rows A01 to A12, A24 and A26.

use super::Trap;
use super::databases;
use crate::archives::{Archive, Bomb, ZipItem};

/// An archive that is listed.
const OK: &[&str] = &["ok"];
/// One that is refused as damaged.
const DAMAGED: &[&str] = &["archive.corrupt"];

pub(super) const TRAPS: &[Trap] = &[
    Trap::of("archive/slip.zip", slip).wants(OK).asks(&[
        ":ok.txt",
        ":#2",
        ":#3",
        ":../evil.txt",
        ":/etc/pwn.txt",
        ":..",
    ]),
    Trap::of("archive/symlink.zip", links).wants(OK).asks(&[":ln", ":in", ":me", ":odd", ":ln/x"]),
    Trap::of("archive/overlap_1g.zip", overlap).wants(OK).asks(&[":7", ":127:-1"]).late(),
    Trap::of("archive/nested42.zip", nested).wants(OK).asks(&[
        ":0.zip:15.zip",
        ":0.zip:1.zip:2.zip",
        ":0.zip:1.zip:2.zip:3.zip:0.bin",
    ]),
    Trap::of("archive/ratio_1g.zip", ratio).wants(OK).asks(&[":bomb", ":last", ":bomb:-1"]).late(),
    Trap::of("archive/lies_small.zip", || {
        Archive::zip(&[ZipItem { size: 10, ..real() }, ZipItem::stored("ok", b"ok\n")])
    })
    .wants(OK)
    .asks(&[":x", ":x:raw", ":x:hex", ":ok"]),
    Trap::of("archive/lies_cd.zip", lies_cd).wants(OK).asks(&[":x", ":stored", ":cut"]),
    Trap::of("archive/ambiguous.zip", || {
        let second = ZipItem { local_name: Some(b"y".to_vec()), ..ZipItem::stored("x", b"second\n") };
        Archive::zip(&[ZipItem::stored("x", b"first\n"), second])
    })
    .wants(OK)
    .asks(&[":x", ":#1", ":#2", ":#9"]),
    Trap::of("archive/zip64_count.zip", || counted(1 << 63)).wants(DAMAGED).asks(&[":x"]),
    Trap::of("archive/eocd_count.zip", || counted(60_000)).wants(DAMAGED).asks(&[":x"]),
    Trap::of("archive/many.zip", || {
        Archive::zip(&(0..20_000).map(|number| ZipItem::stored(format!("f{number:07}"), b"")).collect::<Vec<_>>())
    })
    .wants(OK)
    .asks(&[":19999-", ":f0012345"]),
    Trap::of("archive/eocd_comment.zip", commented).wants(OK).asks(&[":fake.txt", ":inner.txt"]),
    Trap::of("archive/polyglot.png", || [b"\x89PNG\r\n\x1a\n and so on", &plain()[..]].concat())
        .wants(&["image.corrupt"])
        .asks(&[":inner.txt"]),
    Trap::of("archive/encrypted.zip", || {
        let encrypted = ZipItem { flags: 1, ..ZipItem::stored("secret", b"not for you") };
        let strong = ZipItem { method: 99, flags: 1, ..ZipItem::stored("aes", b"not for you") };
        Archive::zip(&[encrypted, strong, ZipItem::stored("fine", b"fine\n")])
    })
    .wants(OK)
    .asks(&[":secret", ":aes", ":fine", ":secret:raw"]),
    Trap::of("archive/method97.zip", || {
        Archive::zip(&[ZipItem { method: 97, ..ZipItem::stored("wave", b"sound") }, ZipItem::stored("fine", b"fine\n")])
    })
    .wants(OK)
    .asks(&[":wave", ":fine"]),
    Trap::of("archive/truncated.zip", || {
        let whole = Archive::zip(&five());
        let four: usize = five().iter().take(4).map(|item| item.local().len() + item.data.len()).sum();
        whole.into_iter().take(four + 20).collect()
    })
    .wants(OK)
    .asks(&[":3.txt", ":4.txt"]),
    Trap::of("archive/garbage.zip", || {
        let mut whole = Archive::zip(&five());
        let at = whole.len() - 22 - 41;
        whole.iter_mut().skip(at).take(2).for_each(|byte| *byte = 0xAA);
        whole
    })
    .wants(OK)
    .asks(&[":4.txt", ":3.txt"]),
    Trap::of("archive/bad_crc.zip", || {
        Archive::zip(&[ZipItem { crc: 1, ..ZipItem::deflated("0.txt", b"text 0\n") }, ZipItem::stored("1.txt", b"1\n")])
    })
    .wants(OK)
    .asks(&[":0.txt", ":0.txt:raw", ":1.txt"]),
    Trap::of("archive/not_a.zip", || b"just text\n".to_vec()).wants(OK).asks(&[":x"]),
    Trap::of("archive/magic_only.zip", || b"PK\x03\x04".to_vec()).wants(DAMAGED),
    Trap::of("archive/magic_only.7z", || [&b"7z\xBC\xAF\x27\x1C\0\x04"[..], &[0xEE; 100]].concat()).wants(DAMAGED),
    Trap::of("archive/nest.zip", nest).wants(OK).asks(&[
        ":b.tar.gz:c.zip:deep.txt",
        ":x.db:t",
        ":c.zip:x.db:t:1",
        ":b.tar.gz:c.zip:x.db:t:1",
    ]),
    Trap::of("archive/names.zip", names).wants(OK).asks(&[":colon:1-2", ":\\x1b[31mred", ":bad\\xff\\xfe", ":#9"]),
    Trap::of("archive/vast.zip", || {
        let crc = ZipItem::stored("", b"text\n").crc;
        let packed = |name, method, bytes| ZipItem::packed(name, method, bytes, (5, crc));
        let window = Archive::zstd_with_vast_window(b"text\n");
        let dictionary = Archive::xz_with_vast_dictionary(b"text\n");
        Archive::zip(&[packed("zst", 93, window), packed("xz", 95, dictionary), ZipItem::stored("ok", b"ok\n")])
    })
    .wants(OK)
    .asks(&[":zst", ":xz", ":ok"]),
];

fn slip() -> Vec<u8> {
    let names = ["ok.txt", "../evil.txt", "/etc/pwn.txt", "C:\\win.txt", "a/../b.txt", "..\\up.txt", ".."];
    Archive::zip(&names.map(|name| ZipItem::stored(name, format!("in {name}\n").as_bytes())))
}

fn links() -> Vec<u8> {
    Archive::zip(&[
        ZipItem::link("ln", "../secret.txt"),
        ZipItem::link("in", "ok.txt"),
        ZipItem::link("me", "./me"),
        ZipItem::link("odd", "a\nb\x1b[31m"),
        ZipItem::stored("ok.txt", b"not through a link\n"),
    ])
}

/// A megabyte of lines of a kilobyte.
pub(super) fn lines() -> Vec<u8> {
    [&[b'x'; 1023][..], b"\n"].concat().repeat(1024)
}

/// Entries that share their bytes: a gigabyte of them in a few kilobytes.
fn overlap() -> Vec<u8> {
    let bomb = Bomb::default().then(&lines(), 8);
    let kernel = ZipItem::packed("0", 8, bomb.deflated(), bomb.real());
    let named = |number: u32| ZipItem { name: number.to_string().into(), ..kernel.clone() };
    let central: Vec<Vec<u8>> = (0..128).map(|number| named(number).central(0)).collect();
    Archive::zip_of([kernel.local(), kernel.data.clone()].concat(), &central.concat(), 128)
}

/// Archives in archives, sixteen on every level.
fn nested() -> Vec<u8> {
    let bomb = Bomb::default().then(&vec![0; 1 << 20], 64);
    let mut bytes = Archive::zip(&[ZipItem::packed("0.bin", 8, bomb.deflated(), bomb.real())]);
    for _ in 0..5 {
        bytes = Archive::zip(&(0..16).map(|n| ZipItem::deflated(format!("{n}.zip"), &bytes)).collect::<Vec<_>>());
    }
    bytes
}

fn ratio() -> Vec<u8> {
    let bomb = Bomb::default().then(&lines(), 1024);
    Archive::zip(&[ZipItem::packed("bomb", 8, bomb.deflated(), bomb.real()), ZipItem::stored("last", b"last\n")])
}

/// An entry of a megabyte that tells the truth.
fn real() -> ZipItem {
    ZipItem::deflated("x", &b"text\n".repeat(200_000))
}

fn lies_cd() -> Vec<u8> {
    let far = ZipItem { size: 1 << 30, packed: Some(1 << 30), ..ZipItem::stored("stored", b"x\n") };
    let cut = ZipItem { packed: Some(3), name: b"cut".to_vec(), ..real() };
    Archive::zip(&[ZipItem { packed: Some(0x7FFF_FFFF), ..real() }, far, cut])
}

/// One entry, where so many are claimed.
fn counted(count: u64) -> Vec<u8> {
    let item = ZipItem::stored("x", b"x\n");
    Archive::zip_of([item.local(), item.data.clone()].concat(), &item.central(0), count)
}

fn plain() -> Vec<u8> {
    Archive::zip(&[ZipItem::stored("inner.txt", b"inner\n")])
}

/// A comment that holds another archive.
fn commented() -> Vec<u8> {
    let (mut bytes, fake) = (plain(), Archive::zip(&[ZipItem::stored("fake.txt", b"fake\n")]));
    bytes.truncate(bytes.len() - 2);
    bytes.extend(u16::try_from(fake.len()).unwrap_or(0).to_le_bytes());
    bytes.extend(fake);
    bytes
}

fn five() -> [ZipItem; 5] {
    [0, 1, 2, 3, 4].map(|number| ZipItem::deflated(format!("{number}.txt"), format!("text {number}\n").as_bytes()))
}

fn nest() -> Vec<u8> {
    let database = databases::bytes("CREATE TABLE t (a); INSERT INTO t VALUES (7)");
    let c = Archive::zip(&[ZipItem::deflated("deep.txt", b"deep\n"), ZipItem::deflated("x.db", &database)]);
    let b = Archive::gzip(&Archive::tar(&[Archive::tar_entry("c.zip", b'0', &c)]));
    let items = [("b.tar.gz", &b), ("c.zip", &c), ("x.db", &database)];
    Archive::zip(&items.map(|(name, bytes)| ZipItem::deflated(name, bytes)))
}

fn names() -> Vec<u8> {
    let names: [&[u8]; 8] = [
        b"\x1b[31mred",
        b"back\\slash",
        b"bad\xff\xfe",
        b"colon:1-2",
        b"new\nline",
        b"tab\there",
        "\u{202E}gpj.exe".as_bytes(),
        b"?q=SELECT 1",
    ];
    let mut items: Vec<ZipItem> = (0..)
        .zip(names)
        .map(|(number, name)| ZipItem { flags: 0x800, ..ZipItem::stored(name, format!("{number}\n").as_bytes()) })
        .collect();
    items.push(ZipItem::stored("n".repeat(60_000), b"long\n"));
    Archive::zip(&items)
}
