//! What is known of a document: its sections, as far as they were made.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use readstone_base::{Blob, Budget, Identity, Lack, Limits, Memory, Note, Span, Spoiled, Stamp, Task, Unit, Workshop};
use readstone_convert::{Bounds, Form, Made, Parts, Refusal, Remark, State, Wish};
use readstone_source::{Opening, Piece, Section};

use super::error::Error;
use super::text::marked;
use super::{Asked, TASK};
use crate::work::unpack;

/// So much is read at a time.
const STRIDE: u64 = 1024 * 1024;
/// So much text is made at first.
const FIRST: u64 = 256 * 1024;
/// What is known of a document is kept under this name.
const KEPT: &str = "document";
/// Which content a file has is kept under this name.
const CONTENT: &str = "content of a document";

/// Where a document comes from.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) piece: Piece,
    pub(super) form: Form,
}

/// What was made of a document so far.
#[derive(Debug)]
pub(super) struct Known {
    parts: Parts,
    count: u64,
    names: Vec<String>,
    bounds: Bounds,
    /// The bytes, for what is still to be made.
    bytes: Arc<Vec<u8>>,
    made: Mutex<Work>,
}

/// Sections that were made, and what must be said of the whole.
#[derive(Debug, Default)]
struct Work {
    sections: BTreeMap<u64, Arc<Section>>,
    remarks: Vec<Remark>,
    size: u64,
}

impl Source {
    /// What is known of the document, by its content: the beginning of it is made if nothing is.
    pub(super) fn known(&self, opening: &Opening<'_>) -> Result<Arc<Known>, Error> {
        let bounds = bounds(opening.limits);
        let by_file = opening.known::<Stamp>(self.piece.stamp, CONTENT);
        if let Some(known) = by_file.and_then(|content| Self::kept(*content, &bounds, opening)) {
            return Ok(known);
        }
        let bytes = Arc::new(self.bytes(opening)?);
        let content = content_stamp(&bytes).part(self.form.name().as_bytes());
        opening.keep(self.piece.stamp, CONTENT, Arc::new(content), 64);
        if let Some(known) = Self::kept(content, &bounds, opening) {
            return Ok(known);
        }
        let wish = Wish { enough: FIRST.max(2 * opening.limits.page_bytes), ..Wish::ALL };
        let made = self.make(&bytes, (wish, bounds), &**opening.works, opening.budget)?;
        let known = Arc::new(Known {
            parts: made.parts,
            count: made.count,
            names: made.names.clone(),
            bounds,
            bytes,
            made: Mutex::default(),
        });
        known.add(made);
        opening.keep(Some(content), KEPT, Arc::clone(&known), known.size());
        Ok(known)
    }

    fn kept(content: Stamp, bounds: &Bounds, opening: &Opening<'_>) -> Option<Arc<Known>> {
        let known = opening.known::<Known>(Some(content), KEPT).filter(|known| known.bounds == *bounds)?;
        // What was made since counts.
        opening.keep(Some(content), KEPT, Arc::clone(&known), known.size());
        Some(known)
    }

    /// Has sections made.
    pub(super) fn make(
        &self,
        bytes: &Arc<Vec<u8>>,
        (wish, bounds): (Wish, Bounds),
        works: &dyn Workshop,
        budget: &Budget,
    ) -> Result<Made, Error> {
        let spoiled = |spoiled| Error::Spoiled { path: self.piece.path.clone(), extension: self.form.name(), spoiled };
        let ask = serde_json::to_vec(&Asked { form: self.form, wish, bounds }).unwrap_or_default();
        let blob: Arc<dyn Blob> = Arc::new(Memory::new(Arc::clone(bytes)));
        let answer = works.work(&Task { what: TASK, ask: &ask, lend: Arc::new(blob) }, budget).map_err(spoiled)?;
        let nonsense = || spoiled(Spoiled::Crashed("its answer makes no sense".to_owned()));
        let ((made, lengths), texts) = unpack::<(Result<Made, Refusal>, Vec<usize>)>(&answer).ok_or_else(nonsense)?;
        let refused = |refusal| Error::Refused { path: self.piece.path.clone(), extension: self.form.name(), refusal };
        let mut made = made.map_err(refused)?;
        let mut rest = texts;
        for (section, length) in made.sections.iter_mut().zip(lengths) {
            let (text, behind) = rest.split_at_checked(length).ok_or_else(nonsense)?;
            section.text = String::from_utf8(text.to_vec()).map_err(|_| nonsense())?;
            rest = behind;
        }
        if made.sections.is_empty() && wish.first == 1 {
            return Err(refused(Refusal::Empty));
        }
        Ok(made)
    }

    /// All bytes, where they are not too many.
    fn bytes(&self, opening: &Opening<'_>) -> Result<Vec<u8>, Error> {
        let path = || self.piece.path.clone();
        let most = opening.limits.document_bytes;
        let extension = self.form.name();
        let too_big = || Error::TooBig { path: path(), extension, limit: "document_bytes", value: most };
        let length = self.piece.blob.len();
        if length.is_some_and(|length| length > most) {
            return Err(too_big());
        }
        // What a file declares is not allocated at once.
        let mut bytes = Vec::with_capacity(usize::try_from(length.unwrap_or(0).min(STRIDE)).unwrap_or(0));
        loop {
            let stopped = |why| Error::Spoiled { path: path(), extension, spoiled: Spoiled::Stopped(why) };
            opening.budget.check().map_err(stopped)?;
            let start = bytes.len() as u64;
            let piece = self.piece.blob.read_range(start, start + STRIDE);
            let piece = piece.map_err(|cause| Error::Io { path: path(), cause })?;
            bytes.extend_from_slice(&piece);
            if bytes.len() as u64 > most {
                return Err(too_big());
            }
            if (piece.len() as u64) < STRIDE {
                return Ok(bytes);
            }
        }
    }
}

