//! Looks at every entry of a tar archive, and at what stands behind the last.

use std::sync::Arc;

use readstone_base::{Blob, Fault};

use super::super::super::index::{Kind, odd};
use super::super::super::members::{failed, too_many};
use super::super::super::put::{Hit, Job, Search};
use super::super::header::{self, BLOCK, Header, Role};
use super::super::pax::Beyond;
use super::super::scan::{LONGEST_NAME, LONGEST_RECORDS, MOST_HEADERS, Window};
use super::make::Style;
use crate::packed::{fill, go_on, size};

/// The call's time is looked at every so many headers.
const CHECK: usize = 256;

/// Where an entry stands.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Where the first header about it begins.
    pub(super) start: u64,
    /// The headers before its own, and where each ends.
    pub(super) before: Vec<(Role, u64)>,
    /// The byte behind it, filling included.
    pub(super) end: u64,
    pub(super) bytes: Bytes,
}

/// How an entry holds its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bytes {
    /// They follow its header as they are.
    Plain,
    /// In some other way, or it has none.
    Other,
}

/// What was found.
pub(super) struct Survey<'j> {
    pub(super) search: Search<'j, Group>,
    /// Where the last entry ends.
    pub(super) end: u64,
    /// Where the bytes end.
    pub(super) length: u64,
    /// Whether only zeros stand between the two.
    pub(super) blank: bool,
    /// How long names are written.
    pub(super) style: Style,
}

/// Goes from header to header, to the end.
pub(super) fn survey<'j>(job: &'j Job<'_, '_>, blob: &Arc<dyn Blob>) -> Result<Survey<'j>, Fault> {
    let most = size(job.opening.limits.archive_entries);
    let mut walk = Walk {
        job,
        window: Window::new(&**blob),
        search: Search::new(&job.wanted, job.opening.judge),
        at: 0,
        start: None,
        before: Vec::new(),
        beyond: Beyond::default(),
        style: Style::Pax,
    };
    let mut steps = 0_usize;
    while walk.step()? {
        steps += 1;
        if steps.is_multiple_of(CHECK) {
            go_on(job.opening.budget).map_err(failed(job.path))?;
        }
        if walk.search.seen() > most {
            return Err(too_many(job.path, most));
        }
    }
    if walk.start.is_some() {
        return Err(job.corrupt(format!("it ends in the middle of an entry at byte {}", walk.at)));
    }
    let (length, blank) = behind(job, &**blob, walk.at)?;
    if length < walk.at {
        return Err(job.corrupt(format!("it is cut at byte {length}")));
    }
    Ok(Survey { search: walk.search, end: walk.at, length, blank, style: walk.style })
}

/// Reads what stands behind an offset: where it ends, and whether it is nothing but zeros. Compressed bytes are read to
/// their end, where their checksum is.
fn behind(job: &Job<'_, '_>, blob: &dyn Blob, from: u64) -> Result<(u64, bool), Fault> {
    let mut buffer = vec![0; 256 * 1024];
    let (mut at, mut blank) = (from, true);
    loop {
        go_on(job.opening.budget).map_err(failed(job.path))?;
        if let (false, false, Some(length)) = (blank, blob.is_serial(), blob.len()) {
            return Ok((length, false));
        }
        let count = fill(blob, at, &mut buffer).map_err(failed(job.path))?;
        blank = blank && buffer.iter().take(count).all(|byte| *byte == 0);
        at += count as u64;
        if count < buffer.len() {
            // Nothing stands behind an offset that lies beyond the end.
            let length = if at == from { blob.len().unwrap_or(at) } else { at };
            return Ok((length, blank));
        }
    }
}

struct Walk<'j, 'w, 'a, 'b> {
    job: &'j Job<'w, 'a>,
    window: Window<'b>,
    search: Search<'j, Group>,
    at: u64,
    /// Where the first header about the next entry begins, once there is one.
    start: Option<u64>,
    before: Vec<(Role, u64)>,
    beyond: Beyond,
    style: Style,
}

