//! What is known of a document: its sections, as far as they were made.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use readstone_base::{Blob, Budget, Lack, Limits, Memory, Note, Span, Spoiled, Stamp, Unit, Workshop, escape_name};
use readstone_convert::{Bounds, Form, Made, Parts, Refusal, Remark, State, Wish};
use readstone_source::{Opening, Piece, Section};

use super::error::{Error, limit_name};
use super::text::marked;
use super::{Asked, TASK};
use crate::work::{self, Bytes, Pair};

/// So much text is made at once where making it is cheap.
const AT_ONCE: u64 = 4 * 1024 * 1024;
/// So many things are said of a document, and so many sheets go by their names.
const MOST_REMARKS: usize = 32;
const MOST_NAMES: usize = 65_536;
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
    work: Mutex<Work>,
}

/// Sections that were made, and what must be said of the whole.
#[derive(Debug)]
struct Work {
    sections: BTreeMap<u64, Arc<Section>>,
    /// The text of a document that flows.
    flow: Option<Arc<Vec<u8>>>,
    remarks: Vec<Remark>,
    /// The bytes, as long as something is still to be made of them.
    bytes: Option<Arc<Vec<u8>>>,
    size: u64,
}

impl Source {
    /// What is known of the document, by its content. Where nothing is, the sections that will be shown are made, which
    /// tells the rest.
    pub(super) fn known(&self, wanted: Option<Span>, opening: &Opening<'_>) -> Result<Arc<Known>, Error> {
        let bounds = bounds(opening.limits);
        let by_file = opening.known::<Stamp>(self.piece.stamp, CONTENT);
        if let Some(known) = by_file.and_then(|content| kept(*content, &bounds, opening)) {
            return Ok(known);
        }
        let Bytes { bytes, lent: _lent } = self.bytes(opening)?;
        let bytes = Arc::new(bytes);
        let content = Stamp::of_content(&readstone_source::version_of(&bytes), bytes.len() as u64)
            .part(self.form.name().as_bytes());
        opening.keep(self.piece.stamp, CONTENT, Arc::new(content), 64);
        if let Some(known) = kept(content, &bounds, opening) {
            return Ok(known);
        }
        let wanted = wanted.filter(|span| span.first > 0).unwrap_or(Span::new(1, u64::MAX));
        let wish = self.wish(wanted, opening.limits);
        let mut made = self.make(&bytes, (wish, bounds), &**opening.works, opening.budget)?;
        if made.sections.is_empty() && wish.first == 1 {
            return Err(self.refused(Refusal::Empty));
        }
        let names = std::mem::take(&mut made.names);
        let work = Work { sections: BTreeMap::new(), flow: None, remarks: Vec::new(), bytes: Some(bytes), size: 0 };
        let known = Known { parts: made.parts, count: made.count, names, bounds, work: Mutex::new(work) };
        known.add(made);
        let known = Arc::new(known);
        opening.keep(Some(content), KEPT, Arc::clone(&known), known.size());
        Ok(known)
    }

    /// What a worker is asked for to show these sections. Where finding a section costs more than making it, more are
    /// made at once.
    pub(super) fn wish(&self, wanted: Span, limits: &Limits) -> Wish {
        let page = 2 * limits.page_bytes;
        let enough = match self.form {
            Form::Pdf => page,
            Form::Docx
            | Form::Pptx
            | Form::Xlsx
            | Form::Doc
            | Form::Ppt
            | Form::Xls
            | Form::Rtf
            | Form::Epub
            | Form::Odt
            | Form::Odp
            | Form::Ods => page.max(AT_ONCE),
        };
        let last = wanted.last.min(wanted.first.saturating_add(limits.document_pages - 1));
        Wish { first: wanted.first, last, enough }
    }

    /// Has sections made.
    fn make(
        &self,
        bytes: &Arc<Vec<u8>>,
        (wish, bounds): (Wish, Bounds),
        works: &dyn Workshop,
        budget: &Budget,
    ) -> Result<Made, Error> {
        let spoiled = |spoiled| self.spoiled(spoiled);
        let blob: Arc<dyn Blob> = Arc::new(Memory::new(Arc::clone(bytes)));
        let asked = Asked { form: self.form, wish, bounds };
        let Pair { head, body } =
            work::ask::<(Result<Made, Refusal>, Vec<usize>)>(TASK, &asked, blob, (works, budget)).map_err(spoiled)?;
        let (made, lengths) = head;
        let mut made = made.map_err(|refusal| self.refused(refusal))?;
        // What a worker says is checked: the file it works on may have taken it over.
        let sound = made.sections.len() == lengths.len() && lengths.iter().sum::<usize>() == body.len();
        let placed = made.sections.is_empty() || made.first == wish.first || made.parts == Parts::Flow;
        let within = made.first.checked_add(made.sections.len() as u64).is_some_and(|end| end <= made.count + 1);
        let nonsense = || spoiled(work::nonsense());
        if !(sound && placed && (within || made.sections.is_empty())) {
            return Err(nonsense());
        }
        let mut rest = body.as_slice();
        for (section, length) in made.sections.iter_mut().zip(lengths) {
            let (text, behind) = rest.split_at_checked(length).ok_or_else(nonsense)?;
            section.text = String::from_utf8(text.to_vec()).map_err(|_| nonsense())?;
            rest = behind;
        }
        made.names.truncate(MOST_NAMES);
        made.remarks.truncate(MOST_REMARKS);
        Ok(made)
    }

