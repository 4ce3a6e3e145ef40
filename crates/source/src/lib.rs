//! From an address to what it names: files, directories, missing paths, and the lines of a file.
//!
//! [`locate`] walks the readings of an address and opens the first that exists; where none does it looks for what
//! the caller may have meant. A [`Format`] then says what the bytes are, as one of the few shapes of [`Content`].
//! [`LineIndex`] finds lines in files of any size by reading them once.

mod container;
mod content;
mod error;
mod format;
mod index;
mod likeness;
mod load;
mod locate;
mod missing;
mod opening;
mod rules;
mod tree;
mod walk;

pub use container::{Container, Entered, Reached};
pub use content::{
    CellAddress, Coding, Content, Converted, Decoded, Lines, Listing, Newline, Opaque, Shape, Table, TableRow, Take, Value,
};
pub use error::Error;
pub use format::{Format, Head};
pub use index::{Found, LineIndex};
pub use load::{Loaded, load, version_of};
pub use locate::{Body, Node, locate};
pub use opening::{Alone, Beside, Formats, Judge, Opening, Piece, Shelf};
pub use tree::{Show, Tree, Trunk, Wish, tree};
