//! The nouns of Readstone, without dependencies.
//!
//! Everything that crosses a crate boundary is made of what stands here: a [`Page`] is what a view shows, a
//! [`Reply`] is what a caller gets, a [`Failure`] is what went wrong and which call comes next. [`Limits`] is the
//! one table of numbers, [`Budget`] is the time and the cancel token that travel with a call, and [`Blob`] is anything
//! whose bytes can be read at an offset.
//!
//! ```
//! use readstone_base::{Span, Tag, Version};
//!
//! let merged = Span::merge(vec![Span::new(10, 20), Span::new(1, 3), Span::new(4, 5)]);
//! assert_eq!(merged, [Span::new(1, 5), Span::new(10, 20)]);
//! assert_eq!(Tag::of(&Version::from_bytes([0x0A; 32])).to_string(), "0A0A");
//! ```

mod blob;
mod budget;
mod call_mutex;
mod cancel;
mod change;
mod client;
mod clock;
mod conflict;
mod convoy;
mod detail;
mod ending;
mod failure;
mod found;
mod heading;
mod limits;
mod listing;
mod monitor;
mod name;
mod note;
mod oneshot;
mod page;
mod percent;
mod progress;
mod quota;
mod receipt;
mod reply;
mod rows;
mod size;
mod span;
mod table;
mod tokens;
mod version;
mod visible;
mod web;
mod work;

pub use blob::{Blob, Identity, Memory, Stamp};
pub use budget::{Budget, Gate, Step, Stopped};
pub use call_mutex::{CallMutex, CallMutexGuard};
pub use cancel::{CancelToken, Cancelled, WakeRegistration};
pub use change::{
    Change, DiffRow, DiffSign, Done, EntryBefore, Hand, NotKept, Outcome, Resolved, RowAct, RowShot, RowSummary, Shift,
    Splice, Upshot, Warning,
};
pub use client::{CLIENT_BYTES, CLIENT_JSON, CLIENT_PICTURES, CLIENT_ROWS, ClientLimits, ReplySize, json_bytes};
pub use clock::{Clock, Fixed};
pub use conflict::conflict_marker;
pub use detail::{Lack, NoOutline, Picture, Scaled};
pub use ending::{Holds, ending, ending_of_type, holds};
pub use failure::{Class, Failure, Fault, Instead, Quoted, Words, plain_words};
pub use found::{Count, Found, FoundNote, HitRow, Hits, Role, Spot};
pub use heading::{heading_words, without_tags};
pub use limits::{LARGEST_REPLY_BYTES, LIMITS, Limit, Limits};
pub use listing::{Mark, TreeRow, TreeSize, When};
pub use monitor::Monitor;
pub use name::{escape_name, unescape_name};
pub use note::Note;
pub use oneshot::{OneshotReceiver, OneshotSender, SenderGone, oneshot};
pub use page::{
    Backing, Block, Coverage, DumpRow, FileRows, Guess, Hidden, Kind, Next, Page, Raw, Summary, Totals, Unit,
};
pub use percent::Percent;
pub use progress::{HowFar, Progress};
pub use quota::{Lent, Quota};
pub use receipt::{Receipt, Shown, Target, TargetError};
pub use reply::{Image, Part, Reply, Status};
pub use rows::{Cut, Inside, Label, Row, Rows};
pub use size::{push_number, push_size, size_text};
pub use span::Span;
pub use table::{Field, Grid, Record};
pub use tokens::estimate as estimate_tokens;
pub use version::{Tag, Version};
pub use visible::{Marks, Visible};
pub use web::{Web, WebNote};
pub use work::{Craft, Hear, Lend, PREPARE, Pace, Spoiled, Task, Workshop};
