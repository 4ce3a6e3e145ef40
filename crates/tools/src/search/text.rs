//! A text that is searched: a file, or something that was opened by its address.

use std::path::PathBuf;
use std::sync::Arc;

use readstone_base::{Blob, Kind, Web};
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
    /// Whether it is a secret, of which nothing is kept.
    pub(super) secret: bool,
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
            secret: node.secret.is_some(),
            web: node.web.clone(),
        }
    }
}
