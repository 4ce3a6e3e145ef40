//! Archives: what lies in them is found like what lies in directories.

use readstone_base::Status;
use serde_json::json;

use super::stand::Stand;

/// A tar of empty files, each with the time of its last change.
fn tar(entries: &[(&[u8], u64)]) -> Vec<u8> {
    let mut all = Vec::new();
    for (name, modified) in entries {
        let mut header = [0_u8; 512];
        header[..name.len()].copy_from_slice(name);
        header[100..107].copy_from_slice(b"0000644");
        header[124..135].copy_from_slice(b"00000000000");
        header[136..147].copy_from_slice(format!("{modified:011o}").as_bytes());
        header[148..156].copy_from_slice(b"        ");
        header[156] = b'0';
        header[257..265].copy_from_slice(b"ustar\x0000");
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        all.extend(header);
    }
    all.extend([0; 1024]);
    all
}

#[test]
fn the_entries_of_an_archive_are_found_by_globs() {
    let stand = Stand::new();
    let entries: &[(&[u8], u64)] =
        &[(b"src/a.ts", 100), (b"src/sub/b.ts", 300), (b"src/sub/c.rs", 200), (b"top.ts", 50), (b".dot.ts", 10)];
    stand.write("b.tar", tar(entries));
    let rows: &[(&str, &[&str])] = &[
        ("b.tar:**/*.ts", &["b.tar:src/sub/b.ts", "b.tar:src/a.ts", "b.tar:top.ts", "b.tar:.dot.ts"]),
        ("b.tar:*.ts", &["b.tar:top.ts", "b.tar:.dot.ts"]),
        ("b.tar:src/*.ts", &["b.tar:src/a.ts"]),
        ("b.tar:src", &["b.tar:src/sub/b.ts", "b.tar:src/sub/c.rs", "b.tar:src/a.ts", "b.tar:src/sub/"]),
        ("b.tar:src/*/", &["b.tar:src/sub/"]),
        ("b.tar:top.ts", &["b.tar:top.ts"]),
        ("b.tar", &["b.tar"]),
    ];
    for (entry, paths) in rows {
        assert_eq!(stand.found(json!({ "paths": entry })).paths, *paths, "{entry}");
    }
    let visible = stand.found(json!({ "paths": "b.tar:*.ts", "hidden": false })).paths;
    assert_eq!(visible, ["b.tar:top.ts"]);
    assert_eq!(stand.call(json!({ "paths": "b.tar:src/*.ts" })).text(), "# b.tar:src/\na.ts\n");
}

#[test]
fn an_entry_that_is_found_can_be_read_whatever_it_is_called() {
    let stand = Stand::new();
    let names: &[&[u8]] = &[
        b"new\nline",
        b"bad\xff.txt",
        b" blank ",
        b"back\\slash",
        b"#5",
        b"a:5",
        b"../out",
        b"same",
        b"same",
        b"d/#1",
    ];
    stand.write("odd.tar", tar(&names.iter().map(|name| (*name, 7)).collect::<Vec<_>>()));
    let found = stand.found(json!({ "paths": "odd.tar:**" }));
    assert_eq!(found.paths.len(), names.len() + 1, "{:?}", found.paths);
    for path in &found.paths {
        let read = stand.toolbox.take("read", json!({ "path": path }), &stand.toolbox.budget());
        assert_eq!(read.status, Status::Ok, "{path}: {}", read.text());
    }
}

#[test]
fn an_archive_that_is_missing_or_broken_says_so() {
    let stand = Stand::new();
    stand.write("b.tar", tar(&[(b"src/a.ts", 1)]));
    let none = stand.refused(json!({ "paths": "b.tar:lib/*.ts" }));
    assert!(none.contains("lib") && none.contains("b.tar"), "{none}");
    let gone = stand.refused(json!({ "paths": "c.tar:lib" }));
    assert!(gone.starts_with("find.not_found: Path not found: c.tar:lib"), "{gone}");
    let several = stand.found(json!({ "paths": ["b.tar:lib", "b.tar:src"] }));
    assert_eq!((several.paths.len(), several.missing), (1, vec!["b.tar:lib".to_owned()]));
}
