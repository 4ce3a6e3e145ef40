//! Crafted archives: what an honest writer makes, and what no honest writer would.

#![expect(clippy::missing_panics_doc, reason = "everything here panics when it cannot do its part of a test")]

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::{Compress, Compression, Crc, FlushCompress};

/// A block of a tar archive.
const BLOCK: usize = 512;

/// An entry of a zip archive, in which everything can be a lie.
#[derive(Clone, Debug)]
pub struct ZipItem {
    /// The name in the central directory.
    pub name: Vec<u8>,
    /// The name where the entry stands, if it is another.
    pub local_name: Option<Vec<u8>>,
    /// How it is packed.
    pub method: u16,
    /// The flags.
    pub flags: u16,
    /// The packed bytes.
    pub data: Vec<u8>,
    /// The checksum it claims.
    pub crc: u32,
    /// The size it claims.
    pub size: u64,
    /// The packed size it claims, if it is another than that of `data`.
    pub packed: Option<u64>,
    /// Type and permissions.
    pub mode: u32,
}

#[expect(clippy::cast_possible_truncation, reason = "fields of a header hold what they can")]
impl ZipItem {
    /// An entry whose bytes are packed already.
    pub fn packed(name: impl AsRef<[u8]>, method: u16, data: Vec<u8>, real: (u64, u32)) -> Self {
        let (name, (size, crc)) = (name.as_ref().to_vec(), real);
        Self { name, local_name: None, method, flags: 0, data, crc, size, packed: None, mode: 0o10_0644 }
    }

    /// An entry as it is.
    pub fn stored(name: impl AsRef<[u8]>, bytes: &[u8]) -> Self {
        Self::packed(name, 0, bytes.to_vec(), (bytes.len() as u64, crc_of(bytes)))
    }

    /// A deflated entry.
    pub fn deflated(name: impl AsRef<[u8]>, bytes: &[u8]) -> Self {
        Self::packed(name, 8, Bomb::default().then(bytes, 1).deflated(), (bytes.len() as u64, crc_of(bytes)))
    }

    /// A symbolic link.
    pub fn link(name: impl AsRef<[u8]>, target: &str) -> Self {
        Self { mode: 0o12_0777, ..Self::stored(name, target.as_bytes()) }
    }

    /// The header where the entry stands, without its bytes.
    pub fn local(&self) -> Vec<u8> {
        let name = self.local_name.as_ref().unwrap_or(&self.name);
        let mut bytes = b"PK\x03\x04\x14\x00".to_vec();
        self.claims(&mut bytes);
        bytes.extend((name.len() as u16).to_le_bytes());
        bytes.extend([0; 2]);
        bytes.extend(name);
        bytes
    }

    /// The record in the central directory of an entry at `offset`.
    pub fn central(&self, offset: usize) -> Vec<u8> {
        let mut bytes = b"PK\x01\x02\x14\x03\x14\x00".to_vec();
        self.claims(&mut bytes);
        bytes.extend((self.name.len() as u16).to_le_bytes());
        bytes.extend([0; 8]);
        bytes.extend((self.mode << 16).to_le_bytes());
        bytes.extend((offset as u32).to_le_bytes());
        bytes.extend(&self.name);
        bytes
    }

    /// What both headers say; the time is 2024-01-02 03:04.
    fn claims(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.flags.to_le_bytes());
        bytes.extend(self.method.to_le_bytes());
        bytes.extend([0x80, 0x18, 0x22, 0x58]);
        bytes.extend(self.crc.to_le_bytes());
        bytes.extend((self.packed.unwrap_or(self.data.len() as u64) as u32).to_le_bytes());
        bytes.extend((self.size as u32).to_le_bytes());
    }
}

/// Recipes for archives.
#[derive(Clone, Copy, Debug)]
pub struct Archive;

