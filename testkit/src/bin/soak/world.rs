//! The files that a soak reads.

use std::fmt::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use readstone_testkit::{Archive, Office, Pixels, World, ZipItem};

/// Lines of the log.
const LINES: usize = 400_000;
/// Rows of the database.
const ROWS: i64 = 1_000;

/// Makes them.
pub(crate) fn make(program: &str) -> World {
    let world = World::new(program);
    world.file("small.txt", numbered("line", 10));
    world.file("large.log", numbered("entry", LINES));
    let mut code = String::new();
    for number in 0..40 {
        let _ = write!(code, "/// Says {number}.\nfn function_{number}() -> u32 {{\n    {number}\n}}\n\n");
    }
    world.file("code.rs", code);
    for (number, text) in ["nothing", "a needle", "hay", "more hay"].iter().enumerate() {
        world.file(format!("tree/d{number}/f{number}.txt"), format!("{text}\n"));
    }
    let inner = ZipItem::deflated("inner.txt", b"inside the archive\n");
    world.file("pack.zip", Archive::zip(&[inner]));
    world.file("pack.tar.gz", packed_tar());
    world.file("letter.docx", Office::word(&Office::paragraph("Dear reader")));
    world.file("dot.png", Pixels::sound(8, 8));
    make_database(&world);
    world
}

fn numbered(word: &str, count: usize) -> String {
    let mut text = String::new();
    for number in 0..count {
        let _ = writeln!(text, "{word} {number}");
    }
    text
}

#[expect(clippy::expect_used, reason = "a file that cannot be made must stop the soak")]
fn packed_tar() -> Vec<u8> {
    let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    let text = b"inside the tar\n";
    let mut header = tar::Header::new_gnu();
    header.set_size(text.len() as u64);
    header.set_mode(0o644);
    header.set_cksum();
    tar.append_data(&mut header, "deep/notes.txt", text.as_slice()).expect("an entry");
    tar.into_inner().and_then(GzEncoder::finish).expect("an archive")
}

#[expect(clippy::expect_used, reason = "a file that cannot be made must stop the soak")]
fn make_database(world: &World) {
    let database = rusqlite::Connection::open(world.path().join("shop.db")).expect("a database");
    database.execute_batch("BEGIN; CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT)").expect("a table");
    for number in 1..=ROWS {
        database.execute("INSERT INTO items VALUES (?1, 'item ' || ?1)", [number]).expect("a row");
    }
    database.execute_batch("COMMIT").expect("a database");
}
