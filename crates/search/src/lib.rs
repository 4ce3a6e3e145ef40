//! The engines of `find` and `search`.

mod entry;
mod find;
mod find_error;
mod glob;

pub use entry::{Entry, Look, Sight, World, entries, expand, open_all, parse};
pub use find::{Finds, How, Named, Page, Quest, find};
pub use find_error::FindError;
pub use glob::{Glob, Globs, Problem, Within};
