//! Walks a tar archive, as far as is needed; a later walk goes on from there.

use std::io;
use std::sync::Arc;

use readstone_base::{Blob, Fault, Note};
use readstone_source::{Opening, Piece};

use super::super::error::Error;
use super::super::index::{Entry, Index, Kind, odd};
use super::super::members::{failed, no_room, too_many};
use super::Until;
use super::header::{BLOCK, Header, Role};
use super::pax::Beyond;
use crate::packed::{Trouble, fill, trouble_in};

/// A name may be this long.
pub(super) const LONGEST_NAME: u64 = 64 * 1024;
/// Records about one entry may take this much.
pub(super) const LONGEST_RECORDS: u64 = 1024 * 1024;
/// Blocks about the holes of one entry may take this much.
const LONGEST_MAP: u64 = 4 * 1024 * 1024;
/// Headers about one entry.
pub(super) const MOST_HEADERS: u32 = 16;
/// Bytes read ahead of a header.
const AHEAD: usize = 16 * 1024;
const SMALL: usize = 512;
/// Bytes behind the end that are read for the sake of a checksum.
const MOST_BEHIND: u64 = 64 * 1024 * 1024;
/// Blocks passed in search of a header behind one that is damaged: 64 MiB.
const MOST_LOST: u64 = 128 * 1024;
/// How far the first header is looked for.
const FIRST_LOST: u64 = 1024 * 1024;
/// The call's time is looked at every so many headers.
const CHECK: u64 = 256;

/// How far an archive was walked.
#[derive(Debug, Default)]
pub(super) struct Scan {
    index: Arc<Index>,
    fresh: Index,
    at: u64,
    steps: u64,
    beyond: Beyond,
    state: State,
    /// Blocks passed since the last header that was one.
    lost: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Walking,
    /// The end was seen, but not all bytes behind it.
    Behind,
    Ended,
    /// There are more names than there is room for.
    Full,
}

/// A part of the archive at hand.
pub(super) struct Window<'a> {
    blob: &'a dyn Blob,
    bytes: Vec<u8>,
    start: u64,
}

impl<'a> Window<'a> {
    pub(super) fn new(blob: &'a dyn Blob) -> Self {
        Self { blob, bytes: Vec::new(), start: 0 }
    }

    /// Whether nothing stands where a block was looked for last.
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The bytes from an offset on, or as many of them as there are.
    pub(super) fn bytes(&self, from: u64, size: u64) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; crate::packed::size(size)];
        let count = fill(self.blob, from, &mut bytes)?;
        bytes.truncate(count);
        Ok(bytes)
    }

    /// The block at an offset; `None` where the archive ends.
    pub(super) fn block(&mut self, at: u64) -> io::Result<Option<[u8; 512]>> {
        if let Some(block) = self.held(at) {
            return Ok(Some(block));
        }
        self.load(at, AHEAD)?;
        Ok(self.held(at))
    }

    fn held(&self, at: u64) -> Option<[u8; 512]> {
        let from = usize::try_from(at.checked_sub(self.start)?).ok()?;
        self.bytes.get(from..)?.first_chunk().copied()
    }

    fn load(&mut self, at: u64, count: usize) -> io::Result<()> {
        self.start = at;
        self.bytes.resize(count, 0);
        let got = match fill(self.blob, at, &mut self.bytes) {
            // What lies ahead may be damaged where the block is not.
            Err(_) if count > SMALL => return self.load(at, SMALL),
            Err(error) => {
                self.bytes.clear();
                return Err(error);
            }
            Ok(got) => got,
        };
        self.bytes.truncate(got);
        Ok(())
    }
}

/// Why walking ended.
enum Halt {
    /// This is wrong at the current offset.
    Damaged(String),
    Io(io::Error),
}

impl From<io::Error> for Halt {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Scan {
    pub(super) fn ended(&self) -> bool {
        self.state == State::Ended
    }

    pub(super) fn index(&self) -> &Arc<Index> {
        &self.index
    }

    /// How far it was walked.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// Makes what was found visible to all.
    pub(super) fn settle(&mut self) {
        let fresh = std::mem::take(&mut self.fresh);
        self.index = Arc::new(fresh);
    }

    /// Takes back what was made visible, to add to it.
    fn reopen(&mut self, memory: u64) {
        self.fresh = Arc::unwrap_or_clone(std::mem::take(&mut self.index));
        if self.fresh.len() == 0 && self.state == State::Walking {
            self.fresh = Index::within(memory);
        }
    }

