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
    /// To take a part of the answer.
    Take(Vec<u8>),
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
    /// A piece of work.
    Task(Order),
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

/// A piece of work for a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Order {
    /// The seconds of a core that it may take.
    pub(super) seconds: u64,
    /// Its kind.
    pub(super) what: String,
    /// What exactly is asked.
    pub(super) ask: Vec<u8>,
    /// Files that the worker would ask for first.
    pub(super) given: Vec<Given>,
    /// The database that it may write to by its path; empty for work that opens nothing.
    pub(super) place: Vec<u8>,
}

/// Bytes that are handed over with a piece of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Given {
    /// Their name.
    pub(super) name: String,
    /// Their number, what is known of them, and the first of them; nothing where there are none.
    pub(super) opened: Option<(u64, Known, Vec<u8>)>,
}

/// What is known of bytes when they are opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) length: Option<u64>,
    pub(super) serial: bool,
    pub(super) opened: Option<Stamp>,
    /// Their stamp when they were handed over.
    pub(super) now: Option<Stamp>,
}

impl Known {
    pub(super) fn of(blob: &Arc<dyn Blob>) -> io::Result<Self> {
        let (opened, now) = (blob.stamp_when_opened()?, blob.stamp()?);
        Ok(Self { length: blob.len(), serial: blob.is_serial(), opened, now })
    }
}

/// Bytes before the content of a frame: its length.
pub(super) const LENGTH: usize = 4;

/// Overwrites bytes of a file that are not needed any more.
pub(super) fn forget(bytes: &mut [u8]) {
    bytes.fill(0);
    // Without this the compiler may leave the writes out, since the bytes are not read again.
    std::hint::black_box(bytes);
}

impl Given {
    /// Overwrites the bytes that were handed over.
    pub(super) fn forget(&mut self) {
        if let Some((_, _, head)) = &mut self.opened {
            forget(head);
        }
    }
}

impl Answer {
    /// As many bytes as the frame has at most.
    fn room(&self) -> usize {
        const FIELDS: usize = 256;
        let given =
            |given: &Given| FIELDS + given.name.len() + given.opened.as_ref().map_or(0, |(_, _, head)| head.len());
        FIELDS
            + match self {
                Self::Task(order) => {
                    order.what.len()
                        + order.place.len()
                        + order.ask.len()
                        + order.given.iter().map(given).sum::<usize>()
                }
                Self::Bytes(bytes) => bytes.len(),
                Self::Failed(_, words) => words.len(),
                Self::Opened(..) | Self::Absent | Self::Flag(_) | Self::Identified(_) => 0,
            }
    }

    /// Overwrites the bytes that were handed over.
    pub(super) fn forget(self) {
        match self {
            Self::Task(mut order) => order.given.iter_mut().for_each(Given::forget),
            Self::Bytes(mut bytes) => forget(&mut bytes),
            Self::Opened(..) | Self::Absent | Self::Flag(_) | Self::Identified(_) | Self::Failed(..) => {}
        }
    }
}

impl Word {
    /// The word as bytes, with its length before it.
    pub(super) fn encode(&self) -> Vec<u8> {
        let part = |part: &Part| [part.of, part.from, part.to];
        framed(0, |out| match self {
            Self::Done(bytes) => with(out, b'D', bytes),
            Self::Broken(words) => with(out, b'B', words.as_bytes()),
            Self::Ask(Request::Open(name)) => with(out, b'O', name.as_bytes()),
            Self::Ask(Request::Read(range)) => tag(out, b'R', &part(range)),
            Self::Ask(Request::Hold(range)) => tag(out, b'H', &part(range)),
            Self::Ask(Request::IsHeld(range)) => tag(out, b'I', &part(range)),
            Self::Ask(Request::Release(range)) => tag(out, b'L', &part(range)),
            Self::Ask(Request::Who(number)) => tag(out, b'W', &[*number]),
            Self::Ask(Request::Take(part)) => with(out, b'T', part),
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
            b'T' => Self::Ask(Request::Take(rest.0.to_vec())),
            _ => return None,
        })
    }
}

impl Answer {
    /// The answer as bytes, with its length before it.
    pub(super) fn encode(&self) -> Vec<u8> {
        // Room for all of it, since a buffer that grows leaves copies behind.
        framed(self.room(), |out| match self {
            Self::Task(order) => {
                tag(out, b'T', &[order.seconds, order.given.len() as u64]);
                run(out, order.what.as_bytes());
                run(out, &order.place);
                for given in &order.given {
                    run(out, given.name.as_bytes());
                    tag(out, u8::from(given.opened.is_some()), &[]);
                    if let Some((number, known, head)) = &given.opened {
                        known_bytes(out, *number, known);
                        run(out, head);
                    }
                }
                out.extend_from_slice(&order.ask);
            }
            Self::Opened(number, known) => {
                tag(out, b'o', &[]);
                known_bytes(out, *number, known);
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
                let (seconds, count) = (rest.number()?, rest.number()?);
                let what = String::from_utf8(rest.run()?.to_vec()).ok()?;
                let place = rest.run()?.to_vec();
                let given = (0..count).map(|_| rest.given()).collect::<Option<Vec<_>>>()?;
                Self::Task(Order { seconds, what, ask: rest.0.to_vec(), given, place })
            }
            b'o' => {
                let (number, known) = rest.known()?;
                Self::Opened(number, known)
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
fn framed(room: usize, write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut out = Vec::with_capacity(LENGTH + room);
    out.resize(LENGTH, 0);
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

/// Bytes with their length before them.
fn run(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
    out.extend_from_slice(bytes);
}

fn known_bytes(out: &mut Vec<u8>, number: u64, known: &Known) {
    let (has, length) = known.length.map_or((0, 0), |length| (1, length));
    for number in [number, has, length, u64::from(known.serial)] {
        out.extend_from_slice(&number.to_le_bytes());
    }
    stamp_bytes(out, known.opened);
    stamp_bytes(out, known.now);
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

    fn run(&mut self) -> Option<&[u8]> {
        let length = self.number()?;
        let (run, rest) = self.0.split_at_checked(usize::try_from(length).ok()?)?;
        self.0 = rest;
        Some(run)
    }

    fn given(&mut self) -> Option<Given> {
        let name = String::from_utf8(self.run()?.to_vec()).ok()?;
        let [there] = self.chunk::<1>()?;
        if there == 0 {
            return Some(Given { name, opened: None });
        }
        let (number, known) = self.known()?;
        let head = self.run()?.to_vec();
        Some(Given { name, opened: Some((number, known, head)) })
    }

    fn known(&mut self) -> Option<(u64, Known)> {
        let (number, has, length, serial) = (self.number()?, self.number()?, self.number()?, self.number()?);
        let length = (has == 1).then_some(length);
        Some((number, Known { length, serial: serial == 1, opened: self.stamp(), now: self.stamp() }))
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
mod tests;
