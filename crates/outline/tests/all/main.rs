//! The tests of this crate: a module a group, and one program, so that the library is linked once.

mod blocks_a;
mod blocks_b;
mod blocks_c;
mod hostile;
mod samples;
