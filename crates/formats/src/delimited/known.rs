//! What is known of a file of rows: its encoding, what stands between fields, its columns, where its rows are.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use readstone_base::Fault;
use readstone_source::{Coding, Opening, Piece};

use crate::delimited::error::Error;
use crate::delimited::machine::{Go, Machine, Sink, State};
use crate::delimited::marks::{MOST_BYTES, Mark, Marks};
use crate::delimited::params::holds_parameter;
use crate::delimited::record::{MOST_FIELDS, Record};
use crate::delimited::walk::Walk;
use crate::readings::readings;
use crate::stream::{self, Stream};

/// What is known is kept under this name.
const KEPT: &str = "delimited rows";
/// Bytes of the name of a column.
const NAME_BYTES: usize = 256;
/// What may stand between fields. Where several split a file alike the first counts: commas also stand in numbers.
const DELIMITERS: [u8; 4] = *b"\t;|,";
/// So many records are looked at to tell what stands between fields.
const LOOK: usize = 32;

/// What is known of a file of rows.
#[derive(Debug)]
pub(super) struct Known {
    /// The encoding.
    pub(super) coding: Arc<dyn Coding>,
    /// What stands between fields.
    pub(super) delimiter: u8,
    /// The names of the columns, each different from the others; none when the file is empty.
    pub(super) columns: Vec<String>,
    named: Named,
    start: u64,
    marks: Mutex<Marks>,
}

/// What the name of a file says of what stands between fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    /// Tabs.
    Tabs,
    /// Bars, unless something else splits better.
    Bars,
    /// Commas, unless something else splits better.
    Commas,
}

impl Named {
    fn of(name: &str) -> Self {
        let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        match extension.as_deref() {
            Some("tsv" | "tab") => Self::Tabs,
            Some("psv") => Self::Bars,
            Some(_) | None => Self::Commas,
        }
    }

    fn delimiter(self, text: &[u8]) -> u8 {
        match self {
            Self::Tabs => b'\t',
            Self::Bars => delimiter(text, b'|'),
            Self::Commas => delimiter(text, b','),
        }
    }
}

impl Known {
    /// What is known of a piece, or can be told by its beginning.
    pub(super) fn load(piece: &Piece, opening: &Opening<'_>) -> Result<Arc<Self>, Fault> {
        let named = Named::of(&piece.name);
        // A file may have several names, which say different things of it.
        if let Some(known) = opening.known::<Self>(piece.stamp, KEPT).filter(|known| known.named == named) {
            return Ok(known);
        }
        let failed = |cause| crate::unreadable(&piece.path, cause);
        opening.budget.check().map_err(|why| Error::stopped(why, &piece.path))?;
        let coding = stream::coding(&piece.blob, opening.limits.edit_bytes).map_err(failed)?;
        let coding = coding.map_err(|what| Error::NotText { path: piece.path.clone(), what })?;
        let mut stream = Stream::new(Arc::clone(&piece.blob), Arc::clone(&coding), coding.mark());
        stream.advance().map_err(failed)?;
        let (delimiter, skip) = said(stream.piece()).unwrap_or_else(|| (named.delimiter(stream.piece()), 0));
        let start = coding.mark() + skip * coding.newline().width() as u64;
        let mut known = Self { coding, delimiter, columns: Vec::new(), named, start, marks: Mutex::default() };
        let mut header = Record::new(NAME_BYTES);
        Walk::from(known.first(), piece, &known, opening.budget).record(&mut header)?;
        if header.is_too_wide() {
            return Err(Error::TooWide { path: piece.path.clone(), record: 0, most: MOST_FIELDS }.into());
        }
        known.columns = names(&header);
        let size = MOST_BYTES + known.columns.iter().map(|name| (name.len() + size_of::<String>()) as u64).sum::<u64>();
        let known = Arc::new(known);
        opening.keep(piece.stamp, KEPT, Arc::clone(&known), size);
        Ok(known)
    }

    /// Where the header begins.
    pub(super) fn first(&self) -> Mark {
        Mark { offset: self.start, records: 0, state: State::Record }
    }

