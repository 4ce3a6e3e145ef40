//! What a step made.

use std::sync::Arc;

use readstone_base::{Kind, Memory, Note, Stamp, WebNote};
use readstone_source::{Alone, Content, Converted, Finding, Piece, version_of};
use serde::{Deserialize, Serialize};

use crate::text::plainly;

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
    /// What the page says beside it.
    pub(crate) beside: Beside,
}

/// What a page says beside what there is to read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Beside {
    /// What it is called, where its text does not say so.
    pub(crate) title: Option<String>,
    /// What it says itself, where a document is shown in its place.
    pub(crate) own: Option<String>,
    /// Names of sections, and the headings that they mean.
    pub(crate) anchors: Vec<(String, String)>,
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
        Self::new(method, Shown::Text(text))
    }

    /// Bytes of which nothing must be said.
    pub(crate) fn bytes(method: &'static str, name: &str, bytes: Vec<u8>) -> Self {
        Self::new(method, Shown::Bytes { name: name.to_owned(), bytes })
    }

    fn new(method: &'static str, shown: Shown) -> Self {
        Self { method, shown, content_type: None, notes: Vec::new(), beside: Beside::default() }
    }

    /// The same, with something that must be said.
    pub(crate) fn noting(mut self, notes: impl IntoIterator<Item = WebNote>) -> Self {
        self.notes.extend(notes);
        self
    }

    /// The same, of a type that a server named.
    pub(crate) fn typed(self, content_type: Option<&str>) -> Self {
        Self { content_type: content_type.map(plainly), ..self }
    }

    /// The same, with what the page says beside it.
    pub(crate) fn beside(self, beside: Beside) -> Self {
        Self { beside, ..self }
    }

    /// Whether the server refused.
    pub(crate) fn is_refusal(&self) -> bool {
        self.notes.iter().any(|note| matches!(note, WebNote::Status { .. }))
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

    /// Takes the bytes out.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        match self {
            Self::Text(text) => std::mem::take(text).into_bytes(),
            Self::Bytes { bytes, .. } => std::mem::take(bytes),
        }
    }

    /// Puts the bytes back that were taken out.
    pub(crate) fn put_back(&mut self, back: Vec<u8>) {
        match self {
            // They are the bytes of a text.
            Self::Text(text) => *text = String::from_utf8(back).unwrap_or_default(),
            Self::Bytes { bytes, .. } => *bytes = back,
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
