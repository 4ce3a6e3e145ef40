//! What bytes are.
//!
//! A format never sees a policy or a window. What holds further things is a [`Container`]; everything else is text in
//! some encoding, or bytes that only hex can show.

#[cfg(feature = "archives")]
mod archive;
mod binary;
mod coding;
#[cfg(feature = "databases")]
mod database;
mod delimited;
mod detect;
#[cfg(feature = "documents")]
mod document;
mod json;
mod names;
mod notebook;
#[cfg(feature = "archives")]
mod packed;
#[cfg(feature = "pictures")]
mod picture;
mod pointer;
mod readings;
mod stream;
mod utf32;
#[cfg(feature = "documents")]
mod web;
mod work;

use std::sync::Arc;

use readstone_base::{Blob, Fault};
use readstone_source::{Coding, Container, Formats, Head, Lines, Opaque, Opening, Piece};

#[cfg(feature = "archives")]
pub use archive::{ArchiveEntry, ArchiveForm, EntryPlan, PutInto, archive_form, archive_kind, plan_entry};
pub use binary::{is_database, is_signed};
#[cfg(feature = "databases")]
pub use database::{RowDone, RowEffect, RowJudge, RowText, RowWrite, RowWritten, write_row, write_row_apart};
pub use json::{JsonFlaw, JsonText, pretty_json};
pub use notebook::{
    NotebookCell, NotebookError, NotebookText, new_notebook, notebook_cells, to_notebook, to_notebook_within, to_text,
};
pub use pointer::{JsonPlace, JsonValue, json_value};
#[cfg(feature = "documents")]
pub use readstone_convert::{Alternate, PageFacts};
#[cfg(feature = "documents")]
pub use web::{
    MadePage, PageText, PageWish, headings, is_called_web_page, is_web_page, page, page_text, plain_text, untold,
    wished,
};
pub use work::{InPlace, work};

/// Text, or bytes that only hex can show.
pub fn open(head: &Head<'_>, blob: &Arc<dyn Blob>) -> Result<Lines, Opaque> {
    let coding = if binary::is_signed(head.bytes) { None } else { detect::coding(head) };
    let blob = Arc::clone(blob);
    coding
        .map(|coding| Lines { blob: Arc::clone(&blob), coding })
        .ok_or_else(|| Opaque { what: binary::kind_of(head), blob })
}

/// The encoding of a text, by its bytes alone; `None` when they are not text.
pub fn coding_of(head: &Head<'_>) -> Option<Arc<dyn Coding>> {
    detect::coding(head)
}

/// UTF-8 without a byte order mark.
pub fn utf8() -> Arc<dyn Coding> {
    Arc::new(coding::Utf8 { mark: 0 })
}

/// Every format there is.
#[derive(Clone, Copy, Debug)]
pub struct Standard;

impl Formats for Standard {
    #[cfg_attr(
        not(any(feature = "archives", feature = "databases", feature = "documents")),
        expect(unused_variables, reason = "nothing else is told by its bytes")
    )]
    fn container(
        &self,
        piece: &Piece,
        tail: Option<&str>,
        opening: &Opening<'_>,
    ) -> Result<Option<Arc<dyn Container>>, Fault> {
        let mut head = [0; HEAD_BYTES];
        let count = piece.blob.read_at(0, &mut head).map_err(|cause| unreadable(&piece.path, cause))?;
        let head = head.get(..count).unwrap_or_default();
        #[cfg(feature = "databases")]
        if let Some(database) = database::open(piece, head, opening) {
            return Ok(Some(database));
        }
        #[cfg(feature = "pictures")]
        let picture = picture::container(piece, head);
        #[cfg(not(feature = "pictures"))]
        let picture: Option<Arc<dyn Container>> = None;
        #[cfg(feature = "pictures")]
        if picture.is_some() && picture::has_part(tail) {
            return Ok(picture);
        }
        #[cfg(feature = "documents")]
        if let Some(document) = document::container(piece, head, opening) {
            return Ok(Some(document));
        }
        #[cfg(feature = "documents")]
        if let Some(page) = web::container(piece, head) {
            return Ok(Some(page));
        }
        let named = delimited::container(piece, tail).or_else(|| pointer::container(piece, tail));
        // What a name and a tail explain is no reason to look for an archive at the end.
        #[cfg(feature = "archives")]
        if let Some(archive) = archive::archives(head, piece, tail.filter(|_| named.is_none()), opening)? {
            return Ok(Some(archive));
        }
        // An archive may stand behind a picture; where there is none, the picture says what it has.
        Ok(named.or(picture).or_else(|| notebook::container(piece)))
    }

    fn unreadable(&self, path: &str, cause: std::io::Error) -> Fault {
        unreadable(path, cause)
    }
}

/// What is looked at to tell whether something holds others: the header of a tar archive is the longest.
const HEAD_BYTES: usize = 512;

/// An error of reading a blob, as the failure of whoever asked for `path`: damage inside what is compressed is told
/// from what the system said.
pub fn unreadable(path: &str, cause: std::io::Error) -> Fault {
    #[cfg(feature = "archives")]
    let cause = match archive::fault_in(path, cause) {
        Ok(fault) => return fault,
        Err(cause) => cause,
    };
    Box::new(readstone_host::Error::from_io(path, cause))
}
