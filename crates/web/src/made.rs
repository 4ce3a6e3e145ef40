//! What a step made.

use std::sync::Arc;

use readstone_base::{Kind, Memory, Note, Stamp, WebNote};
use readstone_source::{Alone, Content, Converted, Finding, Piece, version_of};

/// What a step made of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Made {
    /// How.
    pub(crate) method: &'static str,
    /// What there is to read.
    pub(crate) shown: Shown,
    /// The type that the server named for it.
    pub(crate) content_type: Option<String>,
    /// What must be said of it.
    pub(crate) notes: Vec<WebNote>,
}

/// What there is to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// A text that was made, with LF.
    Text(String),
    /// Bytes, for whoever reads things that are called so.
    Bytes {
        /// The name.
        name: String,
        /// The bytes.
        bytes: Vec<u8>,
    },
}

impl Made {
    /// A text of which nothing must be said.
    pub(crate) fn text(method: &'static str, text: &str) -> Self {
        let text = if text.contains('\r') { text.replace("\r\n", "\n") } else { text.to_owned() };
        Self { method, shown: Shown::Text(text), content_type: None, notes: Vec::new() }
    }

    /// Bytes of which nothing must be said.
    pub(crate) fn bytes(method: &'static str, name: &str, bytes: Vec<u8>) -> Self {
        let shown = Shown::Bytes { name: name.to_owned(), bytes };
        Self { method, shown, content_type: None, notes: Vec::new() }
    }

    /// The same, with something that must be said.
    pub(crate) fn noting(mut self, notes: impl IntoIterator<Item = WebNote>) -> Self {
        self.notes.extend(notes);
        self
    }

    /// The same, of a type that a server named.
    pub(crate) fn typed(self, content_type: Option<&str>) -> Self {
        Self { content_type: content_type.map(str::to_owned), ..self }
    }

    /// The same, under the name of another step.
    pub(crate) fn by(self, method: &'static str) -> Self {
        Self { method, ..self }
    }
}

impl Shown {
    /// The bytes of it.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes { bytes, .. } => bytes,
        }
    }

    /// What an address led to.
    pub(crate) fn found(self, path: &str) -> Finding {
        match self {
            Self::Text(text) => Finding::Content(Content::Converted(Converted::text(Kind::Web, text.into_bytes()))),
            Self::Bytes { name, bytes } => {
                // Two answers with the same bytes are one thing to whoever found something out about them.
                let stamp = Stamp::of_content(&version_of(&bytes), bytes.len() as u64).part(name.as_bytes());
                let blob = Arc::new(Memory::new(bytes));
                Finding::Piece(Piece { blob, path: path.to_owned(), name, stamp: Some(stamp), beside: Arc::new(Alone) })
            }
        }
    }
}

/// What was said of a page while it was made, as it is said of the web.
pub(crate) fn told(notes: &[Note]) -> Vec<WebNote> {
    notes
        .iter()
        .filter_map(|note| {
            // Nothing else is said of a page.
            let what = if let Note::LeftOut { what } | Note::DamagedPart { what } = note {
                what.clone()
            } else if let Note::CutText { limit } = note {
                format!("the text behind its first bytes ({limit})")
            } else {
                return None;
            };
            Some(WebNote::LeftOut { what })
        })
        .collect()
}