    pub(super) fn run(&mut self, piece: &Piece, until: Until<'_>, opening: &Opening<'_>) -> Result<(), Fault> {
        let memory = opening.limits.unpack_memory;
        self.reopen(memory);
        if let Until::Match(wanted) = until
            && (0..self.fresh.len()).any(|number| matches(&self.fresh, number, wanted))
        {
            return Ok(());
        }
        let most = crate::packed::size(opening.limits.archive_entries);
        let mut window = Window::new(&*piece.blob);
        while self.state == State::Walking {
            if let Until::Near(most) = until
                && self.at > most
            {
                return Ok(());
            }
            self.steps += 1;
            if self.steps.is_multiple_of(CHECK) {
                opening.budget.check().map_err(|why| Error::Stopped { address: piece.path.clone(), why }.boxed())?;
            }
            let before = self.fresh.len();
            let step = self.step(&mut window);
            self.account(step, piece)?;
            if self.fresh.len() > most {
                return Err(too_many(&piece.path, most));
            }
            if let Until::Match(wanted) = until
                && self.fresh.len() > before
                && matches(&self.fresh, before, wanted)
            {
                return Ok(());
            }
        }
        if self.state == State::Full {
            return Err(no_room(&piece.path, memory));
        }
        if self.state == State::Behind {
            let read = self.read_behind(piece);
            self.account(read.map_err(Halt::Io), piece)?;
            self.state = State::Ended;
        }
        self.fresh.shrink();
        Ok(())
    }

    /// Takes note of what ended the walk; only what is not the archive's fault is a failure.
    fn account(&mut self, step: Result<(), Halt>, piece: &Piece) -> Result<(), Fault> {
        let what = match step {
            Ok(()) => return Ok(()),
            Err(Halt::Damaged(what)) => what,
            Err(Halt::Io(error)) => match trouble_in(&error) {
                Some(Trouble::Stopped(_) | Trouble::TooBig { .. }) | None => return Err(failed(&piece.path)(error)),
                Some(trouble) => {
                    let last = self.fresh.len().checked_sub(1);
                    if let Some(last) = last.filter(|_| !matches!(trouble, Trouble::Checksum)) {
                        self.mark_cut(last, piece);
                    }
                    trouble.to_string()
                }
            },
        };
        self.fresh.notes.push(Note::Damaged { offset: self.at, what });
        self.state = State::Ended;
        Ok(())
    }

    /// Marks the last entry when not all of its bytes are there.
    fn mark_cut(&mut self, last: usize, piece: &Piece) {
        let end = self.fresh.offset(last).saturating_add(self.fresh.size(last));
        let there = self.fresh.size(last) == 0 || piece.blob.read_at(end - 1, &mut [0]).is_ok_and(|count| count == 1);
        if !there {
            self.fresh.mark(last, odd::DAMAGED);
        }
    }

    fn step(&mut self, window: &mut Window<'_>) -> Result<(), Halt> {
        let Some(block) = window.block(self.at)? else { return self.end_early(window) };
        if block.iter().all(|byte| *byte == 0) {
            // A second block of zeros should follow. As in GNU tar, the archive ends here even if none does.
            self.state = State::Behind;
            return Ok(());
        }
        let header = match Header::parse(&block) {
            Ok(header) => header,
            Err(wrong) => return self.lose(wrong.words()),
        };
        self.lost = 0;
        let data = self.at + BLOCK;
        match header.role {
            Role::Pax | Role::Global => {
                let records = self.more(window, data, header.size, LONGEST_RECORDS)?;
                let mut global = Beyond::default();
                let taker = if header.role == Role::Pax { &mut self.beyond } else { &mut global };
                if !taker.read(&records) {
                    return Err(Halt::Damaged("a pax header is malformed".to_owned()));
                }
                self.skip(data, header.size)
            }
            Role::LongName | Role::LongLink => {
                let bytes = self.more(window, data, header.size, LONGEST_NAME)?;
                let text = super::header::text(&bytes).to_vec();
                let place = if header.role == Role::LongName { &mut self.beyond.name } else { &mut self.beyond.link };
                *place = Some(text);
                self.skip(data, header.size)
            }
            Role::Skip => self.skip(data, header.size),
            Role::Entry(kind) => self.entry(header, kind, data),
            Role::Bare(kind) => self.entry(Header { size: 0, ..header }, kind, data),
            Role::Sparse => self.sparse(header, &block, window),
        }
    }

    /// Goes on to the next block in search of a header; what is wrong with this one is said once.
    fn lose(&mut self, what: &str) -> Result<(), Halt> {
        if self.lost >= MOST_LOST || self.fresh.len() == 0 && self.lost > 0 && self.at > FIRST_LOST {
            return Err(Halt::Damaged(what.to_owned()));
        }
        if self.lost == 0 {
            self.fresh.notes.push(Note::Damaged { offset: self.at, what: what.to_owned() });
        }
        self.lost += 1;
        self.beyond = Beyond::default();
        self.at += BLOCK;
        Ok(())
    }

