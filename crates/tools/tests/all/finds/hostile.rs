//! Names, links and globs that were made to be trouble.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::process::Command;

use readstone_base::Status;
use serde_json::json;

use super::stand::Stand;

/// Names that need care, in bytes.
const NAMES: &[&[u8]] = &[
    b"new\nline",
    b"\x1b[31mred",
    b"bad\xff\xfeutf8.txt",
    b" blanks ",
    b"tab\t",
    b"back\\slash",
    b"back\\x20slash",
    "rtl\u{202e}gpj.exe".as_bytes(),
    b"a.txt:1-2",
    b"[id].tsx",
    b"{a,b}",
    b"what?",
    b"-rf",
    b"-",
    b"$HOME",
    b"~root",
    b"\xc2\xb6pilcrow",
];

#[test]
fn p12_a_shown_name_opens_the_file_it_names() {
    let stand = Stand::new();
    for directory in ["", "sub/", "odd\\dir/", " blank/"] {
        for name in NAMES {
            stand.file(&[directory.as_bytes(), name].concat(), 0);
        }
    }
    stand.file(b"file:/x", 0);
    let bare = stand.sorted(json!({ "paths": "*", "limit": 200 }));
    assert_eq!(bare.len(), NAMES.len() * 4 + 5);
    for path in bare.iter().chain(&stand.sorted(json!({ "paths": "odd\\dir" }))) {
        if path.ends_with('/') {
            continue;
        }
        let read = stand.toolbox.take("read", json!({ "path": path }), &stand.toolbox.budget());
        assert_eq!(read.status, Status::Ok, "{path}: {}", read.text());
        assert_eq!(stand.found(json!({ "paths": [path] })).paths.len(), 1, "{path}");
    }
    let text = stand.call(json!({ "paths": "*" })).text();
    let above = |path: &String| path.trim_end_matches('/').rsplit_once('/').map(|(above, _)| above.to_owned());
    let groups: BTreeSet<String> = bare.iter().filter_map(above).collect();
    assert_eq!(text.lines().count(), bare.len() + groups.len(), "one line a name, one a directory: {text}");
    assert!(!text.contains(['\x1b', '\u{202e}', '\t']), "{text}");
}

#[test]
fn f08_links_are_found_and_never_followed() {
    let stand = Stand::new();
    let outside = Stand::new();
    outside.files(&["secret.txt"]);
    stand.files(&["a/x.txt"]);
    symlink("..", stand.path().join("a/cycle")).unwrap();
    symlink(outside.path(), stand.path().join("out")).unwrap();
    symlink("a", stand.path().join("inside")).unwrap();
    assert_eq!(stand.sorted(json!({ "paths": "**/*" })), ["a/", "a/cycle", "a/x.txt", "inside", "out"]);
    assert_eq!(stand.sorted(json!({ "paths": "inside/*.txt" })), ["inside/x.txt"]);
    let refused = stand.refused(json!({ "paths": "out/*.txt" }));
    assert!(refused.starts_with("host.outside_root"), "{refused}");
}

#[test]
fn f01_a_fifo_is_a_name_like_any_other_and_keeps_nobody_waiting() {
    let stand = Stand::new();
    stand.files(&["d/a.txt"]);
    let made = Command::new("mkfifo").arg(stand.path().join("d/pipe.txt")).status();
    if !made.is_ok_and(|status| status.success()) {
        eprintln!("mkfifo is not here, nothing is proved");
        return;
    }
    std::fs::copy(stand.path().join("d/a.txt"), stand.path().join("d/b.txt")).unwrap();
    assert_eq!(stand.sorted(json!({ "paths": "*.txt" })), ["d/a.txt", "d/b.txt", "d/pipe.txt"]);
    let fifo = stand.refused(json!({ "paths": "d/pipe.txt" }));
    assert!(fifo.starts_with("host.not_regular"), "{fifo}");
}

#[test]
fn k01_what_is_withheld_is_counted_and_not_named() {
    let stand = Stand::new();
    stand.files(&["id_rsa", "sub/.env", "a.txt"]);
    let found = stand.found(json!({ "paths": "**/*" }));
    let mut paths = found.paths.clone();
    paths.sort();
    assert_eq!(paths, ["a.txt", "sub/"]);
    assert_eq!(found.hidden.iter().map(|hidden| (hidden.reason, hidden.count)).collect::<Vec<_>>(), [("denied", 2)]);
    let named = stand.refused(json!({ "paths": "id_rsa" }));
    assert!(named.starts_with("host.denied_secret"), "{named}");
    let near = stand.refused(json!({ "paths": "id_rsb" }));
    assert_eq!(near, "find.not_found: Path not found: id_rsb\n");
}

#[test]
fn r05_r06_globs_that_are_too_large_say_so_and_others_end() {
    let stand = Stand::new();
    stand.files(&["x", "deep/er/x", &"a".repeat(200)]);
    assert_eq!(stand.sorted(json!({ "paths": "**/".repeat(300) + "x" })), ["deep/er/x", "x"]);
    assert_eq!(stand.sorted(json!({ "paths": "*?".repeat(200) })).len(), 1);
    assert_eq!(stand.sorted(json!({ "paths": "{a,x}".repeat(30) })).len(), 0);
    let long = stand.refused(json!({ "paths": "*".repeat(1_000_000) }));
    assert_eq!(long, "find.glob_too_large: a glob of 1000000 bytes is too long; the limit glob_bytes is 65536\n");
    let range = stand.refused(json!({ "paths": "{1..1000000000}" }));
    assert!(range.starts_with("find.glob_too_large: the glob '{1..1000000000}' stands for more"), "{range}");
    let braces = stand.refused(json!({ "paths": "{a,".repeat(100) + "b" + &"}".repeat(100) }));
    assert!(braces.starts_with("find.bad_glob"), "{braces}");
    let commas = stand.refused(json!({ "paths": "x,".repeat(5_000) }));
    assert_eq!(commas, "find.too_many: 5000 paths in one call are too many; the limit targets is 100\n");
}

#[test]
fn p11_p14_what_cannot_be_a_path_is_refused() {
    let stand = Stand::new();
    let nul = stand.refused(json!({ "paths": "a\0b" }));
    assert!(nul.starts_with("address.bad_path"), "{nul}");
    let long = stand.refused(json!({ "paths": "a/".repeat(5_000) }));
    assert!(long.starts_with("host.bad_path") || long.starts_with("find.not_found"), "{long}");
}

#[test]
fn a_name_that_is_no_text_is_matched_by_its_bytes() {
    let stand = Stand::new();
    let name = std::ffi::OsString::from_vec(b"caf\xe9.txt".to_vec());
    std::fs::write(stand.path().join(name), "x").unwrap();
    for glob in ["*.txt", "caf?.txt", "caf*"] {
        assert_eq!(stand.found(json!({ "paths": glob })).paths, ["caf\\xe9.txt"], "{glob}");
    }
}

#[test]
fn r08_rules_that_are_none_are_counted_and_the_others_hold() {
    let stand = Stand::new();
    stand.files(&["a.txt", "b.log", "sub/c.log"]);
    stand.write("sub/.gitignore", "[z-a\n*.log\n");
    let text = stand.call(json!({ "paths": "*.{txt,log}" })).text();
    assert!(text.contains("1 ignore rule left out, as in sub/.gitignore"), "{text}");
    assert_eq!(stand.all(&["*.{txt,log}"]), ["a.txt", "b.log"]);
}
