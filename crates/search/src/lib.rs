//! The engines of `find` and `search`.

mod entry;
mod error;
mod find;
mod find_error;
mod glob;
mod pattern;
mod scan;
mod seek;

pub use entry::{Entry, Lookout, Sight, World, entries, expand, open_all, parse};
pub use error::Error;
pub use find::{Finds, How, Named, Page, Quest, find};
pub use find_error::FindError;
pub use glob::{Glob, Globs, Problem, Within};
pub use pattern::{Case, Pattern};
pub use scan::{Excerpt, Extent, Look, Scanned, Scanner, excerpt};
pub use seek::{Candidate, Certain, Seek, Sought, seek};
