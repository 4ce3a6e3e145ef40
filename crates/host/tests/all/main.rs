//! The tests of this crate: a module a group, and one program, so that the library is linked once.

#[path = "../../../../testkit/src/alone.rs"]
pub mod alone;

mod file_size;
mod watch;
mod write;
