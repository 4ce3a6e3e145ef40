//! Pictures: shown as a copy that a model can take, cropped from the original pixels, or described.

mod error;

use std::sync::Arc;

use readstone_address::Selector;
use readstone_base::{Blob, Fault, Image, Lend, Limits, Memory, Note, Picture, Scaled, Spoiled};
use readstone_convert::{Copy, Facts, Frame, Look, Refusal, Region};
use readstone_source::{Container, Content, Entered, Opening, Pictures, Piece, Reached};
use serde::{Deserialize, Serialize};

use crate::work::{self, Pair, Unread, pack, whole};
use error::Error;

/// What this kind of work is called.
pub(crate) const TASK: &str = "picture";
/// What is kept of a picture is kept under this name.
const KEPT: &str = "picture";

/// What a worker is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Asked {
    look: Look,
    frame: Frame,
}

type Answer = Result<(Facts, Option<Copy>), Refusal>;

/// Does the work: the answer is what the picture is, with the bytes of its copy behind it, or why there is none.
pub(crate) fn work(ask: &[u8], lend: &Arc<dyn Lend>) -> Result<Vec<u8>, String> {
    let Asked { look, frame } = serde_json::from_slice(ask).map_err(|error| error.to_string())?;
    let mut answer: Answer = readstone_convert::picture(&whole(lend)?, &look, &frame);
    let copy = answer.as_mut().ok().and_then(|(_, copy)| copy.as_mut());
    let bytes = copy.map(|copy| std::mem::take(&mut copy.bytes)).unwrap_or_default();
    pack(&answer, &bytes)
}

/// A piece as a picture, when it is one.
pub(crate) fn container(piece: &Piece, head: &[u8]) -> Option<Arc<dyn Container>> {
    let mime = readstone_convert::picture_type(head)?;
    Some(Arc::new(Shown { piece: piece.clone(), mime }))
}

/// Whether pictures have such a part.
pub(crate) fn has_part(tail: Option<&str>) -> bool {
    let known = |tail: &str| tail == "info" || tail.starts_with("crop=") || Selector::parse(tail).is_ok();
    tail.is_none_or(|tail| tail.is_empty() || known(tail))
}

/// A picture.
#[derive(Debug)]
struct Shown {
    piece: Piece,
    mime: &'static str,
}

/// A picture that was worked on.
#[derive(Clone, Debug)]
struct Seen {
    asked: Asked,
    facts: Facts,
    copy: Option<Copy>,
    size: u64,
}

impl Container for Shown {
    fn is_end(&self) -> bool {
        true
    }

    fn enter(&self, tail: Option<&str>, opening: &Opening<'_>) -> Result<Entered, Fault> {
        let tail = tail.filter(|tail| !tail.is_empty());
        if tail.is_some_and(Selector::is_of_bytes) {
            return Ok(Entered::Itself);
        }
        let (look, path) = self.look(tail, opening.pictures).map_err(|error| Box::new(error) as Fault)?;
        let seen = self.see(&look, opening).map_err(|error| Box::new(error) as Fault)?;
        Ok(self.entered(&seen, path))
    }
}

impl Shown {
    fn look(&self, tail: Option<&str>, pictures: Pictures) -> Result<(Look, String), Error> {
        let path = self.piece.path.clone();
        match tail {
            None if pictures == Pictures::Described => Ok((Look::Facts, path)),
            None => Ok((Look::Whole, path)),
            Some("info") => Ok((Look::Facts, format!("{path}:info"))),
            Some(tail) => match tail.strip_prefix("crop=").and_then(region) {
                Some(region) => Ok((Look::Crop(region), format!("{path}:{tail}"))),
                None => Err(Error::BadSelector { path, tail: tail.to_owned() }),
            },
        }
    }

    fn see(&self, look: &Look, opening: &Opening<'_>) -> Result<Arc<Seen>, Error> {
        let asked = Asked { look: *look, frame: frame(opening.limits) };
        if let Some(seen) = opening.known::<Seen>(self.piece.stamp, KEPT).filter(|seen| seen.asked == asked) {
            return Ok(seen);
        }
        let path = || self.piece.path.clone();
        let most = opening.limits.image_file_bytes;
        if self.piece.blob.len().is_some_and(|length| length > most) {
            return Err(Error::TooBig { path: path(), limit: "image_file_bytes", value: most });
        }
        let blob = match self.piece.blob.len() {
            Some(_) => Arc::clone(&self.piece.blob),
            None => self.settled(most, opening)?,
        };
        let size = blob.len().unwrap_or(0);
        let spoiled = |spoiled| Error::Spoiled { path: path(), spoiled };
        let answer = work::ask::<Answer>(TASK, &asked, blob, (&**opening.works, opening.budget));
        let Pair { head, body } = answer.map_err(spoiled)?;
        let (facts, copy) = head.map_err(|refusal| Error::Refused { path: path(), mime: self.mime, refusal })?;
        // No picture leaves that is larger than it may be, whatever a worker says.
        let copy = copy.map(|copy| Copy { bytes: body, ..copy });
        let fits = |copy: &Copy| {
            let longest = u64::from(copy.width.max(copy.height));
            copy.bytes.len() as u64 <= opening.limits.image_bytes && longest <= opening.limits.image_side
        };
        if !copy.as_ref().is_none_or(fits) {
            return Err(spoiled(work::nonsense()));
        }
        let cost = copy.as_ref().map_or(0, |copy| copy.bytes.len() as u64) + 512;
        let seen = Arc::new(Seen { asked, facts, copy, size });
        opening.keep(self.piece.stamp, KEPT, Arc::clone(&seen), cost);
        Ok(seen)
    }

