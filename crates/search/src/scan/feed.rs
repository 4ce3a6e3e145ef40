//! A feed: the text of a blob as UTF-8, from its beginning to its end.

use std::io;
use std::sync::Arc;

use readstone_base::Blob;
use readstone_source::Coding;

/// Where text comes from.
#[derive(Debug)]
pub(super) struct Feed<'b> {
    blob: &'b dyn Blob,
    way: Way,
    /// The offset in the blob at which it goes on.
    next: u64,
    mark: u64,
    ended: bool,
}

#[derive(Debug)]
enum Way {
    /// The bytes are passed on as they are.
    Bytes,
    /// They are, and whoever takes them says whether they are UTF-8.
    Watched(Trust),
    /// They are decoded.
    Decoded(Decoder),
}

/// What follows bytes that were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// Nothing.
    Nothing,
    /// Perhaps more.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trust {
    Kept,
    Lost,
}

#[derive(Debug)]
struct Decoder {
    coding: Arc<dyn Coding>,
    bytes: Vec<u8>,
    text: String,
    /// How much of the text was passed on.
    done: usize,
}

/// So much is decoded at a time.
const STRIDE: usize = 256 * 1024;
/// A character has at most this many bytes in any encoding.
const CHARACTER: usize = 8;
/// A hole of this length is not read, but passed on as so many zeros.
const LARGE_HOLE: u64 = 1024 * 1024;
const SHOWN_HOLE: usize = 4 * 1024;

impl<'b> Feed<'b> {
    /// The bytes behind a byte order mark, as they are.
    pub(super) fn bytes(blob: &'b dyn Blob, mark: u64) -> Self {
        Self { blob, way: Way::Bytes, next: mark, mark, ended: false }
    }

    /// The bytes as they are, as long as they are UTF-8.
    pub(super) fn watched(blob: &'b dyn Blob, mark: u64) -> Self {
        Self { way: Way::Watched(Trust::Kept), ..Self::bytes(blob, mark) }
    }

    /// The bytes decoded.
    pub(super) fn decoded(blob: &'b dyn Blob, coding: &Arc<dyn Coding>) -> Self {
        let coding = Arc::clone(coding);
        let mark = coding.mark();
        let decoder = Decoder { coding, bytes: Vec::new(), text: String::new(), done: 0 };
        Self { blob, way: Way::Decoded(decoder), next: mark, mark, ended: false }
    }

    /// Goes on behind bytes that were read before, and says where the text begins in them.
    pub(super) fn go_on(&mut self, read: usize, rest: Rest) -> usize {
        self.next = read as u64;
        self.ended = rest == Rest::Nothing;
        usize::try_from(self.mark).unwrap_or(0).min(read)
    }

    /// Whether all was passed on.
    pub(super) fn is_ended(&self) -> bool {
        self.ended
    }

    /// Whether it must be checked that the text is UTF-8.
    pub(super) fn is_watched(&self) -> bool {
        matches!(self.way, Way::Watched(Trust::Kept))
    }

    /// Notes that it is not.
    pub(super) fn distrust(&mut self) {
        self.way = Way::Watched(Trust::Lost);
    }

    /// Whether it was not.
    pub(super) fn is_doubtful(&self) -> bool {
        matches!(self.way, Way::Watched(Trust::Lost))
    }

    /// Leaves out a hole in a file, but for a few zeros that stand for it.
    fn pass_hole(&mut self, room: &mut [u8]) -> io::Result<Option<usize>> {
        let Some(size) = self.blob.len() else {
            return Ok(None);
        };
        let data = self.blob.next_data(self.next)?.unwrap_or(size);
        if data.saturating_sub(self.next) < LARGE_HOLE || room.len() <= SHOWN_HOLE {
            return Ok(None);
        }
        self.next = data;
        self.ended = data >= size;
        let shown = room.get_mut(..SHOWN_HOLE).unwrap_or_default();
        shown.fill(0);
        Ok(Some(shown.len()))
    }

    /// Fills some of `room`, as much as there is unless a hole comes; whether that was all is said by
    /// [`Feed::is_ended`].
    pub(super) fn fill(&mut self, room: &mut [u8]) -> io::Result<usize> {
        match &mut self.way {
            Way::Bytes | Way::Watched(_) => {
                if let Some(count) = self.pass_hole(room)? {
                    return Ok(count);
                }
                let count = self.blob.read_at(self.next, room)?;
                self.next += count as u64;
                self.ended = count < room.len() || self.blob.len().is_some_and(|size| self.next >= size);
                Ok(count)
            }
            Way::Decoded(decoder) => {
                let mut filled = 0;
                while filled < room.len() {
                    if decoder.is_spent() && !decoder.decode(self.blob, &mut self.next)? {
                        self.ended = true;
                        break;
                    }
                    filled += decoder.pass(room.get_mut(filled..).unwrap_or_default());
                }
                Ok(filled)
            }
        }
    }
}

impl Decoder {
    fn is_spent(&self) -> bool {
        self.done == self.text.len()
    }

    /// Decodes what follows; false when nothing does.
    fn decode(&mut self, blob: &dyn Blob, next: &mut u64) -> io::Result<bool> {
        self.bytes.resize(STRIDE + CHARACTER, 0);
        let count = blob.read_at(*next, &mut self.bytes)?;
        let bytes = self.bytes.get(..count).unwrap_or_default();
        // The few bytes behind the piece tell where its last character ends.
        let cut = if count < STRIDE + CHARACTER { count } else { self.coding.boundary(bytes, STRIDE) };
        let cut = if cut == 0 { count } else { cut };
        let decoded = self.coding.decode(bytes.get(..cut).unwrap_or_default());
        self.text.clear();
        self.text.push_str(&decoded.text);
        self.done = 0;
        *next += cut as u64;
        Ok(cut > 0)
    }

    fn pass(&mut self, room: &mut [u8]) -> usize {
        let rest = self.text.as_bytes().get(self.done..).unwrap_or_default();
        let count = rest.len().min(room.len());
        if let (Some(to), Some(from)) = (room.get_mut(..count), rest.get(..count)) {
            to.copy_from_slice(from);
        }
        self.done += count;
        count
    }
}
