//! 7z archives.

mod header;

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Arc, OnceLock};

use readstone_base::{Blob, Budget, Fault};
use readstone_source::{Opening, Piece};
use sevenz_rust2::{Archive, ArchiveEntry, Block, BlockDecoder, EncoderMethod, Password};

use super::error::Error;
use super::index::{Entry, Index, Kind, odd};
use super::members::{Hand, Member, Members, address, failed, keep_bytes, kept, no_room, part, too_many};
use crate::packed::{Allowed, Held, Origin, Trouble, dictionary, go_on, trouble_in};

/// Whether a 7z archive begins here.
pub(super) fn begins(head: &[u8]) -> bool {
    head.starts_with(&[b'7', b'z', 0xBC, 0xAF, 0x27, 0x1C])
}

/// A 7z archive.
#[derive(Debug)]
pub(super) struct Seven {
    piece: Piece,
    known: OnceLock<Arc<Known>>,
}

/// What is known of an archive.
#[derive(Debug)]
struct Known {
    archive: Archive,
    index: Arc<Index>,
}

impl Seven {
    pub(super) fn new(piece: &Piece) -> Self {
        Self { piece: piece.clone(), known: OnceLock::new() }
    }

    fn known(&self, hand: &Hand<'_>) -> Result<Arc<Known>, Fault> {
        if let Some(known) = self.known.get() {
            return Ok(Arc::clone(known));
        }
        if let Some(known) = hand.known::<Known>(self.piece.stamp, "archive.seven") {
            return Ok(Arc::clone(self.known.get_or_init(|| known)));
        }
        let path = &self.piece.path;
        let asks = header::check(&*self.piece.blob, path, hand.limits.unpack_memory)?;
        let lent = Allowed { most: asks, beside: 0, budget: hand.budget }.lend(asks).map_err(failed(path))?;
        let mut reader = self.reader(hand.budget);
        let archive = Archive::read(&mut reader, &Password::empty())
            .map_err(|error| fault(path, error, hand.limits.unpack_memory))?;
        drop(lent);
        let most = crate::packed::size(hand.limits.archive_entries);
        if archive.files.len() > most {
            return Err(too_many(&self.piece.path, most));
        }
        let mut index = Index::within(hand.limits.unpack_memory);
        for (number, file) in archive.files.iter().enumerate() {
            if !index.push(file.name.as_bytes(), entry(&archive, number, file)) {
                return Err(no_room(&self.piece.path, hand.limits.unpack_memory));
            }
        }
        index.shrink();
        let cost = index.cost() + archive.files.iter().map(|file| file.name.len() as u64 + 160).sum::<u64>();
        let known = Arc::new(Known { archive, index: Arc::new(index) });
        hand.keep(self.piece.stamp, "archive.seven", &known, cost);
        Ok(Arc::clone(self.known.get_or_init(|| known)))
    }

    fn reader(&self, budget: &Budget) -> Reader {
        Reader { blob: Arc::clone(&self.piece.blob), at: 0, budget: budget.clone() }
    }

    fn unpack(&self, known: &Known, number: usize, path: &str, hand: &Hand<'_>) -> Result<Vec<u8>, Fault> {
        let Some(block) = block_of(&known.archive, number) else { return Ok(Vec::new()) };
        let first = known.archive.stream_map.block_first_file_index.get(block).copied().unwrap_or(number);
        let most = hand.limits.unpack_memory;
        let mut reader = self.reader(hand.budget);
        let password = Password::empty();
        let decoder = BlockDecoder::new(1, block, &known.archive, &password, &mut reader);
        let (mut at, mut bytes) = (first, Vec::new());
        let result = decoder.for_each_entries(&mut |_, stream| {
            let wanted = at == number;
            at += 1;
            take(stream, wanted.then_some(&mut bytes), hand.budget)?;
            Ok(!wanted)
        });
        result.map_err(|error| fault(path, error, most))?;
        Ok(bytes)
    }
}

/// Reads a stream to its end, into `bytes` or nowhere.
fn take(stream: &mut dyn Read, mut bytes: Option<&mut Vec<u8>>, budget: &Budget) -> io::Result<()> {
    let mut buffer = vec![0; 128 * 1024];
    loop {
        go_on(budget)?;
        let count = stream.read(&mut buffer)?;
        if count == 0 {
            return Ok(());
        }
        if let Some(bytes) = &mut bytes {
            bytes.extend_from_slice(buffer.get(..count).unwrap_or_default());
        }
    }
}

