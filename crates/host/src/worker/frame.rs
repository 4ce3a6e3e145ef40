//! What two processes say to each other: a length, a letter, and what belongs to it.

use std::io;
use std::sync::Arc;

use readstone_base::{Blob, Identity, Stamp};

/// What a worker says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// The work is done.
    Done(Vec<u8>),
    /// The work broke down.
    Broken(String),
    /// It needs something.
    Ask(Request),
}

/// What a worker asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// The bytes under a name.
    Open(String),
    /// Some of them.
    Read(Part),
    /// To hold a range.
    Hold(Part),
    /// Whether a range is held.
    IsHeld(Part),
    /// To let a range go.
    Release(Part),
    /// Who bytes are now.
    Who(u64),
}

/// A range of the bytes with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) of: u64,
    pub(super) from: u64,
    pub(super) to: u64,
}

/// What a worker is told.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// A piece of work: so many seconds of a core, its kind, what is asked.
    Task(u64, String, Vec<u8>),
    /// The bytes have this number.
    Opened(u64, Known),
    /// There are none.
    Absent,
    /// The bytes.
    Bytes(Vec<u8>),
    /// Yes or no.
    Flag(bool),
    /// Who they are.
    Identified(Option<Stamp>),
    /// What was asked failed: the number of the error, if the system has one for it, and what it says.
    Failed(i32, String),
}

/// What is known of bytes when they are opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) length: Option<u64>,
    pub(super) serial: bool,
    pub(super) opened: Option<Stamp>,
}

impl Known {
    pub(super) fn of(blob: &Arc<dyn Blob>) -> io::Result<Self> {
        Ok(Self { length: blob.len(), serial: blob.is_serial(), opened: blob.stamp_when_opened()? })
    }
}

/// Bytes before the content of a frame: its length.
pub(super) const LENGTH: usize = 4;

impl Word {
    /// The word as bytes, with its length before it.
    pub(super) fn encode(&self) -> Vec<u8> {
        let part = |part: &Part| [part.of, part.from, part.to];
        framed(|out| match self {
            Self::Done(bytes) => with(out, b'D', bytes),
            Self::Broken(words) => with(out, b'B', words.as_bytes()),
            Self::Ask(Request::Open(name)) => with(out, b'O', name.as_bytes()),
            Self::Ask(Request::Read(range)) => tag(out, b'R', &part(range)),
            Self::Ask(Request::Hold(range)) => tag(out, b'H', &part(range)),
            Self::Ask(Request::IsHeld(range)) => tag(out, b'I', &part(range)),
            Self::Ask(Request::Release(range)) => tag(out, b'L', &part(range)),
            Self::Ask(Request::Who(number)) => tag(out, b'W', &[*number]),
        })
    }

    /// The word that these bytes are, without its length.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (letter, rest) = bytes.split_first()?;
        let mut rest = Rest(rest);
        Some(match letter {
            b'D' => Self::Done(rest.0.to_vec()),
            b'B' => Self::Broken(rest.words()),
            b'O' => Self::Ask(Request::Open(rest.words())),
            b'R' => Self::Ask(Request::Read(rest.range()?)),
            b'H' => Self::Ask(Request::Hold(rest.range()?)),
            b'I' => Self::Ask(Request::IsHeld(rest.range()?)),
            b'L' => Self::Ask(Request::Release(rest.range()?)),
            b'W' => Self::Ask(Request::Who(rest.number()?)),
            _ => return None,
        })
    }
}

impl Answer {
    /// The answer as bytes, with its length before it.
    pub(super) fn encode(&self) -> Vec<u8> {
        framed(|out| match self {
            Self::Task(seconds, what, ask) => {
                tag(out, b'T', &[*seconds, what.len() as u64]);
                out.extend_from_slice(what.as_bytes());
                out.extend_from_slice(ask);
            }
            Self::Opened(number, known) => {
                let (has, length) = known.length.map_or((0, 0), |length| (1, length));
                tag(out, b'o', &[*number, has, length, u64::from(known.serial)]);
                stamp_bytes(out, known.opened);
            }
            Self::Absent => tag(out, b'n', &[]),
            Self::Bytes(bytes) => with(out, b'r', bytes),
            Self::Flag(flag) => tag(out, b'f', &[u64::from(*flag)]),
            Self::Identified(stamp) => {
                tag(out, b'w', &[]);
                stamp_bytes(out, *stamp);
            }
            Self::Failed(number, words) => {
                tag(out, b'!', &[u64::from(number.cast_unsigned())]);
                out.extend_from_slice(words.as_bytes());
            }
        })
    }

