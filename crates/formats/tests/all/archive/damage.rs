//! Whatever the bytes are, reading ends, and without a panic.

use readstone_base::Span;
use sevenz_rust2::{ArchiveEntry, ArchiveWriter};

use super::kit::{Dice, Got, World, all, bzip2, gzip, prose, tar, xz, zstd};
use super::zip_writer::{Item, zip};

fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let text = prose(3, 6_000);
    let long = "long/".repeat(40);
    let plain = tar(&[("a/b.txt", &text), (&long, b"x"), ("c", b"c")]);
    let items = [
        Item::deflated("a/b.txt", &text),
        Item::stored("c", b"c"),
        Item { mode: 0o12_0777, ..Item::stored("ln", b"c") },
        Item::new("d", &text, 12),
        Item::new("e", &text, 93),
        Item::new("f", &text, 95),
    ];
    let mut seven = ArchiveWriter::new(std::io::Cursor::new(Vec::new())).unwrap();
    seven.push_archive_entry(ArchiveEntry::new_file("a"), Some(&text[..])).unwrap();
    let seven = seven.finish().unwrap().into_inner();
    vec![
        ("a.zip", zip(&items)),
        ("a.tar", plain.clone()),
        ("a.tar.gz", gzip(&plain)),
        ("a.tar.bz2", bzip2(&plain)),
        ("a.tar.xz", xz(&plain)),
        ("a.tar.zst", zstd(&plain)),
        ("a.gz", gzip(&text)),
        ("a.7z", seven),
    ]
}

/// Opens everything that can be opened.
fn visit(world: &World) {
    let read = |got| match got {
        Ok(Got::Bytes { piece, .. }) => {
            drop(all(&*piece.blob));
        }
        Ok(Got::List { listing, .. }) => {
            drop(listing.rows(Span::new(1, 500), &world.budget));
        }
        Ok(Got::Itself) | Err(_) => {}
    };
    for tail in [None, Some("a/b.txt"), Some("c"), Some("#1"), Some("#2"), Some("#4"), Some("#5"), Some("#6")] {
        read(world.enter(tail));
    }
}

fn damage(rounds: u64) {
    let mut dice = Dice(0x5EED);
    for (name, good) in samples() {
        for _ in 0..rounds {
            let mut bad = good.clone();
            for _ in 0..=dice.below(4) {
                let at = dice.below(bad.len() as u64) as usize;
                match dice.below(5) {
                    0 => bad.truncate(at.max(1)),
                    1 => bad[at] = 0xFF,
                    2 => bad[at] = 0,
                    3 => bad[at] ^= 1 << dice.below(8),
                    _ => bad[at] = dice.next() as u8,
                }
            }
            visit(&World::new(name, bad));
        }
    }
}

#[test]
fn damaged_archives_end_in_answers() {
    damage(120);
}