/// The block in which an entry is packed, unless it is empty.
fn block_of(archive: &Archive, number: usize) -> Option<usize> {
    archive.stream_map.file_block_index.get(number).copied().flatten()
}

fn entry(archive: &Archive, number: usize, file: &ArchiveEntry) -> Entry {
    const UNIX: u32 = 0x8000;
    let mode = (file.windows_attributes & UNIX != 0).then_some(file.windows_attributes >> 28);
    let kind = match mode {
        _ if file.is_directory => Kind::Directory,
        Some(0o12) => Kind::Symlink,
        Some(_) | None => Kind::File,
    };
    let coders =
        block_of(archive, number).and_then(|block| archive.blocks.get(block)).map_or(&[][..], |block| &block.coders);
    let is = |id: &[u8]| coders.iter().any(|coder| coder.encoder_method_id() == id);
    let odds = if is(EncoderMethod::ID_AES256_SHA256) {
        odd::ENCRYPTED
    } else if coders.iter().any(|coder| !READABLE.contains(&coder.encoder_method_id())) {
        odd::UNSUPPORTED
    } else {
        0
    };
    let time = file.has_last_modified_date.then(|| unix_time(u64::from(file.last_modified_date)));
    Entry { kind, odd: odds, size: file.size, offset: number as u64, time }
}

/// The ways of packing that can be read.
const READABLE: [&[u8]; 14] = [
    EncoderMethod::ID_COPY,
    EncoderMethod::ID_DELTA,
    EncoderMethod::ID_LZMA,
    EncoderMethod::ID_LZMA2,
    EncoderMethod::ID_PPMD,
    EncoderMethod::ID_BZIP2,
    EncoderMethod::ID_BCJ_X86,
    EncoderMethod::ID_BCJ2,
    EncoderMethod::ID_BCJ_PPC,
    EncoderMethod::ID_BCJ_IA64,
    EncoderMethod::ID_BCJ_ARM,
    EncoderMethod::ID_BCJ_ARM64,
    EncoderMethod::ID_BCJ_ARM_THUMB,
    EncoderMethod::ID_BCJ_SPARC,
];

/// Seconds since the epoch of tenths of microseconds since 1601.
fn unix_time(ticks: u64) -> i64 {
    const EPOCH: i64 = 11_644_473_600;
    i64::try_from(ticks / 10_000_000).unwrap_or(0) - EPOCH
}

/// The memory that unpacking a block takes, by what its coders declare.
fn memory(block: &Block) -> u64 {
    block.coders.iter().map(|coder| coder_memory(coder.encoder_method_id(), coder.properties())).sum()
}

fn coder_memory(id: &[u8], properties: &[u8]) -> u64 {
    let declared = || properties.get(1..5).and_then(|bytes| bytes.first_chunk::<4>());
    match id {
        EncoderMethod::ID_LZMA | EncoderMethod::ID_PPMD => {
            declared().map_or(0, |bytes| u64::from(u32::from_le_bytes(*bytes)))
        }
        EncoderMethod::ID_LZMA2 => properties.first().map_or(0, |bits| dictionary::lzma2(*bits)),
        _ => 0,
    }
}

