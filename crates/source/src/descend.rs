//! Descending: from a file through what it holds to what an address names.

use std::io;
use std::path::Path;
use std::sync::Arc;

use readstone_address::{Select, Selector};
use readstone_base::{Blob, Fault, Image, Limits, Memory, Note, Span, Stamp};

use crate::container::{Entered, Reached};
use crate::content::Content;
use crate::error::Error;
use crate::opening::{Opening, Piece};

/// Where an address led.
#[derive(Debug)]
pub(crate) struct Descent {
    /// The address that leads there.
    pub(crate) path: String,
    /// What is there.
    pub(crate) end: End,
    /// Which part of it is asked for.
    pub(crate) selector: Selector,
    pub(crate) notes: Vec<Note>,
    /// The rule for secrets that a name on the way matches.
    pub(crate) secret: Option<String>,
    pub(crate) images: Vec<Image>,
    /// Whether it lies inside something else.
    pub(crate) inside: bool,
}

/// What an address led to.
#[derive(Debug)]
pub(crate) enum End {
    /// Bytes that hold nothing else; the limit says why not all of them are there.
    Bytes(Arc<dyn Blob>, Option<&'static str>),
    /// Something that is shown as it is.
    Content(Content),
}

/// Layers of packing that are taken off between two names.
const MOST_LAYERS: u64 = 8;

/// Follows a tail through containers.
pub(crate) fn descend(piece: Piece, tail: Option<&str>, opening: &Opening<'_>) -> Result<Descent, Fault> {
    let given = Arc::clone(&piece.blob);
    let mut piece = piece;
    let mut tail = tail.map(str::to_owned);
    let (mut notes, mut names, mut layers, mut secret) = (Vec::new(), 0, 0, None);
    while let Some(container) = opening.formats.container(&piece, tail.as_deref(), opening)? {
        if (names >= opening.limits.nesting || layers >= MOST_LAYERS) && !container.is_end() {
            // The bytes as such can still be seen.
            if tail.as_deref().is_some_and(Selector::is_of_bytes) {
                break;
            }
            return Err(Box::new(Error::TooDeep { path: piece.path, limit: opening.limits.nesting }));
        }
        match container.enter(tail.as_deref(), opening)? {
            Entered::Piece { piece: inner, rest, notes: said } => {
                names += u64::from(inner.path != piece.path);
                layers += 1;
                // What holds for every layer is said once.
                notes.extend(said.into_iter().filter(|note| !notes.contains(note)).collect::<Vec<_>>());
                secret = secret.or_else(|| opening.judge.warns(Path::new(&inner.name)));
                let failed = |cause| opening.formats.unreadable(&inner.path, cause);
                let blob = shown(&inner, opening).map_err(failed)?;
                (piece, tail) = (Piece { blob, ..inner }, rest);
            }
            Entered::Content(reached) => {
                notes.extend(reached.notes);
                let selector = selector_of(&reached.path, reached.rest.as_deref())?;
                let Reached { content, path, images, .. } = *reached;
                return Ok(Descent {
                    path,
                    end: End::Content(content),
                    selector,
                    notes,
                    secret,
                    images,
                    inside: !Arc::ptr_eq(&given, &piece.blob),
                });
            }
            Entered::Itself => break,
        }
    }
    let selector = selector_of(&piece.path, tail.as_deref())?;
    let failed = |cause| opening.formats.unreadable(&piece.path, cause);
    let (blob, cut) = settle(&piece, &selector, opening.limits, &mut notes).map_err(failed)?;
    Ok(Descent {
        path: piece.path,
        end: End::Bytes(blob, cut),
        selector,
        notes,
        secret,
        images: Vec::new(),
        inside: !Arc::ptr_eq(&given, &piece.blob),
    })
}

/// The bytes of what lies inside something as they are shown. What a compressed file holds has another name than it.
fn shown(piece: &Piece, opening: &Opening<'_>) -> io::Result<Arc<dyn Blob>> {
    let above = piece.path.rfind(['/', ':']).and_then(|at| piece.path.get(..=at)).unwrap_or_default();
    let inner = format!("{above}{}", piece.name);
    let blob = opening.judge.shown(Path::new(&inner), Arc::clone(&piece.blob))?;
    if inner == piece.path { Ok(blob) } else { opening.judge.shown(Path::new(&piece.path), blob) }
}

/// The selector in what is left of an address.
fn selector_of(path: &str, rest: Option<&str>) -> Result<Selector, Fault> {
    let Some(rest) = rest else {
        return Ok(Selector::default());
    };
    Selector::parse(rest).map_err(|(part, problem)| -> Fault {
        Box::new(readstone_address::Error::BadSelector { path: path.to_owned(), part, problem })
    })
}

/// Bytes whose number is known. Of a stream that does not tell its length as much is unpacked as the selection needs:
/// the beginning for its first page, everything for a later one.
fn settle(
    piece: &Piece,
    selector: &Selector,
    limits: &Limits,
    notes: &mut Vec<Note>,
) -> io::Result<(Arc<dyn Blob>, Option<&'static str>)> {
    if piece.blob.len().is_some() {
        return Ok((Arc::clone(&piece.blob), None));
    }
    let need = Need::of(selector, limits);
    let mut head = Vec::new();
    let mut chunk = vec![0; STEP];
    let (mut size, mut feeds) = (0_u64, 0_u64);
    let mut wide = false;
    let whole = loop {
        let count = piece.blob.read_at(size, &mut chunk)?;
        let bytes = chunk.get(..count).unwrap_or_default();
        // In encodings of several bytes a byte that looks like a line feed need not be one.
        wide |= size == 0 && bytes.get(..bytes.len().min(LOOK)).unwrap_or_default().contains(&0);
        feeds += if wide { 0 } else { memchr::memchr_iter(b'\n', bytes).count() as u64 };
        size += count as u64;
        if size <= limits.edit_bytes {
            head.extend_from_slice(bytes);
        }
        if count < chunk.len() {
            notes.extend(damage(&*piece.blob, size)?);
            break true;
        }
        // The end of what is small enough to be held whole is always looked for.
        if size > limits.edit_bytes && (size >= need.bytes || feeds >= need.lines) {
            break false;
        }
    };
    if size <= limits.edit_bytes {
        return Ok((Arc::new(Memory::new(head)), None));
    }
    let measured = Measured { blob: Arc::clone(&piece.blob), size };
    Ok((Arc::new(measured), (!whole).then_some("unpack_bytes")))
}

/// What is wrong behind the last byte that could be read; a stream tells when it is read on.
fn damage(blob: &dyn Blob, offset: u64) -> io::Result<Option<Note>> {
    match blob.read_at(offset, &mut [0]) {
        Ok(_) => Ok(None),
        Err(error) if matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData) => {
            Ok(Some(Note::Damaged { offset, what: error.to_string() }))
        }
        Err(error) => Err(error),
    }
}

