//! A change before it is made.

use std::io;
use std::sync::Arc;

use readstone_base::{Backing, Blob, Fault, Page, Span, Splice, Upshot, Version};
use readstone_host::Held;

use super::undone::Reversal;
use crate::call::Call;
use crate::shown;

/// A change that is ready to be made.
pub(crate) struct Draft<'a> {
    /// What is said of it.
    pub(crate) page: Page,
    /// The file, locked.
    pub(crate) held: Held,
    /// What must still be there when it is made.
    pub(crate) expected: Expected,
    /// What will be there.
    pub(crate) content: Content<'a>,
    /// What the session keeps of it; none of secrets.
    pub(crate) backing: Option<Backing>,
    /// The lines of it that the caller knows.
    pub(crate) known: Vec<Span>,
    /// What undoes it.
    pub(crate) undo: Reversal,
    /// The file, where the page is of a part of it.
    pub(crate) undo_path: Option<String>,
}

impl Draft<'_> {
    /// Whether it changes nothing.
    pub(crate) fn is_idle(&self) -> bool {
        self.page.change.as_ref().is_some_and(|change| change.summary == Some(Upshot::Same))
    }

    /// The page of something that need not be done; whoever wrote it knows what is there.
    pub(crate) fn known_already(self, call: &Call<'_>) -> Page {
        if let Some((version, backing)) = self.page.version.zip(self.backing.as_ref()) {
            shown::keep_lines(call, version, backing, self.known);
        }
        self.page
    }
}

/// What a file was when a change of it was made up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// It was not there.
    Nothing,
    /// These bytes.
    Version(Version),
}

/// What will be there.
pub(crate) enum Content<'a> {
    /// These bytes.
    Whole(Arc<Vec<u8>>),
    /// The bytes of the file with some of them replaced.
    Spliced {
        /// The file.
        blob: Arc<dyn Blob>,
        /// Its size.
        size: u64,
        /// What is replaced.
        splices: Vec<Splice>,
    },
    /// What this writes.
    Made(Maker<'a>),
    /// A script: the file is made executable if it is new.
    Script(Arc<Vec<u8>>),
    /// Nothing: the file goes.
    Gone,
}

/// Writes something.
pub(crate) type Maker<'a> = Box<dyn FnMut(&mut dyn io::Write) -> io::Result<()> + 'a>;

/// Why something is not changed, and what is there, where that helps.
pub(crate) struct Refusal {
    pub(crate) error: Fault,
    pub(crate) page: Option<Box<Page>>,
}

impl From<Fault> for Refusal {
    fn from(error: Fault) -> Self {
        Self { error, page: None }
    }
}