#[expect(clippy::expect_used, clippy::cast_possible_truncation, reason = "a recipe that fails must stop the test")]
impl Archive {
    /// A zip archive.
    pub fn zip(items: &[ZipItem]) -> Vec<u8> {
        let (mut bytes, mut central) = (Vec::new(), Vec::new());
        for item in items {
            central.extend(item.central(bytes.len()));
            bytes.extend(item.local());
            bytes.extend(&item.data);
        }
        Self::zip_of(bytes, &central, items.len() as u64)
    }

    /// A zip archive of parts: the entries, their central directory, how many it says there are.
    pub fn zip_of(mut bytes: Vec<u8>, central: &[u8], count: u64) -> Vec<u8> {
        let offset = bytes.len();
        bytes.extend(central);
        if count > 0xFFFE {
            let place = bytes.len();
            bytes.extend(b"PK\x06\x06");
            bytes.extend([44, 0, 0, 0, 0, 0, 0, 0, 45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
            for number in [count, count, central.len() as u64, offset as u64] {
                bytes.extend(number.to_le_bytes());
            }
            bytes.extend(b"PK\x06\x07\x00\x00\x00\x00");
            bytes.extend((place as u64).to_le_bytes());
            bytes.extend(1_u32.to_le_bytes());
        }
        let count = u16::try_from(count).unwrap_or(0xFFFF);
        bytes.extend(b"PK\x05\x06\x00\x00\x00\x00");
        bytes.extend(count.to_le_bytes());
        bytes.extend(count.to_le_bytes());
        bytes.extend((central.len() as u32).to_le_bytes());
        bytes.extend((offset as u32).to_le_bytes());
        bytes.extend([0; 2]);
        bytes
    }

    /// A header of a tar archive with its checksum; `size` and `link` as they stand there.
    pub fn tar_header(name: &str, letter: u8, size: &[u8], link: &str) -> Vec<u8> {
        let mut block = vec![0; BLOCK];
        for (at, field) in
            [(0, name.as_bytes()), (100, b"0000644"), (124, size), (136, b"14544676440"), (156, &[letter])]
        {
            put(&mut block, at, field);
        }
        put(&mut block, 157, link.as_bytes());
        put(&mut block, 257, b"ustar\x0000");
        Self::tar_sum(&mut block);
        block
    }

    /// Makes the checksum of a header right.
    pub fn tar_sum(block: &mut [u8]) {
        put(block, 148, b"        ");
        let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
        put(block, 148, format!("{sum:06o}\0 ").as_bytes());
    }

    /// The size of an entry of a tar archive as its header holds it.
    pub fn tar_size(size: u64) -> Vec<u8> {
        format!("{size:011o}").into_bytes()
    }

    /// An entry of a tar archive.
    pub fn tar_entry(name: &str, letter: u8, bytes: &[u8]) -> Vec<u8> {
        let mut entry = Self::tar_header(name, letter, &Self::tar_size(bytes.len() as u64), "");
        entry.extend(bytes);
        entry.resize(entry.len().next_multiple_of(BLOCK), 0);
        entry
    }

    /// A link in a tar archive: `2` is a symbolic one, `1` a hard one.
    pub fn tar_link(name: &str, letter: u8, target: &str) -> Vec<u8> {
        Self::tar_header(name, letter, &Self::tar_size(0), target)
    }

    /// An extended header about the entry behind it.
    pub fn tar_pax(records: &[(&str, &str)]) -> Vec<u8> {
        let mut text = String::new();
        for (key, value) in records {
            let rest = key.len() + value.len() + 3;
            let length = (rest..rest + 20).find(|length| length.to_string().len() + rest == *length).expect("a length");
            let _ = writeln!(text, "{length} {key}={value}");
        }
        Self::tar_entry("pax", b'x', text.as_bytes())
    }

    /// A tar archive of parts, with its end.
    pub fn tar(parts: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = parts.concat();
        bytes.resize(bytes.len() + 2 * BLOCK, 0);
        bytes
    }

    /// A gzip member.
    pub fn gzip(bytes: &[u8]) -> Vec<u8> {
        Bomb::default().then(bytes, 1).gzipped()
    }

    /// A gzip member of one stored block, as long for these bytes as for any others of their number.
    pub fn gzip_stored(bytes: &[u8]) -> Vec<u8> {
        let length = u16::try_from(bytes.len()).expect("a block holds no more");
        let head = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1];
        let lengths = [length.to_le_bytes(), (!length).to_le_bytes()].concat();
        let tail = [crc_of(bytes).to_le_bytes(), u32::from(length).to_le_bytes()].concat();
        [&head[..], &lengths, bytes, &tail].concat()
    }

    /// A bzip2 stream.
    pub fn bzip2(bytes: &[u8]) -> Vec<u8> {
        let mut writer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        writer.write_all(bytes).and_then(|()| writer.finish()).expect("bzip2")
    }

    /// An xz stream.
    pub fn xz(bytes: &[u8]) -> Vec<u8> {
        let writer = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(1));
        let mut writer = writer.expect("an xz writer");
        writer.write_all(bytes).expect("xz");
        writer.finish().expect("the end of xz")
    }

