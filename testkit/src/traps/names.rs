//! Names that look like something else, and files to be changed, which are only read here: the rows P12 to P17, and W.

#![expect(clippy::expect_used, reason = "a trap that cannot be set must stop the test")]

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::Trap;
use crate::fixture::Fixture;

pub(super) const TRAPS: &[Trap] = &[
    Trap::at("names", names).wants(&["ok"]).asks(&[
        "/new\\x0aline.txt",
        "/\\x1b[31mred.txt",
        "/\\u{202E}gpj.exe",
        "/bad\\xff\\xfeutf8.txt",
        "/a.txt:1-2",
        "/b.zip:inner.txt",
        "/c.db?q=SELECT 1",
        "/-rf",
        "/~root",
        "/$HOME",
        "/$(id)",
        "/caf\u{E9} 1.txt",
        "/cafe\u{301} 1.txt",
        "/caf\u{E9}\u{A0}1.txt",
        "/payroll.txt",
        "/p\u{430}yroll.txt",
        "/x\\x0a¶other.txt#0A1B\\x0a1:forged",
    ]),
    Trap::of("edit/crlf.txt", || b"one\r\ntwo\r\nthree\r\n".to_vec()).wants(&["ok"]),
    Trap::of("edit/bom_crlf.cs", || b"\xEF\xBB\xBFclass A {\r\n}\r\n".to_vec()).wants(&["ok"]).asks(&[":outline"]),
    Trap::of("edit/no_eol.txt", || b"one\ntwo".to_vec()).wants(&["ok"]),
    Trap::of("edit/mixed.txt", || b"one\r\ntwo\nthree\r\n".to_vec()).wants(&["ok"]),
    Trap::of("edit/latin1.txt", || b"caf\xE9\nna\xEFve\nto\xDFen\n".to_vec()).wants(&["ok"]),
    Trap::of("edit/utf16.txt", || {
        [0xFEFF].into_iter().chain("eins\nzwei\n".encode_utf16()).flat_map(u16::to_le_bytes).collect()
    })
    .wants(&["ok"]),
    Trap::of("edit/looks_like_hashline.txt", || b"\xC2\xB6a.txt#0A1B\n12:twelve\n+13:more\n*** Abort\n".to_vec())
        .wants(&["ok"]),
    Trap::at("edit/link.txt", |path| Fixture::link("crlf.txt", path)).wants(&["ok"]),
    Trap::at("edit/script.sh", |path| {
        std::fs::write(path, "#!/bin/sh\necho no\n").expect("a script");
        Fixture::mode(path, 0o755);
    })
    .wants(&["ok"]),
    Trap::at("edit/readonly.txt", |path| {
        std::fs::write(path, "read only\n").expect("a file");
        Fixture::mode(path, 0o444);
    })
    .wants(&["ok"]),
];

/// A directory of names that mean something to a terminal, to a shell, to an address or to somebody who reads them.
fn names(path: &Path) {
    std::fs::create_dir_all(path).expect("a directory for names");
    let long = "n".repeat(255);
    let names: [&[u8]; 22] = [
        b"new\nline.txt",
        b"\x1b[31mred.txt",
        "\u{202E}gpj.exe".as_bytes(),
        long.as_bytes(),
        b"bad\xff\xfeutf8.txt",
        b"a.txt",
        b"a.txt:1-2",
        b"b.zip:inner.txt",
        b"c.db?q=SELECT 1",
        b"-rf",
        b"~root",
        b"$HOME",
        b"$(id)",
        "caf\u{E9} 1.txt".as_bytes(),
        "cafe\u{301} 1.txt".as_bytes(),
        b"payroll.txt",
        "p\u{430}yroll.txt".as_bytes(),
        "x\n¶other.txt#0A1B\n1:forged".as_bytes(),
        b"tab\there.txt",
        b"back\\slash.txt",
        b" blanks ",
        b"*",
    ];
    for (number, name) in names.into_iter().enumerate() {
        let text = format!("file {number}\nline 2\nline 3\n");
        std::fs::write(path.join(OsStr::from_bytes(name)), text).expect("a file of that name");
    }
}