    fn bytes(&self, opening: &Opening<'_>) -> Result<Bytes, Error> {
        let most = opening.limits.document_bytes;
        let extension = self.form.name();
        let path = || self.piece.path.clone();
        let too_big = || Error::TooBig { path: path(), extension, limit: "document_bytes", value: most };
        match work::bytes(&self.piece, most, opening) {
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => Err(too_big()),
            Err(work::Unread::Stopped(why)) => Err(self.spoiled(Spoiled::Stopped(why))),
            Err(work::Unread::Io(cause)) => Err(Error::Io { path: path(), cause }),
        }
    }

    fn refused(&self, refusal: Refusal) -> Error {
        Error::Refused { path: self.piece.path.clone(), extension: self.form.name(), refusal }
    }

    fn spoiled(&self, spoiled: Spoiled) -> Error {
        Error::Spoiled { path: self.piece.path.clone(), extension: self.form.name(), spoiled }
    }

    /// Has further sections of a document made; nothing when all of them are.
    pub(super) fn extend(&self, known: &Known, wish: Wish, works: &dyn Workshop, budget: &Budget) -> Result<(), Error> {
        let Some(bytes) = known.lock().bytes.clone() else {
            return Ok(());
        };
        let made = self.make(&bytes, (wish, known.bounds), works, budget)?;
        if made.parts == known.parts && made.count == known.count {
            known.add(made);
        }
        Ok(())
    }
}

fn kept(content: Stamp, bounds: &Bounds, opening: &Opening<'_>) -> Option<Arc<Known>> {
    let known = opening.known::<Known>(Some(content), KEPT).filter(|known| known.bounds == *bounds)?;
    // What was made since counts.
    opening.keep(Some(content), KEPT, Arc::clone(&known), known.size());
    Some(known)
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

    /// The number of the sheet that is called so, in its own spelling, in the one it is shown in, or in another case.
    pub(super) fn sheet(&self, asked: &str) -> Option<u64> {
        let lower = asked.to_lowercase();
        let exact = self.names.iter().position(|name| name == asked);
        let shown = || self.names.iter().position(|name| shown_name(name) == asked);
        let loose = || self.names.iter().position(|name| name.to_lowercase() == lower);
        exact.or_else(shown).or_else(loose).map(|at| at as u64 + 1)
    }

    /// The text of a document that flows, and what it lacks.
    pub(super) fn flowing(&self) -> Option<(Arc<Vec<u8>>, Option<Lack>)> {
        let work = self.lock();
        let lack = work.sections.get(&1).and_then(|section| section.lack.clone());
        work.flow.clone().map(|text| (text, lack))
    }

    /// Sections from a number on that were made already.
    pub(super) fn ready(&self, first: u64) -> Vec<Arc<Section>> {
        let work = self.lock();
        (first..).map_while(|number| work.sections.get(&number).cloned()).collect()
    }

    /// Adds what was made.
    fn add(&self, made: Made) {
        let unit = self.unit();
        let mut work = self.lock();
        for (number, section) in (made.first..).zip(made.sections) {
            let lack = match section.state {
                State::Whole => None,
                State::Blank => Some(Lack::Content),
                State::NoText => Some(Lack::Text),
                State::Lacking(why) => Some(Lack::Some(why)),
            };
            let mut text = marked(unit, number, section.name.as_deref(), section.text);
            work.size += text.capacity() as u64 + 128;
            if unit.is_none() {
                work.flow = Some(Arc::new(std::mem::take(&mut text).into_bytes()));
            }
            work.sections.insert(number, Arc::new(Section { number, text, lack }));
        }
        for remark in made.remarks {
            if work.remarks.len() < MOST_REMARKS && !work.remarks.contains(&remark) {
                work.remarks.push(remark);
            }
        }
        // What was made whole needs its bytes no more.
        if unit.is_none() || work.sections.len() as u64 >= self.count {
            work.bytes = None;
        }
    }

    /// What must be said of the whole.
    pub(super) fn notes(&self, lack: Option<&Lack>) -> Vec<Note> {
        let whole = vec![Span::new(1, 1)];
        let lacking = lack.map(|lack| Note::Lacking { unit: Unit::Lines, sections: whole, lack: lack.clone() });
        let said = self.lock().remarks.iter().map(note).collect::<Vec<_>>();
        lacking.into_iter().chain(said).collect()
    }

    fn size(&self) -> u64 {
        let work = self.lock();
        let names: usize = self.names.iter().map(|name| name.len() + 32).sum();
        work.size + work.bytes.as_ref().map_or(0, |bytes| bytes.len() as u64) + names as u64
    }

    fn lock(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a remark says.
pub(crate) fn note(remark: &Remark) -> Note {
    match remark {
        Remark::Cut { limit } => Note::CutText { limit: limit_name(limit) },
        Remark::Damaged(what) => Note::DamagedPart { what: what.clone() },
        Remark::LeftOut(what) => Note::LeftOut { what: what.clone() },
    }
}

/// The bounds of conversions.
pub(crate) fn bounds(limits: &Limits) -> Bounds {
    Bounds { text_bytes: limits.document_text, parts_bytes: limits.document_parts, depth: limits.document_depth }
}

/// The name of a sheet as it stands in an address.
pub(super) fn shown_name(name: &str) -> String {
    escape_name(std::ffi::OsStr::new(name))
}

/// The address of some pages.
pub(super) fn address(path: &str, span: Span) -> String {
    match span {
        Span { first, last } if first == last => format!("{path}:p{first}"),
        Span { first, last: u64::MAX } => format!("{path}:p{first}-"),
        Span { first, last } => format!("{path}:p{first}-{last}"),
    }
}
