//! The text that is changed: as it is now, or as it was under a tag.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use readstone_base::{Blob, Budget, Fault, Tag, Version};
use readstone_edit::{LineAt, Lines, Script};
use readstone_source::{Coding, Found, Head, LineIndex};

use super::aim::{Aim, Form};
use super::error::Error;
use crate::call::Call;
use crate::error::fault;
use crate::lined::{Lined, Written};
use crate::structure::Characters;
use crate::target::room_for;

/// A file as it is.
#[derive(Debug)]
pub(crate) struct Basis {
    /// Its bytes, wherever they are.
    pub(crate) blob: Arc<dyn Blob>,
    pub(crate) size: u64,
    pub(crate) version: Version,
    /// How the lines stand for characters.
    pub(crate) coding: Arc<dyn Coding>,
    pub(crate) hold: Hold,
}

/// How much of a file is at hand.
#[derive(Debug)]
pub(crate) enum Hold {
    /// All of it.
    Whole(Arc<Vec<u8>>),
    /// All of it, and the text that was made of it.
    Made {
        /// The bytes of the file.
        original: Arc<Vec<u8>>,
        /// The text, whose lines are meant.
        text: Arc<Vec<u8>>,
    },
    /// Nothing; it is read where it is.
    Large,
}

impl Basis {
    /// Looks at a file that is held for a change.
    pub(crate) fn of(call: &Call<'_>, aim: &Aim, blob: &Arc<dyn Blob>) -> Result<Self, Fault> {
        let failed = |cause| readstone_formats::unreadable(&aim.path, cause);
        let size = blob.len().unwrap_or(0);
        let limits = call.limits;
        if size > limits.tag_bytes.max(limits.edit_bytes) {
            let what = aim.path.clone();
            return Err(fault(Error::TooLarge { what, size, limit: (limits.tag_bytes, "tag_bytes") }));
        }
        let _room = room_for(call, &**blob, (&aim.path, limits.edit_bytes))?;
        let loaded = readstone_source::load(Arc::clone(blob), limits.edit_bytes).map_err(failed)?;
        let head = Head { bytes: &loaded.head, samples: &loaded.samples, size: loaded.size };
        let made =
            if aim.form == Form::Notebook { readstone_formats::to_text(&loaded.head, limits).ok() } else { None };
        let opened = if made.is_some() {
            Ok(readstone_formats::utf8())
        } else {
            readstone_formats::open(&head, &loaded.blob).map(|lines| lines.coding)
        };
        let coding = opened.map_err(|opaque| fault(Error::NotText { path: aim.path.clone(), what: opaque.what }))?;
        let (version, hold) = match (loaded.version, made) {
            (Some(version), Some(made)) => {
                (version, Hold::Made { original: loaded.head, text: Arc::new(made.text.into_bytes()) })
            }
            (Some(version), None) => (version, Hold::Whole(loaded.head)),
            (None, _) => (version_now(call, &aim.path, &**blob)?, Hold::Large),
        };
        Ok(Self { blob: Arc::clone(blob), size: loaded.size, version, coding, hold })
    }

    /// Its tag.
    pub(crate) fn tag(&self) -> Tag {
        Tag::of(&self.version)
    }

    /// The bytes whose lines are meant, where they are at hand.
    pub(crate) fn text(&self) -> Option<&Arc<Vec<u8>>> {
        match &self.hold {
            Hold::Whole(text) | Hold::Made { text, .. } => Some(text),
            Hold::Large => None,
        }
    }

