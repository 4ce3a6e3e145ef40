//! A small world to read archives in.

use std::any::Any;
use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use readstone_base::{Blob, Budget, Fault, Fixed, Identity, Limits, Note, Span, Stamp, TreeRow, Workshop};
use readstone_formats::{ArchiveEntry, EntryPlan, InPlace, PutInto, Standard, archive_form, plan_entry};
use readstone_source::{Alone, Content, Entered, Formats, Judge, Listing, Opening, Piece, Shelf};

/// Bytes with an identity, which count how much of them is read.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) bytes: Arc<Vec<u8>>,
    pub(crate) stamp: Stamp,
    pub(crate) read: AtomicU64,
}

impl Blob for File {
    fn len(&self) -> Option<u64> {
        Some(self.bytes.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = self.bytes.get(offset as usize..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }

    fn stamp(&self) -> io::Result<Option<Stamp>> {
        Ok(Some(self.stamp))
    }
}

type Kept = HashMap<(Stamp, &'static str), (Arc<dyn Any + Send + Sync>, u64)>;

#[derive(Default)]
pub(crate) struct Board(Mutex<Kept>);

impl Shelf for Board {
    fn take(&self, of: Stamp, what: &'static str) -> Option<Arc<dyn Any + Send + Sync>> {
        self.0.lock().unwrap().get(&(of, what)).map(|(thing, _)| Arc::clone(thing))
    }

    fn put(&self, of: Stamp, what: &'static str, thing: Arc<dyn Any + Send + Sync>, bytes: u64) {
        self.0.lock().unwrap().insert((of, what), (thing, bytes));
    }
}

struct Strict;

impl Judge for Strict {
    fn denies(&self, name: &Path) -> Option<String> {
        let rule = match name.file_name()?.to_str()? {
            ".env" => "**/.env",
            "secret.db-wal" => "**/secret*",
            _ => return None,
        };
        Some(rule.to_owned())
    }
}

/// One file and what was found out about it.
pub(crate) struct World {
    pub(crate) file: Arc<File>,
    /// Bytes that are read instead of the file's.
    pub(crate) instead: Option<Arc<dyn Blob>>,
    pub(crate) name: String,
    pub(crate) limits: Limits,
    pub(crate) budget: Budget,
    pub(crate) shelf: Board,
}

/// What an address led to.
#[derive(Debug)]
pub(crate) enum Got {
    Bytes { piece: Piece, rest: Option<String>, notes: Vec<Note> },
    List { listing: Box<dyn Listing>, path: String, rest: Option<String>, notes: Vec<Note> },
    Itself,
}

impl World {
    /// The same with little room for what was unpacked, so that what is long is not kept.
    pub(crate) fn with_little_room(mut self) -> Self {
        self.limits.shelf_bytes = 1 << 20;
        self
    }

    pub(crate) fn new(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = Arc::new(bytes.into());
        let identity = Identity { device: 1, inode: 2 };
        let stamp = Stamp { identity, size: bytes.len() as u64, modified: 3, changed: 4 };
        Self {
            file: Arc::new(File { bytes, stamp, read: AtomicU64::new(0) }),
            instead: None,
            name: name.to_owned(),
            limits: Limits::default(),
            budget: Budget::new(Arc::new(Fixed(0)), None),
            shelf: Board::default(),
        }
    }

    pub(crate) fn read(&self) -> u64 {
        self.file.read.swap(0, Ordering::Relaxed)
    }

    /// A world whose file is something else than bytes in memory.
    pub(crate) fn of(name: &str, blob: Arc<dyn Blob>) -> Self {
        Self { instead: Some(blob), ..Self::new(name, Vec::new()) }
    }

    pub(crate) fn enter(&self, tail: Option<&str>) -> Result<Got, Fault> {
        self.enter_within(tail, &self.budget)
    }

    /// What a call with a budget of its own is led to.
    pub(crate) fn enter_within(&self, tail: Option<&str>, budget: &Budget) -> Result<Got, Fault> {
        let works: Arc<dyn Workshop> = Arc::new(InPlace);
        let opening = self.opening(budget, &works);
        let mut piece = self.piece();
        let (mut rest, mut notes) = (tail.map(str::to_owned), Vec::new());
        for _ in 0..8 {
            let Some(container) = Standard.container(&piece, rest.as_deref(), &opening)? else { break };
            match container.enter(rest.as_deref(), &opening)? {
                Entered::Piece { piece: inner, rest: left, notes: more } => {
                    piece = inner;
                    rest = left;
                    notes.extend(more);
                }
                Entered::Content(reached) => {
                    let Content::Listing(listing) = reached.content else { panic!("a listing was expected") };
                    notes.extend(reached.notes);
                    return Ok(Got::List { listing, path: reached.path, rest: reached.rest, notes });
                }
                Entered::Itself => return Ok(Got::Itself),
            }
        }
        Ok(Got::Bytes { piece, rest, notes })
    }

    fn opening<'a>(&'a self, budget: &'a Budget, works: &'a Arc<dyn Workshop>) -> Opening<'a> {
        Opening {
            limits: &self.limits,
            budget,
            shelf: &self.shelf,
            formats: &Standard,
            judge: &Strict,
            works,
            pictures: readstone_source::Pictures::default(),
            beyond: readstone_source::Beyond::nothing(),
        }
    }

    fn piece(&self) -> Piece {
        Piece {
            blob: self.instead.clone().unwrap_or_else(|| Arc::clone(&self.file) as Arc<dyn Blob>),
            path: self.name.clone(),
            name: self.name.clone(),
            stamp: Some(self.file.stamp),
            beside: Arc::new(Alone),
        }
    }

    /// Passes the plan to put an entry into the file, or into a new archive of its name where there is no file.
    pub(crate) fn put<T>(&self, entry: &ArchiveEntry<'_>, pass: impl FnOnce(&EntryPlan<'_>) -> T) -> Result<T, Fault> {
        let works: Arc<dyn Workshop> = Arc::new(InPlace);
        let opening = self.opening(&self.budget, &works);
        let piece = self.piece();
        let form = archive_form(&self.name).filter(|_| self.instead.is_none() && self.file.bytes.is_empty());
        let into = form.map_or(PutInto::There(&piece), |form| PutInto::New { path: &self.name, form });
        plan_entry(into, entry, &opening).map(|plan| pass(&plan))
    }

