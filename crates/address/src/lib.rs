//! Address strings, taken apart without looking at the world.
//!
//! An address names a place and, behind a colon, a selection of it: `src/lib.rs:10-20`. Since a file may really be
//! called `notes:10-20`, a string has several [`Reading`]s, the literal one first; whoever can see the world takes
//! the first reading whose place exists. A [`Selector`] prints as a text that parses back to it, so that a
//! reply can hand out the address of what follows.
//!
//! ```
//! use readstone_address::{readings, Place, Select};
//!
//! let all = readings("notes:10-20").unwrap();
//! assert_eq!(all[0].place, Place::Path("notes:10-20".into()));
//! assert_eq!(all[1].place, Place::Path("notes".into()));
//! assert_eq!(all[1].selector().unwrap().to_string(), "10-20");
//! ```

mod error;
mod reading;
mod selector;
mod url;

pub use error::{Error, Problem};
pub use reading::{MOST_CUTS, Place, Reading, colons, cuts, join, readings};
pub use selector::{Mode, Select, Selector, Slice};
pub use url::{is_web, without_secrets};
