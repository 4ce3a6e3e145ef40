//! A text that is searched: a file, or something that was opened by its address.

use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;
use std::sync::Arc;

use readstone_base::{Blob, Hidden, Kind, Note, Span, Web};
use readstone_source::{Coding, Nature, Node};

/// Something with lines.
#[derive(Debug)]
pub(super) struct Text {
    /// The address that opens it again.
    pub(super) address: String,
    /// The path, without links, of the file it is or lies in.
    pub(super) real: PathBuf,
    pub(super) kind: Kind,
    pub(super) blob: Arc<dyn Blob>,
    /// How its bytes stand for characters, where that is known already.
    pub(super) coding: Option<Arc<dyn Coding>>,
    /// The bytes of the file that it was made from, where it can be edited in their place.
    pub(super) original: Option<Arc<Vec<u8>>>,
    pub(super) nature: Nature,
    /// The rule by which it is a secret, of which nothing is kept.
    pub(super) secret: Option<String>,
    /// What must be said of it beside that.
    pub(super) notes: Vec<Note>,
    /// The lines in which matches count; none means all.
    pub(super) within: Option<Vec<Span>>,
    /// Where it came from, when others wrote it.
    pub(super) web: Option<Web>,
}

impl Text {
    /// A text at the address of a node.
    pub(super) fn of(node: &Node, blob: Arc<dyn Blob>) -> Self {
        Self {
            address: node.path.clone(),
            real: node.real.clone(),
            kind: Kind::Text,
            blob,
            coding: None,
            original: None,
            nature: node.nature,
            secret: node.secret.clone(),
            notes: node.notes.iter().cloned().chain(node.literal.then_some(Note::Literal)).collect(),
            within: None,
            web: node.web.clone(),
        }
    }

    /// What of it is shown in part, and so searched in part. Lines that were asked for are searched whole.
    pub(super) fn in_part(&self) -> Option<Hidden> {
        self.notes.iter().filter(|_| self.within.is_none()).find_map(|note| {
            let Note::Outputs { count, address } = note else { return None };
            let (reason, address) = ("outputs/attachments shown in part", Some(address.clone()));
            Some(Hidden { reason, count: *count, address })
        })
    }

    /// What tells it from any other text, however that is called.
    pub(super) fn key(&self) -> Vec<u8> {
        let whole = self.coding.is_none() || self.original.is_some();
        let own = self.nature == Nature::Editable && whole && !self.real.as_os_str().is_empty();
        let name = if own { self.real.as_os_str().as_bytes() } else { self.address.as_bytes() };
        let part = self.within.as_ref().map(|within| format!("{within:?}")).unwrap_or_default();
        [key(name, self.kind).as_slice(), part.as_bytes()].concat()
    }
}

/// What tells a whole text of a kind from any other.
pub(super) fn key(name: &[u8], kind: Kind) -> Vec<u8> {
    [name, b"\0", kind.name().as_bytes()].concat()
}