fn fault(path: &str, error: sevenz_rust2::Error, memory: u64) -> Fault {
    use sevenz_rust2::Error as Seven;
    match error {
        Seven::PasswordRequired | Seven::MaybeBadPassword(_) => Error::Encrypted { address: path.to_owned() }.boxed(),
        Seven::UnsupportedCompressionMethod(what) if what.contains("AES") => {
            Error::Encrypted { address: path.to_owned() }.boxed()
        }
        Seven::UnsupportedCompressionMethod(what) => Error::Unsupported { address: path.to_owned(), what }.boxed(),
        Seven::Unsupported(what) => Error::Unsupported { address: path.to_owned(), what: what.into_owned() }.boxed(),
        Seven::MaxMemLimited { .. } => {
            let what = format!("unpacking asks for more than the {memory} bytes of unpack_memory");
            Error::Limit { address: path.to_owned(), what }.boxed()
        }
        Seven::Io(error, _) if trouble_in(&error).is_some() => failed(path)(error),
        Seven::Io(error, _) if error.kind() == io::ErrorKind::UnexpectedEof => {
            Error::corrupt(path, "it is cut").boxed()
        }
        Seven::Io(error, _) => Error::corrupt(path, readstone_base::plain_words(&error)).boxed(),
        Seven::ChecksumVerificationFailed | Seven::NextHeaderCrcMismatch => failed(path)(Trouble::Checksum.into()),
        Seven::BadSignature(_)
        | Seven::UnsupportedVersion { .. }
        | Seven::FileOpen(..)
        | Seven::Other(_)
        | Seven::BadTerminatedStreamsInfo(_)
        | Seven::BadTerminatedUnpackInfo
        | Seven::BadTerminatedPackInfo(_)
        | Seven::BadTerminatedSubStreamsInfo
        | Seven::BadTerminatedHeader(_)
        | Seven::ExternalUnsupported
        | Seven::FileNotFound => Error::corrupt(path, "its directory cannot be read").boxed(),
    }
}

impl Members for Seven {
    fn piece(&self) -> &Piece {
        &self.piece
    }

    fn all(&self, opening: &Opening<'_>) -> Result<Arc<Index>, Fault> {
        Ok(Arc::clone(&self.known(&Hand::of(opening))?.index))
    }

    fn open(&self, index: &Index, number: usize, hand: &Hand<'_>) -> Result<Member, Fault> {
        let path = address(&self.piece, index, number);
        let origin = Origin::new(&self.piece.blob, &part(index, number));
        if let Some(blob) = kept(&self.piece, &origin, hand) {
            return Ok(Member { blob, notes: Vec::new() });
        }
        let known = self.known(hand)?;
        let most = hand.limits.unpack_memory;
        let limit = |what: String| Error::Limit { address: path.clone(), what }.boxed();
        let size = index.size(number);
        if size > most {
            return Err(limit(format!("an entry of {size} bytes is above unpack_memory")));
        }
        let block = block_of(&known.archive, number);
        let asks = block.and_then(|block| known.archive.blocks.get(block)).map_or(0, memory);
        if asks > most {
            return Err(limit(format!("a dictionary of {asks} bytes is above unpack_memory")));
        }
        let allowed = Allowed { most: size, beside: asks, budget: hand.budget };
        let lent = allowed.lend(size).map_err(failed(&path))?;
        let bytes = Arc::new(self.unpack(&known, number, &path, hand)?);
        drop(lent);
        if bytes.len() as u64 != size {
            return Err(failed(&path)(Trouble::Size { declared: size }.into()));
        }
        keep_bytes(hand, self.piece.stamp.map(|stamp| stamp.part(&origin.part)), &bytes);
        Ok(Member { blob: Arc::new(Held::new(origin, bytes)), notes: Vec::new() })
    }

    fn target(&self, index: &Index, number: usize, hand: &Hand<'_>) -> Result<Vec<u8>, Fault> {
        let path = address(&self.piece, index, number);
        let member = self.open(index, number, hand)?;
        member.blob.read_range(0, index.size(number).min(64 * 1024)).map_err(failed(&path))
    }

    fn method(&self, _: &Index, number: usize, _: &Budget) -> String {
        let known = self.known.get();
        let block = known.and_then(|known| known.archive.blocks.get(block_of(&known.archive, number)?));
        let coders = block.map_or(&[][..], |block| &block.coders);
        let mut ids = coders.iter().map(sevenz_rust2::Coder::encoder_method_id);
        let unknown = ids.find(|id| !READABLE.contains(id)).unwrap_or_default();
        unknown.iter().fold("method ".to_owned(), |shown, byte| format!("{shown}{byte:02X}"))
    }
}

/// A blob as the library wants to read it.
struct Reader {
    blob: Arc<dyn Blob>,
    at: u64,
    budget: Budget,
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        go_on(&self.budget)?;
        let count = self.blob.read_at(self.at, buffer)?;
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for Reader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let from = |base: u64, by: i64| base.checked_add_signed(by).ok_or(io::ErrorKind::InvalidInput);
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::Current(by) => from(self.at, by)?,
            SeekFrom::End(by) => from(self.blob.len().unwrap_or(0), by)?,
        };
        Ok(self.at)
    }
}
