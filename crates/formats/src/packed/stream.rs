//! A compressed file as a container of the one file inside it.

use std::io;
use std::sync::Arc;

use readstone_address::{Selector, colons};
use readstone_base::{Blob, Class, Fault, Note};
use readstone_source::{Container, Entered, Judge, Opening, Piece};

use super::{
    Allowed, Frame, Held, Inflated, Input, Method, Origin, Settled, Trail, Trouble, Unpacked, dictionary, gzip, zstd,
};
use crate::archive;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    Gzip,
    Other(Method),
}

impl How {
    fn of(head: &[u8]) -> Option<Self> {
        match head {
            _ if gzip::begins(head) => Some(Self::Gzip),
            // Either a block follows, or the end of a stream that holds nothing.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, ..]
            | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, ..] => {
                Some(Self::Other(Method::Bzip2))
            }
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Other(Method::Xz)),
            _ if zstd::begins(head) => Some(Self::Other(Method::Zstd)),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Other(Method::Bzip2) => "bzip2",
            Self::Other(Method::Xz) => "xz",
            Self::Other(Method::Zstd) => "zstd",
        }
    }
}

/// Opens a compressed file, by the beginning of its bytes.
pub(crate) fn open(head: &[u8], piece: &Piece) -> Option<Arc<dyn Container>> {
    let how = How::of(head)?;
    Some(Arc::new(Stream { piece: piece.clone(), how }))
}

/// What a compressed file is called, by the beginning of its bytes.
pub(crate) fn kind(head: &[u8]) -> Option<&'static str> {
    How::of(head).map(|how| match how {
        How::Gzip => "gzip file",
        How::Other(Method::Bzip2) => "bzip2 file",
        How::Other(Method::Xz) => "xz file",
        How::Other(Method::Zstd) => "zstd file",
    })
}

/// What is inside a compressed file.
pub(crate) enum Inside {
    /// What gzip packed, and what is found out while it is read.
    Gzip(Piece, Arc<Trail>),
    /// What was packed in this way.
    Other(&'static str),
}

/// The inside of a compressed file, read anew from its beginning; `None` when it is none.
pub(crate) fn inside(head: &[u8], piece: &Piece, opening: &Opening<'_>) -> Result<Option<Inside>, Fault> {
    let stream = match How::of(head) {
        None => return Ok(None),
        Some(how @ How::Other(_)) => return Ok(Some(Inside::Other(how.name()))),
        Some(how @ How::Gzip) => Stream { piece: piece.clone(), how },
    };
    let name = inner_name(&piece.name);
    if let Some(rule) = stream.denies(&name, opening.judge) {
        return Err(archive::Error::Denied { address: piece.path.clone(), rule }.boxed());
    }
    let fault = |error| archive::Error::from_io(&piece.path, error).boxed();
    let end = archive::length(&piece.blob, opening).map_err(fault)?;
    let trail = Trail::of(end);
    let blob = stream.blob(Origin::new(&piece.blob, name.as_bytes()), end, Arc::clone(&trail), opening);
    Ok(Some(Inside::Gzip(piece.inner(blob, piece.path.clone(), &name), trail)))
}

/// A compressed file.
#[derive(Debug)]
struct Stream {
    piece: Piece,
    how: How,
}

impl Container for Stream {
    fn enter(&self, tail: Option<&str>, opening: &Opening<'_>) -> Result<Entered, Fault> {
        let name = inner_name(&self.piece.name);
        if let Some(rule) = self.denies(&name, opening.judge) {
            return Err(archive::Error::Denied { address: self.piece.path.clone(), rule }.boxed());
        }
        let origin = Origin::new(&self.piece.blob, name.as_bytes());
        let stamp = self.piece.stamp.map(|stamp| stamp.part(name.as_bytes()));
        let mut notes = Vec::new();
        let blob: Arc<dyn Blob> = match opening.known::<Vec<u8>>(stamp, "packed.bytes") {
            Some(bytes) => Arc::new(Held::new(origin, bytes)),
            None => match self.unpack(origin, opening, &mut notes) {
                // The bytes can be seen whatever is wrong with what they mean.
                Err(fault)
                    if matches!(fault.class(), Class::Broken | Class::TooBig)
                        && tail.is_some_and(Selector::is_of_bytes) =>
                {
                    return Ok(Entered::Itself);
                }
                unpacked => unpacked?,
            },
        };
        let piece = self.piece.inner(blob, self.piece.path.clone(), &name);
        notes.insert(0, Note::Unpacked { how: self.how.name() });
        if archive::is_tar(&archive::head(&piece).unwrap_or_default()) {
            notes.clear();
        }
        Ok(Entered::Piece { piece, rest: tail.map(str::to_owned), notes })
    }
}

impl Stream {
    /// The rule that withholds what is inside under its own name, which the names that lead to it do not show.
    fn denies(&self, name: &str, judge: &dyn Judge) -> Option<String> {
        let outer = &self.piece.path;
        let cut = outer.len() - outer.rsplit(['/', ':']).next().map_or(0, str::len);
        let above = outer.strip_suffix(&self.piece.name).or_else(|| outer.get(..cut)).unwrap_or_default();
        let whole = format!("{above}{name}");
        // Inside an archive, the names behind its colon are a path of their own.
        let ends = colons(&whole).into_iter().filter_map(|at| whole.get(at + 1..));
        ends.chain([whole.as_str(), name]).find_map(|path| archive::denies_shown(judge, path))
    }