    /// Bytes that say more about the next entry.
    fn more(&mut self, window: &Window<'_>, from: u64, size: u64, most: u64) -> Result<Vec<u8>, Halt> {
        self.beyond.headers += 1;
        if size > most || self.beyond.headers > MOST_HEADERS {
            return Err(Halt::Damaged("there is too much about one entry".to_owned()));
        }
        let bytes = window.bytes(from, size)?;
        if (bytes.len() as u64) < size {
            return Err(Halt::Damaged("the archive is cut".to_owned()));
        }
        Ok(bytes)
    }

    fn skip(&mut self, data: u64, size: u64) -> Result<(), Halt> {
        let padded = size.checked_next_multiple_of(BLOCK).and_then(|size| data.checked_add(size));
        self.at = padded.ok_or_else(|| Halt::Damaged("the size of an entry cannot be".to_owned()))?;
        Ok(())
    }

    fn entry(&mut self, header: Header, kind: Kind, data: u64) -> Result<(), Halt> {
        let beyond = std::mem::take(&mut self.beyond);
        let holds = matches!(header.role, Role::Entry(_));
        let size = beyond.size.filter(|_| holds).unwrap_or(header.size);
        let mut name = beyond.name.unwrap_or(header.name);
        if kind == Kind::Directory && !name.ends_with(b"/") {
            name.push(b'/');
        }
        let sparse = beyond.sparse.map_or(0, |_| odd::UNSUPPORTED);
        let shown = beyond.sparse.unwrap_or(size);
        let time = beyond.time.or(header.time);
        self.skip(data, size)?;
        let mut fits = self.fresh.push(&name, Entry { kind, odd: sparse, size: shown, offset: data, time });
        if fits && matches!(kind, Kind::Symlink | Kind::HardLink) {
            fits = self.fresh.lead(&beyond.link.unwrap_or(header.link));
        }
        if !fits {
            self.state = State::Full;
        }
        Ok(())
    }

    /// An entry with holes; blocks that say where they are may stand between its header and its bytes.
    fn sparse(&mut self, header: Header, block: &[u8; 512], window: &mut Window<'_>) -> Result<(), Halt> {
        let mut data = self.at + BLOCK;
        let mut extended = header.extended;
        while extended {
            if data - self.at > LONGEST_MAP {
                return Err(Halt::Damaged("there is too much about one entry".to_owned()));
            }
            let Some(block) = window.block(data)? else { return self.end_early(window) };
            extended = block.get(504).is_some_and(|byte| *byte != 0);
            data += BLOCK;
        }
        let real = Header::real_size(block).unwrap_or(header.size);
        self.beyond.sparse.get_or_insert(real);
        self.entry(Header { role: Role::Entry(Kind::File), ..header }, Kind::File, data)
    }

    /// The archive ends without saying so, which is fine unless it ends inside something.
    fn end_early(&mut self, window: &Window<'_>) -> Result<(), Halt> {
        let left = window.bytes.len();
        let end = window.start + left as u64;
        self.state = State::Ended;
        let last = self.fresh.len().checked_sub(1);
        let missing = window.blob.len().is_some_and(|length| length < self.at);
        if !missing && left == 0 && self.beyond.headers == 0 && last.is_some() {
            return Ok(());
        }
        if let Some(last) = last.filter(|_| missing) {
            let needed = self.fresh.offset(last).saturating_add(self.fresh.size(last));
            // Only the filling of its last block may be missing.
            if window.blob.len().is_some_and(|length| length >= needed) {
                return Ok(());
            }
            self.fresh.mark(last, odd::DAMAGED);
        }
        let offset = window.blob.len().unwrap_or(end);
        self.at = self.at.min(offset);
        Err(Halt::Damaged("it is cut".to_owned()))
    }

    /// Reads what follows the end of a compressed archive, where its checksum is.
    fn read_behind(&mut self, piece: &Piece) -> io::Result<()> {
        const STEP: usize = 256 * 1024;
        if !piece.blob.is_serial() {
            return Ok(());
        }
        let mut buffer = vec![0; STEP];
        let (mut at, most) = (self.at, self.at.saturating_add(MOST_BEHIND));
        while at < most {
            let count = fill(&*piece.blob, at, &mut buffer)?;
            if count < STEP {
                break;
            }
            at += count as u64;
        }
        Ok(())
    }
}

fn matches(index: &Index, number: usize, wanted: &[super::Candidate]) -> bool {
    if index.is(number, odd::UNSAFE) {
        return wanted.iter().any(|candidate| candidate.number == Some(number));
    }
    let name = index.name(number);
    wanted.iter().any(|candidate| candidate.number == Some(number) || candidate.spells(name))
}
