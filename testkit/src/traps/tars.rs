//! Tar archives and compressed streams whose headers lie, that are damaged, or that are bombs: the rows A01 to A23.

use super::Trap;
use super::archives::lines;
use crate::archives::{Archive, Bomb};

const OK: &[&str] = &["ok"];
const DAMAGED: &[&str] = &["archive.corrupt"];
const LIMIT: &[&str] = &["archive.limit"];
/// Eight gigabytes, as a header of tar holds them.
const EIGHT: &[u8] = b"\x80\0\0\0\0\0\0\x02\0\0\0\0";

pub(super) const TRAPS: &[Trap] = &[
    Trap::of("archive/paths.tar", || {
        Archive::tar(&[entry("../up.txt", b"up\n"), entry("/abs.txt", b"abs\n"), entry("ok.txt", b"ok\n")])
    })
    .wants(OK)
    .asks(&[":#1", ":#2", ":ok.txt", ":../up.txt"]),
    Trap::of("archive/pax_path.tar", || {
        let long = format!("{}/../../up.txt\0", ["d"; 80].join("/"));
        Archive::tar(&[
            Archive::tar_pax(&[("path", "../../up.txt")]),
            entry("harmless.txt", b"pax\n"),
            Archive::tar_entry("././@LongLink", b'L', long.as_bytes()),
            entry("harmless.txt", b"long\n"),
        ])
    })
    .wants(OK)
    .asks(&[":#1", ":#2", ":harmless.txt"]),
    Trap::of("archive/links.tar", || {
        Archive::tar(&[
            Archive::tar_link("ln", b'2', "../secret.txt"),
            Archive::tar_link("in", b'1', "ok.txt"),
            Archive::tar_link("me", b'2', "me"),
            Archive::tar_link("odd", b'1', "/etc/passwd"),
            entry("ok.txt", b"not through a link\n"),
        ])
    })
    .wants(OK)
    .asks(&[":ln", ":in", ":me", ":odd", ":ln/x"]),
    Trap::of("archive/bomb_2g.tar.gz", || {
        Bomb::default().then(&bomb_head(2 << 30), 1).then(&lines(), 2048).then(&bomb_tail(), 1).gzipped()
    })
    .wants(OK)
    .asks(&[":bomb", ":last"])
    .late(),
    Trap::of("archive/bomb_64m.tar.bz2", || {
        let packed =
            [Archive::bzip2(&bomb_head(64 << 20)), Archive::bzip2(&lines()).repeat(64), Archive::bzip2(&bomb_tail())];
        packed.concat()
    })
    .wants(OK)
    .asks(&[":bomb", ":last"])
    .late(),
    Trap::of("archive/log_2g.gz", || Bomb::default().then(&lines(), 2048).gzipped()).wants(OK).asks(&[":-1"]).late(),
    Trap::of("archive/truncated.tar", || three().into_iter().take(200_000).collect())
        .wants(OK)
        .asks(&[":one", ":two:-2", ":three"]),
    Trap::of("archive/truncated.tar.gz", || {
        let packed = Archive::gzip(&three());
        let half = packed.len() / 2;
        packed.into_iter().take(half).collect()
    })
    .wants(OK)
    .asks(&[":one", ":three"]),
    Trap::of("archive/bad_sum.tar", || flipped(three(), 1024 + 150)).wants(OK).asks(&[":one", ":two"]),
    Trap::of("archive/no_end.tar", || {
        let whole = three();
        let end = whole.len() - 1024;
        whole.into_iter().take(end).collect()
    })
    .wants(OK)
    .asks(&[":three"]),
    Trap::of("archive/bad_crc.tar.gz", || {
        let packed = Archive::gzip(&three());
        let at = packed.len() - 6;
        flipped(packed, at)
    })
    .wants(OK)
    .asks(&[":one"]),
    Trap::of("archive/trailing_garbage.tar.gz", || [&Archive::gzip(&three())[..], b"trailing garbage"].concat())
        .wants(OK)
        .asks(&[":three"]),
    Trap::of("archive/wrong.zip", three).wants(OK).asks(&[":one"]),
    Trap::of("archive/wrong.tar", || Archive::gzip(b"only text\n")).wants(OK),
    Trap::of("archive/devices.tar", || {
        Archive::tar(&[("c", b'3'), ("b", b'4'), ("f", b'6')].map(|(name, kind)| Archive::tar_link(name, kind, "")))
    })
    .wants(OK)
    .asks(&[":c", ":b", ":f"]),
    Trap::of("archive/sparse.tar", sparse).wants(OK).asks(&[":sparse", ":ok"]),
    Trap::of("archive/pax_sparse.tar", || {
        let pax = [("GNU.sparse.major", "1"), ("GNU.sparse.name", "sparse"), ("GNU.sparse.realsize", "1099511627776")];
        Archive::tar(&[Archive::tar_pax(&pax), entry("GNUSparseFile.1/sparse", b"0\n"), entry("ok", b"ok\n")])
    })
    .wants(OK)
    .asks(&[":sparse", ":ok"]),
    Trap::of("archive/tarmageddon.tar", || smuggling(0)).wants(OK).asks(&[":outer.bin", ":ok.txt", ":smuggled.txt"]),
    Trap::of("archive/pax_size_nonzero.tar", || smuggling(512)).wants(OK).asks(&[":outer.bin", ":smuggled.txt"]),
    Trap::of("archive/pax_huge.tar", || before(Archive::tar_header("x", b'x', EIGHT, ""))).wants(DAMAGED),
    Trap::of("archive/pax_bad.tar", || before(Archive::tar_entry("x", b'x', b"999 path=x\n"))).wants(DAMAGED),
    Trap::of("archive/longname_huge.tar", || before(Archive::tar_header("x", b'L', EIGHT, ""))).wants(DAMAGED),
    Trap::of("archive/longname_chain.tar", || {
        before(Archive::tar_entry("././@LongLink", b'L', b"name\0").repeat(20_000))
    })
    .wants(DAMAGED),
    Trap::of("archive/size_negative.tar", || sized(b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFE"))
        .wants(OK)
        .asks(&[":ok", ":bad"]),
    Trap::of("archive/size_huge.tar", || sized(b"\x80\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"))
        .wants(OK)
        .asks(&[":ok", ":bad"]),
    Trap::of("archive/size_junk.tar", || sized(b"77junk77777\0")).wants(OK).asks(&[":ok", ":bad"]),
    Trap::of("archive/concat.tar", || [one("one"), one("two")].concat()).wants(OK).asks(&[":one", ":two"]),
    Trap::of("archive/garbage_after.tar", || [one("one"), b"garbage ".repeat(500)].concat()).wants(OK).asks(&[":one"]),
    Trap::of("archive/multi_member.tar.gz", || members(Archive::gzip)).wants(OK).asks(&[":one"]),
    Trap::of("archive/streams.tar.xz", || members(Archive::xz)).wants(OK).asks(&[":one"]),
    Trap::of("archive/streams.tar.bz2", || members(Archive::bzip2)).wants(OK).asks(&[":one"]),
    Trap::of("archive/frames.tar.zst", || members(Archive::zstd)).wants(OK).asks(&[":one"]),
    Trap::of("archive/window_2g.tar.zst", || Archive::zstd_with_vast_window(&one("x"))).wants(LIMIT).asks(&[":x"]),
    Trap::of("archive/dict_4g.tar.xz", || Archive::xz_with_vast_dictionary(&one("x"))).wants(LIMIT).asks(&[":x"]),
    Trap::of("archive/dict_4g.txt.xz", || Archive::xz_with_vast_dictionary(b"text\n")).wants(LIMIT),
];

fn entry(name: &str, bytes: &[u8]) -> Vec<u8> {
    Archive::tar_entry(name, b'0', bytes)
}

/// An archive of one entry.
fn one(name: &str) -> Vec<u8> {
    Archive::tar(&[entry(name, format!("{name}\n").as_bytes())])
}

/// An archive of three entries, of which the second is large.
fn three() -> Vec<u8> {
    let large = (1..=30_000).map(|number| format!("line {number}\n")).collect::<Vec<_>>().concat();
    Archive::tar(
        &[("one", "one\n"), ("two", &large), ("three", "three\n")].map(|(name, text)| entry(name, text.as_bytes())),
    )
}

fn flipped(mut bytes: Vec<u8>, at: usize) -> Vec<u8> {
    bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1);
    bytes
}

fn bomb_head(size: u64) -> Vec<u8> {
    Archive::tar_header("bomb", b'0', &Archive::tar_size(size), "")
}

fn bomb_tail() -> Vec<u8> {
    Archive::tar(&[entry("last", b"last\n")])
}

/// An entry of four gigabytes of holes, as old programs write one.
fn sparse() -> Vec<u8> {
    let mut head = Archive::tar_header("sparse", b'S', &Archive::tar_size(512), "");
    for (at, field) in [(257, &b"ustar  \0"[..]), (483, b"40000000000\0")] {
        head.iter_mut().skip(at).zip(field).for_each(|(place, byte)| *place = *byte);
    }
    Archive::tar_sum(&mut head);
    Archive::tar(&[head, vec![b'x'; 512], entry("ok", b"ok\n")])
}

/// An entry whose size stands in an extended header, with an archive in it; its own header claims another size.
fn smuggling(own: u64) -> Vec<u8> {
    let inner = Archive::tar(&[entry("smuggled.txt", b"smuggled\n")]);
    let outer = [Archive::tar_header("outer.bin", b'0', &Archive::tar_size(own), ""), inner.clone()].concat();
    let size = Archive::tar_pax(&[("size", &inner.len().to_string())]);
    let long = Archive::tar_entry("././@LongLink", b'L', b"outer.bin\0");
    Archive::tar(&[size, long, outer, entry("ok.txt", b"ok\n")])
}

/// A part before an entry that is sound.
fn before(part: Vec<u8>) -> Vec<u8> {
    Archive::tar(&[part, entry("behind", b"behind\n")])
}

/// An entry of this size behind one that is sound.
fn sized(size: &[u8]) -> Vec<u8> {
    Archive::tar(&[entry("ok", b"ok\n"), Archive::tar_header("bad", b'0', size, ""), vec![0; 2048]])
}

/// An archive packed in two pieces.
fn members(pack: fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let whole = one("one");
    let (first, second) = whole.split_at(600);
    [pack(first), pack(second)].concat()
}