impl Known {
    /// What the sections are; `None` when the document flows.
    pub(super) fn unit(&self) -> Option<Unit> {
        match self.parts {
            Parts::Flow => None,
            Parts::Pages => Some(Unit::Pages),
            Parts::Slides => Some(Unit::Slides),
            Parts::Sheets => Some(Unit::Sheets),
            Parts::Chapters => Some(Unit::Chapters),
        }
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// The names of the sheets.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// The sheet that the beginning of a tail names, as it is called, and what stands behind it.
    pub(super) fn named<'t>(&self, tail: &'t str) -> Option<(u64, String, Option<&'t str>)> {
        let whole = std::iter::once((tail, None));
        let shorter = tail.rmatch_indices(':').filter_map(|(at, _)| Some((tail.get(..at)?, tail.get(at + 1..))));
        let exact = |asked: &str, name: &String| name == asked;
        let loose = |asked: &str, name: &String| name.to_lowercase() == asked.to_lowercase();
        for (asked, rest) in whole.chain(shorter) {
            let place = self.names.iter().position(|name| exact(asked, name));
            let place = place.or_else(|| self.names.iter().position(|name| loose(asked, name)));
            if let Some((at, name)) = place.and_then(|at| Some((at, self.names.get(at)?))) {
                return Some((at as u64 + 1, name.clone(), rest.filter(|rest| !rest.is_empty())));
            }
        }
        None
    }

    /// The only section of a document that flows.
    pub(super) fn flowing(&self) -> Option<Arc<Section>> {
        if self.parts == Parts::Flow { self.lock().sections.get(&1).cloned() } else { None }
    }

    /// Sections from a number on that were made already.
    pub(super) fn ready(&self, first: u64) -> Vec<Arc<Section>> {
        let work = self.lock();
        (first..).map_while(|number| work.sections.get(&number).cloned()).collect()
    }

    pub(super) fn bytes(&self) -> &Arc<Vec<u8>> {
        &self.bytes
    }

    pub(super) fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Adds what was made.
    pub(super) fn add(&self, made: Made) {
        let unit = self.unit();
        let mut work = self.lock();
        for (number, section) in (made.first..).zip(made.sections) {
            let lack = match section.state {
                State::Whole => None,
                State::Blank => Some(Lack::Content),
                State::NoText => Some(Lack::Text),
                State::Lacking(why) => Some(Lack::Some(why)),
            };
            let text = marked(unit, number, section.name.as_deref(), section.text);
            work.size += text.len() as u64 + 128;
            work.sections.insert(number, Arc::new(Section { number, text, lack }));
        }
        for remark in made.remarks {
            if !work.remarks.contains(&remark) {
                work.remarks.push(remark);
            }
        }
    }

    /// What must be said of the whole.
    pub(super) fn notes(&self, lack: Option<&Lack>) -> Vec<Note> {
        let whole = vec![Span::new(1, 1)];
        let lacking = lack.map(|lack| Note::Lacking { unit: Unit::Pages, sections: whole, lack: lack.clone() });
        let said = self.lock().remarks.iter().map(note).collect::<Vec<_>>();
        lacking.into_iter().chain(said).collect()
    }

    fn size(&self) -> u64 {
        self.bytes.len() as u64 + self.lock().size
    }

    fn lock(&self) -> MutexGuard<'_, Work> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn note(remark: &Remark) -> Note {
    match remark {
        Remark::Cut { limit } => Note::CutText { limit: limit_name(limit) },
        Remark::Damaged(what) => Note::DamagedPart { what: what.clone() },
        Remark::LeftOut(what) => Note::LeftOut { what: what.clone() },
    }
}

/// The limit that a bound comes from.
fn limit_name(bound: &str) -> &'static str {
    match bound {
        "parts_bytes" => "document_parts",
        "depth" => "document_depth",
        _ => "document_text",
    }
}

fn bounds(limits: &Limits) -> Bounds {
    Bounds { text_bytes: limits.document_text, parts_bytes: limits.document_parts, depth: limits.document_depth }
}

/// A stamp that two files share when they have the same bytes.
fn content_stamp(bytes: &[u8]) -> Stamp {
    let hash = readstone_source::version_of(bytes);
    let hash = hash.as_bytes();
    let number = |at: usize| hash.get(at..at + 8).and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_le_bytes);
    let identity = Identity { device: number(0), inode: number(8) };
    let (modified, changed) = (i128::from(number(16)), i128::from(number(24)));
    Stamp { identity, size: bytes.len() as u64, modified, changed }
}

/// The address of some pages.
pub(super) fn address(path: &str, span: Span) -> String {
    match span {
        Span { first, last } if first == last => format!("{path}:p{first}"),
        Span { first, last: u64::MAX } => format!("{path}:p{first}-"),
        Span { first, last } => format!("{path}:p{first}-{last}"),
    }
}
