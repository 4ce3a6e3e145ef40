//! Compressed bytes as blobs: what is inside is read as if it were not compressed.

mod decoder;
pub(crate) mod dictionary;
mod extent;
mod feed;
mod gzip;
mod inflated;
mod lead;
mod part;
mod settle;
mod stream;
mod trail;
mod trouble;
mod unpacked;
mod zstd;

pub(crate) use decoder::Frame;
pub(crate) use extent::deflated;
pub(crate) use feed::Input;
pub(crate) use gzip::header as gzip_header;
pub(crate) use inflated::Inflated;
pub(crate) use part::{Held, Origin, Slice};
pub(crate) use settle::{Allowed, Settled, settle};
pub(crate) use stream::{Inside, begins, inner_name, inside, kind, open};
pub(crate) use trail::Trail;
pub(crate) use trouble::{Trouble, fill, go_on, measure, trouble_in};
pub(crate) use unpacked::{Declared, Method, Unpacked};

/// A count of bytes as the size of something in memory; what cannot be in memory is as large as it gets.
pub(crate) fn size(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// Copies as much as fits.
pub(crate) fn copy(from: &[u8], to: &mut [u8]) -> usize {
    let count = from.len().min(to.len());
    if let (Some(to), Some(from)) = (to.get_mut(..count), from.get(..count)) {
        to.copy_from_slice(from);
    }
    count
}
