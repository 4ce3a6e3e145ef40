//! From an address to what it names: files, directories, missing paths, and the lines of a file.
//!
//! [`locate`] walks the readings of an address and opens the first that exists; where none does it looks for what
//! the caller may have meant. Where a file holds
//! others, a [`Container`] is entered, as often as the address says. [`Content`] is what is not shown as bytes.
//! [`LineIndex`] finds lines in files of any size by reading them once.

mod container;
mod content;
mod descend;
mod error;
mod files;
mod head;
mod index;
mod judge;
mod likeness;
mod load;
mod locate;
mod lookalikes;
mod missing;
mod near;
mod opening;
mod rules;
mod scheme;
mod spelling;
mod tree;
mod walk;

pub use readstone_host::cores;

pub use container::{Container, Entered, Reached};
pub use content::{
    CellAddress, Coding, Content, Converted, Decoded, Document, Lines, Listing, Newline, Opaque, Section, Shape, Table,
    TableRow, Take, Value,
};
pub use error::Error;
pub use files::{Files, Wanted, files};
pub use head::Head;
pub use index::{Found, LineIndex};
pub use load::{Loaded, load, version_of, version_of_blob};
pub use locate::{Body, Node, locate, locate_exactly, open_path};
pub use lookalikes::{Lookalikes, Meant, near_names};
pub use near::near_paths;
pub use opening::{
    Alone, Beside, Beyond, Formats, Judge, NoFormats, NoJudge, NoShelf, Opening, Pictures, Piece, Shelf,
};
pub use scheme::{Drawer, Drawers, Finding, Fresh, Ground, Nature, NoDrawers, NoSources, Scheme, Sourced, Sources};
pub use spelling::path_of;
pub use tree::{Show, Tree, Trunk, Wish, tree};
pub use walk::{Batch, Dots, Git, Keep, Listed, Turn, Visit, Walk, Walked, walk, walk_order};
