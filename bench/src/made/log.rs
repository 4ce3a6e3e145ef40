//! Logs: numbered lines, the same bytes in every run.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// The files that are read.
#[derive(Debug)]
pub struct Files {
    /// A log of the size asked for.
    pub log: PathBuf,
    /// Its lines.
    pub lines: u64,
    /// Its bytes.
    pub bytes: u64,
    /// A file of 20 MB.
    pub medium: PathBuf,
    /// A file of 2 KB.
    pub small: PathBuf,
}

impl Files {
    /// The address of a hundred lines near the end of the log.
    pub fn near_end(&self) -> String {
        format!("{}:{}+100", self.log.display(), self.lines / 17 * 16)
    }
}

/// Makes the files.
pub fn make(place: &Path, megabytes: u64) -> io::Result<Files> {
    let log = place.join("large.log");
    let (lines, bytes) = write(&log, megabytes * 1_000_000)?;
    let medium = place.join("medium.log");
    write(&medium, 20_000_000)?;
    let small = place.join("small.txt");
    write(&small, 2_000)?;
    Ok(Files { log, lines, bytes, medium, small })
}

/// Writes a log of at least this size; gives its lines and bytes. Line N says N - 1.
pub fn write(path: &Path, size: u64) -> io::Result<(u64, u64)> {
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let (mut lines, mut bytes) = (0, 0);
    while bytes < size {
        let line =
            format!("{lines:08} INFO request served in {:03} ms for /items/{:05}\n", lines % 997, lines % 73_421);
        out.write_all(line.as_bytes())?;
        lines += 1;
        bytes += line.len() as u64;
    }
    out.flush()?;
    Ok((lines, bytes))
}