    /// The answer that these bytes are, without its length.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (letter, rest) = bytes.split_first()?;
        let mut rest = Rest(rest);
        Some(match letter {
            b'T' => {
                let (seconds, length) = (rest.number()?, rest.number()?);
                let (what, ask) = rest.0.split_at_checked(usize::try_from(length).ok()?)?;
                Self::Task(seconds, String::from_utf8(what.to_vec()).ok()?, ask.to_vec())
            }
            b'o' => {
                let (number, has, length, serial) = (rest.number()?, rest.number()?, rest.number()?, rest.number()?);
                let length = (has == 1).then_some(length);
                Self::Opened(number, Known { length, serial: serial == 1, opened: rest.stamp() })
            }
            b'n' => Self::Absent,
            b'r' => Self::Bytes(rest.0.to_vec()),
            b'f' => Self::Flag(rest.number()? == 1),
            b'w' => Self::Identified(rest.stamp()),
            b'!' => Self::Failed(u32::try_from(rest.number()?).ok()?.cast_signed(), rest.words()),
            _ => return None,
        })
    }
}

/// What `write` writes, with its length before it.
fn framed(write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut out = vec![0; LENGTH];
    write(&mut out);
    let length = u32::try_from(out.len() - LENGTH).unwrap_or(u32::MAX).to_le_bytes();
    if let Some(place) = out.first_chunk_mut::<LENGTH>() {
        *place = length;
    }
    out
}

fn tag(out: &mut Vec<u8>, letter: u8, numbers: &[u64]) {
    out.push(letter);
    for number in numbers {
        out.extend_from_slice(&number.to_le_bytes());
    }
}

fn with(out: &mut Vec<u8>, letter: u8, bytes: &[u8]) {
    out.reserve(bytes.len() + 1);
    out.push(letter);
    out.extend_from_slice(bytes);
}

fn stamp_bytes(out: &mut Vec<u8>, stamp: Option<Stamp>) {
    let Some(stamp) = stamp else {
        out.push(0);
        return;
    };
    tag(out, 1, &[stamp.identity.device, stamp.identity.inode, stamp.size]);
    out.extend_from_slice(&stamp.modified.to_le_bytes());
    out.extend_from_slice(&stamp.changed.to_le_bytes());
}

/// What is left of a frame.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn chunk<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (chunk, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*chunk)
    }

    fn number(&mut self) -> Option<u64> {
        self.chunk().map(u64::from_le_bytes)
    }

    fn words(&self) -> String {
        String::from_utf8_lossy(self.0).into_owned()
    }

    /// A stamp, where there is one; one that is cut short is none.
    fn stamp(&mut self) -> Option<Stamp> {
        let [1] = self.chunk::<1>()? else {
            return None;
        };
        let identity = Identity { device: self.number()?, inode: self.number()? };
        let size = self.number()?;
        let (modified, changed) = (i128::from_le_bytes(self.chunk()?), i128::from_le_bytes(self.chunk()?));
        Some(Stamp { identity, size, modified, changed })
    }

    fn range(&mut self) -> Option<Part> {
        Some(Part { of: self.number()?, from: self.number()?, to: self.number()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(bytes: &[u8]) -> &[u8] {
        let (length, content) = bytes.split_at(LENGTH);
        assert_eq!(u32::from_le_bytes(length.try_into().unwrap()) as usize, content.len());
        content
    }

    #[test]
    fn every_word_comes_back_as_it_was_said() {
        let part = Part { of: 1, from: 2, to: u64::MAX };
        let words = [
            Word::Done(vec![0; 9]),
            Word::Broken("words".to_owned()),
            Word::Ask(Request::Open("-wal".to_owned())),
            Word::Ask(Request::Read(part)),
            Word::Ask(Request::Hold(part)),
            Word::Ask(Request::IsHeld(part)),
            Word::Ask(Request::Release(part)),
            Word::Ask(Request::Who(9)),
        ];
        for word in words {
            assert_eq!(Word::decode(content(&word.encode())), Some(word));
        }
    }

    #[test]
    fn every_answer_comes_back_as_it_was_given() {
        let identity = Identity { device: 1, inode: u64::MAX };
        let stamp = Stamp { identity, size: 3, modified: -4, changed: i128::MAX };
        let answers = [
            Answer::Task(7, "image".to_owned(), vec![1, 2]),
            Answer::Opened(1, Known { length: None, serial: true, opened: Some(stamp) }),
            Answer::Opened(2, Known { length: Some(0), serial: false, opened: None }),
            Answer::Absent,
            Answer::Bytes(Vec::new()),
            Answer::Flag(true),
            Answer::Identified(Some(stamp)),
            Answer::Identified(None),
            Answer::Failed(-5, "no".to_owned()),
        ];
        for answer in answers {
            assert_eq!(Answer::decode(content(&answer.encode())), Some(answer));
        }
    }

    #[test]
    fn what_is_no_frame_is_told_from_one() {
        assert_eq!(Word::decode(b""), None);
        assert_eq!(Word::decode(b"?"), None);
        assert_eq!(Word::decode(b"R\x01"), None);
        assert_eq!(Answer::decode(b"T\0\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff"), None);
    }
}
