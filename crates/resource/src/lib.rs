//! What a session holds, by address: scratch files, skills, rules, notes, outputs, this program's own manual.
//!
//! One router leads to all of it, and every scheme is one file.

mod error;
mod router;

pub use error::Error;
pub use router::Router;