impl Walk<'_, '_, '_, '_> {
    /// Passes one header; false at the end.
    fn step(&mut self) -> Result<bool, Fault> {
        let Some(block) = self.window.block(self.at).map_err(failed(self.job.path))? else {
            if self.window.is_empty() {
                return Ok(false);
            }
            return Err(self.damaged("it is cut"));
        };
        if block.iter().all(|byte| *byte == 0) {
            return Ok(false);
        }
        let header = Header::parse(&block).map_err(|wrong| self.damaged(wrong.words()))?;
        if block.get(257..265) == Some(b"ustar  \0") {
            self.style = Style::Gnu;
        }
        let letter = block.get(156).copied().unwrap_or(0);
        match header.role {
            Role::Pax | Role::Global | Role::LongName | Role::LongLink | Role::Skip => self.about(&header)?,
            Role::Entry(kind) => {
                let plain = matches!(letter, 0 | b'0' | b'7');
                let bytes = if plain { Bytes::Plain } else { Bytes::Other };
                self.entry(&header, kind, bytes, self.at + BLOCK)?;
            }
            Role::Bare(kind) => self.entry(&Header { size: 0, ..header }, kind, Bytes::Other, self.at + BLOCK)?,
            Role::Sparse => {
                let data = self.holes(&header)?;
                self.entry(&header, Kind::File, Bytes::Other, data)?;
            }
        }
        Ok(true)
    }

    fn damaged(&self, what: &str) -> Fault {
        self.job.corrupt(format!("{what} at byte {}", self.at))
    }

    /// A header that says something about what follows.
    fn about(&mut self, header: &Header) -> Result<(), Fault> {
        let data = self.at + BLOCK;
        let most = match header.role {
            Role::Pax | Role::Global => Some(LONGEST_RECORDS),
            Role::LongName | Role::LongLink => Some(LONGEST_NAME),
            Role::Skip => self.start.map(|_| LONGEST_RECORDS),
            Role::Entry(_) | Role::Bare(_) | Role::Sparse => None,
        };
        if let Some(most) = most {
            if header.size > most || self.before.len() >= MOST_HEADERS as usize {
                return Err(self.damaged("there is too much about one entry"));
            }
            let bytes = self.window.bytes(data, header.size).map_err(failed(self.job.path))?;
            if (bytes.len() as u64) < header.size {
                return Err(self.damaged("it is cut"));
            }
            self.take(header.role, &bytes)?;
        }
        let end = self.padded(data, header.size)?;
        self.start.get_or_insert(self.at);
        self.before.push((header.role, end));
        // What is said of all entries, or of none, is no part of the next one.
        if self.before.iter().all(|(role, _)| matches!(role, Role::Global | Role::Skip)) {
            self.start = None;
            self.before.clear();
        }
        self.at = end;
        Ok(())
    }

    fn take(&mut self, role: Role, bytes: &[u8]) -> Result<(), Fault> {
        let text = || Some(header::text(bytes).to_vec());
        match role {
            Role::Pax if !self.beyond.read(bytes) => return Err(self.damaged("a pax header is malformed")),
            Role::LongName => self.beyond.name = text(),
            Role::LongLink => self.beyond.link = text(),
            Role::Pax | Role::Global | Role::Skip | Role::Entry(_) | Role::Bare(_) | Role::Sparse => {}
        }
        Ok(())
    }

    fn padded(&self, data: u64, size: u64) -> Result<u64, Fault> {
        let end = size.checked_next_multiple_of(BLOCK).and_then(|size| data.checked_add(size));
        end.ok_or_else(|| self.damaged("the size of an entry cannot be"))
    }

    fn entry(&mut self, header: &Header, kind: Kind, bytes: Bytes, data: u64) -> Result<(), Fault> {
        let beyond = std::mem::take(&mut self.beyond);
        let holds = matches!(header.role, Role::Entry(_) | Role::Sparse);
        let size = beyond.size.filter(|_| holds).unwrap_or(header.size);
        let end = self.padded(data, size)?;
        let place = Group {
            start: self.start.take().unwrap_or(self.at),
            before: std::mem::take(&mut self.before),
            end,
            bytes: beyond.sparse.map_or(bytes, |_| Bytes::Other),
        };
        let odd = beyond.sparse.map_or(0, |_| odd::UNSUPPORTED);
        if kind == Kind::HardLink {
            self.search.see_link(beyond.link.as_deref().unwrap_or(&header.link));
        }
        let number = self.search.seen();
        let hit = Hit { number, name: Vec::new(), kind, odd, size, place };
        self.search.see(beyond.name.as_deref().unwrap_or(&header.name), hit);
        self.at = end;
        Ok(())
    }

    /// Where the bytes of an entry with holes begin.
    fn holes(&mut self, header: &Header) -> Result<u64, Fault> {
        let (mut data, mut extended) = (self.at + BLOCK, header.extended);
        while extended {
            let Some(block) = self.window.block(data).map_err(failed(self.job.path))? else {
                return Err(self.damaged("it is cut"));
            };
            extended = block.get(504).is_some_and(|byte| *byte != 0);
            data += BLOCK;
        }
        Ok(data)
    }
}