    /// The archive with an entry put in.
    #[track_caller]
    pub(crate) fn with(&self, inner: &str, content: &[u8]) -> Vec<u8> {
        self.put(&ArchiveEntry { inner, content, modified: MODIFIED }, written).unwrap()
    }

    /// The code and the sentence of the refusal to put an entry in.
    #[track_caller]
    pub(crate) fn refuses(&self, inner: &str) -> (&'static str, String) {
        match self.put(&ArchiveEntry { inner, content: b"new", modified: MODIFIED }, |_| ()) {
            Ok(()) => panic!("{inner} is put into {}", self.name),
            Err(fault) => (fault.code(), fault.to_string()),
        }
    }

    /// The bytes at a tail, and what is said of them.
    pub(crate) fn bytes(&self, tail: &str) -> (Vec<u8>, Vec<Note>) {
        match self.enter(Some(tail).filter(|tail| !tail.is_empty())).unwrap() {
            Got::Bytes { piece, notes, .. } => (all(&*piece.blob).unwrap(), notes),
            other @ (Got::List { .. } | Got::Itself) => panic!("{tail} led to {other:?}"),
        }
    }

    pub(crate) fn text(&self, tail: &str) -> String {
        String::from_utf8(self.bytes(tail).0).unwrap()
    }

    /// The code of the failure at a tail, be it on opening or on reading.
    pub(crate) fn fails(&self, tail: &str) -> String {
        match self.enter(Some(tail).filter(|tail| !tail.is_empty())) {
            Err(fault) => fault.code().to_owned(),
            Ok(Got::Bytes { piece, .. }) => all(&*piece.blob).map_or_else(
                |error| format!("read: {error}"),
                |bytes| panic!("{tail} was read: {} bytes", bytes.len()),
            ),
            Ok(other) => panic!("{tail} led to {other:?}"),
        }
    }