    fn unpack(&self, origin: Origin, opening: &Opening<'_>, notes: &mut Vec<Note>) -> Result<Arc<dyn Blob>, Fault> {
        let fault = |error| archive::Error::from_io(&self.piece.path, error).boxed();
        let stamp = self.piece.stamp.map(|stamp| stamp.part(&origin.part));
        let end = archive::length(&self.piece.blob, opening).map_err(fault)?;
        let trail = opening.known::<Trail>(stamp, "packed.trail").unwrap_or_else(|| Trail::of(end));
        opening.keep(stamp, "packed.trail", Arc::clone(&trail), self.cost(end));
        let blob = self.blob(origin.clone(), end, Arc::clone(&trail), opening);
        let mut first = [0; 512];
        // What cannot be read at all is found out by `settle`, which says so.
        let count = blob.read_at(0, &mut first).unwrap_or(0);
        if archive::is_tar(first.get(..count).unwrap_or_default()) {
            return Ok(blob);
        }
        let most = match self.how {
            How::Gzip => opening.limits.edit_bytes,
            // What cannot be begun in the middle is kept if it is not too long.
            How::Other(_) => opening.limits.edit_bytes.max(opening.limits.shelf_bytes / 2),
        };
        let beside = self.beside().map_err(fault)?.min(opening.limits.unpack_memory);
        let allowed = Allowed { most, beside, budget: opening.budget };
        // What was found too long before need not be unpacked again to find it so.
        let settled =
            if trail.reached() > most { Settled::Long } else { super::settle(&*blob, allowed).map_err(fault)? };
        if trail.behind() > 0 {
            notes.push(Note::Foreign { before: 0, behind: trail.behind() });
        }
        let bytes = match settled {
            Settled::Long => {
                notes.push(Note::Unchecked);
                return Ok(blob);
            }
            Settled::Broken(_, trouble @ (Trouble::Checksum | Trouble::Size { .. })) => {
                return Err(fault(trouble.into()));
            }
            Settled::Broken(bytes, trouble) if bytes.is_empty() => return Err(fault(trouble.into())),
            Settled::Broken(bytes, trouble) => {
                notes.push(Note::Damaged { offset: bytes.len() as u64, what: trouble.to_string() });
                return Ok(Arc::new(Held::new(origin, Arc::new(bytes))));
            }
            Settled::Whole(bytes) => Arc::new(bytes),
        };
        if trail.behind() == 0 {
            opening.keep(stamp, "packed.bytes", Arc::clone(&bytes), bytes.len() as u64);
        }
        Ok(Arc::new(Held::new(origin, bytes)))
    }

    /// The memory that unpacking takes beside what is unpacked.
    fn beside(&self) -> io::Result<u64> {
        match self.how {
            How::Gzip => Ok(0),
            How::Other(method) => dictionary::asked(method, &*self.piece.blob, 0),
        }
    }

    fn cost(&self, end: u64) -> u64 {
        match self.how {
            How::Gzip => Trail::cost(end),
            How::Other(_) => 64,
        }
    }

    fn blob(&self, origin: Origin, end: u64, trail: Arc<Trail>, opening: &Opening<'_>) -> Arc<dyn Blob> {
        let source = Arc::clone(&self.piece.blob);
        let input = Input { source, range: 0..end, budget: opening.budget.clone() };
        match self.how {
            How::Gzip => Arc::new(Inflated::new(origin, input, Frame::Gzip, trail)),
            How::Other(method) => Arc::new(Unpacked::new(origin, input, method, trail, opening.limits.unpack_memory)),
        }
    }
}

/// Whether these are the first bytes of a compressed file.
pub(crate) fn begins(head: &[u8]) -> bool {
    How::of(head).is_some()
}

/// The name of the file inside: without the ending that says how it is compressed.
pub(crate) fn inner_name(name: &str) -> String {
    const LONGER: [(&str, &str); 5] =
        [("tgz", "tar"), ("tbz", "tar"), ("tbz2", "tar"), ("txz", "tar"), ("tzst", "tar")];
    const SHORTER: [&str; 8] = ["gz", "gzip", "bz2", "bz", "xz", "zst", "zstd", "z"];
    let Some((stem, ending)) = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()) else {
        return name.to_owned();
    };
    let ending = ending.to_ascii_lowercase();
    if let Some((_, full)) = LONGER.iter().find(|(short, _)| *short == ending) {
        return format!("{stem}.{full}");
    }
    if SHORTER.contains(&ending.as_str()) { stem.to_owned() } else { name.to_owned() }
}
