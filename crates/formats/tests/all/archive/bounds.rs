//! What a file declares costs nothing, and every call ends.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use readstone_base::{Blob, CancelToken};

use super::kit::{Got, World, bzip2, gzip, prose, tar, xz, zstd};
use super::zip_writer::{Item, zip};

/// Zeros with something here and there, which count how much of them is read.
#[derive(Debug, Default)]
struct Sparse {
    islands: Vec<(u64, Vec<u8>)>,
    length: u64,
    read: AtomicU64,
}

impl Blob for Sparse {
    fn len(&self) -> Option<u64> {
        Some(self.length)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.length.saturating_sub(offset).min(buffer.len() as u64) as usize;
        for (place, byte) in buffer[..count].iter_mut().enumerate() {
            let at = offset + place as u64;
            let island = self.islands.iter().find(|(start, bytes)| (*start..*start + bytes.len() as u64).contains(&at));
            *byte = island.map_or(0, |(start, bytes)| bytes[(at - start) as usize]);
        }
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Bytes whose call is cancelled once they were read up to some place.
#[derive(Debug)]
struct Mined {
    bytes: Vec<u8>,
    at: u64,
    stop: CancelToken,
    furthest: AtomicU64,
}

impl Blob for Mined {
    fn len(&self) -> Option<u64> {
        Some(self.bytes.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = self.bytes.get(offset as usize..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.furthest.fetch_max(offset + count as u64, Ordering::Relaxed);
        if offset >= self.at {
            self.stop.cancel();
        }
        Ok(count)
    }
}

#[test]
fn a_directory_that_declares_a_terabyte_takes_no_memory() {
    let size = 1_u64 << 40;
    let mut end = b"PK\x06\x06".to_vec();
    end.extend(44_u64.to_le_bytes());
    end.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    for number in [1, 1, size - 100, 100] {
        end.extend(number.to_le_bytes());
    }
    end.extend(b"PK\x06\x07\x00\x00\x00\x00");
    end.extend(size.to_le_bytes());
    end.extend(1_u32.to_le_bytes());
    end.extend(b"PK\x05\x06\x00\x00\x00\x00");
    end.extend([0xFF; 12]);
    end.extend([0; 2]);
    let length = size + end.len() as u64;
    let blob = Sparse { islands: vec![(0, b"PK\x03\x04".to_vec()), (size, end)], length, read: AtomicU64::new(0) };
    assert_eq!(World::of("huge.zip", Arc::new(blob)).fails("x"), "archive.corrupt");
}

#[test]
fn names_and_targets_take_no_more_than_is_allowed() {
    let name = |number: usize| format!("{number}{}", "n".repeat(60_000));
    let items: Vec<Item> = (0..20).map(|number| Item::stored(name(number), b"x")).collect();
    let whole = zip(&items);
    let cut: Vec<u8> = items.iter().flat_map(|item| [item.local(), item.data.clone()].concat()).collect();
    let names: Vec<String> = (0..20).map(name).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"x"[..])).collect();
    let mut links = tar::Builder::new(Vec::new());
    for number in 0..20 {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Symlink);
        header.set_size(0);
        links.append_link(&mut header, number.to_string(), name(number)).unwrap();
    }
    let links = links.into_inner().unwrap();
    for (file, bytes) in [("a.zip", whole), ("cut.zip", cut), ("a.tar", tar(&files)), ("links.tar", links)] {
        let mut world = World::new(file, bytes);
        world.limits.unpack_memory = 1_000_000;
        // However often it is asked for.
        for _ in 0..2 {
            let fault = world.fault("nothing");
            assert_eq!(fault.code(), "archive.limit", "{file}");
            assert!(fault.to_string().contains("unpack_memory"), "{fault}");
        }
        let world = World::new(file, world.file.bytes.to_vec());
        assert_eq!(world.names(None).len(), 20, "{file}");
    }
}

#[test]
fn frames_to_be_skipped_are_not_read() {
    let frame = [0x50, 0x2A, 0x4D, 0x18, 0xFF, 0xFF, 0xFF, 0xFF];
    let step = 8 + u64::from(u32::MAX);
    let islands = (0..16).map(|number| (number * step, frame.to_vec())).collect();
    let blob = Arc::new(Sparse { islands, length: 16 * step, read: AtomicU64::new(0) });
    let world = World::of("skip.zst", Arc::clone(&blob) as Arc<dyn Blob>);
    assert_eq!(world.bytes("").0, b"");
    assert!(blob.read.load(Ordering::Relaxed) < 8 << 20);
    // The last frame says that more follows than there is.
    let blob = Sparse { islands: blob.islands.clone(), length: blob.length - 1, read: AtomicU64::new(0) };
    assert_eq!(World::of("cut.zst", Arc::new(blob)).fails(""), "archive.corrupt");
}

#[test]
fn streams_that_hold_nothing_end_when_the_call_does() {
    let packed = [("e.gz", gzip(b"")), ("e.bz2", bzip2(b"")), ("e.xz", xz(b"")), ("e.zst", zstd(b""))];
    for (name, one) in packed {
        let mut world = World::new(name, Vec::new());
        let bytes = one.repeat((2 << 20) / one.len());
        let stop = world.budget.cancel_token().clone();
        let blob = Arc::new(Mined { bytes, at: 300_000, stop, furthest: AtomicU64::new(0) });
        world.instead = Some(Arc::clone(&blob) as Arc<dyn Blob>);
        assert_eq!(world.fails(""), "archive.cancelled", "{name}");
        assert!(blob.furthest.load(Ordering::Relaxed) < 800_000, "{name}");
    }
}

#[test]
fn the_beginning_of_a_long_stream_is_read_although_its_end_is_missing() {
    let text = prose(43, 12 << 20);
    for (ending, pack) in [("gz", gzip as fn(&[u8]) -> Vec<u8>), ("bz2", bzip2), ("xz", xz), ("zst", zstd)] {
        let mut packed = pack(&text);
        packed.truncate(packed.len() - packed.len() / 8);
        let world = World::new(&format!("cut.log.{ending}"), packed).with_little_room();
        let Ok(Got::Bytes { piece, .. }) = world.enter(None) else { panic!("{ending}") };
        assert_eq!(piece.blob.read_range(0, 200).unwrap(), text[..200]);
        let mut bytes = vec![0; text.len()];
        // What comes before the damage is given first, and the damage is told by the next read.
        let done = piece.blob.read_at(0, &mut bytes).unwrap();
        let error = piece.blob.read_at(done as u64, &mut [0; 9]).unwrap_err();
        assert!(done > 8 << 20, "{ending}: {done}");
        assert!(text.starts_with(&bytes[..done]), "{ending}");
        assert_eq!(readstone_formats::unreadable("cut", error).code(), "archive.corrupt", "{ending}");
    }
}