    /// The bytes of a stream that does not tell its length.
    fn settled(&self, most: u64, opening: &Opening<'_>) -> Result<Arc<dyn Blob>, Error> {
        let path = || self.piece.path.clone();
        match work::bytes(&self.piece, most, opening) {
            Ok(Some(bytes)) => Ok(Arc::new(Memory::new(bytes.bytes))),
            Ok(None) => Err(Error::TooBig { path: path(), limit: "image_file_bytes", value: most }),
            Err(Unread::Stopped(why)) => Err(Error::Spoiled { path: path(), spoiled: Spoiled::Stopped(why) }),
            Err(Unread::Io(cause)) => Err(Error::Io { path: path(), cause }),
        }
    }

    fn entered(&self, seen: &Seen, path: String) -> Entered {
        let Facts { width, height, channels, alpha, frames, turned, .. } = seen.facts.clone();
        let mime = self.mime;
        let picture = Picture { mime, bytes: seen.size, width, height, channels, alpha, turned };
        let mut notes = vec![Note::Picture(picture)];
        let images = seen.copy.iter().map(image).collect();
        if let Some(Copy { width, height, region, bytes, mime, .. }) = &seen.copy {
            let part = (region.x, region.y, region.width, region.height);
            notes.push(Note::Scaled(Scaled {
                part,
                shown: (*width, *height),
                mime: known_mime(mime),
                bytes: bytes.len() as u64,
                address: self.piece.path.clone(),
            }));
        }
        notes.extend(frames.filter(|frames| *frames > 1).map(|frames| Note::Frames { left: frames - 1 }));
        notes.extend(other_type(&self.piece.name, mime));
        Entered::Content(Box::new(Reached { content: Content::Picture, path, rest: None, notes, images }))
    }
}

fn image(copy: &Copy) -> Image {
    Image { mime: known_mime(&copy.mime), bytes: copy.bytes.clone() }
}

/// The media types that copies have.
fn known_mime(mime: &str) -> &'static str {
    match mime {
        "image/jpeg" => "image/jpeg",
        "image/gif" => "image/gif",
        "image/webp" => "image/webp",
        _ => "image/png",
    }
}

/// That a picture is called like another kind of file.
fn other_type(name: &str, mime: &'static str) -> Option<Note> {
    let (_, extension) = name.rsplit_once('.')?;
    let extension = extension.to_ascii_lowercase();
    let usual: &[&str] = match mime {
        "image/png" => &["png", "apng"],
        "image/jpeg" => &["jpg", "jpeg", "jpe", "jfif", "pjpeg"],
        "image/gif" => &["gif"],
        "image/webp" => &["webp"],
        "image/bmp" => &["bmp", "dib"],
        "image/tiff" => &["tif", "tiff", "dng", "nef", "cr2", "arw"],
        "image/x-icon" | "image/vnd.microsoft.icon" => &["ico", "cur"],
        "image/avif" => &["avif"],
        "image/heic" | "image/heif" => &["heic", "heif", "hif"],
        "image/jxl" => &["jxl"],
        _ => return None,
    };
    (!usual.contains(&extension.as_str())).then_some(Note::OtherType { extension, what: mime })
}

/// `X,Y,WIDTH,HEIGHT`.
fn region(text: &str) -> Option<Region> {
    let mut numbers = text.split(',').map(|number| number.trim().parse::<u32>().ok());
    let (x, y) = (numbers.next()??, numbers.next()??);
    let (width, height) = (numbers.next()??, numbers.next()??);
    (numbers.next().is_none() && width > 0 && height > 0).then_some(Region { x, y, width, height })
}

fn frame(limits: &Limits) -> Frame {
    let side = u32::try_from(limits.image_side).unwrap_or(u32::MAX);
    Frame {
        pixels: limits.image_pixels,
        memory: limits.worker_memory,
        side,
        target_bytes: limits.image_target.min(limits.image_bytes),
        most_bytes: limits.image_bytes,
    }
}
