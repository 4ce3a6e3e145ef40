//! Puts an entry into a zip archive.
//!
//! The bytes of all other entries, and whatever stands between them, are copied; their records in the directory too, but
//! for the places they name.

mod facts;
mod finish;
mod shift;

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use readstone_base::{Blob, Budget, Fault, Memory};

use super::super::members::{failed, no_room, too_many};
use super::super::put::{Hit, Job, Outcome, Search, copy, deflated};
use super::end::{self, End, Found};
use super::record::{self, BEHIND, Method, Record, long, short, word};
use super::walk::{Records, Step};
use crate::packed::Trouble;
use facts::Facts;

/// The bytes of a local header before its name.
const LOCAL: u64 = 30;
const LOCAL_SIGNATURE: &[u8] = b"PK\x03\x04";
/// Larger numbers stand in a field of their own.
const FULL: u64 = 0xFFFF_FFFF;
/// What a zip archive can say of itself at its end.
const LONGEST_END: u64 = 1024 * 1024;

/// Where an entry stands, counted from the beginning of the archive.
type Extent = (u64, u64);

/// A zip archive with an entry put in.
#[derive(Debug)]
pub(in super::super) struct Rewrite<'a> {
    blob: Arc<dyn Blob>,
    budget: Budget,
    end: End,
    /// How many entries it has.
    counted: u64,
    /// Where the old archive ends.
    length: u64,
    /// The bytes that go.
    cut: Range<u64>,
    /// The local header that comes.
    local: Vec<u8>,
    /// The bytes behind it.
    data: Cow<'a, [u8]>,
    /// Its record in the directory.
    central: Vec<u8>,
    /// Where the record of the entry stands in the old directory, if it does.
    old: Option<u64>,
}

/// Plans to put an entry into an archive.
pub(in super::super) fn rewrite<'a>(
    job: &Job<'_, 'a>,
    blob: &Arc<dyn Blob>,
    length: u64,
) -> Result<(Outcome<()>, Rewrite<'a>), Fault> {
    let end = match end::find(&**blob, length).map_err(failed(job.path))? {
        Found::End(end) => end,
        Found::Wrong(what) => return Err(job.corrupt(what)),
        Found::Nothing => return Err(job.corrupt("its directory is missing")),
    };
    check_end(job, &**blob, &end)?;
    let (search, extents) = survey(job, &**blob, &end)?;
    let outcome = job.choose(search)?;
    let room = Room { blob, end, length, extents };
    let rewrite = match &outcome {
        Outcome::Create(name) => {
            let facts = Facts::fresh(name, job.entry.modified);
            let at = room.end.start;
            room.with(job, facts, at..at, None)?
        }
        Outcome::Replace(hit, _) => {
            let (facts, cut) = room.old(job, hit)?;
            room.with(job, facts, cut, Some(hit.place))?
        }
    };
    Ok((outcome.without_place(), rewrite))
}

/// Archives in several files are not put together, and what stands at the end is kept in memory.
fn check_end(job: &Job<'_, '_>, blob: &dyn Blob, end: &End) -> Result<(), Fault> {
    let record = blob.read_range(end.record, end.record + end::SIZE).map_err(failed(job.path))?;
    let alone = |disk: u16| disk == 0 || disk == 0xFFFF;
    if !alone(short(&record, 4)) || !alone(short(&record, 6)) {
        return Err(job.refuse("it is one part of an archive in several files"));
    }
    if end.record.saturating_sub(end.stop) > LONGEST_END {
        return Err(job.corrupt("its end is too long"));
    }
    Ok(())
}

/// Looks at every entry, in the directory and where its data are.
fn survey<'j>(job: &'j Job<'_, '_>, blob: &dyn Blob, end: &End) -> Result<(Search<'j, u64>, Vec<Extent>), Fault> {
    let limits = job.opening.limits;
    let most = crate::packed::size(limits.archive_entries);
    let mut search = Search::new(&job.wanted, job.opening.judge);
    let mut extents = Vec::new();
    let mut records = Records::new(blob, end);
    loop {
        let (record, at) = match records.next(job.opening.budget).map_err(failed(job.path))? {
            Step::Record(record, at, _) => (record, at),
            Step::End => break,
            Step::Damaged(_) => return Err(job.corrupt("its directory is damaged")),
        };
        if search.seen() >= most {
            return Err(too_many(job.path, most));
        }
        if extents.len() as u64 * 16 > limits.unpack_memory {
            return Err(no_room(job.path, limits.unpack_memory));
        }
        extents.push(extent(job, blob, &record, end)?);
        let entry = record.entry(at);
        let hit = Hit {
            number: search.seen(),
            name: Vec::new(),
            kind: entry.kind,
            odd: entry.odd,
            size: entry.size,
            place: at,
        };
        search.see(record.shown(), hit);
    }
    if (search.seen() as u64 & end.counted) != end.count & end.counted {
        let what = format!("its directory has {} entries where it says {}", search.seen(), end.count);
        return Err(job.corrupt(what));
    }
    extents.sort_unstable();
    let shared = extents.windows(2).any(|pair| matches!(pair, [(_, end), (start, _)] if start < end));
    if shared {
        return Err(job.corrupt("some of its entries share bytes"));
    }
    Ok((search, extents))
}

