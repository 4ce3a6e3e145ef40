//! The engines of `find` and `search`.

mod error;
mod pattern;
mod scan;

pub use error::Error;
pub use pattern::{Case, Pattern};
pub use scan::{Excerpt, Extent, Look, Scanned, Scanner, excerpt};
