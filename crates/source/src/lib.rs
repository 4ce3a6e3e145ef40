//! From an address to what it names: files, directories, missing paths, and the lines of a file.
//!
//! [`locate`] walks the readings of an address and opens the first that exists; where none does it looks for what
//! the caller may have meant. A [`Format`] then says what the bytes are, as one of the few shapes of [`Content`].
//! [`LineIndex`] finds lines in files of any size by reading them once.

mod content;
mod error;
mod format;
mod index;
mod likeness;
mod load;
mod locate;
mod missing;
mod rules;
mod tree;
mod walk;

pub use content::{Coding, Content, Decoded, Lines, Newline, Opaque};
pub use error::Error;
pub use format::{Format, Head};
pub use index::{Found, LineIndex};
pub use load::{Loaded, load, version_of};
pub use locate::{Body, Node, locate};
pub use tree::{Show, Tree, Trunk, Wish, tree};