    /// An xz stream whose block says it needs a dictionary of four gigabytes.
    pub fn xz_with_vast_dictionary(bytes: &[u8]) -> Vec<u8> {
        let mut packed = Self::xz(bytes);
        let header = packed.get_mut(12..).expect("a block");
        let size = header.first().map_or(0, |size| (usize::from(*size) + 1) * 4) - 4;
        let filter = header.windows(2).position(|two| two == [0x21, 1]).expect("the filter LZMA2");
        put(header, filter + 2, &[40]);
        let crc = crc_of(header.get(..size).expect("a whole header"));
        put(header, size, &crc.to_le_bytes());
        packed
    }

    /// A zstd frame.
    pub fn zstd(bytes: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
    }

    /// A zstd frame of one raw block whose window is two gigabytes.
    pub fn zstd_with_vast_window(bytes: &[u8]) -> Vec<u8> {
        let header = (bytes.len() as u32) << 3 | 1;
        let head = [0x28, 0xB5, 0x2F, 0xFD, 0, 21 << 3];
        [&head, header.to_le_bytes().get(..3).unwrap_or_default(), bytes].concat()
    }
}

/// A deflated stream of pieces, each as often as wanted at the cost of packing it once.
#[derive(Debug, Default)]
pub struct Bomb {
    packed: Vec<u8>,
    size: u64,
    crc: Crc,
}

#[expect(clippy::expect_used, clippy::cast_possible_truncation, reason = "a recipe that fails must stop the test")]
impl Bomb {
    /// Adds a piece so many times.
    #[must_use]
    pub fn then(mut self, piece: &[u8], times: u64) -> Self {
        let mut deflate = Compress::new(Compression::default(), false);
        let mut packed = Vec::with_capacity(piece.len() + piece.len() / 8 + 1024);
        // A full flush ends on a whole byte and forgets what was before, so that the piece can stand anywhere.
        deflate.compress_vec(piece, &mut packed, FlushCompress::Full).expect("deflate");
        assert_eq!(deflate.total_in(), piece.len() as u64, "a piece is packed whole");
        let mut crc = Crc::new();
        crc.update(piece);
        for _ in 0..times {
            self.packed.extend(&packed);
            self.crc.combine(&crc);
        }
        self.size += piece.len() as u64 * times;
        self
    }

    /// The size and the checksum of what was packed.
    pub fn real(&self) -> (u64, u32) {
        (self.size, self.crc.sum())
    }

    /// The deflated stream.
    pub fn deflated(&self) -> Vec<u8> {
        [&self.packed[..], &[3, 0]].concat()
    }

    /// The stream as a gzip member.
    pub fn gzipped(&self) -> Vec<u8> {
        let head = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3];
        let tail = [self.crc.sum().to_le_bytes(), (self.size as u32).to_le_bytes()].concat();
        [&head[..], &self.deflated(), &tail].concat()
    }
}

fn crc_of(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// Writes a field at its place.
fn put(block: &mut [u8], at: usize, field: &[u8]) {
    for (place, byte) in block.iter_mut().skip(at).zip(field) {
        *place = *byte;
    }
}
