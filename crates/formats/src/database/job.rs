//! Questions about a database for a worker, and its answers.

use readstone_base::{Identity, Stamp};
use serde::{Deserialize, Serialize};

use crate::database::cell::Far;
use crate::database::relay::{Said, SizeForm};
use crate::database::rows::{Head, Onward};
use crate::database::schema::Object;
use crate::database::session::Marks;

/// A question for a worker.
#[derive(Serialize, Deserialize)]
pub(super) struct Asked {
    /// The address of the database.
    pub(super) path: String,
    /// Its own name.
    pub(super) name: String,
    /// The limits that are not the usual ones.
    pub(super) limits: Vec<(String, u64)>,
    /// How many rows there are where none are asked for, and at most: a search takes more than any caller may.
    pub(super) rows: (u64, u64),
    /// The damage of the database, once it is known.
    pub(super) damage: Option<String>,
    /// The time of the call, in seconds since the epoch.
    pub(super) now: i64,
    /// The job.
    pub(super) job: Job,
}

/// A job on a database.
#[derive(Clone, Serialize, Deserialize)]
pub(super) enum Job {
    /// Follows an address and reads the first rows. The caller checks whether the files changed meanwhile.
    Enter(Option<String>),
    /// Reads the rows of an address after the given number of rows, and hands them over in parts.
    GoOn(Option<String>, u64, Seen),
    /// Counts the rows of tables.
    Count(Vec<Object>),
    /// Reads part of a large value: the offset, and the most bytes.
    Part(Far, u64, u64, Seen),
}

/// An answer. The bytes of values and rows follow it.
#[derive(Serialize, Deserialize)]
pub(super) enum Found {
    /// The bytes of the database.
    Itself,
    /// The list of tables, with the selector after it.
    Listing { objects: Vec<Object>, rest: Option<String>, said: Vec<Said> },
    /// Rows.
    Rows(RowsFound),
    /// The end of further rows.
    Onward { more: bool, total: Option<u64>, after: Vec<Said> },
    /// A cell.
    Cell(CellFound, Value),
    /// The numbers of rows of tables.
    Sizes(Vec<SizeForm>),
    /// A part of a value.
    Part,
    /// The files are others than they were.
    Others,
}

impl Found {
    /// Notes that the files changed while they were read, each time.
    pub(super) fn note_changed(&mut self) {
        match self {
            Self::Listing { said, .. } => said.push(Said::Changed),
            Self::Rows(found) => found.after.push(Said::Changed),
            Self::Cell(found, _) => found.said.push(Said::Changed),
            Self::Itself | Self::Onward { .. } | Self::Sizes(_) | Self::Part | Self::Others => {}
        }
    }

    /// The damage of a database that was read all the same.
    pub(super) fn damage(&self) -> Option<&str> {
        let said = match self {
            Self::Listing { said, .. } => said,
            Self::Rows(found) => &found.said,
            Self::Cell(found, _) => &found.said,
            Self::Itself | Self::Onward { .. } | Self::Sizes(_) | Self::Part | Self::Others => return None,
        };
        said.iter().find_map(|said| if let Said::Impaired(what) = said { Some(what.as_str()) } else { None })
    }
}

/// Rows, of which the first follow.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RowsFound {
    pub(super) path: String,
    pub(super) head: Option<Head>,
    pub(super) is_record: bool,
    pub(super) first: u64,
    pub(super) columns: Vec<String>,
    pub(super) end: End,
    pub(super) total: Option<u64>,
    pub(super) onward: Onward,
    /// Notes on the place.
    pub(super) said: Vec<Said>,
    /// Notes on the rows.
    pub(super) after: Vec<Said>,
    pub(super) seen: Seen,
}

/// The end of the first rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum End {
    /// There are no more.
    Last,
    /// More follow on another page.
    More,
    /// More follow, and were not handed over yet.
    Paused,
}

/// The place of a cell.
#[derive(Serialize, Deserialize)]
pub(super) struct CellFound {
    pub(super) path: String,
    pub(super) name: String,
    pub(super) rest: Option<String>,
    pub(super) said: Vec<Said>,
    /// Whether the stamp of the database file identifies the value.
    pub(super) is_alone: bool,
}

/// The value of a cell.
#[derive(Serialize, Deserialize)]
pub(super) enum Value {
    /// Nothing.
    Null,
    /// Text, which follows.
    Text,
    /// Bytes, which follow.
    Bytes,
    /// A value that is read in parts.
    Far(Far, Seen),
}

/// Marks of the files of a database, which change when the files do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seen {
    main: Option<StampForm>,
    wal: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct StampForm {
    device: u64,
    inode: u64,
    size: u64,
    modified: [u8; 16],
    changed: [u8; 16],
}

impl From<&Marks> for Seen {
    fn from(marks: &Marks) -> Self {
        let form = |stamp: Stamp| {
            let Stamp { identity: Identity { device, inode }, size, modified, changed } = stamp;
            StampForm { device, inode, size, modified: modified.to_le_bytes(), changed: changed.to_le_bytes() }
        };
        Self { main: marks.main.map(form), wal: marks.wal.clone() }
    }
}