    /// Where the rows are, as far as that was seen.
    pub(super) fn marks(&self) -> MutexGuard<'_, Marks> {
        self.marks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many rows there are, where that is known.
    pub(super) fn total(&self) -> Option<u64> {
        self.marks().total().map(|records| records.saturating_sub(1))
    }

    /// The names of so many columns: those behind the header's go by their numbers.
    pub(super) fn columns(&self, width: usize) -> Vec<String> {
        let mut columns = self.columns.clone();
        columns.extend((columns.len()..width).map(|index| format!("#{}", index + 1)));
        columns
    }

    /// The place of the column that a text means.
    pub(super) fn column(&self, text: &str) -> Option<usize> {
        let readings = readings(text);
        let exact = |name: &String| self.columns.iter().position(|column| column == name);
        let alike = |name: &String| self.columns.iter().position(|column| column.eq_ignore_ascii_case(name));
        let numbered = || {
            let number = text.strip_prefix('#')?.parse::<usize>().ok()?;
            (1..=MOST_FIELDS).contains(&number).then(|| number - 1)
        };
        readings.iter().find_map(exact).or_else(|| readings.iter().find_map(alike)).or_else(numbered)
    }
}

/// The names in a header, made different from each other.
fn names(header: &Record) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut names = Vec::with_capacity(header.len());
    for (index, head) in header.heads().enumerate() {
        let text = String::from_utf8_lossy(head);
        // The last character of a long name may be cut.
        let text = text.trim_end_matches(char::REPLACEMENT_CHARACTER).trim();
        let number = index + 1;
        let mut name = if text.is_empty() || holds_parameter(text) { format!("#{number}") } else { text.to_owned() };
        while !taken.insert(name.clone()) {
            name = format!("{name}#{number}");
        }
        names.push(name);
    }
    names
}

/// What the first line says of itself, as spreadsheets write it: `sep=;`. Gives the sign and how long the line is.
fn said(text: &[u8]) -> Option<(u8, u64)> {
    let rest = text.strip_prefix(b"sep=")?;
    let (sign, rest) = rest.split_first()?;
    let ends = rest.starts_with(b"\n") || rest.starts_with(b"\r");
    (ends && sign.is_ascii() && !matches!(sign, b'"' | b'\r' | b'\n')).then_some((*sign, 5))
}

/// What stands between fields: what splits the first records most evenly.
fn delimiter(text: &[u8], likely: u8) -> u8 {
    let mut best = (Evenness::default(), likely);
    for delimiter in DELIMITERS {
        let found = evenness(delimiter, text);
        if found > best.0 {
            best = (found, delimiter);
        }
    }
    best.1
}

/// How evenly a sign splits records; more is better.
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Evenness {
    /// How many of a thousand have as many fields as most, if these are several.
    even: usize,
    /// How many fields these are, where there is only one record to tell.
    fields: usize,
}

fn evenness(delimiter: u8, text: &[u8]) -> Evenness {
    let mut widths = Widths::default();
    let mut machine = Machine::new(delimiter);
    if machine.feed(text, &mut widths).1 == Go::On && widths.widths.is_empty() {
        machine.finish(&mut widths);
    }
    let all = widths.widths;
    let same = |width: &usize| all.iter().filter(|other| *other == width).count();
    let most = all.iter().map(|width| (same(width), *width)).max().filter(|(_, width)| *width > 1);
    most.map_or_else(Evenness::default, |(count, width)| Evenness {
        even: count * 1_000 / all.len(),
        fields: if all.len() == 1 { width } else { 0 },
    })
}

/// The numbers of fields in the first records.
#[derive(Debug, Default)]
struct Widths {
    widths: Vec<usize>,
    current: usize,
}

impl Sink for Widths {
    fn text(&mut self, _: &[u8]) -> Go {
        Go::On
    }

    fn field(&mut self) -> Go {
        self.current += 1;
        Go::On
    }

    fn record(&mut self) -> Go {
        self.widths.push(std::mem::take(&mut self.current));
        if self.widths.len() == LOOK { Go::Stop } else { Go::On }
    }
}
