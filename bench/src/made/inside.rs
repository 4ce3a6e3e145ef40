//! What lies inside something else: the same archives and databases in every run.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use zip::write::SimpleFileOptions;

/// Bytes of each entry but some.
const ENTRY_BYTES: usize = 100_000;

/// How much is made.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Entries of the zip archive.
    pub entries: usize,
    /// Entries of the compressed tar archive.
    pub members: usize,
    /// Rows of the database.
    pub rows: u32,
}

/// A zip of 500 MB, a tar.gz of 200 MB, a million rows.
pub const FULL: Size = Size { entries: 5_000, members: 3_000, rows: 1_000_000 };

/// What is read.
#[derive(Debug)]
pub struct Files {
    /// A zip archive of about 500 MB, with an entry `wanted.txt` of 4 KB.
    pub zip: PathBuf,
    /// A compressed tar archive of about 200 MB, with entries `wanted-N.txt` of 4 KB at N % of it.
    pub tar: PathBuf,
    /// A database with a million rows.
    pub database: PathBuf,
}

/// Makes them.
pub fn make(place: &Path, size: Size) -> Result<Files, Box<dyn Error>> {
    let (zip, tar, database) = (place.join("large.zip"), place.join("large.tar.gz"), place.join("large.db"));
    make_zip(&zip, size.entries)?;
    make_tar(&tar, size.members)?;
    make_database(&database, size.rows)?;
    Ok(Files { zip, tar, database })
}

/// Bytes that shrink to about two thirds when they are compressed.
fn noise(seed: u64, count: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut bytes = Vec::with_capacity(count + 8);
    while bytes.len() < count {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend(state.to_le_bytes().map(|byte| b' ' + byte % 64));
    }
    bytes.truncate(count);
    bytes
}

fn small() -> Vec<u8> {
    "a line of text that is read\n".repeat(147).into_bytes()
}

fn make_zip(path: &Path, entries: usize) -> Result<(), Box<dyn Error>> {
    let mut writer = zip::ZipWriter::new(BufWriter::new(File::create(path)?));
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for number in 0..entries {
        if number == entries / 10 * 9 {
            writer.start_file("dir/wanted.txt", SimpleFileOptions::default())?;
            writer.write_all(&small())?;
            continue;
        }
        writer.start_file(format!("dir{:02}/file{number:05}.dat", number % 50), stored)?;
        writer.write_all(&noise(number as u64, ENTRY_BYTES))?;
    }
    writer.finish()?.flush()?;
    Ok(())
}

fn make_tar(path: &Path, members: usize) -> Result<(), Box<dyn Error>> {
    let packed = flate2::write::GzEncoder::new(BufWriter::new(File::create(path)?), flate2::Compression::default());
    let mut builder = tar::Builder::new(packed);
    let mut add = |name: String, bytes: &[u8]| {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, bytes)
    };
    for number in 0..members {
        if number % (members / 10) == 0 {
            add(format!("wanted-{}.txt", number * 100 / members), &small())?;
        }
        add(format!("dir/file{number:05}.dat"), &noise(number as u64, ENTRY_BYTES))?;
    }
    builder.into_inner()?.finish()?.flush()?;
    Ok(())
}

fn make_database(path: &Path, rows: u32) -> Result<(), Box<dyn Error>> {
    let connection = Connection::open(path)?;
    connection.execute_batch(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
         CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, age INTEGER, note TEXT);
         CREATE INDEX users_by_age ON users (age);",
    )?;
    connection.execute(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
         INSERT INTO users SELECT i, 'User ' || i, i % 90, 'a note of some length for user ' || i FROM n",
        [rows],
    )?;
    Ok(())
}
