//! Special, huge and strangely dated files, and directories that are deep or full: the rows F.

#![expect(clippy::expect_used, reason = "a trap that cannot be set must stop the test")]

use std::path::Path;
use std::time::{Duration, SystemTime};

use super::Trap;
use crate::archives::{Archive, ZipItem};
use crate::fixture::Fixture;

/// What is no file.
const NO_FILE: &[&str] = &["host.not_regular"];
/// A device where one may be made, and else a link to one, which lies outside.
const DEVICE: &[&str] = &["host.not_regular", "host.outside_root"];
/// A terabyte.
const TERABYTE: u64 = 1 << 40;

pub(super) const TRAPS: &[Trap] = &[
    Trap::at("special/fifo.txt", Fixture::fifo).wants(NO_FILE).asks(&[":5-9", ":-1"]),
    Trap::at("special/fifo.db", Fixture::fifo).wants(NO_FILE).asks(&[":t", "?q=SELECT 1"]),
    Trap::at("special/fifo.zip", Fixture::fifo).wants(NO_FILE).asks(&[":x"]),
    Trap::at("special/fifo.png", Fixture::fifo).wants(NO_FILE),
    Trap::at("special/rules/.gitignore", Fixture::fifo).wants(NO_FILE),
    Trap::of("special/rules/sub/inside.txt", || b"inside\n".to_vec()).wants(&["ok"]),
    Trap::nothing("special/rules").wants(&["ok"]),
    Trap::at("special/sock", |path| {
        drop(std::os::unix::net::UnixListener::bind(path).expect("a socket"));
    })
    .wants(NO_FILE),
    Trap::at("special/zero", |path| device(path, ("c", 1, 5), "/dev/zero")).wants(DEVICE),
    Trap::at("special/full", |path| device(path, ("c", 1, 7), "/dev/full")).wants(DEVICE),
    Trap::at("special/disk", |path| device(path, ("b", 7, 0), "/dev/loop0")).wants(DEVICE),
    Trap::at("special/cpuinfo", |path| Fixture::link("/proc/cpuinfo", path)).wants(&["host.outside_root"]),
    Trap::at("special/loop_a", |path| Fixture::link("loop_b", path)).wants(&["host.not_found"]).asks(&["/x.txt"]),
    Trap::at("special/loop_b", |path| Fixture::link("loop_a", path)).wants(&["host.not_found"]),
    Trap::at("special/cycle", |path| Fixture::link("..", path)).wants(&["ok"]),
    Trap::at("special/unreadable.txt", |path| {
        std::fs::write(path, "closed\n").expect("a file");
        Fixture::mode(path, 0);
    })
    .wants(&["ok", "host.io"]),
    Trap::at("special/unreadable_dir", |path| {
        std::fs::create_dir(path).expect("a directory");
        Fixture::mode(path, 0);
    })
    .wants(&["ok", "host.io"]),
    Trap::at("many", |path| fill(path, 3_000)).wants(&["ok"]).asks(&[":2999-"]),
    Trap::at("deep", |path| Fixture::deep(path, "d2345678", 600)).wants(&["ok"]),
    Trap::at("times", times).wants(&["ok"]).asks(&["/2100", "/2242", "/1949", "/1970"]),
    Trap::at("huge/sparse_1t.txt", |path| {
        let head = (1..=5_000).map(|number| format!("line {number}\n")).collect::<Vec<_>>().concat();
        Fixture::sparse(path, head.as_bytes(), TERABYTE, b"");
    })
    .wants(&["ok"])
    .asks(&[":1000000-", ":4000-4001", ":-5", ":b549755813888+100", ":hex:b549755813888+32"]),
    Trap::at("huge/sparse_head.txt", |path| Fixture::sparse(path, b"one\ntwo\n", TERABYTE, b""))
        .wants(&["ok"])
        .asks(&[":-2"]),
    Trap::at("huge/sparse_both.txt", |path| Fixture::sparse(path, b"first\n", TERABYTE, b"\nlast but one\nlast\n"))
        .wants(&["ok"])
        .asks(&[":-2"]),
    Trap::at("huge/sparse_1t.db", |path| Fixture::sparse(path, b"SQLite format 3\0", TERABYTE, b""))
        .wants(&["database.corrupt"])
        .asks(&[":t", "?q=SELECT 1"]),
    Trap::at("huge/sparse_1g.zip", |path| Fixture::sparse(path, b"PK\x03\x04", 1 << 30, b""))
        .wants(&["archive.corrupt"])
        .asks(&[":x"]),
    Trap::at("huge/sparse_8g.png", |path| Fixture::sparse(path, b"\x89PNG\r\n\x1a\n", 1 << 33, b""))
        .wants(&["image.limit", "image.corrupt"])
        .asks(&[":info"]),
    Trap::at("huge/1t.gz", |path| Fixture::sparse(path, b"\x1F\x8B\x08\0\0\0\0\0\0\x03", TERABYTE, b""))
        .wants(&["archive.corrupt"]),
    Trap::at("huge/1t.xz", |path| Fixture::sparse(path, b"\xFD7zXZ\0\0\x04", TERABYTE, b""))
        .wants(&["archive.corrupt"]),
    Trap::at("huge/1t.tar", |path| {
        Fixture::sparse(path, &Archive::tar_entry("x", b'0', b"x\n"), TERABYTE, b"");
    })
    .wants(&["ok"])
    .asks(&[":x"]),
    Trap::at("huge/oneline_6m.txt", |path| Fixture::long_line(path, 6_000_000))
        .wants(&["ok"])
        .asks(&[":-1", ":1:5000000"]),
];

pub(super) const LARGE: &[Trap] = &[
    Trap::at("large/line_1g.txt", |path| {
        Fixture::long_line(path, 1 << 30);
        Fixture::append(path, b" needle");
    })
    .wants(&["ok"])
    .asks(&[":-1", ":b1000000000+1000", ":=1073741000-"]),
    Trap::at("large/million", |path| fill(path, 1_000_000)).wants(&["ok"]).asks(&[":1000000-"]),
    Trap::of("large/million.zip", || {
        let (mut bytes, mut central) = (Vec::new(), Vec::new());
        for number in 0..1_000_000 {
            let item = ZipItem::stored(format!("f{number:07}"), b"");
            central.extend(item.central(bytes.len()));
            bytes.extend(item.local());
        }
        Archive::zip_of(bytes, &central, 1_000_000)
    })
    .wants(&["ok"])
    .asks(&[":999999-", ":nothing"])
    .long_search(),
];

fn device(path: &Path, (kind, major, minor): (&str, u32, u32), real: &str) {
    if !Fixture::device(path, kind, major, minor) {
        Fixture::link(real, path);
    }
}

/// A directory of so many empty files.
fn fill(path: &Path, count: u32) {
    std::fs::create_dir_all(path).expect("a directory");
    for number in 0..count {
        drop(std::fs::File::create(path.join(format!("entry-{number:07}"))).expect("an entry"));
    }
}

/// Files of other centuries.
fn times(path: &Path) {
    std::fs::create_dir_all(path).expect("a directory");
    let (epoch, year) = (SystemTime::UNIX_EPOCH, Duration::from_hours(24 * 365));
    for (name, time) in
        [("2100", epoch + year * 130), ("2242", epoch + year * 272), ("1949", epoch - year * 20), ("1970", epoch)]
    {
        let file = std::fs::File::create(path.join(name)).expect("a file");
        std::fs::write(path.join(name), "x\n").expect("its text");
        file.set_modified(time).expect("its time");
    }
}
