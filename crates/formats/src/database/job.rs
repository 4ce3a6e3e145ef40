//! What a worker is asked about a database, and what it answers.

use readstone_base::{Identity, Stamp};
use serde::{Deserialize, Serialize};

use crate::database::cell::Far;
use crate::database::relay::{Said, SizeForm};
use crate::database::rows::{Head, Onward};
use crate::database::schema::Object;
use crate::database::session::Marks;

/// What a worker is asked.
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
    /// What is wrong with it, once that is known.
    pub(super) damage: Option<String>,
    /// The time of the call, in seconds since the epoch.
    pub(super) now: i64,
    /// What is wanted.
    pub(super) job: Job,
}

/// What is wanted of a database.
#[derive(Serialize, Deserialize)]
pub(super) enum Job {
    /// What an address names, with the first rows.
    Enter(Option<String>),
    /// Further rows of what an address names, after so many; they are handed over in parts.
    GoOn(Option<String>, u64, Seen),
    /// How many rows tables have.
    Count(Vec<Object>),
    /// A part of a large value, from an offset on.
    Part(Far, u64, u64, Seen),
}

/// What an address names; the bytes of values and rows follow it.
#[derive(Serialize, Deserialize)]
pub(super) enum Found {
    /// The bytes of the database.
    Itself,
    /// The list of tables, with a selector behind it.
    Listing { objects: Vec<Object>, rest: Option<String>, said: Vec<Said> },
    /// Rows.
    Rows(RowsFound),
    /// The end of further rows.
    Onward { more: bool, total: Option<u64>, after: Vec<Said> },
    /// A cell.
    Cell(CellFound, Value),
    /// How many rows tables have.
    Sizes(Vec<SizeForm>),
    /// A part of a value.
    Part,
    /// The files are others than they were.
    Others,
}

impl Found {
    /// What is wrong with the database that was read all the same.
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
    /// What is said of the place.
    pub(super) said: Vec<Said>,
    /// What is said of the rows.
    pub(super) after: Vec<Said>,
    pub(super) seen: Seen,
}

/// How the first rows end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum End {
    /// There are no more.
    Last,
    /// More follow on another page.
    More,
    /// More follow, and were not handed over yet.
    Paused,
}

/// Where a cell is.
#[derive(Serialize, Deserialize)]
pub(super) struct CellFound {
    pub(super) path: String,
    pub(super) name: String,
    pub(super) rest: Option<String>,
    pub(super) said: Vec<Said>,
    /// Whether the database alone tells who it is.
    pub(super) is_alone: bool,
}

/// What a cell holds.
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

/// What told the files of a database apart.
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