/// Where an entry stands, by its local header.
fn extent(job: &Job<'_, '_>, blob: &dyn Blob, record: &Record, end: &End) -> Result<Extent, Fault> {
    let at = record.local.saturating_add(end.base);
    let head = blob.read_range(at, at.saturating_add(LOCAL)).map_err(failed(job.path))?;
    if !head.starts_with(LOCAL_SIGNATURE) || (head.len() as u64) < LOCAL {
        return Err(job.corrupt("there is no entry at a place that its directory names"));
    }
    let names = u64::from(short(&head, 26)) + u64::from(short(&head, 28));
    let stop = record.local.saturating_add(LOCAL + names).saturating_add(record.packed);
    if stop.saturating_add(end.base) > end.start {
        return Err(job.corrupt("the data of an entry reach into its directory"));
    }
    Ok((record.local, stop))
}

/// The archive there is.
struct Room<'b> {
    blob: &'b Arc<dyn Blob>,
    end: End,
    length: u64,
    extents: Vec<Extent>,
}

impl Room<'_> {
    /// What is said of an entry, and the bytes it takes.
    fn old(&self, job: &Job<'_, '_>, hit: &Hit<u64>) -> Result<(Facts, Range<u64>), Fault> {
        let fail = failed(job.path);
        let bytes = self.blob.read_range(hit.place, hit.place + record::LONGEST).map_err(&fail)?;
        let raw = record::length(&bytes).and_then(|length| bytes.get(..length)).unwrap_or_default();
        let Some(record) = Record::parse(raw) else { return Err(job.corrupt("its directory is damaged")) };
        let start = record.local + self.end.base;
        let names = start + LOCAL;
        let head = self.blob.read_range(start, names).map_err(&fail)?;
        let (name, extra) = (u64::from(short(&head, 26)), u64::from(short(&head, 28)));
        let own = self.blob.read_range(names, names + name + extra).map_err(&fail)?;
        let (own_name, own_extra) = own.split_at_checked(crate::packed::size(name)).unwrap_or_default();
        if own_name != record.name {
            return Err(job.corrupt("an entry has one name in the directory and another at its data"));
        }
        let stop = names + name + extra + record.packed;
        let next = self.extents.partition_point(|(other, _)| *other <= record.local);
        let next = self.extents.get(next).map_or(self.end.start, |(other, _)| other + self.end.base);
        let behind = if record.flags & BEHIND == 0 { 0 } else { self.behind(&record, stop..next).map_err(&fail)? };
        Ok((Facts::of(raw, own_extra, job.entry.modified), start..stop + behind))
    }

    /// How many bytes about an entry stand behind its data.
    fn behind(&self, record: &Record, room: Range<u64>) -> io::Result<u64> {
        const SIGNATURE: &[u8] = b"PK\x07\x08";
        let bytes = self.blob.read_range(room.start, room.end.min(room.start + 24))?;
        let signed = bytes.strip_prefix(SIGNATURE);
        let narrow = |words: &[u8]| (word(words, 0), u64::from(word(words, 4)), u64::from(word(words, 8)));
        let wide = |words: &[u8]| (word(words, 0), long(words, 4), long(words, 12));
        let own = (record.crc, record.packed, record.size);
        // With a signature or without, in words of eight bytes or of four.
        let found = [(signed, 4), (Some(bytes.as_slice()), 0)].into_iter().find_map(|(words, before)| {
            let words = words?;
            let length = if words.len() >= 20 && wide(words) == own {
                20
            } else if words.len() >= 12 && narrow(words) == own {
                12
            } else {
                return None;
            };
            Some(before + length)
        });
        Ok(found.unwrap_or(0))
    }

    fn with<'a>(
        self,
        job: &Job<'_, 'a>,
        facts: Facts,
        cut: Range<u64>,
        old: Option<u64>,
    ) -> Result<Rewrite<'a>, Fault> {
        let place = cut.start - self.end.base;
        let made = Made::new(job, facts, place)?;
        Ok(Rewrite {
            blob: Arc::clone(self.blob),
            budget: job.opening.budget.clone(),
            end: self.end,
            counted: self.extents.len() as u64,
            length: self.length,
            cut,
            local: made.local,
            data: made.data,
            central: made.central,
            old,
        })
    }
}

