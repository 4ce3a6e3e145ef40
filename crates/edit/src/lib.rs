//! The patch language, and what it does to lines, as pure functions.
//!
//! [`parse`] reads a patch, [`resolve`] finds the blocks that it names by their first lines, [`arrange`] checks its
//! operations against each other, and [`splices`] says which bytes go and come. [`carry`] takes operations over to
//! another version of the same text where that is certain; [`preview`] shows what changed. Nothing here knows files,
//! encodings or sessions.
//!
//! ```
//! let patch = readstone_edit::parse("¶a.ts#0A3B\nreplace 4..5:\n+const x = 1;\ninsert tail:\n+// end\n")?;
//! let [section] = &patch.sections[..] else { panic!("one file") };
//! assert_eq!((section.path.as_str(), section.tag.to_string().as_str()), ("a.ts", "0A3B"));
//! assert_eq!(section.hunks[0].op.to_string(), "replace 4..5");
//! # Ok::<(), readstone_edit::Error>(())
//! ```

mod arrange;
mod carry;
mod changed;
mod error;
mod generated;
mod parse;
mod paste;
mod patch;
mod preview;
mod row;
mod splice;

pub use arrange::{Place, Placed, Unresolved, arrange, resolve};
pub use carry::carry;
pub use changed::{Changed, carry_spans, changes, differences};
pub use error::{Error, Foreign, Problem};
pub use generated::{GENERATED_BYTES, generated_marker};
pub use parse::parse;
pub use paste::{Pasted, unpasted};
pub use patch::{Hunk, Op, Patch, Section};
pub use preview::{Excerpt, Preview, Room, Sides, preview};
pub use splice::{LineAt, Lines, Script, apply, inverse, splices};
