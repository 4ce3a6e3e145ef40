//! Kind: whether bytes are text, and in which encoding, told as `read` tells it and quickly where that is easy.

use std::io;
use std::str::Utf8Error;
use std::sync::{Arc, LazyLock};

use readstone_base::{Blob, Memory};
use readstone_source::{Coding, Head, Newline};

/// What bytes are.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// Text in UTF-8, behind a byte order mark of so many bytes.
    Utf8 {
        /// How many.
        mark: u64,
    },
    /// Text in another encoding.
    Other(Arc<dyn Coding>),
    /// No text.
    Binary,
}

/// What the beginning of a file says about it.
#[derive(Clone, Debug)]
pub(super) enum Sight {
    /// It is that.
    Sure(Kind),
    /// It is text, and UTF-8 so far, behind a byte order mark of so many bytes.
    Likely {
        /// How many.
        mark: u64,
    },
}

/// What stands for bytes that nobody reads.
static NOTHING: LazyLock<Arc<dyn Blob>> = LazyLock::new(|| Arc::new(Memory::new(Vec::new())));

/// What a file is of which these are all bytes.
pub(super) fn of_whole(bytes: &[u8]) -> Kind {
    match clean_mark(bytes, Tail::End) {
        Some(mark) => Kind::Utf8 { mark },
        None if is_surely_binary(bytes, bytes.len() as u64) => Kind::Binary,
        None => of_head(&Head { bytes, samples: &[], size: bytes.len() as u64 }),
    }
}

/// Whether a file of this size that begins with these bytes is no text. What begins with zeros may be a file with a hole
/// at its beginning.
pub(super) fn is_binary(beginning: &[u8], size: u64) -> bool {
    let head = Head { bytes: beginning, samples: &[], size };
    is_surely_binary(beginning, size)
        || (beginning.iter().any(|byte| *byte != 0) && matches!(of_head(&head), Kind::Binary))
}

/// So much at the beginning of a file counts for the share of controls.
const COUNTED: usize = 256 * 1024;
/// Below this many bytes, shares mean little.
const FEW: usize = 64;

/// Whether there are so many controls that nothing else need be looked at, as is nearly always so: more than one byte in
/// twenty, zeros not counted, and no encoding of several bytes a unit in sight.
fn is_surely_binary(bytes: &[u8], size: u64) -> bool {
    let bytes = bytes.get(..COUNTED).unwrap_or(bytes);
    // Counted in runs short enough for one byte, which compilers turn into wide instructions.
    let odd = |run: &[u8]| run.iter().map(|byte| u8::from(is_odd(*byte) && *byte != 0)).sum::<u8>();
    let odds: usize = bytes.chunks(255).map(|run| usize::from(odd(run))).sum();
    if bytes.len() < FEW || odds * 20 <= bytes.len() {
        return false;
    }
    let beginning = bytes.get(..HEAD_BYTES).unwrap_or(bytes);
    match of_head(&Head { bytes: beginning, samples: &[], size }) {
        Kind::Binary => true,
        Kind::Utf8 { mark } => mark == 0,
        Kind::Other(coding) => coding.newline() == Newline::Byte,
    }
}

fn of_head(head: &Head<'_>) -> Kind {
    match readstone_formats::open(head, &NOTHING) {
        Err(_) => Kind::Binary,
        Ok(lines) if lines.coding.name() == "utf-8" => Kind::Utf8 { mark: lines.coding.mark() },
        Ok(lines) => Kind::Other(lines.coding),
    }
}

/// What follows bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    /// Nothing.
    End,
    /// More, so that the last character may be cut off.
    Open,
}

/// The length of the byte order mark, when bytes are UTF-8 without anything that speaks against text.
pub(super) fn clean_mark(bytes: &[u8], tail: Tail) -> Option<u64> {
    let clean = match class_of(bytes) {
        Class::Plain => true,
        Class::High => is_utf8(bytes, tail),
        Class::Odd => false,
    };
    let mark = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    (clean && !readstone_formats::is_signed(bytes)).then_some(mark)
}

/// Whether bytes are UTF-8.
pub(super) fn is_utf8(bytes: &[u8], tail: Tail) -> bool {
    let is_cut = |error: Utf8Error| tail == Tail::Open && error.error_len().is_none();
    bytes.is_ascii() || std::str::from_utf8(bytes).err().is_none_or(is_cut)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// Printable ASCII and what text has beside it.
    Plain,
    /// Bytes above ASCII too.
    High,
    /// Controls that text does not have.
    Odd,
}

/// So many bytes are looked at for controls other than zeros: what has many of those has them soon.
const RUN: usize = 4096;

/// Zeros and bytes above ASCII are looked for by libraries that take many bytes at once, however this program is built.
fn class_of(bytes: &[u8]) -> Class {
    let beginning = bytes.get(..RUN).unwrap_or(bytes);
    if has_odd(beginning) || memchr::memchr(0, bytes).is_some() {
        Class::Odd
    } else if bytes.is_ascii() {
        Class::Plain
    } else {
        Class::High
    }
}

/// Whether there is such a control. Runs are looked at to their ends, which compilers turn into wide instructions.
fn has_odd(bytes: &[u8]) -> bool {
    bytes.chunks(256).any(|run| run.iter().fold(false, |odd, byte| odd | is_odd(*byte)))
}

/// Controls other than backspace, tab, line ends, vertical tab, form feed and escape: where there are many, it is no text.
fn is_odd(byte: u8) -> bool {
    matches!(byte, 0..=7 | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F)
}

/// How much of a large file is looked at to tell what it is, as `read` does.
const HEAD_BYTES: usize = 16 * 1024;
/// How many more pieces are looked at, and how long they are.
const SAMPLES: u64 = 11;
const SAMPLE_BYTES: u64 = 2 * 1024;

/// What a large file is that begins with these bytes.
pub(super) fn of_large(blob: &dyn Blob, beginning: &[u8]) -> io::Result<Kind> {
    let bytes = beginning.get(..HEAD_BYTES).unwrap_or(beginning);
    let size = blob.len().unwrap_or(SOME_LENGTH);
    let mut samples = Vec::new();
    if blob.len().is_some() && !blob.is_serial() {
        let spread = (1..=SAMPLES).map(|number| size / (SAMPLES + 1) * number);
        for offset in spread.chain([size.saturating_sub(SAMPLE_BYTES)]) {
            let offset = blob.next_data(offset)?.unwrap_or(offset) / 4 * 4;
            samples.push(blob.read_range(offset, offset + SAMPLE_BYTES)?);
        }
    }
    let plain = |bytes: &[u8]| class_of(bytes) == Class::Plain;
    if plain(bytes) && samples.iter().all(|sample| plain(sample)) && !readstone_formats::is_signed(bytes) {
        return Ok(Kind::Utf8 { mark: 0 });
    }
    Ok(of_head(&Head { bytes, samples: &samples, size }))
}

/// The length of a blob that does not tell it, for whoever only asks whether it ends inside a unit.
const SOME_LENGTH: u64 = 1 << 62;