/// An entry as it is written.
struct Made<'a> {
    local: Vec<u8>,
    data: Cow<'a, [u8]>,
    central: Vec<u8>,
}

impl<'a> Made<'a> {
    fn new(job: &Job<'_, 'a>, mut facts: Facts, place: u64) -> Result<Self, Fault> {
        let content = job.entry.content;
        if content.len() as u64 >= FULL {
            return Err(job.too_big("an entry of 4 GiB and more is not written"));
        }
        // What was stored as it is may have to be: some programs look for it at its place.
        let packed = match facts.method {
            Method::STORED => None,
            _ => deflated(content, job.opening.budget).map_err(failed(job.path))?,
        };
        facts.method = if packed.is_some() { Method::DEFLATE } else { Method::STORED };
        let data = packed.map_or(Cow::Borrowed(content), Cow::Owned);
        facts.crc = crc32fast::hash(content);
        facts.sizes = (data.len() as u64, content.len() as u64);
        let (Some(local), Some(central)) = (facts.local(), facts.central(place)) else {
            return Err(job.refuse("there is no room for what is said of the entry"));
        };
        Ok(Self { local, data, central })
    }
}

impl<'a> Rewrite<'a> {
    /// A new archive with one entry.
    pub(in super::super) fn first(job: &Job<'_, 'a>, name: &[u8]) -> Result<Self, Fault> {
        let made = Made::new(job, Facts::fresh(name, job.entry.modified), 0)?;
        let mut nothing = end::SIGNATURE.to_vec();
        nothing.resize(crate::packed::size(end::SIZE), 0);
        Ok(Self {
            blob: Arc::new(Memory::new(nothing)),
            budget: job.opening.budget.clone(),
            end: End { start: 0, stop: 0, record: 0, base: 0, behind: 0, count: 0, counted: u64::MAX },
            counted: 0,
            length: end::SIZE,
            cut: 0..0,
            local: made.local,
            data: made.data,
            central: made.central,
            old: None,
        })
    }

    /// How many bytes come.
    fn comes(&self) -> u64 {
        self.local.len() as u64 + self.data.len() as u64
    }

    /// A place behind the cut, as it is then.
    fn moved(&self, at: u64) -> u64 {
        at.saturating_sub(self.cut.end - self.cut.start).saturating_add(self.comes())
    }

    pub(in super::super) fn write(&self, sink: &mut dyn io::Write) -> io::Result<()> {
        let blob = &*self.blob;
        copy(blob, 0..self.cut.start, sink, &self.budget)?;
        sink.write_all(&self.local)?;
        sink.write_all(&self.data)?;
        copy(blob, self.cut.end..self.end.start, sink, &self.budget)?;
        let size = self.directory(sink)?;
        let tail = finish::tail(self, size)?;
        sink.write_all(&tail)?;
        copy(blob, self.end.record + end::SIZE..self.length, sink, &self.budget)
    }

    /// Writes the directory; its size.
    fn directory(&self, sink: &mut dyn io::Write) -> io::Result<u64> {
        let mut records = Records::new(&*self.blob, &self.end);
        let mut size = 0;
        let mut put = |bytes: &[u8]| {
            size += bytes.len() as u64;
            sink.write_all(bytes)
        };
        loop {
            match records.next(&self.budget)? {
                Step::Record(_, at, _) if self.old == Some(at) => put(&self.central)?,
                Step::Record(record, _, raw) if record.local.saturating_add(self.end.base) > self.cut.start => {
                    put(&shift::to(raw, &record, self.moved(record.local))?)?;
                }
                Step::Record(_, _, raw) => put(raw)?,
                Step::Damaged(at) => return Err(Trouble::Damaged { at }.into()),
                Step::End => break,
            }
        }
        if self.old.is_none() {
            put(&self.central)?;
        }
        Ok(size)
    }
}
