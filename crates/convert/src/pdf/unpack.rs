//! Streams unpacked within bounds.
//!
//! The library unpacks up to a gigabyte; a few hundred bytes suffice for that.
//!
//! Repair of `unpdf`: one stream may unpack to a gigabyte. Shown by:
//! `fault_streams_unpack_without_a_useful_bound`, `tests/all/pdf_hostile.rs`.

use std::io::Read;

use flate2::read::ZlibDecoder;
use unpdf::parser::raw::stream;
use unpdf::parser::raw::tokenizer::{PdfDict, PdfObject, PdfStream};

/// Bytes that one stream may unpack to.
const MOST: usize = 32 << 20;
/// Bytes that may be packed in a way for which only the library's own bound holds.
const OTHERS: usize = 512 << 10;

/// What became of a stream.
pub(super) enum Unpacked {
    Bytes(Vec<u8>),
    TooLarge,
    Broken,
}

impl Unpacked {
    /// The bytes, if there are any.
    pub(super) fn bytes(self) -> Option<Vec<u8>> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::TooLarge | Self::Broken => None,
        }
    }
}

/// Unpacks a stream, filter by filter.
pub(super) fn unpack(stream: &PdfStream) -> Unpacked {
    let filters = match stream.dict.get(b"Filter".as_slice()) {
        None | Some(PdfObject::Null) => &[],
        Some(PdfObject::Array(filters)) => filters.as_slice(),
        Some(one) => std::slice::from_ref(one),
    };
    let parameters = stream.dict.get(b"DecodeParms".as_slice());
    let mut bytes = None;
    for (index, filter) in filters.iter().enumerate() {
        let own = match parameters {
            Some(PdfObject::Array(all)) => all.get(index),
            // One dictionary beside several filters belongs to the last.
            one => one.filter(|_| index.saturating_add(1) == filters.len()),
        };
        match stage(filter, own, bytes.as_deref().unwrap_or(&stream.raw_data)) {
            Unpacked::Bytes(unpacked) => bytes = Some(unpacked),
            other @ (Unpacked::TooLarge | Unpacked::Broken) => return other,
        }
    }
    let bytes = bytes.unwrap_or_else(|| stream.raw_data.clone());
    if bytes.len() > MOST { Unpacked::TooLarge } else { Unpacked::Bytes(bytes) }
}

fn stage(filter: &PdfObject, parameters: Option<&PdfObject>, bytes: &[u8]) -> Unpacked {
    match filter.as_name() {
        Some(b"FlateDecode" | b"Fl") => {
            let limit = u64::try_from(MOST).unwrap_or(u64::MAX).saturating_add(1);
            let mut out = Vec::new();
            let ended = ZlibDecoder::new(bytes).take(limit).read_to_end(&mut out);
            if out.len() > MOST {
                return Unpacked::TooLarge;
            }
            let plain = parameters.and_then(PdfObject::as_dict).is_none_or(PdfDict::is_empty);
            if ended.is_ok() && plain {
                return Unpacked::Bytes(out);
            }
        }
        Some(b"LZWDecode" | b"LZW" | b"RunLengthDecode" | b"RL") if bytes.len() > OTHERS => return Unpacked::TooLarge,
        Some(_) | None => {}
    }
    by_library(filter, parameters, bytes)
}

fn by_library(filter: &PdfObject, parameters: Option<&PdfObject>, bytes: &[u8]) -> Unpacked {
    let mut dict = PdfDict::new();
    dict.insert(b"Filter".to_vec(), filter.clone());
    if let Some(parameters) = parameters {
        dict.insert(b"DecodeParms".to_vec(), parameters.clone());
    }
    match stream::decompress(&PdfStream { dict, raw_data: bytes.to_vec() }) {
        Ok(unpacked) if unpacked.len() > MOST => Unpacked::TooLarge,
        Ok(unpacked) => Unpacked::Bytes(unpacked),
        Err(_) => Unpacked::Broken,
    }
}
