//! Loading: small files are taken whole, so that text, counts and tag come from one version.

use std::io;
use std::sync::Arc;

use readstone_base::{Blob, Budget, Memory, Stamp, Stopped, Version};

/// A blob ready to be looked at.
#[derive(Debug)]
pub struct Loaded {
    /// The bytes: in memory when the file was small.
    pub blob: Arc<dyn Blob>,
    /// The beginning, or all.
    pub head: Arc<Vec<u8>>,
    /// Pieces from further on.
    pub samples: Vec<Vec<u8>>,
    /// The size.
    pub size: u64,
    /// The hash of all bytes, where all were read.
    pub version: Option<Version>,
    /// Who the file is, where it was not taken whole.
    pub stamp: Option<Stamp>,
    /// True when the bytes are those of a file that can be opened again, not of a stream.
    pub lasting: bool,
    /// True when the file kept changing while it was taken.
    pub changed: bool,
}

/// How much of a file is hashed at a time.
const PIECE_BYTES: usize = 1024 * 1024;
/// How much of a large file is looked at to tell what it is.
const HEAD_BYTES: u64 = 16 * 1024;
/// How many more pieces are looked at.
const SAMPLES: u64 = 11;
/// How long a piece is.
const SAMPLE_BYTES: u64 = 2 * 1024;
/// How often a file that changes is taken again.
const TRIES: usize = 3;

/// The version of these bytes.
pub fn version_of(bytes: &[u8]) -> Version {
    Version::from_bytes(*blake3::hash(bytes).as_bytes())
}

/// The version of bytes that are not taken whole.
pub fn version_of_blob(blob: &dyn Blob, budget: &Budget) -> io::Result<Result<Version, Stopped>> {
    let mut hasher = blake3::Hasher::new();
    let mut piece = vec![0; PIECE_BYTES];
    let mut offset = 0;
    loop {
        if let Err(stopped) = budget.check_heavy() {
            return Ok(Err(stopped));
        }
        let count = blob.read_at(offset, &mut piece)?;
        hasher.update(piece.get(..count).unwrap_or_default());
        offset += count as u64;
        if count < piece.len() {
            return Ok(Ok(Version::from_bytes(*hasher.finalize().as_bytes())));
        }
    }
}

/// Takes a blob whole when it has at most `whole_bytes`, and samples it otherwise.
pub fn load(blob: Arc<dyn Blob>, whole_bytes: u64) -> io::Result<Loaded> {
    let size = blob.len().unwrap_or(0);
    if size > whole_bytes {
        return sample(blob, size);
    }
    let mut tries = 0;
    let mut before = blob.stamp_when_opened()?;
    loop {
        let bytes = blob.read_range(0, size)?;
        let after = blob.stamp()?;
        tries += 1;
        // The blob keeps the size it was opened with; a grown file shows its old part.
        if before == after || tries == TRIES {
            let head = Arc::new(bytes);
            let version = Some(version_of(&head));
            let size = head.len() as u64;
            let blob: Arc<dyn Blob> = Arc::new(Memory::new(Arc::clone(&head)));
            let (lasting, changed) = (after.is_some(), before != after);
            return Ok(Loaded { blob, head, samples: Vec::new(), size, version, stamp: None, lasting, changed });
        }
        before = after;
    }
}

impl Loaded {
    /// A large file of which everything that a look would tell is known already.
    pub fn known(blob: Arc<dyn Blob>, stamp: Stamp) -> Self {
        let (head, samples, size) = (Arc::default(), Vec::new(), blob.len().unwrap_or(stamp.size));
        Self { blob, head, samples, size, version: None, stamp: Some(stamp), lasting: true, changed: false }
    }
}

fn sample(blob: Arc<dyn Blob>, size: u64) -> io::Result<Loaded> {
    let stamp = blob.stamp()?;
    let head = Arc::new(blob.read_range(0, HEAD_BYTES)?);
    let mut samples = Vec::new();
    // Where jumping is dear, the beginning must do.
    let samples_wanted = if blob.is_serial() { 0 } else { SAMPLES };
    let spread = (1..=samples_wanted).map(|number| size / (SAMPLES + 1) * number);
    for offset in spread.chain((samples_wanted > 0).then_some(size.saturating_sub(SAMPLE_BYTES))) {
        // What lies in a hole tells nothing; the data behind it may.
        let offset = blob.next_data(offset)?.unwrap_or(offset);
        // Pieces start at multiples of four, so that no encoding is cut inside a unit.
        let offset = offset / 4 * 4;
        samples.push(blob.read_range(offset, offset + SAMPLE_BYTES)?);
    }
    Ok(Loaded { blob, head, samples, size, version: None, lasting: stamp.is_some(), stamp, changed: false })
}