    /// The characters whose lines are meant, where they are at hand.
    pub(crate) fn characters(&self) -> Cow<'_, str> {
        self.text().map(|text| Characters::of(&*self.coding, text).text).unwrap_or_default()
    }

    /// The bytes of the file, where they are at hand.
    pub(crate) fn bytes(&self) -> Option<&Arc<Vec<u8>>> {
        match &self.hold {
            Hold::Whole(bytes) | Hold::Made { original: bytes, .. } => Some(bytes),
            Hold::Large => None,
        }
    }

    /// Its lines.
    pub(crate) fn lines(&self, call: &Call<'_>, path: &str) -> Result<LinesOf<'_>, Fault> {
        if let Some(text) = self.text() {
            return Ok(LinesOf::Whole(Lined::of(text, &*self.coding)));
        }
        let newline = self.coding.newline();
        let failed = |cause| readstone_formats::unreadable(path, cause);
        let mut index = LineIndex::new(newline, self.size);
        let count = index.count_all(&*self.blob, call.budget).map_err(failed)?;
        let late = |_| fault(readstone_host::Error::TimedOut { path: path.to_owned() });
        let count = count.map_err(late)?;
        let (blob, coding, budget) = (&*self.blob, Written(&*self.coding), call.budget.clone());
        let lines = Sparse { blob, size: self.size, coding, count, budget, index: RefCell::new(index) };
        Ok(LinesOf::Large(Box::new(lines)))
    }
}

/// The version of bytes that are not at hand.
pub(crate) fn version_now(call: &Call<'_>, path: &str, blob: &dyn Blob) -> Result<Version, Fault> {
    let late = |_| fault(readstone_host::Error::TimedOut { path: path.to_owned() });
    let version = readstone_source::version_of_blob(blob, call.budget);
    version.map_err(|cause| readstone_formats::unreadable(path, cause))?.map_err(late)
}

/// The lines of a text, whether it is at hand or not.
pub(crate) enum LinesOf<'a> {
    Whole(Lined<'a>),
    Large(Box<Sparse<'a>>),
}

impl LinesOf<'_> {
    pub(crate) fn all(&self) -> &dyn Lines {
        match self {
            Self::Whole(lines) => lines,
            Self::Large(lines) => &**lines,
        }
    }

    /// The bytes of a line without its end.
    pub(crate) fn whole(&self, number: u64) -> io::Result<Vec<u8>> {
        let at = self.all().line(number)?;
        self.all().bytes(at.start..at.text_end)
    }

    /// The bytes of a line without its end, or the first of them; as a row shows them.
    pub(crate) fn text(&self, number: u64, most: u64) -> Vec<u8> {
        match self {
            Self::Whole(lines) => {
                let text = lines.text(number);
                let most = usize::try_from(most).unwrap_or(usize::MAX);
                text.get(..text.len().min(most)).unwrap_or_default().to_vec()
            }
            Self::Large(lines) => {
                let at = lines.line(number).ok();
                let read =
                    |at: LineAt| lines.blob.read_range(at.start, at.text_end.min(at.start.saturating_add(most))).ok();
                at.and_then(read).unwrap_or_default()
            }
        }
    }
}

/// The lines of a large file, found where they are.
pub(crate) struct Sparse<'a> {
    blob: &'a dyn Blob,
    size: u64,
    coding: Written<'a>,
    count: u64,
    budget: Budget,
    index: RefCell<LineIndex>,
}

impl Sparse<'_> {
    fn start(&self, number: u64) -> io::Result<u64> {
        if number == 1 {
            return Ok(self.coding.mark());
        }
        if number > self.count {
            return Ok(self.size);
        }
        match self.index.borrow_mut().find(self.blob, number, &self.budget)? {
            Ok(Found::At(offset)) => Ok(offset),
            Ok(Found::Only(_)) => Ok(self.size),
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}

impl Lines for Sparse<'_> {
    fn count(&self) -> u64 {
        self.count
    }

    fn line(&self, number: u64) -> io::Result<LineAt> {
        if number == 0 || number > self.count {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let (start, end) = (self.start(number)?, self.start(number + 1)?);
        // A line end has two units at most; the last bytes of the line say whether it has one.
        let newline = self.coding.0.newline();
        let last = start.max(end.saturating_sub(2 * newline.width() as u64));
        let tail = self.blob.read_range(last, end)?;
        Ok(LineAt { start, text_end: last + newline.text_length(&tail) as u64, end })
    }

    fn bytes(&self, range: Range<u64>) -> io::Result<Vec<u8>> {
        self.blob.read_range(range.start, range.end)
    }

    fn script(&self) -> &dyn Script {
        &self.coding
    }
}
