//! Writes zip archives, honest ones and others.

use super::kit::{bzip2, deflate, xz, zstd};

/// An entry to be written.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) name: Vec<u8>,
    pub(crate) local_name: Option<Vec<u8>>,
    pub(crate) method: u16,
    pub(crate) flags: u16,
    pub(crate) data: Vec<u8>,
    pub(crate) crc: u32,
    pub(crate) size: u64,
    pub(crate) packed: Option<u64>,
    pub(crate) mode: u32,
    pub(crate) extra: Vec<u8>,
}

impl Item {
    pub(crate) fn new(name: impl AsRef<[u8]>, bytes: &[u8], method: u16) -> Self {
        let data = match method {
            8 => deflate(bytes, 6),
            12 => bzip2(bytes),
            93 => zstd(bytes),
            95 => xz(bytes),
            _ => bytes.to_vec(),
        };
        Self {
            name: name.as_ref().to_vec(),
            local_name: None,
            method,
            flags: 0,
            data,
            crc: crc32fast::hash(bytes),
            size: bytes.len() as u64,
            packed: None,
            mode: 0o10_0644,
            extra: Vec::new(),
        }
    }

    pub(crate) fn stored(name: impl AsRef<[u8]>, bytes: &[u8]) -> Self {
        Self::new(name, bytes, 0)
    }

    pub(crate) fn deflated(name: impl AsRef<[u8]>, bytes: &[u8]) -> Self {
        Self::new(name, bytes, 8)
    }

    fn packed(&self) -> u64 {
        self.packed.unwrap_or(self.data.len() as u64)
    }

    pub(crate) fn local(&self) -> Vec<u8> {
        let name = self.local_name.as_ref().unwrap_or(&self.name);
        let mut bytes = b"PK\x03\x04\x14\x00".to_vec();
        bytes.extend(self.flags.to_le_bytes());
        bytes.extend(self.method.to_le_bytes());
        bytes.extend([0x21, 0x43, 0x56, 0x57]);
        bytes.extend(self.crc.to_le_bytes());
        bytes.extend((self.packed() as u32).to_le_bytes());
        bytes.extend((self.size as u32).to_le_bytes());
        bytes.extend((name.len() as u16).to_le_bytes());
        bytes.extend(0_u16.to_le_bytes());
        bytes.extend(name);
        bytes
    }

    pub(crate) fn central(&self, offset: u64) -> Vec<u8> {
        let mut bytes = b"PK\x01\x02\x14\x03\x14\x00".to_vec();
        bytes.extend(self.flags.to_le_bytes());
        bytes.extend(self.method.to_le_bytes());
        bytes.extend([0x21, 0x43, 0x56, 0x57]);
        bytes.extend(self.crc.to_le_bytes());
        bytes.extend((self.packed() as u32).to_le_bytes());
        bytes.extend((self.size as u32).to_le_bytes());
        bytes.extend((self.name.len() as u16).to_le_bytes());
        bytes.extend((self.extra.len() as u16).to_le_bytes());
        bytes.extend([0; 6]);
        bytes.extend((self.mode << 16).to_le_bytes());
        bytes.extend((offset as u32).to_le_bytes());
        bytes.extend(&self.name);
        bytes.extend(&self.extra);
        bytes
    }
}

/// The end of an archive.
pub(crate) fn end(count: u16, size: usize, offset: usize, comment: &[u8]) -> Vec<u8> {
    let mut bytes = b"PK\x05\x06\x00\x00\x00\x00".to_vec();
    bytes.extend(count.to_le_bytes());
    bytes.extend(count.to_le_bytes());
    bytes.extend((size as u32).to_le_bytes());
    bytes.extend((offset as u32).to_le_bytes());
    bytes.extend((comment.len() as u16).to_le_bytes());
    bytes.extend(comment);
    bytes
}

/// A whole archive.
pub(crate) fn zip(items: &[Item]) -> Vec<u8> {
    let (mut bytes, mut central) = (Vec::new(), Vec::new());
    for item in items {
        central.extend(item.central(bytes.len() as u64));
        bytes.extend(item.local());
        bytes.extend(&item.data);
    }
    let end = end(items.len() as u16, central.len(), bytes.len(), b"");
    bytes.extend(central);
    bytes.extend(end);
    bytes
}
