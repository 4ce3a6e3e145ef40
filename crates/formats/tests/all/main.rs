//! The tests of this crate: a module a group, and one program, so that the library is linked once.

#[path = "../../../../testkit/src/alone.rs"]
pub mod alone;

mod archive;
mod boundary;
mod database;
mod database_memory;
mod database_write;
mod delimited;
mod delimited_inside;
mod delimited_memory;
mod delimited_oracle;
mod detection;
mod notebook_round;
mod notebook_show;
mod pointer;
mod web_page;