    pub(crate) fn fault(&self, tail: &str) -> Fault {
        match self.enter(Some(tail)) {
            Err(fault) => fault,
            Ok(got) => panic!("{tail} led to {got:?}"),
        }
    }

    pub(crate) fn list(&self, tail: Option<&str>) -> (Vec<TreeRow>, Vec<Note>) {
        match self.enter(tail).unwrap() {
            Got::List { listing, notes, .. } => (listing.rows(Span::new(1, u64::MAX), &self.budget).unwrap(), notes),
            other @ (Got::Bytes { .. } | Got::Itself) => panic!("{tail:?} led to {other:?}"),
        }
    }

    pub(crate) fn names(&self, tail: Option<&str>) -> Vec<String> {
        self.list(tail).0.into_iter().map(|row| row.name).collect()
    }
}

/// When entries are put into archives.
pub(crate) const MODIFIED: i64 = 1_800_000_000;

/// What a plan writes.
pub(crate) fn written(plan: &EntryPlan<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    plan.write(&mut bytes).unwrap();
    bytes
}

/// All bytes of a blob, read in order and up to where nothing more comes.
pub(crate) fn all(blob: &dyn Blob) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let count = blob.read_at(bytes.len() as u64, &mut buffer)?;
        bytes.extend_from_slice(&buffer[..count]);
        if count == 0 {
            return Ok(bytes);
        }
    }
}

/// Numbers that look random and are the same each time.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, most: u64) -> u64 {
        self.next() % most.max(1)
    }
}

/// Text that packs about as source code does.
pub(crate) fn prose(seed: u64, bytes: usize) -> Vec<u8> {
    let mut dice = Dice(seed | 1);
    let words: Vec<String> = (0..800).map(|_| format!("{:x}", dice.next() >> (20 + dice.below(24)))).collect();
    let mut text = Vec::with_capacity(bytes + 16);
    while text.len() < bytes {
        text.extend_from_slice(words[dice.below(800) as usize].as_bytes());
        text.push(if dice.below(9) == 0 { b'\n' } else { b' ' });
    }
    text.truncate(bytes);
    text
}

pub(crate) fn deflate(bytes: &[u8], level: i32) -> Vec<u8> {
    let mut deflate = zlib_rs::Deflate::new(level, false, 15);
    let mut output = vec![0; bytes.len() + bytes.len() / 8 + 1024];
    deflate.compress(bytes, &mut output, zlib_rs::DeflateFlush::Finish).unwrap();
    output.truncate(deflate.total_out() as usize);
    output
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3];
    packed.extend(deflate(bytes, 6));
    packed.extend(crc32fast::hash(bytes).to_le_bytes());
    packed.extend((bytes.len() as u32).to_le_bytes());
    packed
}

pub(crate) fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    io::Write::write_all(&mut encoder, bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut writer = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(1)).unwrap();
    io::Write::write_all(&mut writer, bytes).unwrap();
    writer.finish().unwrap()
}

pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

/// A tar archive of regular files.
pub(crate) fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(1_700_000_000);
        builder.append_data(&mut header, name, *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

/// Holds long bytes against others without showing all of them.
#[track_caller]
pub(crate) fn same(left: &[u8], right: &[u8], what: &str) {
    let equal = left.iter().zip(right).take_while(|(left, right)| left == right).count();
    assert!(left == right, "{what}: {} and {} bytes, the first {equal} are the same", left.len(), right.len());
}

/// Who bytes are, however many.
pub(crate) fn identity(stamp: Option<readstone_base::Stamp>) -> Option<readstone_base::Identity> {
    stamp.map(|stamp| stamp.identity)
}