/// How much of a stream a selection needs: so many bytes or so many line feeds, whichever come first.
struct Need {
    bytes: u64,
    lines: u64,
}

impl Need {
    fn of(selector: &Selector, limits: &Limits) -> Self {
        let lines = |last: u64| Self { bytes: u64::MAX, lines: last.saturating_add(limits.context_after + 1) };
        let bytes = |bytes: u64| Self { bytes, lines: u64::MAX };
        let last = |spans: &[Span]| spans.last().map_or(u64::MAX, |span| span.last);
        match &selector.select {
            Select::All => bytes(limits.unpack_bytes),
            Select::Window { start, bytes: count } => {
                let count = count.unwrap_or(limits.window_bytes).min(limits.window_max_bytes);
                // The window ends with its last line, within twice its largest size.
                bytes(start.saturating_add(count).saturating_add(2 * limits.window_max_bytes))
            }
            Select::Range(span) => lines(span.last),
            Select::Many(spans) => lines(last(spans)),
            Select::Around { line, .. } => lines(line.saturating_add(limits.around_lines)),
            // Whoever reads on will read all of it; where its lines are is found out once.
            // What is named by its meaning is looked for in the whole.
            Select::From(_) | Select::Last(_) | Select::Rest { .. } | Select::Symbol(_) | Select::Block { .. } => {
                lines(u64::MAX)
            }
        }
    }
}

/// How much is looked at to tell whether a stream is in bytes.
const LOOK: usize = 4 * 1024;
/// How much is unpacked at a time.
const STEP: usize = 256 * 1024;

/// A stream whose length was found out, or as much of it as was asked for.
#[derive(Debug)]
struct Measured {
    blob: Arc<dyn Blob>,
    size: u64,
}

impl Blob for Measured {
    fn len(&self) -> Option<u64> {
        Some(self.size)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let room = usize::try_from(self.size.saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(room);
        self.blob.read_at(offset, buffer.get_mut(..wanted).unwrap_or_default())
    }

    fn stamp(&self) -> io::Result<Option<Stamp>> {
        // Lines are counted anew when more of the stream is known.
        Ok(self.blob.stamp()?.map(|stamp| Stamp { size: self.size, ..stamp }))
    }

    fn is_serial(&self) -> bool {
        self.blob.is_serial()
    }
}
